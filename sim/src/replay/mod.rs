//! Recorded programs as workloads: what `filch::trace` wrote to a `.filch` file is run again, on any number of workers.
//!
//! The file is read by the crate's own code, which is compiled in: `raw.rs`, and what it needs.

mod density;
mod forks;
mod nest;
mod roots;
mod strands;
#[cfg(test)]
mod tests;

#[allow(dead_code)] // not all of it is looked at here
#[path = "../../../src/trace/raw.rs"]
mod raw;
#[allow(dead_code)] // not all of it is looked at here
#[path = "../../../src/trace/recording.rs"]
mod recording;
#[allow(dead_code)] // not all of it is looked at here
#[path = "../../../src/trace/spans.rs"]
mod spans;
#[allow(dead_code)] // not all of it is looked at here
#[path = "../../../src/trace/what.rs"]
mod what;

use crate::work::{Caller, Workload};
use filch::trace::Scalability;
use recording::Trace;
use std::io;
use std::path::Path;
use std::time::Duration;

/// A recorded program, to be run in virtual time.
#[derive(Clone, Debug)]
pub struct Replay {
    /// What it does.
    pub workload: Workload,
    /// What the recording itself says of more threads.
    pub bounds: Scalability,
    /// What it was made of.
    pub seen: Seen,
}

/// What was found in a recording. Times are in nanoseconds.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Seen {
    /// How long it took.
    pub elapsed: u64,
    /// Calls of parallel iterators that are loops here, ...
    pub loops: usize,
    /// ... and the items that were folded in them.
    pub items: usize,
    /// Joins and spawned jobs of which another thread ran a side, or which were run from a queue.
    pub forks: usize,
    /// Calls inside items of other calls, which are not cut here.
    pub nested: usize,
    /// Offers that came back: parts of loops, which are known otherwise, and right sides of joins, which are taken for serial code.
    pub kept: usize,
    /// Work outside of loops: serial code, also that of jobs.
    pub serial: u64,
    /// What threads spent inside of calls, but not on items that they had counted.
    pub left_out: u64,
}

/// Reads the recording in a file.
///
/// # Errors
///
/// In a line: if the file cannot be read, is no recording or none of this version, is cut short or lacks events, or if nothing in it is parallel.
pub fn read(path: &Path) -> Result<Replay, String> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
    of_bytes(&bytes).map_err(|why| format!("{name}: {why}"))
}

fn of_bytes(bytes: &[u8]) -> Result<Replay, String> {
    let told = |error: io::Error| match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            let len = bytes.len();
            format!("the recording is cut short: it goes on after the {len} bytes that are there")
        }
        _ => error.to_string().trim_start_matches("filch: ").to_owned(),
    };
    let trace = Trace::read_raw(bytes).map_err(told)?;
    let lost = trace.lost();
    if lost > 0 {
        return Err(format!(
            "at least {lost} events were overwritten by later ones, so what ran is not known: record a shorter part of the program"
        ));
    }
    let (steps, seen) = roots::steps(&trace);
    if seen.loops + seen.forks == 0 {
        let took = Duration::from_nanos(seen.elapsed);
        return Err(format!(
            "nothing in these {took:.3?} is parallel: 0 calls of parallel iterators were driven, and 0 jobs ran"
        ));
    }
    // By the crate itself, whose reader is the same.
    let bounds = filch::trace::Trace::read_raw(bytes).map_err(told)?;
    Ok(Replay {
        workload: Workload {
            calls: vec![(0, steps)],
            caller: Caller::Guest,
        },
        bounds: bounds.scalability(),
        seen,
    })
}
