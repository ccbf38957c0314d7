//! Adaptors that do something to each item by itself: `map`, `filter`, `inspect` and their kind.
//!
//! Such an adaptor says what it does to one item and to a sequential iterator ([`PerItem`]), and if it yields exactly one item for each, what
//! a sequential iterator becomes ([`PerItemIndexed`]). Consumers, folders and producers are written once, here.

use crate::iter::plumbing::{
    Consumer, Folded, Folder, Producer, ProducerCallback, RoundSource, RoundsCallback,
    UnindexedConsumer, as_base,
};
use crate::iter::{IndexedParallelIterator, ParallelIterator};

/// What is done to each item.
pub(crate) trait PerItem<T>: Sync {
    type Out: Send;

    /// Whether no item becomes more than one.
    const AT_MOST_ONE: bool = true;

    /// Whether [`over`](Self::over) may come true.
    const STOPS_EARLY: bool = false;

    /// Whether that is likely to come of items near the front.
    const FRONT_FIRST: bool = false;

    /// Whether no fold at all needs more items, whatever follows this adaptor.
    #[inline]
    fn over(&self) -> bool {
        false
    }

    /// Feeds what becomes of one item to `folder`.
    fn one<F: Folder<Self::Out>>(&self, folder: F, item: T) -> F;

    /// Feeds what becomes of many items to `folder`; through std's adaptors, so that the loop stays std's.
    fn many<F: Folder<Self::Out>>(&self, folder: F, items: impl Iterator<Item = T>) -> F;

    /// As `many`, for those items that come with `true`. An adaptor whose effect nobody can see does not look.
    #[inline]
    fn kept<F: Folder<Self::Out>>(&self, folder: F, items: impl Iterator<Item = (T, bool)>) -> F {
        self.many(
            folder,
            items.filter_map(|(item, keep)| keep.then_some(item)),
        )
    }
}

/// [`PerItem`] with exactly one item out for each item in.
pub(crate) trait PerItemIndexed<T>: PerItem<T> {
    type Iter<'o, I>: Iterator<Item = Self::Out> + DoubleEndedIterator + ExactSizeIterator
    where
        Self: 'o,
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>;

    /// The sequential adaptor.
    fn wrap<I>(&self, items: I) -> Self::Iter<'_, I>
    where
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>;
}

/// `drive_unindexed` of such an adaptor.
#[inline]
pub(crate) fn drive<I, O, C>(base: I, op: &O, consumer: C) -> C::Result
where
    I: ParallelIterator,
    O: PerItem<I::Item>,
    C: UnindexedConsumer<O::Out>,
{
    base.drive_unindexed(OpConsumer { base: consumer, op })
}

/// `drive` of such an adaptor.
#[inline]
pub(crate) fn drive_indexed<I, O, C>(base: I, op: &O, consumer: C) -> C::Result
where
    I: IndexedParallelIterator,
    O: PerItem<I::Item>,
    C: Consumer<O::Out>,
{
    base.drive(OpConsumer { base: consumer, op })
}

/// `drive_into` of such an adaptor.
#[inline]
pub(crate) fn drive_into<I, O, C>(
    base: I,
    op: &O,
    folder: C::Folder,
) -> Folded<C::Folder, C::Result>
where
    I: ParallelIterator,
    O: PerItem<I::Item>,
    C: UnindexedConsumer<O::Out>,
{
    let folder = OpFolder { base: folder, op };
    match base.drive_into::<OpConsumer<'_, C, O>>(folder) {
        Folded::Live(folder) => Folded::Live(folder.base),
        Folded::Closed(result) => Folded::Closed(result),
    }
}

/// `with_producer` of such an adaptor.
#[inline]
pub(crate) fn with_producer<I, O, CB>(base: I, op: &O, callback: CB) -> CB::Output
where
    I: IndexedParallelIterator,
    O: PerItemIndexed<I::Item>,
    CB: ProducerCallback<O::Out>,
{
    base.with_producer(OpCallback { callback, op })
}

/// `with_rounds` of such an adaptor.
#[inline]
pub(crate) fn with_rounds<I, O, CB>(base: I, op: &O, callback: CB) -> CB::Output
where
    I: ParallelIterator,
    O: PerItem<I::Item>,
    CB: RoundsCallback<O::Out>,
{
    base.with_rounds(OpCallback { callback, op })
}

struct OpCallback<'o, CB, O> {
    callback: CB,
    op: &'o O,
}

impl<T, CB, O> ProducerCallback<T> for OpCallback<'_, CB, O>
where
    O: PerItemIndexed<T>,
    CB: ProducerCallback<O::Out>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, base: P) -> CB::Output {
        self.callback.callback(OpProducer { base, op: self.op })
    }
}

