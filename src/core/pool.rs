//! What the threads of a pool share: seats, the queue for work from outside, the counts of idle threads, handlers. Data and wake-ups
//! only; what a thread does with it is in [`worker`](super::worker), [`search`](super::search) and [`wait`](super::wait).

use super::idle::Idle;
use super::job::JobRef;
use super::policy;
use super::root::Root;
use super::seat::Seat;
use super::stats::{Counters, Stats};
use super::unwind::{AbortOnDrop, Payload};
use super::word::Claimed;
use crate::sync::{Arc, Weak};
use crate::sync::{
    AtomicBool, AtomicU64, AtomicUsize, Condvar, Mutex, Ordering, fence, lock, planted,
};
use crossbeam_deque::{Injector, Steal};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

pub(crate) type PanicHandler = dyn Fn(Payload) + Send + Sync;
pub(crate) type ThreadHandler = dyn Fn(usize) + Send + Sync;

/// The user's handlers.
#[derive(Default)]
pub(crate) struct Handlers {
    pub(crate) panic: Option<Box<PanicHandler>>,
    pub(crate) start: Option<Box<ThreadHandler>>,
    pub(crate) exit: Option<Box<ThreadHandler>>,
}

/// A pool of threads.
pub(crate) struct Pool {
    pub(crate) seats: Box<[Seat]>,
    pub(crate) idle: Idle,
    pub(crate) handlers: Handlers,
    /// How many worker threads there are: as many as seats, or none in a pool that runs on its callers alone.
    pub(crate) workers: usize,
    /// The threads that were asked for and could not be had.
    pub(crate) missing: usize,
    pub(crate) eager: u32,
    /// Whether threads from outside may borrow seats.
    guests: AtomicBool,
    /// The seat lent last, where the next guest tries first.
    pub(crate) lent: AtomicUsize,
    /// A promoter wanted to wake somebody and found all sleepers' seats lent.
    missed: AtomicBool,
    injector: Injector<JobRef>,
    /// What keeps the pool going: its handle, and every detached job. At 0 the threads stop.
    alive: AtomicUsize,
    /// How many worker threads have not ended yet.
    running: Mutex<usize>,
    ended: Condvar,
    /// In a pool without threads: whose turn it is to use the seat.
    pub(crate) turn: Mutex<()>,
    /// What threads without a seat count.
    pub(crate) outside: Counters,
    /// How many roots were born outside.
    roots: AtomicU64,
    me: Weak<Pool>,
}

impl Pool {
    /// A pool of `workers` threads (which the caller has to start), or of one seat and no thread.
    pub(crate) fn new(
        workers: usize,
        missing: usize,
        handlers: Handlers,
        guests: bool,
        breadth_first: bool,
    ) -> Arc<Pool> {
        Arc::new_cyclic(|me: &Weak<Pool>| {
            let seats: Box<[Seat]> = (0..workers.max(1))
                .map(|index| Seat::new(index, breadth_first))
                .collect();
            for seat in &seats {
                // SAFETY: the seats are not shared yet, and the Arc's contents stay where they are.
                unsafe { seat.set_pool(me.as_ptr()) };
            }
            if workers == 0 {
                // Nobody ever sits here but guests. The seat is lent as if its worker looked for work, so nobody tries to wake that one.
                seats[0].word.search();
            }
            Pool {
                eager: policy::eager_pushes(workers),
                seats,
                idle: Idle::new(),
                handlers,
                workers,
                missing,
                guests: AtomicBool::new(guests),
                lent: AtomicUsize::new(0),
                missed: AtomicBool::new(false),
                injector: Injector::new(),
                alive: AtomicUsize::new(1),
                running: Mutex::new(workers),
                ended: Condvar::new(),
                turn: Mutex::new(()),
                outside: Counters::default(),
                roots: AtomicU64::new(0),
                me: me.clone(),
            }
        })
    }

    pub(crate) fn num_threads(&self) -> usize {
        self.seats.len()
    }

