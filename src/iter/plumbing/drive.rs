//! The driver: producers are cut, blocks are folded, thieves take what was cut.
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

use super::call::{After, Call, Cut, Front, Offered, Steps, known};
use super::front::front;
use super::gauge::Block;
use super::lane::Lane;
use super::offering::{offering, offering_erased};
use super::piece::{Piece, reduce};
use super::traits::{Consumer, Folder};
use super::verdict::Verdict;
use crate::core::fork::Forked;
use crate::core::unwind::{catch, quietly, resume};
use std::cell::RefCell;

/// A fold that goes on, or its result.
///
/// ```
/// # use filch::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
/// # struct Sum;
/// # struct Sums(u64);
/// # impl Consumer<u64> for Sum {
/// #     type Folder = Sums;
/// #     type Reducer = Sum;
/// #     type Result = u64;
/// #     fn split_at(self, _: usize) -> (Sum, Sum, Sum) { (Sum, Sum, Sum) }
/// #     fn into_folder(self) -> Sums { Sums(0) }
/// #     fn full(&self) -> bool { false }
/// #     const SPLITS_LIVE: bool = true;
/// #     fn split_folder(_: &mut Sums, _: usize) -> (Sum, Sum) { (Sum, Sum) }
/// # }
/// # impl UnindexedConsumer<u64> for Sum {
/// #     fn split_off_left(&self) -> Sum { Sum }
/// #     fn to_reducer(&self) -> Sum { Sum }
/// # }
/// # impl Folder<u64> for Sums {
/// #     type Result = u64;
/// #     fn consume(self, n: u64) -> Sums { Sums(self.0 + n) }
/// #     fn complete(self) -> u64 { self.0 }
/// #     fn full(&self) -> bool { false }
/// # }
/// # impl Reducer<u64> for Sum {
/// #     fn reduce(self, left: u64, right: u64) -> u64 { left + right }
/// # }
/// use filch::iter::plumbing::{Folded, bridge_into};
/// use filch::prelude::*;
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// match bridge_into::<_, Sum>((0..100u32).into_par_iter().map(u64::from), Sum.into_folder()) {
///     Folded::Live(folder) => assert_eq!(folder.complete(), 4950), // no thread took a part
///     Folded::Closed(sum) => assert_eq!(sum, 4950),
/// }
/// ```
pub enum Folded<F, R> {
    /// It can take more items.
    Live(F),
    /// It had to be closed: another thread took its right part, and this is the result of all.
    Closed(R),
}

impl<F, R> Folded<F, R> {
    #[inline]
    pub(crate) fn finish<Item>(self) -> R
    where
        F: Folder<Item, Result = R>,
    {
        match self {
            Folded::Live(folder) => folder.complete(),
            Folded::Closed(result) => result,
        }
    }
}

/// Drives a piece whose consumer was not begun; `front` says that it was cut off what is searched from its front.
pub(super) fn drive_fresh<Pc, C>(
    lane: &Lane<'_>,
    piece: Pc,
    consumer: C,
    front: Option<Front>,
) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    // That a piece moved to another thread, or came back after one that did, shows that there is demand: if it has to be cut before it is
    // folded, then afresh.
    drive_whole(lane, piece, consumer, (lane.run.depth(), front))
}

/// As [`drive_fresh`]. `depth` bounds how often a piece of unknown weight is cut before it is folded.
fn drive_whole<Pc, C>(
    lane: &Lane<'_>,
    piece: Pc,
    consumer: C,
    (depth, front): (u32, Option<Front>),
) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if const { !Pc::LIVE || Pc::BOUNDED } && !(Pc::LIVE && is_one(&piece)) {
        return drive_cut(lane, piece, consumer, depth);
    }
    let mut call = Call::new(piece, consumer);
    call.begin();
    drive(lane, &mut call, front.map(|front| front.done));
    call.end().finish()
}

/// Whether one folder may see all items.
#[inline]
pub(super) fn is_one<Pc, C>(piece: &Pc) -> bool
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    !Pc::BOUNDED || piece.len().is_none_or(|len| len <= piece.max_len())
}

