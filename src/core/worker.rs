//! What the holder of a seat does: push and pop, look for work, wait.

use super::idle::Idle;
use super::job::JobRef;
use super::latch::Latch;
use super::place;
use super::policy::{self, Next};
use super::pool::Pool;
use super::root::Root;
use super::seat::{Own, Seat};
use crate::sync::{Ordering, per_thread, spin_loop, yield_now};
use std::cell::Cell;
use std::marker::PhantomData;
use std::mem;
use std::ptr;

/// How many jobs may be on the stack, each inside a wait of the one before, until a wait for another pool is patient.
const DEEP: usize = 64;
/// How often such a wait looks, and lets others run, before it helps.
const PATIENCE: u32 = 256;

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
    pub(crate) unsafe fn sit(seat: &'a Seat) -> Worker<'a> {
        CURRENT.with(|current| current.set(seat));
        Worker {
            seat,
            here: PhantomData,
        }
    }

    /// Ends what `sit` began.
    pub(crate) fn rise(self) {
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

    fn idle(self) -> &'a Idle {
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
        self.own().deque.push_public(job);
        self.pool().notify(self.own().root.get());
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
    fn restricted_to(self) -> Option<Root> {
        let own = self.own();
        let root = own.root.get();
        let bound = root.is_isolated() || (own.guest.get() && self.pool().workers > 0);
        bound.then_some(root)
    }

    // Looking for work.

    /// Takes a job that this thread may run now.
    pub(crate) fn find(self, bound: Option<Root>, thief: Option<usize>) -> Option<JobRef> {
        self.find_local(bound)
            .or_else(|| thief.and_then(|at| self.rob(&self.pool().seats[at], bound)))
            .or_else(|| self.rob_all(bound))
            .or_else(|| self.take_injected(bound))
    }

    /// Takes a job from this seat's own queues.
    pub(crate) fn find_local(self, bound: Option<Root>) -> Option<JobRef> {
        while let Some(job) = self.own().deque.pop_public(&self.seat.thief) {
            if fits(job, bound) {
                return Some(job);
            }
            self.hand_back(job, self.seat);
        }
        if let Some(job) = self.seat.handed_back.take(|job| fits(job, bound)) {
            return Some(job);
        }
        // Restricted or not: a broadcast needs every seat, so two calls that waited for each other's shares would wait for ever.
        self.seat.mail.take(|_| true)
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
        victim.handed_back.take(|job| fits(job, bound))
    }

    fn take_injected(self, bound: Option<Root>) -> Option<JobRef> {
        let pool = self.pool();
        while let Some(job) = pool.take_injected() {
            if fits(job, bound) {
                return Some(job);
            }
            self.hand_back(job, self.seat);
        }
        None
    }

    /// A restricted waiter took a job it must not run: back to the seat it came from, where anyone may take it.
    fn hand_back(self, job: JobRef, seat: &Seat) {
        self.seat.counters.handed_back.bump();
        // SAFETY: a job in a queue is public and alive.
        let root = unsafe { job.tag() }.root;
        seat.handed_back.push(job);
        // Whoever waits for this very job may sleep already. (On our own seat that is nobody but us, if this is the last look before a
        // sleep, and we have just seen that the job is not for us.)
        if ptr::eq(seat, self.seat) || !self.pool().rouse(seat) {
            self.pool().notify(root);
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

    /// What a worker thread does for its whole life: run, look, sleep.
    pub(crate) fn run_until_stopped(self) {
        // From here on nothing but jobs is on the stack.
        self.own().depth.set(0);
        loop {
            while let Some(job) = self.find_local(None) {
                // SAFETY: just taken out of a queue.
                unsafe { self.execute(job) };
            }
            if !self.search() {
                self.own().depth.set(1);
                return;
            }
        }
    }

    /// Looks for a job and runs it. False: the pool has stopped.
    fn search(self) -> bool {
        let (idle, word) = (self.idle(), &self.seat.word);
        idle.start_search();
        word.search();
        let mut looks = 0;
        loop {
            if self.sees_work() {
                if word.start_work() {
                    let last = idle.end_search();
                    if let Some(job) = self.find(None, None) {
                        if last && self.pool().has_loot() {
                            // Nobody is on the watch any more, and there is more to do.
                            self.pool().notify(Root::NONE);
                        }
                        // SAFETY: just taken out of a queue.
                        unsafe { self.execute(job) };
                        return true;
                    }
                    if self.pool().is_stopped() {
                        return false;
                    }
                    idle.start_search();
                    word.search();
                } else {
                    // A guest has the seat.
                    self.sleep();
                    looks = 0;
                    continue;
                }
            }
            match self.after_look(looks) {
                Next::Sleep => {
                    self.sleep();
                    looks = 0;
                }
                _ => looks += 1,
            }
        }
    }

    /// One turn of the back-off.
    fn after_look(self, looks: u32) -> Next {
        let others = self.idle().counts().searching().saturating_sub(1);
        let next = policy::after_look(looks, others);
        match next {
            Next::Spin(times) => (0..times).for_each(|_| spin_loop()),
            // Whoever counts on us wakes another thread, and on another processor.
            Next::Yield if place::give_way() => return Next::Sleep,
            Next::Yield | Next::Sleep => {}
        }
        next
    }

    /// Whether a look from outside the queues shows something to do; asks for private work on the way.
    fn sees_work(self) -> bool {
        let pool = self.pool();
        if pool.is_stopped() || pool.has_injected() || !self.seat.mail.is_empty() {
            return true;
        }
        let mut any = false;
        for seat in &pool.seats {
            if seat.has_loot() {
                any = true;
            } else if seat.index() != self.seat.index() && seat.word.is_running() {
                seat.thief.ask();
            }
        }
        any
    }

    /// Sleeps until somebody claims the seat. Comes back as a searcher.
    fn sleep(self) {
        let (idle, word) = (self.idle(), &self.seat.word);
        idle.search_to_sleep();
        let ours = word.fall_asleep();
        idle.settle();
        if self.sees_work() {
            if ours && word.rouse() {
                idle.sleep_to_search();
                return;
            }
            // Somebody was faster: if it was a guest, it has the seat, but promoters counted on us to look.
            self.pool().notify(Root::NONE);
        }
        self.seat.counters.parks.bump_shared();
        // Whoever claims the seat turns the sleeper into a searcher, in the counts too, and rings when all is done. So even if the seat
        // is claimed by now, the bell comes first.
        loop {
            self.seat.doorbell.park();
            if word.wake_up() {
                break;
            }
        }
        self.seat.placer.settle();
    }

    /// Helps until `latch` is set.
    pub(crate) fn wait(self, latch: &Latch) {
        let bound = self.restricted_to();
        let find = || self.find(bound, None);
        self.wait_with(latch, bound, None, &find);
    }

    /// Helps until `latch` is set by another pool.
    ///
    /// Items that call another pool, each begun on top of the wait of the one before, could fill the stack. So where many jobs are on it, what
    /// is awaited gets some time first, in which only work from outside is done, which the other pool may wait for.
    pub(crate) fn wait_for_pool(self, latch: &Latch) {
        if self.own().depth.get() <= DEEP {
            return self.wait(latch);
        }
        self.publish_all();
        let bound = self.restricted_to();
        for look in 1..=PATIENCE {
            if latch.probe() {
                return;
            }
            let job = look
                .is_multiple_of(16)
                .then(|| self.take_injected(bound))
                .flatten();
            match job {
                // SAFETY: just taken out of a queue.
                Some(job) => unsafe { self.execute(job) },
                None => yield_now(),
            }
        }
        self.wait(latch);
    }

    /// Helps until `job`, which we offered and another thread took, is done; goes to `thief` first, to take back from it what it was given.
    /// True: it was handed back unrun.
    pub(crate) fn wait_for_taken(
        self,
        job: JobRef,
        latch: &Latch,
        thief: &dyn Fn() -> Option<usize>,
    ) -> bool {
        let bound = self.restricted_to();
        // Before all else: run on top of this wait it would be cut and come back again, until the stack is full.
        let returned = || self.seat.handed_back.take(|returned| returned == job);
        let find = || returned().or_else(|| self.find(bound, thief()));
        self.wait_with(latch, bound, Some(job), &find)
    }

    /// Runs what `find` finds until the latch is set, or until it finds `end`, which is not run: then true. `bound` is what `find` is
    /// restricted to.
    fn wait_with(
        self,
        latch: &Latch,
        bound: Option<Root>,
        end: Option<JobRef>,
        find: &dyn Fn() -> Option<JobRef>,
    ) -> bool {
        if latch.probe() {
            return false;
        }
        self.publish_all();
        let mut looks = 0;
        // Somebody woke us to look for work, and counts us as a searcher until we have looked.
        let mut woken = false;
        let mut found = None;
        while found.is_some() || !latch.probe() {
            let job = found.take().or_else(find);
            if mem::take(&mut woken) {
                self.end_search();
            }
            if let Some(job) = job {
                if Some(job) == end {
                    return true;
                }
                // SAFETY: just taken out of a queue.
                unsafe { self.execute(job) };
                looks = 0;
                continue;
            }
            match self.after_look(looks) {
                Next::Sleep => {
                    (woken, found) = self.sleep_in_wait(latch, bound, find);
                    looks = 0;
                }
                _ => looks += 1,
            }
        }
        if woken {
            self.end_search();
        }
        false
    }

    /// Ends a search that a waker counts on. If we were the last on the watch and there is (more) to do, whether we found something, or
    /// must not run what there is, or leave because our wait is over, then the wake-up goes on to the next.
    fn end_search(self) {
        let last = self.idle().end_search() && !cfg!(filch_canary = "wake");
        if last && self.pool().has_loot() {
            self.pool().notify(Root::NONE);
        }
    }

    /// Sleeps inside a wait until the latch is set or somebody wants help. True: somebody does, and the caller owes [`Worker::end_search`].
    /// What the last look before the sleep finds is the caller's to run.
    fn sleep_in_wait(
        self,
        latch: &Latch,
        bound: Option<Root>,
        find: &dyn Fn() -> Option<JobRef>,
    ) -> (bool, Option<JobRef>) {
        let (idle, word, guest) = (self.idle(), &self.seat.word, self.own().guest.get());
        if !latch.doze() {
            return (false, None);
        }
        self.seat
            .waits_for
            .store(bound.map_or(0, Root::bits), Ordering::Relaxed);
        idle.start_sleep();
        word.wait(guest);
        idle.settle();
        // The last look: really take, because a restricted waiter cannot tell from outside whether what it sees is for it.
        let found = find();
        if found.is_none() {
            self.seat.counters.parks.bump();
            self.seat.bell.park();
        }
        let woken = word.end_wait(guest);
        latch.rise();
        if !woken {
            idle.end_sleep();
        }
        (woken, found)
    }

    /// Runs one job that this thread may run while it waits, if there is one.
    pub(crate) fn help(self) -> bool {
        self.run_within(self.restricted_to(), false)
    }

    /// Runs one job of `root`, if there is one.
    pub(crate) fn help_with(self, root: Root) -> bool {
        self.run_within(Some(root), false)
    }

    /// Runs one job, if there is one that this thread may run; `local` looks at its own queues only.
    pub(crate) fn run_one(self, local: bool) -> bool {
        // Whoever yields asks for whatever there is; only isolation still counts.
        let bound = Some(self.own().root.get()).filter(|root| root.is_isolated());
        self.run_within(bound, local)
    }

    fn run_within(self, bound: Option<Root>, local: bool) -> bool {
        self.publish_all();
        let job = if local {
            self.find_local(bound)
        } else {
            self.find(bound, None)
        };
        // SAFETY: just taken out of a queue.
        job.map(|job| unsafe { self.execute(job) }).is_some()
    }
}

/// Whether a waiter bound to `bound` may run `job`.
fn fits(job: JobRef, bound: Option<Root>) -> bool {
    // SAFETY: a job in a queue is public and alive.
    bound.is_none_or(|root| unsafe { job.tag() }.root == root)
}
