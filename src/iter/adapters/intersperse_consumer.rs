//! `intersperse` for consumers that need no positions.
//!
//! If the length is known, it is also known whether items come before a piece, and the next consumer may rely on positions (as `collect`
//! does). If the length is unknown, a piece may turn out to have no items (after a filter, say). So only when two pieces are finished is it
//! known whether a separator goes between them. Each piece that another thread began has a spare consumer for that separator, and the reduction
//! uses it or drops it.

use crate::iter::ParallelIterator;
use crate::iter::plumbing::{
    Consumer, Folded, Folder, Reducer, UnindexedConsumer, as_base, first_part,
};
use std::cell::Cell;
use std::iter;

/// `drive_unindexed`. `placed`: the length is known.
#[inline]
pub(super) fn drive<I, C>(base: I, separator: I::Item, placed: bool, consumer: C) -> C::Result
where
    I: ParallelIterator<Item: Clone>,
    C: UnindexedConsumer<I::Item>,
{
    let before = match placed {
        true => ItemsBefore::Known(false),
        false => ItemsBefore::Nothing,
    };
    let consumer = BetweenConsumer::new(consumer, separator, before);
    base.drive_unindexed(consumer).result
}

/// `drive_into`. `placed`: the length is known.
#[inline]
pub(super) fn drive_into<I, C>(
    base: I,
    separator: I::Item,
    placed: bool,
    folder: C::Folder,
) -> Folded<C::Folder, C::Result>
where
    I: ParallelIterator<Item: Clone>,
    C: UnindexedConsumer<I::Item>,
{
    let folder = BetweenFolder {
        base: folder,
        separator,
        any: false,
        placed,
        gap: None,
    };
    match base.drive_into::<BetweenConsumer<C, I::Item>>(folder) {
        Folded::Live(folder) => Folded::Live(folder.base),
        Folded::Closed(piece) => Folded::Closed(piece.result),
    }
}

/// The result of a piece.
struct Interspersed<C, T, R> {
    result: R,
    /// Whether it had items.
    any: bool,
    /// The spare consumer and the separator for the place before this piece, if it is still open whether they are needed.
    gap: Option<Gap<C, T>>,
}

/// Whether there are items before a piece.
#[derive(Clone, Copy)]
enum ItemsBefore {
    /// Positions are known, so this is too.
    Known(bool),
    /// It is the first piece: nothing goes before it. No spare consumer must be split off its consumer, which may need to stay the leftmost.
    Nothing,
    Unknown,
}

struct BetweenConsumer<C, T> {
    base: C,
    separator: T,
    /// `split_off_left` changes it through a shared reference.
    before: Cell<ItemsBefore>,
}

impl<C, T> BetweenConsumer<C, T> {
    #[inline]
    fn new(base: C, separator: T, before: ItemsBefore) -> Self {
        let before = Cell::new(before);
        BetweenConsumer {
            base,
            separator,
            before,
        }
    }
}

/// How many items and separators come out of the next `len` items; `any`: items came before.
#[inline]
fn spread(len: usize, any: bool) -> usize {
    match len {
        0 => 0,
        _ => len + (len - usize::from(!any)),
    }
}

