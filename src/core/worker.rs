//! What the holder of a seat does: push and pop, run jobs, look for work. What it does when it finds none is in [`search`](super::search)
//! and [`wait`](super::wait).

use super::idle::Idle;
use super::job::JobRef;
use super::policy;
use super::pool::Pool;
use super::root::Root;
use super::seat::{Own, Seat};
use crate::sync::{per_thread, planted};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::ptr;

per_thread! {
    /// The seat that this thread holds.
    static CURRENT: Cell<*const Seat> = const { Cell::new(ptr::null()) };
}

/// The proof that this thread holds a seat.
#[derive(Clone, Copy)]
pub(crate) struct Worker<'a> {
    seat: &'a Seat,
    /// Neither Send nor Sync: it is this thread that holds the seat.
    here: PhantomData<*mut ()>,
}

/// What a thread held when it [sat down](Worker::sit): the seat of a pool that was built around it, or nothing. It is still there, for it is
/// held by a frame below.
#[derive(Clone, Copy)]
pub(crate) struct Below(*const Seat);

impl<'a> Worker<'a> {
    /// The seat of this thread, if it holds one.
    ///
    /// The lifetime is the caller's frame: a thread holds its seat until all frames that run on it are gone.
    #[inline(always)]
    pub(crate) fn current() -> Option<Worker<'a>> {
        let seat = CURRENT.with(Cell::get);
        if seat.is_null() {
            return None;
        }
        // SAFETY: set by `sit`, whose caller keeps the seat alive and held until `rise`.
        let seat = unsafe { &*seat };
        Some(Worker {
            seat,
            here: PhantomData,
        })
    }

    /// Makes this thread the holder of `seat`.
    ///
    /// # Safety
    /// The seat's word says that this thread holds it, until [`Worker::rise`]; the seat lives as long.
    pub(crate) unsafe fn sit(seat: &'a Seat) -> (Worker<'a>, Below) {
        let below = Below(CURRENT.with(|current| current.replace(seat)));
        let worker = Worker {
            seat,
            here: PhantomData,
        };
        (worker, below)
    }

    /// Ends what `sit` began, and returned `below`.
    pub(crate) fn rise(self, below: Below) {
        CURRENT.with(|current| current.set(below.0));
    }

    /// In a child process: this thread holds no seat any more, whatever it held when its parent forked.
    #[cfg(unix)]
    pub(crate) fn forget() {
        CURRENT.with(|current| current.set(ptr::null()));
    }

    #[inline(always)]
    pub(crate) fn own(self) -> &'a Own {
        &self.seat.own
    }

    #[inline(always)]
    pub(crate) fn seat(self) -> &'a Seat {
        self.seat
    }

    pub(crate) fn pool(self) -> &'a Pool {
        self.seat.pool()
    }

    pub(super) fn idle(self) -> &'a Idle {
        &self.pool().idle
    }

    // Work of one's own.

    /// Pushes a join job; `loud` says whether a thread may be woken for it.
    #[inline(always)]
    pub(crate) fn push(self, job: JobRef, loud: bool) {
        if self.own().deque.push(job, &self.seat.thief) {
            self.answer(loud);
        }
    }

    /// Takes the caller's own job back, if it is still private.
    #[inline(always)]
    pub(crate) fn pop(self) -> bool {
        self.own().deque.pop(&self.seat.thief) || self.pop_slow()
    }

    /// A pop that a thief interrupted, or for which nothing is left.
    #[cold]
    #[inline(never)]
    fn pop_slow(self) -> bool {
        let private = self.own().deque.pop_slow();
        if private {
            self.answer(true);
        }
        private
    }

    /// Shows a thief something: the slow path of push and pop, and of every look between blocks.
    #[cold]
    #[inline(never)]
    pub(crate) fn answer(self, loud: bool) {
        let own = self.own();
        if own.deque.answer(
            &self.seat.thief,
            own.root.get(),
            self.seat,
            self.pool().eager,
        ) {
            self.seat.counters.promotions.bump();
            if loud {
                self.pool().notify(own.root.get());
            } else if own.relies.take() && !planted!("rely") {
                self.pool().notify_if_all_sleep(own.root.get());
            }
        }
    }

    /// Serves a thief's request, if there is one and anything to give.
    #[inline]
    pub(crate) fn serve(self) {
        if self.seat.thief.is_asked() && self.own().deque.has_private() {
            self.answer(true);
        }
    }

    /// Makes everything public, which has to happen before a wait and before a closure that may block.
    pub(crate) fn publish_all(self) {
        let own = self.own();
        let mut any = false;
        while own
            .deque
            .promote(&self.seat.thief, own.root.get(), self.seat)
        {
            self.seat.counters.promotions.bump();
            any = true;
        }
        if any {
            self.pool().notify(own.root.get());
        }
    }

    /// Pushes a spawned job.
    pub(crate) fn spawn(self, job: JobRef) {
        // SAFETY: it is public from the start, and alive until what is pushed here has run.
        let root = unsafe { job.tag() }.root;
        self.own().deque.push_public(job);
        self.pool().notify(root);
    }

    /// Runs a job that was taken out of a queue.
    ///
    /// # Safety
    /// As for [`JobRef::run`].
    pub(crate) unsafe fn execute(self, job: JobRef) {
        debug_assert!(!self.own().deque.has_private(), "I4");
        // SAFETY: a job in a queue is public and alive.
        let root = unsafe { job.tag() }.root;
        let before = self.own().root.replace(root);
        let driving = self.own().driving.replace(false);
        let depth = self.own().depth.get();
        self.own().depth.set(depth + 1);
        self.start_eager();
        self.seat.counters.jobs.bump();
        // SAFETY: by the caller.
        unsafe { job.run(self.seat) };
        self.own().depth.set(depth);
        self.own().driving.set(driving);
        self.own().root.set(before);
    }

    /// Makes the first pushes of a root or of a stolen job public.
    pub(crate) fn start_eager(self) {
        let pushes = self.pool().eager;
        self.own().deque.start_eager(pushes, &self.seat.thief);
    }

    /// How many things are under way on this thread, each inside a wait of the one before: jobs, and before those what a thread does that does
    /// not live for jobs alone, such as a guest's call or a handler.
    pub(crate) fn depth(self) -> usize {
        let own = self.own();
        own.depth.get() + usize::from(own.guest.get())
    }

    /// A root of its own for what comes, until the returned one is put back.
    pub(crate) fn new_root(self) -> Root {
        let own = self.own();
        own.roots.set(own.roots.get() + 1);
        let root = Root::new(self.seat.index(), own.roots.get());
        own.root.replace(root)
    }

    /// The only root whose jobs this thread may run while it waits, or `None` for all.
    pub(super) fn restricted_to(self) -> Option<Root> {
        let own = self.own();
        let root = own.root.get();
        let bound = root.is_isolated() || (own.guest.get() && self.pool().workers > 0);
        bound.then_some(root)
    }

    // Looking for work.

    /// Takes a job that this thread may run now.
    pub(crate) fn find(self, bound: Option<Root>, thief: Option<usize>) -> Option<JobRef> {
        self.find_overdue(bound)
            .or_else(|| self.find_local(bound))
            .or_else(|| thief.and_then(|at| self.rob(&self.pool().seats[at], bound)))
            .or_else(|| self.rob_all(bound))
            .or_else(|| self.take_injected(bound))
    }

    /// Takes a job from this seat's own queues.
    pub(crate) fn find_local(self, bound: Option<Root>) -> Option<JobRef> {
        let newest = match self.own().deque.pop_public(&self.seat.thief) {
            Some(job) if !fits(job, bound) => self.uncover(job, bound),
            newest => newest,
        };
        newest
            .or_else(|| self.seat.handed_back.take(bound))
            // Restricted or not: a broadcast needs every seat, so two calls that waited for each other's shares would wait for ever.
            .or_else(|| self.seat.mail.take())
    }

    /// Takes the newest job of its own queue that this thread may run. `top`, and what else lies above that, goes where anyone may take it, all
    /// at once: there may be any number.
    #[cold]
    fn uncover(self, top: JobRef, bound: Option<Root>) -> Option<JobRef> {
        let mut above = vec![top];
        let found = loop {
            match self.own().deque.pop_public(&self.seat.thief) {
                Some(job) if !fits(job, bound) => above.push(job),
                found => break found,
            }
        };
        let mut roots = BTreeSet::new();
        for job in &above {
            // SAFETY: jobs in a queue are public and alive, and this was in one and will be.
            let tag = unsafe { job.tag() };
            tag.come_back();
            roots.insert(tag.root);
            self.seat.counters.handed_back.bump();
        }
        self.seat.handed_back.push(&above);
        if !planted!("back") {
            roots.into_iter().for_each(|root| self.pool().notify(root));
        }
        found
    }

    /// Now and then, takes a job of those that are found last: of the others there may be no end.
    pub(crate) fn find_overdue(self, bound: Option<Root>) -> Option<JobRef> {
        let looks = &self.own().looks;
        looks.set(looks.get().wrapping_add(1));
        if !looks.get().is_multiple_of(policy::turn(self.depth())) {
            return None;
        }
        self.find_foreign(bound)
            .or_else(|| self.seat.handed_back.take(bound))
    }

    /// Takes a job that came from outside this pool, or this seat's share of a broadcast.
    pub(super) fn find_foreign(self, bound: Option<Root>) -> Option<JobRef> {
        let share = self.seat.mail.take();
        share.or_else(|| self.take_injected(bound))
    }

    fn rob_all(self, bound: Option<Root>) -> Option<JobRef> {
        let own = self.own();
        let seats = &self.pool().seats;
        for at in policy::victims(seats.len(), self.random(), own.favourite.get()) {
            if at != self.seat.index()
                && let Some(job) = self.rob(&seats[at], bound)
            {
                own.favourite.set(at);
                return Some(job);
            }
        }
        None
    }

    pub(crate) fn random(self) -> u64 {
        let mut state = self.own().random.get();
        let random = policy::random(&mut state);
        self.own().random.set(state);
        random
    }

    /// Whether it is this one's turn, of about `mean` (a power of two): by chance, lest things that take turns never meet it. `left` counts down.
    #[inline]
    pub(crate) fn is_drawn(self, left: &Cell<u32>, mean: u32) -> bool {
        match left.get().checked_sub(1) {
            Some(rest) => {
                left.set(rest);
                false
            }
            None => {
                left.set((self.random() >> 32) as u32 & (2 * mean - 1));
                true
            }
        }
    }

    fn rob(self, victim: &Seat, bound: Option<Root>) -> Option<JobRef> {
        if !victim.thief.is_empty() {
            self.seat.counters.steals.bump();
            match victim.thief.steal() {
                Some(job) if fits(job, bound) => return Some(job),
                Some(job) => self.hand_back(job, victim),
                None => self.seat.counters.failed_steals.bump(),
            }
        } else if victim.word.is_running() {
            victim.thief.ask();
        }
        victim.handed_back.take(bound)
    }

    fn take_injected(self, bound: Option<Root>) -> Option<JobRef> {
        let brought_first = self.own().looks.get() % 2 == 1;
        self.pool().take_injected(bound, brought_first)
    }

    /// A restricted waiter took a job it must not run: back to the seat it came from, where anyone may take it.
    fn hand_back(self, job: JobRef, seat: &Seat) {
        self.seat.counters.handed_back.bump();
        // SAFETY: a job in a queue is public and alive.
        let tag = unsafe { job.tag() };
        let root = tag.root;
        tag.come_back();
        seat.handed_back.push(&[job]);
        // Whoever waits for this very job may sleep already. (On our own seat that is nobody but us, if this is the last look before a
        // sleep, and we have just seen that the job is not for us.)
        if !ptr::eq(seat, self.seat) {
            self.pool().rouse(seat);
        }
        // And that one may wait for something else.
        if !planted!("back") {
            self.pool().notify(root);
        }
    }

    /// Now and then, runs a job of those that are found last.
    pub(crate) fn run_overdue(self) {
        if let Some(job) = self.find_overdue(self.restricted_to()) {
            // SAFETY: just taken out of a queue.
            unsafe { self.execute(job) };
        }
    }

    /// Runs a job from this seat's own queue, if this thread may.
    pub(crate) fn run_or_hand_back(self, job: JobRef) {
        if fits(job, self.restricted_to()) {
            // SAFETY: the caller took it out of a queue.
            unsafe { self.execute(job) };
        } else {
            self.hand_back(job, self.seat);
        }
    }
}

/// Whether a waiter bound to `bound` may run `job`.
fn fits(job: JobRef, bound: Option<Root>) -> bool {
    // SAFETY: a job in a queue is public and alive.
    bound.is_none_or(|root| unsafe { job.tag() }.root == root)
}
