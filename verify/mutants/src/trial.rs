//! Runs a test program with one mutant on, within limits: code that is wrong may write where it should not, take all memory, or never end.

use std::io::{BufRead, BufReader, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use crate::plant::SWITCH;

/// The signal that no program sends itself by a fault: the system is short of memory, or someone ended it.
const KILLED: i32 = 9;

/// A test program, with the tests of it that are run.
#[derive(Clone)]
pub struct Suite {
    pub name: String,
    pub program: PathBuf,
    /// Where it runs: cargo runs tests in the folder of their package.
    pub folder: PathBuf,
    pub filters: Vec<String>,
    pub limit: Duration,
}

#[derive(Clone, Copy)]
pub struct Limits {
    /// How many tests of a program run at once.
    pub threads: usize,
    pub memory_mib: u64,
}

#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Verdict {
    /// By which test, or how the program ended.
    Found(String),
    TimedOut,
    /// How many tests passed.
    Survived(usize),
    /// Nothing was run, and why: that says nothing of the mutant.
    NotRun(String),
}

/// The first suite that does not pass decides.
pub fn trial(suites: &[Suite], number: u32, limits: Limits) -> Verdict {
    let mut passed = 0;
    for suite in suites {
        match suite.run(number, limits) {
            Verdict::Survived(more) => passed += more,
            verdict => return verdict,
        }
    }
    Verdict::Survived(passed)
}

impl Suite {
    pub fn run(&self, number: u32, limits: Limits) -> Verdict {
        let end = Instant::now() + self.limit;
        let mut child = match self.start(number, limits) {
            Ok(child) => child,
            Err(error) => return Verdict::NotRun(format!("{}: {error}", self.program.display())),
        };
        let lines = lines(child.stdout.take().expect("it is a pipe"));
        let verdict = self.watch(&mut child, &lines, end);
        kill(&mut child);
        // It has ended, or is about to.
        let _ = child.wait();
        verdict
    }

    /// In a group of processes of its own, so that what it starts ends with it.
    fn start(&self, number: u32, limits: Limits) -> std::io::Result<Child> {
        // No core files, and an end for a program that was left alone: more time than all processors have for it before it is killed here.
        let processors = thread::available_parallelism().map_or(1, |it| it.get() as u64);
        let seconds = self.limit.as_secs().saturating_add(2);
        let limit = format!(
            "ulimit -c 0; ulimit -v {}; ulimit -t {}; exec \"$0\" \"$@\"",
            limits.memory_mib * 1024,
            seconds.saturating_mul(processors),
        );
        Command::new("sh")
            .args(["-c", &limit])
            .arg(&self.program)
            .arg(format!("--test-threads={}", limits.threads))
            .args(&self.filters)
            .current_dir(&self.folder)
            .env(SWITCH, number.to_string())
            .env("RUST_BACKTRACE", "0")
            .process_group(0)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
    }

    fn watch(&self, child: &mut Child, lines: &Receiver<String>, end: Instant) -> Verdict {
        let mut passed = 0;
        loop {
            match lines.recv_timeout(end.saturating_duration_since(Instant::now())) {
                // It may print for ever.
                Ok(_) if Instant::now() >= end => return Verdict::TimedOut,
                Ok(line) if line.ends_with("... ok") => passed += 1,
                Ok(line) => {
                    // One test is enough.
                    if let Some(test) = line.strip_suffix(" ... FAILED") {
                        let test = test.strip_prefix("test ").unwrap_or(test);
                        return Verdict::Found(format!("{}: {test}", self.name));
                    }
                }
                Err(RecvTimeoutError::Timeout) => return Verdict::TimedOut,
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        loop {
            match child.try_wait() {
                Ok(Some(status)) if status.success() => return Verdict::Survived(passed),
                // What a shell says of a program that it cannot run.
                Ok(Some(status)) if matches!(status.code(), Some(126 | 127)) => {
                    return Verdict::NotRun(format!("{}: cannot be run", self.program.display()));
                }
                // It was not killed from here.
                Ok(Some(status)) if status.signal() == Some(KILLED) => {
                    return Verdict::NotRun(format!("{}: someone killed it", self.name));
                }
                Ok(Some(status)) => {
                    return Verdict::Found(format!("{}: {}", self.name, ending(status)));
                }
                Ok(None) if Instant::now() >= end => return Verdict::TimedOut,
                Ok(None) => thread::sleep(Duration::from_millis(2)),
                Err(error) => return Verdict::NotRun(format!("{}: {error}", self.name)),
            }
        }
    }
}

fn ending(status: ExitStatus) -> String {
    match status.signal() {
        Some(signal) => format!("ended by signal {signal}"),
        None => format!("ended with {}", status.code().unwrap_or(-1)),
    }
}

/// The lines that a program prints, which need not be text.
fn lines(from: impl Read + Send + 'static) -> Receiver<String> {
    let (tell, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(from).split(b'\n') {
            let Ok(line) = line else { break };
            if tell
                .send(String::from_utf8_lossy(&line).into_owned())
                .is_err()
            {
                break;
            }
        }
    });
    lines
}

/// Kills a program and all that it started.
fn kill(child: &mut Child) {
    let killed = Command::new("sh")
        .args(["-c", "kill -s KILL -- \"-$0\" 2>/dev/null"])
        .arg(child.id().to_string())
        .status();
    // The group may have ended already; and the program goes also where that is not how groups are killed.
    let _ = (killed, child.kill());
}

/// The number of a suite's tests, and how long they take; they have to pass as they are.
pub fn measure(suite: &mut Suite, limits: Limits) -> Result<(usize, Duration), String> {
    let start = Instant::now();
    match suite.run(0, limits) {
        Verdict::Survived(0) => Err(format!("{}: no test has such a name", suite.name)),
        Verdict::Survived(tests) => Ok((tests, start.elapsed())),
        Verdict::TimedOut => Err(format!("{}: takes too long without a mutant", suite.name)),
        Verdict::Found(by) => Err(format!("fails without a mutant: {by}")),
        Verdict::NotRun(why) => Err(why),
    }
}
