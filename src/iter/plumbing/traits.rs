//! The traits that sources, adaptors and ends talk to each other with.
//!
//! Names and required items are rayon's, so that implementations written for rayon compile. What makes ours adaptive are provided methods,
//! whose defaults are safe: an implementation that does not know them is cut before it is folded, and folded whole.

/// A splittable sequence of known length.
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
    /// Where it cannot, less code is compiled. A producer that wraps another one says what the inner one says.
    const BOUNDED: bool = true;

    /// Whether results must be put together in a way that depends on the length alone. Not in rayon.
    ///
    /// A producer that wraps another one says what the inner one says.
    const REPRODUCIBLE: bool = false;

    /// Whether to split costs next to nothing, and begins nothing anew. Not in rayon.
    ///
    /// Then a fold is stopped every few microseconds, by a split after the next items, to see whether another thread wants some of what is left.
    /// Others are split beforehand, into a few pieces for each thread, and a piece is folded whole. A producer that wraps another one says what
    /// the inner one says.
    const CAN_PAUSE: bool = false;

    /// Splits at `index`, which is at most the length: the first part gets the items before it.
    fn split_at(self, index: usize) -> (Self, Self);

    /// Feeds all items to `folder`, unless it is full before that.
    fn fold_with<F>(self, folder: F) -> F
    where
        F: Folder<Self::Item>,
    {
        folder.consume_iter(self.into_iter())
    }
}

/// A splittable sequence of unknown length.
pub trait UnindexedProducer: Send + Sized {
    /// What it produces.
    type Item;

    /// Splits off a right part, if it can be split.
    fn split(self) -> (Self, Option<Self>);

    /// Feeds all items to `folder`, unless it is full before that.
    fn fold_with<F>(self, folder: F) -> F
    where
        F: Folder<Self::Item>;

    /// An upper bound on the number of items, or of anything proportional to the work, if there is one. Not in rayon.
    fn weight(&self) -> Option<usize> {
        None
    }

    /// Whether [`fold_some`](Self::fold_some) really stops early. Not in rayon.
    ///
    /// A producer that cannot is split before it is folded, by a guess.
    const CAN_PAUSE: bool = false;

    /// What an item costs more, in nanoseconds, once this producer is split: because it is copied, or fetched under a lock. Not in rayon.
    ///
    /// Items that are known to be cheap are then never split, and middling ones only when somebody waits for work.
    fn split_cost(&self) -> u32 {
        0
    }

    /// Feeds about `budget` items to `folder`, and returns what is left. Not in rayon.
    ///
    /// The default feeds everything.
    fn fold_some<F>(self, folder: F, budget: usize) -> (F, Option<Self>)
    where
        F: Folder<Self::Item>,
    {
        let _ = budget;
        (self.fold_with(folder), None)
    }
}

/// What a parallel iterator feeds its items to: cut in step with the producer, then turned into folders.
pub trait Consumer<Item>: Send + Sized {
    /// Folds the items of one piece.
    type Folder: Folder<Item, Result = Self::Result>;
    /// Puts the results of neighbouring pieces together.
    type Reducer: Reducer<Self::Result>;
    /// The result of a piece.
    type Result: Send;

    /// Splits at `index`: the first consumer gets that many items.
    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer);

    /// Begins a piece.
    fn into_folder(self) -> Self::Folder;

    /// Whether more items would change nothing.
    fn full(&self) -> bool;

    /// Whether [`split_folder`](Self::split_folder) works. Not in rayon.
    ///
    /// A consumer that wraps another one says what the inner one says.
    const SPLITS_LIVE: bool = false;

    /// Splits a fold that is under way: `folder` keeps the next `at` items, and the returned consumer takes what follows them. Not in rayon.
    ///
    /// For an unindexed consumer `at` means nothing. Called only if [`SPLITS_LIVE`](Self::SPLITS_LIVE) says that it works.
    ///
    /// # Panics
    ///
    /// If this consumer cannot do it.
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let _ = (folder, at);
        panic!(
            "filch: this consumer cannot split a running fold, and `SPLITS_LIVE` must not say that it can"
        )
    }

    /// Undoes [`split_folder`](Self::split_folder): nobody took what was split off, so `folder` may go on into `right`'s stretch. Not in
    /// rayon.
    ///
    /// # Panics
    ///
    /// If `right` does not follow `folder`, where that can be told.
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        let _ = (folder, right);
    }

    /// Tells a fresh folder that at most `upper` items are to come (`usize::MAX`: nobody knows), which it may use to reserve space; and that what
    /// it makes of them should not be cut into parts of fewer than `least` items. Not in rayon.
    ///
    /// A consumer that may stop early passes on that nobody knows.
    ///
    /// Where a fold goes on with items of another source, it may be told again, so that a larger `least` holds from there on. Who is told nothing
    /// must not cut.
    fn expect(folder: &mut Self::Folder, upper: usize, least: usize) {
        let _ = (folder, upper, least);
    }

    /// Whether pieces are best driven from the right, because a result there makes those to its left needless. Not in rayon.
    ///
    /// Honoured only where pieces are cut before they are folded.
    const DRIVES_FROM_RIGHT: bool = false;

    /// Whether what a folder takes can make everything behind it needless, so that pieces are best driven from the front, by all threads. Not in
    /// rayon.
    ///
    /// Honoured only where the length is known, and [`SPLITS_LIVE`](Self::SPLITS_LIVE).
    const FRONT_FIRST: bool = false;

    /// Whether `right`, the result of a part that was driven from the right, makes everything to its left needless. Not in rayon.
    fn settles(right: &Self::Result) -> bool {
        let _ = right;
        false
    }

    /// Whether an item can make a folder, or others, [full](Self::full), so that what there is should reach the folder soon. Not in rayon.
    ///
    /// A consumer that wraps another one says what the inner one says.
    const STOPS_EARLY: bool = false;

    /// Whether a split is expensive (it clones the user's value, say), so that it should wait until a thread asks for work. Not in rayon.
    ///
    /// A consumer that wraps another one says what the inner one says.
    const SPLITS_DEARLY: bool = false;
}

/// A running fold over one piece.
pub trait Folder<Item>: Sized {
    /// What it comes to.
    type Result;

    /// Takes one item.
    fn consume(self, item: Item) -> Self;

    /// Takes those items that come with `true`. Not in rayon.
    ///
    /// What [`filter`](crate::iter::ParallelIterator::filter) calls, so that a folder that stores the items can do so without a branch on
    /// each.
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

/// Puts the results of two neighbouring pieces together.
pub trait Reducer<Result> {
    /// `left` is the result of the earlier items.
    fn reduce(self, left: Result, right: Result) -> Result;
}

/// A consumer that does not care how many items each piece has.
pub trait UnindexedConsumer<I>: Consumer<I> {
    /// Splits off a consumer for items to the left of those that `self` will still get.
    fn split_off_left(&self) -> Self;

    /// Puts the result of what was split off together with that of `self`.
    fn to_reducer(&self) -> Self::Reducer;
}

/// What to do with a producer: a closure that is generic in the producer's type.
pub trait ProducerCallback<T> {
    /// What it returns.
    type Output;

    /// Called once.
    fn callback<P>(self, producer: P) -> Self::Output
    where
        P: Producer<Item = T>;
}
