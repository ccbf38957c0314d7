//! What the parts of one run share: the source, which one of them holds at a time, and who takes part.

use crate::core::wait_list::WaitList;
use crate::core::worker::Worker;
use crate::core::{clock, current_num_threads};
use crate::iter::plumbing::Folder;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Mutex, Ordering, lock, spin_loop};
use crossbeam_deque::{Stealer, Worker as Deque};
use crossbeam_utils::CachePadded;
use std::cell::Cell;
use std::iter;
use std::time::Duration;

/// The most items that are fetched at once. What is below that fits into a store as it is made.
const LARGEST_BATCH: usize = 64;
/// A `next` below this many microseconds is quick.
const QUICK: u64 = 1;
/// How often a waiting thread looks for the source before it looks for items.
const SPINS: u32 = 128;
/// How often it looks for items before it sleeps.
const LOOKS: u32 = 6;
/// How long it sleeps before it does what only this thread can do, at first and at most, in milliseconds.
pub(super) const NAP: (u64, u64) = (1, 64);
/// For how long a thread that left is not replaced, at first and at most, in microseconds.
pub(super) const REST: (u64, u64) = (1_000, 64_000);

/// For how long no part is made after one that could not begin, in microseconds: its thread would take the next one, too.
const RESPITE: u64 = 20;

/// What all parts of one run share.
pub(super) struct Shared<I: Iterator> {
    /// Locked by whoever made `busy` true, so nobody ever waits for this lock, and nobody asks whether it is poisoned.
    ///
    /// In a cache line of its own, because its holder writes there at each item, and the others look at the rest.
    pub(super) source: CachePadded<Mutex<I>>,
    /// Somebody has the source.
    busy: CachePadded<AtomicBool>,
    /// The source has ended, or panicked; written by whoever has it.
    pub(super) over: AtomicBool,
    /// How many items to fetch at once; written by whoever has the source.
    pub(super) batch: AtomicUsize,
    /// How many threads take part; written with the members locked.
    pub(super) crowd: AtomicUsize,
    /// How many stores there are; written with the members locked.
    pub(super) stores: AtomicUsize,
    pub(super) members: Mutex<Members<I::Item>>,
    /// Those who found nothing to do.
    waiting: WaitList,
    /// How many more parts there may be.
    pub(super) parts: AtomicUsize,
    /// Until when there should be none, in ticks.
    pub(super) quiet: AtomicU64,
}

pub(super) struct Members<T> {
    /// Where the run began: known once its first part was split, or began to fold, before there was any other.
    home: Option<Place>,
    /// The desks of the threads that take part.
    pub(super) threads: Vec<usize>,
    /// The stores of all who ever took part in company: those who panicked may have left something.
    pub(super) stores: Vec<Stealer<T>>,
    /// The owners' handles of those whose threads have left.
    pub(super) spare: Vec<Deque<T>>,
    /// For how long the next thread that leaves is not replaced, in microseconds.
    pub(super) rest: u64,
}

/// The name of this thread's desk, and how many things are under way on it. (Its index may change where it waits.)
pub(super) type Place = (usize, usize);

/// Where this thread is. Outside of all pools nothing nests, and nobody else takes part.
pub(super) fn place() -> Place {
    Worker::current().map_or((usize::MAX, 0), |worker| {
        (worker.desk().id(), worker.depth())
    })
}

impl<T> Members<T> {
    /// Whether a part that runs at `here` is on top of something else, be it an item of this run, that may be waited for in an item or in `next`.
    pub(super) fn is_nested(&mut self, here: Place) -> bool {
        let home = *self.home.get_or_insert(here);
        here.1 > 1 && here != home
    }
}

impl<I: Iterator> Shared<I> {
    pub(super) fn new(source: I) -> Self {
        let threads = current_num_threads();
        Shared {
            source: CachePadded::new(Mutex::new(source)),
            busy: CachePadded::new(AtomicBool::new(false)),
            over: AtomicBool::new(false),
            batch: AtomicUsize::new(1),
            crowd: AtomicUsize::new(0),
            stores: AtomicUsize::new(0),
            members: Mutex::new(Members {
                home: None,
                threads: Vec::new(),
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
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    #[inline]
    pub(super) fn is_alone(&self) -> bool {
        self.crowd.load(Ordering::Relaxed) <= 1
    }

    /// Whether the source can be had, or never more.
    pub(super) fn is_free(&self) -> bool {
        !self.is_busy() || self.is_over()
    }

    /// Whether there is something in the stores, of which the caller knows `known`.
    fn has_items(&self, known: &[Stealer<I::Item>]) -> bool {
        known.len() < self.stores.load(Ordering::Relaxed)
            || known.iter().any(|store| !store.is_empty())
    }

    /// Takes the source, unless somebody has it or it is over.
    pub(super) fn hold(&self) -> Option<Hold<'_, I>> {
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
    pub(super) fn watch(&self, known: &[Stealer<I::Item>]) -> bool {
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
    pub(super) fn sleep(&self, nap: &mut u64, known: &[Stealer<I::Item>]) {
        let most = Duration::from_millis(*nap);
        let ready = || self.is_free() || self.has_items(known);
        if self.waiting.sleep(most, ready) {
            // What the source or an item waits for may be a job that nobody else is there to run, or this thread's share of a broadcast.
            *nap = match Worker::current().is_some_and(Worker::help) {
                true => NAP.0,
                false => NAP.1.min(*nap * 2),
            };
        }
    }

    /// Gives back the right to one part, which did not begin; if it was `nested`, there is no other for a moment.
    pub(super) fn refund(&self, nested: bool) {
        if nested {
            let until = clock::ticks().saturating_add(RESPITE * clock::per_us());
            self.quiet.fetch_max(until, Ordering::Relaxed);
        }
        self.parts.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether a thread left a short while ago because the items were too cheap.
    pub(super) fn is_quiet(&self) -> bool {
        clock::ticks() < self.quiet.load(Ordering::Relaxed)
    }
}

/// The exclusive use of the source.
pub(super) struct Hold<'s, I: Iterator> {
    pub(super) shared: &'s Shared<I>,
    /// How many items to fetch at once; when this is dropped, how many the next time.
    pub(super) batch: usize,
    /// `next` is running.
    calling: Cell<bool>,
    pub(super) over: Cell<bool>,
}

impl<I: Iterator> Hold<'_, I> {
    #[inline]
    pub(super) fn next(&self, source: &mut I) -> Option<I::Item> {
        self.calling.set(true);
        let item = source.next();
        self.calling.set(false);
        if item.is_none() {
            self.over.set(true);
        }
        item
    }

    /// Folds the items while no other thread takes part, up to `most`; says how many.
    pub(super) fn fold_alone<F: Folder<I::Item>>(self, folder: F, most: usize) -> (F, usize) {
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
    pub(super) fn fetch(mut self, store: &Deque<I::Item>) -> Option<I::Item> {
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
pub(super) fn is_quick(since: &mut u64, calls: u64) -> bool {
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
