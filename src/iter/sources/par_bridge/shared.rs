//! The data that the parts of one run share: the source, which one part holds at a time, and which parts there are.

use crate::core::wait_list::WaitList;
use crate::core::worker::Worker;
use crate::core::{clock, current_num_threads};
use crate::iter::plumbing::Folder;
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Mutex, Ordering, lock, planted, spin_loop};
use crossbeam_deque::{Stealer, Worker as Deque};
use crossbeam_utils::CachePadded;
use std::cell::Cell;
use std::time::Duration;

/// The most items that are fetched at once. A new store has room for a whole batch but its last item.
const LARGEST_BATCH: usize = 64;
/// In how many parts a thread that is alone folds a block, and the most items of such a part.
const STRIDES: usize = 16;
const LARGEST_STRIDE: usize = 256;
/// If such a part takes as long as this many quick calls of `next`, the next ones are single items.
const SLOW: u64 = 5;
/// A `next` below this many microseconds is quick.
const QUICK: u64 = 1;
/// How often a waiting thread looks for the source before it looks for items. In models, further looks show nothing new.
const SPINS: u32 = if cfg!(filch_shuttle) { 1 } else { 128 };
/// How often a waiting thread looks for items before it sleeps. On loom not at all, which saves half of the schedules.
const LOOKS: u32 = match (cfg!(filch_loom), cfg!(filch_shuttle)) {
    (true, _) => 0,
    (_, true) => 1,
    _ => 6,
};
/// How long a thread sleeps before it looks for jobs that only it can do, in milliseconds: at first and at most.
pub(super) const NAP: (u64, u64) = (1, 64);
/// The longest sleep in which a thread keeps its right, in milliseconds. In a model each one lasts until the thread is woken.
const WITH_RIGHT: u64 = if cfg!(filch_shuttle) { 0 } else { NAP.0 };
/// For how long a thread that left is not replaced, in microseconds: at first and at most.
pub(super) const REST: (u64, u64) = (1_000, 64_000);

/// For how long no part is made after one that could not begin, in microseconds. Otherwise its thread would take the next part too.
const RESPITE: u64 = 20;

/// What all parts of one run share.
pub(super) struct Shared<I: Iterator> {
    /// Locked by the thread that made `busy` true, so no thread ever waits for this lock, and none checks whether it is poisoned.
    ///
    /// In its own cache line, because its holder writes there at each item, while the others look at the rest.
    pub(super) source: CachePadded<Mutex<I>>,
    /// A thread holds the source.
    busy: CachePadded<AtomicBool>,
    /// The source has ended, or panicked; written by its holder.
    pub(super) over: AtomicBool,
    /// How many items to fetch at once; written by the holder of the source.
    pub(super) batch: AtomicUsize,
    /// How many threads take part; written with the members locked.
    pub(super) crowd: AtomicUsize,
    /// How many stores there are; written with the members locked.
    pub(super) stores: AtomicUsize,
    pub(super) members: Mutex<Members<I::Item>>,
    /// The threads that found nothing to do.
    waiting: WaitList,
    /// How many more parts there may be.
    pub(super) parts: AtomicUsize,
    /// Until when no part is made, in ticks.
    pub(super) quiet: AtomicU64,
}

pub(super) struct Members<T> {
    /// Where the run began: set when its first part splits or begins to fold, before there is any other part.
    home: Option<Place>,
    /// The desks of the threads that take part.
    pub(super) threads: Vec<usize>,
    /// The stores of all threads that ever took part with others. Threads that panicked may have left items.
    pub(super) stores: Vec<Stealer<T>>,
    /// The owner's handles of the stores whose threads have left.
    pub(super) spare: Vec<Deque<T>>,
    /// For how long the next thread that leaves is not replaced, in microseconds.
    pub(super) rest: u64,
}

/// The id of this thread's desk, and how many jobs are nested on it. (Its index may change while it waits.)
pub(super) type Place = (usize, usize);

