//! Changes a source in one place at a time, and looks whether a test finds it.
//!
//! What is changed:
//!
//! | | |
//! |---|---|
//! | comparisons | the bound goes to the other side (`<` and `<=`, `>` and `>=`), `==` and `!=` |
//! | arithmetic | `+` and `-`, `*` to `+`, `/` to `*`, `%` to `/`; shifts, `&`, `\|`; `+=` and `-=` |
//! | conditions | `&&` and `\|\|`; `!` goes; what is behind `if`, or in a guard, is always true or false; `while` does not begin |
//! | numbers | 0 becomes 1, any other is one less; `true` and `false` |
//! | methods | such as `min` and `max`, `add` and `sub`, `is_lt` and `is_le` |
//! | statements | a call, an assignment, an assertion, or an `unsafe` block goes |
//!
//! These are the slips that unsafe code and protocols suffer from: a bound that is off by one, a case that is forgotten, a count that is not kept, a
//! destructor that is not run. The value of a whole function is not replaced: such a change is found by nearly any test, so it says little.
//! `cargo-mutants` does that, and builds the crate for each mutant. Here one build has all of them, as `if on(7) { changed } else { as it was }`, so a
//! mutant takes as long as its tests. What does not compile is left out, and listed; if the compiler points only to a function, all its mutants are left out.
//! What the compiler runs itself (constants, `const fn`, types, patterns) and the
//! arguments of macros stay as they are.
//!
//! Each mutant runs in a process of its own, with a limit on memory and time, because code that is wrong may corrupt its memory. The time is derived from a
//! run without a mutant, which has to pass.
//!
//! A survivor is a hole in the tests, or changes only what the code costs, or nothing. The latter two go into `known.tsv` with a reason, and are not run
//! again.

mod compile;
mod copy;
mod find;
mod known;
mod mutant;
mod options;
mod plant;
mod trial;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use compile::{Build, read};
use copy::Copy;
use known::Known;
use mutant::Mutant;
use options::Options;
use trial::{Limits, Suite, Verdict};

fn main() -> ExitCode {
    let options = match options::parse(lexopt::Parser::from_env()) {
        Ok(Some(options)) => options,
        Ok(None) => {
            print(options::HELP);
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            eprintln!("mutants: {error} (--help says what there is)");
            return ExitCode::from(2);
        }
    };
    match run(&options) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(complaint) => {
            eprintln!("mutants: {complaint}");
            ExitCode::from(2)
        }
    }
}

