//! `par_bridge`: an ordinary iterator, whose items are handed to whichever thread is free.
//!
//! All parts of the run share the source. One thread at a time calls its `next`, and hands what it got to the fold:
//!
//! - A thread that is alone fetches and folds item by item, in order, and shares nothing.
//! - As soon as a second one takes part, whoever finds nothing ready fetches a batch. Each item but the last goes to a common store at once,
//!   so that nobody holds one that has not been begun while a slow `next` runs. Batches start at one and double while `next` is quick.
//! - Where the items prove to be so cheap that sharing them costs more than the work, all threads but one leave.
//!
//! A source may call the pool, and then the thread inside `next` may run other jobs while it waits: among them a part of its own run. So a
//! part does not begin where another one is below it on the same stack, nor on top of another job while somebody is inside `next`, because
//! that job may be what `next` waits for. Such a part ends at once; the others yield the items.

use crate::core::clock;
use crate::core::worker::Worker;
use crate::core::{current_num_threads, yield_local};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{
    Folded, Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed, bridge_unindexed_into,
};
use crate::sync::{AtomicBool, AtomicUsize, Condvar, Mutex, MutexGuard, Ordering, lock, spin_loop};
use std::cell::Cell;
use std::collections::VecDeque;
use std::iter;
use std::time::Duration;

/// The most items that are fetched at once.
const LARGEST_BATCH: usize = 256;
/// The most items that are taken from the store at once.
const HANDFUL: usize = 16;
/// A `next` below this many microseconds is quick.
const QUICK: u64 = 1;
/// If what is done with an item takes less, in nanoseconds, then one thread is faster than two.
const CHEAP: u64 = 25;
/// How many items tell that.
const SAMPLE: usize = 32;
/// How often a waiting thread looks before it sleeps.
const SPINS: u32 = 500;
/// How long it sleeps before it does what only its seat can do, at first and at most, in milliseconds.
const NAP: (u64, u64) = (1, 64);

/// Turns any iterator whose items can be sent into a parallel one.
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
#[derive(Debug, Clone)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
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

    fn drive_into<C, M>(self, folder: C::Folder, more: &M) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<Self::Item>,
        M: Fn() -> C,
    {
        bridge_unindexed_into(Part::of(&Shared::new(self.iter)), folder, more)
    }
}

/// What all parts of one run share.
struct Shared<I: Iterator> {
    /// Locked by whoever made [`State::busy`] true, so nobody ever waits for this lock, and nobody asks whether it is poisoned.
    source: Mutex<I>,
    state: Mutex<State<I::Item>>,
    /// Something was put into the store, the source is free, or all is over.
    changed: Condvar,
    /// How many threads take part; written with the state locked.
    crowd: AtomicUsize,
    /// Whether it is worth locking the state, to those who wait; written with the state locked.
    open: AtomicBool,
    /// How many more parts there may be.
    parts: AtomicUsize,
}

struct State<T> {
    /// Fetched, and anybody's.
    store: VecDeque<T>,
    /// Somebody has the source.
    busy: bool,
    /// The source has ended, or panicked.
    over: bool,
    /// The seats whose holders take part.
    seats: Vec<usize>,
    /// How many threads sleep until something changes.
    asleep: usize,
    /// How many items to fetch at once.
    batch: usize,
}

impl<I: Iterator> Shared<I> {
    fn new(source: I) -> Self {
        let threads = current_num_threads();
        Shared {
            source: Mutex::new(source),
            state: Mutex::new(State {
                store: VecDeque::new(),
                busy: false,
                over: false,
                seats: Vec::new(),
                asleep: 0,
                batch: 1,
            }),
            changed: Condvar::new(),
            crowd: AtomicUsize::new(0),
            open: AtomicBool::new(true),
            // A few more than threads, because some parts may end at once.
            parts: AtomicUsize::new(threads + threads.min(16)),
        }
    }

    /// To be called after a change of the state, and before it is unlocked.
    fn publish(&self, state: &State<I::Item>) {
        let open = state.over || !state.busy || !state.store.is_empty();
        self.open.store(open, Ordering::Relaxed);
        self.crowd.store(state.seats.len(), Ordering::Relaxed);
        if open && state.asleep > 0 {
            self.changed.notify_all();
        }
    }

    fn leave(&self, seat: usize, state: &mut State<I::Item>) {
        state.seats.retain(|&other| other != seat);
        self.publish(state);
    }

    fn is_alone(&self) -> bool {
        self.crowd.load(Ordering::Relaxed) <= 1
    }

