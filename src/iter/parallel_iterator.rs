//! What every parallel iterator can do.

use super::plumbing::{Folded, Length, RoundsCallback, UnindexedConsumer};
use super::sinks::{find, find_first, plain, reduce, try_reduce, unzip};
use super::try_trait::Try;
use super::{
    Chain, Cloned, Copied, Either, Filter, FilterMap, FlatMap, FlatMapIter, Flatten, FlattenIter,
    Fold, FoldWith, FromParallelIterator, Inspect, Intersperse, IntoParallelIterator, Map, MapInit,
    MapWith, PanicFuse, ParallelExtend, SkipAny, SkipAnyWhile, TakeAny, TakeAnyWhile, TryFold,
    TryFoldWith, Update, WhileSome, adapters, plumbing, sinks,
};
use std::cmp::Ordering;
use std::collections::LinkedList;
use std::convert::identity;
use std::iter::{Product, Sum};
use std::marker::PhantomData;

/// A loop whose items may be computed on several threads. It has most methods of [`Iterator`], and calls closures in any order.
///
/// Adaptors such as [`map`](Self::map) and [`filter`](Self::filter) are lazy: they allocate nothing and compute nothing. An *end* such as
/// [`sum`](Self::sum), [`collect`](Self::collect) or [`for_each`](Self::for_each) runs the whole chain, on the calling thread and on any other that has nothing to do, and
/// returns when all of it is done.
///
/// ```
/// use filch::prelude::*;
///
/// let words = ["steal", "work", "and", "run"];
/// let with_r = words.par_iter().filter(|word| word.contains('r'));
/// let longest = with_r.map(|word| word.len()).max();
/// assert_eq!(longest, Some(4));
/// ```
///
/// # How a loop is cut
///
#[doc = include_str!("../../docs/cut.svg")]
///
/// Pieces are cut by measured time. So it does not matter where the expensive items are, and a short loop stays on its caller. The first run of a loop is cut by count,
/// because nothing is known of it yet.
///
/// # What holds for all methods
///
/// - **Order.** Closures run in any order, on any thread. Results keep the order of the input: [`collect`](Self::collect), [`reduce`](Self::reduce) and
///   [`fold`](Self::fold) combine neighbours, left before right. Only methods with `any` in their name, and [`par_bridge`](crate::iter::ParallelBridge), give up the order.
/// - **Panics.** If a closure panics, the end panics with the same payload, once. Before that, all closures of the call that had begun have ended. Other closures may have run
///   meanwhile.
/// - **Cost.** [Work](crate::iter#work-and-span): what the sequential iterator does, and a few microseconds for each piece that another thread takes. Span: the most expensive item, plus O(log n) cuts and
///   reductions. Memory: nothing, unless the method says so. *n* is the number of items. A method that costs something else says so.
/// - **State.** [`map_init`](Self::map_init), [`fold`](Self::fold) and similar methods make one value for the call, and one more for each
///   piece that another thread took. Two kinds of ends make more. A search from the right, such as [`find_last`](Self::find_last), cuts pieces first, on one
///   thread, too, and each piece has a value. An end that may stop early, such as [`find_any`](Self::find_any), gets several values from a [`fold`](Self::fold),
///   so that it sees the first of them soon. For one value per thread see [`using`](crate::ext::ParallelUsing::using).
///
/// Methods that rayon does not have are in [`ext`](crate::ext). [`plumbing`] says how to write an iterator of your own.
#[diagnostic::on_unimplemented(
    note = "`par_iter()`, `par_iter_mut()` and `into_par_iter()` begin parallel iterators; an ordinary iterator becomes one by `par_bridge()`",
    note = "ranges of integers and `char` are parallel iterators; a range of floats is not: `map` one of integers",
    note = "items that are reached by `&` must be `Sync`, others must be `Send`, and so must what closures hold: `Arc` instead of `Rc`, a \
            `Mutex` or an atomic instead of a `Cell`"
)]
pub trait ParallelIterator: Sized + Send {
    /// What it yields.
    type Item: Send;

    // ---- ends ----

    /// Calls `op` on each item, in no particular order.
    ///
    /// Work: one call per item. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::atomic::{AtomicU32, Ordering};
    /// let sum = AtomicU32::new(0);
    /// (0..100u32).into_par_iter().for_each(|i| { sum.fetch_add(i, Ordering::Relaxed); });
    /// assert_eq!(sum.into_inner(), 4950);
    /// ```
    #[doc(alias("parallel_for", "parallel_for_each"))]
    fn for_each<OP>(self, op: OP)
    where
        OP: Fn(Self::Item) + Sync + Send,
    {
        plain::run(self, &sinks::for_each::ForEach(op))
    }

    /// Calls `op` on items until it fails for one, and returns a failure if there was any.
    ///
    /// After a failure, other threads stop soon. Timing decides which further items were seen, and which of several failures is returned.
    ///
    /// Work: at most one call per item. Nothing is allocated.
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
    /// Work: what it takes to make the items. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().filter(|i| i % 3 == 0).count(), 34);
    /// ```
    #[doc(alias("count_if"))]
    fn count(self) -> usize {
        plain::run(self, &reduce::Count)
    }

