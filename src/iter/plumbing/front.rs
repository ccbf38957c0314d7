//! Driving from the front, for ends where a hit makes all items behind it unnecessary: a thread that looks for work gets the items that come
//! next.
//!
//! A cut in the middle would send the thread there, and its work would be wasted if the hit is before that. So a stretch is cut off at the
//! front, and the rest is offered. The thread that takes the rest does the same with it. So the threads overtake each other, stretch by
//! stretch. The stretches grow with the number of items before them. So there are few, and no thread begins more than about two or three
//! times as far back as the front.
//!
//! No thread waits between two stretches. (With rounds that are shared one after the other, all threads would wait at the end of each round
//! for the slowest, which may have lost its processor.)

use super::lane::Lane;
use super::steps::{Front, Rest};

/// The shortest stretch, in nanoseconds: long enough that to take the rest costs little in comparison.
const STRETCH: u64 = 100_000;

/// The first stretch if the cost is unknown, in items.
const SAMPLE: usize = 64;

/// Where to cut the rest, with `done` items before it: after the next stretch, or in the middle (`None`) if that comes first.
pub(super) fn front(lane: &Lane<'_>, rest: &Rest, done: usize) -> Option<Front> {
    if lane.forced {
        // The clock must have no influence on the cuts of a test's script.
        return None;
    }
    let at = stretch(lane, done).max(rest.min_len);
    let done = done.saturating_add(at);
    (rest.len / 2 >= at).then_some(Front { at, done })
}

/// How many items the next stretch has, after `done` items: one thread's share of as many again.
fn stretch(lane: &Lane<'_>, done: usize) -> usize {
    let call = lane.call;
    let least = match lane.gauge.best_rate() {
        0.0 => SAMPLE,
        rate => (call.grain.ticks(STRETCH) / rate) as usize,
    };
    least.max(done / call.threads)
}
