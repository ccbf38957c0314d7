//! `par_bridge_ordered`: an ordinary iterator whose items keep their order.
//!
//! The calling thread fetches the items. A *batch* is a job with a consumer for its items. An item goes into the newest batch if no thread
//! has begun that batch; otherwise it begins a new one. So another thread can take an item before `next` is called again, and batches grow
//! while all threads are busy. Results are combined in the order of the batches. When enough batches are under way, the fetching thread
//! waits for the oldest, or runs it itself if no thread has begun it. If the items prove to be so cheap that passing them on costs more
//! than the work, the fetching thread folds a long stretch alone, until they cost more.
//!
//! No lock is held while `next` or a closure runs. So a source may use the pool, and even this same chain.

use super::task::Task;
use crate::core::guest::in_pool;
use crate::core::{Scope, blocking, clock, current_num_threads, in_place_scope};
use crate::iter::plumbing::{
    Folder, Length, Reducer, RoundSource, RoundsCallback, UnindexedConsumer,
};
use crate::iter::sources::fetched::Fetched;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use crate::sync::{Arc, AtomicU64, AtomicUsize, Ordering};
use std::collections::VecDeque;
use std::{iter, mem};

/// The most items of a batch.
const LARGEST_BATCH: usize = 1024;
/// How many batches may be under way for each thread.
const DEPTH: usize = 4;
/// If the work on an item takes less, in nanoseconds, one thread is faster than two. About 100 of these are the cost of a batch of one item.
const CHEAP: u64 = 120;
/// How many items are timed to decide that.
const SAMPLE: usize = 32;
/// How many items are then folded alone, at the most, before sharing is tried again.
const STRETCH: usize = 1 << 16;
/// How many items are folded alone, at the most, between two looks at the clock, and at whether the fold is full. So many expensive items behind cheap ones can stay
/// with one thread.
const BLOCK: usize = 64;
/// For how long, in nanoseconds, a block should be folded, at the most.
const LONG: u64 = 10_000;
/// For how long, in microseconds, the items of a stretch may have taken more than twice [`CHEAP`]. To share the next [`SAMPLE`] out costs about as much, so it is doubled
/// each time that those are cheap again, up to [`MOST_PATIENCE`].
const PATIENCE: u64 = 500;
/// So much that a sample costs next to nothing beside it. Without a bound, items that become expensive would stay with one thread for as long as the source was slow.
const MOST_PATIENCE: u64 = 64 * PATIENCE;

/// Turns any iterator whose items can be sent between threads into a parallel one that keeps its order.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let lines: Vec<usize> = "a\nbcd".lines().par_bridge_ordered().map(str::len).collect();
/// assert_eq!(lines, [1, 3]); // in order
/// ```
pub trait ParallelBridgeOrdered: Sized {
    /// Yields the items of an ordinary iterator, in order: `collect` and `find_first` give the same result as for the iterator itself, and
    /// the operator of `reduce` need not be commutative.
    ///
    /// The calling thread calls `next`. Before it calls `next` again, another thread can take the item, so the source may wait for the
    /// results of its items. While all threads are busy, batches of up to 1,024 items form. At most about 4 batches for each thread are under
    /// way, so the source is never far ahead of its consumers. With one thread the items are folded one by one.
    ///
    /// It pays if the work on an item costs more than fetching it and about 100 ns. If order does not matter,
    /// [`par_bridge`](crate::iter::ParallelBridge::par_bridge) is cheaper.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let lines = "3\n1\n2".lines().par_bridge_ordered();
    /// let numbers: Vec<u32> = lines.map(|line| line.parse().unwrap()).collect();
    /// assert_eq!(numbers, [3, 1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// If `next` panics. It is not called again. The items that it returned before are still worked on.
    #[doc(alias("par_bridge", "serial_in_order"))]
    fn par_bridge_ordered(self) -> OrderedBridge<Self>;
}

impl<T: Iterator<Item: Send> + Send> ParallelBridgeOrdered for T {
    fn par_bridge_ordered(self) -> OrderedBridge<Self> {
        OrderedBridge { iter: self }
    }
}