impl<T: Clone + Send, C: UnindexedConsumer<T>> Consumer<T> for BetweenConsumer<C, T> {
    type Folder = BetweenFolder<C, T, C::Folder>;
    type Reducer = BetweenReducer<C::Reducer>;
    type Result = Interspersed<C, T, C::Result>;

    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer) {
        let ItemsBefore::Known(any) = self.before.get() else {
            let left = self.split_off_left();
            let reducer = self.to_reducer();
            return (left, self, reducer);
        };
        let (left, right, reducer) = self.base.split_at(spread(index, any));
        let behind = ItemsBefore::Known(any || index > 0);
        let left = BetweenConsumer::new(left, self.separator.clone(), self.before.get());
        let right = BetweenConsumer::new(right, self.separator, behind);
        (left, right, BetweenReducer(reducer))
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        let before = self.before.get();
        let gap = match before {
            ItemsBefore::Unknown => Some(Gap {
                consumer: self.base.split_off_left(),
                separator: self.separator.clone(),
                in_leaf: false,
            }),
            _ => None,
        };
        BetweenFolder {
            base: self.base.into_folder(),
            separator: self.separator,
            any: matches!(before, ItemsBefore::Known(true)),
            placed: matches!(before, ItemsBefore::Known(_)),
            gap,
        }
    }

    as_base! { C: constants full }

    #[inline]
    fn settles(right: &Self::Result) -> bool {
        C::settles(&right.result)
    }

    #[inline]
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let (at, before) = match folder.placed {
            true => {
                let at_out = spread(at, folder.any);
                (at_out, ItemsBefore::Known(folder.any || at > 0))
            }
            false => (at, ItemsBefore::Unknown),
        };
        let (base, reducer) = C::split_folder(&mut folder.base, at);
        let right = BetweenConsumer::new(base, folder.separator.clone(), before);
        (right, BetweenReducer(reducer))
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        C::rejoin_folder(&mut folder.base, right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        C::expect(&mut folder.base, upper.saturating_mul(2), least);
    }

    #[inline]
    fn make_way(folder: &mut Self::Folder) {
        C::make_way(&mut folder.base);
    }

    #[inline]
    fn reproduce(folder: &mut Self::Folder) {
        C::reproduce(&mut folder.base);
        if let Some(gap) = &mut folder.gap {
            gap.in_leaf = true;
        }
    }
}

impl<T: Clone + Send, C: UnindexedConsumer<T>> UnindexedConsumer<T> for BetweenConsumer<C, T> {
    first_part! { T }

    #[inline]
    fn split_off_nth(&self, nth: usize) -> Self {
        // With a known length this must not be called: the consumer behind may not support it.
        let before = self.before.replace(ItemsBefore::Unknown);
        BetweenConsumer::new(self.base.split_off_nth(nth), self.separator.clone(), before)
    }

    #[inline]
    fn rejoin(&mut self, right: Self) {
        self.base.rejoin(right.base);
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        BetweenReducer(self.base.to_reducer())
    }
}

/// Where a separator goes before the first item of a piece, if there are items before the piece.
struct Gap<C, T> {
    consumer: C,
    separator: T,
    /// What comes of the separator must not depend on time; see [`Consumer::reproduce`].
    in_leaf: bool,
}

impl<T, C: UnindexedConsumer<T>> Gap<C, T> {
    fn fill(self) -> C::Result {
        let mut folder = self.consumer.into_folder();
        if self.in_leaf {
            C::reproduce(&mut folder);
        }
        folder.consume(self.separator).complete()
    }
}

struct BetweenReducer<R>(R);

impl<C, T> Reducer<Interspersed<C, T, C::Result>> for BetweenReducer<C::Reducer>
where
    C: UnindexedConsumer<T>,
{
    fn reduce(
        self,
        left: Interspersed<C, T, C::Result>,
        right: Interspersed<C, T, C::Result>,
    ) -> Interspersed<C, T, C::Result> {
        let mut after = right.result;
        if left.any
            && right.any
            && let Some(gap) = right.gap
        {
            let reducer = gap.consumer.to_reducer();
            after = reducer.reduce(gap.fill(), after);
        }
        Interspersed {
            result: self.0.reduce(left.result, after),
            any: left.any || right.any,
            gap: left.gap,
        }
    }
}

struct BetweenFolder<C, T, G> {
    base: G,
    separator: T,
    /// Whether there was an item. If so, a separator goes before the next one.
    any: bool,
    /// Whether positions are known, so that no gap is needed.
    placed: bool,
    gap: Option<Gap<C, T>>,
}

impl<T: Clone + Send, C: UnindexedConsumer<T>> Folder<T> for BetweenFolder<C, T, C::Folder> {
    type Result = Interspersed<C, T, C::Result>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(iter::once(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
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
        let separator = &self.separator;
        self.base = self
            .base
            .consume_iter(items.flat_map(|item| [separator.clone(), item]));
        self
    }

    #[inline]
    fn complete(self) -> Self::Result {
        Interspersed {
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
