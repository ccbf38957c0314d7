//! `record`: runs a closure while all threads write down what they do, and collects that into a [`Trace`].

use super::names::site_name;
use super::recording::{PoolRow, SiteRow, Trace};
use crate::core::clock;
use crate::core::pools;
use crate::core::recorder::{self, Recording, Time};
use crate::core::row::Row;
use crate::core::row::columns::{CALLS, ITEMS};
use crate::core::rows;
use crate::iter::plumbing::Site;
use std::collections::BTreeMap;
use std::time::Duration;

/// Records what all pools of the process do while `f` runs.
///
/// `f` runs on the calling thread. Recordings may overlap: each has the events of its own time. While something is recorded, a wake-up, a
/// steal or a look at the clock takes about 40 ns more. A join that no other thread takes costs no more than usual.
///
/// ```
/// use filch::prelude::*;
/// let (words, trace) = filch::trace::record(|| "to be or not".par_split_whitespace().count());
/// assert_eq!(words, 4);
/// let mut json = Vec::new();
/// trace.write_chrome(&mut json).unwrap();
/// ```
///
/// In a child that was forked from a program with pools nothing is recorded.
///
/// # Panics
///
/// With the panic of `f`; then the recording is dropped.
#[doc(alias("profile", "profiler"))]
pub fn record<R>(f: impl FnOnce() -> R) -> (R, Trace) {
    let recording = Recording::begin(pools::make_recorders);
    let result = f();
    let trace = Trace::of(&recording);
    (result, trace)
}

impl Trace {
    /// What was recorded so far.
    pub(crate) fn of(recording: &Recording) -> Trace {
        let now = Time::now();
        let (tracks, counted) = recording.read(now.ticks);
        let ticks = now.ticks.saturating_sub(recording.since.ticks);
        let elapsed = now.time.duration_since(recording.since.time);
        // In a short time, what was found at the start is better.
        let per_ns = match elapsed < Duration::from_millis(1) {
            true => clock::per_ns(),
            false => ticks as f64 / elapsed.as_nanos() as f64,
        };
        Trace {
            tracks,
            sites: sites(counted.rows),
            left_out: counted.left_out,
            gone: counted.lost,
            pools: pools::all()
                .into_iter()
                .map(|(name, pool)| PoolRow {
                    number: pool.number,
                    threads: pool.num_threads() as u64,
                    name,
                })
                .collect(),
            regions: recorder::regions().into_iter().map(String::from).collect(),
            begin: recording.since.ticks,
            ticks,
            per_ns: if per_ns > 0.0 { per_ns } else { 1.0 },
            processor: (now.processor.zip(recording.since.processor))
                .map(|(now, then)| now.saturating_sub(then)),
        }
    }
}

fn sites(rows: BTreeMap<u32, Row>) -> Vec<SiteRow> {
    let site = |(key, row): (u32, Row)| {
        let len = row.0[ITEMS] as f64 / row.0[CALLS].max(1) as f64;
        SiteRow {
            key,
            name: site_name(rows::name_of(key)),
            row,
            alone_and_shared: Site::of_key(key).alone_and_shared(len),
        }
    };
    rows.into_iter().map(site).collect()
}
