//! Parallel iterators.

pub(crate) mod adapters;
mod convert;
pub mod plumbing;
pub(crate) mod sinks;
pub(crate) mod sources;

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
use sinks::plain;
pub use sources::par_bridge::{IterBridge, ParallelBridge};
pub use sources::split::{Split, split};
pub use sources::walk_tree::{
    WalkTree, WalkTreePostfix, WalkTreePrefix, walk_tree, walk_tree_postfix, walk_tree_prefix,
};
use std::iter::Sum;

/// A parallel iterator.
pub trait ParallelIterator: Sized + Send {
    /// What it yields.
    type Item: Send;

    // ---- ends ----

    /// Calls `op` on each item.
    fn for_each<OP>(self, op: OP)
    where
        OP: Fn(Self::Item) + Sync + Send,
    {
        plain::run(self, &sinks::for_each::ForEach(op))
    }

    /// Adds the items up.
    fn sum<S>(self) -> S
    where
        S: Send + Sum<Self::Item> + Sum<S>,
    {
        plain::run(self, &sinks::sum::SumEnd::<S>::new())
            .unwrap_or_else(|| std::iter::empty::<S>().sum())
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
    // ---- adaptors, indexed ----

    // ---- plumbing ----

    /// The number of items.
    fn len(&self) -> usize;

    /// Feeds the items to `consumer`. Not for users; see [`plumbing`].
    fn drive<C: Consumer<Self::Item>>(self, consumer: C) -> C::Result;

    /// Gives `callback` the producer behind this iterator. Not for users; see [`plumbing`].
    fn with_producer<CB: ProducerCallback<Self::Item>>(self, callback: CB) -> CB::Output;
}
