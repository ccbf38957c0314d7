//! A parallel iterator as an ordinary one, in order, with a bounded buffer: rayon's issue 210.
//!
//! The items are computed in rounds, by all threads, and yielded one by one. While one round is yielded, the next one is computed, if the
//! consumer is slow enough for that. Two rounds together never exceed the limit of the buffer.
//!
//! Iterators that borrow run inside a closure: [`with_ordered_iter`](ParallelOrdered::with_ordered_iter). If no other thread has begun a round, the
//! thread that wants it computes it. So no thread waits for a round that has not begun. Iterators that own their data run in the background:
//! [`into_ordered_iter`](ParallelOrdered::into_ordered_iter), see [`background`](super::background).

use super::background::BackgroundIter;
use super::gather::GatherEnd;
use super::sizes::Sizes;
use super::task::{Task, TaskEntries};
use crate::core::{clock, in_place_scope};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{RoundSource, RoundsCallback};
use crate::iter::sinks::plain;
use crate::sync::Arc;
use std::fmt;
use std::iter::FusedIterator;
use std::vec;

/// Parallel iterators as ordinary ones, in the order of their positions.
///
/// For work that has to happen in order, on one thread, while the items are computed on all threads: writing a file, sending packets, folding
/// with an operation that is not associative.
///
/// `bound` is how many items of the innermost source may be computed but not yet yielded. After a `flat_map` there may be more items than
/// that, after a `filter` fewer. What cannot be cut at a given place is computed as a whole, in parallel, before its first item is yielded: maps,
/// sets, linked lists, texts, trees, `split`, `par_split` and `par_chunk_by`; and what comes out of `intersperse`, `fold` and `try_fold`. Rounds begin small and
/// grow, so the first item comes soon.
///
/// If the iterator is dropped before its end, the threads that compute stop within a block. A panic of a closure comes out of `next`.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let words = vec!["in", "this", "order"];
/// let line = words.par_iter().map(|word| word.to_uppercase()).with_ordered_iter(100, |words| {
///     words.collect::<Vec<_>>().join(" ")
/// });
/// assert_eq!(line, "IN THIS ORDER");
/// ```
pub trait ParallelOrdered: ParallelIterator {
    /// Calls `f` with an ordinary iterator over the items, in order, and returns what it returns.
    ///
    /// `f` runs on the calling thread, and `next` is a parallel call: in it, a thread of a pool may run other work of the pool. So hold no
    /// lock across it, or call all of this in [`isolate`](crate::isolate). If `f` spends more than 20 microseconds on the items of a round,
    /// other threads compute the next round meanwhile. Otherwise, and whenever it has to wait, the calling thread computes too. With one
    /// thread, it computes all rounds itself. May be called anywhere, inside a pool or outside.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let mut text = String::new();
    /// let words = vec!["in", "this", "order"];
    /// words.par_iter().map(|word| word.to_uppercase()).with_ordered_iter(100, |words| {
    ///     for word in words {
    ///         text += &word;
    ///     }
    /// });
    /// assert_eq!(text, "INTHISORDER");
    /// ```
    ///
    /// # Panics
    ///
    /// If `bound` is 0. If `f` panics. If a closure of the chain panics: that panic comes out of the `next` that would have returned the
    /// item.
    #[doc(alias("pipeline", "parallel_pipeline", "ordered"))]
    #[track_caller]
    fn with_ordered_iter<F, R>(self, bound: usize, f: F) -> R
    where
        F: FnOnce(OrderedIter<'_, Self::Item>) -> R,
    {
        let sizes = Sizes::up_to(bound);
        self.with_rounds(HandOut { sizes, f })
    }

    /// Becomes an ordinary iterator over the items, in order. They are computed in the background.
    ///
    /// They are computed in the pool of the calling thread, or in the global one. A separate thread asks for the rounds, and sleeps when the
    /// buffer is full. That costs two switches of threads for each round. So a round should be worth a millisecond of work, and `bound`
    /// should be two rounds. If the data can be borrowed, [`with_ordered_iter`](Self::with_ordered_iter) is cheaper.
    ///
    /// A thread of the pool that waits for the next item helps to compute it and does nothing else (except its share of a
    /// [`broadcast`](crate::broadcast)). So the iterator may be used there: in a pool of one thread, inside [`isolate`](crate::isolate), and
    /// while a lock is held that other work of the pool wants (unless all threads of the pool wait for that lock). A thread of
    /// another pool does its own pool's work meanwhile, as in
    /// [`install`](crate::ThreadPool::install). The pool does not end before the iterator does, so
    /// [`ThreadPool::shutdown`](crate::ThreadPool::shutdown) waits until the iterator ends or is dropped.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let mut squares = (0..u64::MAX).into_par_iter().map(|x| x * x).into_ordered_iter(1000);
    /// assert_eq!(squares.find(|&x| x > 1000), Some(1024));
    /// ```
    ///
    /// # Panics
    ///
    /// If `bound` is 0, or no thread can be started. In a child process after `fork`, an iterator of the parent hands out what it has of a round, and then
    /// panics.
    #[doc(alias("buffered", "prefetch"))]
    #[track_caller]
    fn into_ordered_iter(self, bound: usize) -> BackgroundIter<Self::Item>
    where
        Self: 'static,
        Self::Item: 'static,
    {
        BackgroundIter::start(self, bound)
    }
}

impl<I: ParallelIterator> ParallelOrdered for I {}

/// If the consumer takes longer for a round than this, in microseconds, it pays to begin the next round meanwhile.
const SLOW: u64 = 20;

/// So many rounds that were begun by no other thread may be in the queues.
const ENTRIES: usize = 16;

/// An ordinary iterator over the items of a parallel one; given to the closure of
/// [`with_ordered_iter`](ParallelOrdered::with_ordered_iter).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// fn print(numbers: OrderedIter<'_, u32>) -> String {
///     numbers.map(|n| n.to_string()).collect::<Vec<_>>().join(" ")
/// }
/// assert_eq!((0..4).into_par_iter().with_ordered_iter(100, print), "0 1 2 3");
/// ```
pub struct OrderedIter<'r, T> {
    round: vec::IntoIter<T>,
    /// The next round, if there is one.
    rounds: &'r mut dyn FnMut() -> Option<Vec<T>>,
    over: bool,
}

