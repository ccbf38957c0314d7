//! Random programs, checked against what the rules say of them, for as long as one likes.
//!
//! ```text
//! cargo run --release -p verify --bin soak -- [--seconds 30] [--seed N] [--clients 4] [--cuts adaptive] [--stuck abort]
//!     [--programs N] [--path 3.0.7] [--plant NAME|all]
//! ```
//!
//! Each client thread takes one program after the other: nested joins, scopes, jobs for outer scopes, iterators of many chains, sorts, panics,
//! cancelled work, isolated calls, calls into pools that come and go. It runs the program and looks into its books ([`programs`]): what came
//! out, whose panic it was, how often each node ran and each item was computed, whether each thing was dropped once. After each round the
//! process may have no more threads and memory than before ([`bounds`]).
//!
//! The programs of a run have the seeds N, N + 1, and so on. A program that fails is printed and made smaller; `--seed N --programs 1 --path P`
//! runs the small one again. `--cuts` forces where iterators are cut: `adaptive`, `always`, `never` or `random`.
//!
//! In a run of five seconds or more, on two processors or more, threads have to take jobs from each other.
//!
//! When no program has ended for ten seconds and all threads sleep, or for two minutes, the watchdog prints what the pools and threads are
//! doing and ends the process; with `--stuck hold` it waits for a debugger. So it does after a round with too many threads or too much memory.
//!
//! With `--plant`, the soak imitates a bug and has to find it, by its own message, and to make the program small.
#![cfg_attr(filch_loom, allow(unused))]

#[cfg(not(filch_loom))]
mod bounds;
#[cfg(not(filch_loom))]
mod options;
#[cfg(not(filch_loom))]
mod planted;
#[cfg(not(filch_loom))]
#[path = "../../../programs/mod.rs"]
mod programs;
#[cfg(not(filch_loom))]
mod soak;
#[cfg(not(filch_loom))]
mod watch;
#[cfg(not(filch_loom))]
mod world;

#[cfg(not(filch_loom))]
#[global_allocator]
static COUNTING: bounds::Counting = bounds::Counting;

#[cfg(filch_loom)]
fn main() {}

#[cfg(not(filch_loom))]
fn main() -> std::process::ExitCode {
    use std::process::ExitCode;

    let options = match options::Options::read() {
        Ok(options) => options,
        Err(text) => {
            eprintln!("soak: {text}; usage: {}", options::USAGE);
            return ExitCode::from(2);
        }
    };
    println!("soak: {options}");
    let soak = soak::Soak::start(&options);
    let right = match options.plants[..] {
        [] => soak.run(&options),
        _ => planted::all_are_found(&soak, &options),
    };
    match right {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    }
}
