//! The work of one thread in a run: it fetches, folds, takes from other stores, waits, leaves.

use super::shared::{Hold, NAP, REST, Shared, is_quick, place};
use crate::core::clock;
use crate::core::worker::Worker;
use crate::iter::plumbing::{Folder, UnindexedProducer};
use crate::sync::{Ordering, fence, lock};
use crossbeam_deque::{Steal, Stealer, Worker as Deque};
use std::iter;

/// The most items that are folded between two looks, outside of all pools.
const LARGEST_BLOCK: usize = 256;
/// The most items that are taken from another store at once.
const HANDFUL: usize = 32;
/// The cost of passing an item through a store, in nanoseconds.
const PASSING: u64 = 25;
/// If taking an item out of a store and folding it costs less, in nanoseconds, one thread is faster than two.
const CHEAP: u64 = 40;
/// How many items are timed to decide that.
const SAMPLE: usize = 32;

/// The next step of a part.
enum Turn<'s, I: Iterator> {
    /// Fold this, and then what is in the store.
    Fold(Option<I::Item>),
    /// Fetch.
    Fetch(Hold<'s, I>),
    /// Nothing is left.
    End,
}

/// A thread's share of a run.
pub(super) struct Part<'s, I: Iterator> {
    shared: &'s Shared<I>,
    /// The number of its desk, once it takes part.
    desk: Option<usize>,
    /// It fetches no more, and only empties the stores.
    leaving: bool,
    /// The items that this thread fetched or took, for itself and for others; made when other threads take part.
    store: Option<Deque<I::Item>>,
    /// The stores of all threads, as far as this thread knows.
    stores: Vec<Stealer<I::Item>>,
}

impl<'s, I: Iterator> Part<'s, I> {
    pub(super) fn of(shared: &'s Shared<I>) -> Self {
        Part {
            shared,
            desk: None,
            leaving: false,
            store: None,
            stores: Vec::new(),
        }
    }

    /// Begins to take part, if that is safe here and there is anything left.
    fn enter(&mut self) -> bool {
        if self.desk.is_some() {
            return true;
        }
        let (shared, here) = (self.shared, place());
        let desk = here.0;
        let over = shared.is_over();
        let mut members = lock(&shared.members);
        let ended = over && members.stores.iter().all(Stealer::is_empty);
        let needless = ended || (!members.threads.is_empty() && shared.is_quiet());
        let nested = members.is_nested(here) || members.threads.contains(&desk);
        if needless || nested {
            if !ended {
                shared.refund(nested);
            }
            return false;
        }
        members.threads.push(desk);
        shared.crowd.fetch_add(1, Ordering::Relaxed);
        self.desk = Some(desk);
        true
    }

    /// Decides what to do next, or waits.
    fn turn(&mut self) -> Turn<'s, I> {
        let shared = self.shared;
        let mut nap = NAP.0;
        let mut waited = false;
        loop {
            if self.store.as_ref().is_some_and(|store| !store.is_empty()) {
                return Turn::Fold(None);
            }
            let over = shared.is_over();
            // If `next` is quick, it is better to leave the fetched items to other threads.
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
            shared.sleep(&mut nap, &self.stores);
        }
    }

    /// Takes items out of another thread's store.
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

    /// Leaves, if other threads go on: fetches nothing more, and ends when the stores are empty. (The `next` of another thread may wait for
    /// an item in a store.)
    ///
    /// The thread is replaced later, because later items may be more expensive.
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
        // Either this thread sees what another thread put into its store, or the other thread sees that it is alone.
        fence(Ordering::SeqCst);
    }
}

impl<I: Iterator> Drop for Part<'_, I> {
    fn drop(&mut self) {
        if let Some(desk) = self.desk {
            let mut members = lock(&self.shared.members);
            members.threads.retain(|&other| other != desk);
            members.spare.extend(self.store.take());
            if !self.leaving {
                self.shared.crowd.fetch_sub(1, Ordering::Relaxed);
            }
        }
    }
}

impl<I: Iterator<Item: Send> + Send> UnindexedProducer for Part<'_, I> {
    type Item = I::Item;

    fn split(self) -> (Self, Option<Self>) {
        if self.shared.is_quiet() {
            return (self, None);
        }
        // A nested part would wait for the part that it splits off, and that part for the source, which may be held further down on this
        // stack.
        if self.desk.is_none() && lock(&self.shared.members).is_nested(place()) {
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
            // Blocks of about 10 microseconds, as the driver would make them.
            budget = match is_quick(&mut since, 10) {
                true => LARGEST_BLOCK.min(budget * 2),
                false => (budget / 2).max(1),
            };
        }
        folder
    }

    const CAN_PAUSE: bool = true;

    /// The cost of passing an item through the store.
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
            // `next` may block on work that was offered and that no thread can see yet.
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
                Turn::Fetch(hold) => hold.fetch(|| self.store()),
            };
            let store = self.store.as_ref();
            let start = clock::ticks();
            let mut folded = 0;
            let items = iter::from_fn(|| {
                let go_on = folded < left;
                let item = go_on
                    .then(|| first.take().or_else(|| store?.pop()))
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

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::{Part, Shared};
    use crate::ThreadPoolBuilder;
    use crate::iter::plumbing::{Folder, UnindexedProducer};
    use crate::sync::Ordering::Relaxed;

    struct Seen(Vec<i32>);

    impl Folder<i32> for Seen {
        type Result = Vec<i32>;

        fn consume(mut self, item: i32) -> Self {
            self.0.push(item);
            self
        }

        fn complete(self) -> Vec<i32> {
            self.0
        }

        fn full(&self) -> bool {
            false
        }
    }

    /// Runs `f` on a pool's only thread, on top of a wait.
    fn on_top(f: impl FnOnce() + Send) {
        crate::scope(|scope| scope.spawn(move |_| f()));
    }

    #[test]
    fn a_part_on_top_of_other_work_neither_splits_nor_begins() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let shared = Shared::new(0..10);
            let (base, other) = Part::of(&shared).split();
            let other = other.expect("the run begins here");
            let right_to_more = shared.parts.load(Relaxed);
            on_top(|| {
                let (other, more) = other.split();
                assert!(more.is_none());
                assert!(other.fold_with(Seen(Vec::new())).complete().is_empty());
            });
            assert_eq!(shared.parts.load(Relaxed), right_to_more + 1);
            let seen = base.fold_with(Seen(Vec::new())).complete();
            assert!(seen.into_iter().eq(0..10));
        });
    }

    #[test]
    fn a_run_that_begins_on_top_of_other_work_is_at_home_there() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.install(|| {
            let shared = Shared::new(0..10);
            on_top(|| {
                let (base, other) = Part::of(&shared).split();
                assert!(other.is_some());
                let seen = base.fold_with(Seen(Vec::new())).complete();
                assert!(seen.into_iter().eq(0..10));
            });
        });
    }
}
