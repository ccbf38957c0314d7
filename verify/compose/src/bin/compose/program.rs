//! Writes a program of some chains, compiles it, and runs it to the end whatever its chains do to it.

use crate::tree::Written;
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A chain, ready for a program.
#[derive(Debug, Clone)]
pub struct Source {
    pub name: String,
    /// The inside of a module with a constant `CHAIN`.
    pub text: String,
}

impl Source {
    /// A chain that was drawn, which is run with the settings of a turn first.
    pub fn of(name: &str, turn: usize, written: &Written) -> Source {
        let Written {
            variables,
            by_filch,
            by_std,
            promise,
            growth,
            eager,
        } = written;
        let text = format!(
            "pub const CHAIN: Chain = Chain {{
    name: \"{name}\",
    by_filch,
    by_std,
    promise: {promise},
    growth: {growth},
    eager: {eager},
    turn: {turn},
}};

fn by_filch(n: usize, d: &Data) -> Vec<u64> {{
    {variables}
    Out::out({by_filch})
}}

fn by_std(n: usize, d: &Data) -> Vec<u64> {{
    {variables}
    Out::out({by_std})
}}
"
        );
        let name = name.to_string();
        Source { name, text }
    }
}

/// What became of the chains of a program.
#[derive(Debug, Default)]
pub struct Outcome {
    /// Names, and what is wrong.
    pub failures: Vec<(String, String)>,
    pub chains: usize,
    pub runs: usize,
    /// Pieces that other threads took.
    pub taken: u64,
}

impl Outcome {
    /// Adds what became of others.
    pub fn add(&mut self, mut other: Outcome) {
        self.failures.append(&mut other.failures);
        self.chains += other.chains;
        self.runs += other.runs;
        self.taken += other.taken;
    }
}

/// Compiles programs against this package's library.
pub struct Compiler {
    into: PathBuf,
    library: PathBuf,
}

impl Compiler {
    /// Builds the library, as it is now.
    pub fn new(into: &Path) -> io::Result<Compiler> {
        fs::create_dir_all(into)?;
        let cargo = env::var_os("CARGO").unwrap_or("cargo".into());
        let output = Command::new(cargo)
            .args(["build", "-p", "compose", "--lib", "--message-format=json"])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stderr(Stdio::inherit())
            .output()?;
        let messages = String::from_utf8_lossy(&output.stdout);
        let library = messages
            .split('"')
            .find(|text| text.contains("libcompose") && text.ends_with(".rlib"))
            .ok_or_else(|| io::Error::other("the library does not build"))?;
        Ok(Compiler {
            into: into.to_path_buf(),
            library: library.into(),
        })
    }

    /// Compiles the chains and runs them. Those that do not compile are failures.
    pub fn run(&self, name: &str, chains: &[Source], rounds: usize) -> io::Result<Outcome> {
        let mut outcome = Outcome {
            chains: chains.len(),
            ..Outcome::default()
        };
        let mut chains = chains.to_vec();
        let program = loop {
            match self.compile(name, &chains)? {
                Ok(program) => break program,
                Err(message) => {
                    let wrong = self.named_by(name, &message);
                    if wrong.is_empty() {
                        return Err(io::Error::other(message));
                    }
                    let wrong = |chain: &Source| wrong.contains(&chain.name);
                    for chain in chains.iter().filter(|chain| wrong(chain)) {
                        let what = format!("does not compile:\n{message}");
                        outcome.failures.push((chain.name.clone(), what));
                    }
                    chains.retain(|chain| !wrong(chain));
                }
            }
        };
        let mut from = 0;
        while from < chains.len() {
            from = run_from(&program, &chains, from, rounds, &mut outcome)?;
        }
        fs::remove_file(program)?;
        Ok(outcome)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.into.join(name).with_extension("rs")
    }

