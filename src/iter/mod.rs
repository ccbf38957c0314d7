//! Parallel iterators.

pub(crate) mod adapters;
mod convert;
mod extend;
mod from;
pub mod plumbing;
pub(crate) mod sinks;
pub(crate) mod sources;
mod try_trait;

// adaptors, per item
pub use adapters::map::Map;
// adaptors, indexed
// sources
pub use convert::{
    FromParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
    IntoParallelRefMutIterator, ParallelDrainFull, ParallelDrainRange, ParallelExtend,
};
pub use either::Either;
use plumbing::{Consumer, Folded, Folder, ProducerCallback, Reducer, UnindexedConsumer};
use sinks::{find, find_first, plain, reduce, try_reduce, unzip};
use std::cmp::Ordering;
use std::collections::LinkedList;
use std::iter::{Product, Sum};
use try_trait::Try;

/// A parallel iterator.
pub trait ParallelIterator: Sized + Send {
    /// What it yields.
    type Item: Send;

    // ---- ends ----

    /// Calls `op` on each item, in no particular order.
    ///
    /// Work: one call an item. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// let sum = AtomicU32::new(0);
    /// (0..100u32).into_par_iter().for_each(|i| { sum.fetch_add(i, Ordering::Relaxed); });
    /// assert_eq!(sum.into_inner(), 4950);
    /// ```
    fn for_each<OP>(self, op: OP)
    where
        OP: Fn(Self::Item) + Sync + Send,
    {
        plain::run(self, &sinks::for_each::ForEach(op))
    }

    /// Calls `op` on items until it fails for one, and returns a failure if there was any.
    ///
    /// After a failure other threads stop at their next look, so which further items were seen, and which of several failures is
    /// returned, depends on timing.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let check = |&i: &i32| if i < 10 { Ok(()) } else { Err(i) };
    /// assert_eq!([1, 2, 3].par_iter().try_for_each(check), Ok(()));
    /// assert_eq!([1, 20, 3].par_iter().try_for_each(check), Err(20));
    /// ```
    fn try_for_each<OP, R>(self, op: OP) -> R
    where
        OP: Fn(Self::Item) -> R + Sync + Send,
        R: Try<Output = ()> + Send,
    {
        self.map(op).try_reduce(|| (), |(), ()| R::from_output(()))
    }

    /// Counts the items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().filter(|i| i % 3 == 0).count(), 34);
    /// ```
    fn count(self) -> usize {
        plain::run(self, &reduce::Count)
    }

    /// Puts all items together with `op`, beginning with `identity()`.
    ///
    /// `op` has to be associative, and `identity()` neutral to it: there is one identity a fold, and a fold for each piece that another
    /// thread took. It need not be commutative: items are put together in their order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let text = ["a", "b", "c"].par_iter().map(|s| s.to_string()).reduce(String::new, |a, b| a + &b);
    /// assert_eq!(text, "abc");
    /// ```
    fn reduce<OP, ID>(self, identity: ID, op: OP) -> Self::Item
    where
        OP: Fn(Self::Item, Self::Item) -> Self::Item + Sync + Send,
        ID: Fn() -> Self::Item + Sync + Send,
    {
        plain::run(self, &reduce::Reduce { identity, op })
    }

    /// Puts all items together with `op`, an associative operation; `None` if there are none.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([3, 1, 4].par_iter().copied().reduce_with(|a, b| a * b), Some(12));
    /// assert_eq!([0; 0].par_iter().copied().reduce_with(|a, b| a * b), None);
    /// ```
    fn reduce_with<OP>(self, op: OP) -> Option<Self::Item>
    where
        OP: Fn(Self::Item, Self::Item) -> Self::Item + Sync + Send,
    {
        plain::run(self, &reduce::ReduceWith(op))
    }

    /// Puts the outputs of all items together with a fallible `op`, or returns a failure: an item's own or one of `op`.
    ///
    /// After a failure other threads stop at their next look. Of the failures that were reached, the leftmost is returned.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let sum = |v: &[u8]| v.par_iter().map(|&x| Some(x)).try_reduce(|| 0, |a, b| a.checked_add(b));
    /// assert_eq!(sum(&[1, 2, 3]), Some(6));
    /// assert_eq!(sum(&[100, 100, 100]), None);
    /// ```
    fn try_reduce<T, OP, ID>(self, identity: ID, op: OP) -> Self::Item
    where
        OP: Fn(T, T) -> Self::Item + Sync + Send,
        ID: Fn() -> T + Sync + Send,
        Self::Item: Try<Output = T>,
    {
        plain::run(self, &try_reduce::TryReduce::new(identity, op))
    }

