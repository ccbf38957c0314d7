//! Random chains: whether what filch promises of sources, adaptors and ends holds for all of them together.
//!
//! Draws chains from a table of all that is public, writes each as Rust beside the same chain on std's iterators, compiles them, and runs them on pools of
//! 1, 2, 3 and 8 threads and from outside, with 0 to 10,000 items, at no cost, at the same for each item, and at a high one for a few, cut as it is worth
//! it, everywhere, nowhere, and by chance; any two of these together, and any three or four in another chain or round. Results have to be those of std where order is promised, and one of the possible ones where it is not. Planned
//! panics have to arrive, and every item is dropped once. What hangs or ends the process counts as failed.
//!
//! ```text
//! cargo run -p compose                                 60 chains of seed 1, and those that failed once
//! cargo run -p compose -- --seed 7 --chains 2000       others
//! cargo run -p compose -- --seed fresh --chains 500    others each time
//! cargo run -p compose -- --ext                        each with something of `filch::ext`, instead of half of them
//! cargo run -p compose -- --seed 7 --only 12 --show    one of them; its source is shown and not run
//! cargo run -p compose -- --keep                       keeps the chains that fail, made as small as possible, in `verify/compose/kept`
//! cargo run -p compose -- --kept                       runs those that were kept, and draws none
//! cargo run -p compose -- --without ParallelIterator::chain  looks beyond a defect that is known: none has this row; can be given again
//! cargo run -p compose -- --table                      compares the table with what is public in the crate, and says what is left out and why
//! cargo run -p compose -- --rows --chains 20000        says which rows of the table no chain has, and how many chains are of which kind; compiles nothing
//! ```
//!
//! `--rounds R` runs each chain R times (1), and each time under other settings; 15 rounds have all there are. `--jobs J` compiles and runs J programs at once (2). A failure is printed with the source
//! of both forms, made smaller as far as it still fails; `--whole` leaves it as it was drawn. A chain depends on its seed, its number and the table only.

mod audit;
mod dice;
mod draw;
mod kinds;
mod program;
mod public;
mod row;
mod shrink;
mod table;
mod tree;
mod ty;

use compose::setting::TURNS;
use draw::Draw;
use kinds::{Counts, Kinds};
use program::{Compiler, Outcome, Source};
use std::collections::BTreeSet;
use std::env;
use std::error::Error;
use std::fs;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{SystemTime, UNIX_EPOCH};
use tree::{Whole, Written};

/// Chains of one program: more would need much memory to compile, fewer would compile the same things more often.
const CHUNK: usize = 15;

/// So many failures are made smaller.
const SHRUNK: usize = 8;

struct Options {
    seed: u64,
    chains: usize,
    only: Option<usize>,
    rounds: usize,
    jobs: usize,
    ext: bool,
    show: bool,
    keep: bool,
    kept: bool,
    table: bool,
    rows: bool,
    whole: bool,
    /// Rows that are not drawn, by name.
    without: Vec<String>,
}

impl Options {
    /// The numbers of the chains that are drawn.
    fn numbers(&self) -> Range<usize> {
        match self.only {
            _ if self.kept => 0..0,
            Some(at) => at..at + 1,
            None => 0..self.chains,
        }
    }

    /// The chain with this number.
    fn chain(&self, at: usize) -> (Whole, Written) {
        let seed = self.seed.wrapping_mul(1_000_003).wrapping_add(at as u64);
        Draw::chain(seed, self.ext, &self.without)
    }
}

fn options() -> Result<Options, Box<dyn Error>> {
    let mut options = Options {
        seed: 1,
        chains: 60,
        only: None,
        rounds: 1,
        jobs: 2,
        ext: false,
        show: false,
        keep: false,
        kept: false,
        table: false,
        rows: false,
        whole: false,
        without: Vec::new(),
    };
    let mut arguments = env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
        match argument.as_str() {
            "--seed" => {
                options.seed = match value()?.as_str() {
                    "fresh" => SystemTime::now().duration_since(UNIX_EPOCH)?.as_secs(),
                    seed => seed.parse()?,
                }
            }
            "--chains" => options.chains = value()?.parse()?,
            "--only" => options.only = Some(value()?.parse()?),
            "--rounds" => options.rounds = value()?.parse()?,
            "--jobs" => options.jobs = value()?.parse()?,
            "--ext" => options.ext = true,
            "--show" => options.show = true,
            "--keep" => options.keep = true,
            "--kept" => options.kept = true,
            "--table" => options.table = true,
            "--rows" => options.rows = true,
            "--without" => options.without.push(value()?),
            "--whole" => options.whole = true,
            _ => return Err(format!("{argument} is no option").into()),
        }
    }
    Ok(options)
}

fn name(seed: u64, at: usize) -> String {
    format!("chain_{seed}_{at}")
}

/// Chains that follow each other have different settings.
fn turn(at: usize) -> usize {
    at % TURNS
}

fn kept_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("kept")
}

/// Chains that failed once.
fn kept() -> Result<Vec<Source>, Box<dyn Error>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(kept_folder())? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == "rs") {
            let name = path.file_stem().and_then(|stem| stem.to_str());
            all.push(Source {
                name: name.unwrap_or_default().to_string(),
                text: fs::read_to_string(&path)?,
            });
        }
    }
    all.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(all)
}

