//! Whether the pools still move, from one look to the next.

use super::finding::{Finding, judge};
use crate::core::pool::Pool;
use crate::core::pools;
use crate::core::recorder::Recording;
use crate::core::track::Identity;
use crate::trace::recording::Trace;
use crate::trace::whereabouts::Whereabouts;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How far each of some threads had come.
type Heads = Vec<(Identity, u64)>;

/// What was seen so far.
#[derive(Default)]
pub(super) struct Watch {
    /// How far each thread had come, and since when.
    desks: BTreeMap<Identity, (u64, Instant)>,
    /// The pools that have work for sleepers that no thread wakes.
    left: BTreeMap<u64, Lying>,
    /// What was reported last, until something moves: the pool that left its work lying, if it was that, and the threads that are stuck.
    reported: Option<(Option<u64>, Heads)>,
    /// Where the recording stood when it was last judged and all threads had been silent for long: nothing new can be found until something moves.
    judged: Heads,
}

/// What is told of threads that make no progress.
pub(super) struct StallReport {
    /// The line for the terminal.
    pub(super) line: String,
    pub(super) trace: Trace,
    /// The same line, the state of all pools, and where all threads are.
    pub(super) report: String,
}

/// Work of a pool that lies there.
struct Lying {
    /// What the pool had counted when it was last looked at, and since when that is so.
    counts: [u64; 4],
    unchanged: Instant,
    /// Since when it lies there at each look.
    begun: Instant,
}

impl Watch {
    pub(super) fn look(&mut self, recording: &Recording, stall: Duration) -> Option<StallReport> {
        let now = Instant::now();
        let pools = pools::all();
        let mut seen = Vec::new();
        let mut left = None;
        for (_, pool) in &pools {
            for desk in pool.all_desks() {
                let recorder = desk.probe.recorder.get();
                seen.push((recorder.of, recorder.head()));
            }
            if self.is_left(pool, now, stall) {
                left = Some(pool.number);
            }
        }
        self.left
            .retain(|number, _| pools.iter().any(|(_, pool)| pool.number == *number));
        let before = std::mem::take(&mut self.desks);
        for &(of, head) in &seen {
            let since = match before.get(&of) {
                Some(&(at, since)) if at == head => since,
                _ => now,
            };
            self.desks.insert(of, (head, since));
        }
        let for_long = |long: Duration| seen.iter().any(|(of, _)| now - self.desks[of].1 >= long);
        if left.is_none() && !for_long(stall) {
            self.reported = None;
            return None;
        }
        if left.is_none() && seen == self.judged {
            return None;
        }
        // Threads that stopped a little later are part of the same stall.
        let silent: Vec<_> = seen
            .iter()
            .map(|&(of, _)| of)
            .filter(|of| now - self.desks[of].1 >= stall / 2)
            .collect();
        let trace = Trace::of(recording);
        let whereabouts = Whereabouts::of(&trace);
        let finding = match left {
            Some(pool) => Some(Finding::Left { pool }),
            None => judge(&whereabouts, &silent),
        };
        if let Some(Finding::Silent { threads, .. }) = &finding
            && self.is_suspect(threads, now, stall)
        {
            // The pool of these threads may be to blame, which takes a little longer to tell.
            return None;
        }
        if seen.iter().all(|(of, _)| now - self.desks[of].1 >= stall) {
            self.judged.clone_from(&seen);
        }
        let Some(finding) = finding else {
            self.reported = None;
            return None;
        };
        // Once, as long as the same threads are stuck at the same place.
        let stuck: Vec<_> = match &finding {
            Finding::Left { .. } => Vec::new(),
            Finding::Silent { threads, .. } | Finding::Circle { threads } => {
                threads.iter().map(|of| (*of, self.desks[of].0)).collect()
            }
        };
        if let Some((pool, reported)) = &self.reported
            && *pool == left
            && stuck.iter().all(|thread| reported.contains(thread))
        {
            return None;
        }
        self.reported = Some((left, stuck));
        let line = finding.in_words(&whereabouts, stall);
        let mut report = format!("{line}\n\n");
        for (name, pool) in &pools {
            report += &format!(
                "pool {name}: {:?}, queues {:?}, free rights {}\n",
                pool.load(),
                pool.queues().collect::<Vec<_>>(),
                pool.rights.free()
            );
        }
        report += &whereabouts.all();
        drop(whereabouts);
        Some(StallReport {
            line,
            trace,
            report,
        })
    }

