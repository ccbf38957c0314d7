//! The methods of parallel iterators that know their length and can be cut anywhere.

use super::plumbing::{Consumer, ProducerCallback};
use super::sinks::unzip;
use super::{
    Chunks, Enumerate, ExponentialBlocks, FoldChunks, FoldChunksWith, Interleave,
    InterleaveShortest, IntoParallelIterator, MaxLen, MinLen, ParallelIterator, Positions, Rev,
    Skip, StepBy, Take, UniformBlocks, Zip, ZipEq, sinks,
};
use std::cmp::Ordering;

/// Methods that say how two iterators are ordered.
macro_rules! orders {
    ($($(#[$doc:meta])* fn $name:ident if $is:ident;)*) => { $(
        $(#[$doc])*
        fn $name<I>(self, other: I) -> bool
        where
            I: IntoParallelIterator<Iter: IndexedParallelIterator>,
            Self::Item: PartialOrd<I::Item>,
        {
            self.partial_cmp(other).is_some_and(Ordering::$is)
        }
    )* };
}

/// A parallel iterator that knows its length and can be cut anywhere: over slices, vectors, ranges of `usize` and of
/// integers up to 32 bits, and adaptors that keep the length.
///
/// So it can be reversed, zipped, numbered, compared and cut by position. Its length is in [`len`](Self::len). Adaptors are lazy, and cost as
/// [`ParallelIterator`] says.
///
/// ```
/// use filch::prelude::*;
///
/// let pairs = [3, 5, 4, 8].par_windows(2).enumerate();
/// let rises = pairs.filter(|(_, pair)| pair[0] < pair[1]).map(|(at, _)| at);
/// assert_eq!(rises.collect::<Vec<_>>(), [0, 2]);
/// ```
///
/// # Panics
///
/// An adaptor that takes a length, a step or a size panics at once if it makes no sense, such as 0 for [`chunks`](Self::chunks). Ends panic
/// as [`ParallelIterator`] says.
#[allow(clippy::len_without_is_empty)] // rayon has none, and a user's own trait may
#[diagnostic::on_unimplemented(
    note = "how many items come out of `filter`, `flat_map`, `par_bridge`, hash maps or texts, and at which places, is not known beforehand",
    note = "`enumerate`, `zip`, `rev` and what else needs places come before such an adaptor, or after `collect::<Vec<_>>()` and `into_par_iter()`",
    note = "ranges of `u64`, `i64`, `u128` and `i128` have no places, nor have inclusive ranges (`..=`) of integers with more than 16 bits: use an exclusive \
            range of `usize`"
)]
pub trait IndexedParallelIterator: ParallelIterator {
    // ---- ends, indexed ----

    /// Replaces the contents of `target` by the items, and reuses its allocation.
    ///
    /// Allocates only if the capacity of `target` is too small. After a panic `target` is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let mut v = vec![9; 100];
    /// (0..3).into_par_iter().collect_into_vec(&mut v);
    /// assert_eq!(v, [0, 1, 2]);
    /// ```
    fn collect_into_vec(self, target: &mut Vec<Self::Item>) {
        target.clear();
        let len = self.len();
        // By position, which `drive_unindexed` need not be where `opt_len` does not say how many items there are.
        sinks::collect::place::collect_into(target, len, |slots| self.drive(slots));
    }

    /// Replaces the contents of two vectors by the halves of pairs, and reuses their allocations.
    ///
    /// Allocates only if a capacity is too small. After a panic both vectors are empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (mut a, mut b) = (vec![], vec![]);
    /// (0..3).into_par_iter().map(|i| (i, -i)).unzip_into_vecs(&mut a, &mut b);
    /// assert_eq!((a, b), (vec![0, 1, 2], vec![0, -1, -2]));
    /// ```
    fn unzip_into_vecs<A, B>(self, left: &mut Vec<A>, right: &mut Vec<B>)
    where
        Self: IndexedParallelIterator<Item = (A, B)>,
        A: Send,
        B: Send,
    {
        left.clear();
        right.clear();
        unzip::deal_into(self, unzip::Unzip, left, right);
    }