/// The chains with their numbers.
fn drawn(options: &Options) -> Vec<(usize, Whole, Written)> {
    let one = |at| {
        let (whole, written) = options.chain(at);
        (at, whole, written)
    };
    options.numbers().map(one).collect()
}

/// The rows of the table that none of the chains has.
fn undrawn<'w>(chains: impl Iterator<Item = &'w Whole>) -> Vec<String> {
    let drawn: BTreeSet<&str> = chains
        .flat_map(Whole::rows)
        .map(|row| row.by_filch)
        .collect();
    table::sources()
        .chain(table::adaptors())
        .chain(table::ends())
        .filter(|row| !drawn.contains(row.by_filch))
        .map(|row| format!("no chain has {}, {}", row.name, row.by_filch))
        .collect()
}

/// Runs chains, in programs of some each, for so many rounds.
fn run(
    compiler: &Compiler,
    options: &Options,
    chains: &[Source],
    rounds: usize,
) -> Result<Outcome, Box<dyn Error>> {
    let chunks: Vec<&[Source]> = chains.chunks(CHUNK).collect();
    let (next, outcome) = (AtomicUsize::new(0), Mutex::new(Outcome::default()));
    let work = || -> std::io::Result<()> {
        while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let done = compiler.run(&format!("from_{}", chunk[0].name), chunk, rounds)?;
            let mut outcome = outcome.lock().expect("nothing panics inside");
            for (name, what) in &done.failures {
                println!("{name}: {what}");
            }
            outcome.add(done);
            if outcome.chains % 150 < chunk.len() {
                println!(
                    "{} of {} chains, {} runs",
                    outcome.chains,
                    chains.len(),
                    outcome.runs
                );
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..options.jobs).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().expect("it does not panic"))
    })?;
    Ok(outcome.into_inner()?)
}

/// Prints what failed, as small as it gets, and keeps it if it is to be kept.
fn report(
    compiler: &Compiler,
    options: &Options,
    chains: &[Source],
    outcome: &Outcome,
) -> Result<(), Box<dyn Error>> {
    let mut shrunk = 0;
    for source in chains {
        let failures = outcome.failures.iter();
        let mut what: Vec<String> = failures
            .filter(|(name, _)| *name == source.name)
            .map(|(_, what)| what.clone())
            .collect();
        if what.is_empty() {
            continue;
        }
        println!("\n== {}", source.name);
        let mut text = source.text.clone();
        let seed = format!("chain_{}_", options.seed);
        let at = source
            .name
            .strip_prefix(&seed)
            .and_then(|at| at.parse().ok());
        if let Some(at) = at
            && !options.whole
            && shrunk < SHRUNK
        {
            shrunk += 1;
            let (whole, _) = options.chain(at);
            if let Some((written, smaller)) =
                shrink::shrink(compiler, &source.name, turn(at), whole)?
            {
                (text, what) = (Source::of(&source.name, turn(at), &written).text, smaller);
            }
        }
        println!("{}\n\n{text}", what.join("\n"));
        if options.keep && at.is_some() {
            fs::write(kept_folder().join(&source.name).with_extension("rs"), text)?;
        }
    }
    Ok(())
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let options = options()?;
    let wrong = audit::audit()?;
    wrong.iter().for_each(|what| println!("{what}"));
    if options.table {
        print!("{}", audit::left_out());
    }
    if options.table || !wrong.is_empty() {
        return Ok(ExitCode::from(u8::from(!wrong.is_empty())));
    }
    let drawn = drawn(&options);
    let counts = Counts::of(drawn.iter().map(|(_, whole, _)| Kinds::of(whole)));
    if options.rows {
        let undrawn = undrawn(drawn.iter().map(|(_, whole, _)| whole));
        undrawn.iter().for_each(|what| println!("{what}"));
        println!("{counts}");
        return Ok(ExitCode::from(u8::from(!undrawn.is_empty())));
    }
    let chosen = options.only.is_some() || !options.without.is_empty();
    let mut chains = if chosen { Vec::new() } else { kept()? };
    let kept = chains.len();
    let source = |(at, _, written): &(usize, Whole, Written)| {
        Source::of(&name(options.seed, *at), turn(*at), written)
    };
    chains.extend(drawn.iter().map(source));
    if options.show {
        chains.iter().for_each(|chain| println!("{}", chain.text));
        return Ok(ExitCode::SUCCESS);
    }
    let into = env::current_exe()?.with_file_name("compose-programs");
    let compiler = Compiler::new(&into)?;
    let (kept, drawn) = chains.split_at(kept);
    // What failed once is run under all settings.
    let mut outcome = run(&compiler, &options, kept, options.rounds.max(TURNS))?;
    outcome.add(run(&compiler, &options, drawn, options.rounds)?);
    report(&compiler, &options, &chains, &outcome)?;
    let names: BTreeSet<&String> = outcome.failures.iter().map(|(name, _)| name).collect();
    println!(
        "seed {}: {} chains, {} runs, {} pieces taken by other threads, {} chains failed",
        options.seed,
        outcome.chains,
        outcome.runs,
        outcome.taken,
        names.len()
    );
    println!("{counts}");
    if outcome.taken == 0 {
        println!("nothing was stolen, so nothing was tested");
    }
    let good = names.is_empty() && outcome.taken > 0;
    Ok(if good {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}
