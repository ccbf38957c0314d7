//! A recorded call as a loop: what its items cost, by their places.

use super::forks::{Forks, Place};
use super::nest::{Node, Thread};
use super::recording::{SiteRow, Trace};
use super::what::What;
use crate::core::event::Kind;
use crate::core::row::columns::{CUTS, REASONS};
use crate::core::slots::Event;
use crate::work::Loop;
use filch::trace::Reason;
use std::collections::{BTreeMap, BTreeSet};

/// All that was recorded, seen as work.
pub(super) struct Work<'a> {
    pub(super) threads: &'a [Thread],
    pub(super) forks: &'a Forks,
    /// What was remembered of an item's cost when a call began, in nanoseconds.
    pub(super) remembered: BTreeMap<u64, f32>,
    /// Sites of which no call was cut, because its parts would have been shorter than they may be.
    pub(super) whole: BTreeSet<u32>,
    /// Ticks for a nanosecond.
    pub(super) per_ns: f64,
}

/// What was remembered when each call began.
pub(super) fn remembered(trace: &Trace) -> BTreeMap<u64, f32> {
    let events = trace.tracks.iter().flat_map(|track| &track.events);
    let calls = events.filter(|event| event.kind == Kind::Call);
    let prior = |event: &Event| f32::from_bits((event.number >> 32) as u32);
    calls.map(|event| (event.more[1], prior(event))).collect()
}

/// What was folded of a call.
#[derive(Default)]
struct Folded {
    /// The first item (`u64::MAX` if unknown), the time, how many items, and the ticks.
    blocks: Vec<(u64, u64, u64, u64)>,
    /// Ticks inside the call that belong to items, but to no block.
    beside: u64,
    /// Ticks of the call and its parts that belong to no item.
    left_out: u64,
    nested: usize,
}

/// A call as a loop.
pub(super) struct Call {
    pub(super) items: Loop,
    pub(super) nested: usize,
    /// In ticks.
    pub(super) left_out: u64,
}

/// See [`Work::whole`].
pub(super) fn whole(trace: &Trace) -> BTreeSet<u32> {
    let refused = |site: &&SiteRow| {
        let mut reasons = site.row.0[REASONS..].iter().enumerate();
        let least = Reason::MinLen as usize;
        site.row.0[CUTS] == 0 && reasons.all(|(reason, &count)| (count > 0) == (reason == least))
    };
    trace
        .sites
        .iter()
        .filter(refused)
        .map(|site| site.key)
        .collect()
}

impl Work<'_> {
    pub(super) fn node(&self, (track, at): Place) -> &Node {
        &self.threads[track].nodes[at]
    }

    pub(super) fn ns(&self, ticks: u64) -> u64 {
        (ticks as f64 / self.per_ns).round() as u64
    }

    /// The ticks that all threads spent on a node, without waits; also on what was offered inside of it, and taken. And how many calls there are in that.
    fn whole(&self, of: Place) -> (u64, usize) {
        let node = self.node(of);
        let (mut ticks, mut calls) = (node.ticks(), 0);
        let mut jobs: Vec<Place> = self.forks.inside(of).iter().map(|f| f.job).collect();
        if let What::Call { call, .. } = node.what {
            calls += 1;
            jobs.extend(self.forks.parts_of(call));
        }
        for &inner in &node.inside {
            let inner = (of.0, inner);
            ticks = ticks.saturating_sub(self.node(inner).ticks());
            if !self.node(inner).is_apart() {
                jobs.push(inner);
            }
        }
        for job in jobs {
            let (more, nested) = self.whole(job);
            ticks += more;
            calls += nested;
        }
        (ticks, calls)
    }

    /// The call of a node that no other call is around.
    pub(super) fn call(&self, of: Place) -> Call {
        let (mut folded, mut remembered) = (Folded::default(), None);
        self.collect(of, &mut folded);
        if let What::Call { call, .. } = self.node(of).what {
            remembered = self.remembered.get(&call).copied();
            for &(track, job) in self.forks.parts_of(call) {
                for &inner in &self.threads[track].nodes[job].inside {
                    if !self.node((track, inner)).is_apart() {
                        self.collect((track, inner), &mut folded);
                    }
                }
            }
        }
        folded.blocks.sort_unstable();
        let all: u64 = folded.blocks.iter().map(|block| block.3).sum();
        // What lies beside the blocks, in proportion.
        let share = (all + folded.beside) as f64 / all.max(1) as f64;
        let runs = folded.blocks.iter().map(|&(_, _, items, ticks)| {
            let ns = ticks as f64 * share / self.per_ns;
            (items as usize, ns.round() as u64)
        });
        Call {
            items: Loop::of_runs(runs, remembered.unwrap_or_default().into()),
            nested: folded.nested,
            left_out: folded.left_out,
        }
    }

    /// What was folded in a call, a part of one, or a region in there, on one thread.
    fn collect(&self, of: Place, folded: &mut Folded) {
        let node = self.node(of);
        let mut own = node.ticks();
        for fork in self.forks.inside(of) {
            let (ticks, calls) = self.whole(fork.job);
            folded.beside += ticks;
            folded.nested += calls;
        }
        for &inner in &node.inside {
            let inner = (of.0, inner);
            let node = self.node(inner);
            own = own.saturating_sub(node.ticks());
            match node.what {
                What::Blocks { items, at } => {
                    let (ticks, calls) = self.whole(inner);
                    folded.blocks.push((at, node.from, items, ticks));
                    folded.nested += calls;
                }
                What::Region(_) => self.collect(inner, folded),
                _ if node.is_apart() => {}
                _ => {
                    let (ticks, calls) = self.whole(inner);
                    folded.beside += ticks;
                    folded.nested += calls;
                }
            }
        }
        folded.left_out += own;
    }
}
