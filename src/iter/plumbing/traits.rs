//! The traits by which sources, adaptors and ends work together.
//!
//! Names and required items are rayon's, so implementations written for rayon compile. The provided methods make the driver adaptive. Their
//! defaults are safe: an implementation that does not override them is cut before it is folded, and each piece is folded whole.

/// A splittable sequence of known length.
///
/// ```
#[doc = include_str!("sum.txt")]
/// use filch::iter::plumbing::Producer;
/// use std::ops::Range;
///
/// /// The squares of a range.
/// struct Squares(Range<u64>);
/// impl Producer for Squares {
///     type Item = u64;
///     type IntoIter = std::iter::Map<Range<usize>, fn(usize) -> u64>;
///     fn into_iter(self) -> Self::IntoIter {
///         (self.0.start as usize..self.0.end as usize).map(|n| (n * n) as u64)
///     }
///     fn split_at(self, index: usize) -> (Self, Self) {
///         let middle = self.0.start + index as u64;
///         (Squares(self.0.start..middle), Squares(middle..self.0.end))
///     }
///     // Splitting costs next to nothing, so a fold may stop between items. Not in rayon.
///     const CAN_PAUSE: bool = true;
/// }
/// let (left, right) = Squares(0..5).split_at(2);
/// assert!(left.into_iter().eq([0, 1]));
/// assert_eq!((right.min_len(), right.max_len()), (1, usize::MAX));
/// assert_eq!(right.fold_with(Sum.into_folder()).complete(), 4 + 9 + 16);
/// ```
pub trait Producer: Send + Sized {
    /// What it produces.
    type Item;
    /// What it becomes when it is no longer split.
    type IntoIter: Iterator<Item = Self::Item> + DoubleEndedIterator + ExactSizeIterator;

    /// Becomes an ordinary iterator.
    fn into_iter(self) -> Self::IntoIter;

    /// The fewest items that a piece should have.
    fn min_len(&self) -> usize {
        1
    }

    /// The most items that a piece may have.
    fn max_len(&self) -> usize {
        usize::MAX
    }

    /// Whether [`max_len`](Self::max_len) may be less than `usize::MAX`. Not in rayon.
    ///
    /// If it cannot, less code is compiled. A producer that wraps another one says what the inner one says.
    const BOUNDED: bool = true;

    /// Whether results must be combined in a way that depends on the length alone. Not in rayon.
    ///
    /// A producer that wraps another one says what the inner one says.
    const REPRODUCIBLE: bool = false;

    /// Whether a split costs next to nothing and has no other effect, such as making a new state. Not in rayon.
    ///
    /// If so, a fold is stopped every few microseconds, by a split after the next items, to see whether another thread wants some of the
    /// rest. Other producers are split beforehand, into a few pieces for each thread, and each piece is folded whole. A producer that wraps
    /// another one says what the inner one says.
    const CAN_PAUSE: bool = false;

    /// Splits at `index`, which is at most the length: the first part gets the items before it.
    fn split_at(self, index: usize) -> (Self, Self);

    /// Feeds all items to `folder`, unless it is full before that.
    #[inline]
    fn fold_with<F>(self, folder: F) -> F
    where
        F: Folder<Self::Item>,
    {
        folder.consume_iter(self.into_iter())
    }
}

