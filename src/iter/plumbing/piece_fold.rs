//! The fold of a piece, with its types. The driver knows no types: it asks for [`Steps`], which are implemented here. A fold begins, folds
//! some items, is cut, and is closed. Pieces that must be cut before they are folded are cut here, too.
//!
//! Each chain has its own copy of all this code. So `match` is used where methods of `Option` would be shorter: without optimisation, each
//! chain would have copies of those as well.

use super::drive::{drive, drive_while_offering};
use super::folded::Folded;
use super::lane::Lane;
use super::offering::offering;
use super::parts::{despite_panic, fold_parts};
use super::piece::{Piece, reduce};
use super::reason::Reason;
use super::steps::{After, Cut, Front, Offered, Rest, Steps, UNKNOWN};
use super::traits::{Consumer, Folder};
use super::vast::{drive_vast, is_vast};
use crate::core::fork::Forked;
use crate::core::unwind::{catch, resume};

/// The fold of a piece: first there is a consumer, then a folder, then, when it was completed or another thread took a part, the result.
pub(super) struct PieceFold<Pc, C: Consumer<T>, T> {
    rest: Option<Pc>,
    consumer: Option<C>,
    folder: Option<C::Folder>,
    result: Option<C::Result>,
}

impl<Pc: Piece<C>, C: Consumer<Pc::Item>> PieceFold<Pc, C, Pc::Item> {
    /// A fold that is to begin.
    #[inline]
    pub(super) fn new(piece: Pc, consumer: C) -> Self {
        PieceFold {
            rest: Some(piece),
            consumer: Some(consumer),
            folder: None,
            result: None,
        }
    }

    /// A fold that has seen other items before.
    #[inline]
    pub(super) fn under_way(piece: Pc, folder: C::Folder) -> Self {
        PieceFold {
            rest: Some(piece),
            consumer: None,
            folder: Some(folder),
            result: None,
        }
    }

    /// The fold, if it can take more items, or the result.
    #[inline]
    pub(super) fn end(self) -> Folded<C::Folder, C::Result> {
        match self.result {
            Some(result) => Folded::Closed(result),
            None => Folded::Live(self.folder.expect("a fold ends as a folder or as a result")),
        }
    }

    /// The result of a fold that was completed.
    #[inline]
    pub(super) fn result(self) -> C::Result {
        self.result.expect("a completed fold has a result")
    }

    /// What is left, and the folder that takes it.
    fn take(&mut self) -> Option<(Pc, C::Folder)> {
        if let Some(rest) = self.rest.take()
            && let Some(folder) = self.folder.take()
        {
            return Some((rest, folder));
        }
        None
    }

    /// Undoes [`take`](Self::take). In one place: what was there before is dropped, which is much code for each chain.
    fn put(&mut self, rest: Option<Pc>, folder: C::Folder) {
        (self.rest, self.folder) = (rest, Some(folder));
    }

    /// Puts the result of the second part behind that of the first.
    fn close(&mut self, right: C::Result, reducer: C::Reducer) {
        self.complete();
        if let Some(left) = self.result.take() {
            self.result = Some(reduce(reducer, left, right));
        }
    }
}

impl<Pc: Piece<C>, C: Consumer<Pc::Item>> Steps for PieceFold<Pc, C, Pc::Item> {
    fn begin(&mut self) {
        if let Some(rest) = &self.rest
            && let Some(consumer) = self.consumer.take()
        {
            let mut folder = consumer.into_folder();
            C::expect(&mut folder, rest.len().unwrap_or(UNKNOWN), rest.min_len());
            self.folder = Some(folder);
        }
    }

    fn rest(&mut self) -> Option<Rest> {
        match &self.folder {
            Some(folder) if !folder.full() => (),
            // Dropped at once, not at the end: items of other threads may wait for that.
            _ => self.rest = None,
        }
        let Some(rest) = &self.rest else {
            return None;
        };
        Some(Rest {
            len: rest.len().unwrap_or(UNKNOWN),
            min_len: rest.min_len(),
            cut_cost: rest.cut_cost(),
            whole: Pc::WHOLE,
        })
    }

    fn fold_some(&mut self, n: usize) -> After {
        let Some((rest, folder)) = self.take() else {
            return After::AtEnd;
        };
        if const { Pc::WHOLE } {
            let len = rest.len().unwrap_or(UNKNOWN);
            let (folder, seen) = rest.fold_whole(folder);
            let after = match folder.full() {
                true => After::Full(len.saturating_sub(seen)),
                false => After::AtEnd,
            };
            self.put(None, folder);
            return after;
        }
        let (folder, rest) = rest.fold_some(folder, n);
        let after = match &rest {
            None => After::AtEnd,
            Some(rest) if folder.full() => After::Full(rest.len().unwrap_or(UNKNOWN)),
            Some(rest) => After::GoesOn(rest.len().unwrap_or(UNKNOWN)),
        };
        self.put(rest, folder);
        after
    }

