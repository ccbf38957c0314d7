//! Which lane the next job comes from: the most urgent one, unless a lower lane was passed over too often.

use std::sync::Mutex;

use crate::id::Lane;

/// Lets lower lanes wait for so many jobs of higher ones, and no more.
///
/// Counts jobs, not time: a lane that waits is passed over `bound` times at most, however fast or slow jobs are.
///
/// ```
/// use filch_queue::{Aging, Lane};
/// let aging = Aging::new(2);
/// let always = [true, false, true]; // high and low wait
/// let taken: Vec<_> = (0..6).filter_map(|_| aging.next(always)).collect();
/// use Lane::{High, Low};
/// assert_eq!(taken, [High, High, Low, High, High, Low]);
/// ```
#[derive(Debug)]
pub struct Aging {
    bound: u32,
    passed: Mutex<[u32; 3]>,
    /// How often since it was last asked for.
    counted: Mutex<[u64; 3]>,
}

impl Aging {
    /// Eight: a lane that waits behind full ones gets one job in nine.
    pub const DEFAULT: u32 = 8;

    /// A lane that waits is passed over this often at most.
    pub fn new(bound: u32) -> Self {
        Aging {
            bound,
            passed: Mutex::default(),
            counted: Mutex::default(),
        }
    }

    /// The lane to take a job from, given which have one. It counts as taken.
    pub fn next(&self, waiting: [bool; 3]) -> Option<Lane> {
        let mut passed = self
            .passed
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        let has = |lane: &&Lane| waiting[lane.index()];
        // The lowest first: a higher one that is due as well is not passed over by it.
        let due = Lane::ALL
            .iter()
            .rev()
            .find(|lane| has(lane) && passed[lane.index()] >= self.bound);
        let lane = *due.or_else(|| Lane::ALL.iter().find(has))?;
        for lower in &Lane::ALL[lane.index() + 1..] {
            if waiting[lower.index()] {
                passed[lower.index()] += 1;
                self.count(*lower);
            }
        }
        passed[lane.index()] = 0;
        Some(lane)
    }

    fn count(&self, lane: Lane) {
        self.counted
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())[lane.index()] += 1;
    }

    /// How often each lane was passed over since the last call.
    pub(crate) fn take_counted(&self) -> [u64; 3] {
        std::mem::take(
            &mut *self
                .counted
                .lock()
                .unwrap_or_else(|poison| poison.into_inner()),
        )
    }

    /// The lanes in the order in which to ask them, where asking is the only way to know whether a job waits. Say what came of it by [`took`](Self::took)
    /// and [`was_empty`](Self::was_empty).
    #[cfg(feature = "jetstream")]
    pub(crate) fn order(&self) -> Vec<Lane> {
        let passed = self
            .passed
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        let due = |lane: &Lane| passed[lane.index()] >= self.bound;
        let first = Lane::ALL.iter().rev().copied().filter(due);
        first
            .chain(Lane::ALL.iter().copied().filter(|lane| !due(lane)))
            .collect()
    }

    /// A job of this lane was taken. All lower lanes count as passed over, as a job may wait there.
    #[cfg(feature = "jetstream")]
    pub(crate) fn took(&self, lane: Lane) {
        let mut passed = self
            .passed
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        for lower in &Lane::ALL[lane.index() + 1..] {
            passed[lower.index()] += 1;
            self.count(*lower);
        }
        passed[lane.index()] = 0;
    }

    #[cfg(feature = "jetstream")]
    pub(crate) fn was_empty(&self, lane: Lane) {
        self.passed
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())[lane.index()] = 0;
    }
}
