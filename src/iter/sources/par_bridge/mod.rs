//! `par_bridge`: an ordinary iterator, whose items are handed to whichever thread is free.
//!
//! All parts of the run share the source. One thread at a time calls its `next`, and hands what it got to the fold:
//!
//! - A thread that is alone fetches and folds item by item, in order, and shares nothing.
//! - As soon as a second one takes part, each has a store, which it fetches into, batch by batch, and folds from. Each item but the last of a
//!   batch is in there before the next one is asked for, and whoever has nothing to do takes half of what is in another store. So nobody
//!   holds an item that has not been begun while a slow `next` runs. Batches start at one and double while `next` is quick.
//! - Where the items prove to be so cheap that passing them through a store costs more than the work, all threads but one leave. They are
//!   replaced a while later, to see whether that still holds.
//!
//! A store is a work-stealing deque, so nobody waits for a lock because of an item; threads that find nothing to do spin and then sleep.
//!
//! A source may call the pool, and so may the work on an item; and then their thread may run other jobs while it waits: among them a part of
//! its own run, or of another. So a part does not take part on top of anything but where the run began: it would call `next`, or wait for the
//! source, or for a part that it splits off, while something below it on the stack is what these wait for. A thread that sleeps until the source is
//! free looks for other work now and then, because an item may wait for a job that nobody else is there to run.

mod part;
mod shared;

use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Folded, UnindexedConsumer, bridge_unindexed, bridge_unindexed_into};
use part::Part;
use shared::Shared;

/// Turns any iterator whose items can be sent into a parallel one.
///
/// ```
/// use filch::prelude::*;
///
/// let sum: i32 = [1, 2, 3].iter().par_bridge().sum();
/// assert_eq!(sum, 6);
/// ```
pub trait ParallelBridge: Sized {
    /// Yields the items of an ordinary iterator, each to whichever thread is free.
    ///
    /// The order is not kept, unless only one thread takes part. `next` is called by one thread at a time, and not again after it has
    /// returned `None`. Items are not buffered: before `next` is called again, what it returned is being worked on or can be taken by
    /// another thread that takes part, so the source may wait for what becomes of its items. It may be endless, if the end of the chain
    /// stops by itself, and it may use the pool.
    ///
    /// Because `next` is called by one thread at a time, it pays only if what is done with an item costs more than fetching it. Prefer
    /// `par_iter` where there is one.
    ///
    /// # Panics
    ///
    /// If `next` panics. It is not called again, and what it returned before is still worked on.
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
    fn par_bridge(self) -> IterBridge<Self>;
}

impl<T> ParallelBridge for T
where
    T: Iterator<Item: Send> + Send,
{
    fn par_bridge(self) -> IterBridge<Self> {
        IterBridge { iter: self }
    }
}

/// Over the items of an ordinary iterator; made by [`par_bridge`](ParallelBridge::par_bridge).
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

impl<Iter> ParallelIterator for IterBridge<Iter>
where
    Iter: Iterator<Item: Send> + Send,
{
    type Item = Iter::Item;

    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<Self::Item>,
    {
        bridge_unindexed(Part::of(&Shared::new(self.iter)), consumer)
    }

    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<Self::Item>,
    {
        bridge_unindexed_into::<_, C>(Part::of(&Shared::new(self.iter)), folder)
    }
}