    /// Waits until something may have changed.
    fn wait<'s>(&'s self, nap: &mut u64, state: MutexGuard<'s, State<I::Item>>) {
        drop(state);
        for _ in 0..SPINS {
            if self.open.load(Ordering::Relaxed) {
                return;
            }
            spin_loop();
        }
        let mut state = lock(&self.state);
        if self.open.load(Ordering::Relaxed) {
            return;
        }
        state.asleep += 1;
        let rest = Duration::from_millis(*nap);
        let (mut state, timeout) = self
            .changed
            .wait_timeout(state, rest)
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        state.asleep -= 1;
        drop(state);
        if timeout.timed_out() {
            *nap = NAP.1.min(*nap * 2);
            // If the source waits for a broadcast, then also for this seat's share of it.
            yield_local();
        }
    }
}

/// What a part does next.
enum Turn<'s, I: Iterator> {
    /// Fold what was put into its hand.
    Fold,
    /// Fetch.
    Fetch(Hold<'s, I>),
    /// Nothing is left.
    End,
}

/// A thread's share of a run.
struct Part<'s, I: Iterator> {
    shared: &'s Shared<I>,
    /// Under which number it takes part, once it does.
    seat: Option<usize>,
    /// Items that were taken from the store.
    hand: VecDeque<I::Item>,
}

impl<'s, I: Iterator> Part<'s, I> {
    fn of(shared: &'s Shared<I>) -> Self {
        Part {
            shared,
            seat: None,
            hand: VecDeque::new(),
        }
    }

    /// Begins to take part, if that is safe here and there is anything left.
    fn enter(&mut self) -> bool {
        if self.seat.is_some() {
            return true;
        }
        let worker = Worker::current();
        // Outside of all pools nothing nests, and nobody else takes part.
        let seat = worker.map_or(usize::MAX, |worker| worker.seat().index());
        let nested = worker.is_some_and(|worker| worker.own().depth.get() > 1);
        let mut state = lock(&self.shared.state);
        let ended = state.over && state.store.is_empty();
        if ended || (nested && state.busy) || state.seats.contains(&seat) {
            return false;
        }
        state.seats.push(seat);
        self.seat = Some(seat);
        self.shared.publish(&state);
        true
    }

    /// Finds out what to do next; takes up to `most` items into the hand, or waits.
    fn turn(&mut self, most: usize) -> Turn<'s, I> {
        let shared = self.shared;
        let mut nap = NAP.0;
        loop {
            let mut state = lock(&shared.state);
            if !state.store.is_empty() {
                let few = most.min(HANDFUL).min(state.store.len());
                self.hand.extend(state.store.drain(..few));
                shared.publish(&state);
                return Turn::Fold;
            }
            if state.over {
                return Turn::End;
            }
            if !state.busy {
                state.busy = true;
                shared.publish(&state);
                return Turn::Fetch(Hold {
                    shared,
                    batch: state.batch,
                    most,
                    calling: Cell::new(false),
                    over: Cell::new(false),
                });
            }
            shared.wait(&mut nap, state);
        }
    }

    /// Ends the part if others go on. Only with an empty store, for an item in there may be what somebody's `next` waits for.
    fn retire(&mut self) -> bool {
        let mut state = lock(&self.shared.state);
        let free = state.seats.len() > 1 && state.store.is_empty();
        if free && let Some(seat) = self.seat.take() {
            self.shared.leave(seat, &mut state);
        }
        free
    }
}

impl<I: Iterator> Drop for Part<'_, I> {
    fn drop(&mut self) {
        if let Some(seat) = self.seat {
            self.shared.leave(seat, &mut lock(&self.shared.state));
        }
    }
}

/// The exclusive use of the source.
struct Hold<'s, I: Iterator> {
    shared: &'s Shared<I>,
    /// How many items to fetch at once; when this is dropped, how many the next time.
    batch: usize,
    /// How many items are wanted at most.
    most: usize,
    /// `next` is running.
    calling: Cell<bool>,
    over: Cell<bool>,
}

