//! The ordered iterator that owns its source: the items are computed in the background.
//!
//! The producer of a parallel iterator lives on the stack of the thread that drives it. So that thread has to block while no more items are
//! wanted. A thread of the pool must not block, so a separate thread does it. It lets the pool compute the rounds, one at a time.

use super::board::Board;
use super::gather::GatherEnd;
use super::sizes::Sizes;
use crate::core::background_pool::{BackgroundPool, BackgroundWaiter};
use crate::core::guest::in_pool;
use crate::core::unwind::{Payload, catch, drop_quietly, resume};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{RoundSource, RoundsCallback};
use crate::iter::sinks::plain;
use crate::sync::{Arc, Starter};
use std::fmt;
use std::iter::FusedIterator;
use std::{mem, vec};

/// An ordinary iterator over items that are computed in the background; made by
/// [`into_ordered_iter`](crate::ext::ParallelOrdered::into_ordered_iter).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let squares: BackgroundIter<u32> = (0..5u32).into_par_iter().map(|n| n * n).into_ordered_iter(100);
/// assert!(squares.eq([0, 1, 4, 9, 16]));
/// ```
pub struct BackgroundIter<T> {
    /// The items of the current round.
    round: vec::IntoIter<T>,
    shared: Arc<BackgroundState<T>>,
    waiter: BackgroundWaiter,
    /// The end was handed out.
    is_over: bool,
}

struct BackgroundState<T> {
    next: Board<NextRound<T>>,
    gather: GatherEnd,
}

/// The round after the current one.
enum NextRound<T> {
    Wanted,
    Ready(Vec<T>),
    /// There is none: all items are done, or a closure panicked.
    Ended(Result<(), Payload>),
}

impl<T> NextRound<T> {
    /// Takes the round, or the end, once it is there.
    fn take(&mut self) -> Option<Result<Option<Vec<T>>, Payload>> {
        match mem::replace(self, NextRound::Wanted) {
            NextRound::Wanted => None,
            NextRound::Ready(items) => Some(Ok(Some(items))),
            NextRound::Ended(end) => Some(end.map(|()| None)),
        }
    }
}

impl<T: Send + 'static> BackgroundIter<T> {
    #[track_caller]
    pub(super) fn start<I>(par_iter: I, bound: usize) -> Self
    where
        I: ParallelIterator<Item = T> + 'static,
    {
        let sizes = Sizes::up_to(bound);
        let shared = Arc::new(BackgroundState {
            next: Board::new(NextRound::Wanted),
            gather: GatherEnd::new(),
        });
        let pool = BackgroundPool::current();
        let iter = BackgroundIter {
            round: Vec::new().into_iter(),
            shared: Arc::clone(&shared),
            waiter: pool.waiter(),
            is_over: false,
        };
        let body = move || {
            let shared = &*shared;
            let compute = Compute { shared, sizes };
            shared.end(catch(|| pool.enter(|| par_iter.with_rounds(compute))));
        };
        // The thread lets the pool go when it ends.
        let started = Starter::new().name("filch-ordered".into()).spawn(body);
        started.expect("filch: no thread for an ordered iterator");
        iter
    }
}

impl<T> BackgroundState<T> {
    /// Waits until the next round is wanted; returns false if nothing is wanted any more.
    fn wait_until_wanted(&self) -> bool {
        let BackgroundState { next, gather } = self;
        let ready = |next: &mut NextRound<T>| {
            (matches!(next, NextRound::Wanted) || gather.is_stopped()).then_some(())
        };
        next.wait(ready);
        !gather.is_stopped()
    }

    /// Says that there is no more, once that is wanted or nothing is.
    fn end(&self, end: Result<(), Payload>) {
        self.wait_until_wanted();
        let left = self
            .next
            .change(|next| mem::replace(next, NextRound::Ended(end)));
        // No thread wants this round any more. It is dropped without the lock: the destructors of its items may wait for a thread that wants the lock.
        drop(left);
    }
}

impl<T> Drop for BackgroundState<T> {
    /// A panic that no call of `next` has raised is dropped with the iterator.
    fn drop(&mut self) {
        if let Some(Err(payload)) = self.next.change(NextRound::take) {
            drop_quietly(payload);
        }
    }
}

struct Compute<'b, T> {
    shared: &'b BackgroundState<T>,
    sizes: Sizes,
}

impl<T: Send> RoundsCallback<T> for Compute<'_, T> {
    type Output = ();

    fn callback<S: RoundSource<Item = T>>(mut self, mut source: S) {
        let BackgroundState { next, gather } = self.shared;
        while self.shared.wait_until_wanted() {
            let size = self.sizes.next();
            let round = in_pool(|_, _| source.round(size, plain::consumer(gather)));
            let Some(items) = round else { break };
            if !items.is_empty() {
                next.change(|next| *next = NextRound::Ready(items));
            }
        }
    }
}

impl<T> Iterator for BackgroundIter<T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        loop {
            if let Some(item) = self.round.next() {
                return Some(item);
            }
            if self.is_over {
                return None;
            }
            // Before the lock is taken: a thread of the parent may have held it.
            assert!(
                !self.waiter.is_of_parent(),
                "filch: the items are computed in the parent of this process; make a new iterator"
            );
            let round = self.shared.next.wait_by(NextRound::take, |worker, latch| {
                self.waiter.wait(worker, latch);
            });
            match round {
                Ok(Some(items)) => self.round = items.into_iter(),
                end => {
                    self.is_over = true;
                    if let Err(payload) = end {
                        resume(payload);
                    }
                }
            }
        }
    }
}

impl<T> FusedIterator for BackgroundIter<T> {}

impl<T> Drop for BackgroundIter<T> {
    fn drop(&mut self) {
        self.shared.gather.stop();
        if self.waiter.is_of_parent() {
            // No thread waits here, and the lock may be held for ever.
            return;
        }
        // Wakes the thread that waits until more is wanted.
        self.shared.next.change(|_| ());
    }
}

impl<T> fmt::Debug for BackgroundIter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BackgroundIter").finish_non_exhaustive()
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
    use std::thread;
    use std::time::Duration;

    /// Says that it is being dropped, and waits until it may be.
    struct Item {
        begun: SyncSender<()>,
        may_go: Receiver<()>,
    }

    impl Drop for Item {
        fn drop(&mut self) {
            let _ = self.begun.send(());
            let told = self.may_go.recv_timeout(Duration::from_secs(10));
            assert!(told.is_ok(), "no other thread gets the lock");
        }
    }

    /// The thread that drops the iterator says so before it takes the lock. If the other one comes between, it drops a round that is ready; its items may
    /// need the first thread.
    #[test]
    fn what_nobody_wants_is_dropped_without_a_lock() {
        let (begun, has_begun) = sync_channel(1);
        let (go, may_go) = sync_channel(1);
        let shared = BackgroundState {
            next: Board::new(NextRound::Ready(vec![Item { begun, may_go }])),
            gather: GatherEnd::new(),
        };
        shared.gather.stop();
        thread::scope(|scope| {
            let other = scope.spawn(|| shared.end(Ok(())));
            has_begun.recv().expect("the item is dropped");
            shared.next.change(|_| ());
            // It is not there any more if it has waited in vain.
            let _ = go.send(());
            other.join().expect("nothing is locked meanwhile");
        });
    }
}
