//! The traits that convert into, and from, parallel iterators.

use super::ParallelIterator;
use std::ops::RangeBounds;

/// A type that can become a parallel iterator by value.
///
/// ```
/// use filch::prelude::*;
/// let squares: Vec<u32> = (1..4u32).into_par_iter().map(|i| i * i).collect();
/// assert_eq!(squares, [1, 4, 9]);
/// ```
#[diagnostic::on_unimplemented(
    note = "ranges of integers and `char`, std's collections and references to them become parallel iterators; a range of floats does not: `map` one of \
            integers",
    note = "an ordinary iterator becomes a parallel one by `par_bridge()`",
    note = "items that are reached by `&` must be `Sync`, others must be `Send`"
)]
pub trait IntoParallelIterator {
    /// The iterator.
    type Iter: ParallelIterator<Item = Self::Item>;
    /// What it yields.
    type Item: Send;

    /// Becomes a parallel iterator. No closure runs before an end such as [`sum`](ParallelIterator::sum) is called. (A `VecDeque` that is given by value may
    /// move its elements at once, to the start of its memory.)
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!(vec![1, 2, 3].into_par_iter().sum::<i32>(), 6);
    /// ```
    fn into_par_iter(self) -> Self::Iter;
}

impl<T: ParallelIterator> IntoParallelIterator for T {
    type Iter = T;
    type Item = T::Item;

    #[inline]
    fn into_par_iter(self) -> T {
        self
    }
}

/// A type whose shared reference can become a parallel iterator of references: every type whose reference is [`IntoParallelIterator`].
///
/// ```
/// use filch::prelude::*;
/// let words = ["a", "bc", "def"];
/// assert_eq!(words.par_iter().map(|word| word.len()).sum::<usize>(), 6);
/// ```
pub trait IntoParallelRefIterator<'data> {
    /// The iterator.
    type Iter: ParallelIterator<Item = Self::Item>;
    /// What it yields, usually `&'data T`.
    type Item: Send + 'data;

    /// A parallel iterator over references.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let v = vec![1, 2, 3];
    /// assert_eq!(v.par_iter().max(), Some(&3));
    /// ```
    fn par_iter(&'data self) -> Self::Iter;
}

impl<'data, I: 'data + ?Sized> IntoParallelRefIterator<'data> for I
where
    &'data I: IntoParallelIterator,
{
    type Iter = <&'data I as IntoParallelIterator>::Iter;
    type Item = <&'data I as IntoParallelIterator>::Item;

    #[inline]
    fn par_iter(&'data self) -> Self::Iter {
        self.into_par_iter()
    }
}

/// A type whose mutable reference can become a parallel iterator of mutable references: every type whose mutable reference is
/// [`IntoParallelIterator`].
///
/// ```
/// use filch::prelude::*;
/// let mut v = [1, 2, 3];
/// v.par_iter_mut().for_each(|x| *x *= 10);
/// assert_eq!(v, [10, 20, 30]);
/// ```
pub trait IntoParallelRefMutIterator<'data> {
    /// The iterator.
    type Iter: ParallelIterator<Item = Self::Item>;
    /// What it yields, usually `&'data mut T`.
    type Item: Send + 'data;

    /// A parallel iterator over mutable references.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = vec![1, 2, 3];
    /// v.par_iter_mut().for_each(|x| *x += 1);
    /// assert_eq!(v, [2, 3, 4]);
    /// ```
    fn par_iter_mut(&'data mut self) -> Self::Iter;
}

impl<'data, I: 'data + ?Sized> IntoParallelRefMutIterator<'data> for I
where
    &'data mut I: IntoParallelIterator,
{
    type Iter = <&'data mut I as IntoParallelIterator>::Iter;
    type Item = <&'data mut I as IntoParallelIterator>::Item;

    #[inline]
    fn par_iter_mut(&'data mut self) -> Self::Iter {
        self.into_par_iter()
    }
}

