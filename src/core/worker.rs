//! What a thread at a desk does: push and pop, run jobs, look for work. What it does when it finds none is in [`search`](super::search)
//! and [`wait`](super::wait).

use super::deque::{Giver, Worth};
use super::desk::{self, Desk, Own};
use super::event::{Kind, OUTSIDE};
use super::follow::Follower;
use super::idle::Idle;
use super::job::JobRef;
use super::meter;
use super::policy;
use super::pool::Pool;
use super::root::Root;
use super::seat::Seat;
use crate::sync::planted;
use std::cell::Cell;
use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::ptr;

/// The proof that this thread is at a desk. Wherever it runs code of the user's or a job, it holds a right as well.
#[derive(Clone, Copy)]
pub(crate) struct Worker<'a> {
    desk: &'a Desk,
    /// Neither Send nor Sync: it is this thread that is at the desk.
    here: PhantomData<*mut ()>,
}

/// Where a thread was when it [sat down](Worker::sit): at the desk of a pool that was built around it, or at none. It is still there, for it is kept
/// by a frame below.
#[derive(Clone, Copy)]
pub(crate) struct Below(*const Desk);

impl<'a> Worker<'a> {
    /// The desk of this thread, if it is at one.
    ///
    /// The lifetime is the caller's frame: a thread stays at its desk until all frames that run on it are gone.
    #[inline(always)]
    pub(crate) fn current() -> Option<Worker<'a>> {
        let desk = desk::current()?;
        Some(Worker {
            desk,
            here: PhantomData,
        })
    }

    /// Has this thread work at `desk`, with right `number`.
    ///
    /// # Safety
    /// This thread holds the right, and its seat says that the desk is [at work](Seat::sit_down) there. Nobody else is at the desk until
    /// [`Worker::rise`], and it lives as long.
    #[inline]
    pub(crate) unsafe fn sit(desk: &'a Desk, number: usize) -> (Worker<'a>, Below) {
        // SAFETY: by the caller.
        let below = Below(unsafe { desk::go_to(desk) });
        let worker = Worker {
            desk,
            here: PhantomData,
        };
        worker.own().hold(number);
        (worker, below)
    }

    /// Ends what `sit` began, and returned `below`. Returns the number of the right that this thread still holds.
    #[inline]
    pub(crate) fn rise(self, below: Below) -> Option<usize> {
        // SAFETY: a frame below keeps that desk.
        unsafe { desk::go_to(below.0) };
        self.own().let_go()
    }

    /// In a child process: this thread is at no desk any more, whatever it did when its parent forked.
    #[cfg(unix)]
    pub(crate) fn forget() {
        // SAFETY: at none.
        unsafe { desk::go_to(ptr::null()) };
    }

    #[inline(always)]
    pub(crate) fn own(self) -> &'a Own {
        &self.desk.own
    }

    #[inline(always)]
    pub(crate) fn desk(self) -> &'a Desk {
        self.desk
    }

    /// The number of the right that this thread holds: its index.
    #[inline(always)]
    pub(crate) fn index(self) -> usize {
        self.own().index()
    }

    /// What belongs to the number of the right that this thread holds.
    fn seat(self) -> &'a Seat {
        &self.pool().seats[self.index()]
    }

    #[inline]
    pub(crate) fn pool(self) -> &'a Pool {
        Pool::of(self.desk)
    }

    /// What follows the jobs of this thread's pool.
    #[inline]
    pub(crate) fn follower(self) -> &'a Follower {
        &self.pool().handlers.follow
    }

    pub(super) fn idle(self) -> &'a Idle {
        &self.pool().idle
    }

    // Rights.

    /// This thread holds right `number` from now on.
    #[inline]
    pub(super) fn hold(self, number: usize) {
        self.own().hold(number);
        self.pool().seats[number].sit_down(self.desk);
    }

    /// Puts this thread's right down. Nothing is in its queue, where nobody would find it.
    pub(super) fn put_right_down(self) {
        debug_assert!(self.own().deque.is_empty());
        if let Some(number) = self.own().let_go() {
            self.desk.prefer(number);
            self.pool().put_down(number);
        }
    }

    /// If a thread waits for a right, gives it this one, and waits for another one in its turn.
    #[inline]
    pub(crate) fn take_turns(self) {
        if self.pool().sleepers.any_wanting() {
            self.wait_for_turn();
        }
    }

    #[cold]
    fn wait_for_turn(self) {
        self.clear_desk();
        self.put_right_down();
        self.hold(self.pool().take_right(self.desk));
    }

    /// Hands what is in this thread's public queue over to the others; nothing is private.
    pub(super) fn clear_desk(self) {
        if self.own().deque.is_public_empty() {
            return;
        }
        let all = std::iter::from_fn(|| self.own().deque.pop_public(&self.desk.thief));
        self.hand_over(&all.collect::<Vec<_>>());
    }

    // Work of one's own.

    /// Pushes a join job, which may be `worth` waking a thread.
    #[inline(always)]
    pub(crate) fn push(self, job: JobRef, worth: Worth) {
        if self.own().deque.push(job, &self.desk.thief) {
            self.answer(worth);
        }
    }

    /// Takes the caller's own job back, if it is still private.
    #[inline(always)]
    pub(crate) fn pop(self) -> bool {
        self.own().deque.pop(&self.desk.thief) || self.pop_slow()
    }

    /// A pop that a thief interrupted, or for which nothing is left.
    #[cold]
    #[inline(never)]
    fn pop_slow(self) -> bool {
        let private = self.own().deque.pop_slow();
        if private {
            self.answer(Worth::Most);
        }
        private
    }

    /// Shows a thief something: the slow path of push and pop, and of every look between blocks.
    #[cold]
    #[inline(never)]
    pub(crate) fn answer(self, worth: Worth) {
        let own = self.own();
        if own.deque.answer(
            &self.desk.thief,
            own.root.get(),
            self.as_giver(),
            self.eager(),
            worth,
        ) {
            self.desk.counters.promotions.bump();
            if worth == Worth::Most {
                self.pool().notify(own.root.get());
                return;
            }
            let relies = own.relies.take();
            self.desk.probe.offered(relies);
            if relies && !planted!("rely") {
                self.pool().notify_if_all_sleep(own.root.get());
            }
        }
    }

    fn as_giver(self) -> Giver<'a> {
        let desk = self.desk;
        (desk.owner(), &desk.probe, self.follower())
    }

    /// Serves a thief's request, if there is one and anything to give.
    #[inline]
    pub(crate) fn serve(self) {
        if self.desk.thief.is_asked() && self.own().deque.has_private() {
            self.answer(Worth::Most);
        }
    }

    /// Makes everything public, which has to happen before a wait and before a closure that may block.
    pub(crate) fn publish_all(self) {
        let own = self.own();
        let mut any = false;
        while own.deque.promote(
            &self.desk.thief,
            own.root.get(),
            self.as_giver(),
            Worth::Most,
        ) {
            self.desk.counters.promotions.bump();
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
        self.desk.probe.note(Kind::Spawn, || job.address());
        self.own().deque.push_public(job, &self.desk.thief);
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
        self.desk.counters.jobs.bump();
        self.desk.probe.note(Kind::Run, || job.address());
        let metered = meter::run(job.address());
        // SAFETY: by the caller.
        unsafe { self.pool().run(job, self.index()) };
        metered.end();
        self.desk.probe.note(Kind::Done, || job.address());
        self.own().depth.set(depth);
        self.own().driving.set(driving);
        self.own().root.set(before);
        self.take_turns();
    }

    /// How many pushes of a new descent are public at once: all of them, if joins are metered.
    fn eager(self) -> u32 {
        match meter::is_on() {
            true => u32::MAX,
            false => self.pool().eager,
        }
    }

    /// Makes the first pushes of a root or of a stolen job public.
    pub(crate) fn start_eager(self) {
        let pushes = self.eager();
        self.own().deque.start_eager(pushes, &self.desk.thief);
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
        let root = Root::new(self.desk.id(), own.roots.get());
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
            .or_else(|| thief.and_then(|at| self.rob(at, bound)))
            .or_else(|| self.rob_all(bound))
            .or_else(|| self.take_injected(bound))
    }

    /// Takes a job from this thread's own queues.
    pub(crate) fn find_local(self, bound: Option<Root>) -> Option<JobRef> {
        let newest = match self.own().deque.pop_public(&self.desk.thief) {
            Some(job) if !fits(job, bound) => self.uncover(job, bound),
            newest => newest,
        };
        // Restricted or not: a broadcast needs every number, so two calls that waited for each other's shares would wait for ever.
        newest.or_else(|| self.seat().mail.take())
    }

    /// Takes the newest job of its own queue that this thread may run. `top`, and what else lies above that, goes where anyone may take it, all
    /// at once: there may be any number.
    #[cold]
    fn uncover(self, top: JobRef, bound: Option<Root>) -> Option<JobRef> {
        let mut above = vec![top];
        let found = loop {
            match self.own().deque.pop_public(&self.desk.thief) {
                Some(job) if !fits(job, bound) => above.push(job),
                found => break found,
            }
        };
        self.hand_over(&above);
        found
    }

    /// Puts jobs of this pool where anyone may take them.
    fn hand_over(self, jobs: &[JobRef]) {
        let mut roots = BTreeSet::new();
        for job in jobs {
            // SAFETY: jobs in a queue are public and alive, and these were in one and will be.
            let tag = unsafe { job.tag() };
            tag.come_back();
            roots.insert(tag.root);
            self.desk.counters.handed_back.bump();
            self.desk.probe.note(Kind::Handed, || job.address());
        }
        self.pool().brought.push(jobs);
        if !planted!("back") {
            roots.into_iter().for_each(|root| self.pool().notify(root));
        }
    }

    /// Now and then, takes a job of those that are found last: of the others there may be no end.
    pub(crate) fn find_overdue(self, bound: Option<Root>) -> Option<JobRef> {
        let looks = &self.own().looks;
        looks.set(looks.get().wrapping_add(1));
        if !looks.get().is_multiple_of(policy::turn(self.depth())) {
            return None;
        }
        self.find_foreign(bound)
    }

    /// Takes a job that came from outside this pool or was handed over, or mail.
    pub(super) fn find_foreign(self, bound: Option<Root>) -> Option<JobRef> {
        let share = self.seat().mail.take();
        share.or_else(|| self.take_injected(bound))
    }

    fn rob_all(self, bound: Option<Root>) -> Option<JobRef> {
        let seats = self.pool().seats.len();
        policy::victims(seats, self.random()).find_map(|at| self.rob(at, bound))
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

    /// Takes a job from the thread that holds right `number`, or asks it for one.
    pub(super) fn rob(self, number: usize, bound: Option<Root>) -> Option<JobRef> {
        let victim = self.pool().seats[number].at_work();
        if ptr::eq(victim, self.desk) {
            return None;
        }
        if !victim.thief.is_empty() {
            self.desk.counters.steals.bump();
            let stolen = victim.thief.steal();
            if let Some(job) = stolen {
                let from = (number as u64).min(OUTSIDE - 1);
                self.desk
                    .probe
                    .note(Kind::Take, || job.address() | from << 48);
            }
            match stolen {
                Some(job) if fits(job, bound) => return Some(job),
                // A restricted waiter must not run it.
                Some(job) => self.hand_over(&[job]),
                None => self.desk.counters.failed_steals.bump(),
            }
        } else if !self.pool().rights.is_free(number) {
            victim.thief.ask();
        }
        None
    }

    fn take_injected(self, bound: Option<Root>) -> Option<JobRef> {
        let brought_first = self.own().looks.get() % 2 == 1;
        let job = self.pool().take_injected(bound, brought_first)?;
        self.desk
            .probe
            .note(Kind::Take, || job.address() | OUTSIDE << 48);
        Some(job)
    }

    /// Now and then, runs a job of those that are found last.
    pub(crate) fn run_overdue(self) {
        if let Some(job) = self.find_overdue(self.restricted_to()) {
            // SAFETY: just taken out of a queue.
            unsafe { self.execute(job) };
        }
    }

    /// Runs a job from this thread's own queue, if it may.
    pub(crate) fn run_or_hand_back(self, job: JobRef) {
        if fits(job, self.restricted_to()) {
            // SAFETY: the caller took it out of a queue.
            unsafe { self.execute(job) };
        } else {
            self.hand_over(&[job]);
        }
    }
}

/// Whether a waiter bound to `bound` may run `job`.
fn fits(job: JobRef, bound: Option<Root>) -> bool {
    // SAFETY: a job in a queue is public and alive.
    bound.is_none_or(|root| unsafe { job.tag() }.root == root)
}
