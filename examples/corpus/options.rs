//! The command line.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use lexopt::prelude::*;

use super::{trace, units};

/// One paragraph for `--help`.
pub const ABOUT: &str = "\
Reads the files below the given paths, counts their words, finds duplicates, and
prints what it found and how fast each stage was. Without a path it reads the
toolchain's documentation, else cargo's downloaded sources, else the current
directory.
";

/// What may stand on the command line.
pub const USAGE: &str = "\
Usage: corpus [OPTIONS] [PATH]...

Options:
  --max-bytes N   read at most N bytes, such as 64M or 2G [default: 256M]
  --top N         how many files, words and duplicates to list [default: 10]
  --threads N     size of the thread pool [default: one a processor]
  --sequential    run on the iterators of std
  --compare       run both versions, check that they agree, print the speed-ups
  --stats         print the counters of the thread pool
  --trace FILE    write where the time went: a page (.html), for Perfetto (.json),
                  or raw (.filch); the feature `trace` is needed
  --processes N   count the words in N processes as well, and compare
  --kill          kill those processes, one after the other, meanwhile
  -h, --help      print this
";

const DEFAULT_MAX_BYTES: u64 = 256 << 20;

/// What the user asks for.
pub enum Command {
    Help,
    Run(Options),
}

/// How to run.
#[derive(Debug)]
pub struct Options {
    /// Where to look for files; empty means the default input.
    pub paths: Vec<PathBuf>,
    /// How much to read.
    pub max_bytes: u64,
    /// Length of the lists in the report.
    pub top: usize,
    /// Size of the pool, if not the default one.
    pub threads: Option<NonZeroUsize>,
    pub sequential: bool,
    pub compare: bool,
    pub stats: bool,
    /// Where to write what the threads did.
    pub trace: Option<PathBuf>,
    /// How many processes count the words as well; none, if zero.
    pub processes: usize,
    /// Whether they are killed meanwhile.
    pub kill: bool,
    /// To be one of those processes, on the queue in this file.
    pub worker: Option<PathBuf>,
}

/// Parses the arguments that follow the program's name.
pub fn parse(args: impl IntoIterator<Item = OsString>) -> Result<Command, lexopt::Error> {
    let mut options = Options {
        paths: Vec::new(),
        max_bytes: DEFAULT_MAX_BYTES,
        top: 10,
        threads: None,
        sequential: false,
        compare: false,
        stats: false,
        trace: None,
        processes: 0,
        kill: false,
        worker: None,
    };
    let mut parser = lexopt::Parser::from_args(args);
    while let Some(arg) = parser.next()? {
        match arg {
            Short('h') | Long("help") => return Ok(Command::Help),
            Long("max-bytes") => {
                options.max_bytes = value(&mut parser, "--max-bytes", units::parse_bytes)?
            }
            Long("top") => options.top = value(&mut parser, "--top", number)?,
            Long("threads") => options.threads = Some(value(&mut parser, "--threads", threads)?),
            Long("sequential") => options.sequential = true,
            Long("compare") => options.compare = true,
            Long("stats") => options.stats = true,
            Long("trace") => options.trace = Some(parser.value()?.into()),
            Long("processes") => options.processes = value(&mut parser, "--processes", number)?,
            Long("kill") => options.kill = true,
            // Not for users: how a process of `--processes` is started.
            Long("worker") => options.worker = Some(parser.value()?.into()),
            Value(path) => options.paths.push(path.into()),
            _ => return Err(arg.unexpected()),
        }
    }
    if options.sequential && options.compare {
        return Err("--compare runs both versions already: drop --sequential".into());
    }
    if options.compare && options.processes > 0 {
        return Err("--processes compares with one run: drop --compare".into());
    }
    if options.compare && options.trace.is_some() {
        return Err("--trace is of one run: drop --compare".into());
    }
    if let Some(path) = &options.trace {
        trace::check(path)?;
    }
    if options.kill && options.processes == 0 {
        return Err("--kill is for --processes: add --processes N".into());
    }
    Ok(Command::Run(options))
}

/// The value of `option`, as `read` takes it; an error names both.
fn value<T>(
    parser: &mut lexopt::Parser,
    option: &str,
    read: impl Fn(&str) -> Result<T, String>,
) -> Result<T, lexopt::Error> {
    let text = parser.value()?.string()?;
    Ok(read(&text).map_err(|wants| format!("{option} {text}: {wants}"))?)
}

fn number(text: &str) -> Result<usize, String> {
    text.parse()
        .map_err(|_| "expected a whole number, such as 3".to_owned())
}

fn threads(text: &str) -> Result<NonZeroUsize, String> {
    let most = filch::max_num_threads();
    text.parse()
        .ok()
        .filter(|threads: &NonZeroUsize| threads.get() <= most)
        .ok_or_else(|| format!("expected a number of threads, from 1 to {most}"))
}
