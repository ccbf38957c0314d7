//! Driving from the front, for ends to which what lies behind a hit is needless: a thread that looks for work gets what comes next.
//!
//! Halves send it to the middle, where all it does is waste if the hit comes before. So a stretch is cut off in front, the rest is offered,
//! and whoever takes the rest does the same with it: the threads leapfrog. The stretches grow with what is before them, so that there are
//! few, and nobody begins further back than some two or three times as far as the front.
//!
//! Nobody waits between two stretches. With rounds, shared one after the other, all wait at the end of each for the slowest, which may have
//! lost its processor.

use super::call::{Front, Rest};
use super::lane::Lane;

/// The shortest stretch, in nanoseconds: to take what follows it should cost little beside.
const STRETCH: u64 = 100_000;

/// The first stretch where nothing is known of the cost, in items.
const SAMPLE: usize = 64;

/// Where to cut a rest with so many items `done` before it: after the next stretch; in the middle, which is `None`, if that comes first.
pub(super) fn front(lane: &Lane<'_>, rest: &Rest, done: usize) -> Option<Front> {
    if lane.told {
        // What the clock says must not have a part in what a script leads to.
        return None;
    }
    let at = stretch(lane, done).max(rest.min_len);
    let done = done.saturating_add(at);
    (rest.len / 2 >= at).then_some(Front { at, done })
}

/// How many items the next stretch has, after `done` ones: a thread's share of as many again.
fn stretch(lane: &Lane<'_>, done: usize) -> usize {
    let run = lane.run;
    let least = match lane.best_rate() {
        0.0 => SAMPLE,
        rate => (run.grain.ticks(STRETCH) / rate) as usize,
    };
    least.max(done / run.threads)
}