    /// Whether a pool of these threads has begun to leave work lying. If it goes on for long, and the pool moves, then it is busy, and not to blame.
    fn is_suspect(&self, threads: &[Identity], now: Instant, stall: Duration) -> bool {
        let mut lying = threads.iter().filter_map(|of| self.left.get(&of.pool));
        lying.any(|lying| now - lying.begun < 2 * stall)
    }

    /// Whether a pool has had work for a sleeper for so long, while no thread looked, none was woken, and nothing was taken.
    fn is_left(&mut self, pool: &Pool, now: Instant, stall: Duration) -> bool {
        let load = pool.load();
        let idle = load.asleep > 0 && load.searching == 0;
        let left = idle
            && pool.rights.any()
            && (pool.loot(1, pool.rights.in_use(0)) > 0 || pool.is_counted_on());
        let stats = pool.stats();
        let counts = left.then_some([stats.wakes, stats.parks, stats.steals, stats.jobs]);
        self.is_left_since(pool.number, counts, now) >= stall
    }

    /// For how long a pool has left work to sleepers, without a change of its counts; none, if it does not now.
    fn is_left_since(&mut self, pool: u64, counts: Option<[u64; 4]>, now: Instant) -> Duration {
        let Some(counts) = counts else {
            self.left.remove(&pool);
            return Duration::ZERO;
        };
        let lying = self.left.entry(pool).or_insert(Lying {
            counts,
            unchanged: now,
            begun: now,
        });
        if lying.counts != counts {
            (lying.counts, lying.unchanged) = (counts, now);
        }
        now - lying.unchanged
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work that is left is reported when it has been so all the time, and nothing happened meanwhile.
    #[test]
    fn work_that_is_left_to_sleepers_is_ours() {
        let (mut watch, start, ms) = (Watch::default(), Instant::now(), Duration::from_millis);
        let mut look = |counts, at| watch.is_left_since(3, counts, start + ms(at));
        assert_eq!(look(Some([1; 4]), 0), ms(0));
        assert_eq!(look(Some([1; 4]), 50), ms(50));
        // A thread was woken.
        assert_eq!(look(Some([2; 4]), 60), ms(0));
        assert_eq!(look(Some([2; 4]), 100), ms(40));
        assert_eq!(look(None, 110), ms(0));
        assert_eq!(look(Some([2; 4]), 120), ms(0));
        assert_eq!(look(Some([2; 4]), 320), ms(200));
    }

    /// A pool that moves, and has work for sleepers at each look, hides a thread that is stuck for a while only.
    #[test]
    fn a_busy_pool_is_not_under_suspicion_for_ever() {
        let (mut watch, start, ms) = (Watch::default(), Instant::now(), Duration::from_millis);
        let threads = [Identity {
            pool: 3,
            ..Identity::default()
        }];
        let mut suspect = |counts, at| {
            watch.is_left_since(3, counts, start + ms(at));
            watch.is_suspect(&threads, start + ms(at), ms(100))
        };
        assert!(suspect(Some([1; 4]), 0) && suspect(Some([2; 4]), 150));
        assert!(!suspect(Some([3; 4]), 210));
        assert!(!suspect(None, 220) && suspect(Some([4; 4]), 230));
    }

    /// An offer that is not worth a wake-up may lie there; but not if its owner counts on a thread to come, and all other threads of the pool sleep. That is what the
    /// planted bug `rely` makes of it.
    #[test]
    fn an_offer_whose_owner_counts_on_a_thread_that_sleeps_is_ours() {
        use crate::core::deque::Worth;
        use crate::core::fork::{Forked, fork};
        use crate::core::worker::Worker;
        let _alone = crate::trace::tests::alone();
        let pool = crate::ThreadPoolBuilder::new().num_threads(2).build();
        let seen = pool.unwrap().install(|| {
            let worker = Worker::current().expect("in a pool");
            let pool = worker.pool();
            while pool.load().asleep == 0 || pool.load().searching > 0 {
                std::thread::yield_now();
            }
            let is_left = || {
                let (mut watch, now, stall) =
                    (Watch::default(), Instant::now(), Duration::from_millis(1));
                watch.is_left(pool, now, stall);
                watch.is_left(pool, now + stall, stall)
            };
            worker.start_eager();
            worker.own().relies.set(false);
            let offer = || {
                let public = pool.load().public;
                let quiet = is_left();
                worker.desk().probe.offered(true);
                (public, quiet, is_left())
            };
            let (seen, back) = fork(worker, Worth::Little, (), |()| (), offer);
            assert!(matches!(back, Forked::Kept(())));
            (seen, is_left())
        });
        assert_eq!(seen, ((1, false, true), false));
    }
}
