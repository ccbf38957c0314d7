//! How many threads worked at a time, and at what.

use super::recording::Trace;
use super::states::{Period, ThreadState};
use std::collections::BTreeMap;
use std::ops::Range;

/// Of some time of a recording: how many threads worked at once, and what a thread that worked alone was at.
#[derive(Default)]
pub(super) struct Profile {
    /// For how many ticks so many threads worked.
    pub(super) working: BTreeMap<u64, u64>,
    /// For how many ticks only one worked, by the site that it was at.
    pub(super) alone: BTreeMap<Option<u32>, u64>,
    /// For how many ticks some pool had no thread left.
    pub(super) full: u64,
}

impl Profile {
    /// The profile of `time`. `pools` are those in which anything ran, with the numbers of their threads.
    pub(super) fn of(
        trace: &Trace,
        states: &[Vec<Period>],
        pools: &BTreeMap<u64, u64>,
        time: Range<u64>,
    ) -> Profile {
        let mut changes: Vec<(u64, bool, u64, Option<u32>)> = Vec::new();
        for (track, states) in trace.tracks.iter().zip(states) {
            for period in states {
                let [from, to] = [period.from, period.to].map(|at| at.clamp(time.start, time.end));
                if let ThreadState::Busy(site) = period.state
                    && from < to
                {
                    let pool = track.of.pool;
                    changes.extend([(from, true, pool, site), (to, false, pool, site)]);
                }
            }
        }
        changes.sort_unstable();
        let mut profile = Profile::default();
        // At what the threads are that work, and how many of each pool do.
        let mut now: BTreeMap<Option<u32>, u64> = BTreeMap::new();
        let mut busy: BTreeMap<u64, u64> = BTreeMap::new();
        let mut full = 0;
        let mut last = time.start;
        let end = (time.end, true, 0, None);
        for (at, begins, pool, site) in changes.into_iter().chain([end]) {
            let ticks = at.saturating_sub(last);
            let count: u64 = now.values().sum();
            *profile.working.entry(count).or_default() += ticks;
            if count == 1 {
                let site = now.keys().next().copied().flatten();
                *profile.alone.entry(site).or_default() += ticks;
            }
            if full > 0 {
                profile.full += ticks;
            }
            last = last.max(at);
            let most = pools.get(&pool).copied().unwrap_or(1).max(1);
            let of_pool = busy.entry(pool).or_default();
            if begins {
                *now.entry(site).or_default() += 1;
                *of_pool += 1;
                full += u64::from(*of_pool == most);
            } else {
                full -= u64::from(*of_pool == most);
                *of_pool -= 1;
                if let Some(count) = now.get_mut(&site) {
                    *count -= 1;
                    if *count == 0 {
                        now.remove(&site);
                    }
                }
            }
        }
        profile
    }
}
