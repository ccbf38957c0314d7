//! A desk: what one thread works with, and what the others see of it. A worker has one for life; a thread from outside borrows one for its call.
//!
//! The owner-only part is reached through [`Worker`](super::worker::Worker), the proof that the calling thread is at the desk; the rest is shared.
//! A desk is at the number of the [right](super::rights) that its thread holds, and at none while that thread sleeps inside a wait. Then the number is
//! soon another desk's, and thieves would not find this one, so its queue has to be empty.

use super::backoff::Backoff;
use super::deque::{self, Local, Thief};
use super::fifo::Fifo;
use super::gone::GoneList;
use super::job::Owner;
use super::park::Parker;
use super::probe::Probe;
use super::processor::WokenFrom;
use super::root::Root;
use super::stats::Counters;
use crate::driver::Driver;
use crate::sync::{AtomicUsize, Cell, Ordering, per_thread, planted};
use crossbeam_utils::CachePadded;
use std::time::{Duration, Instant};
use std::{cell, ptr};

/// No number.
const NONE: usize = usize::MAX;

per_thread! {
    /// The desk that this thread is at.
    static CURRENT: cell::Cell<*const Desk> = const { cell::Cell::new(ptr::null()) };
}

/// The desk that this thread is at, if it is at one.
///
/// The lifetime is the caller's frame: a thread stays at its desk until all frames that run on it are gone.
#[inline(always)]
pub(super) fn current<'a>() -> Option<&'a Desk> {
    // SAFETY: null, or by the contract of `go_to`.
    unsafe { CURRENT.with(cell::Cell::get).as_ref() }
}

/// This thread is at `desk` from now on, or at none. Gives the one before.
///
/// # Safety
/// The desk is alive, and for this thread alone, until this is called again.
#[inline(always)]
pub(super) unsafe fn go_to(desk: *const Desk) -> *const Desk {
    CURRENT.with(|current| current.replace(desk))
}

/// This thread leaves `desk` for the one that it was at before. In a child process it is at none any more, and stays there.
///
/// # Safety
/// As for [`go_to`], with `below`.
#[inline(always)]
pub(super) unsafe fn leave(desk: &Desk, below: *const Desk) {
    CURRENT.with(|current| {
        if ptr::eq(current.get(), desk) {
            current.set(below);
        }
    });
}

/// What a thread works with.
pub(crate) struct Desk {
    pub(crate) own: Own,
    pub(crate) thief: CachePadded<Thief>,
    pub(crate) counters: CachePadded<Counters>,
    pub(crate) probe: CachePadded<Probe>,
    /// Rung when the thread sleeps, after there is a [`WakeUp`].
    bell: Parker,
    /// What the sleeping thread was woken for, by the thread that took it off the lists of sleepers.
    wake_up: AtomicUsize,
    /// The processor on which the waker called this thread, if the waker is at a desk of this pool: then it goes on there.
    woken_from: WokenFrom,
    /// Where this thread puts what it spawns first in, first out.
    pub(crate) fifo: Fifo,
    /// Differs between the desks of a pool; from 1.
    id: usize,
    /// A worker's own number.
    worker_number: usize,
    /// The number that the thread asks for first when it gets a right again: the number that it has, or had last.
    preferred: AtomicUsize,
    pool: *const (),
}

/// What only the thread at the desk touches.
pub(crate) struct Own {
    pub(crate) deque: Local,
    /// The number of the right that the thread holds, or [`NONE`].
    number: Cell<usize>,
    /// The root of the call that the running code descends from.
    pub(crate) root: Cell<Root>,
    /// How many roots were born here.
    pub(crate) roots: Cell<u64>,
    /// While the thread [stands in](super::stand_in) here: the desk in another pool at which it was before. Else null.
    pub(crate) below: Cell<*const Desk>,
    /// The innermost wait for another pool in which work may be [left to this thread](super::stand_in); or null.
    pub(super) pool_waits: Cell<*const ()>,
    /// The thread is a guest.
    pub(crate) guest: Cell<bool>,
    pub(crate) random: Cell<u64>,
    /// The next offer relies on a thread that is awake or was woken for it. That thread may fall asleep before it can see the offer, so the push looks for that.
    pub(crate) relies: Cell<bool>,
    /// What the driver of loops keeps here.
    pub(crate) driver: Driver,
    /// How many times this thread has looked for a job.
    pub(crate) looks: Cell<u32>,
    /// Of the jobs from outside, the next look takes one that descends from a call rather than one that does not. The two kinds take turns, look by look.
    pub(crate) brought_first: Cell<bool>,
    pub(crate) backoff: Backoff,
    /// Entries of `deque` whose jobs are gone.
    pub(super) gone: GoneList,
    /// How many jobs run here, one inside the wait of the other; see [`Worker::depth`](super::worker::Worker::depth).
    pub(crate) depth: Cell<usize>,
}

