//! A recording in sums: how many threads worked for how long, and what the others did meanwhile.

use super::pairs::Arrow;
use super::profile::Profile;
use super::quantile::Times;
use super::recording::Trace;
use super::regions::regions;
use super::spans::Span;
use super::states::{Period, ThreadState};
use super::what::What;
use crate::core::event::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// All that is computed of a recording before anything is shown.
pub(super) struct Summary {
    /// For each track: its spans, its states, and what it did for how long.
    pub(super) spans: Vec<Vec<Span>>,
    pub(super) states: Vec<Vec<Period>>,
    pub(super) sums: Vec<ThreadSum>,
    pub(super) steals: Vec<Arrow>,
    /// How many threads could have worked: those of the pools in which anything ran. And how many such pools there are.
    pub(super) threads: u64,
    pub(super) pools: usize,
    /// From when on all is known, or nearly: until then some thread's events were overwritten. And for how many ticks from then on.
    pub(super) known: u64,
    pub(super) elapsed: u64,
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
pub(super) struct ThreadSum {
    pub(super) busy: u64,
    pub(super) wait: u64,
    pub(super) search: u64,
    pub(super) sleep: u64,
    pub(super) jobs: u64,
    pub(super) steals: u64,
}

impl Summary {
    pub(super) fn of(trace: &Trace) -> Summary {
        let spans = trace.all_spans();
        let calls = trace.calls(&spans);
        let tracks = trace.tracks.iter().zip(&spans);
        let states: Vec<_> = tracks
            .map(|(track, spans)| trace.states(track, spans, &calls))
            .collect();
        let [steals, wakes] = trace.arrows();
        let mut sums: Vec<_> = states.iter().map(|states| ThreadSum::of(states)).collect();
        for (sum, track) in sums.iter_mut().zip(&trace.tracks) {
            let count = |kind| track.events.iter().filter(|e| e.kind == kind).count() as u64;
            (sum.jobs, sum.steals) = (count(Kind::Run), count(Kind::Take));
        }
        let known = known(trace);
        let pools = pools(trace, &sums);
        let Profile {
            working,
            alone,
            full,
        } = Profile::of(trace, &states, &pools, known..trace.ticks);
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
            elapsed: trace.ticks.saturating_sub(known),
            regions: regions(trace, &spans),
            spans,
            states,
            sums,
            steals,
            working,
            full,
            alone,
        }
    }
}

impl Summary {
    /// For how many ticks every pool had a thread that did not work: more of them would not make these fewer, if work is never left lying while a thread is free.
    pub(super) fn spare(&self) -> u64 {
        self.elapsed.saturating_sub(self.full)
    }

    /// For how many ticks so many threads worked.
    pub(super) fn worked(&self, threads: u64) -> u64 {
        self.working.get(&threads).copied().unwrap_or(0)
    }
}

impl ThreadSum {
    fn of(states: &[Period]) -> ThreadSum {
        let mut sum = ThreadSum::default();
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
fn pools(trace: &Trace, sums: &[ThreadSum]) -> BTreeMap<u64, u64> {
    let tracks = trace.tracks.iter().zip(sums);
    let busy = tracks
        .filter(|(_, sum)| sum.busy > 0)
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