/// Drives a piece that is cut before it is folded, because its consumer cannot split a running fold, its producer cannot stop amid one, or it
/// is longer than a folder may see.
pub(super) fn drive_cut<Pc, C>(lane: &Lane<'_>, piece: Pc, consumer: C, depth: u32) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let len = piece.len();
    let forced = len.is_some_and(|len| len > piece.max_len());
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let from_right = C::DRIVES_FROM_RIGHT;
    let least = lane.least(Pc::WHOLE).max(piece.min_len());
    let wanted = match len {
        Some(len) if from_right => lane.wants_less(len, least),
        // This is the only chance to cut, whatever it costs.
        Some(len) => lane.wants_only_cut(len, least),
        None => match depth > 0 && !lane.is_deep() {
            true => lane.note_verdict(Verdict::Blind),
            false => lane.note_verdict(Verdict::TooDeep),
        }
        .is_cut(),
    };
    if let Some(len) = len
        && forced
        && !wanted
        && lane.may_fold_parts(len)
    {
        let result = fold_parts(piece, consumer);
        // Where a search may have ended it early, nobody knows how many items that time was for.
        if !C::STOPS_EARLY {
            lane.look(len);
        }
        return result;
    }
    let cut = if forced || wanted {
        if forced {
            lane.note_verdict(Verdict::MaxLen);
        }
        piece.cut(0)
    } else {
        Err(piece)
    };
    let (left, right, at) = match cut {
        Ok(parts) => parts,
        Err(whole) => {
            let mut folder = consumer.into_folder();
            C::expect(&mut folder, usize::MAX, whole.min_len());
            return lane.fold_rest::<Pc, C>(whole, folder).complete();
        }
    };
    let (left_consumer, right_consumer, reducer) = Pc::cut_consumer(consumer, at);
    let [here, offered] = lane.note_parts(|| left.len(), from_right);
    let (left, right) = ((left, left_consumer), (right, right_consumer));
    let ((piece, consumer), second) = if from_right {
        (right, left)
    } else {
        (left, right)
    };
    let depth = depth.saturating_sub(1);
    let second_len = second.0.len();
    let first = || {
        let _inside = lane.inside_cut(len.is_none());
        lane.go_to(here);
        drive_whole(lane, piece, consumer, (depth, None))
    };
    let taken =
        |lane: &Lane<'_>, (piece, consumer)| drive_fresh::<Pc, C>(lane, piece, consumer, None);
    let (first, second) = if wanted || lane.is_new() {
        offering(lane, second_len, second, taken, first)
    } else {
        match catch(first) {
            Ok(first) => (first, Forked::Kept(second)),
            Err(payload) => {
                // As if it had been on offer.
                lane.go_to(offered);
                in_spite(second, |(piece, consumer)| {
                    drive_whole(lane, piece, consumer, (depth, None));
                });
                resume(payload)
            }
        }
    };
    lane.go_to(offered);
    let second = match second {
        Forked::Kept((_, consumer)) if from_right && C::settles(&first) => {
            consumer.into_folder().complete()
        }
        Forked::Kept((piece, consumer)) => drive_whole(lane, piece, consumer, (depth, None)),
        Forked::Taken(result) => result,
    };
    if from_right {
        reduce(reducer, second, first)
    } else {
        reduce(reducer, first, second)
    }
}

/// Folds what is longer than a folder may see, each part by a folder of its own, where nobody would come for a part. The parts are those that would be
/// on offer elsewhere, and as there a panic in one keeps none of the others from running: it goes on after them.
fn fold_parts<Pc, C>(piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let waiting = RefCell::new(Vec::new());
    catch(|| fold_each(piece, consumer, &waiting)).unwrap_or_else(|payload| {
        for (piece, consumer) in waiting.into_inner() {
            in_spite((piece, consumer), |(piece, consumer)| {
                fold_parts::<Pc, C>(piece, consumer);
            });
        }
        resume(payload)
    })
}

