//! A data-processing pipeline over real files, once on parallel iterators and once on those of std.
//!
//! ```text
//! cargo run --release --example corpus                       # a few seconds on the toolchain's documentation
//! cargo run --release --example corpus -- --compare ~/src    # both versions, and the speed-up of each stage
//! cargo run --release --example corpus -- --processes 3      # words also by map-reduce over three processes
//! cargo run --release --features trace --example corpus -- --trace out.html   # a page that shows where the time went
//! ```
//!
//! One stage a file, each with a `sequential` and a `parallel` function that give equal results:
//!
//! 1. `walk`: find the files below the given paths;
//! 2. `choose`: sort them by path and take as many as the limit allows;
//! 3. `read`: their contents into memory;
//! 4. `words`: count words by key, and rank them;
//! 5. `duplicates`: group files of equal content;
//! 6. `sizes`: order the files by size, and count them by size;
//! 7. `directories`: add up what is below each directory, from the files up;
//! 8. `kinds`: count the files by what their names end in.
//!
//! `processes` counts the words once more, over several processes that may be killed, and compares.
//!
//! `pipeline` runs the stages one after the other and times them, `compare` runs it both ways, `report` prints, `trace` records.

use std::env;
use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, BufWriter, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::ops::Sub;
use std::process::ExitCode;

mod choose;
mod compare;
mod directories;
mod duplicates;
mod input;
mod kinds;
mod options;
mod pipeline;
mod processes;
mod progress;
mod read;
mod report;
mod sizes;
mod trace;
mod units;
mod walk;
mod words;

use options::{Command, Options};
use pipeline::Mode;
use progress::Progress;

fn main() -> ExitCode {
    // A bar belongs on a screen that shows the report too; next to a pager or a file it is noise.
    let terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
    let mut out = BufWriter::new(io::stdout().lock());
    let status = run(
        env::args_os().skip(1),
        &mut out,
        &mut io::stderr(),
        terminal,
    );
    ExitCode::from(status)
}

/// Runs the program on `args`, which do not include its name, and returns its exit status:
/// 0 for success, 1 for a failure on the way, 2 for a wrong command line.
pub fn run(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    terminal: bool,
) -> u8 {
    let Err(failure) = execute(args, out, err, terminal) else {
        return 0;
    };
    // If standard error cannot be written either, there is no place to say so.
    match failure {
        // The reader has seen enough: `corpus | head` is a success.
        Failure::Output(error) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Failure::Output(error) => {
            let _ = writeln!(err, "corpus: cannot write the report: {error}");
            1
        }
        Failure::Run(message) => {
            let _ = writeln!(err, "corpus: {message}");
            1
        }
        Failure::Input(message) => {
            let _ = writeln!(err, "corpus: {message}");
            2
        }
        Failure::Usage(message) => {
            let _ = writeln!(err, "corpus: {message}\n\n{}", options::USAGE);
            2
        }
    }
}

/// Why the program stops early.
enum Failure {
    /// The command line makes no sense.
    Usage(String),
    /// A path on the command line cannot be used.
    Input(String),
    /// The work itself went wrong.
    Run(String),
    /// The report could not be written.
    Output(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Failure::Output(error)
    }
}

fn execute(
    args: impl IntoIterator<Item = OsString>,
    out: &mut dyn Write,
    err: &mut dyn Write,
    terminal: bool,
) -> Result<(), Failure> {
    let options = match options::parse(args).map_err(|e| Failure::Usage(e.to_string()))? {
        Command::Help => {
            write!(out, "{}\n{}", options::ABOUT, options::USAGE)?;
            return Ok(out.flush()?);
        }
        Command::Run(options) => options,
    };
    if let Some(file) = &options.worker {
        return processes::work(file).map_err(Failure::Run);
    }
    let roots = input::roots(&options.paths).map_err(Failure::Input)?;
    if let Some(threads) = options.threads {
        build_pool(threads)?;
    }

    let (before, mut written) = (filch::stats(), Ok(()));
    if options.compare {
        compare(&roots, &options, out, err, terminal)?;
    } else {
        let mode = if options.sequential {
            Mode::Sequential
        } else {
            Mode::Parallel
        };
        let progress = Progress::new(terminal);
        let run = || pipeline::run(mode, &roots, options.max_bytes, &progress);
        let traced = trace::record(options.trace.as_deref(), run);
        progress.finish();
        let ((summary, times), file) = traced.map_err(Failure::Run)?;
        written = file;
        report::unreadable(err, &summary);
        report::input(out, &roots, &summary)?;
        report::results(out, &roots, &summary, options.top)?;
        report::speed(out, &summary, &times, &mode.to_string())?;
        if options.processes > 0 {
            let took = processes::compare(&summary, options.processes, options.kill)
                .map_err(Failure::Run)?;
            writeln!(
                out,
                "\nWords in {} processes: equal, in {:.2} s",
                options.processes,
                took.as_secs_f64()
            )?;
        }
    }
    if options.stats {
        print_stats(out, before, filch::stats())?;
    }
    out.flush()?;
    // The report is whole without the recording.
    written.map_err(Failure::Run)
}

fn compare(
    roots: &[input::Root],
    options: &Options,
    out: &mut dyn Write,
    err: &mut dyn Write,
    terminal: bool,
) -> Result<(), Failure> {
    let comparison =
        compare::run(roots, options.max_bytes, &Progress::new(terminal)).map_err(|part| {
            Failure::Run(format!(
                "the two versions disagree on the {part}; do files change while they run?"
            ))
        })?;
    report::unreadable(err, &comparison.summary);
    report::input(out, roots, &comparison.summary)?;
    Ok(report::comparison(out, &comparison)?)
}

/// Fixes the size of the global pool, which must happen before its first use.
fn build_pool(threads: NonZeroUsize) -> Result<(), Failure> {
    filch::ThreadPoolBuilder::new()
        .num_threads(threads.get())
        .build_global()
        .map_err(|error| Failure::Run(format!("--threads {threads}: {error}")))
}

/// Prints what the pool did between two snapshots of its counters.
fn print_stats<S>(out: &mut dyn Write, before: S, after: S) -> io::Result<()>
where
    S: Sub<Output: Display>,
{
    writeln!(out, "\nWhat the pool did\n{}", after - before)
}