// SAFETY: `own` is touched only by the thread at the desk, which `Worker` stands for; a worker's desk is that of one thread, and another desk changes
// hands with a right or under a lock. `pool` is the pool that owns the desk. All else is Sync by itself.
unsafe impl Sync for Desk {}
// SAFETY: as above; nothing in a desk is bound to a thread.
unsafe impl Send for Desk {}

/// Why a sleeper was woken. If a number goes with it, it is that of the right that it has now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum WakeUp {
    /// To look for work. It is counted as a searcher. A worker that is not inside a wait has no right then.
    Help(Option<usize>),
    /// To look for work of its isolated call. No right goes with it: it takes one by itself, or still has its own. It is not counted as a searcher.
    Look,
    /// To go on. Without a number, it still has a right, needs none, or takes one by itself.
    GoOn(Option<usize>),
}

impl Desk {
    /// Desk `id` of the pool at `pool`, for the worker of that number or for guests.
    pub(crate) fn new(
        id: usize,
        worker_number: Option<usize>,
        pool: *const (),
        breadth_first: bool,
    ) -> Self {
        let (local, thief) = deque::new(breadth_first);
        Desk {
            own: Own {
                deque: local,
                number: Cell::new(NONE),
                root: Cell::new(Root::NONE),
                roots: Cell::new(0),
                below: Cell::new(ptr::null()),
                pool_waits: Cell::new(ptr::null()),
                guest: Cell::new(false),
                random: Cell::new((id as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)),
                relies: Cell::new(false),
                driver: Driver::new(),
                looks: Cell::new(0),
                brought_first: Cell::new(true),
                backoff: Backoff::new(),
                gone: GoneList::new(),
                depth: Cell::new(1),
            },
            thief: CachePadded::new(thief),
            counters: CachePadded::default(),
            probe: CachePadded::default(),
            bell: Parker::new(),
            wake_up: AtomicUsize::new(0),
            woken_from: WokenFrom::new(),
            fifo: Fifo::new(),
            id,
            worker_number: worker_number.unwrap_or(NONE),
            preferred: AtomicUsize::new(worker_number.unwrap_or(NONE)),
            pool,
        }
    }

    /// The address of the pool that made this desk. The pool, on a floor above, turns it back into a reference.
    #[inline(always)]
    pub(super) fn pool_address(&self) -> *const () {
        self.pool
    }

    /// How jobs name the thread at this desk.
    #[inline]
    pub(crate) fn owner(&self) -> Owner {
        Owner::new(self)
    }

    /// Differs between the desks of a pool.
    pub(crate) fn id(&self) -> usize {
        self.id
    }

    /// The number of the worker whose desk this is; none for a guest's.
    #[inline]
    pub(crate) fn worker_number(&self) -> Option<usize> {
        (self.worker_number != NONE).then_some(self.worker_number)
    }

    /// The number that the thread asks for first: inside a call, the number that it had.
    pub(crate) fn preferred(&self) -> Option<usize> {
        let number = self.preferred.load(Ordering::Relaxed);
        (number != NONE).then_some(number)
    }

    /// The thread would like to have `number` again.
    pub(crate) fn prefer(&self, number: usize) {
        self.preferred.store(number, Ordering::Relaxed);
    }

    /// Says that the sleeper is woken and for what. The caller took it off the lists; [`Desk::ring`] has to follow.
    pub(crate) fn mark_woken(&self, wake_up: WakeUp) {
        self.probe.call();
        match current() {
            Some(waker) if waker.pool == self.pool => self.woken_from.set_here(),
            _ => self.woken_from.forget(),
        }
        // Release: with the right goes what its last holder did. The bell does not order that, because the woken thread may see this word before it parks.
        let order = match planted!("called") {
            true => Ordering::Relaxed,
            false => Ordering::Release,
        };
        self.wake_up.store(wake_up.encode(), order);
    }