/// A splittable sequence of unknown length.
///
/// ```
#[doc = include_str!("sum.txt")]
/// use filch::iter::plumbing::{UnindexedProducer, bridge_unindexed};
/// use std::ops::Range;
///
/// /// The even numbers of a range: how many there are in a half is not known before it is walked.
/// struct Even(Range<u64>);
/// impl UnindexedProducer for Even {
///     type Item = u64;
///     fn split(self) -> (Self, Option<Self>) {
///         let Range { start, end } = self.0;
///         let middle = start + (end - start) / 2;
///         if middle == start { (self, None) } else { (Even(start..middle), Some(Even(middle..end))) }
///     }
///     fn fold_with<F: Folder<u64>>(self, folder: F) -> F {
///         folder.consume_iter(self.0.filter(|n| n % 2 == 0))
///     }
///     // What follows is not in rayon, and makes the driver adapt.
///     const CAN_PAUSE: bool = true;
///     fn weight(&self) -> Option<usize> {
///         Some((self.0.end - self.0.start) as usize)
///     }
///     fn split_cost(&self) -> u32 {
///         0 // nanoseconds per item
///     }
///     fn fold_some<F: Folder<u64>>(self, folder: F, budget: usize) -> (F, Option<Self>) {
///         let middle = self.0.end.min(self.0.start.saturating_add(budget as u64));
///         let folder = Even(self.0.start..middle).fold_with(folder);
///         (folder, (middle < self.0.end).then_some(Even(middle..self.0.end)))
///     }
/// }
/// assert_eq!(bridge_unindexed(Even(0..100), Sum), 2450);
/// ```
pub trait UnindexedProducer: Send + Sized {
    /// What it produces.
    type Item;

    /// Splits off a right part, if it can be split.
    fn split(self) -> (Self, Option<Self>);

    /// Feeds all items to `folder`, unless it is full before that.
    fn fold_with<F>(self, folder: F) -> F
    where
        F: Folder<Self::Item>;

    /// An upper bound on the number of items, if there is one. Not in rayon.
    ///
    /// It may be greater than the number of items, as the bytes of a text are more than its lines. But it must not be less: consumers are told that
    /// [at most so many](Consumer::expect) items will come. The driver takes it for a measure of the work that is left. So choose a number that goes down in
    /// proportion to the work.
    ///
    /// A call with a weight of 0 or 1 is folded in one go: it is never split, and no thread looks whether it takes long.
    fn weight(&self) -> Option<usize> {
        None
    }

    /// Whether [`fold_some`](Self::fold_some) really stops early. Not in rayon.
    ///
    /// A producer that does not is split before it is folded, by a guess: into four to eight parts for each thread, or into one or two where
    /// the last call took little. A part that another thread takes is split further.
    const CAN_PAUSE: bool = false;

    /// The extra cost of each item, in nanoseconds, once this producer is split: because it is copied, or fetched under a lock. Not in rayon.
    ///
    /// If items are known to be cheap, the producer is then never split. If they are neither cheap nor expensive, it is split only when
    /// another thread waits for work.
    fn split_cost(&self) -> u32 {
        0
    }

    /// Feeds about `budget` items to `folder`, and returns what is left; `None` if that is nothing. Not in rayon.
    ///
    /// `budget` is at least 1. It is counted in the unit of [`weight`](Self::weight), or in items if there is no weight. Each call has to get on: less must be
    /// left than before, even if no item was found. Otherwise the driver calls this for ever. It may feed more than `budget` where it cannot stop, as within a line of a
    /// text. The default feeds everything.
    fn fold_some<F>(self, folder: F, budget: usize) -> (F, Option<Self>)
    where
        F: Folder<Self::Item>,
    {
        let _ = budget;
        (self.fold_with(folder), None)
    }
}

