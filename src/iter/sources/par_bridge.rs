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
//! A source may call the pool, and then the thread inside `next` may run other jobs while it waits: among them a part of its own run. So a
//! part does not begin where another one is below it on the same stack, nor on top of another job while somebody is inside `next`, because
//! that job may be what `next` waits for; and on top of another job it does not wait for long. Such a part ends; the others yield the items.

use crate::core::clock;
use crate::core::wait_list::WaitList;
use crate::core::worker::Worker;
use crate::core::{current_num_threads, yield_local};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{
    Folded, Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed, bridge_unindexed_into,
};
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Mutex, Ordering, fence, lock, spin_loop};
use crossbeam_deque::{Steal, Stealer, Worker as Deque};
use crossbeam_utils::CachePadded;
use std::cell::Cell;
use std::iter;
use std::time::Duration;

/// The most items that are fetched at once. What is below that fits into a store as it is made.
const LARGEST_BATCH: usize = 64;
/// The most items that are folded between two looks, outside of all pools.
const LARGEST_BLOCK: usize = 256;
/// The most items that are taken from another thread's store at once.
const HANDFUL: usize = 32;
/// A `next` below this many microseconds is quick.
const QUICK: u64 = 1;
/// What passing an item through a store costs, in nanoseconds.
const PASSING: u64 = 25;
/// If taking an item out of a store and folding it take less, in nanoseconds, then one thread is faster than two.
const CHEAP: u64 = 40;
/// How many items tell that.
const SAMPLE: usize = 32;
/// How often a waiting thread looks for the source before it looks for items.
const SPINS: u32 = 128;
/// How often it looks for items before it sleeps.
const LOOKS: u32 = 6;
/// How long it sleeps before it does what only its seat can do, at first and at most, in milliseconds.
const NAP: (u64, u64) = (1, 64);
/// For how long a thread that left is not replaced, at first and at most, in microseconds.
const REST: (u64, u64) = (1_000, 64_000);

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
    /// Locked by whoever made `busy` true, so nobody ever waits for this lock, and nobody asks whether it is poisoned.
    ///
    /// In a cache line of its own, because its holder writes there at each item, and the others look at the rest.
    source: CachePadded<Mutex<I>>,
    /// Somebody has the source.
    busy: CachePadded<AtomicBool>,
    /// The source has ended, or panicked; written by whoever has it.
    over: AtomicBool,
    /// How many items to fetch at once; written by whoever has the source.
    batch: AtomicUsize,
    /// How many threads take part; written with the members locked.
    crowd: AtomicUsize,
    /// How many stores there are; written with the members locked.
    stores: AtomicUsize,
    members: Mutex<Members<I::Item>>,
    /// Those who found nothing to do.
    waiting: WaitList,
    /// How many more parts there may be.
    parts: AtomicUsize,
    /// Until when there should be none, in ticks.
    quiet: AtomicU64,
}

struct Members<T> {
    /// The seats whose holders take part.
    seats: Vec<usize>,
    /// The stores of all who ever took part in company: those who panicked may have left something.
    stores: Vec<Stealer<T>>,
    /// The owners' handles of those whose threads have left.
    spare: Vec<Deque<T>>,
    /// For how long the next thread that leaves is not replaced, in microseconds.
    rest: u64,
}

impl<I: Iterator> Shared<I> {
    fn new(source: I) -> Self {
        let threads = current_num_threads();
        Shared {
            source: CachePadded::new(Mutex::new(source)),
            busy: CachePadded::new(AtomicBool::new(false)),
            over: AtomicBool::new(false),
            batch: AtomicUsize::new(1),
            crowd: AtomicUsize::new(0),
            stores: AtomicUsize::new(0),
            members: Mutex::new(Members {
                seats: Vec::new(),
                stores: Vec::new(),
                spare: Vec::new(),
                rest: REST.0,
            }),
            waiting: WaitList::default(),
            // A few more than threads, because some parts may end at once.
            parts: AtomicUsize::new(threads + threads.min(16)),
            quiet: AtomicU64::new(0),
        }
    }

    fn is_busy(&self) -> bool {
        self.busy.load(Ordering::Relaxed)
    }

    /// Once this is true, all that was ever fetched can be seen in the stores, unless it was taken out.
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    #[inline]
    fn is_alone(&self) -> bool {
        self.crowd.load(Ordering::Relaxed) <= 1
    }

    /// Whether the source can be had, or never more.
    fn is_free(&self) -> bool {
        !self.is_busy() || self.is_over()
    }

    /// Whether there is something in the stores, of which the caller knows `known`.
    fn has_items(&self, known: &[Stealer<I::Item>]) -> bool {
        known.len() < self.stores.load(Ordering::Relaxed)
            || known.iter().any(|store| !store.is_empty())
    }