    /// [`try_reduce`](Self::try_reduce) without an identity; `None` if there are no items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let items = ["1", "2", "x"];
    /// let max = items.par_iter().map(|s| s.parse::<i32>()).try_reduce_with(|a, b| Ok(a.max(b)));
    /// assert!(max.unwrap().is_err());
    /// ```
    fn try_reduce_with<T, OP>(self, op: OP) -> Option<Self::Item>
    where
        OP: Fn(T, T) -> Self::Item + Sync + Send,
        Self::Item: Try<Output = T>,
    {
        plain::run(self, &try_reduce::TryReduceWith::new(op))
    }

    /// Adds the items up.
    ///
    /// The order is that of the items, but how they are grouped depends on which pieces other threads took. That makes no difference for
    /// integers; sums of floats may differ in the last bits from run to run.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((1..=100u64).into_par_iter().sum::<u64>(), 5050);
    /// ```
    fn sum<S>(self) -> S
    where
        S: Send + Sum<Self::Item> + Sum<S>,
    {
        plain::run(self, &sinks::sum::SumEnd::<S>::new())
            .unwrap_or_else(|| std::iter::empty::<S>().sum())
    }

    /// Multiplies the items; grouped as in [`sum`](Self::sum).
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((1..=5u64).into_par_iter().product::<u64>(), 120);
    /// ```
    fn product<P>(self) -> P
    where
        P: Send + Product<Self::Item> + Product<P>,
    {
        plain::run(self, &sinks::sum::ProductEnd::<P>::new())
            .unwrap_or_else(|| std::iter::empty::<P>().product())
    }

    /// The least item, the first of them if there are several; `None` if there are no items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([3, 1, 2].par_iter().min(), Some(&1));
    /// ```
    fn min(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.reduce_with(reduce::smaller(Ord::cmp))
    }

    /// The least item by `f`, the first of them if there are several; `None` if there are no items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([3.0, -1.0].par_iter().min_by(|a: &&f64, b| a.total_cmp(b)), Some(&-1.0));
    /// ```
    fn min_by<F>(self, f: F) -> Option<Self::Item>
    where
        F: Sync + Send + Fn(&Self::Item, &Self::Item) -> Ordering,
    {
        self.reduce_with(reduce::smaller(f))
    }

    /// The item with the least key, the first of them if there are several; `None` if there are no items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([-3i32, 1, 2].par_iter().min_by_key(|x| x.abs()), Some(&1));
    /// ```
    fn min_by_key<K, F>(self, f: F) -> Option<Self::Item>
    where
        K: Ord + Send,
        F: Sync + Send + Fn(&Self::Item) -> K,
    {
        self.map(|item| (f(&item), item))
            .reduce_with(reduce::smaller(|a: &(K, _), b: &(K, _)| a.0.cmp(&b.0)))
            .map(|(_, item)| item)
    }

    /// The greatest item, the last of them if there are several; `None` if there are no items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([3, 1, 2].par_iter().max(), Some(&3));
    /// ```
    fn max(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.reduce_with(reduce::larger(Ord::cmp))
    }

    /// The greatest item by `f`, the last of them if there are several; `None` if there are no items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([3.0, -1.0].par_iter().max_by(|a: &&f64, b| a.total_cmp(b)), Some(&3.0));
    /// ```
    fn max_by<F>(self, f: F) -> Option<Self::Item>
    where
        F: Sync + Send + Fn(&Self::Item, &Self::Item) -> Ordering,
    {
        self.reduce_with(reduce::larger(f))
    }

    /// The item with the greatest key, the last of them if there are several; `None` if there are no items.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([-3i32, 1, 2].par_iter().max_by_key(|x| x.abs()), Some(&-3));
    /// ```
    fn max_by_key<K, F>(self, f: F) -> Option<Self::Item>
    where
        K: Ord + Send,
        F: Sync + Send + Fn(&Self::Item) -> K,
    {
        self.map(|item| (f(&item), item))
            .reduce_with(reduce::larger(|a: &(K, _), b: &(K, _)| a.0.cmp(&b.0)))
            .map(|(_, item)| item)
    }

