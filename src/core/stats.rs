//! Counters that are always on: what a pool has done. They help to find why a program is slow.
//!
//! Each desk counts for itself, with plain loads and stores. Nothing is counted on the path of a private join, because a counter there would
//! cost more than the join.

use crate::sync::{AtomicU64, Ordering};
use std::fmt;
use std::ops::{AddAssign, Sub};

macro_rules! counters {
    ($( $(#[$doc:meta])* $name:ident: $label:literal, )*) => {
        /// The counters of one desk, written only by the thread at it.
        #[derive(Debug, Default)]
        pub(crate) struct Counters { $( pub(crate) $name: Counter, )* }

        impl Counters {
            /// What they say now.
            pub(crate) fn read(&self) -> Stats {
                Stats { $( $name: self.$name.get(), )* }
            }
        }

        /// A snapshot of what a pool has done since it was built, summed over its threads.
        ///
        /// Take one before and one after, and subtract: `after - before` is what happened in between. Printing it gives a table.
        /// The counters are read one by one. So if the pool works meanwhile, they are from slightly different moments.
        ///
        /// ```
        /// use filch::prelude::*;
        /// let before = filch::stats();
        /// let sum: u64 = (0..1_000_000u64).into_par_iter().map(|i| i ^ 1).sum();
        /// let spent = filch::stats() - before;
        /// assert!(spent.kept + spent.taken <= spent.offered);
        /// println!("{sum}\n{spent}");
        /// ```
        #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Stats { $( $(#[$doc])* pub $name: u64, )* }

        impl Sub for Stats {
            type Output = Stats;
            fn sub(self, earlier: Stats) -> Stats {
                Stats { $( $name: self.$name.wrapping_sub(earlier.$name), )* }
            }
        }

        impl AddAssign for Stats {
            fn add_assign(&mut self, other: Stats) {
                $( self.$name = self.$name.wrapping_add(other.$name); )*
            }
        }

        impl fmt::Display for Stats {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                $( writeln!(f, "{:<44}{:>12}", $label, self.$name)?; )*
                Ok(())
            }
        }
    };
}

counters! {
    /// Jobs run from a queue: stolen jobs, jobs from outside, spawned jobs, and a thread's own public jobs that it ran while it waited.
    jobs: "jobs run from a queue",
    /// Of these, pieces of parallel iterators. Each made one new fold.
    pieces: "  of these, pieces of parallel iterators",
    /// Pieces that parallel iterators cut off and offered to other threads.
    offered: "pieces offered",
    /// Offers that no other thread took, so the same fold went on.
    kept: "  kept: not taken, the fold went on",
    /// Offers that another thread took.
    taken: "  taken by another thread",
    /// How often a thread without work looked through the queues of the others.
    looks: "looks through the queues of others",
    /// Queues that were looked at, by threads without work and by threads that had just found some. Only queues of threads that work are looked at.
    visits: "  queues looked at",
    /// Attempts to steal from a queue that did not look empty.
    steals: "steal attempts",
    /// Of these, attempts that got no job, because another thief or the owner was faster.
    failed_steals: "  failed",
    /// Right sides of `join` that a thread showed to the others, because one of them asked for work. Others may take only what they are shown.
    promotions: "right sides of joins shown to other threads",
    /// Jobs that a thread took and gave back, because they belong to another call. A thread that waits inside `isolate`, and a caller from
    /// outside that waits, may run work of their own call only.
    handed_back: "jobs taken and given back: of another call",
    /// Times a thread went to sleep.
    parks: "times a thread went to sleep",
    /// Times a thread woke another one.
    wakes: "wake-ups sent",
    /// Jobs from outside the pool: of `install`, of `spawn` outside, and calls from outside that were handed over to a thread of the pool.
    /// Also one in about eight of the jobs of a [`JobQueue`](crate::ext::JobQueue), which come the same way.
    injected: "jobs injected from outside",
    /// Calls from outside that ran on the caller's own thread.
    guests: "calls that ran on the caller's thread",
}

/// A counter with one writer.
#[derive(Debug, Default)]
pub(crate) struct Counter(AtomicU64);

impl Counter {
    /// Adds one. Only the thread at the desk calls this, so a plain load and store suffice.
    #[inline]
    pub(crate) fn bump(&self) {
        self.0.store(
            self.0.load(Ordering::Relaxed).wrapping_add(1),
            Ordering::Relaxed,
        );
    }

    /// Adds one from any thread.
    pub(crate) fn bump_shared(&self) {
        self.0.fetch_add(1, Ordering::Relaxed);
    }

    fn get(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;

    #[test]
    fn each_event_is_counted_once_and_under_its_name() {
        let counters = Counters::default();
        (0..2).for_each(|_| counters.jobs.bump());
        (0..3).for_each(|_| counters.wakes.bump_shared());
        let stats = counters.read();
        let (jobs, wakes) = (2, 3);
        let expected = Stats {
            jobs,
            wakes,
            ..Stats::default()
        };
        assert_eq!(stats, expected);
        let mut twice = stats;
        twice += stats;
        assert_eq!((twice.jobs, twice.wakes), (4, 6));
        assert_eq!(twice - stats, stats);
        let table = stats.to_string();
        let numbers = table.lines().map(|line| line.rsplit(' ').next().unwrap());
        assert_eq!(
            numbers.filter(|&number| number != "0").collect::<String>(),
            "23"
        );
    }
}