impl<I: Iterator> Hold<'_, I> {
    #[inline]
    fn next(&self, source: &mut I) -> Option<I::Item> {
        self.calling.set(true);
        let item = source.next();
        self.calling.set(false);
        if item.is_none() {
            self.over.set(true);
        }
        item
    }

    /// Folds the items while no other thread takes part; says how many.
    fn fold_alone<F: Folder<I::Item>>(self, folder: F) -> (F, usize) {
        let mut source = lock(&self.shared.source);
        let mut folded = 0;
        let items = iter::from_fn(|| {
            let go_on = folded == 0 || (folded < self.most && self.shared.is_alone());
            let item = go_on.then(|| self.next(&mut source)).flatten()?;
            folded += 1;
            Some(item)
        });
        let folder = folder.consume_iter(items.fuse());
        (folder, folded)
    }

    /// Fetches a batch: the last item is returned, the others are everybody's.
    fn fetch(mut self) -> Option<I::Item> {
        let mut source = lock(&self.shared.source);
        let batch = self.batch.min(self.most);
        let mut since = clock::ticks();
        let mut item = self.next(&mut source)?;
        for fetched in 1..batch {
            {
                let mut state = lock(&self.shared.state);
                if state.seats.len() <= 1 {
                    // Nobody is left who would take it.
                    break;
                }
                state.store.push_back(item);
                self.shared.publish(&state);
            }
            item = self.next(&mut source)?;
            if fetched % 8 == 0 && !is_quick(&mut since, 8) {
                self.batch = 1;
                return Some(item);
            }
        }
        self.batch = match is_quick(&mut since, (batch as u64).min(8)) {
            true => LARGEST_BATCH.min(self.batch.max(2 * batch)),
            false => 1,
        };
        Some(item)
    }
}

/// Whether that many calls of `next` were quick, on average.
fn is_quick(since: &mut u64, calls: u64) -> bool {
    let now = clock::ticks();
    let spent = now.saturating_sub(std::mem::replace(since, now));
    spent <= calls * QUICK * clock::per_us()
}

impl<I: Iterator> Drop for Hold<'_, I> {
    fn drop(&mut self) {
        // If `next` panicked, it is not called again. What it returned before is still everybody's.
        let panicked = self.calling.get();
        let mut state = lock(&self.shared.state);
        state.busy = false;
        state.over |= self.over.get() || panicked;
        state.batch = self.batch;
        self.shared.publish(&state);
    }
}

impl<I> UnindexedProducer for Part<'_, I>
where
    I: Iterator<Item: Send> + Send,
{
    type Item = I::Item;

    fn split(self) -> (Self, Option<Self>) {
        let left = self
            .shared
            .parts
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |parts| {
                parts.checked_sub(1)
            });
        let right = left.is_ok().then(|| Part::of(self.shared));
        (self, right)
    }

    fn fold_with<F: Folder<I::Item>>(self, mut folder: F) -> F {
        let mut part = self;
        let mut budget = 1;
        while !folder.full() {
            let rest;
            let mut since = clock::ticks();
            (folder, rest) = part.fold_some(folder, budget);
            match rest {
                Some(rest) => part = rest,
                None => break,
            }
            // Blocks of some 10 microseconds, as the driver would make them.
            budget = match is_quick(&mut since, 10) {
                true => LARGEST_BATCH.min(budget * 2),
                false => (budget / 2).max(1),
            };
        }
        folder
    }

    fn can_pause(&self) -> bool {
        true
    }

    /// What passing an item through the store costs.
    fn split_cost(&self) -> u32 {
        CHEAP as u32
    }

    fn fold_some<F: Folder<I::Item>>(mut self, mut folder: F, budget: usize) -> (F, Option<Self>) {
        if !self.enter() {
            return (folder, None);
        }
        if let Some(worker) = Worker::current()
            && worker.own().deque.has_private()
        {
            // `next` may block, on work that was offered and that nobody saw yet.
            worker.publish_all();
        }
        let mut left = budget;
        let (mut sample, mut spent) = (0, 0);
        while left > 0 && !folder.full() {
            match self.turn(left) {
                Turn::End => return (folder, None),
                Turn::Fold => {
                    left -= self.hand.len();
                    sample += self.hand.len();
                    let start = clock::ticks();
                    folder = folder.consume_iter(self.hand.drain(..));
                    spent += clock::ticks().saturating_sub(start);
                }
                Turn::Fetch(hold) if left > 1 && self.shared.is_alone() => {
                    let folded;
                    (folder, folded) = hold.fold_alone(folder);
                    left -= folded;
                }
                Turn::Fetch(hold) => {
                    if let Some(item) = hold.fetch() {
                        folder = folder.consume(item);
                        left -= 1;
                    }
                }
            }
        }
        let cheap = sample as u64 * CHEAP * clock::per_us() / 1000;
        if sample >= SAMPLE && spent < cheap && self.retire() {
            return (folder, None);
        }
        (folder, Some(self))
    }
}