/// Whether none survived.
fn run(options: &Options) -> Result<bool, String> {
    let here = env::current_dir().map_err(|error| error.to_string())?;
    let root = root(&here)?;
    let sources = sources(options, &here, &root)?;
    let package = package(&root, &sources)?;
    let mut mutants = Vec::new();
    for (file, text) in &sources {
        let found = find::mutants(file, text, mutants.len() as u32 + 1);
        mutants.extend(found.map_err(|error| format!("{file}: {error}"))?);
    }
    let listed = match &options.known {
        Some(path) => known::list(path)?,
        None => match root.join("verify/mutants/known.tsv") {
            path if path.is_file() => known::list(&path)?,
            _ => Vec::new(),
        },
    };
    if let [line, ..] = known::ambiguous(&listed, &mutants)[..] {
        return Err(format!(
            "it is listed, but fits more than one mutant: {line}"
        ));
    }
    let outdated = known::outdated(&listed, &mutants);
    let is_known = |mutant: &Mutant| listed.iter().any(|it: &Known| it.is(mutant));
    let wanted: BTreeSet<u32> = mutants
        .iter()
        .filter(|it| options.wants(it.number) && (options.all || !is_known(it)))
        .map(|it| it.number)
        .collect();
    if options.list {
        for mutant in mutants.iter().filter(|it| wanted.contains(&it.number)) {
            print(&format!("{}\n", place(mutant)));
        }
        return Ok(true);
    }

    let scratch = here.join(
        options
            .scratch
            .clone()
            .unwrap_or_else(|| root.join("target/mutants")),
    );
    // Two runs in one copy would build over each other's programs.
    let lock = fs::create_dir_all(&scratch).and_then(|()| File::create(scratch.join("lock")));
    let lock = lock.map_err(|error| format!("{}: {error}", scratch.display()))?;
    lock.try_lock().map_err(|_| {
        format!(
            "another run uses {} (--scratch has another one)",
            scratch.display()
        )
    })?;
    let copy = Copy::of(&root, &scratch.join("tree"));
    let build = Build {
        copy: &copy.map_err(|error| format!("{}: {error}", scratch.display()))?,
        package: package.clone(),
        target: scratch.join("target"),
        features: options.features.clone(),
        sources,
    };
    let built = build.run(&mutants, &options.targets(), |what| eprintln!("{what}"))?;
    let limits = Limits {
        threads: options.threads(),
        memory_mib: options.memory_mib,
    };
    let mut suites = Vec::new();
    for (target, filters) in &options.tests {
        let mut suite = Suite {
            name: target.name().to_owned(),
            program: built
                .programs
                .get(target)
                .ok_or("cargo built no such test")?
                .clone(),
            folder: build.copy.path(&package),
            filters: filters.clone(),
            limit: Duration::from_secs(1800),
        };
        let (tests, time) = trial::measure(&mut suite, limits)?;
        suite.limit = time * 5 + Duration::from_secs(options.slack_seconds);
        eprintln!(
            "{}: {tests} tests pass without a mutant, in {:.1} s",
            suite.name,
            time.as_secs_f64()
        );
        suites.push(suite);
    }
    let is_wanted = |it: &&Mutant| wanted.contains(&it.number);
    let (left_out, tried): (Vec<&Mutant>, Vec<&Mutant>) = mutants
        .iter()
        .filter(is_wanted)
        .partition(|it| built.left_out.contains(&it.number));
    for mutant in &left_out {
        print(&format!("left out  {}\n", place(mutant)));
    }
    if tried.is_empty() && !wanted.is_empty() {
        return Err("none of them compiles, so nothing was tried".to_owned());
    }
    let verdicts = try_all(&tried, &suites, limits, options.jobs);

    let count = |which: fn(&Verdict) -> bool| verdicts.values().filter(|it| which(it)).count();
    let survivors = count(|it| matches!(it, Verdict::Survived(_)));
    for mutant in &tried {
        if matches!(verdicts[&mutant.number], Verdict::Survived(_)) {
            print(&format!("survived: {}\n", place(mutant)));
        }
    }
    for line in &outdated {
        print(&format!("no such mutant, but it is listed: {line}\n"));
    }
    print(&format!(
        "{} mutants: {} found, {} timed out, {survivors} survived; {} left out, {} are known\n",
        tried.len(),
        count(|it| matches!(it, Verdict::Found(_))),
        count(|it| *it == Verdict::TimedOut),
        left_out.len(),
        mutants.iter().filter(|it| is_known(it)).count(),
    ));
    match count(|it| matches!(it, Verdict::NotRun(_))) {
        0 => Ok(survivors == 0 && outdated.is_empty()),
        some => Err(format!("{some} were not run")),
    }
}

