//! The driver: it cuts producers, offers the right halves to other threads, and folds the rest in blocks.
//!
//! ```text
//! drive(fold):
//!   loop
//!     if the rest is worth it (`Lane::wants_cut`):
//!        cut it in half, with a consumer for the right half split off the live folder
//!        while the right half is on offer, drive the left half with the same folder:
//!           kept:   the fold goes on into the right half; no reduction, no new folder
//!           taken:  reduce the two results; done
//!     fold a block; look at the clock, at the thieves' requests, and whether the folder is full
//! ```
//!
//! So without thieves the whole input is one sequential fold with one folder, and a running fold can be cut at any look. A new folder is
//! born only when a thread takes a piece, or where `with_max_len` or a foreign consumer demands that pieces are cut before they are folded.

use super::force::is_taken;
use super::front::front;
use super::gauge::Block;
use super::lane::Lane;
use super::offering::offering_erased;
use super::steps::{After, Cut, Front, Offered, Steps, known};
use crate::core::unwind::{quietly, resume};

/// Drives a fold that is under way; see the top of this file. If so many items are `done` before what is searched from its front, it is cut
/// there.
pub(super) fn drive(lane: &Lane<'_>, fold: &mut dyn Steps, mut done: Option<usize>) {
    let mut looked = false;
    while let Some(mut rest) = fold.rest() {
        rest.min_len = rest.min_len.max(lane.least(rest.whole));
        let wanted = match rest.whole {
            true => lane.wants_only_cut(rest.len, rest.min_len),
            false => lane.wants_cut(rest.len, rest.min_len, rest.cut_cost),
        };
        if wanted {
            let front = done.and_then(|done| front(lane, &rest, done));
            match fold.cut(lane, front) {
                Cut::Kept => {
                    done = front.map(|front| front.done);
                    continue;
                }
                Cut::Closed => return,
                Cut::Whole if front.is_some() => {
                    // Where that is cannot be told; perhaps where the middle is.
                    done = None;
                    continue;
                }
                Cut::Whole => (),
            }
        }
        let len = known(rest.len);
        let block = match rest.whole {
            true => Block {
                items: rest.len,
                look: true,
            },
            false => lane.next_block(len, &mut looked),
        };
        let left = match fold.fold_some(block.items) {
            After::GoesOn(left) | After::Full(left) => left,
            After::AtEnd => return lane.after_block(block, len, Some(0)),
        };
        lane.after_block(block, len, known(left));
        done = done.map(|done| done.saturating_add(rest.len.saturating_sub(left)));
    }
}

/// Drives the first part of a cut while the second, of `len` items, is on offer. `endless` says that what was cut has no length.
pub(super) fn drive_while_offering(
    lane: &Lane<'_>,
    endless: bool,
    left: &mut dyn Steps,
    (len, right): (Option<usize>, &mut dyn Offered),
    front: Option<Front>,
) {
    let first = &mut || {
        let _inside = lane.inside_cut(endless);
        drive(lane, left, None);
        // What the first part came to is not to wait for the second, which may wait for it, or be needless by it.
        if is_taken(lane.worker) {
            lane.show();
            left.complete();
        }
    };
    if let Err(payload) = offering_erased(lane, len, &mut |lane| right.run(lane, front), first) {
        // What is dropped here may panic, which it must not do while this panic goes on.
        quietly(&mut || left.clear());
        quietly(&mut || right.clear());
        resume(payload);
    }
}
