//! A seat: what one thread of a pool works with, and what the others see of it.
//!
//! The owner-only part is reached through [`Worker`](super::worker::Worker), the proof that the calling thread holds the seat; the rest
//! is shared. How a seat changes hands is the business of [`Word`].

use super::boxes::Boxes;
use super::deque::{self, Local, Thief};
use super::fifo::Fifo;
use super::job::JobRef;
use super::park::Parker;
use super::place;
use super::pool::Pool;
use super::root::Root;
use super::stats::Counters;
use super::word::Word;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize, Cell, Mutex, Ordering, lock, planted};
use crossbeam_utils::CachePadded;
use std::collections::VecDeque;
use std::ptr;

/// One place in a pool.
pub(crate) struct Seat {
    pub(crate) own: Own,
    pub(crate) thief: CachePadded<Thief>,
    pub(crate) word: CachePadded<Word>,
    /// Rung when the seat's worker sleeps for want of work.
    pub(crate) doorbell: Parker,
    /// Rung when the holder (worker or guest) sleeps inside a wait.
    pub(crate) bell: Parker,
    /// While the holder sleeps inside a wait: the only root whose jobs it would run, or 0 for any.
    pub(crate) waits_for: AtomicU64,
    /// The processor on which the thread that sleeps here fell asleep, plus one; 0 if that is not known.
    slept_on: AtomicU32,
    /// Jobs of this seat that a restricted waiter took by accident; anyone may take them.
    pub(crate) handed_back: Boxes,
    /// Jobs that only the holder of this very seat may run: its shares of broadcasts.
    pub(crate) mail: Inbox,
    pub(crate) counters: CachePadded<Counters>,
    /// Where this seat's holder puts what it spawns first in, first out.
    pub(crate) fifo: Fifo,
    index: usize,
    /// Set once, when the pool is built, and valid for as long as the seat.
    pool: Cell<*const Pool>,
}

/// What only the holder of the seat touches.
pub(crate) struct Own {
    pub(crate) deque: Local,
    /// The call that what runs now descends from.
    pub(crate) root: Cell<Root>,
    /// How many roots were born here.
    pub(crate) roots: Cell<u64>,
    /// The holder is a guest.
    pub(crate) guest: Cell<bool>,
    pub(crate) random: Cell<u64>,
    /// Whom we last robbed with success.
    pub(crate) favourite: Cell<usize>,
    /// Work that was not handed over because nobody was awake, in ticks of the clock: what a wake-up would have to pay for.
    pub(crate) debt: Cell<u64>,
    /// Somebody is awake, or was woken, for what is offered next; but may fall asleep before it can be seen.
    pub(crate) relies: Cell<bool>,
    /// How much debt has to come together before somebody is woken for it: a multiple, doubled by each wake-up that came to nothing.
    pub(crate) patience: Cell<u32>,
    /// A parallel iterator is being driven here, so whatever starts now is nested in it.
    pub(crate) driving: Cell<bool>,
    /// How many times this thread has looked for a job.
    pub(crate) looks: Cell<u32>,
    /// How many jobs run here, one inside the wait of the other; see [`Worker::depth`](super::worker::Worker::depth).
    pub(crate) depth: Cell<usize>,
    /// How many cuts of pieces without a length this thread is inside of, in all jobs on its stack.
    pub(crate) cuts: Cell<usize>,
    /// How many calls of the only thread may do without a look until one is measured all the same.
    pub(crate) unseen: Cell<u32>,
    /// How much work, as it is remembered, nested calls may do without a look until the clock is read, in ticks; when that was done last; and how
    /// much time is saved up for looks.
    pub(crate) unread: Cell<f64>,
    pub(crate) read_at: Cell<u64>,
    pub(crate) saved: Cell<f64>,
    /// How many tiny calls there may be until the second half of one is measured.
    pub(crate) tiny: Cell<u32>,
}

// SAFETY: `own` is touched only by the thread that holds the seat, which `Worker` stands for, and a seat changes hands with acquire and
// release through its word. `pool` is written before the seat is shared. JobRefs in the inboxes are Send. All else is Sync by itself.
unsafe impl Sync for Seat {}
// SAFETY: as above; nothing in a seat is bound to a thread.
unsafe impl Send for Seat {}