/// The items of an ordinary iterator, in order; made by [`par_bridge_ordered`](ParallelBridgeOrdered::par_bridge_ordered).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let numbers: filch::ext::OrderedBridge<_> = (0..5).filter(|n| n % 2 == 0).par_bridge_ordered();
/// assert_eq!(numbers.collect::<Vec<_>>(), [0, 2, 4]);
/// ```
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct OrderedBridge<Iter> {
    iter: Iter,
}

impl<Iter: Iterator<Item: Send> + Send> ParallelIterator for OrderedBridge<Iter> {
    type Item = Iter::Item;

    const OPT_LEN: Length = Length::Never;

    fn drive_unindexed<C: UnindexedConsumer<Iter::Item>>(self, consumer: C) -> C::Result {
        in_pool(move |_, _| {
            let mut source = Fetched::new(self.iter);
            if current_num_threads() == 1 {
                return source.fold(|_, _| true, consumer);
            }
            in_place_scope(|scope| share_out(source, consumer, scope))
        })
    }

    fn with_rounds<CB: RoundsCallback<Iter::Item>>(self, callback: CB) -> CB::Output {
        callback.callback(OrderedRounds(Fetched::new(self.iter)))
    }
}

impl<Iter: Iterator<Item: Send>> Fetched<Iter> {
    /// Folds items one by one, while `goes_on` says so: it is asked before each block, and told how many items the last one had and when
    /// that ended.
    fn fold<C>(&mut self, mut goes_on: impl FnMut(usize, u64) -> bool, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<Iter::Item>,
    {
        let mut folder = consumer.into_folder();
        C::expect(&mut folder, usize::MAX, 1);
        let long = LONG * clock::per_us() / 1000;
        let (mut block, mut folded, mut now) = (1_usize, 0, clock::ticks());
        while !self.is_over() && !folder.full() && goes_on(folded, now) {
            // Fetched here: the `Sum` of a user's type may take no items from an iterator, and they have to come to an end.
            let Some(first) = self.next() else { break };
            // In one go with the others: to a fold in front of a search, an item in a block of its own is an expensive one.
            let others = iter::from_fn(|| self.next()).take(block - 1);
            folder = folder.consume_iter(iter::once(first).chain(others));
            folded = block;
            let since = mem::replace(&mut now, clock::ticks());
            // The more items, the less they take.
            block = match now.saturating_sub(since) {
                taken if taken > long => 1,
                taken if taken > long / 4 => block,
                _ => (2 * block).min(BLOCK),
            };
        }
        folder.complete()
    }
}

/// Items that one thread folds alone, because those before were cheap.
struct StretchAlone {
    /// How many more items may be in it.
    items: usize,
    since: u64,
    /// By how much the last blocks took longer than cheap ones would have, in ticks. What cheap ones take less is made up for only down to 0.
    excess: u64,
    /// The most that it may be.
    most: u64,
}

impl StretchAlone {
    /// `patience`: the most that the excess may be, in microseconds.
    fn new(patience: u64) -> Self {
        StretchAlone {
            items: STRETCH,
            since: clock::ticks(),
            excess: 0,
            most: patience * clock::per_us(),
        }
    }

    /// Whether another block is folded alone. The last one had so many items.
    fn goes_on(&mut self, items: usize, now: u64) -> bool {
        let taken = now.saturating_sub(mem::replace(&mut self.since, now));
        let allowed = 2 * CHEAP * items as u64 * clock::per_us() / 1000;
        self.excess = self.excess.saturating_add(taken).saturating_sub(allowed);
        self.items = self.items.saturating_sub(items);
        self.items > 0 && !self.is_too_slow()
    }

    fn is_too_slow(&self) -> bool {
        self.excess >= self.most
    }
}

/// The measured cost of the work on the items. Hints that publish nothing: relaxed.
struct Cost {
    items: AtomicUsize,
    ticks: AtomicU64,
}

impl Cost {
    fn note(&self, items: usize, since: u64) {
        let ticks = clock::ticks().saturating_sub(since);
        self.items.fetch_add(items, Ordering::Relaxed);
        self.ticks.fetch_add(ticks, Ordering::Relaxed);
    }

    /// `None`: too few were measured.
    fn is_cheap(&self) -> Option<bool> {
        let items = self.items.load(Ordering::Relaxed);
        let ticks = self.ticks.load(Ordering::Relaxed);
        (items >= SAMPLE).then(|| ticks < items as u64 * CHEAP * clock::per_us() / 1000)
    }