    /// Takes the source, unless somebody has it or it is over.
    fn hold(&self) -> Option<Hold<'_, I>> {
        if self.is_busy() || self.busy.swap(true, Ordering::Acquire) {
            return None;
        }
        let over = self.over.load(Ordering::Relaxed);
        let hold = Hold {
            shared: self,
            batch: self.batch.load(Ordering::Relaxed),
            calling: Cell::new(false),
            over: Cell::new(over),
        };
        (!over).then_some(hold)
    }

    /// Waits a little until the source can be had, or something out of the stores, of which the caller knows `known`. Whether there is any.
    ///
    /// Looks at the stores only now and then: a look takes a cache line away from the one who fetches.
    fn watch(&self, known: &[Stealer<I::Item>]) -> bool {
        for _ in 0..LOOKS {
            for _ in 0..SPINS {
                if self.is_free() {
                    return true;
                }
                spin_loop();
            }
            if self.has_items(known) {
                return true;
            }
        }
        false
    }

    /// As [`Shared::watch`], asleep.
    fn sleep(&self, nap: &mut u64, known: &[Stealer<I::Item>]) {
        let most = Duration::from_millis(*nap);
        let ready = || self.is_free() || self.has_items(known);
        if self.waiting.sleep(most, ready) {
            *nap = NAP.1.min(*nap * 2);
            // If the source waits for a broadcast, then also for this seat's share of it.
            yield_local();
        }
    }

    /// Whether a thread left a short while ago because the items were too cheap.
    fn is_quiet(&self) -> bool {
        clock::ticks() < self.quiet.load(Ordering::Relaxed)
    }
}

/// What a part does next.
enum Turn<'s, I: Iterator> {
    /// Fold this, and then what is in the store.
    Fold(Option<I::Item>),
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
    /// There is another job below it on the stack.
    nested: bool,
    /// It only empties the stores any more.
    leaving: bool,
    /// What this thread fetched or took, for itself and for others; made when there are others.
    store: Option<Deque<I::Item>>,
    /// Everybody's, as far as this thread knows.
    stores: Vec<Stealer<I::Item>>,
}

impl<'s, I: Iterator> Part<'s, I> {
    fn of(shared: &'s Shared<I>) -> Self {
        Part {
            shared,
            seat: None,
            nested: false,
            leaving: false,
            store: None,
            stores: Vec::new(),
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
        self.nested = worker.is_some_and(|worker| worker.own().depth.get() > 1);
        let shared = self.shared;
        let over = shared.is_over();
        let mut members = lock(&shared.members);
        let ended = over && members.stores.iter().all(Stealer::is_empty);
        let needless = ended || (!members.seats.is_empty() && shared.is_quiet());
        if needless || (self.nested && shared.is_busy()) || members.seats.contains(&seat) {
            return false;
        }
        members.seats.push(seat);
        shared.crowd.fetch_add(1, Ordering::Relaxed);
        self.seat = Some(seat);
        true
    }

    /// Finds out what to do next, or waits.
    fn turn(&mut self) -> Turn<'s, I> {
        let shared = self.shared;
        let mut nap = NAP.0;
        let mut waited = false;
        loop {
            if self.store.as_ref().is_some_and(|store| !store.is_empty()) {
                return Turn::Fold(None);
            }
            let over = shared.is_over();
            // Where `next` is quick, it is better to let others keep what they fetched.
            let quick = shared.batch.load(Ordering::Relaxed) > HANDFUL;
            if quick
                && !self.leaving
                && let Some(hold) = shared.hold()
            {
                return Turn::Fetch(hold);
            }
            if (waited || self.leaving || shared.is_free())
                && let Some(item) = self.steal()
            {
                return Turn::Fold(Some(item));
            }
            if over || self.leaving {
                return Turn::End;
            }
            if let Some(hold) = shared.hold() {
                return Turn::Fetch(hold);
            }
            waited = true;
            if shared.watch(&self.stores) {
                continue;
            }
            if self.nested {
                return Turn::End;
            }
            shared.sleep(&mut nap, &self.stores);
        }
    }

    /// Takes something out of somebody's store.
    fn steal(&mut self) -> Option<I::Item> {
        if self.shared.stores.load(Ordering::Acquire) > self.stores.len() {
            let members = lock(&self.shared.members);
            let known = self.stores.len();
            self.stores.extend_from_slice(&members.stores[known..]);
        }
        if self.stores.is_empty() {
            return None;
        }
        self.store();
        let store = self.store.as_ref()?;
        self.stores.iter().find_map(|other| {
            while !other.is_empty() {
                if let Steal::Success(item) = other.steal_batch_with_limit_and_pop(store, HANDFUL) {
                    return Some(item);
                }
            }
            None
        })
    }

    /// This thread's store.
    fn store(&mut self) -> &Deque<I::Item> {
        let shared = self.shared;
        self.store.get_or_insert_with(|| {
            let mut members = lock(&shared.members);
            if let Some(store) = members.spare.pop() {
                return store;
            }
            let store = Deque::new_fifo();
            members.stores.push(store.stealer());
            shared.stores.store(members.stores.len(), Ordering::Release);
            store
        })
    }

