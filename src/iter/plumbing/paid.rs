//! When a nested call that was always next to nothing is looked at all the same: when that has been paid for.
//!
//! One reading of the clock takes as long as the loop of ten items that it is to watch, so most such calls run without. What they may hide is bounded
//! by cost: after so much remembered work ([`UNREAD`]) the clock is read, before the next call begins. If all was as cheap as it should have
//! been, that was it. But a hundredth of the time that went by since the last reading may be spent on looks ([`LOOK`]). So where a call has
//! turned expensive, or something else takes long between two calls, the next one is looked at, and each that follows.

use super::grain::Grain;
use crate::core::clock;
use crate::core::worker::Worker;

/// How much remembered work goes by between two readings of the clock, in nanoseconds: about forty times what a reading takes.
const UNREAD: u64 = 400;

/// In a pool of one thread, where a look only keeps the memory fresh, the clock is read so many times less often.
const ALONE: f64 = 16.0;

/// What a call takes beside its items, in nanoseconds.
pub(super) const CALL: f64 = 10.0;

/// What a look takes, in nanoseconds.
const LOOK: u64 = 200;

/// A look may take one part in so many of the time.
const SHARE: f64 = 100.0;

/// How many looks can be saved up: few, because a short call after a long rest must not pay for the rest.
const SAVED: f64 = 2.0;

/// Whether a call that should take `cost` ticks may go by before the clock is read.
#[inline]
pub(super) fn goes_by(worker: Worker<'_>, cost: f64) -> bool {
    let unread = &worker.own().unread;
    let left = unread.get() - cost;
    if left >= 0.0 {
        unread.set(left);
    }
    left >= 0.0
}

/// Reads the clock: whether a look is paid for.
pub(super) fn is_look_paid(worker: Worker<'_>) -> bool {
    let (own, grain) = (worker.own(), Grain::get());
    let now = clock::ticks();
    let elapsed = now.saturating_sub(own.read_at.replace(now));
    let (look, saved) = (grain.ticks(LOOK), own.saved.get());
    let saved = (saved + elapsed as f64 / SHARE).min(SAVED * look);
    let paid = saved >= look;
    own.saved.set(if paid { saved - look } else { saved });
    own.unread.set(match paid {
        _ if worker.pool().num_threads() == 1 => ALONE * grain.ticks(UNREAD),
        // Before the next call: this one may turn out to be expensive.
        true => 0.0,
        false => grain.ticks(UNREAD),
    });
    paid
}

/// The loop around such calls was looked at, after so many ticks: if that pays for a look at what is inside, the next call gets one.
#[inline]
pub(super) fn after_look(worker: Worker<'_>, spent: u64, grain: Grain) {
    if spent as f64 >= SHARE * grain.ticks(LOOK) {
        worker.own().unread.set(0.0);
    }
}