    /// Some item that fits, whichever is found; the others stop soon after.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().find_any(|&i| i == 42), Some(42));
    /// ```
    fn find_any<P>(self, predicate: P) -> Option<Self::Item>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        self.find_map_any(|item| predicate(&item).then_some(item))
    }

    /// The first item that fits. Pieces behind the best hit so far are given up.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().find_first(|i| i % 42 == 41), Some(41));
    /// ```
    fn find_first<P>(self, predicate: P) -> Option<Self::Item>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        self.find_map_first(|item| predicate(&item).then_some(item))
    }

    /// The last item that fits. Pieces before the best hit so far are given up, and pieces are tried from the right.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().find_last(|i| i % 42 == 41), Some(83));
    /// ```
    fn find_last<P>(self, predicate: P) -> Option<Self::Item>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        self.find_map_last(|item| predicate(&item).then_some(item))
    }

    /// Something that `predicate` makes of an item, whichever is found; the others stop soon after.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!(["x", "7"].par_iter().find_map_any(|s| s.parse::<i32>().ok()), Some(7));
    /// ```
    fn find_map_any<P, R>(self, predicate: P) -> Option<R>
    where
        P: Fn(Self::Item) -> Option<R> + Sync + Send,
        R: Send,
    {
        plain::run(self, &find::FindAny::new(predicate))
    }

    /// What `predicate` makes of the first item for which it makes something.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!(["x", "7", "8"].par_iter().find_map_first(|s| s.parse::<i32>().ok()), Some(7));
    /// ```
    fn find_map_first<P, R>(self, predicate: P) -> Option<R>
    where
        P: Fn(Self::Item) -> Option<R> + Sync + Send,
        R: Send,
    {
        find_first::run(self, predicate, find_first::First)
    }

    /// What `predicate` makes of the last item for which it makes something.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!(["6", "7", "x"].par_iter().find_map_last(|s| s.parse::<i32>().ok()), Some(7));
    /// ```
    fn find_map_last<P, R>(self, predicate: P) -> Option<R>
    where
        P: Fn(Self::Item) -> Option<R> + Sync + Send,
        R: Send,
    {
        find_first::run(self, predicate, find_first::Last)
    }

    /// Whether `predicate` holds for some item; stops soon after the first one that is found.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert!([0, 1, 2].par_iter().any(|&x| x == 1));
    /// ```
    fn any<P>(self, predicate: P) -> bool
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.find_map_any(|item| predicate(item).then_some(())).is_some()
    }

    /// Whether `predicate` holds for all items; stops soon after the first one for which it does not.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert!([0, 1, 2].par_iter().all(|&x| x < 3));
    /// ```
    fn all<P>(self, predicate: P) -> bool
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        !self.any(|item| !predicate(item))
    }

    /// Makes a collection of the items, in their order.
    ///
    /// An iterator of known length is collected in place, with one allocation. Else each fold fills a vector of its own, one and one more
    /// for each piece that another thread took, and they are put together at the end.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let squares: Vec<u32> = (0..4u32).into_par_iter().map(|i| i * i).collect();
    /// assert_eq!(squares, [0, 1, 4, 9]);
    /// let all: Result<Vec<i32>, _> = ["1", "x"].par_iter().map(|s| s.parse::<i32>()).collect();
    /// assert!(all.is_err());
    /// ```
    fn collect<C>(self) -> C
    where
        C: FromParallelIterator<Self::Item>,
    {
        C::from_par_iter(self)
    }

    /// Makes two collections of the halves of pairs, in one pass.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (a, b): (Vec<i32>, Vec<i32>) = (0..3).into_par_iter().map(|i| (i, 10 * i)).unzip();
    /// assert_eq!((a, b), (vec![0, 1, 2], vec![0, 10, 20]));
    /// ```
    fn unzip<A, B, FromA, FromB>(self) -> (FromA, FromB)
    where
        Self: ParallelIterator<Item = (A, B)>,
        FromA: Default + Send + ParallelExtend<A>,
        FromB: Default + Send + ParallelExtend<B>,
        A: Send,
        B: Send,
    {
        unzip::deal(self, unzip::Unzip)
    }

    /// Makes two collections: of the items for which `predicate` holds, and of the others, each in order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (even, odd): (Vec<i32>, Vec<i32>) = (0..6).into_par_iter().partition(|i| i % 2 == 0);
    /// assert_eq!((even, odd), (vec![0, 2, 4], vec![1, 3, 5]));
    /// ```
    fn partition<A, B, P>(self, predicate: P) -> (A, B)
    where
        A: Default + Send + ParallelExtend<Self::Item>,
        B: Default + Send + ParallelExtend<Self::Item>,
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        unzip::deal(self, unzip::Partition(predicate))
    }

    /// Makes two collections of what `predicate` makes of the items, the lefts and the rights, each in order.
    ///
    /// ```
    /// use filch::{iter::Either, prelude::*};
    /// let (numbers, words): (Vec<i32>, Vec<&str>) = ["1", "x"].par_iter().partition_map(|&s| match s.parse() {
    ///     Ok(number) => Either::Left(number),
    ///     Err(_) => Either::Right(s),
    /// });
    /// assert_eq!((numbers, words), (vec![1], vec!["x"]));
    /// ```
    fn partition_map<A, B, P, L, R>(self, predicate: P) -> (A, B)
    where
        A: Default + Send + ParallelExtend<L>,
        B: Default + Send + ParallelExtend<R>,
        P: Fn(Self::Item) -> Either<L, R> + Sync + Send,
        L: Send,
        R: Send,
    {
        unzip::deal(self, unzip::PartitionMap(predicate))
    }

    /// Collects into a list of vectors, one for each fold, in order: for those who want to put them together themselves.
    ///
    /// There is one vector, and one more for each piece that another thread took; none is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let list = (0..100).into_par_iter().filter(|i| i % 2 == 0).collect_vec_list();
    /// let flat: Vec<i32> = list.into_iter().flatten().collect();
    /// assert_eq!(flat, (0..100).step_by(2).collect::<Vec<_>>());
    /// ```
    fn collect_vec_list(self) -> LinkedList<Vec<Self::Item>> {
        match self.opt_len() {
            Some(0) => LinkedList::new(),
            Some(_) => std::iter::once(self.collect()).collect(),
            None => sinks::collect::grow::collect_parts(self).into_iter().collect(),
        }
    }

    // ---- adaptors, per item ----

    /// Yields what `map_op` makes of each item.
    fn map<F, R>(self, map_op: F) -> Map<Self, F>
    where
        F: Fn(Self::Item) -> R + Sync + Send,
        R: Send,
    {
        Map::new(self, adapters::map::MapOp(map_op))
    }

    // ---- plumbing ----

    /// Feeds the items to `consumer`. Not for users; see [`plumbing`].
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<Self::Item>;

    /// The exact number of items, if it is known.
    fn opt_len(&self) -> Option<usize> {
        None
    }

    /// Feeds the items into a fold that is under way; `more` makes a consumer for what follows it. Not in rayon.
    ///
    /// The default closes the fold, drives a new consumer and puts the two results together. Sources and adaptors of this crate go on with
    /// the fold.
    fn drive_into<C, M>(self, folder: C::Folder, more: &M) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<Self::Item>,
        M: Fn() -> C,
    {
        let left = folder.complete();
        let consumer = more();
        let reducer = consumer.to_reducer();
        Folded::Closed(reducer.reduce(left, self.drive_unindexed(consumer)))
    }
}

