//! `unzip`, `partition` and `partition_map`: one pass into two collections.
//!
//! The collections are made by `ParallelExtend`, and each wants to drive its own iterator. So the left one drives an iterator whose items
//! come from a nested drive of the right one: two consumers side by side, fed by one producer.

use crate::iter::plumbing::{Consumer, Folder, Length, Reducer, UnindexedConsumer, first_part};
use crate::iter::{ParallelExtend, ParallelIterator};
use either::Either;

/// Where an item goes: to one side, to the other, or to both.
pub(crate) trait Deal<T>: Sync + Send {
    type Left: Send;
    type Right: Send;
    /// Whether every item goes to both sides, so that both are as long as the input.
    const BOTH: bool;

    fn deal<FA, FB>(&self, item: T, left: FA, right: FB) -> (FA, FB)
    where
        FA: Folder<Self::Left>,
        FB: Folder<Self::Right>;
}

/// `unzip`: a pair goes to both sides.
pub(crate) struct Unzip;

impl<A: Send, B: Send> Deal<(A, B)> for Unzip {
    type Left = A;
    type Right = B;
    const BOTH: bool = true;

    #[inline]
    fn deal<FA: Folder<A>, FB: Folder<B>>(&self, item: (A, B), left: FA, right: FB) -> (FA, FB) {
        (left.consume(item.0), right.consume(item.1))
    }
}

/// `partition`: an item goes to the left if the predicate says so.
pub(crate) struct Partition<P>(pub(crate) P);

impl<T: Send, P: Fn(&T) -> bool + Sync + Send> Deal<T> for Partition<P> {
    type Left = T;
    type Right = T;
    const BOTH: bool = false;

    #[inline]
    fn deal<FA: Folder<T>, FB: Folder<T>>(&self, item: T, left: FA, right: FB) -> (FA, FB) {
        if (self.0)(&item) {
            (left.consume(item), right)
        } else {
            (left, right.consume(item))
        }
    }
}

/// `partition_map`: the closure says where an item goes.
pub(crate) struct PartitionMap<P>(pub(crate) P);

impl<T, L: Send, R: Send, P: Fn(T) -> Either<L, R> + Sync + Send> Deal<T> for PartitionMap<P> {
    type Left = L;
    type Right = R;
    const BOTH: bool = false;

    #[inline]
    fn deal<FA: Folder<L>, FB: Folder<R>>(&self, item: T, left: FA, right: FB) -> (FA, FB) {
        match (self.0)(item) {
            Either::Left(item) => (left.consume(item), right),
            Either::Right(item) => (left, right.consume(item)),
        }
    }
}

/// Distributes the items of `par_iter` to two new collections.
pub(crate) fn deal<I, D, A, B>(par_iter: I, how: D) -> (A, B)
where
    I: ParallelIterator,
    D: Deal<I::Item>,
    A: Default + ParallelExtend<D::Left>,
    B: Default + Send + ParallelExtend<D::Right>,
{
    let (mut left, mut right) = (A::default(), B::default());
    deal_into(par_iter, how, &mut left, &mut right);
    (left, right)
}

/// Distributes the items of `par_iter` to two collections.
pub(crate) fn deal_into<I, D, A, B>(par_iter: I, how: D, left: &mut A, right: &mut B)
where
    I: ParallelIterator,
    D: Deal<I::Item>,
    A: ParallelExtend<D::Left>,
    B: ParallelExtend<D::Right> + Send,
{
    let mut outer = Some(right);
    left.par_extend(LeftSide {
        par_iter,
        how: &how,
        right: &mut outer,
    });
    // A collection that never drove its iterator (it may skip an empty one) leaves the right side as it is.
}

/// The iterator that the left collection drives.
struct LeftSide<'d, 'b, I, D, B> {
    par_iter: I,
    how: &'d D,
    right: &'d mut Option<&'b mut B>,
}

impl<I, D, B> ParallelIterator for LeftSide<'_, '_, I, D, B>
where
    I: ParallelIterator,
    D: Deal<I::Item>,
    B: ParallelExtend<D::Right> + Send,
{
    type Item = D::Left;

    fn drive_unindexed<C: UnindexedConsumer<D::Left>>(self, consumer: C) -> C::Result {
        let mut result = None;
        let right = self.right.take().expect("an iterator is driven once");
        right.par_extend(RightSide {
            par_iter: self.par_iter,
            how: self.how,
            left_consumer: consumer,
            left_result: &mut result,
        });
        result.expect("filch: the right collection of an unzip did not drive its iterator")
    }

    fn opt_len(&self) -> Option<usize> {
        self.par_iter.opt_len().filter(|_| D::BOTH)
    }

    const OPT_LEN: Length = match D::BOTH {
        true => I::OPT_LEN,
        false => Length::Never,
    };
}

/// The iterator that the right collection drives: here both consumers are known.
struct RightSide<'d, I, D, CA, RA> {
    par_iter: I,
    how: &'d D,
    left_consumer: CA,
    left_result: &'d mut Option<RA>,
}

