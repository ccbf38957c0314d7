//! `sum` and `product`.
//!
//! If an item is a failure (of `Option` or `Result`), so is the sum. std stops at the first failure.
//! Here, a fold that fails stops the folds behind it. The folds before it go on, because they may find another error, which comes first.

use super::position::{Failure, Position};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{
    Consumer, Folder, Reducer, UnindexedConsumer, first_part, split_anywhere,
};
use std::any::type_name;
use std::cell::Cell;
use std::iter::{self, Product, Sum};
use std::marker::PhantomData;
use std::mem;

/// Combines items, as std does.
pub(crate) trait Adder<T, S> {
    fn of(items: impl Iterator<Item = T>) -> S;
}

/// Adds with [`Sum`].
pub(crate) struct Adds;

impl<T, S: Sum<T>> Adder<T, S> for Adds {
    #[inline]
    fn of(items: impl Iterator<Item = T>) -> S {
        items.sum()
    }
}

/// Multiplies with [`Product`].
pub(crate) struct Multiplies;

impl<T, S: Product<T>> Adder<T, S> for Multiplies {
    #[inline]
    fn of(items: impl Iterator<Item = T>) -> S {
        items.product()
    }
}

/// The total of all items.
#[inline]
pub(crate) fn run<A, S, I>(par_iter: I) -> S
where
    I: ParallelIterator,
    S: Send,
    A: Adder<I::Item, S> + Adder<S, S>,
{
    let total = if may_fail::<S>() {
        let failure = Failure::unknown();
        let all = Position::all(&failure);
        par_iter.drive_unindexed(TotalConsumer::<A, S>::at(Some(&all)))
    } else {
        par_iter.drive_unindexed(TotalConsumer::<A, S>::at(None))
    };
    total.unwrap_or_else(|| A::of(iter::empty::<S>()))
}

/// Whether a total can be a failure that std knows. Only then does a fold stop others.
///
/// Only its name tells what `S` is, and names may change. Then no other fold is stopped, and the result is the same.
#[inline]
fn may_fail<S>() -> bool {
    let name = type_name::<S>();
    name.starts_with(OPTION) || name.starts_with("core::result::Result<")
}

const OPTION: &str = "core::option::Option<";

/// Whether a total of totals asks for all of them, as std's totals of numbers do. Others may leave some, also those of a user's type, say one around a
/// `Result`. A fold whose total leaves others takes no more items.
#[inline]
fn takes_all<S>() -> bool {
    let name = type_name::<S>();
    is_number(name)
        || name.starts_with("core::num::wrapping::Wrapping<")
        || name.starts_with("core::num::saturating::Saturating<")
}

/// Whether a type of this name is a number of std's, which a duration is as well.
#[inline]
fn is_number(name: &str) -> bool {
    matches!(
        name,
        "u8" | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "f32"
            | "f64"
            | "core::time::Duration"
    )
}

/// Whether all failures are equal, so that one of them also makes unnecessary what comes before it. That holds for `None`, unless the type
/// inside can fail in its own way.
fn fails_alike<S>() -> bool {
    let inside = type_name::<S>().strip_prefix(OPTION);
    inside.is_some_and(|name| is_number(name.trim_end_matches('>')))
}

struct TotalConsumer<'s, A, S> {
    /// Only of a total that may fail. `split_off_left` takes the lower half away through a shared reference.
    position: Cell<Option<&'s Position<'s>>>,
    total: PhantomData<fn() -> (A, S)>,
}

impl<'s, A, S> TotalConsumer<'s, A, S> {
    #[inline]
    fn at(position: Option<&'s Position<'s>>) -> Self {
        TotalConsumer {
            position: Cell::new(position),
            total: PhantomData,
        }
    }

    /// Its position, if that matters. What is asked first is known when this is compiled, so most sums have no trace of positions.
    #[inline]
    fn position(&self) -> Option<&'s Position<'s>> {
        self.position.get().filter(|_| may_fail::<S>())
    }

    /// Keeps what is behind the `nth` lower part, and returns that part.
    #[inline]
    fn front(&self, nth: usize) -> Self {
        TotalConsumer::at(self.position().map(|position| {
            let [front, rest] = position.nth_part(nth);
            self.position.set(Some(rest));
            front
        }))
    }