    /// Combines all items with `op`, beginning with `identity()`.
    ///
    /// `op` has to be associative, and `identity()` neutral to it: each fold begins with an identity. There is one fold, and one more for
    /// each piece that another thread took. `op` need not be commutative: items are combined in their order.
    ///
    /// Work: one call of `op` per item, and one for each piece that another thread took. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let text = ["a", "b", "c"].par_iter().map(|s| s.to_string()).reduce(String::new, |a, b| a + &b);
    /// assert_eq!(text, "abc");
    /// ```
    #[doc(alias("parallel_reduce", "transform_reduce"))]
    fn reduce<OP, ID>(self, identity: ID, op: OP) -> Self::Item
    where
        OP: Fn(Self::Item, Self::Item) -> Self::Item + Sync + Send,
        ID: Fn() -> Self::Item + Sync + Send,
    {
        let first = || Some(identity());
        plain::run(self, &reduce::Reduce { first, op }).unwrap_or_else(&identity)
    }

    /// Combines all items with `op`, an associative operation; `None` if there are none.
    ///
    /// Work: one call of `op` for each item but the first. Nothing is allocated.
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
        let first = || None;
        plain::run(self, &reduce::Reduce { first, op })
    }

    /// Combines the outputs of all items with a fallible `op`. Returns a failure if an item is one or `op` returns one.
    ///
    /// After a failure, other threads stop soon. Of the failures that were reached, the leftmost is returned.
    ///
    /// Work: at most one call of `op` per item, and one for each piece that another thread took. Nothing is allocated.
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
        let end = try_reduce::TryReduce::new(|| Some(identity()), op);
        plain::run(self, &end).unwrap_or_else(|| Self::Item::from_output(identity()))
    }

    /// [`try_reduce`](Self::try_reduce) without an identity; `None` if there are no items.
    ///
    /// It costs as much as [`try_reduce`](Self::try_reduce).
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
        plain::run(self, &try_reduce::TryReduce::new(|| None, op))
    }

    /// Adds the items up.
    ///
    /// Items are added in their order. How they are grouped depends on which pieces other threads took. That makes no difference for
    /// integers; sums of floats may differ in the last bits from run to run.
    ///
    /// The sum of `Option`s or `Result`s is the first failure, if there is one. Once a failure is found, other threads stop soon. They may have looked at
    /// items after it.
    ///
    /// Work: one addition per item, and one for each block and each piece that another thread took. Nothing is allocated, except a few
    /// words for each cut if the sum may fail.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((1..=100u64).into_par_iter().sum::<u64>(), 5050);
    /// let sum = |v: &[&str]| v.par_iter().map(|s| s.parse::<u32>().map_err(|_| s.to_string())).sum::<Result<u32, String>>();
    /// assert_eq!(sum(&["1", "2"]), Ok(3));
    /// assert_eq!(sum(&["1", "x", "2", "y"]), Err("x".to_string()));
    /// ```
    ///
    /// # Panics
    ///
    /// If integers overflow, as std's `sum` does: in a build with overflow checks.
    ///
    /// ```should_panic
    /// use filch::prelude::*;
    /// let n: u8 = [200u8, 100].par_iter().sum();
    /// println!("{n}");
    /// ```
    #[doc(alias("accumulate"))]
    fn sum<S>(self) -> S
    where
        S: Send + Sum<Self::Item> + Sum<S>,
    {
        sinks::sum::run::<sinks::sum::Adds, S, _>(self)
    }

    /// Multiplies the items; grouped as in [`sum`](Self::sum).
    ///
    /// Work: one multiplication per item, and as [`sum`](Self::sum) for the rest.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((1..=5u64).into_par_iter().product::<u64>(), 120);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`sum`](Self::sum).
    fn product<P>(self) -> P
    where
        P: Send + Product<Self::Item> + Product<P>,
    {
        sinks::sum::run::<sinks::sum::Multiplies, P, _>(self)
    }

    /// The least item, the first of them if there are several; `None` if there are no items.
    ///
    /// Work: one comparison for each item but the first. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([3, 1, 2].par_iter().min(), Some(&1));
    /// ```
    #[doc(alias("min_element"))]
    fn min(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.reduce_with(reduce::smaller(Ord::cmp))
    }

    /// The least item by `f`, the first of them if there are several; `None` if there are no items.
    ///
    /// Work: one call of `f` for each item but the first. Nothing is allocated.
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
    /// Work: one call of `f` per item, and one comparison of keys for each item but the first. Nothing is allocated.
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
    /// Work: one comparison for each item but the first. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!([3, 1, 2].par_iter().max(), Some(&3));
    /// ```
    #[doc(alias("max_element"))]
    fn max(self) -> Option<Self::Item>
    where
        Self::Item: Ord,
    {
        self.reduce_with(reduce::larger(Ord::cmp))
    }

    /// The greatest item by `f`, the last of them if there are several; `None` if there are no items.
    ///
    /// Work: one call of `f` for each item but the first. Nothing is allocated.
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
    /// Work: one call of `f` per item, and one comparison of keys for each item but the first. Nothing is allocated.
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

    /// Returns an item for which `predicate` holds: any of them. Other threads stop soon after it is found.
    ///
    /// Work: at most one call of `predicate` per item. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().find_any(|&i| i == 42), Some(42));
    /// ```
    #[doc(alias("find_if"))]
    fn find_any<P>(self, predicate: P) -> Option<Self::Item>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        self.find_map_any(move |item| predicate(&item).then_some(item))
    }

    /// The first item for which `predicate` holds. Pieces behind the best hit so far are given up.
    ///
    /// Work: at most one call of `predicate` per item; items behind the first hit may be tried too. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().find_first(|i| i % 42 == 41), Some(41));
    /// ```
    #[doc(alias("find_if", "find"))]
    fn find_first<P>(self, predicate: P) -> Option<Self::Item>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        self.find_map_first(move |item| predicate(&item).then_some(item))
    }

    /// The last item for which `predicate` holds. Pieces before the best hit so far are given up, and pieces are tried from the right.
    ///
    /// Work: at most one call of `predicate` per item; items before the last hit may be tried too. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert_eq!((0..100).into_par_iter().find_last(|i| i % 42 == 41), Some(83));
    /// ```
    fn find_last<P>(self, predicate: P) -> Option<Self::Item>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        self.find_map_last(move |item| predicate(&item).then_some(item))
    }

    /// Returns a value that `predicate` makes of an item: any of them. Other threads stop soon after it is found.
    ///
    /// Work: at most one call of `predicate` per item. Nothing is allocated.
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

    /// The first value that `predicate` makes, in the order of the items.
    ///
    /// Work: at most one call of `predicate` per item; items behind the first hit may be tried too. Nothing is allocated.
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
        find_first::first(self, predicate)
    }

    /// The last value that `predicate` makes, in the order of the items.
    ///
    /// Work: at most one call of `predicate` per item; items before the last hit may be tried too. Nothing is allocated.
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
        find_first::last(self, predicate)
    }

    /// Whether `predicate` holds for some item; stops soon after the first one that is found.
    ///
    /// Work: at most one call of `predicate` per item. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert!([0, 1, 2].par_iter().any(|&x| x == 1));
    /// ```
    #[doc(alias("any_of"))]
    fn any<P>(self, predicate: P) -> bool
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        self.find_map_any(move |item| predicate(item).then_some(()))
            .is_some()
    }

    /// Whether `predicate` holds for all items; stops soon after the first one for which it does not.
    ///
    /// Work: at most one call of `predicate` per item. Nothing is allocated.
    ///
    /// ```
    /// use filch::prelude::*;
    /// assert!([0, 1, 2].par_iter().all(|&x| x < 3));
    /// ```
    #[doc(alias("all_of"))]
    fn all<P>(self, predicate: P) -> bool
    where
        P: Fn(Self::Item) -> bool + Sync + Send,
    {
        !self.any(|item| !predicate(item))
    }

    /// Makes a collection of the items, in their order.
    ///
    /// A `Vec` of known length is filled in place, with one allocation. So is what is made from a `Vec`: a boxed slice, a `VecDeque`, a `BinaryHeap`. (`Rc` and
    /// `Arc` of a slice copy it.) If the length is unknown, each fold fills a vector, and the vectors are joined at the end. There is one fold, and one
    /// more for each piece that another thread took.
    ///
    /// A hash map, hash set or `LinkedList` gets its items from the first fold at once. The other folds fill vectors, and one thread at a time adds their items.
    /// A B-tree is built from one sorted `Vec`.
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
    /// Lengths that are known make one allocation for each vector. Otherwise each fold fills two collections, which are combined at the
    /// end.
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
    /// Each fold fills two collections, which are combined at the end. Work: one call of `predicate` per item.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (even, odd): (Vec<i32>, Vec<i32>) = (0..6).into_par_iter().partition(|i| i % 2 == 0);
    /// assert_eq!((even, odd), (vec![0, 2, 4], vec![1, 3, 5]));
    /// ```
    #[doc(alias("partition_copy"))]
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
    /// Each fold fills two collections, which are combined at the end. Work: one call of `predicate` per item.
    ///
    /// ```
    /// use filch::{iter::Either, prelude::*};
    /// let (numbers, words): (Vec<i32>, Vec<&str>) = ["1", "x"].par_iter().partition_map(|&s| match s.parse::<i32>() {
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

    /// Collects into a list of vectors, in order. Use it to combine the vectors yourself.
    ///
    /// If the length is known, the list has one vector. Otherwise it has one, and one more for each piece that another thread took. No vector is empty.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let list = (0..100).into_par_iter().filter(|i| i % 2 == 0).collect_vec_list();
    /// let flat: Vec<i32> = list.into_iter().flatten().collect();
    /// assert_eq!(flat, (0..100).step_by(2).collect::<Vec<_>>());
    /// ```
    fn collect_vec_list(self) -> LinkedList<Vec<Self::Item>> {
        match self.opt_len() {
            Some(_) => {
                let items: Vec<_> = self.collect();
                let some = (!items.is_empty()).then_some(items);
                some.into_iter().collect()
            }
            None => sinks::collect::grow::collect_parts(self).into_list(),
        }
    }

    // ---- adaptors, per item ----

    /// Calls `op` on a value and each item; each piece has a clone of `init` for the value.
    ///
    /// `init` is cloned when a piece is cut off for another thread, not for each item. So it suits buffers and the senders of channels. The
    /// order of the calls is unspecified.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::mpsc::channel;
    ///
    /// let (sender, receiver) = channel();
    /// (0..5).into_par_iter().for_each_with(sender, |sender, i| sender.send(i * i).unwrap());
    /// let mut squares: Vec<i32> = receiver.iter().collect();
    /// squares.sort();
    /// assert_eq!(squares, [0, 1, 4, 9, 16]);
    /// ```
    fn for_each_with<OP, T>(self, init: T, op: OP)
    where
        OP: Fn(&mut T, Self::Item) + Sync + Send,
        T: Send + Clone,
    {
        self.map_with(init, op).for_each(|()| ());
    }

    /// Calls `op` on a value and each item; each piece has a value that `init` made.
    ///
    /// `init` is called once for the call, and once more for each piece that another thread takes. A value stays on its thread, so it needs
    /// to be neither `Send` nor `Sync`. The order of the calls is unspecified.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// let letters = AtomicUsize::new(0);
    /// (0..100).into_par_iter().for_each_init(String::new, |buffer, i: u32| {
    ///     use std::fmt::Write;
    ///     buffer.clear();
    ///     write!(buffer, "{i}").unwrap();
    ///     letters.fetch_add(buffer.len(), Ordering::Relaxed);
    /// });
    /// assert_eq!(letters.into_inner(), 10 + 2 * 90);
    /// ```
    #[doc(alias("enumerable_thread_specific"))]
    fn for_each_init<OP, INIT, T>(self, init: INIT, op: OP)
    where
        OP: Fn(&mut T, Self::Item) + Sync + Send,
        INIT: Fn() -> T + Sync + Send,
    {
        self.map_init(init, op).for_each(|()| ());
    }

    /// Calls `op` on a value and each item until one call fails, and returns a failure if there was one; each piece has a clone of `init` for
    /// the value.
    ///
    /// Of several failures, any may be returned. Other threads stop soon after the first one; calls that had begun are finished.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::mpsc::channel;
    ///
    /// let (sender, receiver) = channel();
    /// (0..5)
    ///     .into_par_iter()
    ///     .try_for_each_with(sender, |sender, i| sender.send(i))
    ///     .expect("the receiver is still there");
    /// assert_eq!(receiver.iter().sum::<i32>(), 10);
    /// ```
    fn try_for_each_with<OP, T, R>(self, init: T, op: OP) -> R
    where
        OP: Fn(&mut T, Self::Item) -> R + Sync + Send,
        T: Send + Clone,
        R: Try<Output = ()> + Send,
    {
        self.map_with(init, op).try_for_each(identity)
    }

    /// Calls `op` on a value and each item until one call fails, and returns a failure if there was one; each piece has a
    /// value that `init` made (see [`for_each_init`](Self::for_each_init)).
    ///
    /// Of several failures, any may be returned. Other threads stop soon after the first one; calls that had begun are finished.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let words = ["1", "2", "x"];
    /// let parsed = words.par_iter().try_for_each_init(String::new, |buffer, word| {
    ///     buffer.clear();
    ///     buffer.push_str(word);
    ///     buffer.parse::<u8>().map(|_| ())
    /// });
    /// assert!(parsed.is_err());
    /// ```
    fn try_for_each_init<OP, INIT, T, R>(self, init: INIT, op: OP) -> R
    where
        OP: Fn(&mut T, Self::Item) -> R + Sync + Send,
        INIT: Fn() -> T + Sync + Send,
        R: Try<Output = ()> + Send,
    {
        self.map_init(init, op).try_for_each(identity)
    }

    /// Yields what `map_op` makes of each item.
    ///
    /// Lazy; keeps order and length. The order of the calls is unspecified.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let squares: Vec<u32> = (0..5u32).into_par_iter().map(|i| i * i).collect();
    /// assert_eq!(squares, [0, 1, 4, 9, 16]);
    /// ```
    #[doc(alias("transform"))]
    fn map<F, R>(self, map_op: F) -> Map<Self, F>
    where
        F: Fn(Self::Item) -> R + Sync + Send,
        R: Send,
    {
        Map::new(self, adapters::map::MapOp(map_op))
    }

    /// Yields what `map_op` makes of a value and each item; each piece has a clone of `init` for the value.
    ///
    /// Lazy; keeps order and length. What `map_op` does to its value is seen by later calls with the same clone. The number of clones is
    /// unspecified. So use the value as a buffer, a sender and the like; results should not depend on it.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let lengths: Vec<usize> = (0..12)
    ///     .into_par_iter()
    ///     .map_with(String::new(), |buffer, i: u32| {
    ///         use std::fmt::Write;
    ///         buffer.clear();
    ///         write!(buffer, "{i}").unwrap();
    ///         buffer.len()
    ///     })
    ///     .collect();
    /// assert_eq!(lengths, [1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2]);
    /// ```
    fn map_with<F, T, R>(self, init: T, map_op: F) -> MapWith<Self, T, F>
    where
        F: Fn(&mut T, Self::Item) -> R + Sync + Send,
        T: Send + Clone,
        R: Send,
    {
        MapWith::new(self, init, map_op)
    }

    /// Yields what `map_op` makes of a value and each item; each piece has a value that `init` made.
    ///
    /// Lazy; keeps order and length. `init` is called once for the call, and once more for each piece that another thread takes; a thread
    /// that takes three pieces makes three values. A chain that needs positions after this (such as `rev` or `zip`) is cut into a few parts
    /// for each thread beforehand, and calls `init` for each. A search from the right (such as [`find_last`](Self::find_last)) is cut beforehand, too, also on
    /// one thread, and calls `init` for each part that it looks at. The value needs to be neither `Send` nor `Sync`.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::cell::Cell;
    ///
    /// let doubled: Vec<u32> = (0..5u32)
    ///     .into_par_iter()
    ///     .map_init(|| Cell::new(0), |scratch, i| {
    ///         scratch.set(i);
    ///         scratch.get() * 2
    ///     })
    ///     .collect();
    /// assert_eq!(doubled, [0, 2, 4, 6, 8]);
    /// ```
    #[doc(alias("thread_local", "enumerable_thread_specific"))]
    fn map_init<F, INIT, T, R>(self, init: INIT, map_op: F) -> MapInit<Self, INIT, F>
    where
        F: Fn(&mut T, Self::Item) -> R + Sync + Send,
        INIT: Fn() -> T + Sync + Send,
        R: Send,
    {
        MapInit::new(self, init, map_op)
    }

    /// Yields clones of the values behind the references that this iterator yields.
    ///
    /// Lazy; keeps order and length. For items that are [`Copy`], see [`copied`](Self::copied).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let names = ["ann".to_string(), "bob".to_string()];
    /// let copies: Vec<String> = names.par_iter().cloned().collect();
    /// assert_eq!(copies, names);
    /// ```
    fn cloned<'a, T>(self) -> Cloned<Self>
    where
        T: 'a + Clone + Send,
        Self: ParallelIterator<Item = &'a T>,
    {
        Cloned::new(self)
    }

    /// Yields copies of the values behind the references that this iterator yields.
    ///
    /// Lazy; keeps order and length.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let v = [1, 2, 3];
    /// assert_eq!(v.par_iter().copied().map(|x| x + 1).sum::<i32>(), 9);
    /// ```
    fn copied<'a, T>(self) -> Copied<Self>
    where
        T: 'a + Copy + Send,
        Self: ParallelIterator<Item = &'a T>,
    {
        Copied::new(self)
    }

    /// Shows each item to `inspect_op` and yields it unchanged.
    ///
    /// Lazy; keeps order and length. The order of the calls is unspecified. Each call runs on the thread that handles the item.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// let seen = AtomicUsize::new(0);
    /// let even = (0..10)
    ///     .into_par_iter()
    ///     .inspect(|_| {
    ///         seen.fetch_add(1, Ordering::Relaxed);
    ///     })
    ///     .filter(|i| i % 2 == 0)
    ///     .count();
    /// assert_eq!((even, seen.into_inner()), (5, 10));
    /// ```
    fn inspect<OP>(self, inspect_op: OP) -> Inspect<Self, OP>
    where
        OP: Fn(&Self::Item) + Sync + Send,
    {
        Inspect::new(self, inspect_op)
    }

    /// Lets `update_op` change each item, then yields it.
    ///
    /// Lazy; keeps order and length. Unlike the closure of `map`, `update_op` need not return the item.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let rows: Vec<Vec<u32>> = vec![vec![3, 1], vec![2, 0]];
    /// let sorted: Vec<Vec<u32>> = rows.into_par_iter().update(|row| row.sort()).collect();
    /// assert_eq!(sorted, [[1, 3], [0, 2]]);
    /// ```
    fn update<F>(self, update_op: F) -> Update<Self, F>
    where
        F: Fn(&mut Self::Item) + Sync + Send,
    {
        Update::new(self, update_op)
    }

    /// Yields the items for which `filter_op` returns `true`.
    ///
    /// Lazy; keeps order. The number of items is unknown beforehand, so the result has no indexed methods.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let even: Vec<i32> = (0..10).into_par_iter().filter(|i| i % 2 == 0).collect();
    /// assert_eq!(even, [0, 2, 4, 6, 8]);
    /// ```
    #[doc(alias("copy_if", "remove_if"))]
    fn filter<P>(self, filter_op: P) -> Filter<Self, P>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        Filter::new(self, adapters::filter::FilterOp(filter_op))
    }

    /// Yields the values inside the `Some`s that `filter_op` returns.
    ///
    /// Lazy; keeps order. The number of items is unknown beforehand, so the result has no indexed methods.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let numbers: Vec<u32> = ["1", "two", "3"]
    ///     .par_iter()
    ///     .filter_map(|word| word.parse().ok())
    ///     .collect();
    /// assert_eq!(numbers, [1, 3]);
    /// ```
    fn filter_map<P, R>(self, filter_op: P) -> FilterMap<Self, P>
    where
        P: Fn(Self::Item) -> Option<R> + Sync + Send,
        R: Send,
    {
        FilterMap::new(self, adapters::filter::FilterMapOp(filter_op))
    }

    /// Yields everything from the parallel iterators that `map_op` makes of the items, one after the other.
    ///
    /// Lazy; keeps order. The inner iterators are split among threads too, so this suits few items that each become many. If each becomes
    /// only a few, [`flat_map_iter`](Self::flat_map_iter) is cheaper.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let pairs: Vec<(u32, u32)> = (0..4u32)
    ///     .into_par_iter()
    ///     .flat_map(|i| (0..i).into_par_iter().map(move |j| (i, j)))
    ///     .collect();
    /// assert_eq!(pairs, [(1, 0), (2, 0), (2, 1), (3, 0), (3, 1), (3, 2)]);
    /// ```
    fn flat_map<F, PI>(self, map_op: F) -> FlatMap<Self, F>
    where
        F: Fn(Self::Item) -> PI + Sync + Send,
        PI: IntoParallelIterator,
    {
        FlatMap::new(self, adapters::map::MapOp(map_op))
    }

    /// Yields everything from the sequential iterators that `map_op` makes of the items, one after the other.
    ///
    /// Lazy; keeps order. Only the items are split among threads. Each inner iterator runs on one thread, so it needs to be neither `Send`
    /// nor splittable.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let words: Vec<&str> = ["a b", "c"]
    ///     .par_iter()
    ///     .flat_map_iter(|line| line.split(' '))
    ///     .collect();
    /// assert_eq!(words, ["a", "b", "c"]);
    /// ```
    fn flat_map_iter<F, SI>(self, map_op: F) -> FlatMapIter<Self, F>
    where
        F: Fn(Self::Item) -> SI + Sync + Send,
        SI: IntoIterator<Item: Send>,
    {
        FlatMapIter::new(self, map_op)
    }

    /// Turns each item into a parallel iterator, and yields everything from these, one after the other.
    ///
    /// Lazy; keeps order. The inner iterators are split among threads too; where they are short,
    /// [`flatten_iter`](Self::flatten_iter) is cheaper.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let rows = vec![vec![1, 2], vec![], vec![3]];
    /// let all: Vec<i32> = rows.into_par_iter().flatten().collect();
    /// assert_eq!(all, [1, 2, 3]);
    /// ```
    fn flatten(self) -> Flatten<Self>
    where
        Self::Item: IntoParallelIterator,
    {
        Flatten::new(self)
    }

    /// Turns each item into a sequential iterator, and yields everything from these, one after the other.
    ///
    /// Lazy; keeps order. Only the items are split among threads. Each inner iterator runs on one thread.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let found: Vec<Option<u32>> = vec![Some(1), None, Some(3)];
    /// let numbers: Vec<u32> = found.into_par_iter().flatten_iter().collect();
    /// assert_eq!(numbers, [1, 3]);
    /// ```
    fn flatten_iter(self) -> FlattenIter<Self>
    where
        Self::Item: IntoIterator<Item: Send>,
    {
        FlattenIter::new(self)
    }

    /// Folds pieces of the items with `fold_op`, each beginning with an `identity()`, and yields the result of each.
    ///
    /// Lazy; keeps order. Usually there is one piece, and one more for each that another thread takes. So a `reduce` or `sum` after it has
    /// little to do. Before an end that may stop early, such as [`find_any`](Self::find_any) or [`try_reduce`](Self::try_reduce), a piece ends after 63 items at
    /// the latest, and each later one after twice as many as the one before. So the end sees a result soon. But a
    /// [minimum length](super::IndexedParallelIterator::with_min_len) of more than 1 comes first: then pieces are as long as in front of other ends. The final result must not depend on where the pieces end.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let longest = ["a", "ccc", "bb"]
    ///     .par_iter()
    ///     .fold(|| 0, |longest, word| word.len().max(longest))
    ///     .max();
    /// assert_eq!(longest, Some(3));
    /// ```
    #[doc(alias("accumulate", "combinable"))]
    fn fold<T, ID, F>(self, identity: ID, fold_op: F) -> Fold<Self, ID, F>
    where
        F: Fn(T, Self::Item) -> T + Sync + Send,
        ID: Fn() -> T + Sync + Send,
        T: Send,
    {
        Fold::new(self, identity, fold_op)
    }

    /// Folds pieces of the items with `fold_op`, each beginning with a clone of `init`, and yields the result of each.
    ///
    /// As [`fold`](Self::fold), but clones a value instead of calling a closure.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let bits = [1u32, 4, 2].par_iter().fold_with(0, |bits, x| bits | x).sum::<u32>();
    /// assert_eq!(bits, 7);
    /// ```
    fn fold_with<F, T>(self, init: T, fold_op: F) -> FoldWith<Self, T, F>
    where
        F: Fn(T, Self::Item) -> T + Sync + Send,
        T: Send + Clone,
    {
        FoldWith::new(self, init, fold_op)
    }

    /// Folds pieces of the items with `fold_op`, which may fail, and yields the result of each, or its failure.
    ///
    /// Lazy; keeps order. A piece ends at its first failure. Other pieces go on, unless a later method stops them, as
    /// [`try_reduce`](Self::try_reduce) does.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let add = |sum: u8, x: u8| sum.checked_add(x);
    /// let sum = |v: &[u8]| v.par_iter().copied().try_fold(|| 0, add).try_reduce(|| 0, add);
    /// assert_eq!(sum(&[100, 50]), Some(150));
    /// assert_eq!(sum(&[100, 150, 50]), None);
    /// ```
    fn try_fold<T, R, ID, F>(self, identity: ID, fold_op: F) -> TryFold<Self, R, ID, F>
    where
        F: Fn(T, Self::Item) -> R + Sync + Send,
        ID: Fn() -> T + Sync + Send,
        R: Try<Output = T> + Send,
    {
        TryFold::new(self, identity, fold_op, PhantomData)
    }

    /// Folds pieces of the items with `fold_op`, which may fail, each beginning with a clone of `init`. Yields the result of each, or its
    /// failure.
    ///
    /// As [`try_fold`](Self::try_fold), but clones a value instead of calling a closure.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let add = |sum: u8, x: u8| sum.checked_add(x);
    /// let sum = |v: &[u8]| v.par_iter().copied().try_fold_with(0, add).try_reduce(|| 0, add);
    /// assert_eq!(sum(&[100, 50]), Some(150));
    /// assert_eq!(sum(&[100, 150, 50]), None);
    /// ```
    fn try_fold_with<F, T, R>(self, init: T, fold_op: F) -> TryFoldWith<Self, R, F>
    where
        F: Fn(T, Self::Item) -> R + Sync + Send,
        R: Try<Output = T> + Send,
        T: Clone + Send,
    {
        TryFoldWith::new(self, init, fold_op)
    }

    /// Yields the values inside the `Some`s, until any thread meets a `None`.
    ///
    /// Lazy; keeps order. All threads stop soon after the first `None` that any of them meets. So items after it may have been yielded, and
    /// items before it may be missing. Unlike a sequential `map_while`, this is for cases where a `None` makes the whole result useless.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// let calls = AtomicUsize::new(0);
    /// let sum: u32 = (0..1000u32)
    ///     .into_par_iter()
    ///     .map(|i| (i < 500).then_some(i))
    ///     .while_some()
    ///     .inspect(|_| {
    ///         calls.fetch_add(1, Ordering::Relaxed);
    ///     })
    ///     .sum();
    /// assert!(sum <= (0..500).sum());
    /// assert!(calls.into_inner() <= 500);
    /// ```
    fn while_some<T>(self) -> WhileSome<Self>
    where
        Self: ParallelIterator<Item = Option<T>>,
        T: Send,
    {
        WhileSome::new(self)
    }

    /// Makes all threads stop soon after one of them panics.
    ///
    /// A panic always reaches the caller. Without this, the other threads first finish all the work that they find, which may take long. This
    /// costs a look at a shared flag for each item. Keeps order and length. After a panic items are missing, but then there is no result.
    ///
    /// Put it behind `rev`, `zip`, `enumerate` and `array_chunks`, as far as there are any. Where pairs are taken from the back (`zip` or `enumerate`, then `rev`) or
    /// arrays of items (`array_chunks`) behind it, a piece that stops early may panic by itself, and the call may end with that panic.
    ///
    /// ```should_panic
    /// use filch::prelude::*;
    ///
    /// (0..1_000_000)
    ///     .into_par_iter()
    ///     .panic_fuse()
    ///     .for_each(|i| assert_ne!(i, 17));
    /// ```
    fn panic_fuse(self) -> PanicFuse<Self> {
        PanicFuse::new(self)
    }

    /// Puts clones of `element` between the items.
    ///
    /// Lazy; keeps order. There is exactly one clone between two items, and none before the first or after the last. Each cut makes one more
    /// clone, which is not yielded. If the length is unknown, a clone between the pieces of two threads is a piece by itself: a [`fold`](Self::fold)
    /// may see nothing else.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let v: Vec<i32> = vec![1, 2, 3].into_par_iter().intersperse(0).collect();
    /// assert_eq!(v, [1, 0, 2, 0, 3]);
    /// ```
    ///
    /// # Panics
    ///
    /// If the length is asked for and is more than `usize::MAX`.
    fn intersperse(self, element: Self::Item) -> Intersperse<Self>
    where
        Self::Item: Clone,
    {
        Intersperse::new(self, element)
    }

    /// Yields any `n` items: those that come first in time. Yields all if there are fewer.
    ///
    /// Lazy; keeps order. To get the first items by position, see [`take`](super::IndexedParallelIterator::take).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let some: Vec<u32> = (0..1000u32)
    ///     .into_par_iter()
    ///     .filter(|i| i % 2 == 0)
    ///     .take_any(5)
    ///     .collect();
    /// assert_eq!(some.len(), 5);
    /// assert!(some.is_sorted());
    /// ```
    fn take_any(self, n: usize) -> TakeAny<Self> {
        TakeAny::new(self, n)
    }

    /// Leaves out any `n` items: those that come first in time. Leaves out all if there are fewer.
    ///
    /// Lazy; keeps order. To leave out the first items by position, see [`skip`](super::IndexedParallelIterator::skip).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let most: Vec<u32> = (0..1000u32)
    ///     .into_par_iter()
    ///     .filter(|i| i % 2 == 0)
    ///     .skip_any(5)
    ///     .collect();
    /// assert_eq!(most.len(), 495);
    /// assert!(most.is_sorted());
    /// ```
    fn skip_any(self, n: usize) -> SkipAny<Self> {
        SkipAny::new(self, n)
    }

    /// Yields items until `predicate` returns `false` on any thread.
    ///
    /// Lazy; keeps order. All threads stop soon after. So items that `predicate` would accept may be missing.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let some: Vec<u32> = (0..1000u32).into_par_iter().take_any_while(|i| *i < 500).collect();
    /// assert!(some.len() <= 500);
    /// assert!(some.iter().all(|i| *i < 500) && some.is_sorted());
    /// ```
    fn take_any_while<P>(self, predicate: P) -> TakeAnyWhile<Self, P>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        TakeAnyWhile::new(self, predicate)
    }

    /// Leaves out items until `predicate` returns `false` on any thread.
    ///
    /// Lazy; keeps order. All threads stop leaving out items soon after. So items that `predicate` would accept may be yielded.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let most: Vec<u32> = (0..1000u32).into_par_iter().skip_any_while(|i| *i < 500).collect();
    /// assert!(most.len() >= 500);
    /// assert!(most.is_sorted() && most.ends_with(&[998, 999]));
    /// ```
    fn skip_any_while<P>(self, predicate: P) -> SkipAnyWhile<Self, P>
    where
        P: Fn(&Self::Item) -> bool + Sync + Send,
    {
        SkipAnyWhile::new(self, predicate)
    }

    // ---- adaptors, chain ----

    /// Yields the items of this iterator, then those of another one.
    ///
    /// Both parts are driven in parallel. If both are indexed, so is the chain.
    ///
    /// Lazy; keeps order.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let all: Vec<i32> = (0..3).into_par_iter().chain(vec![10, 20]).collect();
    /// assert_eq!(all, [0, 1, 2, 10, 20]);
    /// ```
    ///
    /// # Panics
    ///
    /// If both are indexed and have more than `usize::MAX` items together; when the length is asked for.
    fn chain<C>(self, chain: C) -> Chain<Self, C::Iter>
    where
        C: IntoParallelIterator<Item = Self::Item>,
    {
        Chain::new(self, chain.into_par_iter())
    }

    // ---- plumbing ----

    /// Feeds the items to `consumer`. Not for users; see [`plumbing`].
    ///
    /// ```
    #[doc = include_str!("plumbing/sum.txt")]
    /// use filch::prelude::*;
    ///
    /// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
    /// assert_eq!((0..100u64).into_par_iter().drive_unindexed(Sum), 4950);
    /// ```
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<Self::Item>;

    /// The exact number of items, if it is known.
    ///
    /// `Some` for an indexed iterator, and `None` where it depends on the items, as behind a `filter`. Makes no item.
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let numbers = (0..100).into_par_iter();
    /// assert_eq!(numbers.opt_len(), Some(100));
    /// assert_eq!(numbers.filter(|n| n % 2 == 0).opt_len(), None);
    /// ```
    fn opt_len(&self) -> Option<usize> {
        None
    }

    /// Whether `opt_len` says `Some`, if the type tells.
    #[doc(hidden)]
    const OPT_LEN: Length = Length::Sometimes;

    /// Feeds the items to a fold that is running on this thread. Not in rayon.
    ///
    /// `C` is the consumer that the fold began with. To drive the items in parallel, more consumers are split off the fold by
    /// [`split_folder`](plumbing::Consumer::split_folder). So this is called only where [`SPLITS_LIVE`](plumbing::Consumer::SPLITS_LIVE) says
    /// that the fold can be split.
    ///
    /// The default ends the fold, drives the items to another consumer, and combines the two results. Sources and adaptors of this crate go
    /// on with the fold.
    ///
    /// ```
    #[doc = include_str!("plumbing/sum.txt")]
    /// use filch::iter::plumbing::Folded;
    /// use filch::prelude::*;
    ///
    /// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
    /// let begun = Sum.into_folder().consume(50);
    /// let sum = match (0..100u64).into_par_iter().drive_into::<Sum>(begun) {
    ///     Folded::Live(folder) => folder.complete(),
    ///     Folded::Closed(sum) => sum,
    /// };
    /// assert_eq!(sum, 5000);
    /// ```
    ///
    /// # Panics
    ///
    /// If the consumer cannot split a running fold.
    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<Self::Item>,
    {
        plumbing::apart::<C, _>(folder, |consumer| self.drive_unindexed(consumer))
    }

    /// Hands itself to a callback as a source that is driven round by round, from the front. Not in rayon.
    ///
    /// The default is one round that holds everything. Adaptors that treat each item by itself wrap the source of their base, and a chain has the rounds of its parts.
    ///
    /// ```
    #[doc = include_str!("plumbing/sum.txt")]
    /// use filch::iter::plumbing::{RoundSource, RoundsCallback};
    /// use filch::prelude::*;
    ///
    /// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
    /// struct FirstTen;
    /// impl RoundsCallback<u64> for FirstTen {
    ///     type Output = Option<u64>;
    ///     fn callback<S: RoundSource<Item = u64>>(self, mut source: S) -> Option<u64> {
    ///         source.round(10, Sum)
    ///     }
    /// }
    /// assert_eq!((0..100u64).into_par_iter().with_rounds(FirstTen), Some(45));
    /// ```
    fn with_rounds<CB>(self, callback: CB) -> CB::Output
    where
        CB: RoundsCallback<Self::Item>,
    {
        callback.callback(plumbing::Whole(Some(self)))
    }
}
