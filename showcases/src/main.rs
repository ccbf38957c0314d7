//! Builds each program with rayon and with filch, runs them alternately, and writes a table and a picture.
//!
//! `cargo run --release --manifest-path showcases/Cargo.toml -- [--rounds N] [--write FILE] [NAME ...]`
//!
//! `--write FILE` writes the picture beside the table, with the ending `svg`. `--draw TABLE PICTURE` only draws a table that is there.

mod picture;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::thread;

use indicatif::{ProgressBar, ProgressStyle};
use picture::picture;

/// Directories beside this package, and what is in them.
const PROGRAMS: &[(&str, &str)] = &[
    ("faer", "linear algebra: products, and systems of equations"),
    ("groth16", "proves that a chain of numbers is known"),
    ("obvhs", "builds bounding volume hierarchies"),
    ("oxipng", "makes pictures smaller"),
    ("pdu", "parallel-disk-usage: adds up a directory tree"),
    ("polars", "tables: groups, sorts, joins, filters"),
    ("tokenizers", "byte-pair encoding: learns it, and encodes"),
];

/// Whose pool a program is built with.
const CRATES: [&str; 2] = ["rayon", "filch"];

type Failure = Box<dyn std::error::Error>;

struct Options {
    rounds: usize,
    write: Option<PathBuf>,
    draw: Option<[PathBuf; 2]>,
    names: Vec<String>,
}

fn main() -> ExitCode {
    match options().and_then(|it| run(&it)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("showcases: {error}");
            ExitCode::FAILURE
        }
    }
}

fn options() -> Result<Options, Failure> {
    use lexopt::prelude::*;
    let mut args = lexopt::Parser::from_env();
    let mut options = Options {
        rounds: 5,
        write: None,
        draw: None,
        names: Vec::new(),
    };
    while let Some(arg) = args.next()? {
        match arg {
            Long("rounds") => options.rounds = args.value()?.parse()?,
            Long("write") => options.write = Some(args.value()?.into()),
            Long("draw") => options.draw = Some([args.value()?.into(), args.value()?.into()]),
            Value(name) => options.names.push(name.string()?),
            _ => return Err(arg.unexpected().into()),
        }
    }
    if options.rounds == 0 {
        return Err("--rounds is at least 1".into());
    }
    for name in &options.names {
        if !PROGRAMS.iter().any(|(known, _)| known == name) {
            let known: Vec<&str> = PROGRAMS.iter().map(|it| it.0).collect();
            return Err(format!("there is no {name}, only {}", known.join(", ")).into());
        }
    }
    Ok(options)
}

fn run(options: &Options) -> Result<(), Failure> {
    if let Some([table, to]) = &options.draw {
        return write(to, &picture(&read(table)?));
    }
    let wanted = |name: &str| options.names.is_empty() || options.names.iter().any(|it| it == name);
    let programs: Vec<_> = PROGRAMS.iter().filter(|it| wanted(it.0)).collect();
    let steps = programs.len() * CRATES.len() * (1 + options.rounds);
    let style = ProgressStyle::with_template("{msg:<28} {wide_bar} {pos}/{len}")?;
    // On a terminal only.
    let bar = ProgressBar::new(steps as u64).with_style(style);
    let mut out = head(options.rounds);
    for (name, what) in programs {
        let mut built = Vec::new();
        for pool in CRATES {
            bar.set_message(format!("{name} with {pool}: building"));
            built.push(build(name, pool)?);
            bar.inc(1);
        }
        let mut cases = Cases::default();
        for round in 0..options.rounds {
            // Now one comes first, and now the other.
            for i in [round % 2, 1 - round % 2] {
                bar.set_message(format!("{name} with {}: running", CRATES[i]));
                cases.add(i, &output(Command::new(&built[i]))?)?;
                bar.inc(1);
            }
        }
        write!(out, "\n### {name}: {what}\n\n{}", cases.table())?;
    }
    writeln!(out, "\nOther load at the end: {}.", load())?;
    bar.finish_and_clear();
    print!("{out}");
    if let Some(path) = &options.write {
        write(path, &out)?;
        write(&path.with_extension("svg"), &picture(&out))?;
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()).into())
}

/// What the times are of.
fn head(rounds: usize) -> String {
    let threads = thread::available_parallelism().map_or(0, usize::from);
    format!(
        "Wall times of one run in microseconds, the least and the median of {rounds} processes each, which ran alternately; processor \
         times of all threads,\nthe median of as many. filch over rayon: below 1 filch is faster. {threads} threads. Other load at the \
         beginning: {}.\n",
        load()
    )
}

/// How many threads of the machine were busy or waiting lately, over 1, 5 and 15 minutes.
fn load() -> String {
    match fs::read_to_string("/proc/loadavg") {
        Ok(text) => text.split(' ').take(3).collect::<Vec<_>>().join(", "),
        Err(_) => "not known on this system".to_owned(),
    }
}

