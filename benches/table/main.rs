//! Where does this crate stand beside sequential std, rayon, chili and
//! orx-parallel, on 1, 2 and 8 threads?
//!
//! ```text
//! cargo bench --bench table -- [--threads 1,2,8] [--rows TEXT,TEXT] [--quick] [--markdown]
//! ```
//!
//! `--rows` keeps the rows whose name contains one of the texts; the row of the
//! idle pool takes seconds and runs only when `--rows idle` asks for it.
//! Every cell is `minimum/median`. The contenders of a row take turns in one
//! process; each number of threads has a process of its own, because a global
//! pool has one size for life. A mark with `?` holds for the minimum or the
//! median, one without for both. A batch that had to wait for a processor is
//! repeated; `noisy` marks the rows during which others used much of the machine.

mod idle;
mod measure;
mod report;
mod row;
mod rows;

use std::{
    env,
    io::{BufRead, BufReader, Write},
    process::{Command, ExitCode, Stdio},
};

use measure::Bench;
use report::Format;
use suite::allocations;

#[global_allocator]
static ALLOCATOR: allocations::Counting = allocations::Counting;

/// The command line.
struct Options {
    threads: Vec<usize>,
    rows: Vec<String>,
    quick: bool,
    format: Format,
    /// Set in the processes that this program starts: measure here.
    child: bool,
    /// Set in the processes of the idle row: whose pool to watch.
    idle: Option<String>,
}

impl Options {
    fn parse(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut options = Options {
            threads: vec![1, 2, 8],
            rows: Vec::new(),
            quick: true,
            format: Format::Text,
            child: false,
            idle: None,
        };
        let mut quick = false;
        let mut args = args;
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--threads" => {
                    options.threads = value()?
                        .split(',')
                        .map(|n| n.parse().ok().filter(|&n| n > 0))
                        .collect::<Option<_>>()
                        .ok_or("--threads takes numbers above 0, with commas between them")?;
                }
                "--rows" => {
                    options.rows = value()?.split(',').map(str::to_lowercase).collect();
                }
                "--quick" => quick = true,
                "--markdown" => options.format = Format::Markdown,
                // Cargo passes this for `cargo bench` only; under
                // `cargo test --all-targets` a quick run has to do.
                "--bench" => options.quick = false,
                "--child" => options.child = true,
                "--idle" => options.idle = Some(value()?),
                _ => return Err(format!("unknown argument {arg}")),
            }
        }
        options.quick |= quick;
        Ok(options)
    }

    fn wants_idle(&self) -> bool {
        self.rows.iter().any(|row| row == "idle")
    }
}

fn main() -> ExitCode {
    let options = match Options::parse(env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    if let Some(whose) = &options.idle {
        println!(
            "{}",
            idle::cpu_milliseconds(whose, options.threads[0], options.quick)
        );
    } else if options.child {
        let bench = Bench::new(
            options.threads[0],
            options.rows,
            options.quick,
            options.format,
        );
        rows::all(&bench);
    } else {
        run_children(&options);
    }
    ExitCode::SUCCESS
}

/// Measures each number of threads in a process of its own, passes its rows on,
/// and lists the losing ones at the end.
fn run_children(options: &Options) {
    let (mut losing, mut doubtful) = (Vec::new(), Vec::new());
    for &threads in &options.threads {
        println!("{}", options.format.header(threads));
        let mut child = again(options, threads)
            .arg("--child")
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program can be started a second time");
        let rows = BufReader::new(child.stdout.take().expect("the output is a pipe"));
        for line in rows.lines() {
            let line = line.expect("rows are UTF-8");
            if let Some(row) = line.strip_prefix(report::LOSING) {
                losing.push(format!("{threads} threads: {row}"));
            } else if let Some(row) = line.strip_prefix(report::DOUBTFUL) {
                doubtful.push(format!("{threads} threads: {row}"));
            } else {
                println!("{line}");
            }
            std::io::stdout().flush().expect("the output is open");
        }
        let status = child.wait().expect("the child was started");
        assert!(
            status.success(),
            "measuring on {threads} threads failed: {status}"
        );
        if options.wants_idle() {
            println!("{}", idle_row(options, threads));
        }
    }
    print_list("losing rows", &losing);
    print_list("losing by minimum or median alone, or noisy", &doubtful);
}

fn print_list(title: &str, rows: &[String]) {
    println!("\n{title}:{}", if rows.is_empty() { " none" } else { "\n" });
    for row in rows {
        println!("- {row}");
    }
}

/// This program, with the options that every process needs.
fn again(options: &Options, threads: usize) -> Command {
    let mut command = Command::new(env::current_exe().expect("this program has a path"));
    command.args(["--threads", &threads.to_string()]);
    if !options.rows.is_empty() {
        command.args(["--rows", &options.rows.join(",")]);
    }
    command.arg(if options.quick { "--quick" } else { "--bench" });
    if options.format == Format::Markdown {
        command.arg("--markdown");
    }
    command
}

fn idle_row(options: &Options, threads: usize) -> String {
    let watch = |whose: &str| {
        let output = again(options, threads)
            .args(["--idle", whose])
            .output()
            .expect("this program can be started a second time");
        String::from_utf8_lossy(&output.stdout).trim().to_string()
    };
    let cells = ["ours", "rayon", "chili"].map(watch);
    options.format.line(
        "CPU used by an idle pool in 5 s, ms",
        "",
        &[&cells[0], &cells[1], &cells[2], ""],
        "0.1",
        "",
    )
}
