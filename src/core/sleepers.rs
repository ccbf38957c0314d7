//! Who sleeps in a pool, and for what: the lists from which a waker takes the thread that it wakes.
//!
//! A thread gets up when a waker has taken it off its list, under the lock, and [called](super::desk::Call) it; or it takes itself off. So each
//! sleeper is woken once, and a waker never looks at threads that do not sleep. Who may run, and what there is to run, is not known here.
//!
//! ```text
//!   a worker looked for work in vain            -> parked
//!   a thread waits, and would run anything      -> free
//!   a thread waits, and runs only its own root  -> bound
//!   a thread was called, and no right was free  -> wanting, first come, first served
//! ```
//!
//! The rights that are held back are kept here as well, because they change under the same lock: see [`active`](super::active).

use super::desk::Desk;
use super::root::{KINDS, Root};
use crate::sync::{AtomicU32, Mutex, MutexGuard, Ordering, lock};
use std::array;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::Bound::{Excluded, Unbounded};

/// The lists, and counts that cost no lock. The counts are written with the lock held.
pub(crate) struct Sleepers {
    lists: Mutex<Lists>,
    /// How many sleep bound to a root.
    bound: AtomicU32,
    /// The same, by the kind of the root.
    bound_to: [AtomicU32; KINDS],
    /// How many wait for a right, and how many rights are still to be held back.
    wanting: AtomicU32,
}

/// The lists, while they are locked.
pub(crate) struct Locked<'a> {
    lists: MutexGuard<'a, Lists>,
    counts: &'a Sleepers,
}

struct Lists {
    /// The workers that sleep for want of work, a bit each.
    parked: Box<[u64]>,
    /// Threads that sleep inside a wait, by their desks' names.
    waiters: BTreeMap<usize, Waiter>,
    /// Those of them that would run anything.
    free: BTreeSet<usize>,
    /// Those that would run only work of one root, by that root.
    bound: BTreeSet<(Root, usize)>,
    /// Which of those had the last turn when a missed wake-up was made up for.
    turn: (Root, usize),
    /// Threads that wait for a right, by their desks.
    wanting: VecDeque<Handle>,
    /// The numbers of the rights that are held back: no thread has them, and none may take them.
    held_back: BTreeSet<usize>,
    /// How many more are to be held back, as soon as they are put down.
    surplus: usize,
}

/// A desk of the pool.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Handle(*const Desk);

// SAFETY: desks are Sync, and live as long as their pool, whose lists these are in.
unsafe impl Send for Handle {}

/// A thread that sleeps inside a wait.
#[derive(Clone, Copy)]
pub(crate) struct Waiter {
    desk: Handle,
    /// The only root whose work it would run; none if it would run anything.
    pub(crate) bound: Option<Root>,
    /// It goes on without a right when its wait is over.
    pub(crate) leaves: bool,
    /// It has not put its right down yet.
    pub(crate) holds: bool,
}

/// Whom a waker took off the lists.
#[derive(Clone, Copy)]
pub(crate) enum Sleeper<'a> {
    /// The worker of this number, asleep for want of work.
    Worker(usize),
    /// A thread asleep inside a wait.
    Waiter(&'a Desk),
}

impl Sleepers {
    /// The lists of a pool with `workers` threads.
    pub(crate) fn new(workers: usize) -> Self {
        Sleepers {
            lists: Mutex::new(Lists {
                parked: vec![0; workers.div_ceil(64)].into(),
                waiters: BTreeMap::new(),
                free: BTreeSet::new(),
                bound: BTreeSet::new(),
                turn: (Root::NONE, 0),
                wanting: VecDeque::new(),
                held_back: BTreeSet::new(),
                surplus: 0,
            }),
            bound: AtomicU32::new(0),
            bound_to: array::from_fn(|_| AtomicU32::new(0)),
            wanting: AtomicU32::new(0),
        }
    }

    pub(crate) fn lock(&self) -> Locked<'_> {
        Locked {
            lists: lock(&self.lists),
            counts: self,
        }
    }

    /// Whether a thread that sleeps runs work of one root only. A hint.
    pub(crate) fn any_bound(&self) -> bool {
        self.bound.load(Ordering::Relaxed) > 0
    }

    /// Whether a thread that sleeps may be one that runs work of `root` only. A hint.
    #[inline]
    pub(crate) fn any_bound_to(&self, root: Root) -> bool {
        root != Root::NONE && self.bound_to[root.kind()].load(Ordering::Relaxed) > 0
    }

    /// Whether a thread waits for a right, or one is to be held back. A hint.
    #[inline]
    pub(crate) fn any_wanting(&self) -> bool {
        self.wanting.load(Ordering::Relaxed) > 0
    }
}

impl<'a> Locked<'a> {
    // Workers that look in vain.

    pub(crate) fn park(&mut self, worker: usize) {
        self.lists.parked[worker / 64] |= 1 << (worker % 64);
    }

