//! A thread from elsewhere that takes part in a pool: a [guest](super::guest), or a thread of another pool that [stands in](super::stand_in).

use super::ahead::Ahead;
use super::event::Kind;
use super::pool::Pool;
use super::root::Root;
use super::seat::Seat;
use super::worker::{Sitting, Worker};
use crate::sync::{MutexGuard, Ordering, fence, planted, yield_now};

/// The stay of a guest or of a thread that stands in. It ends when this is dropped.
pub(crate) struct Visit<'a> {
    pub(crate) worker: Worker<'a>,
    /// `None`: the visit has ended.
    sitting: Option<Sitting<'a>>,
    /// In a pool without threads: the turn.
    turn: Option<MutexGuard<'a, ()>>,
}

impl<'a> Visit<'a> {
    /// Sits down with right `number`, which this thread has just taken. Also says whether the seat of that right showed another desk until now.
    #[inline(always)]
    pub(super) fn sit_down(
        pool: &'a Pool,
        (seat, number): (&'a Seat, usize),
        turn: Option<MutexGuard<'a, ()>>,
    ) -> (Visit<'a>, bool) {
        let desk = pool.guest_desk(seat);
        let changes = seat.sit_down(desk);
        // SAFETY: the right and the desk were just taken, and are this thread's until `leave` gives them back. Visits on one thread are nested, frame in frame.
        let sitting = unsafe { Worker::sit(desk, number) };
        let worker = sitting.worker();
        worker.own().guest.set(true);
        worker.enter_new_root();
        worker.start_eager();
        desk.counters.guests.bump();
        desk.probe.note(Kind::Sit, || 0);
        let visit = Visit {
            worker,
            sitting: Some(sitting),
            turn,
        };
        (visit, changes)
    }

    /// Sits down with the turn and the only right of a pool without threads. `None`: this thread forked inside a visit, and this is the child.
    fn with_turn(pool: &'a Pool, turn: Option<MutexGuard<'a, ()>>) -> Option<Self> {
        let number = pool.rights.take_last()?;
        let (visit, changes) = Self::sit_down(pool, (&pool.seats[number], number), turn);
        if changes {
            pool.fence_and_call_callers();
        }
        Some(visit)
    }

    /// Runs these jobs, as far as no other thread has.
    fn run(&self, mut ahead: Ahead) {
        let worker = self.worker;
        while !worker.pool().is_orphan()
            && let Some(job) = ahead.next(worker)
        {
            // SAFETY: just taken out of a queue.
            unsafe { worker.execute(job) };
        }
    }

    /// Ends the visit and keeps the turn.
    fn end_with_turn(mut self) -> Option<MutexGuard<'a, ()>> {
        self.end();
        self.turn.take()
    }

    /// Whether it is this thread's turn, in a pool without threads.
    #[inline(always)]
    pub(super) fn has_turn(&self) -> bool {
        self.turn.is_some()
    }

    /// Ends a visit without a turn, inlined. `drop` does the same by a call.
    #[inline(always)]
    pub(super) fn end(&mut self) {
        self.leave();
        self.sitting = None;
    }

    #[inline(always)]
    fn leave(&mut self) {
        let worker = self.worker;
        let pool = worker.pool();
        if pool.is_orphan() {
            // This process was forked during the visit, and this is the child. No thread of the pool runs here, and its locks may be held for ever, so nothing is touched.
            return;
        }
        if pool.crew.is_callers() && !planted!("alone") {
            run_what_is_left(worker);
        }
        worker.clear_desk();
        worker.desk().probe.note(Kind::Rise, || 0);
        worker.own().root.set(Root::NONE);
        worker.own().guest.set(false);
        worker.own().driver.leave_desk();
        let Some(number) = self.sitting.take().and_then(Sitting::rise) else {
            return pool.store_desk(worker.desk());
        };
        let Some(seat) = pool.seats.get(number) else {
            pool.store_desk(worker.desk());
            return pool.put_spare_down(number);
        };
        if !seat.leave_guest_desk(worker.desk()) {
            pool.store_desk(worker.desk());
        }
        pool.put_down_at(seat, number);
    }

    /// A call, because only `visit_here` is short enough to care.
    #[inline(never)]
    fn end_by_drop(&mut self) {
        self.end();
        if self.turn.take().is_some() && !planted!("turn") {
            run_in_turn(self.worker.pool());
        }
    }
}

impl Drop for Visit<'_> {
    #[inline(always)]
    fn drop(&mut self) {
        if self.sitting.is_some() {
            self.end_by_drop();
        }
    }
}

