//! Snapshots of a pool, for people and monitors: what each thread has done, and what the pool is doing now.

use super::clock;
use super::desk::Desk;
use super::histogram::Histogram;
use super::pool::Pool;
use super::stats::Stats;
use std::time::Duration;

/// What one thread of a pool has done since the pool was built.
///
/// A *seat* is a place for one thread: the pool has one for each of its threads, and more for callers from outside. [`seats`](crate::seats) lists them.
///
/// ```
/// use filch::prelude::*;
/// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// pool.install(|| (0..1_000_000u64).into_par_iter().map(|i| i ^ 1).sum::<u64>());
/// for (seat, thread) in pool.seats().iter().enumerate() {
///     println!("{seat}: {} blocks, the median below {:?}", thread.block.count(), thread.block.quantile(0.5));
/// }
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeatStats {
    /// Its counters. Wake-ups, and jobs from outside, are counted for the whole pool only: see [`stats`](crate::stats).
    pub stats: Stats,
    /// How long it looked for work.
    pub searched: Duration,
    /// How long it slept, for want of work or inside a wait.
    pub slept: Duration,
    /// Blocks of parallel iterators: the times between two looks, about 10 µs each.
    pub block: Histogram,
    /// Wake-ups: the times from the call to this thread until it went on.
    pub wake: Histogram,
}

/// What a pool is doing now.
///
/// The numbers are read one after the other while the pool goes on, so they need not fit together.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// pool.install(|| ());
/// assert_eq!(pool.load().injected, 0);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Load {
    /// Jobs from outside that no thread has taken yet.
    pub injected: usize,
    /// Jobs in the threads' queues that other threads could take.
    pub public: usize,
    /// Threads that look for work.
    pub searching: u32,
    /// Threads that sleep for want of work.
    pub asleep: u32,
    /// Threads that sleep inside a wait, because another thread has taken the job that they wait for.
    pub waiting: u32,
}

impl Desk {
    fn seat_stats(&self) -> SeatStats {
        let ns = |ticks: u64| Duration::from_nanos((ticks as f64 / clock::per_ns()) as u64);
        let [searched, slept] = self.probe.idle_ticks().map(ns);
        SeatStats {
            stats: self.counters.read(),
            searched,
            slept,
            block: self.probe.blocks.read(),
            wake: self.probe.wake.read(),
        }
    }
}

impl Pool {
    pub(crate) fn seat_stats(&self) -> Vec<SeatStats> {
        self.all_desks()
            .iter()
            .map(|desk| desk.seat_stats())
            .collect()
    }

    pub(crate) fn load(&self) -> Load {
        let (mut load, counts) = (Load::default(), self.idle.counts());
        load.searching = counts.searching();
        if self.is_orphan() {
            // Its locks may be held for ever.
            return load;
        }
        load.injected = self.injected();
        load.public = self.queues().sum();
        let [parked, in_waits, _] = self.sleepers.lock().counts();
        (load.asleep, load.waiting) = (parked as u32, in_waits as u32);
        load
    }

    /// How many jobs there are in the queue of each desk, in the order of [`Pool::seat_stats`]. A number would not tell
    /// them apart: the seat of a free right still names the desk that held it last, and that desk may hold another right by now.
    pub(crate) fn queues(&self) -> impl Iterator<Item = usize> {
        self.all_desks().into_iter().map(|desk| desk.thief.len())
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::job::HeapJob;
    use crate::core::pool::Handlers;
    use crate::core::root::Root;

    /// A right that was put down still names the desk of its last holder, which is at another right by now.
    #[test]
    fn a_desk_is_counted_once() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let [first, second] = [0, 1].map(|at| pool.seats[at].worker());
        pool.seats[0].sit_down(second);
        assert_eq!(pool.load().public, 0);
        // SAFETY: it borrows nothing.
        let job = unsafe { HeapJob::boxed(Root::NONE, || ()) };
        second.own.deque.push_public(job, &second.thief);
        assert_eq!(pool.load().public, 1);
        assert_eq!(pool.queues().collect::<Vec<_>>(), [0, 1]);
        let job = second
            .own
            .deque
            .pop_public(&second.thief)
            .expect("it was pushed");
        // SAFETY: just taken out of the queue.
        assert!(unsafe { job.run(0, &pool.handlers.follow) }.is_none());
        assert!(first.thief.is_empty() && pool.load().public == 0);
    }
}
