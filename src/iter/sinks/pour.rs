//! Collecting into a collection that only one thread can fill: a map, a list, a string.
//!
//! The leftmost fold puts its items straight into the collection. The folds of other threads gather their items in parts, and the
//! reductions add those, left to right. So the order is that of the iterator, the collection is filled while other threads still compute
//! items, and if no other thread helps, no item is stored twice.
//!
//! The leftmost consumer may also never be folded: an adaptor that skips items drops it, or keeps it for its reducer. Then all items end up
//! in parts, and are added at the end.

use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
use std::cell::Cell;
use std::marker::PhantomData;

/// A collection that one thread can fill.
pub(crate) trait Pour<T>: Extend<T> + Send {
    /// What other threads gather items in.
    type Part: Default + Extend<T> + Send;

    /// Adds a part.
    fn absorb(&mut self, part: Self::Part);
}

/// Puts all items of `par_iter` into `target`.
pub(crate) fn pour<I: ParallelIterator, M: Pour<I::Item>>(target: &mut M, par_iter: I) {
    let poured = par_iter.drive_unindexed(PourConsumer {
        target: Cell::new(Some(&mut *target)),
        item: PhantomData,
    });
    let aside = match poured {
        Poured::Into(_) => return,
        Poured::Aside(parts) => parts,
    };
    aside.into_iter().for_each(|part| target.absorb(part));
}

struct PourConsumer<'m, T, M> {
    /// Only the leftmost consumer has it.
    target: Cell<Option<&'m mut M>>,
    item: PhantomData<fn(T)>,
}

impl<'m, T, M> PourConsumer<'m, T, M> {
    fn aside() -> Self {
        PourConsumer {
            target: Cell::new(None),
            item: PhantomData,
        }
    }
}

/// Where a fold puts its items; also its result.
enum Poured<'m, M, P> {
    Into(&'m mut M),
    Aside(Vec<P>),
}

struct PourFolder<'m, T, M: Pour<T>> {
    poured: Poured<'m, M, M::Part>,
}

impl<'m, T: Send, M: Pour<T>> Consumer<T> for PourConsumer<'m, T, M> {
    type Folder = PourFolder<'m, T, M>;
    type Reducer = Absorb<T>;
    type Result = Poured<'m, M, M::Part>;

    fn split_at(self, _: usize) -> (Self, Self, Absorb<T>) {
        (self, Self::aside(), Absorb(PhantomData))
    }

    fn into_folder(self) -> Self::Folder {
        let poured = match self.target.into_inner() {
            Some(target) => Poured::Into(target),
            None => Poured::Aside(vec![M::Part::default()]),
        };
        PourFolder { poured }
    }

    fn full(&self) -> bool {
        false
    }

    const SPLITS_LIVE: bool = true;

    fn split_folder(_: &mut Self::Folder, _: usize) -> (Self, Absorb<T>) {
        (Self::aside(), Absorb(PhantomData))
    }
}

impl<T: Send, M: Pour<T>> UnindexedConsumer<T> for PourConsumer<'_, T, M> {
    fn split_off_left(&self) -> Self {
        let left = Self::aside();
        left.target.swap(&self.target);
        left
    }

    /// The target, if it is here, stays here.
    fn rejoin(&mut self, _: Self) {}

    fn to_reducer(&self) -> Absorb<T> {
        Absorb(PhantomData)
    }
}

impl<'m, T: Send, M: Pour<T>> Folder<T> for PourFolder<'m, T, M> {
    type Result = Poured<'m, M, M::Part>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(Some(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        match &mut self.poured {
            Poured::Into(target) => target.extend(iter),
            Poured::Aside(parts) => parts
                .last_mut()
                .expect("a fold aside has a part")
                .extend(iter),
        }
        self
    }

    fn complete(self) -> Self::Result {
        self.poured
    }

    fn full(&self) -> bool {
        false
    }
}

struct Absorb<T>(PhantomData<fn(T)>);

impl<'m, T, M: Pour<T>> Reducer<Poured<'m, M, M::Part>> for Absorb<T> {
    fn reduce(
        self,
        left: Poured<'m, M, M::Part>,
        right: Poured<'m, M, M::Part>,
    ) -> Poured<'m, M, M::Part> {
        match (left, right) {
            (Poured::Into(target), Poured::Aside(parts)) => {
                parts.into_iter().for_each(|part| target.absorb(part));
                Poured::Into(target)
            }
            (Poured::Aside(mut left), Poured::Aside(right)) => {
                left.extend(right);
                Poured::Aside(left)
            }
            (_, Poured::Into(_)) => unreachable!("only the leftmost fold has the target"),
        }
    }
}