    /// Takes this worker off the list. False: it was not there, so it has been called.
    pub(crate) fn unpark(&mut self, worker: usize) -> bool {
        let word = &mut self.lists.parked[worker / 64];
        let bit = 1 << (worker % 64);
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    pub(crate) fn first_parked(&self) -> Option<usize> {
        let words = self.lists.parked.iter().enumerate();
        words
            .filter(|(_, word)| **word != 0)
            .map(|(at, word)| 64 * at + word.trailing_zeros() as usize)
            .next()
    }

    // Threads inside waits.

    /// `desk` is about to sleep inside a wait, and would run work of `bound` or anything. `leaves`: when that is over, it goes on without a right.
    pub(crate) fn lie_down(&mut self, desk: &Desk, bound: Option<Root>, leaves: bool) {
        let waiter = Waiter {
            desk: Handle(desk),
            bound,
            leaves,
            holds: true,
        };
        self.lists.waiters.insert(desk.id(), waiter);
        match bound {
            None => self.lists.free.insert(desk.id()),
            Some(root) => {
                self.bound_to(root, 1);
                self.lists.bound.insert((root, desk.id()))
            }
        };
        self.publish();
    }

    /// The thread at `desk`, if it sleeps inside a wait.
    pub(crate) fn waiter_at(&mut self, desk: &Desk) -> Option<&mut Waiter> {
        self.lists.waiters.get_mut(&desk.id())
    }

    /// Takes a waiter off the lists, if it is there.
    pub(crate) fn get_up(&mut self, desk: &Desk) -> Option<Waiter> {
        let waiter = self.lists.waiters.remove(&desk.id())?;
        match waiter.bound {
            None => self.lists.free.remove(&desk.id()),
            Some(root) => {
                self.bound_to(root, -1);
                self.lists.bound.remove(&(root, desk.id()))
            }
        };
        self.publish();
        Some(waiter)
    }

    /// A waiter that would run work of `root` and nothing else.
    pub(crate) fn first_bound(&self, root: Root) -> Option<&'a Desk> {
        let mut of_root = self.lists.bound.range((root, 0)..=(root, usize::MAX));
        of_root.next().map(|(_, id)| self.waiter(id))
    }

    /// A waiter that would run anything.
    pub(crate) fn first_free(&self) -> Option<&'a Desk> {
        self.lists.free.first().map(|id| self.waiter(id))
    }

    fn waiter(&self, id: &usize) -> &'a Desk {
        self.lists.waiters[id].desk.get()
    }

    /// The roots of bound waiters whose turn it is, `most` of them, and whether there are more.
    pub(crate) fn bound_in_turn(&mut self, most: usize) -> (Vec<Root>, bool) {
        let lists = &mut *self.lists;
        let after = lists.bound.range((Excluded(lists.turn), Unbounded));
        let roots = after.chain(lists.bound.range(..=lists.turn));
        let turns: Vec<_> = roots.copied().take(most).collect();
        if let Some(&last) = turns.last() {
            lists.turn = last;
        }
        let more = turns.len() < lists.bound.len();
        (turns.into_iter().map(|(root, _)| root).collect(), more)
    }

    // Threads that want a right.

    pub(crate) fn want(&mut self, desk: &Desk) {
        self.lists.wanting.push_back(Handle(desk));
        self.publish();
    }

    /// Whose turn it is.
    pub(crate) fn first_wanting(&self) -> Option<&'a Desk> {
        self.lists.wanting.front().map(|desk| desk.get())
    }

    /// Takes the thread whose turn it is off the list.
    pub(crate) fn serve(&mut self) {
        self.lists.wanting.pop_front();
        self.publish();
    }

    // Rights that are held back.

    /// From now on `most` rights are held back. Those that are held back already and are more than that are returned; the caller frees them.
    pub(crate) fn hold_back(&mut self, most: usize) -> Vec<usize> {
        let lists = &mut *self.lists;
        lists.surplus = most.saturating_sub(lists.held_back.len());
        let more = lists.held_back.len().saturating_sub(most);
        let freed = std::iter::from_fn(|| lists.held_back.pop_first()).take(more);
        let freed = freed.collect();
        self.publish();
        freed
    }

    /// Whether there is a right that was put down and is still to be held back.
    pub(crate) fn has_surplus(&self) -> bool {
        self.lists.surplus > 0
    }

    /// The caller took right `number`, and leaves it here, for one of the surplus.
    pub(crate) fn keep_back(&mut self, number: usize) {
        self.lists.held_back.insert(number);
        self.lists.surplus -= 1;
        self.publish();
    }

    /// The caller has right `other`, and would rather have `number`, which is held back: it gets that, and leaves `other`.
    pub(crate) fn exchange(&mut self, number: usize, other: usize) {
        self.lists.held_back.remove(&number);
        self.lists.held_back.insert(other);
    }

    pub(crate) fn is_held_back(&self, number: usize) -> bool {
        self.lists.held_back.contains(&number)
    }

    /// How many rights are held back, or will be.
    pub(crate) fn held_back(&self) -> usize {
        self.lists.held_back.len() + self.lists.surplus
    }

    /// How many are parked, inside waits, and without a right: for people.
    pub(crate) fn counts(&self) -> [usize; 3] {
        let lists = &self.lists;
        let parked = lists
            .parked
            .iter()
            .map(|word| word.count_ones() as usize)
            .sum();
        [parked, lists.waiters.len(), lists.wanting.len()]
    }

    /// Counts the sleepers that are bound to roots of `root`'s kind: by so many `more`. All that do have the lock.
    fn bound_to(&self, root: Root, more: i32) {
        let count = &self.counts.bound_to[root.kind()];
        let now = count.load(Ordering::Relaxed).wrapping_add_signed(more);
        count.store(now, Ordering::Relaxed);
    }

    fn publish(&self) {
        let bound = self.lists.bound.len() as u32;
        self.counts.bound.store(bound, Ordering::Relaxed);
        let wanting = (self.lists.wanting.len() + self.lists.surplus) as u32;
        self.counts.wanting.store(wanting, Ordering::Relaxed);
    }
}

impl Handle {
    fn get<'a>(self) -> &'a Desk {
        // SAFETY: a desk lives as long as its pool, whose lists these are; a caller of [`Sleepers::lock`] keeps the pool.
        unsafe { &*self.0 }
    }
}