    fn forget(&self) {
        self.items.store(0, Ordering::Relaxed);
        self.ticks.store(0, Ordering::Relaxed);
    }
}

/// Fetches on this thread, while all threads work on the items.
fn share_out<'scope, Iter, C>(
    mut source: Fetched<Iter>,
    consumer: C,
    scope: &Scope<'scope>,
) -> C::Result
where
    Iter: Iterator<Item: Send>,
    Iter::Item: 'scope,
    C: UnindexedConsumer<Iter::Item> + 'scope,
    C::Result: 'scope,
{
    let cost = Arc::new(Cost {
        items: AtomicUsize::new(0),
        ticks: AtomicU64::new(0),
    });
    let run = {
        let cost = Arc::clone(&cost);
        move |(items, consumer): (Vec<Iter::Item>, C)| {
            let (len, start) = (items.len(), clock::ticks());
            let result = items.into_par_iter().drive_unindexed(consumer);
            cost.note(len, start);
            result
        }
    };
    let most = DEPTH * current_num_threads();
    let mut under_way: VecDeque<Arc<Task<_, _>>> = VecDeque::new();
    let mut done: Option<C::Result> = None;
    let put_together = |done: Option<C::Result>, next| match done {
        Some(done) => Some(consumer.to_reducer().reduce(done, next)),
        None => Some(next),
    };
    let mut batches = 0_usize;
    let mut patience = PATIENCE;
    let mut next = || {
        batches += 1;
        consumer.split_off_nth(batches)
    };
    while !consumer.full() {
        match cost.is_cheap() {
            None => {}
            Some(false) => patience = PATIENCE,
            Some(true) => {
                for task in under_way.drain(..) {
                    done = put_together(done, task.settle(&run));
                }
                let mut stretch = StretchAlone::new(patience);
                let result = source.fold(|items, now| stretch.goes_on(items, now), next());
                done = put_together(done, result);
                cost.forget();
                // If the next items are cheap as well, it was the source that took long. Then no other thread is of use.
                patience = match stretch.is_too_slow() {
                    true => (2 * patience).min(MOST_PATIENCE),
                    false => PATIENCE,
                };
                // The search may be over.
                continue;
            }
        }
        // `next` may wait for the results of the items before.
        let Some(item) = blocking(|| source.next()) else {
            break;
        };
        let mut item = Some(item);
        if let Some(newest) = under_way.back() {
            newest.amend(|(items, _)| {
                if items.len() < LARGEST_BATCH {
                    items.extend(item.take());
                }
            });
        }
        if let Some(item) = item {
            let task = Arc::new(Task::new((vec![item], next())));
            under_way.push_back(Arc::clone(&task));
            let run = run.clone();
            scope.spawn(move |_| task.run(run));
        }
        while let Some(oldest) = under_way.front()
            && (under_way.len() > most || oldest.is_done())
            && let Some(oldest) = under_way.pop_front()
        {
            done = put_together(done, oldest.settle(&run));
        }
    }
    for task in under_way {
        done = put_together(done, task.settle(&run));
    }
    done.unwrap_or_else(|| consumer.into_folder().complete())
}

/// The rounds of the iterator.
struct OrderedRounds<Iter>(Fetched<Iter>);

impl<Iter: Iterator<Item: Send> + Send> RoundSource for OrderedRounds<Iter> {
    type Item = Iter::Item;