/// Where this thread is. Outside of all pools nothing nests, and no other thread takes part.
pub(super) fn place() -> Place {
    Worker::current().map_or((usize::MAX, 0), |worker| {
        (worker.desk().id(), worker.depth())
    })
}

impl<T> Members<T> {
    /// Whether a part that runs at `here` is on top of a job, which may be an item of this run, that an item or `next` may wait for.
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

    /// Once this is true, all items that were ever fetched are visible in the stores, unless they were taken out.
    pub(super) fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    #[inline]
    pub(super) fn is_alone(&self) -> bool {
        self.crowd.load(Ordering::Relaxed) <= 1
    }

    /// Whether the source can be held, or has ended.
    pub(super) fn is_free(&self) -> bool {
        !self.is_busy() || self.is_over()
    }

    /// Whether the stores have items. The caller knows the stores in `known`.
    fn has_items(&self, known: &[Stealer<I::Item>]) -> bool {
        known.len() < self.stores.load(Ordering::Relaxed)
            || known.iter().any(|store| !store.is_empty())
    }

    /// Makes this thread the holder. False: another one is.
    ///
    /// It writes only if it succeeds. (Loom does not know that what an exchange writes comes right behind what it read. So there an exchange that finds
    /// `true`, and writes it again, may seem to come after the store of the thread that lets go.)
    #[inline]
    fn seize(&self) -> bool {
        let seen = self
            .busy
            .compare_exchange(false, true, Ordering::Acquire, Ordering::Relaxed);
        seen.is_ok()
    }

    /// Takes the source, unless another thread holds it or it has ended.
    pub(super) fn hold(&self) -> Option<Hold<'_, I>> {
        if self.is_busy() || !self.seize() && !planted!("twice") {
            return None;
        }
        let over = self.over.load(Ordering::Relaxed) && !planted!("again");
        let hold = Hold {
            shared: self,
            batch: self.batch.load(Ordering::Relaxed),
            over: Cell::new(over),
        };
        (!over).then_some(hold)
    }

    /// Waits a little until the source is free or the stores have items; returns whether that came. The caller knows the stores in `known`.
    ///
    /// Looks at the stores only now and then: a look takes a cache line away from the thread that fetches.
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

    /// As [`Shared::watch`], but sleeps.
    pub(super) fn sleep(&self, nap: &mut u64, known: &[Stealer<I::Item>]) {
        let most = Duration::from_millis(*nap);
        let ready = || self.is_free() || self.has_items(known);
        let worker = Worker::current();
        let sleep = || self.waiting.sleep(most, ready);
        // If nothing has changed for a whole nap, the thread that has the source may need the right. Before, to put it down would wake others in vain.
        let timed_out = match worker {
            Some(worker) if *nap > WITH_RIGHT => worker.nap(sleep),
            _ => sleep(),
        };
        if timed_out {
            // The source or an item may wait for a job that no other thread can run, or for this thread's share of a broadcast.
            *nap = match worker.is_some_and(Worker::help) {
                true => NAP.0,
                false => NAP.1.min(*nap * 2),
            };
        }
    }

    /// Gives back the right to one part, which did not begin. If it was `nested`, no other part is made for a moment.
    pub(super) fn refund(&self, nested: bool) {
        if nested {
            let until = clock::ticks().saturating_add(RESPITE * clock::per_us());
            self.quiet.fetch_max(until, Ordering::Relaxed);
        }
        self.parts.fetch_add(1, Ordering::Relaxed);
    }

    /// Whether no part is to be made now: a thread left because the items were too cheap, or a part could not begin.
    pub(super) fn is_quiet(&self) -> bool {
        clock::ticks() < self.quiet.load(Ordering::Relaxed)
    }
}

/// The exclusive use of the source.
pub(super) struct Hold<'s, I: Iterator> {
    pub(super) shared: &'s Shared<I>,
    /// How many items to fetch at once. When this is dropped, it becomes the number for the next time.
    pub(super) batch: usize,
    /// The source has ended, or `next` panicked.
    over: Cell<bool>,
}

