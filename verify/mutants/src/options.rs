//! What is asked for.

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::thread;

use lexopt::prelude::*;

use crate::compile::Target;

pub const HELP: &str = "\
Changes a source in one place at a time, and looks whether a test finds it. All changes are in one build; an environment variable switches one on.

usage: cargo run --release -p mutants -- [OPTIONS] FILE... (--lib | --test NAME | --loom) [FILTER]... [(--lib | --test NAME | --loom) [FILTER]...]...

  FILE            a source, or a folder with sources, of one package with a library
  --lib [FILTER]...
  --test NAME [FILTER]...
                  tests that are run, as cargo names them; the first that fails ends a run, so name the quickest first
  --loom [FILTER]...
                  the models of the package `verify`, which compiles files of src/core on the model checker loom

  --list          prints all changes, and runs nothing
  --only N-M      only these, by their numbers; may be given more than once
  --all           also those that the list of known ones has
  --known FILE    the list of changes that need no test, with four columns between tabs: file, function, change, reason
                  (by default verify/mutants/known.tsv, if there is one)
  --jobs N        how many changes are tried at once (2)
  --memory MIB    address space of a test program (8192)
  --slack SECONDS a program may take five times as long as without a change, and this (10)
  --features LIST features of the package
  --scratch DIR   where the copy and the build are (target/mutants)
  -h, --help

A line for each change says whether it was left out (because it does not compile), found (and by which test), timed out, or survived. At the end are those that survived, once more.
It exits with 0 if none did, 1 if some did or the list of known ones is out of date, 2 if nothing could be tried.
";

pub struct Options {
    pub files: Vec<PathBuf>,
    /// Tests, with their filters.
    pub tests: Vec<(Target, Vec<String>)>,
    pub list: bool,
    pub only: Vec<RangeInclusive<u32>>,
    pub all: bool,
    pub known: Option<PathBuf>,
    pub jobs: usize,
    pub memory_mib: u64,
    pub slack_seconds: u64,
    pub features: Option<String>,
    pub scratch: Option<PathBuf>,
}

impl Options {
    pub fn targets(&self) -> BTreeSet<Target> {
        self.tests
            .iter()
            .map(|(target, _)| target.clone())
            .collect()
    }

    /// How many tests of a program run at once, so that all processors have work.
    pub fn threads(&self) -> usize {
        thread::available_parallelism().map_or(1, |it| it.get().div_ceil(self.jobs))
    }

    pub fn wants(&self, number: u32) -> bool {
        self.only.is_empty() || self.only.iter().any(|range| range.contains(&number))
    }
}

/// Nothing if only help is wanted.
pub fn parse(mut args: lexopt::Parser) -> Result<Option<Options>, lexopt::Error> {
    let mut options = Options {
        files: Vec::new(),
        tests: Vec::new(),
        list: false,
        only: Vec::new(),
        all: false,
        known: None,
        jobs: 2,
        memory_mib: 8192,
        slack_seconds: 10,
        features: None,
        scratch: None,
    };
    while let Some(arg) = args.next()? {
        match arg {
            Long("lib") => options.tests.push((Target::Library, Vec::new())),
            Long("test") => {
                let name = args.value()?.string()?;
                options.tests.push((Target::Test(name), Vec::new()));
            }
            Long("loom") => options.tests.push((Target::Models, Vec::new())),
            Long("list") => options.list = true,
            Long("only") => options.only.push(args.value()?.parse_with(numbers)?),
            Long("all") => options.all = true,
            Long("known") => options.known = Some(args.value()?.into()),
            Long("jobs") => options.jobs = args.value()?.parse_with(above_zero)?,
            Long("memory") => options.memory_mib = args.value()?.parse()?,
            Long("slack") => options.slack_seconds = args.value()?.parse()?,
            Long("features") => options.features = Some(args.value()?.string()?),
            Long("scratch") => options.scratch = Some(args.value()?.into()),
            Short('h') | Long("help") => return Ok(None),
            Value(value) => match options.tests.last_mut() {
                Some((_, filters)) => filters.push(value.string()?),
                None => options.files.push(value.into()),
            },
            other => return Err(other.unexpected()),
        }
    }
    if options.files.is_empty() {
        return Err("which file?".into());
    }
    if options.tests.is_empty() && !options.list {
        return Err("which tests? (--lib, --test NAME, or --loom)".into());
    }
    Ok(Some(options))
}

fn above_zero(text: &str) -> Result<usize, &'static str> {
    match text.parse() {
        Ok(0) | Err(_) => Err("a number above 0 is needed"),
        Ok(number) => Ok(number),
    }
}

/// `7`, or `7-12`.
fn numbers(text: &str) -> Result<RangeInclusive<u32>, &'static str> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) => Ok(from..=to),
        _ => Err("a number, or two with a dash between, are needed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(args: &str) -> Result<Option<Options>, lexopt::Error> {
        parse(lexopt::Parser::from_args(args.split_whitespace()))
    }

    #[test]
    fn filters_belong_to_the_test_before_them() {
        let options = parsed(
            "a.rs b.rs --test algo pack dedup --jobs 3 --lib --only 4 --only 7-9 --loom wait",
        );
        let options = options.unwrap().unwrap();
        assert_eq!(options.files, ["a.rs", "b.rs"].map(PathBuf::from));
        let filters = |nth: usize| options.tests[nth].1.join(" ");
        let tests = [
            (0, Target::Test("algo".to_owned()), "pack dedup"),
            (1, Target::Library, ""),
            (2, Target::Models, "wait"),
        ];
        for (nth, target, wanted) in tests {
            assert_eq!((&options.tests[nth].0, &*filters(nth)), (&target, wanted));
        }
        assert_eq!(options.jobs, 3);
        let wanted: Vec<u32> = (0..12).filter(|it| options.wants(*it)).collect();
        assert_eq!(wanted, [4, 7, 8, 9]);
    }

    #[test]
    fn what_lacks_a_file_or_tests_is_refused() {
        assert!(parsed("--lib").is_err());
        assert!(parsed("a.rs").is_err());
        assert!(parsed("a.rs --lib --jobs 0").is_err());
        assert!(parsed("a.rs --list").is_ok());
        assert!(parsed("--help").unwrap().is_none());
    }
}
