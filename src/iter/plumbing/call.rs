//! A fold and what it has left, behind interfaces that do not depend on the types: so the driver is compiled once, and each chain adds only
//! what it does with its own items.

use super::drive::{Folded, drive_cut, drive_fresh, share};
use super::lane::Lane;
use super::piece::{Piece, reduce};
use super::traits::{Consumer, Folder};

/// What the driver does with a fold.
pub(super) trait Steps {
    /// Begins the fold.
    fn begin(&mut self);

    /// What is left, if that is anything. What nobody wants any more is dropped.
    fn rest(&mut self) -> Option<Rest>;

    /// Folds about `n` items more.
    fn some(&mut self, n: usize) -> After;

    /// Cuts what is left in two, after `front` items or in the middle, and drives the first part while the second is on offer.
    fn cut(&mut self, lane: &Lane<'_>, front: Option<Front>) -> Cut;

    /// Drives what has to be cut before it is folded.
    fn whole(&mut self, lane: &Lane<'_>);

    /// Ends the fold: what there is is the result.
    fn complete(&mut self);

    /// Drops all there is.
    fn clear(&mut self);
}

/// What is left of a fold.
pub(super) struct Rest {
    /// How many items, at most; [`UNKNOWN`] if nobody knows, or they cannot be counted.
    pub(super) len: usize,
    /// The fewest that a part should have.
    pub(super) min_len: usize,
    /// What an item costs more after a cut, in nanoseconds.
    pub(super) cut_cost: u32,
    /// What is not cut is folded in one go.
    pub(super) whole: bool,
}

/// The length of what has too many items to count them, or who knows how many.
pub(super) const UNKNOWN: usize = usize::MAX;

/// A length, if it is one.
#[inline]
pub(super) fn known(len: usize) -> Option<usize> {
    (len != UNKNOWN).then_some(len)
}

/// How a fold stands after some items. With how many are left, at most, or [`UNKNOWN`].
pub(super) enum After {
    /// There are more items, and they are wanted.
    GoesOn(usize),
    /// Nothing is wanted any more.
    Full(usize),
    /// Nothing is left.
    AtEnd,
}

/// What became of a cut.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    /// It cannot be cut.
    Whole,
    /// The first part is folded, the second one came back, and is left.
    Kept,
    /// The fold is closed, and there is a result.
    Closed,
}

/// Where what is searched from its front is cut.
#[derive(Clone, Copy)]
pub(super) struct Front {
    /// After so many items.
    pub(super) at: usize,
    /// How many there are before what comes then.
    pub(super) done: usize,
}

/// A fold on its way: first there is a consumer, then a folder, then, if another thread took a part, the result.
pub(super) struct Call<Pc, C: Consumer<T>, T> {
    rest: Option<Pc>,
    consumer: Option<C>,
    folder: Option<C::Folder>,
    result: Option<C::Result>,
}

impl<Pc, C> Call<Pc, C, Pc::Item>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    /// A fold that is to begin.
    #[inline]
    pub(super) fn new(piece: Pc, consumer: C) -> Self {
        Call {
            rest: Some(piece),
            consumer: Some(consumer),
            folder: None,
            result: None,
        }
    }

    /// A fold that has seen other items before.
    #[inline]
    pub(super) fn under_way(piece: Pc, folder: C::Folder) -> Self {
        Call {
            rest: Some(piece),
            consumer: None,
            folder: Some(folder),
            result: None,
        }
    }

    /// The fold, if it can take more items, or the result.
    #[inline]
    pub(super) fn end(self) -> Folded<C::Folder, C::Result> {
        match (self.folder, self.result) {
            (Some(folder), _) => Folded::Live(folder),
            (None, Some(result)) => Folded::Closed(result),
            (None, None) => unreachable!("a fold ends as a folder or as a result"),
        }
    }

    /// The result of a fold that was completed.
    #[inline]
    pub(super) fn result(self) -> C::Result {
        self.result.expect("a call has a result")
    }

    /// Puts the result of the second part behind that of the first.
    fn close(&mut self, right: C::Result, reducer: C::Reducer) {
        self.complete();
        let left = self.result.take();
        self.result = left.map(|left| reduce(reducer, left, right));
    }
}

