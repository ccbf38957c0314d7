//! Who sits on a seat: one atomic word that settles every race for it.
//!
//! A pool of n threads has n seats, and a thread runs work of the pool only while it holds one. A seat belongs to a worker thread; a
//! *guest* (a thread from outside that calls into the pool) may borrow it while the worker has nothing to do.
//!
//! ```text
//!                     start_work                       lend                          wait / end_wait
//!   WORKING <-------------------------- SEARCHING -----------------> LENT|AWAKE <------------------> WAITING|AWAKE
//!      |  search --------------------------^  ^   <------------------    |                              | claim
//!      |                                   |  |       give_back          | fall_asleep                  v
//!      | wait / end_wait       wake_up     |  | fall_asleep              v                           WOKEN|AWAKE
//!      v                 CLAIMED ----------+  v               lend
//!   WAITING --> WOKEN       ^---- claim --- ASLEEP ----------------->  LENT   (and so on, without AWAKE)
//!        claim                                    <-- give_back ---
//! ```
//!
//! - Only the worker moves WORKING and SEARCHING onward, except that a guest may take SEARCHING.
//! - A searcher becomes WORKING *before* it steals, so a seat that is lent never holds a job its worker took.
//! - ASLEEP has two suitors, a waker (`claim`) and a guest (`lend`); each is one compare-exchange, so one of them wins.
//! - While a seat is lent, the AWAKE flag says that its worker has not noticed yet. The worker clears it when it goes down, and only
//!   then does a returned seat become ASLEEP; otherwise it goes back to SEARCHING, as if nothing had happened.
//! - WAITING is a holder (worker or guest) asleep inside a wait. It can be woken to help (`claim`), but its seat cannot be lent.

use crate::sync::{AtomicU32, Ordering, planted};

const WORKING: u32 = 0;
const SEARCHING: u32 = 1;
const ASLEEP: u32 = 2;
const CLAIMED: u32 = 3;
const LENT: u32 = 4;
const WAITING: u32 = 5;
const WOKEN: u32 = 6;
/// On a lent seat: its worker thread is up and has not noticed yet.
const AWAKE: u32 = 8;

/// The state of a seat.
#[derive(Debug)]
pub(crate) struct Word(AtomicU32);

/// Whom a claim woke, and so which of the seat's parkers to ring.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Claimed {
    /// The seat's own worker, asleep for want of work.
    Worker,
    /// A holder asleep inside a wait.
    Waiter,
}

impl Word {
    /// A seat on which its worker is at work.
    pub(crate) fn new() -> Self {
        Word(AtomicU32::new(WORKING))
    }

    fn change(&self, from: u32, to: u32) -> bool {
        if planted!("race") {
            let as_expected = self.0.load(Ordering::Acquire) == from;
            if as_expected {
                self.0.store(to, Ordering::Release);
            }
            return as_expected;
        }
        self.0
            .compare_exchange(from, to, Ordering::AcqRel, Ordering::Relaxed)
            .is_ok()
    }

    fn phase(&self) -> u32 {
        self.0.load(Ordering::Acquire) & !AWAKE
    }

    // The worker's moves.

    /// WORKING to SEARCHING: from now on the seat may be lent.
    pub(crate) fn search(&self) {
        self.0.store(SEARCHING, Ordering::Release);
    }

    /// SEARCHING to WORKING, before stealing. False: the seat is lent.
    pub(crate) fn start_work(&self) -> bool {
        if planted!("seat") {
            self.0.store(WORKING, Ordering::Release);
            return true;
        }
        self.change(SEARCHING, WORKING)
    }