/// Waits for the turn, if this is a pool without threads. Before it returns, this thread runs what was queued before it had the turn: the call for which it wants that
/// may wait for such a job, and then no thread would run it. What is queued later has to wait, for there may be no end of it.
#[cold]
pub(super) fn turn_behind_the_queue(pool: &Pool) -> Option<MutexGuard<'_, ()>> {
    let turn = pool.crew.turn();
    let ahead = Ahead::of(pool);
    if ahead.is_empty() || planted!("ahead") {
        return turn;
    }
    let visit = Visit::with_turn(pool, turn)?;
    visit.run(ahead);
    visit.end_with_turn()
}

/// Comes after something was queued. In a pool without threads it runs what is queued, unless another thread has the turn. That thread, or
/// one that has the turn after it, will do so. A thread that queues something never waits for the turn: it may be a thread of another pool, and the visitor may wait for what it does there.
pub(super) fn run_queued(pool: &Pool) {
    if pool.crew.is_callers() {
        run_in_turn(pool);
    }
}

/// Runs what is queued, a job a turn, until nothing is, or until another thread has had the turn: the last one that had it does the rest.
///
/// There may be no end of jobs, if other threads queue them faster than they are run, and then this thread would never get away. So where others found the turn taken, it
/// leaves the turn free for a while: one of them will come by. So it does where others wait for the turn. Before that it runs all that is queued by then. A waiter
/// would have to do so, and perhaps it is this thread that queues so much: while it runs jobs, it queues none.
#[cold]
fn run_in_turn(pool: &Pool) {
    loop {
        // One thread puts something in a queue and then looks whether the turn is free. The other one gives the turn up and then looks at the queues.
        fence(Ordering::SeqCst);
        if pool.is_orphan()
            || planted!("alone")
            || !(pool.has_injected() || pool.seats.iter().any(|seat| !seat.mail.is_empty()))
        {
            return;
        }
        let Some(turn) = pool.crew.try_turn() else {
            return;
        };
        let own = pool.crew.turns();
        let Some(visit) = Visit::with_turn(pool, Some(turn)) else {
            return;
        };
        if let Some(job) = visit.worker.find(None, None) {
            // SAFETY: just taken out of a queue.
            unsafe { visit.worker.execute(job) };
        }
        if pool.crew.turns().is_awaited() {
            visit.run(Ahead::of(pool));
        }
        // Not `drop` of the visit: this loop does the rest of it.
        drop(visit.end_with_turn());
        let now = pool.crew.turns();
        if now.is_awaited() || own.has_refused(now) {
            for _ in 0..PAUSE {
                if own.is_over(pool.crew.turns()) {
                    // A turn began after this one's, and its thread will look at the queues.
                    return;
                }
                yield_now();
            }
        }
    }
}

/// How often a thread lets go of its processor at most, to leave the turn to others: about a millisecond, if no other thread wants the processor. On loom the other
/// thread goes on at once.
const PAUSE: u32 = if cfg!(filch_loom) { 1 } else { 1 << 12 };

