//! Folds one half of a cut while the other half is on offer to other threads.

use super::force::offer;
use super::lane::Lane;
use crate::core::fork::Forked;
use crate::core::unwind::{Payload, catch};

/// Runs `first` while `second`, of `len` items, is on offer. A thread that takes it calls `run` with it, on a lane of its own.
#[inline]
pub(super) fn offering<V, L, R>(
    lane: &Lane<'_>,
    len: Option<usize>,
    second: V,
    run: impl FnOnce(&Lane<'_>, V) -> R + Send,
    first: impl FnOnce() -> L,
) -> (L, Forked<V, R>)
where
    V: Send,
    R: Send,
{
    let worth = lane.offer(len);
    let (call, rates, at) = (lane.call, lane.rates(len), lane.offered_at());
    let taken = move |second| {
        let lane = Lane::enter(call, (len, at), rates);
        let result = run(&lane, second);
        lane.leave();
        result
    };
    let shows = lane.shows_offer.replace(false);
    let first = || {
        if shows {
            // A thread that takes it learns how little else is left.
            lane.show();
            lane.worker.publish_all();
        }
        let result = first();
        // What follows may be a wait.
        lane.note_rest();
        result
    };
    let (first, second) = offer((lane.worker, lane.forced), worth, second, taken, first);
    lane.after_fork(matches!(second, Forked::Taken(_)));
    (first, second)
}

/// As [`offering`], compiled once: the closures keep their own results. A panic is returned.
pub(super) fn offering_erased(
    lane: &Lane<'_>,
    len: Option<usize>,
    second: &mut (dyn FnMut(&Lane<'_>) + Send),
    first: &mut dyn FnMut(),
) -> Result<(), Payload> {
    catch(|| {
        offering(lane, len, second, |lane, second| second(lane), first);
    })
}
