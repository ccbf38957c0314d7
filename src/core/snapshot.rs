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

    /// Each number is of what it says.
    #[test]
    fn a_load_tells_what_is_there() {
        let pool = Pool::new(3, 0, Handlers::default(), true, false);
        let [first, second, third] = [0, 1, 2].map(|at| pool.seats[at].own_desk());
        // SAFETY: it borrows nothing.
        let job = || unsafe { HeapJob::boxed(Root::NONE, || ()) };
        assert_eq!(pool.load(), Load::default());
        (0..5).for_each(|_| pool.injector.push(job()));
        second.own.deque.push_public(job(), &second.thief);
        (0..4).for_each(|_| pool.idle.start_search());
        let mut lists = pool.sleepers.lock();
        lists.park(0);
        lists.park(1);
        for desk in [first, second, third] {
            lists.lie_down(desk, None, false);
        }
        drop(lists);
        let expected = Load {
            injected: 5,
            public: 1,
            searching: 4,
            asleep: 2,
            waiting: 3,
        };
        assert_eq!(pool.load(), expected);
        let injected = (0..5).map(|_| pool.take_injected(None, true));
        let stolen = second.own.deque.pop_public(&second.thief);
        for job in injected.chain([stolen]) {
            // SAFETY: just taken out of a queue.
            assert!(unsafe { job.expect("it was pushed").run(0, &pool.handlers.follow) }.is_none());
        }
    }

    /// What a thread searched and slept is told in nanoseconds, however long a tick is.
    #[test]
    fn a_seat_tells_what_its_thread_did() {
        clock::calibrate();
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let desk = pool.seats[1].own_desk();
        desk.counters.jobs.bump();
        desk.probe.block(10);
        let spend = |which: usize| while desk.probe.idle_ticks()[which] < 300_000 {};
        desk.probe.search(true);
        spend(0);
        desk.probe.sleep();
        spend(1);
        desk.probe.call();
        desk.probe.get_up();
        let seats = pool.seat_stats();
        assert_eq!((seats.len(), seats[0]), (2, SeatStats::default()));
        let seat = seats[1];
        assert_eq!((seat.stats.jobs, seat.stats), (1, desk.counters.read()));
        assert_eq!((seat.block.count(), seat.wake.count()), (1, 1));
        let told = [seat.searched, seat.slept];
        for (told, ticks) in told.into_iter().zip(desk.probe.idle_ticks()) {
            let told = told.as_nanos() as f64 * clock::per_ns();
            assert!((0.99..1.01).contains(&(told / ticks as f64)));
        }
    }

    /// A right that was put down still names the desk of its last holder, which is at another right by now.
    #[test]
    fn a_desk_is_counted_once() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        let [first, second] = [0, 1].map(|at| pool.seats[at].own_desk());
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