impl<I, D, CA> ParallelIterator for RightSide<'_, I, D, CA, CA::Result>
where
    I: ParallelIterator,
    D: Deal<I::Item>,
    CA: UnindexedConsumer<D::Left>,
{
    type Item = D::Right;

    fn drive_unindexed<CB: UnindexedConsumer<D::Right>>(self, right: CB) -> CB::Result {
        let (left, right) = self.par_iter.drive_unindexed(Pair {
            how: self.how,
            left: self.left_consumer,
            right,
        });
        *self.left_result = Some(left);
        right
    }

    fn opt_len(&self) -> Option<usize> {
        self.par_iter.opt_len().filter(|_| D::BOTH)
    }

    const OPT_LEN: Length = match D::BOTH {
        true => I::OPT_LEN,
        false => Length::Never,
    };
}

/// Two consumers side by side.
struct Pair<'d, D, CA, CB> {
    how: &'d D,
    left: CA,
    right: CB,
}

impl<'d, T, D, CA, CB> Consumer<T> for Pair<'d, D, CA, CB>
where
    D: Deal<T>,
    CA: Consumer<D::Left>,
    CB: Consumer<D::Right>,
{
    type Folder = PairFolder<'d, D, CA::Folder, CB::Folder>;
    type Reducer = PairReducer<CA::Reducer, CB::Reducer>;
    type Result = (CA::Result, CB::Result);

    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer) {
        let how = self.how;
        let (left_a, right_a, reducer_a) = self.left.split_at(index);
        let (left_b, right_b, reducer_b) = self.right.split_at(index);
        let part = |left, right| Pair { how, left, right };
        let reducer = PairReducer(reducer_a, reducer_b);
        (part(left_a, left_b), part(right_a, right_b), reducer)
    }

    fn into_folder(self) -> Self::Folder {
        PairFolder {
            how: self.how,
            left: self.left.into_folder(),
            right: self.right.into_folder(),
        }
    }

    fn full(&self) -> bool {
        self.left.full() && self.right.full()
    }

    const SPLITS_LIVE: bool = CA::SPLITS_LIVE && CB::SPLITS_LIVE;

    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let (left, reducer_a) = CA::split_folder(&mut folder.left, at);
        let (right, reducer_b) = CB::split_folder(&mut folder.right, at);
        let how = folder.how;
        (Pair { how, left, right }, PairReducer(reducer_a, reducer_b))
    }

    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        CA::rejoin_folder(&mut folder.left, right.left);
        CB::rejoin_folder(&mut folder.right, right.right);
    }

    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        // If an item goes to one side only, the other side does not see it, so it cannot tell what share of the items it gets.
        let upper = if D::BOTH { upper } else { usize::MAX };
        CA::expect(&mut folder.left, upper, least);
        CB::expect(&mut folder.right, upper, least);
    }

    fn make_way(folder: &mut Self::Folder) {
        CA::make_way(&mut folder.left);
        CB::make_way(&mut folder.right);
    }

    fn reproduce(folder: &mut Self::Folder) {
        CA::reproduce(&mut folder.left);
        CB::reproduce(&mut folder.right);
    }

    const SPLIT_IS_EXPENSIVE: bool = CA::SPLIT_IS_EXPENSIVE || CB::SPLIT_IS_EXPENSIVE;
}

impl<T, D, CA, CB> UnindexedConsumer<T> for Pair<'_, D, CA, CB>
where
    D: Deal<T>,
    CA: UnindexedConsumer<D::Left>,
    CB: UnindexedConsumer<D::Right>,
{
    first_part! { T }

    fn split_off_nth(&self, nth: usize) -> Self {
        Pair {
            how: self.how,
            left: self.left.split_off_nth(nth),
            right: self.right.split_off_nth(nth),
        }
    }

    fn rejoin(&mut self, right: Self) {
        self.left.rejoin(right.left);
        self.right.rejoin(right.right);
    }

    fn to_reducer(&self) -> Self::Reducer {
        PairReducer(self.left.to_reducer(), self.right.to_reducer())
    }
}

struct PairFolder<'d, D, FA, FB> {
    how: &'d D,
    left: FA,
    right: FB,
}

impl<T, D, FA, FB> Folder<T> for PairFolder<'_, D, FA, FB>
where
    D: Deal<T>,
    FA: Folder<D::Left>,
    FB: Folder<D::Right>,
{
    type Result = (FA::Result, FB::Result);

    #[inline]
    fn consume(self, item: T) -> Self {
        let PairFolder { how, left, right } = self;
        let (left, right) = how.deal(item, left, right);
        PairFolder { how, left, right }
    }

    fn complete(self) -> Self::Result {
        (self.left.complete(), self.right.complete())
    }

    #[inline]
    fn full(&self) -> bool {
        self.left.full() && self.right.full()
    }
}

struct PairReducer<RA, RB>(RA, RB);

impl<A, B, RA: Reducer<A>, RB: Reducer<B>> Reducer<(A, B)> for PairReducer<RA, RB> {
    fn reduce(self, left: (A, B), right: (A, B)) -> (A, B) {
        (
            self.0.reduce(left.0, right.0),
            self.1.reduce(left.1, right.1),
        )
    }
}