impl<T, CB, O> RoundsCallback<T> for OpCallback<'_, CB, O>
where
    O: PerItem<T>,
    CB: RoundsCallback<O::Out>,
{
    type Output = CB::Output;

    #[inline]
    fn callback<S: RoundSource<Item = T>>(self, base: S) -> CB::Output {
        self.callback.callback(OpSource { base, op: self.op })
    }
}

struct OpSource<'o, S, O> {
    base: S,
    op: &'o O,
}

impl<S, O> RoundSource for OpSource<'_, S, O>
where
    S: RoundSource,
    O: PerItem<S::Item>,
{
    type Item = O::Out;

    #[inline]
    fn round<C>(&mut self, n: usize, consumer: C) -> Option<C::Result>
    where
        C: UnindexedConsumer<O::Out>,
    {
        if self.op.over() {
            return None;
        }
        let op = self.op;
        self.base.round(n, OpConsumer { base: consumer, op })
    }
}

pub(crate) struct OpConsumer<'o, C, O> {
    base: C,
    op: &'o O,
}

impl<'o, C, O> OpConsumer<'o, C, O> {
    #[inline]
    fn around(op: &'o O) -> impl Fn(C) -> Self {
        move |base| OpConsumer { base, op }
    }
}

impl<'o, T, C, O> Consumer<T> for OpConsumer<'o, C, O>
where
    O: PerItem<T>,
    C: Consumer<O::Out>,
{
    type Folder = OpFolder<'o, C::Folder, O>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer) {
        let (left, right, reducer) = self.base.split_at(index);
        let around = Self::around(self.op);
        (around(left), around(right), reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        OpFolder {
            base: self.base.into_folder(),
            op: self.op,
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.op.over() || self.base.full()
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;
    const FRONT_FIRST: bool = O::FRONT_FIRST || C::FRONT_FIRST;

    const SPLITS_DEARLY: bool = C::SPLITS_DEARLY;

    as_base! { ; settles C }

    const STOPS_EARLY: bool = O::STOPS_EARLY || C::STOPS_EARLY;

    #[inline]
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let (right, reducer) = C::split_folder(&mut folder.base, at);
        (Self::around(folder.op)(right), reducer)
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        C::rejoin_folder(&mut folder.base, right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        let at_most = O::AT_MOST_ONE && !O::STOPS_EARLY;
        let upper = if at_most { upper } else { usize::MAX };
        C::expect(&mut folder.base, upper, least);
    }
}

impl<T, C, O> UnindexedConsumer<T> for OpConsumer<'_, C, O>
where
    O: PerItem<T>,
    C: UnindexedConsumer<O::Out>,
{
    #[inline]
    fn split_off_left(&self) -> Self {
        Self::around(self.op)(self.base.split_off_left())
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        self.base.to_reducer()
    }
}

pub(crate) struct OpFolder<'o, F, O> {
    base: F,
    op: &'o O,
}

impl<T, F, O> Folder<T> for OpFolder<'_, F, O>
where
    O: PerItem<T>,
    F: Folder<O::Out>,
{
    type Result = F::Result;

    #[inline]
    fn consume(self, item: T) -> Self {
        OpFolder {
            base: self.op.one(self.base, item),
            op: self.op,
        }
    }

    #[inline]
    fn consume_iter<I>(self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        OpFolder {
            base: self.op.many(self.base, iter.into_iter()),
            op: self.op,
        }
    }

    #[inline]
    fn consume_kept<I>(self, iter: I) -> Self
    where
        I: Iterator<Item = (T, bool)>,
    {
        OpFolder {
            base: self.op.kept(self.base, iter),
            op: self.op,
        }
    }

    #[inline]
    fn complete(self) -> F::Result {
        self.base.complete()
    }

    #[inline]
    fn full(&self) -> bool {
        self.op.over() || self.base.full()
    }
}

pub(crate) struct OpProducer<'o, P, O> {
    base: P,
    op: &'o O,
}

impl<'o, P, O> Producer for OpProducer<'o, P, O>
where
    P: Producer,
    O: PerItemIndexed<P::Item>,
{
    type Item = O::Out;
    type IntoIter = O::Iter<'o, P::IntoIter>;
    const REPRODUCIBLE: bool = P::REPRODUCIBLE;
    const CAN_PAUSE: bool = P::CAN_PAUSE;
    const BOUNDED: bool = P::BOUNDED;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.op.wrap(self.base.into_iter())
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.base.min_len()
    }

    #[inline]
    fn max_len(&self) -> usize {
        self.base.max_len()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.base.split_at(index);
        let op = self.op;
        (
            OpProducer { base: left, op },
            OpProducer { base: right, op },
        )
    }

    #[inline]
    fn fold_with<F: Folder<O::Out>>(self, folder: F) -> F {
        let folder = OpFolder {
            base: folder,
            op: self.op,
        };
        self.base.fold_with(folder).base
    }
}