    fn round<C>(&mut self, n: usize, consumer: C) -> Option<C::Result>
    where
        C: UnindexedConsumer<Iter::Item>,
    {
        let iter = self.0.stretch(n)?;
        Some(OrderedBridge { iter }.drive_unindexed(consumer))
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::ThreadPoolBuilder;
    use crate::core::clock::mock;
    use crate::iter::ext::cancel::ParallelCancel;
    use crate::iter::ext::token::CancelToken;

    /// Items that are shared out on any number of threads.
    struct SharedOut<Iter>(Iter);

    impl<Iter: Iterator<Item: Send> + Send> ParallelIterator for SharedOut<Iter> {
        type Item = Iter::Item;

        fn drive_unindexed<C: UnindexedConsumer<Iter::Item>>(self, consumer: C) -> C::Result {
            let source = Fetched::new(self.0);
            in_place_scope(|scope| share_out(source, consumer, scope))
        }
    }

    /// Counts how often the source is asked. `nanoseconds` go by at each item.
    fn asked(nanoseconds: u64, taken: usize) -> usize {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            mock::with(0, || {
                let mut asked = 0;
                let source = iter::from_fn(|| {
                    asked += 1;
                    Some(asked)
                });
                let items = SharedOut(source).inspect(|_| mock::go_on(nanoseconds));
                assert_eq!(items.take_any(taken).count(), taken);
                asked
            })
        })
    }

    /// Its thread folds cheap items alone, and asks for none when enough are taken: that might be long in coming, or be lost.
    #[test]
    fn nothing_is_asked_for_after_a_stretch() {
        for taken in [10_000, 50_000, 200_000] {
            assert_eq!(asked(1, taken), taken);
        }
    }

    /// So long are a batch and what lies before it. Items that are shared out are fetched in advance.
    #[test]
    fn expensive_items_are_fetched_in_advance() {
        let most = DEPTH * LARGEST_BATCH;
        let asked = asked(1000, 10_000);
        assert!((10_001..=10_000 + 2 * most).contains(&asked), "{asked}");
    }

    /// How many items are folded until a cancel is seen. It comes at the first expensive one, behind so many cheap ones.
    fn folded<I>(items: I, cheap: usize) -> usize
    where
        I: ParallelIterator<Item = usize> + Send,
    {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            mock::with(0, || {
                let (token, folded) = (CancelToken::new(), AtomicUsize::new(0));
                items.cancellable(&token).for_each(|i| {
                    folded.fetch_add(1, Ordering::Relaxed);
                    if i < cheap {
                        mock::go_on(1);
                    } else {
                        mock::go_on(1_000_000);
                        token.cancel();
                    }
                });
                folded.load(Ordering::Relaxed)
            })
        })
    }

    /// With one thread, and in a stretch: of expensive items, one is folded between two looks, and behind cheap ones a block at most.
    #[test]
    fn few_expensive_items_are_folded_between_two_looks() {
        assert_eq!(folded((0..1000).par_bridge_ordered(), 0), 1);
        // So many that a stretch has begun.
        for cheap in [10_000, 12_345, 40_007] {
            let few = cheap + 1..=cheap + BLOCK;
            let alone = folded((0..cheap + 1000).par_bridge_ordered(), cheap);
            assert!(few.contains(&alone), "{alone}");
            let shared = folded(SharedOut(0..cheap + 1000), cheap);
            assert!(few.contains(&shared), "{shared}");
        }
    }

    /// Cheap items come in blocks. In a block of its own, one would look expensive to a fold in front of a search, and end its first accumulator.
    #[test]
    fn cheap_items_fill_the_first_accumulator() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            mock::with(0, || {
                let items = (0..1000).par_bridge_ordered();
                let folds = items.fold(|| 0, |n, _| n + 1);
                assert_eq!(folds.find_any(|_| true), Some(63));
            })
        });
    }

    /// A sum that takes no items does not keep the iterator from its end.
    #[test]
    fn a_sum_that_takes_nothing_ends() {
        struct Nothing;
        impl<T> iter::Sum<T> for Nothing {
            fn sum<I: Iterator<Item = T>>(_: I) -> Self {
                Nothing
            }
        }
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let Nothing = pool.install(|| {
            let items = (0..100).par_bridge_ordered();
            items.map(|_| Nothing).sum()
        });
    }

    /// A block of cheap items uses no patience up, and a block that costs more what it costs more.
    #[test]
    fn a_stretch_ends_when_patience_does() {
        mock::with(0, || {
            let allowed = 2 * CHEAP * BLOCK as u64;
            for (taken, blocks) in [
                (0, STRETCH / BLOCK),
                (allowed, STRETCH / BLOCK),
                (allowed + 1000, 10),
                (allowed + 10_000, 1),
            ] {
                let mut stretch = StretchAlone::new(10);
                let mut items = 0;
                let goes_on = || {
                    let goes_on = stretch.goes_on(items, clock::ticks());
                    items = BLOCK;
                    mock::go_on(taken);
                    goes_on
                };
                assert_eq!(
                    iter::repeat_with(goes_on).take_while(|&on| on).count(),
                    blocks
                );
                assert_eq!(stretch.is_too_slow(), taken > allowed);
            }
        });
    }
}