/// The receiver of a parallel iterator's items. It is split in step with the producer, and each part becomes a folder.
///
/// ```
/// use filch::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
/// use filch::prelude::*;
///
/// /// Adds up to a limit, and stops there.
/// #[derive(Clone, Copy)]
/// struct Sum { limit: u64 }
/// struct Running { limit: u64, sum: u64 }
///
/// impl Consumer<u64> for Sum {
///     type Folder = Running;
///     type Reducer = Sum;
///     type Result = u64;
///     fn split_at(self, _: usize) -> (Sum, Sum, Sum) { (self, self, self) }
///     fn into_folder(self) -> Running { Running { limit: self.limit, sum: 0 } }
///     fn full(&self) -> bool { self.limit == 0 }
///
///     // What follows is not in rayon. With it, a running fold can be split, and goes on if the offer was not taken.
///     const SPLITS_LIVE: bool = true;
///     const STOPS_EARLY: bool = true;
///     fn split_folder(folder: &mut Running, _: usize) -> (Sum, Sum) {
///         let rest = Sum { limit: folder.limit };
///         (rest, rest)
///     }
///     fn rejoin_folder(_: &mut Running, _: Sum) {} // there is nothing to undo: the default
///     fn expect(_: &mut Running, _upper: usize, _least: usize) {} // nothing to reserve: the default
///     fn make_way(_: &mut Running) {} // a sum of nothing may be passed on: the default
///     fn reproduce(_: &mut Running) {} // it never looks at the clock: the default
///     fn settles(_: &u64) -> bool { false } // for searches from the right: the default
/// }
/// impl UnindexedConsumer<u64> for Sum {
///     fn split_off_left(&self) -> Sum { *self }
///     fn to_reducer(&self) -> Sum { *self }
/// }
/// impl Folder<u64> for Running {
///     type Result = u64;
///     fn consume(self, n: u64) -> Running { Running { sum: self.limit.min(self.sum + n), ..self } }
///     fn complete(self) -> u64 { self.sum }
///     fn full(&self) -> bool { self.sum == self.limit }
/// }
/// impl Reducer<u64> for Sum {
///     fn reduce(self, left: u64, right: u64) -> u64 { self.limit.min(left + right) }
/// }
/// assert_eq!((0..100u64).into_par_iter().drive_unindexed(Sum { limit: u64::MAX }), 4950);
/// assert_eq!((0..100u64).into_par_iter().drive_unindexed(Sum { limit: 100 }), 100);
/// ```
pub trait Consumer<Item>: Send + Sized {
    /// Folds the items of one piece.
    type Folder: Folder<Item, Result = Self::Result>;
    /// Combines the results of neighbouring pieces.
    type Reducer: Reducer<Self::Result>;
    /// The result of a piece.
    type Result: Send;

    /// Splits at `index`: the first consumer gets the items before it.
    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer);

    /// Begins a piece. What feeds the folder more than one item calls [`expect`](Self::expect) first.
    fn into_folder(self) -> Self::Folder;

    /// Whether more items would change nothing.
    fn full(&self) -> bool;

    /// Whether [`split_folder`](Self::split_folder) works. Not in rayon.
    ///
    /// A consumer that wraps another one says what the inner one says.
    const SPLITS_LIVE: bool = false;

    /// Splits a running fold: `folder` keeps the next `at` items, and the returned consumer takes the items after them. Not in rayon.
    ///
    /// For an unindexed consumer `at` has no meaning. Called only if [`SPLITS_LIVE`](Self::SPLITS_LIVE) is true.
    ///
    /// # Panics
    ///
    /// If this consumer cannot split a running fold.
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let _ = (folder, at);
        panic!(
            "filch: this consumer cannot split a running fold, and `SPLITS_LIVE` must not say that it can"
        )
    }

    /// Undoes [`split_folder`](Self::split_folder): no thread took `right`, so `folder` goes on with its items. Not in rayon.
    ///
    /// # Panics
    ///
    /// If `right` does not follow `folder`, and this consumer can tell.
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        let _ = (folder, right);
    }

    /// Tells a new folder that at most `upper` items will come (`usize::MAX`: unknown); it may reserve space for them. It also says that the
    /// folder's output should not be cut into parts of fewer than `least` items. Not in rayon.
    ///
    /// A consumer that may stop early passes `usize::MAX` on.
    ///
    /// If a fold goes on with items of another source, this may be called again, and a larger `least` holds from there on. A folder for which
    /// this is never called must not cut its output.
    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        let _ = (folder, upper, least);
    }

    /// Tells a new folder that its piece is a leaf of a [`reproducible`](crate::ext::ParallelReproducible::reproducible) iterator. How it combines items must then
    /// depend on the items alone: not on the time that they take, and not on what other folders do. Not in rayon.
    ///
    /// A consumer that wraps another one passes this on.
    fn reproduce(folder: &mut Self::Folder) {
        let _ = folder;
    }

    /// Tells a running folder that its piece ends here, and that another folder takes the items that follow, of which there may be none. A folder that has taken no items
    /// when it is completed then need not pass on what it began with. It may still be given items, which a consumer around it had held back. Not in rayon.
    ///
    /// A consumer that wraps another one passes this on.
    fn make_way(folder: &mut Self::Folder) {
        let _ = folder;
    }

    /// Whether pieces are best driven from the right, because a result there can make the items to its left unnecessary. Not in rayon.
    ///
    /// Only obeyed where pieces are cut before they are folded.
    const DRIVES_FROM_RIGHT: bool = false;

    /// Whether a folder can make all items behind its own unnecessary, so that all threads should work near the front. Not in rayon.
    ///
    /// Only obeyed where the length is known, and [`SPLITS_LIVE`](Self::SPLITS_LIVE) is true.
    const FRONT_FIRST: bool = false;

    /// Whether `right`, the result of a part that was driven from the right, makes all items to its left unnecessary. Not in rayon.
    fn settles(right: &Self::Result) -> bool {
        let _ = right;
        false
    }

    /// Whether an item can make a folder, or other folders, [full](Self::full). If so, items should reach the folder as soon as they are
    /// made. Not in rayon.
    ///
    /// A consumer that wraps another one says what the inner one says.
    const STOPS_EARLY: bool = false;

    /// Whether a split is expensive (it clones the user's value, say), so that it should wait until a thread asks for work. Not in rayon.
    ///
    /// A consumer that wraps another one says what the inner one says.
    const SPLIT_IS_EXPENSIVE: bool = false;
}