    /// Whether the thread has not yet seen that it was woken.
    pub(crate) fn has_wake_up(&self) -> bool {
        self.wake_up.load(Ordering::Relaxed) != 0
    }

    /// Whether the thread has not yet seen that it was given a right.
    pub(crate) fn was_given_a_right(&self) -> bool {
        let bits = self.wake_up.load(Ordering::Relaxed);
        bits != 0 && WakeUp::decode(bits).number().is_some()
    }

    /// Forgets on which processor the waker of the thread at this desk runs: [`displaces_waker`](Desk::displaces_waker) says no from now on. For a thread that was just called
    /// and may run on that processor.
    pub(crate) fn forget_waker(&self) {
        self.woken_from.forget();
    }

    /// Whether this thread runs on the processor of the thread that called it last, and so keeps that thread from going on.
    pub(crate) fn displaces_waker(&self) -> bool {
        self.woken_from.is_here()
    }

    /// Wakes the thread, if it sleeps here.
    pub(crate) fn ring(&self) {
        self.bell.unpark();
    }

    /// What this thread was woken for, if it was. Only the thread at the desk asks.
    pub(crate) fn take_wake_up(&self) -> Option<WakeUp> {
        match self.wake_up.load(Ordering::Acquire) {
            0 => None,
            bits => {
                self.wake_up.store(0, Ordering::Relaxed);
                Some(WakeUp::decode(bits))
            }
        }
    }

    /// Sleeps until it is woken for something. However often the bell rings for nothing, this does not come back.
    pub(crate) fn wait_for_wake_up(&self) -> WakeUp {
        loop {
            if let Some(wake_up) = self.take_wake_up() {
                return wake_up;
            }
            self.bell.park();
        }
    }

    /// The same, for so long at most.
    pub(crate) fn wait_for_wake_up_for(&self, most: Duration) -> Option<WakeUp> {
        let Some(end) = Instant::now().checked_add(most) else {
            return Some(self.wait_for_wake_up());
        };
        loop {
            let wake_up = self.take_wake_up();
            let left = end.saturating_duration_since(Instant::now());
            if wake_up.is_some() || left.is_zero() {
                return wake_up;
            }
            self.bell.park_for(left);
        }
    }
}

impl Own {
    /// The number of the right in hand.
    #[inline(always)]
    pub(crate) fn number(&self) -> Option<usize> {
        let number = self.number.get();
        (number != NONE).then_some(number)
    }

    /// The same, where it is known that there is one.
    #[inline(always)]
    pub(crate) fn index(&self) -> usize {
        self.number.get()
    }

    /// The thread holds right `number` from now on.
    #[inline]
    pub(crate) fn hold(&self, number: usize) {
        self.number.set(number);
    }

    /// The thread puts its right down, if it has one.
    #[inline]
    pub(crate) fn let_go(&self) -> Option<usize> {
        let number = self.number();
        self.number.set(NONE);
        number
    }
}

impl WakeUp {
    fn number(self) -> Option<usize> {
        match self {
            WakeUp::Help(number) | WakeUp::GoOn(number) => number,
            WakeUp::Look => None,
        }
    }

    fn encode(self) -> usize {
        let (kind, number) = match self {
            WakeUp::Help(number) => (1, number),
            WakeUp::Look => (2, None),
            WakeUp::GoOn(number) => (3, number),
        };
        kind + 4 * number.map_or(0, |number| number + 1)
    }