/// Runs `run` while a panic is on its way, which counts.
#[cold]
fn in_spite<V>(value: V, run: impl FnOnce(V)) {
    let mut both = Some((value, run));
    quietly(&mut || {
        if let Some((value, run)) = both.take() {
            run(value);
        }
    });
}

/// A part that waits for its turn. If what is before it panics, it goes to the others that waited, the nearest first.
struct Waiting<'w, V> {
    part: Option<V>,
    others: &'w RefCell<Vec<V>>,
}

impl<V> Drop for Waiting<'_, V> {
    fn drop(&mut self) {
        self.others.borrow_mut().extend(self.part.take());
    }
}

/// As [`fold_parts`]; after a panic those parts are in `others` that were not begun.
fn fold_each<Pc, C>(piece: Pc, consumer: C, others: &RefCell<Vec<(Pc, C)>>) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let forced = piece.len().is_some_and(|len| len > piece.max_len());
    let cut = match forced {
        true => piece.cut(0),
        false => Err(piece),
    };
    let (left, right, at) = match cut {
        Ok(parts) => parts,
        Err(whole) => {
            let mut folder = consumer.into_folder();
            if folder.full() {
                return folder.complete();
            }
            C::expect(&mut folder, usize::MAX, whole.min_len());
            return whole.fold_all(folder).complete();
        }
    };
    let (left_consumer, right_consumer, reducer) = Pc::cut_consumer(consumer, at);
    let (left, right) = ((left, left_consumer), (right, right_consumer));
    let ((piece, consumer), second) = if C::DRIVES_FROM_RIGHT {
        (right, left)
    } else {
        (left, right)
    };
    let mut second = Waiting {
        part: Some(second),
        others,
    };
    let first = fold_each(piece, consumer, others);
    let Some((piece, consumer)) = second.part.take() else {
        unreachable!("only this call takes it")
    };
    if !C::DRIVES_FROM_RIGHT {
        return reduce(reducer, first, fold_each(piece, consumer, others));
    }
    let second = match C::settles(&first) {
        true => consumer.into_folder().complete(),
        false => fold_each(piece, consumer, others),
    };
    reduce(reducer, second, first)
}

/// Drives a fold that is under way; see the top of this file. If so many items are `done` before what is searched from its front, it is cut
/// there.
pub(super) fn drive(lane: &Lane<'_>, call: &mut dyn Steps, mut done: Option<usize>) {
    let mut halved = false;
    while let Some(mut rest) = call.rest() {
        rest.min_len = rest.min_len.max(lane.least(rest.whole));
        let wanted = match rest.whole {
            true => lane.wants_only_cut(rest.len, rest.min_len),
            false => lane.wants_cut(rest.len, rest.min_len, rest.cut_cost),
        };
        if wanted {
            let front = done.and_then(|done| front(lane, &rest, done));
            match call.cut(lane, front) {
                Cut::Kept => {
                    done = front.map(|front| front.done);
                    continue;
                }
                Cut::Closed => return,
                Cut::Whole if front.is_some() => {
                    // Nobody can tell where that is; perhaps where the middle is.
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
            false => lane.next_block(len, &mut halved),
        };
        let left = match call.some(block.items) {
            After::GoesOn(left) | After::Full(left) => left,
            After::AtEnd => return lane.after_block(block, len, Some(0)),
        };
        lane.after_block(block, len, known(left));
        done = done.map(|done| done.saturating_add(rest.len.saturating_sub(left)));
    }
}

/// Drives the first part of a cut while the second, of `len` items, is on offer. `endless` says that what was cut has no length.
pub(super) fn share(
    lane: &Lane<'_>,
    endless: bool,
    left: &mut dyn Steps,
    (len, right): (Option<usize>, &mut dyn Offered),
    front: Option<Front>,
) {
    let first = &mut || {
        let _inside = lane.inside_cut(endless);
        drive(lane, left, None);
    };
    if let Err(payload) = offering_erased(lane, len, &mut |lane| right.run(lane, front), first) {
        // What is dropped here may panic, which it must not do while this panic goes on.
        quietly(&mut || left.clear());
        quietly(&mut || right.clear());
        resume(payload);
    }
}
