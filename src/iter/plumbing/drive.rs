//! The driver: producers are cut, blocks are folded, thieves take what was cut.
//!
//! ```text
//! drive(piece, folder):
//!   loop
//!     if the rest is worth it (`Lane::wants_cut`):
//!        split the rest in half, with a consumer for the right half split off the live folder
//!        fork(right half, left = drive(left half, folder)):
//!           kept:   the folder goes on into the right half; no reduction, no new folder
//!           taken:  reduce the two results; done
//!     fold a block; look at the clock, at the thieves' requests, and whether the folder is full
//! ```
//!
//! So without thieves the whole input is one sequential fold with one folder, and a running fold can be cut at any look. A new folder is
//! born only when a thread takes a piece, or where `with_max_len` or a foreign consumer demands that pieces are cut before they are folded.

use super::lane::Lane;
use super::piece::{Piece, reduce};
use super::traits::{Consumer, Folder};
use crate::core::fork::{Forked, fork};

/// A fold that goes on, or its result.
pub enum Folded<F, R> {
    /// It can take more items.
    Live(F),
    /// It had to be closed: another thread took its right part, and this is the result of all.
    Closed(R),
}

impl<F, R> Folded<F, R> {
    #[inline]
    pub(super) fn finish<Item>(self) -> R
    where
        F: Folder<Item, Result = R>,
    {
        match self {
            Folded::Live(folder) => folder.complete(),
            Folded::Closed(result) => result,
        }
    }
}

/// Drives a piece whose consumer was not begun. `depth` bounds how often a piece of unknown weight is cut before it is folded.
pub(super) fn drive_whole<Pc, C>(lane: &Lane<'_>, piece: Pc, consumer: C, depth: u32) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if const { Pc::LIVE && !Pc::BOUNDED } {
        return drive_live(lane, piece, consumer);
    }
    drive_cut(lane, piece, consumer, depth)
}

/// Drives a piece that can be cut while it is folded.
#[inline]
fn drive_live<Pc, C>(lane: &Lane<'_>, piece: Pc, consumer: C) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let folder = begin::<Pc, C>(&piece, consumer);
    drive::<Pc, C>(lane, piece, folder).finish()
}

/// A folder for a piece that can be cut while it is folded.
#[inline]
pub(super) fn begin<Pc, C>(piece: &Pc, consumer: C) -> C::Folder
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let mut folder = consumer.into_folder();
    let upper = piece.len().unwrap_or(usize::MAX);
    C::expect(&mut folder, upper, piece.min_len());
    folder
}

/// Drives a piece that is cut before it is folded, because its consumer cannot split a running fold, its producer cannot stop amid one, or it
/// is longer than a folder may see.
fn drive_cut<Pc, C>(lane: &Lane<'_>, piece: Pc, consumer: C, depth: u32) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let len = piece.len();
    let forced = len.is_some_and(|len| len > piece.max_len());
    if const { Pc::LIVE } && !forced {
        return drive_live(lane, piece, consumer);
    }
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    let from_right = C::DRIVES_FROM_RIGHT;
    let wanted = match len {
        Some(len) if from_right => lane.wants_less(len, piece.min_len()),
        // This is the only chance to cut, whatever it costs.
        Some(len) => lane.wants_cut(len, piece.min_len(), 0),
        None => depth > 0 && !lane.is_deep(),
    };
    let cut = if forced || wanted {
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
    let (left, right) = ((left, left_consumer), (right, right_consumer));
    let ((piece, consumer), second) = if from_right {
        (right, left)
    } else {
        (left, right)
    };
    let depth = depth.saturating_sub(1);
    let first = || lane.inside_cut(len, || drive_whole(lane, piece, consumer, depth));
    let (first, second) = drive_both(lane, second, first);
    let second = match second {
        Forked::Kept((_, consumer)) if from_right && C::settles(&first) => {
            consumer.into_folder().complete()
        }
        Forked::Kept((piece, consumer)) => drive_whole(lane, piece, consumer, depth),
        Forked::Taken(result) => result,
    };
    if from_right {
        reduce(reducer, second, first)
    } else {
        reduce(reducer, first, second)
    }
}

/// Drives a piece into a live folder; see the top of this file.
pub(super) fn drive<Pc, C>(
    lane: &Lane<'_>,
    mut piece: Pc,
    mut folder: C::Folder,
) -> Folded<C::Folder, C::Result>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let mut halved = false;
    loop {
        if folder.full() {
            return Folded::Live(folder);
        }
        let len = countable(piece.len());
        let rest = len.unwrap_or(usize::MAX);
        if lane.wants_cut(rest, piece.min_len(), piece.cut_cost()) {
            match piece.cut(lane.folded.get()) {
                Ok((left, right, at)) => {
                    let (right_consumer, reducer) = C::split_folder(&mut folder, at);
                    let right = (right, right_consumer);
                    let left = || lane.inside_cut(len, || drive::<Pc, C>(lane, left, folder));
                    match drive_both(lane, right, left) {
                        (Folded::Live(left), Forked::Kept((right, consumer))) => {
                            (piece, folder) = (right, left);
                            C::rejoin_folder(&mut folder, consumer);
                            continue;
                        }
                        // Only if a younger offer was taken and this one handed back: the older is stolen first.
                        (Folded::Closed(left), Forked::Kept((right, consumer))) => {
                            let right = drive_whole(lane, right, consumer, lane.run.depth());
                            return Folded::Closed(reduce(reducer, left, right));
                        }
                        (left, Forked::Taken(right)) => {
                            return Folded::Closed(reduce(reducer, left.finish(), right));
                        }
                    }
                }
                Err(whole) => piece = whole,
            }
        }
        let block = lane.next_block(len, &mut halved);
        let left;
        (folder, left) = piece.fold_some(folder, block.items);
        lane.after_block(block, len, left.as_ref().map_or(Some(0), Pc::len));
        match left {
            Some(left) => piece = left,
            None => return Folded::Live(folder),
        }
    }
}

/// A length; not that of what has too many items to count them.
#[inline]
fn countable(len: Option<usize>) -> Option<usize> {
    len.filter(|&len| len < usize::MAX)
}

/// Offers the second piece, and drives the first.
#[inline(never)]
#[allow(clippy::type_complexity)]
fn drive_both<Pc, C, R>(
    lane: &Lane<'_>,
    second: (Pc, C),
    first: impl FnOnce() -> R,
) -> (R, Forked<(Pc, C), C::Result>)
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let len = second.0.len();
    lane.offer(len);
    let run = lane.run;
    let rates = lane.rates(len);
    let (first, second) = fork(
        lane.worker,
        false,
        second,
        move |(piece, consumer)| {
            // A piece that moved to another thread shows that there is demand: if it has to be cut whole, then afresh.
            Lane::taken(run, rates, |lane| {
                drive_whole(lane, piece, consumer, run.depth())
            })
        },
        first,
    );
    lane.after_fork(matches!(second, Forked::Taken(_)));
    (first, second)
}