    /// The program, or what the compiler says against it.
    fn compile(&self, name: &str, chains: &[Source]) -> io::Result<Result<PathBuf, String>> {
        let (source, program) = (self.path(name), self.into.join(name));
        let mut text = "#![recursion_limit = \"1024\"]\n#![allow(warnings)]\nuse compose::prelude::*;\nuse filch::{ext::*, prelude::*};\n".to_string();
        let mut list = String::new();
        for Source { name, text: inside } in chains {
            write!(text, "mod {name} {{\nuse super::*;\n{inside}}}\n").expect("it is a string");
            write!(list, "{name}::CHAIN, ").expect("it is a string");
        }
        write!(
            text,
            "fn main() {{\n    compose::run::main(&[{list}]);\n}}\n"
        )
        .expect("it is a string");
        fs::write(&source, text)?;
        // Unoptimised code compiles about five times as fast, and is run for a moment only.
        let dependencies = self.library.parent().expect("it is in a directory");
        let dependencies = match dependencies.ends_with("deps") {
            true => dependencies.to_path_buf(),
            false => dependencies.join("deps"),
        };
        let output = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
            .args([
                "--edition=2024",
                "-Cdebuginfo=0",
                "-Ccodegen-units=1",
                "--error-format=short",
                "-L",
            ])
            .arg(format!("dependency={}", dependencies.display()))
            .arg(format!("--extern=compose={}", self.library.display()))
            .args(env::var("RUSTFLAGS").unwrap_or_default().split_whitespace())
            .arg("-o")
            .arg(&program)
            .arg(&source)
            .output()?;
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        Ok(match output.status.success() {
            true => Ok(program),
            false => Err(message),
        })
    }

    /// The chains in which the compiler found something.
    fn named_by(&self, name: &str, message: &str) -> BTreeSet<String> {
        let path = self.path(name);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let modules = text.lines().scan(String::new(), |module, line| {
            if let Some(name) = line.strip_prefix("mod ") {
                *module = name.trim_end_matches(" {").to_string();
            }
            Some(module.clone())
        });
        let modules: Vec<String> = modules.collect();
        let places = message.lines().filter(|line| line.contains(" error"));
        places
            .filter_map(|line| {
                let rest = line.strip_prefix(&format!("{}:", path.display()))?;
                let line: usize = rest.split(':').next()?.parse().ok()?;
                modules.get(line - 1).cloned()
            })
            .filter(|module| !module.is_empty())
            .collect()
    }
}

/// Runs chains from one on, and returns which is to be run next, if the process ended early.
fn run_from(
    program: &Path,
    chains: &[Source],
    from: usize,
    rounds: usize,
    outcome: &mut Outcome,
) -> io::Result<usize> {
    let output = Command::new(program)
        .args(["--from", &from.to_string(), "--rounds", &rounds.to_string()])
        .output()?;
    let said = String::from_utf8_lossy(&output.stdout);
    let mut begun = from;
    let mut over = false;
    for line in said.lines() {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "begin" => begun += 1,
            "done" => {
                let numbers: Vec<&str> = rest.split(' ').collect();
                if let [name, _, runs, _, failed] = numbers[..] {
                    outcome.runs += runs.parse::<usize>().unwrap_or(0);
                    if failed != "0" {
                        let what = format!("failed in {failed} of {runs} runs");
                        outcome.failures.push((name.to_string(), what));
                    }
                }
            }
            "fail" | "hung" => {
                let name = rest.split(' ').next().unwrap_or_default().to_string();
                outcome.failures.push((name, line.to_string()));
            }
            "taken" => {
                outcome.taken += rest.parse::<u64>().unwrap_or(0);
                over = true;
            }
            _ => (),
        }
    }
    if over {
        return Ok(chains.len());
    }
    let what = format!(
        "ended the process: {}\n{}",
        output.status,
        String::from_utf8_lossy(&output.stderr)
    );
    let last = chains.get(begun.saturating_sub(1)).unwrap_or(&chains[from]);
    outcome.failures.push((last.name.clone(), what));
    Ok(begun.max(from + 1))
}