    #[inline]
    fn join(&self, right: Self) {
        if let (Some(left), Some(right)) = (self.position(), right.position()) {
            self.position.set(Some(left.with(right)));
        }
    }

    #[inline]
    fn is_needless(&self) -> bool {
        self.position().is_some_and(Position::is_needless)
    }

    #[inline]
    fn reducer(&self) -> TotalReducer<'s, A> {
        TotalReducer {
            right: self.position(),
            adder: PhantomData,
        }
    }
}

struct TotalFolder<'s, A, S> {
    /// `None` before the first item, so that a fold adds up exactly what std would.
    total: Option<S>,
    /// More items would not change it.
    failed: bool,
    part: TotalConsumer<'s, A, S>,
}

impl<'s, T, A: Adder<T, S> + Adder<S, S>, S: Send> Consumer<T> for TotalConsumer<'s, A, S> {
    type Folder = TotalFolder<'s, A, S>;
    type Reducer = TotalReducer<'s, A>;
    /// `None` where there were no items.
    type Result = Option<S>;

    split_anywhere! { T }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        TotalFolder {
            total: None,
            failed: false,
            part: self,
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.is_needless()
    }

    const SPLITS_LIVE: bool = true;

    #[inline]
    fn split_folder(folder: &mut Self::Folder, _: usize) -> (Self, TotalReducer<'s, A>) {
        let left = folder.part.front(1);
        let right = mem::replace(&mut folder.part, left);
        let reducer = right.reducer();
        (right, reducer)
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        folder.part.join(right);
    }
}

impl<'s, T, A: Adder<T, S> + Adder<S, S>, S: Send> UnindexedConsumer<T>
    for TotalConsumer<'s, A, S>
{
    first_part! { T }

    #[inline]
    fn split_off_nth(&self, nth: usize) -> Self {
        self.front(nth)
    }

    #[inline]
    fn rejoin(&mut self, right: Self) {
        self.join(right);
    }

    #[inline]
    fn to_reducer(&self) -> TotalReducer<'s, A> {
        self.reducer()
    }
}

impl<T, A: Adder<T, S> + Adder<S, S>, S> Folder<T> for TotalFolder<'_, A, S> {
    type Result = Option<S>;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(iter::once(item))
    }

    #[inline]
    fn consume_iter<I: IntoIterator<Item = T>>(self, items: I) -> Self {
        let more = A::of(items.into_iter());
        if !takes_all::<S>() {
            return self.add_what_may_fail(more);
        }
        let total = match self.total {
            Some(total) => sum_of_two::<A, S>(total, more),
            None => more,
        };
        TotalFolder {
            total: Some(total),
            ..self
        }
    }

    #[inline]
    fn complete(self) -> Option<S> {
        self.total
    }

    #[inline]
    fn full(&self) -> bool {
        !takes_all::<S>() && (self.failed || self.part.is_needless())
    }
}

impl<A: Adder<S, S>, S> TotalFolder<'_, A, S> {
    fn add_what_may_fail(self, more: S) -> Self {
        let mut goes_on = false;
        let next = iter::from_fn(|| {
            goes_on = true;
            None
        });
        // If this total asks for nothing after these two, it would not look at further items either.
        let total = A::of(self.total.into_iter().chain([more]).chain(next));
        if !goes_on
            && !self.failed
            && let Some(position) = self.part.position()
        {
            position.fail();
            if fails_alike::<S>() {
                position.fail_everywhere();
            }
        }
        TotalFolder {
            total: Some(total),
            failed: self.failed || !goes_on,
            part: self.part,
        }
    }
}

struct TotalReducer<'s, A> {
    /// Where the right part is, or both parts. Only of a total that may fail.
    right: Option<&'s Position<'s>>,
    adder: PhantomData<fn() -> A>,
}

impl<A: Adder<S, S>, S> Reducer<Option<S>> for TotalReducer<'_, A> {
    #[inline]
    fn reduce(self, left: Option<S>, right: Option<S>) -> Option<S> {
        match (left, right) {
            (Some(left), Some(right))
                if may_fail::<S>() && self.right.is_some_and(Position::is_needless) =>
            {
                Some(first_failure::<A, S>(left, right))
            }
            (Some(left), Some(right)) => Some(sum_of_two::<A, S>(left, right)),
            (left, right) => left.or(right),
        }
    }
}

