//! `par_bridge`: an ordinary iterator, whose items go to any thread that is free.
//!
//! All parts of the run share the source. One thread at a time calls its `next`, and passes the item to the fold:
//!
//! - A thread that is alone fetches and folds item by item, in order, and shares nothing.
//! - As soon as a second thread takes part, each has a store. It fetches into its store, batch by batch, and folds from there. All items of a
//!   batch but the last are in the store before the next item is asked for, and a thread without work takes half of the items of another
//!   store. So no thread holds an item that it has not begun while a slow `next` runs. Batches start at one item and double while `next` is
//!   quick.
//! - If the items prove to be so cheap that passing them through a store costs more than the work, all threads but one leave. A while
//!   later, others are let in again, to see whether that still holds.
//!
//! A store is a work-stealing deque, so no thread waits for a lock to get an item. Threads without work spin, then sleep.
//!
//! A source may call the pool, and so may the work on an item. Their thread may then run other jobs while it waits, and one of these may be
//! a part of the same run or of another. Such a part does not join the run if it is on top of other work on the stack. Otherwise it would
//! call `next`, or wait for the source or for another part, and what it waits for may be below it on the same stack. A thread that sleeps
//! until the source is free looks for other work now and then, because an item may wait for a job that no other thread can run.

mod part;
mod shared;

use super::fetched::Fetched;
use super::unindexed_source;
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{RoundSource, UnindexedConsumer};
use part::Part;
use shared::Shared;

/// Turns any iterator whose items can be sent between threads into a parallel one.
///
/// ```
/// use filch::prelude::*;
///
/// let sum: i32 = [1, 2, 3].iter().par_bridge().sum();
/// assert_eq!(sum, 6);
/// ```
pub trait ParallelBridge: Sized {
    /// Yields the items of an ordinary iterator, each to any thread that is free.
    ///
    /// The order is not kept, unless only one thread takes part. `next` is called by one thread at a time, and not again after it has
    /// returned `None`. Items are not buffered: before `next` is called again, the last item is being worked on or can be taken by another
    /// thread that takes part. So the source may wait for the results of its items. It may be endless, if the end of the chain stops early,
    /// and it may use the pool.
    ///
    /// An item must not wait for a later one, as at a barrier. While items are cheap, one thread fetches and works on them alone, and it fetches an
    /// item only after it has finished the one before. (rayon's threads fetch one item each, so there a few items may wait for each other.) For the
    /// same reason, one slow item among cheap ones holds up the items after it, also if other threads are free.
    ///
    /// Because `next` is called by one thread at a time, this pays only if the work on an item costs more than fetching it. Prefer `par_iter`
    /// if there is one.
    ///
    /// ```
    /// use filch::prelude::*;
    /// use std::sync::mpsc::channel;
    ///
    /// let (sender, receiver) = channel();
    /// for word in ["in", "any", "order"] {
    ///     sender.send(word).unwrap();
    /// }
    /// drop(sender);
    /// let letters: usize = receiver.into_iter().par_bridge().map(|word| word.len()).sum();
    /// assert_eq!(letters, 10);
    /// ```
    ///
    /// # Panics
    ///
    /// If `next` panics. It is not called again. The items that it returned before are still worked on.
    fn par_bridge(self) -> IterBridge<Self>;
}

impl<T: Iterator<Item: Send> + Send> ParallelBridge for T {
    fn par_bridge(self) -> IterBridge<Self> {
        IterBridge { iter: self }
    }
}

/// The items of an ordinary iterator; made by [`par_bridge`](ParallelBridge::par_bridge).
///
/// ```
/// use filch::prelude::*;
///
/// let (sender, receiver) = std::sync::mpsc::channel();
/// [1, 2, 3].map(|n| sender.send(n).unwrap());
/// drop(sender);
/// let bridged: filch::iter::IterBridge<_> = receiver.into_iter().par_bridge();
/// assert_eq!(bridged.sum::<i32>(), 6);
/// ```
#[derive(Debug, Clone)]
pub struct IterBridge<Iter> {
    iter: Iter,
}

unindexed_source! {
    impl[Iter: Iterator<Item: Send> + Send] IterBridge<Iter> => Iter::Item;
    own(shared) { Shared::new(self.iter) }
    producer(self) { Part::of(&shared) }
    rounds(self) { BridgeRounds(Fetched::new(self.iter)) }
}

/// The rounds of the iterator: each is a run of its own.
struct BridgeRounds<Iter>(Fetched<Iter>);

impl<Iter: Iterator<Item: Send> + Send> RoundSource for BridgeRounds<Iter> {
    type Item = Iter::Item;

    fn round<C>(&mut self, n: usize, consumer: C) -> Option<C::Result>
    where
        C: UnindexedConsumer<Iter::Item>,
    {
        let iter = self.0.stretch(n)?;
        Some(IterBridge { iter }.drive_unindexed(consumer))
    }
}