    fn decode(bits: usize) -> WakeUp {
        let number = (bits / 4).checked_sub(1);
        match bits % 4 {
            1 => WakeUp::Help(number),
            2 => WakeUp::Look,
            _ => WakeUp::GoOn(number),
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::mem::offset_of;
    use std::sync::Barrier;
    use std::thread;

    #[test]
    fn wake_ups_keep_their_numbers() {
        let numbers = (0..100).map(Some).chain([None]);
        for wake_up in numbers.flat_map(|n| [WakeUp::Help(n), WakeUp::Look, WakeUp::GoOn(n)]) {
            assert_ne!(wake_up.encode(), 0);
            assert_eq!(WakeUp::decode(wake_up.encode()), wake_up);
        }
    }

    /// What the owner writes at every fork, what thieves write, and what is counted lie in different lines of the cache.
    #[test]
    fn owner_and_thieves_share_no_line() {
        let apart = |a: usize, b: usize| assert!(a.abs_diff(b) >= 64, "{a} and {b}");
        let (own, thief) = (offset_of!(Desk, own), offset_of!(Desk, thief));
        let (counters, probe) = (offset_of!(Desk, counters), offset_of!(Desk, probe));
        assert!(
            [thief, counters, probe]
                .iter()
                .all(|at| at.is_multiple_of(64))
        );
        let own_end = own + size_of::<Own>() - 1;
        for line in [thief, counters, probe] {
            assert!(
                own_end < line || line + 64 <= own,
                "{own}..{own_end}, {line}"
            );
        }
        apart(thief, counters);
        apart(thief, probe);
        for read in [
            offset_of!(Desk, id),
            offset_of!(Desk, worker_number),
            offset_of!(Desk, pool),
        ] {
            apart(thief, read - read % 64);
        }
    }

    #[test]
    fn a_thread_asks_for_the_number_that_it_prefers() {
        let desks = [Some(3), None].map(|worker| Desk::new(1, worker, ptr::null(), false));
        let numbers = |desk: &Desk| (desk.worker_number(), desk.preferred());
        assert_eq!(
            desks.each_ref().map(numbers),
            [(Some(3), Some(3)), (None, None)]
        );
        desks.iter().for_each(|desk| desk.prefer(7));
        assert_eq!(
            desks.each_ref().map(numbers),
            [(Some(3), Some(7)), (None, Some(7))]
        );
    }

    #[test]
    fn a_wake_up_says_whether_a_right_goes_with_it() {
        let desk = Desk::new(1, None, ptr::null(), false);
        let numbers = [Some(0), Some(5), None];
        for wake_up in numbers
            .iter()
            .flat_map(|&n| [WakeUp::Help(n), WakeUp::Look, WakeUp::GoOn(n)])
        {
            assert!(!desk.has_wake_up() && !desk.was_given_a_right());
            desk.mark_woken(wake_up);
            assert!(desk.has_wake_up());
            assert_eq!(desk.was_given_a_right(), wake_up.number().is_some());
            assert_eq!(desk.take_wake_up(), Some(wake_up));
        }
    }

    /// The wake-up may come long before the time is over.
    #[test]
    fn a_sleeper_with_a_limit_waits_for_its_wake_up() {
        let (desk, asleep) = (Desk::new(1, None, ptr::null(), false), Barrier::new(2));
        thread::scope(|threads| {
            threads.spawn(|| {
                asleep.wait();
                thread::sleep(Duration::from_millis(20));
                desk.mark_woken(WakeUp::Look);
                desk.ring();
            });
            asleep.wait();
            let wake_up = desk.wait_for_wake_up_for(Duration::from_secs(600));
            assert_eq!(wake_up, Some(WakeUp::Look));
        });
        assert_eq!(desk.wait_for_wake_up_for(Duration::ZERO), None);
    }

    /// A child after `fork` leaves the desks of its parent, whose frames are still on its stack, and comes back to none of them.
    #[test]
    fn a_thread_that_has_left_all_desks_comes_back_to_none() {
        let desks = [1, 2].map(|id| Desk::new(id, None, ptr::null(), false));
        for forks in [false, true] {
            // SAFETY: the desks are for this thread alone, and it leaves them below.
            let below = desks.each_ref().map(|desk| unsafe { go_to(desk) });
            assert!(ptr::eq(below[1], &desks[0]));
            if forks {
                // SAFETY: at none.
                unsafe { go_to(ptr::null()) };
            }
            // SAFETY: null, or the other desk.
            unsafe { leave(&desks[1], below[1]) };
            assert_eq!(current().is_none(), forks);
            // SAFETY: null.
            unsafe { leave(&desks[0], below[0]) };
            assert!(current().is_none());
        }
    }
}
