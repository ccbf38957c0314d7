//! Work that was always over before anybody could help: one fold, three readings of the clock, and little else.
//!
//! What is remembered of a call site is a hint, so even such work is looked at: after its first item, and in the middle. A call whose items
//! are suddenly dear goes on in the driver from there.

use super::grain::{Grain, LINE, aligned};
use super::piece::Piece;
use super::site::Site;
use super::traits::{Consumer, Folder};
use crate::core::clock;
use crate::core::worker::Worker;

/// How far a tiny fold came.
pub(super) enum Tiny<Pc, F> {
    /// To the end.
    Done(F),
    /// Only to where it turned out dear: the last `items` took `spent` ticks.
    Dear {
        rest: Pc,
        folder: F,
        items: usize,
        spent: u64,
    },
}

/// Folds `len` items that should cost `rate` ticks each.
#[inline]
pub(super) fn fold_tiny<Pc, C>(
    worker: Worker<'_>,
    (site, rate, grain): (Site, f64, Grain),
    mut piece: Pc,
    len: usize,
    mut folder: C::Folder,
) -> Tiny<Pc, C::Folder>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
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
    for (stretch, stop) in stops.into_iter().enumerate() {
        if stop <= folded {
            continue;
        }
        let left;
        (folder, left) = piece.fold_some(folder, stop - folded);
        match left {
            Some(rest) if !folder.full() => piece = rest,
            _ => return Tiny::Done(folder),
        }
        // It need not have stopped there: a line of text weighs as many items as it has bytes.
        folded = piece.len().map_or(stop, |left| len.saturating_sub(left));
        if stretch == 1 {
            continue;
        }
        let now = clock::ticks();
        let (items, spent) = (folded - marked, now.saturating_sub(mark));
        if !grain.is_as_expected(spent, items, rate) {
            return Tiny::Dear {
                rest: piece,
                folder,
                items,
                spent,
            };
        }
        (mark, marked) = (now, folded);
        if stretch == 2 {
            let spent = now.saturating_sub(start + 2 * clock::reading());
            site.confirm(spent, folded, rate, grain);
            worker.serve();
        }
    }
    Tiny::Done(folder)
}
