//! A recording, and what it was made of.

use super::names::site_name;
use super::what::still_open;
use crate::core::clock;
use crate::core::pools;
use crate::core::recorder::{self, Identity, Recording, Time, Track};
use crate::core::rows::{self, Row};
use crate::iter::plumbing::Site;
use crate::sync::planted;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

/// What was recorded: the newest events of each thread, and counts for each call site.
///
/// Each thread keeps up to about 200,000 events, fewer on a machine with more than eight processors or in more threads than it has; all of them together
/// 64 MiB. What comes after overwrites the oldest ([`Trace::lost`]). A steady loop makes about a thousand events a second, one of items that take more than
/// 10 µs about four for each item. Of threads that ended, the last 64 are kept. Counts for call sites are complete, up to 512 sites on each thread.
///
/// ```
/// let ((), trace) = filch::trace::record(|| drop(filch::join(|| 1, || 2)));
/// assert_eq!(trace.lost(), 0);
/// ```
#[derive(Clone, PartialEq)]
pub struct Trace {
    pub(super) tracks: Vec<Track>,
    pub(super) sites: Vec<SiteRow>,
    pub(super) regions: Vec<String>,
    /// The pools that lived at its end.
    pub(super) pools: Vec<PoolOf>,
    /// Times at which a site was not counted, for want of room.
    pub(super) left_out: u64,
    /// Events of threads that are gone, of which nothing was kept.
    pub(super) gone: u64,
    /// When it began, and how long it took, in ticks.
    pub(super) begin: u64,
    pub(super) ticks: u64,
    pub(super) per_ns: f64,
    /// What all threads of the process ran for meanwhile.
    pub(super) processor: Option<Duration>,
}

/// A pool that was there.
#[derive(Clone, PartialEq)]
pub(super) struct PoolOf {
    pub(super) number: u64,
    pub(super) threads: u64,
    /// `global`, or its number.
    pub(super) name: String,
}

/// What one call site did.
#[derive(Clone, PartialEq)]
pub(super) struct SiteRow {
    pub(super) key: u32,
    pub(super) name: String,
    pub(super) row: Row,
    /// What a call of the usual length takes alone, and shared, in ticks.
    pub(super) alone_and_shared: Option<[f64; 2]>,
}

/// Records what all pools of the process do while `f` runs.
///
/// `f` runs on the calling thread. Recordings may overlap: each has what happened in its own time. While something is recorded, a wake-up, a steal or
/// a look at the clock takes about 40 ns more; a join that no thread takes costs what it always costs.
///
/// ```
/// use filch::prelude::*;
/// let (words, trace) = filch::trace::record(|| "to be or not".par_split_whitespace().count());
/// assert_eq!(words, 4);
/// let mut json = Vec::new();
/// trace.write_chrome(&mut json).unwrap();
/// ```
///
/// In a child process that was forked from a program with pools, which runs everything on its one thread, nothing is recorded.
///
/// # Panics
///
/// With the panic of `f`; then the recording is dropped.
pub fn record<R>(f: impl FnOnce() -> R) -> (R, Trace) {
    let recording = Recording::begin(pools::make_decks);
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
                .map(|(name, pool)| PoolOf {
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

    /// Only the last so long, as far as what threads did is concerned.
    pub(super) fn cut_to_last(mut self, time: Duration) -> Trace {
        let ticks = (time.as_nanos() as f64 * self.per_ns) as u64;
        let later = self.ticks.saturating_sub(ticks);
        self.begin = self.begin.saturating_add(later);
        self.ticks -= later;
        // That was for the whole time.
        self.processor = None;
        for track in &mut self.tracks {
            let first = track
                .events
                .partition_point(|event| event.ticks < self.begin);
            // Of what happened before, only what is still under way then.
            let recent = track.events.split_off(first);
            let open = still_open(&track.events).into_iter();
            track.events = open.map(|at| track.events[at]).chain(recent).collect();
        }
        self
    }

    /// The name of a thread's pool.
    pub(super) fn pool_name(&self, of: Identity) -> String {
        if of.desk == 0 {
            return "no pool".into();
        }
        match self.pools.iter().find(|pool| pool.number == of.pool) {
            Some(pool) if pool.name == "global" => "the global pool".into(),
            _ => format!("pool {}", of.pool),
        }
    }

    /// How many events were overwritten before they could be read, at least: 0 if all are there.
    ///
    /// ```
    /// let ((), trace) = filch::trace::record(|| ());
    /// assert_eq!(trace.lost(), 0);
    /// ```
    pub fn lost(&self) -> u64 {
        let kept = self.tracks.iter().map(|track| track.lost);
        kept.fold(self.gone, u64::saturating_add)
    }

    /// How long the recording took.
    ///
    /// ```
    /// use std::time::Duration;
    /// let ((), trace) = filch::trace::record(|| std::thread::sleep(Duration::from_millis(2)));
    /// assert!(trace.elapsed() >= Duration::from_millis(1));
    /// ```
    pub fn elapsed(&self) -> Duration {
        self.duration(self.ticks)
    }

    /// How long all threads of the process together had a processor meanwhile. If the threads of the pools worked for longer than this, they waited within their
    /// work: for a processor that another program had, or for input, a lock or memory.
    ///
    /// None where the system does not tell, and where only the last part was asked for ([`Options::last`](super::Options::last)).
    ///
    /// ```
    /// let ((), trace) = filch::trace::record(|| drop((0..100_000).map(std::hint::black_box).max()));
    /// if let Some(time) = trace.processor_time() {
    ///     println!("{time:?} of {:?}", trace.elapsed());
    /// }
    /// ```
    pub fn processor_time(&self) -> Option<Duration> {
        self.processor
    }

    /// So many ticks.
    pub(super) fn duration(&self, ticks: u64) -> Duration {
        Duration::from_nanos(self.ns(ticks) as u64)
    }

    /// So many ticks, in nanoseconds.
    pub(super) fn ns(&self, ticks: u64) -> f64 {
        let per_ns = if planted!("ticks") { 1.0 } else { self.per_ns };
        ticks as f64 / per_ns
    }
}

fn sites(rows: BTreeMap<u32, Row>) -> Vec<SiteRow> {
    use rows::columns::{CALLS, ITEMS};
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

impl fmt::Debug for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events: usize = self.tracks.iter().map(|track| track.events.len()).sum();
        f.debug_struct("Trace")
            .field("threads", &self.tracks.len())
            .field("events", &events)
            .field("sites", &self.sites.len())
            .field("elapsed", &self.elapsed())
            .finish_non_exhaustive()
    }
}