    fn cut(&mut self, lane: &Lane<'_>, front: Option<Front>) -> Cut {
        // By value: if a cut panics, the folder has to see that it is dropped by a panic.
        let Some((rest, mut folder)) = self.take() else {
            return Cut::Whole;
        };
        let endless = front.is_none() && rest.len().unwrap_or(UNKNOWN) == UNKNOWN;
        let (left, right, at) = match rest.cut(front.map(|front| front.at), lane.gauge.folded.get())
        {
            Ok(parts) => parts,
            Err(whole) => {
                self.put(Some(whole), folder);
                return Cut::Whole;
            }
        };
        let (consumer, reducer) = C::split_folder(&mut folder, at);
        let [_, right_at] = lane.note_parts(|| left.len(), false);
        self.put(Some(left), folder);
        let len = right.len();
        let mut right = Half {
            input: Some((right, consumer)),
            result: None,
        };
        drive_while_offering(lane, endless, self, (len, &mut right), front);
        lane.go_to(right_at);
        if right.input.is_some()
            && let Some(mut folder) = self.folder.take()
            && let Some((piece, consumer)) = right.input.take()
        {
            C::rejoin_folder(&mut folder, consumer);
            self.put(Some(piece), folder);
            return Cut::Kept;
        }
        // It may have come back although the fold is closed: a younger offer was taken, or this one seemed to be gone when the fold ended, and was handed back.
        right.run(lane, front);
        if let Some(right) = right.result {
            self.close(right, reducer);
        }
        Cut::Closed
    }

    fn drive_cut(&mut self, lane: &Lane<'_>) {
        if const { !Pc::LIVE || Pc::BOUNDED }
            && let (Some(piece), Some(consumer)) = (self.rest.take(), self.consumer.take())
        {
            let depth = lane.call.first_depth(C::DRIVES_FROM_RIGHT);
            self.result = Some(drive_cut(lane, piece, consumer, depth));
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

/// The second part of a cut, or its result.
struct Half<Pc, C: Consumer<T>, T> {
    input: Option<(Pc, C)>,
    result: Option<C::Result>,
}

impl<Pc: Piece<C>, C: Consumer<Pc::Item>> Offered for Half<Pc, C, Pc::Item> {
    fn run(&mut self, lane: &Lane<'_>, front: Option<Front>) {
        if let Some((piece, consumer)) = self.input.take() {
            self.result = Some(drive_whole(
                lane,
                piece,
                consumer,
                (lane.call.depth(), front),
            ));
        }
    }

    fn clear(&mut self) {
        self.result = None;
    }
}

/// Drives a piece whose consumer was not begun. `depth` bounds how often a piece of unknown weight is cut before it is folded. That a piece
/// moved to another thread, or came back after one that did, shows that there is demand: then it is cut afresh, [`Call::depth`] times.
/// `front` says that it was cut off what is searched from its front.
///
/// [`Call::depth`]: super::call::Call::depth
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
    if const { !Pc::LIVE || Pc::BOUNDED } && !(Pc::LIVE && piece.is_one()) {
        return drive_cut(lane, piece, consumer, depth);
    }
    let mut fold = PieceFold::new(piece, consumer);
    fold.begin();
    drive(lane, &mut fold, front.map(|front| front.done));
    fold.complete();
    fold.result()
}

/// Drives a piece that is cut before it is folded, because its consumer cannot split a running fold, its producer cannot stop amid one, or it
/// is longer than a folder may see.
fn drive_cut<Pc, C>(lane: &Lane<'_>, piece: Pc, consumer: C, depth: u32) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    if consumer.full() {
        return consumer.into_folder().complete();
    }
    if const { C::DRIVES_FROM_RIGHT } && is_vast::<Pc, C>(&piece) {
        let drive_last = |piece, consumer| drive_part(lane, piece, consumer, depth);
        let drive = |piece, consumer| drive_whole(lane, piece, consumer, (depth, None));
        return drive_vast(lane, piece, consumer, drive_last, drive);
    }
    drive_part(lane, piece, consumer, depth)
}

/// As [`drive_cut`], however long the piece is, for a consumer that wants items.
fn drive_part<Pc, C>(lane: &Lane<'_>, piece: Pc, consumer: C, depth: u32) -> C::Result
where
    Pc: Piece<C>,
    C: Consumer<Pc::Item>,
{
    let len = piece.len();
    let forced = !piece.is_one();
    let from_right = C::DRIVES_FROM_RIGHT;
    let least = lane.least(Pc::WHOLE).max(piece.min_len());
    let wanted = match len {
        Some(len) if from_right => lane.wants_less(len, least),
        // This is the only chance to cut, whatever it costs.
        Some(len) => lane.wants_only_cut(len, least),
        None => match depth > 0 && !lane.is_deep() {
            true => lane.note_reason(Reason::Blind),
            false => lane.note_reason(Reason::TooDeep),
        }
        .is_cut(),
    };
    if let Some(len) = len
        && forced
        && !wanted
        && lane.may_fold_parts(len)
    {
        let result = fold_parts(piece, consumer);
        // Where a search may have ended it early, it is not known how many items that time was for.
        if !C::STOPS_EARLY {
            lane.look(len);
        }
        return result;
    }
    let cut = if forced || wanted {
        if forced {
            lane.note_reason(Reason::MaxLen);
        }
        piece.cut(None, 0)
    } else {
        Err(piece)
    };
    let (left, right, at) = match cut {
        Ok(parts) => parts,
        Err(whole) => {
            let mut folder = consumer.into_folder();
            C::expect(&mut folder, usize::MAX, whole.min_len());
            let len = whole.len().unwrap_or(1).max(1);
            (folder, _) = whole.fold_whole(folder);
            lane.look(len);
            return folder.complete();
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
    let taken = |lane: &Lane<'_>, (piece, consumer)| {
        drive_whole::<Pc, C>(lane, piece, consumer, (lane.call.depth(), None))
    };
    let (first, second) = if wanted || lane.is_new() {
        offering(lane, second_len, second, taken, first)
    } else {
        match catch(first) {
            Ok(first) => (first, Forked::Kept(second)),
            Err(payload) => {
                // As if it had been on offer.
                lane.go_to(offered);
                despite_panic(second, |(piece, consumer)| {
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
