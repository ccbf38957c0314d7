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

/// A collection that a single thread can fill, and how it adds a part that another thread gathered.
type Target<'m, M, P> = (&'m mut M, fn(&mut M, P));

/// Puts all items of `par_iter` into `target`.
pub(crate) fn pour<I, M, P>(target: &mut M, par_iter: I, absorb: fn(&mut M, P))
where
    I: ParallelIterator,
    M: Extend<I::Item> + Send,
    P: Extend<I::Item> + Default + Send,
{
    let leftmost = Cell::new(Some((&mut *target, absorb)));
    let aside = match par_iter.drive_unindexed(PourConsumer(leftmost)) {
        Poured::Into(_) => return,
        Poured::Aside(parts) => parts,
    };
    aside.into_iter().for_each(|part| absorb(target, part));
}

/// Only the leftmost consumer has the target.
struct PourConsumer<'m, M, P>(Cell<Option<Target<'m, M, P>>>);

impl<M, P> PourConsumer<'_, M, P> {
    fn aside() -> Self {
        PourConsumer(Cell::new(None))
    }
}

/// Where a fold puts its items; also its result.
enum Poured<'m, M, P> {
    Into(Target<'m, M, P>),
    Aside(Vec<P>),
}

impl<'m, T, M, P> Consumer<T> for PourConsumer<'m, M, P>
where
    T: Send,
    M: Extend<T> + Send,
    P: Extend<T> + Default + Send,
{
    type Folder = Poured<'m, M, P>;
    type Reducer = Absorb;
    type Result = Poured<'m, M, P>;

    fn split_at(self, _: usize) -> (Self, Self, Absorb) {
        (self, Self::aside(), Absorb)
    }

    fn into_folder(self) -> Self::Folder {
        match self.0.into_inner() {
            Some(target) => Poured::Into(target),
            None => Poured::Aside(vec![P::default()]),
        }
    }

    fn full(&self) -> bool {
        false
    }

    const SPLITS_LIVE: bool = true;

    fn split_folder(_: &mut Self::Folder, _: usize) -> (Self, Absorb) {
        (Self::aside(), Absorb)
    }
}

impl<T, M, P> UnindexedConsumer<T> for PourConsumer<'_, M, P>
where
    T: Send,
    M: Extend<T> + Send,
    P: Extend<T> + Default + Send,
{
    fn split_off_left(&self) -> Self {
        let left = Self::aside();
        left.0.swap(&self.0);
        left
    }

    /// The target, if it is here, stays here.
    fn rejoin(&mut self, _: Self) {}

    fn to_reducer(&self) -> Absorb {
        Absorb
    }
}

impl<T, M, P> Folder<T> for Poured<'_, M, P>
where
    T: Send,
    M: Extend<T> + Send,
    P: Extend<T> + Default + Send,
{
    type Result = Self;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(Some(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(mut self, iter: I) -> Self {
        match &mut self {
            Poured::Into((target, _)) => target.extend(iter),
            Poured::Aside(parts) => parts
                .last_mut()
                .expect("a fold aside has a part")
                .extend(iter),
        }
        self
    }

    fn complete(self) -> Self {
        self
    }

    fn full(&self) -> bool {
        false
    }
}

struct Absorb;

impl<'m, M, P> Reducer<Poured<'m, M, P>> for Absorb {
    fn reduce(self, left: Poured<'m, M, P>, right: Poured<'m, M, P>) -> Poured<'m, M, P> {
        match (left, right) {
            (Poured::Into((target, absorb)), Poured::Aside(parts)) => {
                parts.into_iter().for_each(|part| absorb(target, part));
                Poured::Into((target, absorb))
            }
            (Poured::Aside(mut left), Poured::Aside(right)) => {
                left.extend(right);
                Poured::Aside(left)
            }
            (_, Poured::Into(_)) => unreachable!("only the leftmost fold has the target"),
        }
    }
}