impl<Pc, C> Steps for Call<Pc, C, Pc::Item>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    fn begin(&mut self) {
        if let (Some(rest), Some(consumer)) = (&self.rest, self.consumer.take()) {
            let mut folder = consumer.into_folder();
            C::expect(&mut folder, rest.len().unwrap_or(UNKNOWN), rest.min_len());
            self.folder = Some(folder);
        }
    }

    fn rest(&mut self) -> Option<Rest> {
        if self.folder.as_ref().is_none_or(Folder::full) {
            // At once: other threads' items may wait for what is dropped here.
            self.rest = None;
        }
        let rest = self.rest.as_ref()?;
        Some(Rest {
            len: rest.len().unwrap_or(UNKNOWN),
            min_len: rest.min_len(),
            cut_cost: rest.cut_cost(),
            whole: Pc::WHOLE,
        })
    }

    fn some(&mut self, n: usize) -> After {
        let (Some(rest), Some(folder)) = (self.rest.take(), self.folder.take()) else {
            return After::AtEnd;
        };
        if const { Pc::WHOLE } {
            let len = rest.len().unwrap_or(UNKNOWN);
            let (folder, seen) = rest.fold_whole(folder);
            let after = match folder.full() {
                true => After::Full(len.saturating_sub(seen)),
                false => After::AtEnd,
            };
            self.folder = Some(folder);
            return after;
        }
        let (folder, rest) = rest.fold_some(folder, n);
        let after = match &rest {
            None => After::AtEnd,
            Some(rest) if folder.full() => After::Full(rest.len().unwrap_or(UNKNOWN)),
            Some(rest) => After::GoesOn(rest.len().unwrap_or(UNKNOWN)),
        };
        (self.rest, self.folder) = (rest, Some(folder));
        after
    }

    fn cut(&mut self, lane: &Lane<'_>, front: Option<Front>) -> Cut {
        // By value: if a cut panics, the folder has to see that it is dropped by a panic.
        let (Some(rest), Some(mut folder)) = (self.rest.take(), self.folder.take()) else {
            return Cut::Whole;
        };
        let endless = front.is_none() && rest.len().unwrap_or(UNKNOWN) == UNKNOWN;
        let parts = match front {
            Some(Front { at, .. }) => rest.cut_at(at).map(|(left, right)| (left, right, at)),
            None => rest.cut(lane.gauge.folded.get()),
        };
        let (left, right, at) = match parts {
            Ok(parts) => parts,
            Err(whole) => {
                (self.rest, self.folder) = (Some(whole), Some(folder));
                return Cut::Whole;
            }
        };
        let (consumer, reducer) = C::split_folder(&mut folder, at);
        let [_, right_at] = lane.note_parts(|| left.len(), false);
        (self.rest, self.folder) = (Some(left), Some(folder));
        let len = right.len();
        let mut right = Half {
            input: Some((right, consumer)),
            result: None,
        };
        share(lane, endless, self, (len, &mut right), front);
        lane.go_to(right_at);
        if right.input.is_some()
            && let Some(mut folder) = self.folder.take()
        {
            if let Some((piece, consumer)) = right.input.take() {
                C::rejoin_folder(&mut folder, consumer);
                self.rest = Some(piece);
            }
            self.folder = Some(folder);
            return Cut::Kept;
        }
        // If it came back although the fold is closed, a younger offer was taken and this one handed back: the older is stolen first.
        right.run(lane, front);
        if let Some(right) = right.result {
            self.close(right, reducer);
        }
        Cut::Closed
    }

    fn whole(&mut self, lane: &Lane<'_>) {
        if const { !Pc::LIVE || Pc::BOUNDED }
            && let (Some(piece), Some(consumer)) = (self.rest.take(), self.consumer.take())
        {
            self.result = Some(drive_cut(lane, piece, consumer, lane.run.depth() + 2));
        }
    }

    fn complete(&mut self) {
        if let Some(folder) = self.folder.take() {
            self.result = Some(folder.complete());
        }
    }

    fn clear(&mut self) {
        // At most one of these is there.
        self.rest = None;
        self.folder = None;
        self.result = None;
    }
}

/// A part that others may take.
pub(super) trait Offered: Send {
    /// Drives it, if that is still to be done; `front` is where it was cut off, if that is how it is driven on.
    fn run(&mut self, lane: &Lane<'_>, front: Option<Front>);

    /// Drops its result.
    fn clear(&mut self);
}

/// The second part of a cut, or its result.
struct Half<Pc, C: Consumer<T>, T> {
    input: Option<(Pc, C)>,
    result: Option<C::Result>,
}

impl<Pc, C> Offered for Half<Pc, C, Pc::Item>
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    fn run(&mut self, lane: &Lane<'_>, front: Option<Front>) {
        if let Some((piece, consumer)) = self.input.take() {
            self.result = Some(drive_fresh(lane, piece, consumer, front));
        }
    }

    fn clear(&mut self) {
        self.result = None;
    }
}
