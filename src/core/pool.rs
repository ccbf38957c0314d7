//! What the threads of a pool share: seats, the queue for work from outside, the counts of idle threads, handlers. Data and wake-ups
//! only; what a thread does with it is in [`worker`](super::worker), [`search`](super::search) and [`wait`](super::wait).

use super::boxes::Boxes;
use super::child;
use super::idle::Idle;
use super::job::JobRef;
use super::place;
use super::policy;
use super::root::Root;
use super::script::Told;
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
    /// Work from outside that descends from nothing in particular.
    injector: Injector<JobRef>,
    /// Work from outside that descends from a call: a thread that is bound to that call finds it here, and need not empty the injector for it.
    brought: Boxes,
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
    /// What a test told it to do.
    pub(crate) told: Told,
    /// The [generation](child::generation) of the process that has its threads.
    generation: u32,
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
                brought: Boxes::new(),
                alive: AtomicUsize::new(1),
                running: Mutex::new(workers),
                ended: Condvar::new(),
                turn: Mutex::new(()),
                outside: Counters::default(),
                roots: AtomicU64::new(0),
                told: Told::default(),
                generation: child::generation(),
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

    /// Whether this is only what a child process has of its parent's pool: memory without threads, some of it perhaps locked for ever.
    #[inline]
    pub(crate) fn is_orphan(&self) -> bool {
        self.generation != child::generation()
    }

    // Work from outside.

    /// Brings a job in from a thread that holds no seat of this pool.
    pub(crate) fn inject(&self, job: JobRef) {
        self.outside.injected.bump_shared();
        // SAFETY: nobody has run it yet.
        let root = unsafe { job.tag() }.root;
        if root == Root::NONE {
            self.injector.push(job);
        } else {
            self.brought.push(&[job]);
        }
        self.notify(root);
    }

    pub(crate) fn has_injected(&self) -> bool {
        !self.injector.is_empty() || !self.brought.is_empty()
    }

    /// Takes a job from outside that a thread bound to `bound` may run. `brought_first` says where to look first, for there may be no end of
    /// either kind.
    pub(crate) fn take_injected(&self, bound: Option<Root>, brought_first: bool) -> Option<JobRef> {
        match bound {
            Some(_) => self.brought.take(bound),
            None if brought_first => self.brought.take(None).or_else(|| self.take_unbound()),
            None => self.take_unbound().or_else(|| self.brought.take(None)),
        }
    }

    fn take_unbound(&self) -> Option<JobRef> {
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
        self.guests.load(Ordering::Relaxed) && (!self.has_injected() || self.workers == 0)
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
        if self.rouse_bound(root) {
            return true;
        }
        let Some(here) = place::here() else {
            return self.rouse_among(root, |_| true).is_some();
        };
        if self
            .rouse_among(root, |seat| seat.slept_elsewhere(here))
            .is_some()
        {
            return true;
        }
        let behind = self.rouse_among(root, |_| true);
        if let Some(seat) = behind {
            // It may have to wait behind this thread. The next guest had better borrow its seat, and wake another one.
            self.lent.store(seat.index(), Ordering::Relaxed);
        }
        behind.is_some()
    }

    /// Wakes a thread that would run work of `root`, of those who sleep on a seat that `will_do`.
    fn rouse_among(&self, root: Root, will_do: impl Fn(&Seat) -> bool) -> Option<&Seat> {
        self.seats.iter().find(|seat| {
            let waits_for = seat.waits_for.load(Ordering::Relaxed);
            let waiters = waits_for == 0 || waits_for == root.bits();
            will_do(seat) && self.rouse_if(seat, |whom| whom == Claimed::Worker || waiters)
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
    ///
    /// The caller has another one, or a thread of the pool's that has yet to look for work before it ends. The latter is so in handlers: they may
    /// run when there was no reason any more. What they begin brings the pool back to life until it is done.
    pub(crate) fn keep_alive(&self) {
        self.alive.fetch_add(1, Ordering::Relaxed);
    }

    /// One reason less. At the last one the threads stop, as soon as their queues are empty.
    pub(crate) fn let_go(&self) {
        if self.is_orphan() {
            return;
        }
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

    /// Nobody will sit on this seat any more. What only its holder could have done is run where it finds that it is not on its seat.
    pub(crate) fn vacate(&self, index: usize) {
        for job in self.seats[index].mail.close() {
            // SAFETY: just taken out of a queue.
            unsafe { job.run(&self.seats[index]) };
        }
    }

    /// A worker thread has ended, or could not be started.
    pub(crate) fn thread_ended(&self) {
        *lock(&self.running) -= 1;
        self.ended.notify_all();
    }

    /// Blocks until all worker threads have ended.
    pub(crate) fn wait_until_ended(&self) {
        if self.is_orphan() {
            return;
        }
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
