//! A recording in sums: how many threads worked for how long, and what the others did meanwhile.

use super::pairs::Arrow;
use super::recording::Trace;
use super::regions::regions;
use super::spans::Span;
use super::states::{Period, ThreadState};
use super::what::What;
use crate::core::event::Kind;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// All that is computed of a recording before anything is shown.
pub(super) struct Summary {
    /// For each track: its spans, its states, and what it did for how long.
    pub(super) spans: Vec<Vec<Span>>,
    pub(super) states: Vec<Vec<Period>>,
    pub(super) seats: Vec<SeatSum>,
    pub(super) steals: Vec<Arrow>,
    /// How many threads could have worked: those of the pools in which anything ran. And how many such pools there are.
    pub(super) threads: u64,
    pub(super) pools: usize,
    /// From when on all is known, or nearly: until then some thread's events were overwritten.
    pub(super) known: u64,
    /// Ticks that threads worked, all together, from then on.
    pub(super) work: u64,
    /// For how many ticks so many threads worked, from then on.
    pub(super) working: BTreeMap<u64, u64>,
    /// For how many ticks all threads of some pool worked, from then on. What is ready to run in another pool has a thread that is free, so it runs. Only what waits for
    /// a thread of this one would be helped by more.
    pub(super) full: u64,
    /// For how many ticks only one thread worked, by the site that it was at.
    pub(super) alone: BTreeMap<Option<u32>, u64>,
    /// The regions in which each site was called.
    pub(super) regions: BTreeMap<u32, BTreeSet<u64>>,
    pub(super) histograms: [(&'static str, Times); 4],
}

/// What one thread did, in ticks and numbers.
#[derive(Default, Clone, PartialEq, Debug)]
pub(super) struct SeatSum {
    pub(super) busy: u64,
    pub(super) wait: u64,
    pub(super) search: u64,
    pub(super) sleep: u64,
    pub(super) jobs: u64,
    pub(super) steals: u64,
}

/// Times of one kind, in ticks, the shortest first.
#[derive(Default)]
pub(super) struct Times(pub(super) Vec<u64>);

impl Times {
    fn of(times: impl Iterator<Item = u64>) -> Times {
        let mut times: Vec<_> = times.collect();
        times.sort_unstable();
        Times(times)
    }

    pub(super) fn quantile(&self, percent: usize) -> u64 {
        let at = (self.0.len() * percent).div_ceil(100).max(1) - 1;
        self.0.get(at).copied().unwrap_or(0)
    }
}

impl Summary {
    pub(super) fn of(trace: &Trace) -> Summary {
        let spans: Vec<_> = trace
            .tracks
            .iter()
            .map(|track| trace.spans(track))
            .collect();
        let calls = trace.calls(&spans);
        let tracks = trace.tracks.iter().zip(&spans);
        let states: Vec<_> = tracks
            .map(|(track, spans)| trace.states(track, spans, &calls))
            .collect();
        let [steals, wakes] = trace.arrows();
        let mut seats: Vec<_> = states.iter().map(|states| SeatSum::of(states)).collect();
        for (seat, track) in seats.iter_mut().zip(&trace.tracks) {
            let count = |kind| track.events.iter().filter(|e| e.kind == kind).count() as u64;
            (seat.jobs, seat.steals) = (count(Kind::Run), count(Kind::Take));
        }
        let known = known(trace);
        let pools = pools(trace, &seats);
        let Profile {
            working,
            alone,
            full,
        } = profile(trace, &states, &pools, known..trace.ticks);
        let spans_of = |is: fn(&What) -> bool| {
            let all = spans.iter().flatten().filter(move |span| is(&span.what));
            Times::of(all.map(Span::ticks))
        };
        let latency = |arrows: &[Arrow]| {
            let times = arrows
                .iter()
                .map(|arrow| arrow.to.1.saturating_sub(arrow.from.1));
            Times::of(times)
        };
        Summary {
            histograms: [
                ("Calls", spans_of(|what| matches!(what, What::Call { .. }))),
                (
                    "Blocks folded without a pause",
                    spans_of(|what| matches!(what, What::Blocks { .. })),
                ),
                ("From offer to steal", latency(&steals)),
                ("From call to wake-up", latency(&wakes)),
            ],
            threads: pools.values().copied().fold(0, u64::saturating_add),
            pools: pools.len(),
            work: working
                .iter()
                .map(|(&threads, &ticks)| threads.saturating_mul(ticks))
                .fold(0, u64::saturating_add),
            known,
            regions: regions(trace, &spans),
            spans,
            states,
            seats,
            steals,
            working,
            full,
            alone,
        }
    }
}

impl SeatSum {
    fn of(states: &[Period]) -> SeatSum {
        let mut sum = SeatSum::default();
        for period in states {
            *match period.state {
                ThreadState::Busy(_) => &mut sum.busy,
                ThreadState::Wait => &mut sum.wait,
                ThreadState::Search => &mut sum.search,
                ThreadState::Sleep => &mut sum.sleep,
            } += period.ticks();
        }
        sum
    }
}

/// From when on all is known, or nearly all: a twentieth of the time of the threads does not matter.
fn known(trace: &Trace) -> u64 {
    let known = trace.tracks.iter().map(|track| trace.known(track));
    let unknown = known.clone().fold(0, u64::saturating_add);
    match unknown.saturating_mul(20) <= trace.ticks.saturating_mul(trace.tracks.len() as u64) {
        true => 0,
        false => known.max().unwrap_or(0).min(trace.ticks),
    }
}

/// How many threads each pool has in which anything ran, by the pool's number.
fn pools(trace: &Trace, seats: &[SeatSum]) -> BTreeMap<u64, u64> {
    let tracks = trace.tracks.iter().zip(seats);
    let busy = tracks
        .filter(|(_, seat)| seat.busy > 0)
        .map(|(track, _)| track.of.pool);
    let of = |pool: u64| {
        let known = trace.pools.iter().find(|of| of.number == pool);
        // Of a pool that is gone, the threads that did anything.
        let seen = || {
            let workers = trace.tracks.iter().filter(|track| track.of.pool == pool);
            workers
                .filter_map(|track| track.of.worker)
                .max()
                .map_or(1, |worker| worker.saturating_add(1))
        };
        known.map_or_else(seen, |of| of.threads)
    };
    busy.map(|pool| (pool, of(pool))).collect()
}

/// How many threads worked at a time, and at what.
#[derive(Default)]
struct Profile {
    working: BTreeMap<u64, u64>,
    alone: BTreeMap<Option<u32>, u64>,
    full: u64,
}

/// For how many ticks so many threads worked, what the only one was at, and for how many a pool had no thread left. `pools` are those in which anything ran, with
/// their threads.
fn profile(
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