    /// Leaves, if others go on: fetches nothing more, and ends when the stores are empty, for an item in there may be what somebody's `next`
    /// waits for.
    ///
    /// The thread is replaced later, for then the items may be others.
    fn retire(&mut self) {
        let shared = self.shared;
        let mut members = lock(&shared.members);
        let crowd = shared.crowd.load(Ordering::Relaxed);
        if crowd <= 1 || self.leaving {
            return;
        }
        self.leaving = true;
        shared.crowd.store(crowd - 1, Ordering::Relaxed);
        let quiet = clock::ticks().saturating_add(members.rest * clock::per_us());
        shared.quiet.store(quiet, Ordering::Relaxed);
        members.rest = REST.1.min(members.rest * 2);
        shared.parts.fetch_add(1, Ordering::Relaxed);
        // Either this thread sees what another one put into its store, or that one sees that it is alone.
        fence(Ordering::SeqCst);
    }
}

impl<I: Iterator> Drop for Part<'_, I> {
    fn drop(&mut self) {
        if let Some(seat) = self.seat {
            let mut members = lock(&self.shared.members);
            members.seats.retain(|&other| other != seat);
            members.spare.extend(self.store.take());
            if !self.leaving {
                self.shared.crowd.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

/// The exclusive use of the source.
struct Hold<'s, I: Iterator> {
    shared: &'s Shared<I>,
    /// How many items to fetch at once; when this is dropped, how many the next time.
    batch: usize,
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

    /// Folds the items while no other thread takes part, up to `most`; says how many.
    fn fold_alone<F: Folder<I::Item>>(self, folder: F, most: usize) -> (F, usize) {
        let mut source = lock(&self.shared.source);
        let mut left = most;
        let items = iter::from_fn(|| {
            if left == 0 || !self.shared.is_alone() {
                return None;
            }
            let item = self.next(&mut source)?;
            left -= 1;
            Some(item)
        });
        let folder = folder.consume_iter(items.fuse());
        (folder, most - left)
    }

    /// Fetches a batch: the last item is returned, the others are put into the store of this thread as they come.
    fn fetch(mut self, store: &Deque<I::Item>) -> Option<I::Item> {
        let mut source = lock(&self.shared.source);
        let batch = self.batch;
        let mut since = clock::ticks();
        let mut item = self.next(&mut source)?;
        for fetched in 1..batch {
            store.push(item);
            self.shared.waiting.notify_one();
            // Behind the fence in there.
            if self.shared.is_alone() {
                return store.pop();
            }
            item = self.next(&mut source)?;
            if fetched % 8 == 0 && !is_quick(&mut since, 8) {
                self.batch = 1;
                return Some(item);
            }
        }
        self.batch = match is_quick(&mut since, (batch as u64).min(8)) {
            true => LARGEST_BATCH.min(2 * batch),
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
        let shared = self.shared;
        shared.batch.store(self.batch, Ordering::Relaxed);
        // If `next` panicked, it is not called again. What it returned before is still everybody's.
        let over = self.over.get() || self.calling.get();
        shared.over.store(over, Ordering::Release);
        shared.busy.store(false, Ordering::Release);
        if over {
            shared.waiting.notify_all();
        } else {
            shared.waiting.notify_one();
        }
    }
}

impl<I> UnindexedProducer for Part<'_, I>
where
    I: Iterator<Item: Send> + Send,
{
    type Item = I::Item;

    fn split(self) -> (Self, Option<Self>) {
        if self.shared.is_quiet() {
            return (self, None);
        }
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
                true => LARGEST_BLOCK.min(budget * 2),
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
        PASSING as u32
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
            let mut first = match self.turn() {
                Turn::End => return (folder, None),
                Turn::Fold(first) => first,
                // Not the very first item, which may wait for the second.
                Turn::Fetch(hold) if left > 1 && self.shared.is_alone() => {
                    let folded;
                    (folder, folded) = hold.fold_alone(folder, left);
                    left -= folded;
                    continue;
                }
                Turn::Fetch(hold) => hold.fetch(self.store()),
            };
            let store = self.store();
            let start = clock::ticks();
            let mut folded = 0;
            let items = iter::from_fn(|| {
                let go_on = folded < left;
                let item = go_on
                    .then(|| first.take().or_else(|| store.pop()))
                    .flatten()?;
                folded += 1;
                Some(item)
            });
            folder = folder.consume_iter(items.fuse());
            spent += clock::ticks().saturating_sub(start);
            left -= folded;
            sample += folded;
        }
        let cheap = sample as u64 * CHEAP * clock::per_us() / 1000;
        if sample >= SAMPLE && spent < cheap {
            self.retire();
        }
        (folder, Some(self))
    }
}