    /// The position of an item for which `predicate` holds: any of them. Other threads stop soon after it is found.
    ///
    /// Work: at most one call of `predicate` per item. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([5, 6, 7].par_iter().position_any(|&x| x == 6), Some(1));
    /// ```
    fn position_any<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.enumerate()
            .find_map_any(move |(at, item)| predicate(item).then_some(at))
    }

    /// The position of the first item for which `predicate` holds.
    ///
    /// Work: at most one call of `predicate` per item; items behind the first hit may be tried too. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([5, 6, 6].par_iter().position_first(|&x| x == 6), Some(1));
    /// ```
    #[doc(alias("find_if", "position"))]
    fn position_first<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.enumerate()
            .find_map_first(|(at, item)| predicate(item).then_some(at))
    }

    /// The position of the last item for which `predicate` holds.
    ///
    /// Work: at most one call of `predicate` per item; items before the last hit may be tried too. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([6, 6, 7].par_iter().position_last(|&x| x == 6), Some(1));
    /// ```
    fn position_last<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.enumerate()
            .find_map_last(|(at, item)| predicate(item).then_some(at))
    }

    // ---- adaptors, indexed ----

    /// Goes through the items in blocks, one after the other. Each block is twice as long as the one before.
    ///
    /// The first block has as many items as there are threads. Each block is done in parallel, and finished before any item of the next one
    /// is made. So where a sequential search ends after n items, one with p threads makes at most 2n + p items. One fold goes on through all
    /// blocks, unless other threads take part.
    ///
    /// Lazy; keeps order. [Span](crate::iter#work-and-span): that of O(log n) loops, one after the other.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let square = (0..1_000_000u32).into_par_iter().by_exponential_blocks().find_first(|i| i * i > 500);
    /// assert_eq!(square, Some(23));
    /// ```
    fn by_exponential_blocks(self) -> ExponentialBlocks<Self> {
        ExponentialBlocks::new(self)
    }

    /// Goes through the items in blocks of `block_size`, one block after the other.
    ///
    /// Each block is done in parallel, and finished before any item of the next one is made. That limits how far ahead a search looks, and
    /// how much of the input is in the cache at a time. The last block may be shorter.
    ///
    /// Lazy; keeps order. [Span](crate::iter#work-and-span): that of n / `block_size` loops, one after the other.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let first = (0..1_000_000).into_par_iter().by_uniform_blocks(100).inspect(|&i| assert!(i < 300));
    /// assert_eq!(first.find_first(|&i| i == 250), Some(250));
    /// ```
    ///
    /// # Panics
    ///
    /// If `block_size` is 0.
    #[track_caller]
    fn by_uniform_blocks(self, block_size: usize) -> UniformBlocks<Self> {
        assert!(block_size != 0, "block_size must not be zero");
        UniformBlocks::new(self, block_size)
    }

    /// Pairs each item with the one at the same position in another iterator, up to the end of the shorter.
    ///
    /// Items without a partner are never made. The limits that [`with_min_len`](Self::with_min_len) and [`with_max_len`](Self::with_max_len)
    /// set on either side hold for the pairs too.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let pairs: Vec<(u32, char)> = (0..10u32).into_par_iter().zip(vec!['a', 'b']).collect();
    /// assert_eq!(pairs, [(0, 'a'), (1, 'b')]);
    /// ```
    #[doc(alias("zip_iterator"))]
    fn zip<Z>(self, zip_op: Z) -> Zip<Self, Z::Iter>
    where
        Z: IntoParallelIterator<Iter: IndexedParallelIterator>,
    {
        Zip::new(self, zip_op.into_par_iter())
    }

    /// [`zip`](Self::zip) of two iterators that have to be of the same length.
    ///
    /// Lazy; keeps order and length.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (a, b) = ([1, 2, 3], [4, 5, 6]);
    /// assert_eq!(a.par_iter().zip_eq(&b).map(|(x, y)| x * y).sum::<i32>(), 32);
    /// ```
    ///
    /// # Panics
    ///
    /// If they are not; at once, before any item is made.
    #[track_caller]
    fn zip_eq<Z>(self, zip_op: Z) -> ZipEq<Self, Z::Iter>
    where
        Z: IntoParallelIterator<Iter: IndexedParallelIterator>,
    {
        let (a, b) = (self, zip_op.into_par_iter());
        assert_eq!(a.len(), b.len(), "iterators must have the same length");
        ZipEq::new(Zip::new(a, b))
    }

    /// Takes items in turn from this iterator and another one, then the rest of the longer one.
    ///
    /// Lazy; keeps the order of each.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let all: Vec<i32> = (0..5).into_par_iter().interleave(vec![10, 11]).collect();
    /// assert_eq!(all, [0, 10, 1, 11, 2, 3, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// If both together have more than `usize::MAX` items; when the length is asked for.
    fn interleave<I>(self, other: I) -> Interleave<Self, I::Iter>
    where
        I: IntoParallelIterator<Item = Self::Item, Iter: IndexedParallelIterator>,
    {
        Interleave::new(self, other.into_par_iter())
    }

    /// Takes items in turn from this iterator and another one. Ends when the iterator whose turn it is has no more.
    ///
    /// Lazy; keeps the order of each.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let all: Vec<i32> = (0..5).into_par_iter().interleave_shortest(vec![10, 11]).collect();
    /// assert_eq!(all, [0, 10, 1, 11, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If that gives more than `usize::MAX` items; when the length is asked for.
    fn interleave_shortest<I>(self, other: I) -> InterleaveShortest<Self, I::Iter>
    where
        I: IntoParallelIterator<Item = Self::Item, Iter: IndexedParallelIterator>,
    {
        let (i, j) = (self, other.into_par_iter());
        // This one yields one item more if it is the other that runs out.
        let (from_i, from_j) = (i.len().min(j.len().saturating_add(1)), i.len().min(j.len()));
        InterleaveShortest::new(Interleave::new(i.take(from_i), j.take(from_j)))
    }

    /// Collects every `chunk_size` items into a vector; the last one may be shorter.
    ///
    /// Each vector is allocated when its chunk is reached. For slices, [`par_chunks`](crate::slice::ParallelSlice::par_chunks) allocates
    /// nothing.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let chunks: Vec<Vec<i32>> = (0..8).into_par_iter().chunks(3).collect();
    /// assert_eq!(chunks, [vec![0, 1, 2], vec![3, 4, 5], vec![6, 7]]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn chunks(self, chunk_size: usize) -> Chunks<Self> {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        Chunks::new(self, chunk_size)
    }

    /// Folds every `chunk_size` items, each time from a fresh `identity()`; the last chunk may be shorter.
    ///
    /// Unlike the pieces of [`fold`](ParallelIterator::fold), the chunks depend only on the length. Nothing is allocated.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let sums: Vec<i32> = (1..8).into_par_iter().fold_chunks(3, || 0, |sum, i| sum + i).collect();
    /// assert_eq!(sums, [6, 15, 7]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn fold_chunks<T, ID, F>(
        self,
        chunk_size: usize,
        identity: ID,
        fold_op: F,
    ) -> FoldChunks<Self, ID, F>
    where
        ID: Fn() -> T + Send + Sync,
        F: Fn(T, Self::Item) -> T + Send + Sync,
        T: Send,
    {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        FoldChunks::new(self, chunk_size, identity, fold_op)
    }

    /// Folds every `chunk_size` items, each time from a clone of `init`; the last chunk may be shorter.
    ///
    /// `init` is cloned for each chunk, and for each piece that the iterator is cut into.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let products: Vec<i32> = (1..8).into_par_iter().fold_chunks_with(3, 1, |product, i| product * i).collect();
    /// assert_eq!(products, [6, 120, 7]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `chunk_size` is 0.
    #[track_caller]
    fn fold_chunks_with<T, F>(
        self,
        chunk_size: usize,
        init: T,
        fold_op: F,
    ) -> FoldChunksWith<Self, T, F>
    where
        T: Send + Clone,
        F: Fn(T, Self::Item) -> T + Send + Sync,
    {
        assert!(chunk_size != 0, "chunk_size must not be zero");
        FoldChunksWith::new(self, chunk_size, init, fold_op)
    }

    /// Compares the items of two iterators in lexicographic order.
    ///
    /// The first two items that differ decide. If none differ, the shorter iterator is less. Once a difference is found, other threads stop
    /// soon.
    ///
    /// Work: at most one comparison per pair of items; pairs behind the first difference may be compared too. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::cmp::Ordering;
    /// assert_eq!([1, 2, 9].par_iter().cmp(&[1, 3]), Ordering::Less);
    /// assert_eq!([1, 2].par_iter().cmp(&[1]), Ordering::Greater);
    /// ```
    fn cmp<I>(self, other: I) -> Ordering
    where
        I: IntoParallelIterator<Item = Self::Item, Iter: IndexedParallelIterator>,
        Self::Item: Ord,
    {
        let other = other.into_par_iter();
        let lens = self.len().cmp(&other.len());
        let difference =
            |(x, y): (Self::Item, Self::Item)| Some(x.cmp(&y)).filter(|order| order.is_ne());
        self.zip(other).find_map_first(difference).unwrap_or(lens)
    }

    /// Compares the items of two iterators in lexicographic order, if their first different items can be compared.
    ///
    /// As [`cmp`](Self::cmp), but `None` if the first two items that are not equal have no order.
    ///
    /// It costs as much as [`cmp`](Self::cmp).
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::cmp::Ordering;
    /// assert_eq!([1.0, 2.0].par_iter().partial_cmp(&[1.0, 3.0]), Some(Ordering::Less));
    /// assert_eq!([1.0, f64::NAN].par_iter().partial_cmp(&[1.0, 3.0]), None);
    /// ```
    #[doc(alias("lexicographical_compare"))]
    fn partial_cmp<I>(self, other: I) -> Option<Ordering>
    where
        I: IntoParallelIterator<Iter: IndexedParallelIterator>,
        Self::Item: PartialOrd<I::Item>,
    {
        let other = other.into_par_iter();
        let lens = self.len().cmp(&other.len());
        let difference = |(x, y): (Self::Item, I::Item)| match x.partial_cmp(&y) {
            Some(Ordering::Equal) => None,
            order => Some(order),
        };
        self.zip(other)
            .find_map_first(difference)
            .unwrap_or(Some(lens))
    }

    /// Whether two iterators have the same length and equal items.
    ///
    /// If the lengths differ, no item is looked at. A difference that any thread finds ends the search on all threads.
    ///
    /// Work: at most one comparison per pair of items. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert!((0..3).into_par_iter().eq(vec![0, 1, 2]));
    /// assert!(!(0..3).into_par_iter().eq(vec![0, 1]));
    /// ```
    #[doc(alias("equal"))]
    fn eq<I>(self, other: I) -> bool
    where
        I: IntoParallelIterator<Iter: IndexedParallelIterator>,
        Self::Item: PartialEq<I::Item>,
    {
        let other = other.into_par_iter();
        self.len() == other.len() && self.zip(other).all(|(x, y)| x == y)
    }

    /// Whether two iterators differ in length or in an item; the opposite of [`eq`](Self::eq).
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert!((0..3).into_par_iter().ne(vec![0, 5, 2]));
    /// ```
    fn ne<I>(self, other: I) -> bool
    where
        I: IntoParallelIterator<Iter: IndexedParallelIterator>,
        Self::Item: PartialEq<I::Item>,
    {
        !self.eq(other)
    }

    orders! {
        /// Whether this iterator is lexicographically less than another one, as [`partial_cmp`](Self::partial_cmp) compares them.
        ///
        /// ```
        /// use filch::prelude::*;
        /// assert!([1, 2].par_iter().lt(&[1, 2, 0]));
        /// assert!(![f64::NAN].par_iter().lt(&[1.0]));
        /// ```
        fn lt if is_lt;

        /// Whether this iterator is lexicographically less than or equal to another one, as [`partial_cmp`](Self::partial_cmp) compares them.
        ///
        /// ```
        /// use filch::prelude::*;
        /// assert!([1, 2].par_iter().le(&[1, 2]));
        /// ```
        fn le if is_le;

        /// Whether this iterator is lexicographically greater than another one, as [`partial_cmp`](Self::partial_cmp) compares them.
        ///
        /// ```
        /// use filch::prelude::*;
        /// assert!([1, 3].par_iter().gt(&[1, 2, 0]));
        /// ```
        fn gt if is_gt;

        /// Whether this iterator is lexicographically greater than or equal to another one, as [`partial_cmp`](Self::partial_cmp) compares them.
        ///
        /// ```
        /// use filch::prelude::*;
        /// assert!([1, 2].par_iter().ge(&[1, 2]));
        /// ```
        fn ge if is_ge;
    }

    /// Pairs each item with its index.
    ///
    /// Lazy; keeps order and length.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let pairs: Vec<(usize, char)> = vec!['a', 'b'].into_par_iter().enumerate().collect();
    /// assert_eq!(pairs, [(0, 'a'), (1, 'b')]);
    /// ```
    #[doc(alias("counting_iterator"))]
    fn enumerate(self) -> Enumerate<Self> {
        Enumerate::new(self)
    }

    /// Yields the first item and every `step`th after it.
    ///
    /// Adaptors before this one may make the items in between as well; those are dropped.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let some: Vec<i32> = (0..10).into_par_iter().step_by(4).collect();
    /// assert_eq!(some, [0, 4, 8]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `step` is 0.
    #[track_caller]
    fn step_by(self, step: usize) -> StepBy<Self> {
        assert!(step != 0, "step must not be zero");
        StepBy::new(self, step)
    }

    /// Leaves out the first `n` items.
    ///
    /// As in std, the items are made anyway: a `map` before this is called on them. That happens in parallel, before any other item is
    /// made.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let rest: Vec<i32> = (0..10).into_par_iter().skip(7).collect();
    /// assert_eq!(rest, [7, 8, 9]);
    /// ```
    fn skip(self, n: usize) -> Skip<Self> {
        let n = n.min(self.len());
        Skip::new(self, n)
    }

    /// Yields the first `n` items only, or all if there are fewer. The others are never made.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let some: Vec<i32> = (0..10).into_par_iter().take(3).collect();
    /// assert_eq!(some, [0, 1, 2]);
    /// ```
    fn take(self, n: usize) -> Take<Self> {
        let n = n.min(self.len());
        Take::new(self, n)
    }

    /// Yields the last item first.
    ///
    /// Lazy; keeps the length. Items are still made in any order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let down: Vec<i32> = (0..4).into_par_iter().rev().collect();
    /// assert_eq!(down, [3, 2, 1, 0]);
    /// ```
    fn rev(self) -> Rev<Self> {
        Rev::new(self)
    }

    /// Lets no piece have fewer than `min` items, unless the iterator itself has fewer.
    ///
    /// Each [`fold`](ParallelIterator::fold) then sees at least `min` items. This is seldom needed: pieces are cut by measured time. An
    /// adaptor with two bases, such as [`zip`](Self::zip), uses the greater of their minimums. In a [`chain`](ParallelIterator::chain), one
    /// fold may go on from the first part into the second. It sees at least as many items as the greater of their minimums. Of a
    /// [`reproducible`](crate::ext::ParallelReproducible::reproducible) iterator, the last fold may see fewer.
    ///
    /// It says nothing of pieces behind an adaptor that cuts anew: [`take_while`](crate::ext::ParallelWhile::take_while) and its like, the
    /// [scans](crate::algo::scan::IndexedScan), and, where the length is unknown, [`intersperse`](ParallelIterator::intersperse). Behind a scan it can be set again.
    ///
    /// Lazy; keeps order and length.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let counts = (0..1_000_000).into_par_iter().with_min_len(1234).fold(|| 0, |count, _| count + 1);
    /// assert!(counts.min().unwrap() >= 1234);
    /// ```
    #[doc(alias("grain_size", "grainsize", "simple_partitioner"))]
    fn with_min_len(self, min: usize) -> MinLen<Self> {
        MinLen::new(self, min)
    }

    /// Lets no piece have more than `max` items, as far as [`with_min_len`](Self::with_min_len) allows; 0 means 1.
    ///
    /// Each [`fold`](ParallelIterator::fold), and each state of [`map_init`](ParallelIterator::map_init), then sees at most `max` items. But
    /// the minimum comes first: a piece with fewer than twice the minimum is not cut, even if it has more than `max` items. An adaptor with two
    /// bases, such as [`zip`](Self::zip), uses the lesser of their maximums. As the minimum, it says nothing of pieces behind an adaptor that cuts anew.
    ///
    /// Lazy; keeps order and length.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let counts = (0..1_000_000).into_par_iter().with_max_len(1234).fold(|| 0, |count, _| count + 1);
    /// assert!(counts.max().unwrap() <= 1234);
    /// ```
    fn with_max_len(self, max: usize) -> MaxLen<Self> {
        MaxLen::new(self, max)
    }

    // ---- adaptors, per item ----

    /// Yields the positions of the items for which `predicate` returns `true`.
    ///
    /// Lazy; in increasing order.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let word = ["t", "r", "e", "e"];
    /// let at: Vec<usize> = word.par_iter().positions(|letter| *letter == "e").collect();
    /// assert_eq!(at, [2, 3]);
    /// ```
    fn positions<P>(self, predicate: P) -> Positions<Self, P>
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        Positions::new(self.enumerate(), predicate)
    }

    // ---- plumbing ----

    /// The number of items.
    ///
    /// Makes no item, and takes the same time for any length.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// assert_eq!((0..100).into_par_iter().step_by(3).len(), 34);
    /// ```
    fn len(&self) -> usize;

    /// Feeds the items to `consumer`. Not for users; see [`plumbing`](super::plumbing).
    ///
    /// ```
    #[doc = include_str!("plumbing/sum.txt")]
    /// use filch::prelude::*;
    ///
    /// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
    /// assert_eq!((0..100u32).into_par_iter().map(u64::from).rev().drive(Sum), 4950);
    /// ```
    fn drive<C: Consumer<Self::Item>>(self, consumer: C) -> C::Result;

    /// Gives `callback` the producer behind this iterator. Not for users; see [`plumbing`](super::plumbing).
    ///
    /// ```
    /// use filch::iter::plumbing::{Producer, ProducerCallback};
    /// use filch::prelude::*;
    ///
    /// struct First;
    /// impl<T> ProducerCallback<T> for First {
    ///     type Output = Option<T>;
    ///     fn callback<P: Producer<Item = T>>(self, producer: P) -> Option<T> {
    ///         producer.into_iter().next()
    ///     }
    /// }
    /// assert_eq!((3..9).into_par_iter().skip(2).with_producer(First), Some(5));
    /// ```
    fn with_producer<CB: ProducerCallback<Self::Item>>(self, callback: CB) -> CB::Output;
}