/// A running fold over one piece.
///
/// ```
/// use filch::iter::plumbing::Folder;
///
/// /// Adds up.
/// struct Sum(u64);
/// impl Folder<u64> for Sum {
///     type Result = u64;
///     fn consume(self, n: u64) -> Sum { Sum(self.0 + n) }
///     fn complete(self) -> u64 { self.0 }
///     fn full(&self) -> bool { false }
/// }
/// assert_eq!(Sum(0).consume(1).consume_iter([2, 3]).complete(), 6);
/// assert_eq!(Sum(0).consume_kept([(1, true), (2, false)].into_iter()).complete(), 1);
/// ```
pub trait Folder<Item>: Sized {
    /// The result of the fold.
    type Result;

    /// Takes one item.
    fn consume(self, item: Item) -> Self;

    /// Takes the items that come with `true`. Not in rayon.
    ///
    /// [`filter`](crate::iter::ParallelIterator::filter) calls this, so that a folder that stores items can do so without a branch for each.
    fn consume_kept<I>(self, iter: I) -> Self
    where
        I: Iterator<Item = (Item, bool)>,
    {
        self.consume_iter(iter.filter_map(|(item, keep)| keep.then_some(item)))
    }

    /// Takes items until they end or the folder is full.
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = Item>,
    {
        for item in iter {
            self = self.consume(item);
            if self.full() {
                break;
            }
        }
        self
    }

    /// Ends the piece.
    fn complete(self) -> Self::Result;

    /// Whether more items would change nothing.
    fn full(&self) -> bool;
}

/// Combines the results of two neighbouring pieces.
///
/// ```
/// use filch::iter::plumbing::Reducer;
///
/// struct Join;
/// impl Reducer<String> for Join {
///     fn reduce(self, left: String, right: String) -> String { left + &right }
/// }
/// assert_eq!(Join.reduce("left, ".into(), "right".into()), "left, right");
/// ```
pub trait Reducer<Result> {
    /// `left` is the result of the earlier items.
    fn reduce(self, left: Result, right: Result) -> Result;
}