/// A parallel iterator that knows how many items it has and can be cut anywhere.
pub trait IndexedParallelIterator: ParallelIterator {
    // ---- ends, indexed ----

    /// Replaces what is in `target` by the items, reusing its allocation.
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
        sinks::collect::place::collect_into(target, self, len);
    }

    /// Replaces what is in two vectors by the halves of pairs, reusing their allocations.
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

    /// The position of some item that fits, whichever is found; the others stop soon after.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([5, 6, 7].par_iter().position_any(|&x| x == 6), Some(1));
    /// ```
    fn position_any<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.enumerate().find_map_any(|(at, item)| predicate(item).then_some(at))
    }

    /// The position of the first item that fits.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([5, 6, 6].par_iter().position_first(|&x| x == 6), Some(1));
    /// ```
    fn position_first<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.enumerate().find_map_first(|(at, item)| predicate(item).then_some(at))
    }

    /// The position of the last item that fits.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([6, 6, 7].par_iter().position_last(|&x| x == 6), Some(1));
    /// ```
    fn position_last<P>(self, predicate: P) -> Option<usize>
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.enumerate().find_map_last(|(at, item)| predicate(item).then_some(at))
    }

    // ---- adaptors, indexed ----

    // ---- plumbing ----

    /// The number of items.
    fn len(&self) -> usize;

    /// Feeds the items to `consumer`. Not for users; see [`plumbing`].
    fn drive<C: Consumer<Self::Item>>(self, consumer: C) -> C::Result;

    /// Gives `callback` the producer behind this iterator. Not for users; see [`plumbing`].
    fn with_producer<CB: ProducerCallback<Self::Item>>(self, callback: CB) -> CB::Output;
}
