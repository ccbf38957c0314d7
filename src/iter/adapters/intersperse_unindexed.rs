//! `intersperse` without positions.
//!
//! Whether a value goes between two pieces is known only when both are done: either may turn out to have had no items (after a filter, say).
//! So each piece that another thread began brings a consumer along for what may have to go before it, and the reduction uses it or not.

use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folded, Folder, Reducer, UnindexedConsumer};
use std::iter;

/// `drive_unindexed`.
#[inline]
pub(super) fn drive<I, C>(base: I, item: I::Item, consumer: C) -> C::Result
where
    I: ParallelIterator<Item: Clone>,
    C: UnindexedConsumer<I::Item>,
{
    base.drive_unindexed(BetweenConsumer {
        base: consumer,
        item,
    })
    .result
}

/// `drive_into`.
#[inline]
pub(super) fn drive_into<I, C, M>(
    base: I,
    item: I::Item,
    folder: C::Folder,
    more: &M,
) -> Folded<C::Folder, C::Result>
where
    I: ParallelIterator<Item: Clone>,
    C: UnindexedConsumer<I::Item>,
    M: Fn() -> C,
{
    let folder = BetweenFolder {
        base: folder,
        item: item.clone(),
        any: false,
        gap: None,
    };
    let more = || BetweenConsumer {
        base: more(),
        item: item.clone(),
    };
    match base.drive_into::<BetweenConsumer<C, I::Item>, _>(folder, &more) {
        Folded::Live(folder) => Folded::Live(folder.base),
        Folded::Closed(piece) => Folded::Closed(piece.result),
    }
}

/// What a piece came to.
struct Piece<C, T, R> {
    result: R,
    /// Whether it had items.
    any: bool,
    /// Where a value before this piece goes; nothing can precede the first one.
    gap: Option<(C, T)>,
}

struct BetweenConsumer<C, T> {
    base: C,
    item: T,
}

impl<T, C> Consumer<T> for BetweenConsumer<C, T>
where
    T: Clone + Send,
    C: UnindexedConsumer<T>,
{
    type Folder = BetweenFolder<C, T, C::Folder>;
    type Reducer = BetweenReducer<C::Reducer>;
    type Result = Piece<C, T, C::Result>;

    /// `index` counts items of the base, and what comes between two pieces is in neither.
    #[inline]
    fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
        let left = self.split_off_left();
        let reducer = self.to_reducer();
        (left, self, reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        let gap = self.base.split_off_left();
        BetweenFolder {
            base: self.base.into_folder(),
            item: self.item.clone(),
            any: false,
            gap: Some((gap, self.item)),
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.base.full()
    }

    #[inline]
    fn splits_live(&self) -> bool {
        self.base.splits_live()
    }

    #[inline]
    fn splits_dearly(&self) -> bool {
        self.base.splits_dearly()
    }

    #[inline]
    fn from_right(&self) -> bool {
        self.base.from_right()
    }

    #[inline]
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let (base, reducer) = C::split_folder(&mut folder.base, at);
        let item = folder.item.clone();
        (BetweenConsumer { base, item }, BetweenReducer(reducer))
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        C::rejoin_folder(&mut folder.base, right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, upper: usize) {
        C::expect(&mut folder.base, upper.saturating_mul(2));
    }
}

impl<T, C> UnindexedConsumer<T> for BetweenConsumer<C, T>
where
    T: Clone + Send,
    C: UnindexedConsumer<T>,
{
    #[inline]
    fn split_off_left(&self) -> Self {
        BetweenConsumer {
            base: self.base.split_off_left(),
            item: self.item.clone(),
        }
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        BetweenReducer(self.base.to_reducer())
    }
}

struct BetweenReducer<R>(R);

impl<C, T> Reducer<Piece<C, T, C::Result>> for BetweenReducer<C::Reducer>
where
    C: UnindexedConsumer<T>,
{
    fn reduce(
        self,
        left: Piece<C, T, C::Result>,
        right: Piece<C, T, C::Result>,
    ) -> Piece<C, T, C::Result> {
        let mut after = right.result;
        if left.any && right.any {
            if let Some((consumer, item)) = right.gap {
                let reducer = consumer.to_reducer();
                let between = consumer.into_folder().consume(item).complete();
                after = reducer.reduce(between, after);
            }
        }
        Piece {
            result: self.0.reduce(left.result, after),
            any: left.any || right.any,
            gap: left.gap,
        }
    }
}

struct BetweenFolder<C, T, G> {
    base: G,
    item: T,
    /// Whether there was an item, so that something goes before the next one.
    any: bool,
    gap: Option<(C, T)>,
}

impl<T, C> Folder<T> for BetweenFolder<C, T, C::Folder>
where
    T: Clone + Send,
    C: UnindexedConsumer<T>,
{
    type Result = Piece<C, T, C::Result>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(iter::once(item))
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let mut items = iter.into_iter();
        if !self.any {
            let Some(first) = items.next() else {
                return self;
            };
            self.base = self.base.consume(first);
            self.any = true;
            if self.base.full() {
                return self;
            }
        }
        let between = &self.item;
        self.base = self
            .base
            .consume_iter(items.flat_map(|item| [between.clone(), item]));
        self
    }

    #[inline]
    fn complete(self) -> Self::Result {
        Piece {
            result: self.base.complete(),
            any: self.any,
            gap: self.gap,
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.base.full()
    }
}