/// A type that can be made from a parallel iterator; [`collect`](ParallelIterator::collect) calls it.
///
/// ```
/// use filch::prelude::*;
/// struct Total(u64);
/// impl FromParallelIterator<u64> for Total {
///     fn from_par_iter<I: IntoParallelIterator<Item = u64>>(par_iter: I) -> Self {
///         Total(par_iter.into_par_iter().sum())
///     }
/// }
/// let Total(sum) = (0..10u64).into_par_iter().collect();
/// assert_eq!(sum, 45);
/// ```
#[diagnostic::on_unimplemented(
    note = "`collect` into a `Vec<{T}>` first, and make a `{Self}` of that, if a `{Self}` can only be made on one thread"
)]
pub trait FromParallelIterator<T>
where
    T: Send,
{
    /// Makes a value from everything that `par_iter` yields.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!(Vec::from_par_iter(0..3), [0, 1, 2]);
    /// ```
    fn from_par_iter<I>(par_iter: I) -> Self
    where
        I: IntoParallelIterator<Item = T>;
}

/// A collection that can be extended with everything that a parallel iterator yields.
///
/// ```
/// use filch::prelude::*;
/// let mut v = vec![1, 2];
/// v.par_extend(3..5);
/// assert_eq!(v, [1, 2, 3, 4]);
/// ```
#[diagnostic::on_unimplemented(
    note = "`collect` into a `Vec<{T}>` first, and extend the `{Self}` by that, if it can only be extended on one thread"
)]
pub trait ParallelExtend<T>
where
    T: Send,
{
    /// Adds the items, in their order if the collection has one.
    ///
    /// If the iterator panics, a `Vec` keeps the items it had before, and so does a B-tree that was empty. The other collections of std are filled
    /// by one thread while others produce, and may then have some of the new items. (rayon gathers all items first.)
    ///
    /// Of equal keys, a map keeps the first key with the last value, and a set keeps the first item, as std's `extend` does.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashMap;
    /// let mut squares = HashMap::from([(1, 0)]);
    /// squares.par_extend((1..4).into_par_iter().map(|n| (n, n * n)));
    /// assert_eq!(squares, HashMap::from([(1, 1), (2, 4), (3, 9)]));
    /// ```
    fn par_extend<I>(&mut self, par_iter: I)
    where
        I: IntoParallelIterator<Item = T>;
}

/// A collection that can give away all its items. It is then empty, with its capacity.
///
/// ```
/// use filch::prelude::*;
/// use std::collections::BinaryHeap;
/// let mut heap: BinaryHeap<u32> = (0..4).collect();
/// assert_eq!(heap.par_drain().sum::<u32>(), 6);
/// assert!(heap.is_empty());
/// ```
pub trait ParallelDrainFull {
    /// The iterator.
    type Iter: ParallelIterator<Item = Self::Item>;
    /// What it yields.
    type Item: Send;

    /// Gives away all items. They are removed even if the iterator is dropped unused.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::collections::HashMap;
    /// let mut ages = HashMap::from([("Ann", 31), ("Bo", 57)]);
    /// drop(ages.par_drain());
    /// assert!(ages.is_empty());
    /// ```
    fn par_drain(self) -> Self::Iter;
}

/// A collection that can give away the items of a range and keep the others.
///
/// ```
/// use filch::prelude::*;
/// let mut v = vec![0, 1, 2, 3, 4];
/// assert_eq!(v.par_drain(1..3).sum::<i32>(), 3);
/// assert_eq!(v, [0, 3, 4]);
/// ```
pub trait ParallelDrainRange<Idx = usize> {
    /// The iterator.
    type Iter: ParallelIterator<Item = Self::Item>;
    /// What it yields.
    type Item: Send;

    /// Gives away the items of `range`. They are removed even if the iterator is dropped unused.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = vec!['a', 'b', 'c', 'd'];
    /// let taken: String = v.par_drain(..2).collect();
    /// assert_eq!((taken.as_str(), v), ("ab", vec!['c', 'd']));
    /// ```
    ///
    /// # Panics
    ///
    /// If the range goes beyond the end, or ends before it starts.
    fn par_drain<R: RangeBounds<Idx>>(self, range: R) -> Self::Iter;
}
