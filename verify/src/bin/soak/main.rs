//! Random programs, checked against their sequential execution, for as long as one likes.
//!
//! ```text
//! cargo run --release -p verify --bin soak -- [--seconds 30] [--seed N] [--clients 4] [--cuts adaptive] [--stuck abort]
//! ```
//!
//! Each client thread makes up one program after the other (nested joins, scopes, iterators of many chains, sorts, panics, isolated calls, calls
//! into pools that come and go), runs it in a pool and compares what comes out with what the same program gives on one thread. The seed is printed;
//! the program of a failure is, too. `--cuts` forces where iterators are cut: `adaptive`, `always`, `never` or `random`. When no program has
//! ended for ten seconds and all threads sleep, or for two minutes, the watchdog prints what the pools and threads are doing and ends the process;
//! with `--stuck hold` it waits for a debugger.
#![cfg_attr(filch_loom, allow(unused))]

#[cfg(not(filch_loom))]
mod dice;
#[cfg(not(filch_loom))]
mod program;
#[cfg(not(filch_loom))]
mod run;
#[cfg(not(filch_loom))]
mod watch;

#[cfg(filch_loom)]
fn main() {}

#[cfg(not(filch_loom))]
fn main() -> std::process::ExitCode {
    use filch::iter::plumbing::{Cuts, force_cuts};
    use std::process::ExitCode;
    use std::time::{Duration, SystemTime, UNIX_EPOCH};

    let mut seconds = 30;
    let mut seed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |now| now.as_nanos() as u64);
    let mut clients = 4;
    let mut hold = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let word = args.next().unwrap_or_default();
        let cuts = match (arg.as_str(), word.as_str()) {
            ("--cuts", "adaptive") => Some(Cuts::Adaptive),
            ("--cuts", "always") => Some(Cuts::Always),
            ("--cuts", "never") => Some(Cuts::Never),
            ("--cuts", "random") => Some(Cuts::Random),
            _ => None,
        };
        match (arg.as_str(), word.parse::<u64>().ok()) {
            _ if cuts.is_some() => cuts.into_iter().for_each(force_cuts),
            ("--stuck", _) if matches!(&*word, "abort" | "hold") => hold = word == "hold",
            ("--seconds", Some(n)) => seconds = n,
            ("--seed", Some(n)) => seed = n,
            ("--clients", Some(n)) if n > 0 => clients = n,
            _ => {
                eprintln!(
                    "soak: cannot read `{arg} {word}`; usage: soak [--seconds N] [--seed N] [--clients N above 0] [--cuts adaptive|always|never|random] [--stuck abort|hold]"
                );
                return ExitCode::from(2);
            }
        }
    }
    println!("soak: {seconds} s, {clients} clients, --seed {seed}");
    // Panics are part of the programs, and caught there.
    std::panic::set_hook(Box::new(|info| {
        if !run::is_planned(info.payload()) {
            eprintln!("{info}");
        }
    }));
    let report = run::soak(seed, clients, Duration::from_secs(seconds), hold);
    println!("{report}");
    if report.failed {
        println!("soak: FAILED, --seed {seed}");
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}