impl<T> Iterator for OrderedIter<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        loop {
            if let Some(item) = self.round.next() {
                return Some(item);
            }
            if self.over {
                return None;
            }
            // Set even if it panics: the items of that round are lost, and nothing comes after it.
            self.over = true;
            self.round = (self.rounds)()?.into_iter();
            self.over = false;
        }
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let upper = self.over.then_some(self.round.len());
        (self.round.len(), upper)
    }
}

impl<T> FusedIterator for OrderedIter<'_, T> {}

impl<T> fmt::Debug for OrderedIter<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OrderedIter")
            .field("ready", &self.round.len())
            .finish_non_exhaustive()
    }
}

struct HandOut<F> {
    sizes: Sizes,
    f: F,
}

impl<T: Send, F: FnOnce(OrderedIter<'_, T>) -> R, R> RoundsCallback<T> for HandOut<F> {
    type Output = R;

    fn callback<S: RoundSource<Item = T>>(self, source: S) -> R {
        let HandOut { mut sizes, f } = self;
        let gather = &GatherEnd::new();
        let run = move |(mut source, size): (S, usize)| {
            let items = source.round(size, plain::consumer(gather));
            (source, items)
        };
        let first = Arc::new(Task::new((source, sizes.next())));
        let entries = TaskEntries::up_to(ENTRIES);
        in_place_scope(|scope| {
            let mut next = Leash {
                task: first,
                gather,
            };
            // When the last round was passed on.
            let mut since = None;
            let mut rounds = || {
                let slow = since.is_some_and(|since| {
                    clock::ticks().saturating_sub(since) > SLOW * clock::per_us()
                });
                let (source, items) = next.task.settle(run);
                let items = items?;
                next.task = Arc::new(Task::new((source, sizes.next())));
                // The consumer is expected to be as quick as in the last round. For a quick consumer a job would cost more than it gains: it
                // drives the next round itself, with all threads, when it wants it.
                if slow
                    && sizes.ahead
                    && let Some(entry) = entries.one_more()
                {
                    let task = Arc::clone(&next.task);
                    scope.spawn(move |_| {
                        drop(entry);
                        task.run(run);
                    });
                }
                since = Some(clock::ticks());
                Some(items)
            };
            let result = f(OrderedIter {
                round: Vec::new().into_iter(),
                rounds: &mut rounds,
                over: false,
            });
            // If a destructor of the items that are left panics, the result is dropped. As a value that is already returned it would leak.
            drop(next);
            result
        })
    }
}

/// The next round. When this is dropped, the round is no longer wanted.
struct Leash<'g, J, R> {
    task: Arc<Task<J, R>>,
    gather: &'g GatherEnd,
}

impl<J, R> Drop for Leash<'_, J, R> {
    fn drop(&mut self) {
        self.gather.stop();
        self.task.discard();
    }
}
