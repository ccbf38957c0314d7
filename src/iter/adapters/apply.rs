//! Consumers, folders and producers that apply an operation ([`PerPiece`]) to each item on its way.

use super::per_piece::{PerPiece, PerPieceIndexed};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{
    Consumer, Folded, Folder, Producer, ProducerCallback, RoundSource, RoundsCallback,
    UnindexedConsumer, as_base, as_producer, first_part,
};

/// `drive_into` of such an adaptor.
#[inline]
pub(crate) fn drive_into<I, O, C>(base: I, op: O, folder: C::Folder) -> Folded<C::Folder, C::Result>
where
    I: ParallelIterator,
    O: PerPiece<I::Item>,
    C: UnindexedConsumer<O::Out>,
{
    let mut folder = OpFolder::around(|| folder, op, C::STOPS_EARLY);
    if C::STOPS_EARLY {
        // The part of the folder that begins here. A source that demands more items tells the whole folder so.
        O::expect(&mut folder.state, usize::MAX, 1);
    }
    let folded = base.drive_into::<OpConsumer<C, O>>(folder);
    folded.map(|folder| folder.close().0)
}

/// Wraps the producer or the source of the base.
pub(crate) struct OpCallback<CB, O> {
    pub(crate) callback: CB,
    pub(crate) op: O,
}

impl<T, CB, O> ProducerCallback<T> for OpCallback<CB, O>
where
    O: PerPieceIndexed<T>,
    CB: ProducerCallback<O::Out>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, base: P) -> CB::Output {
        self.callback.callback(OpProducer { base, op: self.op })
    }
}

impl<T, CB: RoundsCallback<O::Out>, O: PerPiece<T>> RoundsCallback<T> for OpCallback<CB, O> {
    type Output = CB::Output;

    #[inline]
    fn callback<S: RoundSource<Item = T>>(self, base: S) -> CB::Output {
        self.callback.callback(OpSource { base, op: self.op })
    }
}

struct OpSource<S, O> {
    base: S,
    op: O,
}

impl<S: RoundSource, O: PerPiece<S::Item>> RoundSource for OpSource<S, O> {
    type Item = O::Out;

    #[inline]
    fn round<C: UnindexedConsumer<O::Out>>(&mut self, n: usize, consumer: C) -> Option<C::Result> {
        if self.op.over() {
            return None;
        }
        let op = self.op.clone();
        self.base.round(n, OpConsumer { base: consumer, op })
    }
}

pub(crate) struct OpConsumer<C, O> {
    pub(crate) base: C,
    pub(crate) op: O,
}

impl<T, C: Consumer<O::Out>, O: PerPiece<T>> Consumer<T> for OpConsumer<C, O> {
    type Folder = OpFolder<C::Folder, O, O::State>;
    type Reducer = O::Reducer<C::Reducer, C::Result>;
    type Result = C::Result;

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer) {
        let (left, base, reducer) = self.base.split_at(index);
        let (op, reducer) = (self.op.clone(), self.op.reducer(reducer));
        let left = OpConsumer { base: left, op };
        (left, OpConsumer { base, ..self }, reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        OpFolder::around(|| self.base.into_folder(), self.op, C::STOPS_EARLY)
    }

    #[inline]
    fn full(&self) -> bool {
        self.op.over() || self.base.full()
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;
    const FRONT_FIRST: bool = O::FRONT_FIRST || C::FRONT_FIRST;
    const SPLIT_IS_EXPENSIVE: bool = O::SPLIT_IS_EXPENSIVE || C::SPLIT_IS_EXPENSIVE;
    const STOPS_EARLY: bool = O::STOPS_EARLY || C::STOPS_EARLY;

    as_base! { C: settles }

    #[inline]
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let (base, reducer) = C::split_folder(&mut folder.base, at);
        let op = folder.op.clone();
        (OpConsumer { base, op }, folder.op.reducer(reducer))
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        C::rejoin_folder(&mut folder.base, right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        let (upper, least) = O::expect(&mut folder.state, upper, least);
        C::expect(&mut folder.base, upper, least);
    }

    #[inline]
    fn make_way(folder: &mut Self::Folder) {
        O::make_way(&mut folder.state);
        C::make_way(&mut folder.base);
    }

    #[inline]
    fn reproduce(folder: &mut Self::Folder) {
        O::reproduce(&mut folder.state);
        C::reproduce(&mut folder.base);
    }
}

impl<T, C: UnindexedConsumer<O::Out>, O: PerPiece<T>> UnindexedConsumer<T> for OpConsumer<C, O> {
    first_part! { T }

    #[inline]
    fn split_off_nth(&self, nth: usize) -> Self {
        OpConsumer {
            base: self.base.split_off_nth(nth),
            op: self.op.clone(),
        }
    }

    #[inline]
    fn rejoin(&mut self, right: Self) {
        self.base.rejoin(right.base);
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        self.op.reducer(self.base.to_reducer())
    }
}

pub(crate) struct OpFolder<F, O, S> {
    base: F,
    op: O,
    state: S,
}

impl<F, O, S> OpFolder<F, O, S> {
    #[inline]
    fn around<T>(base: impl FnOnce() -> F, op: O, may_stop: bool) -> Self
    where
        O: PerPiece<T, State = S>,
    {
        let (base, mut state) = op.begin_beside(base);
        if may_stop {
            O::may_stop(&mut state);
        }
        OpFolder { base, op, state }
    }

    /// The folder behind the operation, and the state, which may have to outlive it: it may watch for a panic.
    #[inline]
    fn close<T>(mut self) -> (F, S)
    where
        O: PerPiece<T, State = S>,
        F: Folder<O::Out>,
    {
        let base = self.op.end(&mut self.state, self.base);
        (base, self.state)
    }
}

impl<T, F: Folder<O::Out>, O: PerPiece<T>> Folder<T> for OpFolder<F, O, O::State> {
    type Result = F::Result;

    #[inline]
    fn consume(mut self, item: T) -> Self {
        self.base = self.op.one(&mut self.state, self.base, item);
        self
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        let items = iter.into_iter();
        self.base = self.op.many(&mut self.state, self.base, items);
        self
    }

    #[inline]
    fn consume_kept<I: Iterator<Item = (T, bool)>>(mut self, iter: I) -> Self {
        self.base = self.op.kept(&mut self.state, self.base, iter);
        self
    }

    #[inline]
    fn complete(self) -> F::Result {
        let (base, _state) = self.close();
        base.complete()
    }

    #[inline]
    fn full(&self) -> bool {
        self.op.full(&self.state) || self.base.full()
    }
}

pub(crate) struct OpProducer<P, O> {
    base: P,
    op: O,
}

impl<P: Producer, O: PerPieceIndexed<P::Item>> Producer for OpProducer<P, O> {
    type Item = O::Out;
    type IntoIter = O::Iter<P::IntoIter>;
    as_producer! { P: base; and O::CAN_PAUSE }

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        let (items, state) = self.op.begin_beside(|| self.base.into_iter());
        self.op.wrap(items, state)
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.base.split_at(index);
        let (left_op, right_op) = self.op.split_at(index);
        let part = |base, op| OpProducer { base, op };
        (part(left, left_op), part(right, right_op))
    }

    #[inline]
    fn fold_with<F: Folder<O::Out>>(self, folder: F) -> F {
        let folder = OpFolder::around(|| folder, self.op, false);
        self.base.fold_with(folder).base
    }
}