/// A consumer that does not care how many items each piece has.
///
/// ```
/// use filch::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
///
/// /// Counts.
/// #[derive(Clone, Copy)]
/// struct Count;
/// struct Counted(usize);
/// impl<T> Consumer<T> for Count {
///     type Folder = Counted;
///     type Reducer = Count;
///     type Result = usize;
///     fn split_at(self, _: usize) -> (Count, Count, Count) { (Count, Count, Count) }
///     fn into_folder(self) -> Counted { Counted(0) }
///     fn full(&self) -> bool { false }
/// }
/// impl<T> UnindexedConsumer<T> for Count {
///     fn split_off_left(&self) -> Count { Count }
///     fn to_reducer(&self) -> Count { Count }
/// }
/// impl<T> Folder<T> for Counted {
///     type Result = usize;
///     fn consume(self, _: T) -> Counted { Counted(self.0 + 1) }
///     fn complete(self) -> usize { self.0 }
///     fn full(&self) -> bool { false }
/// }
/// impl Reducer<usize> for Count {
///     fn reduce(self, left: usize, right: usize) -> usize { left + right }
/// }
/// use filch::prelude::*;
/// assert_eq!((0..100).into_par_iter().filter(|n| n % 3 == 0).drive_unindexed(Count), 34);
/// ```
pub trait UnindexedConsumer<I>: Consumer<I> {
    /// Splits off a consumer for items to the left of those that `self` will still get.
    fn split_off_left(&self) -> Self;

    /// Splits off a consumer as [`split_off_left`](Self::split_off_left) does, for the `nth` part (from 1) of a sequence of parts of any length.
    ///
    /// A search that stops at its first hit numbers its parts, with 2^64 numbers. If each part took half of the numbers that are left, none
    /// would be left after 64 parts. So a later part takes fewer. Other consumers need not implement this.
    ///
    /// ```
    /// use filch::iter::plumbing::UnindexedConsumer;
    ///
    /// /// For any number of pieces from left to right, a part each.
    /// struct Deal<C> { rest: C, parts: usize }
    /// impl<C> Deal<C> {
    ///     fn next<T>(&mut self) -> C where C: UnindexedConsumer<T> {
    ///         self.parts += 1;
    ///         self.rest.split_off_nth(self.parts)
    ///     }
    /// }
    /// ```
    #[inline]
    fn split_off_nth(&self, nth: usize) -> Self {
        let _ = nth;
        self.split_off_left()
    }

    /// Undoes a split: no item went to `right`, which is the part directly behind `self`. Parts may have been split off the
    /// left of `self` meanwhile.
    ///
    /// A consumer that numbers its parts gets the numbers of `right` back. By default `self` is dropped, and `right` takes its place: it then stands for both parts.
    ///
    /// ```
    /// use filch::iter::plumbing::UnindexedConsumer;
    ///
    /// /// Splits a part off for a piece that may be given to another thread, and takes it back if it was not.
    /// fn offer<T, C: UnindexedConsumer<T>>(rest: &mut C, give: impl FnOnce(C) -> Option<C>) {
    ///     let left = rest.split_off_left();
    ///     let right = std::mem::replace(rest, left);
    ///     if let Some(right) = give(right) {
    ///         rest.rejoin(right);
    ///     }
    /// }
    /// ```
    #[inline]
    fn rejoin(&mut self, right: Self) {
        *self = right;
    }

    /// Returns the reducer that combines the result of the part that was split off with that of `self`.
    fn to_reducer(&self) -> Self::Reducer;
}

/// A closure that gets a producer, and is generic in the producer's type.
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
/// assert_eq!((3..9).into_par_iter().with_producer(First), Some(3));
/// ```
pub trait ProducerCallback<T> {
    /// What it returns.
    type Output;

    /// Called once, with the producer.
    fn callback<P>(self, producer: P) -> Self::Output
    where
        P: Producer<Item = T>;
}
