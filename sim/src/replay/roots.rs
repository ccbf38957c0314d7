//! A whole recording as the steps of one caller: what it called one after the other, and serial code between.

use super::Seen;
use super::density::{Work, remembered, whole};
use super::forks::{Forks, Place};
use super::nest::Thread;
use super::recording::Trace;
use super::strands::Strand;
use super::what::What;
use crate::work::Step;
use std::sync::Arc;

/// What nothing else in a recording began, from when until when.
struct Root {
    from: u64,
    to: u64,
    steps: Vec<Step>,
}

/// The steps of a recorded program, and what was seen of it.
pub(super) fn steps(trace: &Trace) -> (Vec<Step>, Seen) {
    let threads: Vec<_> = trace
        .tracks
        .iter()
        .map(|track| Thread::of(trace, track))
        .collect();
    let forks = Forks::of(trace, &threads);
    let work = Work {
        threads: &threads,
        forks: &forks,
        remembered: remembered(trace),
        whole: whole(trace),
        per_ns: 1.0 / trace.ns(1),
    };
    let mut seen = Seen {
        elapsed: work.ns(trace.ticks),
        kept: forks.kept,
        ..Seen::default()
    };
    let mut roots: Vec<Root> = Vec::new();
    for (track, thread) in threads.iter().enumerate() {
        // Threads outside of pools have regions there, and no work.
        if trace.tracks[track].of.desk == 0 {
            continue;
        }
        for at in 0..thread.nodes.len() {
            if is_root(&work, (track, at)) {
                let node = &thread.nodes[at];
                roots.push(Root {
                    from: node.from,
                    to: node.to,
                    steps: work.steps((track, at), &mut seen),
                });
            }
        }
    }
    roots.sort_by_key(|root| root.from);
    let (mut steps, mut now) = (Vec::new(), 0);
    let mut rest = roots.into_iter().peekable();
    while let Some(first) = rest.next() {
        let serial = work.ns(first.from.saturating_sub(now));
        seen.serial += serial;
        Strand::put(&mut steps, Step::Serial(serial));
        let (mut end, mut beside) = (first.to, vec![first.steps]);
        while let Some(next) = rest.next_if(|next| next.from < end) {
            end = end.max(next.to);
            beside.push(next.steps);
        }
        for step in at_once(beside, &mut seen) {
            Strand::put(&mut steps, step);
        }
        now = end;
    }
    let serial = work.ns(trace.ticks.saturating_sub(now));
    seen.serial += serial;
    Strand::put(&mut steps, Step::Serial(serial));
    (steps, seen)
}

/// Whether nothing else that was seen began it.
fn is_root(work: &Work<'_>, of: Place) -> bool {
    let node = work.node(of);
    match node.what {
        What::Visit => true,
        What::Job(_) => {
            !work.forks.at_home.contains(&of) && work.threads[of.0].part_of(of.1).is_none()
        }
        What::Call { .. } | What::Region(_) => node.around.is_none(),
        _ => false,
    }
}

/// What overlapped may do so again.
fn at_once(mut all: Vec<Vec<Step>>, seen: &mut Seen) -> Vec<Step> {
    all.retain(|steps| !steps.is_empty());
    if all.len() < 2 {
        return all.pop().unwrap_or_default();
    }
    seen.forks += 1;
    let right = all.split_off(all.len() / 2);
    let sides = [at_once(all, seen), at_once(right, seen)];
    vec![Step::Fork(Arc::new(sides))]
}
