//! Work that was always over before anybody could help: one fold, three readings of the clock, and little else.
//!
//! What is remembered of a call site is a hint, so even such work is looked at: after its first item, and in the middle. A call whose items
//! are suddenly dear goes on in the driver from there.

use super::grain::{Grain, LINE, aligned};
use super::site::Site;
use crate::core::clock;
use crate::core::worker::Worker;

/// The last `items` of a fold that is not over took `spent` ticks: they turned out dear.
pub(super) struct Dear {
    pub(super) items: usize,
    pub(super) spent: u64,
}

/// Folds `len` items that should cost `rate` ticks each, to the end unless they turn out dear.
///
/// `fold` folds the next so many items, and gives the length of the rest, as far as that is known; nothing if there is none, or it is not
/// wanted.
pub(super) fn fold_tiny(
    worker: Worker<'_>,
    (site, rate): (Site, f64),
    len: usize,
    fold: &mut dyn FnMut(usize) -> Option<Option<usize>>,
) -> Option<Dear> {
    let grain = Grain::get();
    let half = aligned(0, len / 2);
    // After one item the fold stands amid a line of memory; a few more, that nobody times, get it to the next.
    let stops = [
        1,
        if half > 128 * LINE { LINE } else { 1 },
        half,
        usize::MAX,
    ];
    let start = clock::ticks();
    let (mut mark, mut marked, mut folded) = (start, 0, 0);
    // After a rest the first item finds its code and data far away, and says nothing of the others.
    let mut in_doubt = false;
    for (stretch, stop) in stops.into_iter().enumerate() {
        let stop = if in_doubt { folded + 1 } else { stop };
        if stop <= folded {
            continue;
        }
        // It need not have stopped there: a line of text weighs as many items as it has bytes.
        folded = fold(stop - folded)?.map_or(stop, |left| len.saturating_sub(left));
        if stretch == 1 && !in_doubt {
            continue;
        }
        let now = clock::ticks();
        let (items, spent) = (folded - marked, now.saturating_sub(mark));
        let is_dear = !grain.is_as_expected(spent, items, rate);
        in_doubt = is_dear && stretch == 0 && grain.may_be_cold(spent);
        let is_noise = stretch == 1 && grain.is_too_little_to_tell(now.saturating_sub(start));
        if is_dear && !in_doubt && !is_noise {
            return Some(Dear { items, spent });
        }
        (mark, marked) = (now, folded);
        if stretch == 2 {
            let spent = now.saturating_sub(start + 2 * clock::reading());
            site.confirm(spent, folded, rate, grain);
            worker.serve();
        }
    }
    // A producer need not take all that it is asked for.
    Some(Dear { items: 1, spent: 0 })
}