/// Some items of the source. Whether it is over is kept here until this ends, so that a loop over cheap items writes nothing to memory.
struct Handful<'h, I> {
    source: &'h mut I,
    room: usize,
    over: bool,
    /// Where it is reported.
    report: &'h Cell<bool>,
}

impl<I: Iterator> Iterator for Handful<'_, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        if self.room == 0 || self.over {
            return None;
        }
        self.room -= 1;
        // Even if it panics.
        self.over = true;
        let item = self.source.next();
        self.over = item.is_none();
        item
    }
}

impl<I> Drop for Handful<'_, I> {
    #[inline]
    fn drop(&mut self) {
        self.report.set(self.over);
    }
}

impl<I: Iterator> Hold<'_, I> {
    /// Folds up to `most` items, which should take about a block, while no other thread takes part. Returns about how many: of a
    /// handful that ended early, none or all are counted.
    ///
    /// Another thread that comes waits for a few items, which take a small part of a block if they cost what those before did. To look for it at each
    /// item would cost more than cheap items do. After items that took long it is looked for at each.
    pub(super) fn fold_alone<F: Folder<I::Item>>(self, mut folder: F, most: usize) -> (F, usize) {
        let mut source = lock(&self.shared.source);
        let mut stride = (most / STRIDES).clamp(1, LARGEST_STRIDE);
        let (mut left, mut since) = (most, clock::ticks());
        while left > 0 && self.shared.is_alone() && !folder.full() {
            let room = stride.min(left);
            folder = folder.consume_iter(Handful {
                source: &mut *source,
                room,
                over: false,
                report: &self.over,
            });
            if self.over.get() {
                break;
            }
            left -= room;
            if stride > 1 && !is_quick(&mut since, SLOW) {
                stride = 1;
            }
        }
        (folder, most - left)
    }

    /// Fetches a batch: the last item is returned, the others are put into the store of this thread as they come. It is made for the first one.
    pub(super) fn fetch<'d>(mut self, store: impl FnOnce() -> &'d Deque<I::Item>) -> Option<I::Item>
    where
        I::Item: 'd,
    {
        let mut source = lock(&self.shared.source);
        let batch = self.batch;
        let mut items = Handful {
            source: &mut *source,
            room: batch,
            over: false,
            report: &self.over,
        };
        let mut since = clock::ticks();
        let mut item = items.next()?;
        if batch > 1 {
            let store = store();
            for fetched in 1..batch {
                store.push(item);
                self.shared.waiting.notify_one();
                // After the fence in `notify_one`.
                if self.shared.is_alone() {
                    return store.pop();
                }
                item = items.next()?;
                if fetched % 8 == 0 && !is_quick(&mut since, 8) {
                    self.batch = 1;
                    return Some(item);
                }
            }
        }
        self.batch = match is_quick(&mut since, (batch as u64).min(8)) {
            true => LARGEST_BATCH.min(2 * batch),
            false => 1,
        };
        Some(item)
    }
}

/// Whether `calls` calls of `next` were quick, on average.
pub(super) fn is_quick(since: &mut u64, calls: u64) -> bool {
    let now = clock::ticks();
    let spent = now.saturating_sub(std::mem::replace(since, now));
    spent <= calls * QUICK * clock::per_us()
}

impl<I: Iterator> Drop for Hold<'_, I> {
    fn drop(&mut self) {
        let shared = self.shared;
        shared.batch.store(self.batch, Ordering::Relaxed);
        // If `next` panicked, it is not called again. The items that it returned before can still be taken.
        let over = self.over.get();
        shared.over.store(over, Ordering::Release);
        shared.busy.store(false, Ordering::Release);
        if planted!("rung") {
            return;
        }
        if over {
            shared.waiting.notify_all();
        } else {
            shared.waiting.notify_one();
        }
    }
}