/// Runs what the call spawned: in a pool without threads, no other thread will. What other threads queued comes in turns of its own.
#[cold]
fn run_what_is_left(worker: Worker<'_>) {
    while let Some(job) = worker.own().deque.pop_public(&worker.desk().thief) {
        // SAFETY: just taken out of a queue.
        unsafe { worker.execute(job) };
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::{Visit, run_queued};
    use crate::core::deque::Worth;
    use crate::core::desk::Desk;
    use crate::core::guest::install;
    use crate::core::job::{HeapJob, JobRef, StackJob};
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::start::with_what_there_is;
    use crate::core::worker::Worker;
    use crate::sync::{Arc, AtomicBool, AtomicU64, Ordering};
    use std::collections::BTreeSet;
    use std::sync::mpsc;
    use std::{ptr, thread};

    /// A pool of so many threads, which are not there. Its rights are free.
    fn pool(threads: usize) -> Arc<Pool> {
        let pool = Pool::new(threads, 0, Handlers::default(), true, false);
        (0..threads).for_each(|number| pool.rights.put(number));
        pool
    }

    fn visit(pool: &Pool) -> Visit<'_> {
        let number = pool.rights.take_first().expect("it is free");
        Visit::sit_down(pool, (&pool.seats[number], number), None).0
    }

    fn at(visit: &Visit<'_>) -> *const Desk {
        visit.worker.desk()
    }

    fn job(count: &Arc<AtomicU64>) -> JobRef {
        let count = Arc::clone(count);
        // SAFETY: it borrows nothing.
        unsafe {
            HeapJob::boxed(Root::NONE, move || {
                count.fetch_add(1, Ordering::Relaxed);
            })
        }
    }

    /// A thread from outside may hold any lock: it runs work of its own call only. The next one there is at the same desk, which is as new.
    #[test]
    fn a_visitor_is_bound_to_its_call_and_leaves_its_desk_as_new() {
        let pool = pool(2);
        let jobs: Vec<_> = (0..10).map(|n| StackJob::new(n, |n: usize| n)).collect();
        let first = visit(&pool);
        let (desk, worker) = (at(&first), first.worker);
        let root = worker.bound().expect("it is bound");
        for job in &jobs {
            // SAFETY: they stay in place, and none is run.
            worker.push(unsafe { job.as_ref() }, Worth::Little);
        }
        while worker.pop() {}
        assert!(!worker.desk().thief.is_asked());
        worker.own().driver.driving.set(true);
        // What is public is left to the others.
        drop(first);
        assert!(pool.brought.len() < 10 && pool.rights.free() == 2);
        while pool.brought.take(None).is_some() {}
        let second = visit(&pool);
        assert!(ptr::eq(at(&second), desk) && worker.desk().thief.is_asked());
        assert!(!worker.own().driver.driving.get());
        assert!(second.worker.bound().is_some_and(|other| other != root));
    }

    #[test]
    fn what_a_visitor_has_spawned_is_left_to_the_others() {
        let (pool, count) = (pool(1), Arc::default());
        let guest = visit(&pool);
        guest.worker.spawn(job(&count));
        drop(guest);
        let job = pool
            .brought
            .take(None)
            .or_else(|| pool.take_injected(None, false));
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(job.expect("no thread took it"), 0) };
        assert_eq!(count.load(Ordering::Relaxed), 1);
    }

    /// Without threads, nobody else will do it.
    #[test]
    fn a_visitor_of_a_pool_without_threads_runs_what_it_has_spawned() {
        let (pool, count) = (pool(0), Arc::default());
        let guest = visit(&pool);
        assert!(guest.worker.bound().is_none());
        guest.worker.spawn(job(&count));
        drop(guest);
        assert_eq!((count.load(Ordering::Relaxed), pool.rights.free()), (1, 1));
    }

    /// However visitors come and go, each is at a desk of its own, and no more desks are made than visitors are there at a time.
    #[test]
    fn desks_are_used_again_and_by_one_visitor_at_a_time() {
        let pool = pool(3);
        let guests = || pool.all_desks().len() - 3;
        let come_and_go = |many: usize| {
            let visits: Vec<_> = (0..many).map(|_| visit(&pool)).collect();
            let desks: BTreeSet<_> = visits.iter().map(at).collect();
            assert_eq!(desks.len(), many);
        };
        (0..3).for_each(|_| come_and_go(2));
        assert_eq!(guests(), 2);
        // It ends before it is dropped.
        visit(&pool).end();
        come_and_go(3);
        // A visitor leaves with another number, at whose seat there is a desk already, without one, or with one to spare.
        let moves = |number: Option<usize>| {
            let guest = visit(&pool);
            let before = guest.worker.own().let_go().expect("it has one");
            pool.rights.put(before);
            if let Some(number) = number {
                guest.worker.hold(number);
            }
        };
        for _ in 0..3 {
            assert!(pool.rights.take_this(1));
            moves(Some(1));
            come_and_go(3);
            moves(None);
            come_and_go(3);
            let spare = pool.take_spare(&mut pool.sleepers.lock());
            moves(spare);
            come_and_go(3);
        }
        assert_eq!((guests(), pool.rights.free()), (3, 3));
    }

    /// A child after `fork` leaves a pool of its parent's without a lock of it.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_leaves_without_a_lock() {
        let pool = pool(2);
        let mut guest = Some(visit(&pool));
        let mut locked = pool.sleepers.lock();
        let desk = pool.seats[0].own_desk();
        locked.want(desk);
        crate::core::global_pointer::assert_well_in_child(|| {
            drop(guest.take());
            true
        });
        locked.remove_wanting(desk);
        drop(locked);
    }

    /// A thread queued a job where another one had the turn, and did not wait.
    #[test]
    fn what_is_queued_at_the_end_of_a_turn_is_run() {
        let (pool, ran) = (with_what_there_is(0), Arc::new(AtomicU64::new(0)));
        let count = || ran.load(Ordering::Relaxed);
        pool.inject(job(&ran));
        let turn = pool.crew.try_turn().expect("it is free");
        run_queued(&pool);
        assert_eq!(count(), 0);
        drop(turn);
        run_queued(&pool);
        assert_eq!(count(), 1);
        // The end of a visit looks itself, when it has given up its turn.
        let visit = Visit::begin(&pool).expect("it is free");
        run_queued(&pool);
        pool.inject(job(&ran));
        run_queued(&pool);
        assert_eq!(count(), 1);
        drop(visit);
        assert_eq!(count(), 2);
        assert!(pool.crew.try_turn().is_some());
    }

    /// However a job is queued, it runs before the next call, and so does what it spawns.
    #[test]
    fn what_was_queued_runs_before_a_call() {
        let (pool, ran) = (with_what_there_is(0), Arc::new(AtomicU64::new(0)));
        pool.inject(job(&ran));
        pool.brought.push(&[job(&ran)]);
        assert!(pool.seats[0].mail.push(job(&ran)));
        let count = Arc::clone(&ran);
        let spawns = move || Worker::current().unwrap().spawn(job(&count));
        // SAFETY: it borrows nothing.
        pool.inject(unsafe { HeapJob::boxed(pool.new_root(), spawns) });
        let visit = Visit::begin(&pool).expect("it is free");
        assert_eq!(ran.load(Ordering::Relaxed), 4);
        drop(visit);
        assert_eq!((ran.load(Ordering::Relaxed), pool.rights.free()), (4, 1));
    }

    /// What jobs that queue others go by.
    struct Endless {
        pool: Arc<Pool>,
        ran: AtomicU64,
        is_over: AtomicBool,
    }

    type Queue = fn(&Endless, JobRef);

    /// A job of `root` that counts as so many, and queues another one, of a root that no other has, until there has to be an end. That counts as one.
    fn endless(all: &Arc<Endless>, root: Root, counts_as: u64, queue: Queue) -> JobRef {
        let inner = Arc::clone(all);
        let body = move || {
            inner.ran.fetch_add(counts_as, Ordering::Relaxed);
            if !inner.is_over.load(Ordering::Relaxed) {
                queue(&inner, endless(&inner, inner.pool.new_root(), 1, queue));
            }
        };
        // SAFETY: it borrows nothing.
        unsafe { HeapJob::boxed(root, body) }
    }

    /// What is queued meanwhile waits, though it comes first in its queue.
    #[test]
    fn no_more_runs_before_a_call_than_was_queued() {
        let queues: [Queue; 3] = [
            |all, job| all.pool.injector.push(job),
            |all, job| all.pool.brought.push(&[job]),
            |all, job| assert!(all.pool.seats[0].mail.push(job)),
        ];
        for queue in queues {
            let all = Arc::new(Endless {
                pool: with_what_there_is(0),
                ran: AtomicU64::new(0),
                is_over: AtomicBool::new(false),
            });
            let pool = &all.pool;
            let [first, second] = [(); 2].map(|()| pool.new_root());
            for root in [second, second, second, first] {
                queue(&all, endless(&all, root, 100, queue));
            }
            let visit = Visit::begin(pool).expect("it is free");
            assert_eq!(all.ran.load(Ordering::Relaxed), 400);
            all.is_over.store(true, Ordering::Relaxed);
            drop(visit);
            assert_eq!(all.ran.load(Ordering::Relaxed), 404);
        }
    }

    /// The thread that waits for the turn need not do it. It may be the other one that queues so much.
    #[test]
    fn what_is_queued_runs_before_the_turn_is_given_away() {
        let pool = with_what_there_is(0);
        let here = thread::current().id();
        let ran_here = Arc::new(AtomicU64::new(0));
        let (go, goes) = mpsc::channel();
        let inner = Arc::clone(&pool);
        let until_the_turn_is_awaited = move || {
            go.send(()).unwrap();
            while !inner.crew.turns().is_awaited() {
                thread::yield_now();
            }
        };
        // SAFETY: it borrows nothing.
        pool.inject(unsafe { HeapJob::boxed(Root::NONE, until_the_turn_is_awaited) });
        for _ in 0..3 {
            let ran = Arc::clone(&ran_here);
            let count = move || {
                let is_here = thread::current().id() == here;
                ran.fetch_add(u64::from(is_here), Ordering::Relaxed);
            };
            // SAFETY: it borrows nothing.
            pool.inject(unsafe { HeapJob::boxed(Root::NONE, count) });
        }
        thread::scope(|threads| {
            let pool = &pool;
            let visit = move || {
                goes.recv().unwrap();
                drop(Visit::begin(pool));
            };
            threads.spawn(visit);
            run_queued(pool);
        });
        assert_eq!(ran_here.load(Ordering::Relaxed), 3);
    }

    /// A thread of another pool brings work where nobody's turn is.
    #[test]
    fn a_thread_of_another_pool_does_its_work_where_no_thread_is() {
        let (alone, other) = (with_what_there_is(0), with_what_there_is(1));
        let inside = || install(&alone, |worker, _| ptr::eq(worker.pool(), &*alone));
        assert!(install(&other, |_, _| inside()));
        other.release();
    }
}