/// Builds a program in a copy, so that its lock file stays as it is, and says where it is.
fn build(name: &str, pool: &str) -> Result<PathBuf, Failure> {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let copies = here.join("target/programs");
    copy(&here.join("stopwatch"), &copies.join("stopwatch"))?;
    let package = copies.join(format!("{name}-{pool}"));
    copy(&here.join(name), &package)?;
    if pool == "filch" {
        let manifest = package.join("Cargo.toml");
        let mut text = fs::read_to_string(&manifest)?;
        text += "\n[patch.crates-io]\n";
        for compat in ["rayon", "rayon-core"] {
            let path = here.join("../compat").join(compat).canonicalize()?;
            writeln!(text, "{compat} = {{ path = {path:?} }}")?;
        }
        fs::write(manifest, text)?;
    }
    let mut cargo = Command::new("cargo");
    cargo
        .args(["build", "--release", "--quiet"])
        .current_dir(&package);
    // With rayon, the versions that were measured before; with filch, the same but for what is replaced.
    if pool == "rayon" {
        cargo.arg("--locked");
    }
    cargo.env("CARGO_TARGET_DIR", "target");
    output(cargo)?;
    let tree = ["tree", "--quiet", "--prefix", "none", "--invert", "rayon"];
    let mut cargo = Command::new("cargo");
    let tree = output({
        cargo.args(tree).current_dir(&package);
        cargo
    })?;
    // A patch that does not fit is only a warning of cargo's.
    let is_patched = tree.lines().next().is_some_and(|it| it.contains("compat"));
    if is_patched != (pool == "filch") {
        return Err(format!("{name} was not built with {pool}: {tree}").into());
    }
    Ok(package
        .join("target/release")
        .join(format!("show-{name}{}", std::env::consts::EXE_SUFFIX)))
}

/// Copies a package's files, but not what it was built into.
fn copy(from: &Path, to: &Path) -> Result<(), Failure> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (from, name) = {
            let entry = entry?;
            (entry.path(), entry.file_name())
        };
        if name == "target" {
            continue;
        }
        if from.is_dir() {
            copy(&from, &to.join(name))?;
        } else if fs::read(&from)? != fs::read(to.join(&name)).unwrap_or_default() {
            fs::copy(&from, to.join(name))?;
        }
    }
    Ok(())
}

/// What a command prints, if it succeeds.
fn output(mut command: Command) -> Result<String, Failure> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        return Err(format!("{command:?}: {}\n{errors}", output.status).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Times of one case, in nanoseconds.
#[derive(Default)]
struct Times {
    least: [Vec<u64>; 2],
    median: [Vec<u64>; 2],
    processor: [Vec<u64>; 2],
    result: Option<String>,
}

/// Cases by their number in the program's output.
#[derive(Default)]
struct Cases(BTreeMap<usize, (String, Times)>);

impl Cases {
    /// Adds what one process printed.
    fn add(&mut self, which: usize, printed: &str) -> Result<(), Failure> {
        for (number, line) in printed.lines().enumerate() {
            let fields: Vec<&str> = line.split('\t').collect();
            let &[name, least, median, processor, result] = &fields[..] else {
                return Err(format!("five fields were expected: {line:?}").into());
            };
            let (_, times) = self
                .0
                .entry(number)
                .or_insert_with(|| (name.to_owned(), Times::default()));
            times.least[which].push(least.parse()?);
            times.median[which].push(median.parse()?);
            times.processor[which].push(processor.parse()?);
            let first = times.result.get_or_insert_with(|| result.to_owned());
            if first != result {
                return Err(format!(
                    "{name}: {result} with {}, and {first} before",
                    CRATES[which]
                )
                .into());
            }
        }
        Ok(())
    }

    fn table(self) -> String {
        let mut out = "| | rayon | filch | wall, filch over rayon | rayon, processor | filch, processor | filch over rayon |\n\
            |---|---|---|---|---|---|---|\n"
            .to_owned();
        for (name, times) in self.0.into_values() {
            let least = times.least.map(|it| it.into_iter().min().unwrap_or(0));
            let median = times.median.map(middle);
            let processor = times.processor.map(middle);
            let us = |ns: u64| {
                if ns < 100_000 {
                    format!("{:.1}", ns as f64 / 1e3)
                } else {
                    (ns / 1_000).to_string()
                }
            };
            let ratio = |[rayon, filch]: [u64; 2]| format!("{:.2}", filch as f64 / rayon as f64);
            writeln!(
                out,
                "| {name} | {} / {} | {} / {} | {} / {} | {} | {} | {} |",
                us(least[0]),
                us(median[0]),
                us(least[1]),
                us(median[1]),
                ratio(least),
                ratio(median),
                us(processor[0]),
                us(processor[1]),
                ratio(processor)
            )
            .expect("a string takes all");
        }
        out
    }
}

fn middle(mut numbers: Vec<u64>) -> u64 {
    numbers.sort_unstable();
    numbers[numbers.len() / 2]
}
