//! `Trace`: a recording that has been read, with the events of each thread and the counts of each call site.

use super::what::still_open;
use crate::core::row::Row;
use crate::core::track::Track;
use crate::sync::planted;
use std::fmt;
use std::time::Duration;

/// What was recorded: the newest events of each thread, and counts for each call site.
///
/// Each thread keeps its last 130,000 to 260,000 events (some take twice the room), and all threads together 64 MiB. So it keeps fewer on more than eight
/// processors, or with more threads than processors. Later events overwrite the oldest ([`Trace::lost`]). A steady loop makes about a thousand events a second,
/// one of items that take more than 10 µs about four for each item. Of threads that ended, the last 64 are kept. Counts for call sites are
/// complete, up to 512 sites on each thread.
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
    pub(super) pools: Vec<PoolRow>,
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
pub(super) struct PoolRow {
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

impl Trace {
    /// Keeps what threads did in the last `time` only. Counts stay complete.
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
    /// `None` if the system does not tell, or if only the last part was asked for ([`Options::last`](super::Options::last)).
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