/// Tries some at once, and prints a line for each.
fn try_all(
    tried: &[&Mutant],
    suites: &[Suite],
    limits: Limits,
    jobs: usize,
) -> BTreeMap<u32, Verdict> {
    // Invisible where standard error is no terminal.
    let style = ProgressStyle::with_template("{wide_bar} {pos} of {len}, {eta} left {msg}");
    let bar = ProgressBar::new(tried.len() as u64).with_style(style.expect("it is a template"));
    let queue = Mutex::new(VecDeque::from(tried.to_vec()));
    let (tell, ended) = mpsc::channel();
    let mut verdicts = BTreeMap::new();
    thread::scope(|scope| {
        for _ in 0..jobs {
            let (queue, tell) = (&queue, tell.clone());
            scope.spawn(move || {
                let next = || queue.lock().expect("no one panics with it").pop_front();
                while let Some(mutant) = next() {
                    let _ = tell.send((mutant, trial::trial(suites, mutant.number, limits)));
                }
            });
        }
        drop(tell);
        for (mutant, verdict) in ended {
            let (word, by) = match &verdict {
                Verdict::Found(by) => ("found", format!("  [{by}]")),
                Verdict::TimedOut => ("timed out", String::new()),
                Verdict::Survived(_) => ("survived", String::new()),
                Verdict::NotRun(why) => ("not run", format!("  [{why}]")),
            };
            bar.suspend(|| print(&format!("{word:9}  {}{by}\n", place(mutant))));
            bar.inc(1);
            verdicts.insert(mutant.number, verdict);
        }
    });
    bar.finish_and_clear();
    verdicts
}

fn place(mutant: &Mutant) -> String {
    let Mutant {
        number,
        file,
        line,
        function,
        ..
    } = mutant;
    format!("{number:4} {file}:{line} {function}: {}", mutant.change())
}

/// The folder of the workspace around `here`.
fn root(here: &Path) -> Result<PathBuf, String> {
    let is_root = |folder: &&Path| {
        let manifest = fs::read_to_string(folder.join("Cargo.toml"));
        manifest.is_ok_and(|text| text.lines().any(|line| line.trim() == "[workspace]"))
    };
    let root = here.ancestors().find(is_root);
    root.map(Path::to_owned)
        .ok_or_else(|| "no Cargo.toml with [workspace] here or above".to_owned())
}

/// The text of each file, by its path in the workspace.
fn sources(
    options: &Options,
    here: &Path,
    root: &Path,
) -> Result<BTreeMap<String, String>, String> {
    let mut sources = BTreeMap::new();
    let mut next: Vec<PathBuf> = options.files.iter().map(|file| here.join(file)).collect();
    while let Some(path) = next.pop() {
        // A whole file or folder of tests is as a module of tests.
        if path.file_stem().is_some_and(|name| name == "tests") {
            continue;
        }
        if path.is_dir() {
            let entries =
                fs::read_dir(&path).map_err(|error| format!("{}: {error}", path.display()))?;
            let paths = entries.flatten().map(|entry| entry.path());
            next.extend(
                paths.filter(|it| it.is_dir() || it.extension().is_some_and(|it| it == "rs")),
            );
            continue;
        }
        let text = read(&path)?;
        let full = path
            .canonicalize()
            .map_err(|error| format!("{}: {error}", path.display()))?;
        let root = root.canonicalize().map_err(|error| error.to_string())?;
        let file = full
            .strip_prefix(root)
            .map_err(|_| format!("{} is not in this workspace", path.display()))?;
        sources.insert(file.to_string_lossy().into_owned(), text);
    }
    Ok(sources)
}

/// The folder of the package that all the files belong to.
fn package(root: &Path, sources: &BTreeMap<String, String>) -> Result<PathBuf, String> {
    let of = |file: &String| {
        let mut above = Path::new(file).ancestors().skip(1);
        above
            .find(|folder| root.join(folder).join("Cargo.toml").is_file())
            .map(Path::to_owned)
    };
    let mut packages: Vec<PathBuf> = sources.keys().filter_map(of).collect();
    packages.dedup();
    match &packages[..] {
        [one] if root.join(one).join("src/lib.rs").is_file() => Ok(one.clone()),
        [one] => Err(format!(
            "{}: only a package with a library can be changed",
            one.display()
        )),
        _ => Err("the files have to be of one package".to_owned()),
    }
}

/// To standard output, whose reader may have seen enough.
fn print(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}