#[inline]
fn sum_of_two<A: Adder<S, S>, S>(left: S, right: S) -> S {
    A::of(iter::once(left).chain(iter::once(right)))
}

/// The failure of two parts that need not be neighbours, because a part that is needless ends before its last item. Without one it is any of the two,
/// which does not matter: the failure that made them needless wins.
#[cold]
fn first_failure<A: Adder<S, S>, S>(left: S, right: S) -> S {
    let mut fails = true;
    let next = iter::from_fn(|| {
        fails = false;
        None
    });
    let left = A::of(iter::once(left).chain(next));
    if fails { left } else { right }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::num::Wrapping;

    /// If the compiler changes these names, totals of numbers are slower.
    #[test]
    fn totals_of_numbers_take_all_items() {
        assert!(takes_all::<i8>() && takes_all::<f64>() && takes_all::<std::time::Duration>());
        assert!(takes_all::<Wrapping<u8>>() && takes_all::<std::num::Saturating<u8>>());
        assert!(!takes_all::<Option<u8>>() && !takes_all::<String>());
    }

    /// If the compiler changes these names, sums no longer stop early.
    #[test]
    fn the_names_of_types_tell_whether_they_can_fail() {
        assert!(may_fail::<Option<u8>>() && may_fail::<Option<Wrapping<u8>>>());
        assert!(may_fail::<Result<f64, &str>>() && !may_fail::<f64>());
        assert!(fails_alike::<Option<u64>>() && fails_alike::<Option<std::time::Duration>>());
        assert!(!fails_alike::<Option<Result<u64, ()>>>() && !fails_alike::<Result<u64, ()>>());
        assert!(!fails_alike::<Option<Option<u64>>>() && !fails_alike::<Option<Wrapping<u8>>>());
    }

    /// What folds of `items` in the first, second and third part of all make together. The folds run in the given order, and the first two are reduced first.
    fn total<T, S>(items: [T; 3], order: [usize; 3]) -> Option<S>
    where
        T: Send,
        S: Sum<T> + Sum<S> + Send,
    {
        let failure = Failure::unknown();
        let all = Position::all(&failure);
        let third = TotalConsumer::<Adds, S>::at(Some(&all));
        let second = UnindexedConsumer::<T>::split_off_left(&third);
        let outer = UnindexedConsumer::<T>::to_reducer(&third);
        let first = UnindexedConsumer::<T>::split_off_left(&second);
        let inner = UnindexedConsumer::<T>::to_reducer(&second);
        let mut parts = [Some(first), Some(second), Some(third)];
        let mut items = items.map(Some);
        let mut totals = [None, None, None];
        for at in order {
            let folder = Consumer::<T>::into_folder(parts[at].take().unwrap());
            let folder = folder.consume(items[at].take().unwrap());
            totals[at] = Folder::<T>::complete(folder);
        }
        let [first, second, third] = totals;
        let left = Reducer::<Option<S>>::reduce(inner, first, second);
        Reducer::<Option<S>>::reduce(outer, left, third)
    }

    /// The sum of two parts overflows. Between them there are items that were left out, because a fold has failed.
    #[test]
    fn what_need_not_be_neighbours_is_not_added() {
        let many = 1_500_000_000;
        for order in [[0, 1, 2], [2, 0, 1]] {
            let sum = total::<_, Option<i32>>([Some(many), Some(many), None], [2, 0, 1]);
            assert_eq!(sum, Some(None));
            let sum = total::<_, Option<i32>>([None, Some(many), Some(many)], order);
            assert_eq!(sum, Some(None));
            let sum = total::<_, Option<i32>>([Some(many), None, Some(many)], order);
            assert_eq!(sum, Some(None));
            let sum = total::<_, Result<i32, &str>>([Err("a"), Ok(many), Ok(many)], order);
            assert_eq!(sum, Some(Err("a")));
            let sum = total::<_, Result<i32, &str>>([Err("a"), Ok(many), Err("b")], order);
            assert_eq!(sum, Some(Err("a")));
            let sum = total::<_, Result<i32, &str>>([Ok(1), Ok(2), Err("b")], order);
            assert_eq!(sum, Some(Err("b")));
            let sum = total::<_, Result<i32, &str>>([Ok(1), Ok(2), Ok(3)], order);
            assert_eq!(sum, Some(Ok(6)));
        }
    }
}