    /// The worker goes down. True: the seat is ASLEEP and may be claimed; false: it is lent, and will be ASLEEP when it comes back.
    pub(crate) fn fall_asleep(&self) -> bool {
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            let next = if now == SEARCHING {
                ASLEEP
            } else {
                debug_assert!(now & AWAKE != 0, "a worker that is up left state {now}");
                now & !AWAKE
            };
            match self
                .0
                .compare_exchange_weak(now, next, Ordering::AcqRel, Ordering::Relaxed)
            {
                Ok(_) => return next == ASLEEP,
                Err(seen) => now = seen,
            }
        }
    }

    /// ASLEEP to SEARCHING by the worker itself, which saw work before it parked. False: somebody was faster.
    pub(crate) fn rouse(&self) -> bool {
        self.change(ASLEEP, SEARCHING)
    }

    /// CLAIMED to SEARCHING: the worker got up. False: it was not claimed, so it has to park again.
    pub(crate) fn wake_up(&self) -> bool {
        self.change(CLAIMED, SEARCHING)
    }

    // A waker's move.

    /// Takes the right to wake whoever sleeps on this seat, if it is one that `will_do`.
    pub(crate) fn claim(&self, will_do: impl Fn(Claimed) -> bool) -> Option<Claimed> {
        loop {
            let now = self.0.load(Ordering::Relaxed);
            let (next, claimed) = match now & !AWAKE {
                ASLEEP if will_do(Claimed::Worker) => (CLAIMED, Claimed::Worker),
                WAITING if will_do(Claimed::Waiter) => (WOKEN | (now & AWAKE), Claimed::Waiter),
                _ => return None,
            };
            if self.change(now, next) {
                return Some(claimed);
            }
            if planted!("claim") {
                return None;
            }
            // Perhaps the holder still waits, and it was only the worker that cleared AWAKE.
        }
    }

    // A guest's moves.

    /// Borrows the seat of a worker that is asleep or (if `searching`) looks for work.
    pub(crate) fn lend(&self, searching: bool) -> bool {
        match self.0.load(Ordering::Relaxed) {
            ASLEEP => self.change(ASLEEP, LENT),
            SEARCHING if searching => self.change(SEARCHING, LENT | AWAKE),
            _ => false,
        }
    }

    /// Returns a borrowed seat. True: its worker is asleep, and has to be claimed if there is something to do.
    pub(crate) fn give_back(&self) -> bool {
        // The usual case first: the worker has been asleep all the while.
        if self.change(LENT, ASLEEP) {
            return true;
        }
        if self.change(LENT | AWAKE, SEARCHING) {
            return false;
        }
        // The worker went down between the two.
        let went_down = self.change(LENT, ASLEEP);
        debug_assert!(went_down, "a guest returned a seat it did not hold");
        true
    }

    // A waiting holder's moves.

    /// The holder is about to sleep inside a wait.
    pub(crate) fn wait(&self, guest: bool) {
        if guest {
            // LENT to WAITING, keeping AWAKE, which the worker may clear at any moment.
            self.0.fetch_add(WAITING - LENT, Ordering::AcqRel);
        } else {
            self.0.store(WAITING, Ordering::Release);
        }
    }

    /// The holder is up again. True: it was claimed, so it owes a search.
    pub(crate) fn end_wait(&self, guest: bool) -> bool {
        if !guest {
            return self.0.swap(WORKING, Ordering::AcqRel) == WOKEN;
        }
        let mut now = self.0.load(Ordering::Relaxed);
        loop {
            match self.0.compare_exchange_weak(
                now,
                LENT | (now & AWAKE),
                Ordering::AcqRel,
                Ordering::Relaxed,
            ) {
                Ok(_) => return now & !AWAKE == WOKEN,
                Err(seen) => now = seen,
            }
        }
    }

    /// Whether somebody runs on this seat right now, and so may have work that nobody sees.
    pub(crate) fn is_running(&self) -> bool {
        matches!(self.phase(), WORKING | LENT | WOKEN)
    }

    /// A word for what goes on, for people.
    pub(crate) fn name(&self) -> &'static str {
        match self.phase() {
            WORKING => "working",
            SEARCHING => "searching",
            ASLEEP => "asleep",
            CLAIMED => "waking up",
            LENT => "lent to a guest",
            WAITING => "asleep in a wait",
            _ => "woken in a wait",
        }
    }
}