impl Seat {
    pub(crate) fn new(index: usize, breadth_first: bool) -> Self {
        let (local, thief) = deque::new(breadth_first);
        Seat {
            own: Own {
                deque: local,
                root: Cell::new(Root::NONE),
                roots: Cell::new(0),
                guest: Cell::new(false),
                random: Cell::new((index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
                favourite: Cell::new(0),
                debt: Cell::new(0),
                relies: Cell::new(false),
                patience: Cell::new(1),
                driving: Cell::new(false),
                looks: Cell::new(0),
                depth: Cell::new(1),
                cuts: Cell::new(0),
                unseen: Cell::new(0),
                unread: Cell::new(0.0),
                read_at: Cell::new(0),
                saved: Cell::new(0.0),
                tiny: Cell::new(0),
            },
            thief: CachePadded::new(thief),
            word: CachePadded::new(Word::new()),
            doorbell: Parker::new(),
            bell: Parker::new(),
            waits_for: AtomicU64::new(0),
            slept_on: AtomicU32::new(0),
            handed_back: Boxes::new(),
            mail: Inbox::new(),
            counters: CachePadded::default(),
            fifo: Fifo::new(),
            index,
            pool: Cell::new(ptr::null()),
        }
    }

    /// Tells the seat its pool.
    ///
    /// # Safety
    /// Called once, before the seat is shared and when it is where it will stay; `pool` owns it and does not move.
    pub(crate) unsafe fn set_pool(&self, pool: *const Pool) {
        self.pool.set(pool);
        // SAFETY: not shared yet; the seat is where it will stay, and its pool outlives every job in its queues.
        unsafe { self.fifo.publish(Root::NONE) };
    }

    pub(crate) fn pool(&self) -> &Pool {
        // SAFETY: a seat is reached only through its pool, which set this before anyone could.
        unsafe { &*self.pool.get() }
    }

    /// From 0, below the number of threads of the pool.
    #[inline]
    pub(crate) fn index(&self) -> usize {
        self.index
    }

    /// Wakes the holder, which sleeps inside a wait.
    pub(crate) fn ring(&self) {
        self.bell.unpark();
    }

    /// The calling thread is about to sleep here.
    pub(crate) fn note_place(&self) {
        let here = place::here().map_or(0, |processor| processor + 1);
        self.slept_on.store(here, Ordering::Relaxed);
    }

    /// Whether who sleeps here did so elsewhere than on `processor`, as far as is known.
    pub(crate) fn slept_elsewhere(&self, processor: u32) -> bool {
        self.slept_on.load(Ordering::Relaxed) != processor + 1
    }

    /// Whether nothing waits in the seat's own queues. Only the holder asks.
    #[inline]
    pub(crate) fn is_clear(&self) -> bool {
        self.own.deque.is_public_empty() && self.handed_back.is_empty() && self.mail.is_empty()
    }

    /// Whether there is something that a thread in search of work could take from here.
    pub(crate) fn has_loot(&self) -> bool {
        !self.thief.is_empty() || !self.handed_back.is_empty()
    }
}

/// The queue of a seat for jobs that only its holder may run; rarely used, so a lock will do.
///
/// It is closed when the seat's thread has ended, or could not be started: what nobody would ever take is not put in.
pub(crate) struct Inbox {
    /// How many jobs there are, so that a look costs no lock. It says nothing of the jobs: to take one needs the lock.
    len: AtomicUsize,
    /// `None` when it is closed.
    jobs: Mutex<Option<VecDeque<JobRef>>>,
}

impl Inbox {
    fn new() -> Self {
        Inbox {
            len: AtomicUsize::new(0),
            jobs: Mutex::new(Some(VecDeque::new())),
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.len.load(Ordering::Relaxed) == 0
    }

    /// False: it is closed, and the job is still the caller's.
    #[must_use]
    pub(crate) fn push(&self, job: JobRef) -> bool {
        let mut jobs = lock(&self.jobs);
        let Some(open) = &mut *jobs else { return false };
        open.push_back(job);
        self.len.store(open.len(), Ordering::Relaxed);
        true
    }

    /// The oldest job.
    pub(crate) fn take(&self) -> Option<JobRef> {
        if self.is_empty() {
            return None;
        }
        let mut jobs = lock(&self.jobs);
        let open = jobs.as_mut()?;
        let job = open.pop_front();
        self.len.store(open.len(), Ordering::Relaxed);
        job
    }

    /// Closes it. The jobs that came before are the caller's.
    #[must_use]
    pub(crate) fn close(&self) -> VecDeque<JobRef> {
        let mut jobs = lock(&self.jobs);
        self.len.store(0, Ordering::Relaxed);
        if planted!("close") {
            return VecDeque::new();
        }
        jobs.take().unwrap_or_default()
    }
}