    /// A share in the pool.
    pub(crate) fn share(&self) -> Arc<Pool> {
        self.me.upgrade().expect("a pool in use is alive")
    }

    /// A root for work that a thread without a seat brings in and waits for.
    pub(crate) fn new_root(&self) -> Root {
        let count = self.roots.fetch_add(1, Ordering::Relaxed) + 1;
        Root::new(self.seats.len(), count)
    }

    pub(crate) fn stats(&self) -> Stats {
        let mut all = self.outside.read();
        for seat in &self.seats {
            all += seat.counters.read();
        }
        all
    }

    // Work from outside.

    /// Brings a job in from a thread that holds no seat of this pool.
    pub(crate) fn inject(&self, job: JobRef) {
        self.outside.injected.bump_shared();
        // SAFETY: nobody has run it yet.
        let root = unsafe { job.tag() }.root;
        self.injector.push(job);
        self.notify(root);
    }

    pub(crate) fn has_injected(&self) -> bool {
        !self.injector.is_empty()
    }

    pub(crate) fn take_injected(&self) -> Option<JobRef> {
        loop {
            match self.injector.steal() {
                Steal::Success(job) => return Some(job),
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }

    /// Whether a seat may be lent now. Not while there is work from outside: with one thread, a spawned job must run before the caller
    /// that waits for it. (With none, the guest will run it.)
    #[inline]
    pub(crate) fn lends(&self) -> bool {
        self.guests.load(Ordering::Relaxed) && (self.injector.is_empty() || self.workers == 0)
    }

    /// From now on callers hand their work over to the pool's threads. Those who do not know yet see what is for their seat when they leave.
    pub(crate) fn stop_guests(&self) {
        if self.workers > 0 {
            self.guests.store(false, Ordering::Relaxed);
        }
    }

    // Waking.

    /// Whether any queue that a thread in search of work may rob has something in it.
    pub(crate) fn has_loot(&self) -> bool {
        self.has_injected() || self.seats.iter().any(Seat::has_loot)
    }

    /// Work of `root` has become visible: wakes one sleeper if nobody is looking for work, or nobody who is may run it.
    pub(crate) fn notify(&self, root: Root) {
        let counts = self.idle.counts_after_push();
        if counts.asleep() == 0 {
            return;
        }
        if counts.searching() == 0 {
            self.wake_one(root);
        } else {
            // Those who search may be bound to other roots, and whoever waits for this one may be the only thread left for it.
            self.rouse_bound(root);
        }
    }

    /// Work of `root` has become visible, for whoever was awake before: wakes one sleeper if they all fell asleep meanwhile.
    pub(crate) fn notify_if_all_sleep(&self, root: Root) {
        let counts = self.idle.counts_after_push();
        if counts.asleep() > 0 && counts.searching() == 0 {
            self.wake_one(root);
        }
    }

    /// Wakes one who sleeps bound to `root`, if there is one; nobody is bound to none.
    fn rouse_bound(&self, root: Root) -> bool {
        if root == Root::NONE || planted!("bound") {
            return false;
        }
        let is_bound = |seat: &&Seat| seat.waits_for.load(Ordering::Relaxed) == root.bits();
        let mut bound = self.seats.iter().filter(is_bound);
        // A free thread that once waited for the same is no better than any; and whoever is up again may wait for something else by now.
        bound.any(|seat| self.rouse_if(seat, |whom| whom == Claimed::Waiter) && is_bound(&seat))
    }

    /// Wakes one thread that would run work of `root`. False: there is none.
    #[cold]
    pub(crate) fn wake_one(&self, root: Root) -> bool {
        if self.rouse_any(root) {
            return true;
        }
        if self.missed.swap(true, Ordering::Relaxed) {
            return false;
        }
        // A guest that returned its seat meanwhile has perhaps not seen the note: the other half of the hand-shake in `Visit::drop`.
        if !planted!("note") {
            fence(Ordering::SeqCst);
        }
        self.rouse_any(root)
    }

    fn rouse_any(&self, root: Root) -> bool {
        // Any other thread might find something else first, and pass on a wake-up that is not for whoever is bound.
        self.rouse_bound(root)
            || self.seats.iter().any(|seat| {
                let waits_for = seat.waits_for.load(Ordering::Relaxed);
                let waiters = waits_for == 0 || waits_for == root.bits();
                self.rouse_if(seat, |whom| whom == Claimed::Worker || waiters)
            })
    }

    /// Wakes whoever sleeps on `seat`. False: nobody does.
    pub(crate) fn rouse(&self, seat: &Seat) -> bool {
        if !planted!("rouse") {
            fence(Ordering::SeqCst);
        }
        self.rouse_if(seat, |_| true)
    }

    fn rouse_if(&self, seat: &Seat, will_do: impl Fn(Claimed) -> bool) -> bool {
        let Some(claimed) = seat.word.claim(will_do) else {
            return false;
        };
        self.idle.sleep_to_search();
        self.outside.wakes.bump_shared();
        match claimed {
            Claimed::Worker => {
                seat.placer.keep_off_here();
                seat.doorbell.unpark();
            }
            Claimed::Waiter => seat.bell.unpark(),
        }
        true
    }

    /// Whether a wake-up went nowhere because all sleepers' seats were lent; asking forgets it.
    #[inline]
    pub(crate) fn take_missed(&self) -> bool {
        self.missed.load(Ordering::Relaxed) && self.missed.swap(false, Ordering::Relaxed)
    }

    // Life and death.

    /// One more reason to go on.
    pub(crate) fn keep_alive(&self) {
        let before = self.alive.fetch_add(1, Ordering::Relaxed);
        assert!(
            before > 0,
            "filch: a job was spawned into a pool that has stopped"
        );
    }

    /// One reason less. At the last one the threads stop, as soon as their queues are empty.
    pub(crate) fn let_go(&self) {
        if self.alive.fetch_sub(1, Ordering::AcqRel) == 1 {
            if !planted!("stop") {
                fence(Ordering::SeqCst);
            }
            for seat in &self.seats {
                self.rouse_if(seat, |whom| whom == Claimed::Worker);
            }
        }
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.alive.load(Ordering::Acquire) == 0
    }

    /// A worker thread has ended, or could not be started.
    pub(crate) fn thread_ended(&self) {
        *lock(&self.running) -= 1;
        self.ended.notify_all();
    }

    /// Blocks until all worker threads have ended.
    pub(crate) fn wait_until_ended(&self) {
        let mut running = lock(&self.running);
        while *running > 0 {
            running = self
                .ended
                .wait(running)
                .unwrap_or_else(std::sync::PoisonError::into_inner);
        }
    }

    // Panics that have nowhere to go.

    /// Runs `f`, which nobody waits for; a panic goes to the panic handler, or ends the process.
    pub(crate) fn catch_detached(&self, f: impl FnOnce()) {
        if let Err(payload) = super::unwind::catch(f) {
            self.handle_panic(payload);
        }
    }

    pub(crate) fn handle_panic(&self, payload: Payload) {
        match &self.handlers.panic {
            Some(handler) => {
                let guard = AbortOnDrop("the panic handler panicked");
                handler(payload);
                std::mem::forget(guard);
            }
            None => drop(AbortOnDrop(
                "a detached job panicked, and the pool has no panic handler",
            )),
        }
    }
}

// A pool is as good as before after a panic: it is caught on the thread where it happens, and goes on where somebody waits for it, when all that
// borrows is done. Handlers are called on many threads anyway, and each by itself.
impl UnwindSafe for Pool {}
impl RefUnwindSafe for Pool {}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let states: Vec<_> = self.seats.iter().map(|seat| seat.word.name()).collect();
        f.debug_struct("Pool")
            .field("num_threads", &self.num_threads())
            .field("seats", &states)
            .finish_non_exhaustive()
    }
}
