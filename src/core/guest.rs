//! Guests: threads from outside that take part in the pool they call.
//!
//! A caller that blocked while a worker did its work would pay two context switches even for a sum of ten numbers. So it takes a free right, and
//! starts at once on its own stack. Inside the call it is like a thread of the pool: it has an index, and no more threads run than the pool has
//! rights. Only one thing differs: while it waits it runs nothing but descendants of its own call, because its thread may hold locks that unrelated
//! jobs want.

use super::current_pool::{entered_root, lasting_root, pool_from_outside};
use super::global::living;
use super::job::{Borrowed, HeapJob};
use super::latch::{Latch, LockLatch};
use super::pool::Pool;
use super::root::Root;
use super::seat::Seat;
use super::thunk::Thunk;
use super::unwind::{Payload, catch, resume};
use super::visit::{Visit, run_queued, turn_behind_the_queue};
use super::worker::Worker;
use crate::sync::{MutexGuard, Ordering, fence, planted};
use std::cell::Cell;
use std::mem;

impl<'a> Visit<'a> {
    /// Takes part in `pool`, if it lets a guest in now. In a pool without threads: waits for its only right, and runs what was queued before.
    pub(crate) fn begin(pool: &'a Pool) -> Option<Visit<'a>> {
        Some(Self::begin_at(FreeSeat::take(pool)?))
    }

    /// The same, but in a pool without threads it does not wait for another caller's turn. What this thread has queued before is run by the other caller, then: with this fence,
    /// either this thread finds the turn free, or the other caller finds the jobs when it has given its turn up.
    pub(super) fn try_begin(pool: &'a Pool) -> Option<Visit<'a>> {
        let free = match pool.crew.is_callers() {
            true => {
                fence(Ordering::SeqCst);
                FreeSeat::take_in_turn(pool, Some(pool.crew.try_turn()?))
            }
            false => FreeSeat::take(pool),
        };
        Some(Self::begin_at(free?))
    }

    fn begin_at(free: FreeSeat<'a>) -> Visit<'a> {
        let (visit, changes) = free.sit_down();
        visit.settle_in(changes, entered_root());
        visit
    }

    /// The rest of what a guest does when it sits down. `changes`: until now its seat showed another desk. `entered` is the root that the thread has
    /// [entered](super::current_pool) outside, if it has; then the guest's work descends from it.
    #[inline(always)]
    fn settle_in(&self, changes: bool, entered: Option<Root>) {
        // If the seat showed this guest desk before, no thread can have taken the guest's right for a worker's, and `is_stuck` gave the right answer.
        if changes && !planted!("come") {
            self.worker.pool().fence_and_call_callers();
        }
        if let Some(root) = entered {
            self.worker.own().root.set(root);
        }
    }
}

/// A right that the calling thread has just taken, with its seat. In a pool without threads there is also the turn: the lock that lets one guest in at a time.
struct FreeSeat<'a> {
    pool: &'a Pool,
    seat: &'a Seat,
    number: usize,
    turn: Option<MutexGuard<'a, ()>>,
}

impl<'a> FreeSeat<'a> {
    #[inline(always)]
    fn take(pool: &'a Pool) -> Option<FreeSeat<'a>> {
        match pool.crew.is_callers() {
            true => Self::take_behind_the_queue(pool),
            false => Self::take_in_turn(pool, None),
        }
    }

    #[cold]
    fn take_behind_the_queue(pool: &'a Pool) -> Option<FreeSeat<'a>> {
        let turn = turn_behind_the_queue(pool);
        match pool.is_orphan() {
            // A job forked, and this is the child.
            true => Self::take(living(pool)),
            false => Self::take_in_turn(pool, turn),
        }
    }

    #[inline(always)]
    fn take_in_turn(pool: &'a Pool, turn: Option<MutexGuard<'a, ()>>) -> Option<FreeSeat<'a>> {
        let alone = turn.is_some();
        if !alone && !pool.lets_in() {
            return None;
        }
        let number = pool.rights.take_last()?;
        let seat = &pool.seats[number];
        if !seat.mail.is_empty() && !alone {
            // The mail is for the worker of this number.
            pool.put_down(number);
            return None;
        }
        Some(FreeSeat {
            pool,
            seat,
            number,
            turn,
        })
    }

    #[inline(always)]
    fn sit_down(self) -> (Visit<'a>, bool) {
        Visit::sit_down(self.pool, (self.seat, self.number), self.turn)
    }
}

/// Runs `op` in a pool: at once if this thread is in one, else as a guest of the global pool, else on one of its threads. The flag says
/// that the call came from outside.
#[inline(always)]
pub(crate) fn in_pool<R: Send>(op: impl FnOnce(Worker<'_>, bool) -> R + Send) -> R {
    match Worker::current() {
        Some(worker) => op(worker, false),
        None => from_outside(op),
    }
}

/// What [`in_pool`] does for a thread at no desk.
#[inline(never)]
pub(crate) fn from_outside<R: Send>(op: impl FnOnce(Worker<'_>, bool) -> R + Send) -> R {
    bring_in(op)
}

/// Inlined, so that the closure is built in the caller's frame and not moved.
#[inline(always)]
pub(crate) fn bring_in<R: Send>(op: impl FnOnce(Worker<'_>, bool) -> R + Send) -> R {
    once(op, visit_here)
}

/// Runs `op` on one of the pool's own threads: at once if this is one, else it is injected and this thread waits, helping its own pool
/// meanwhile if it belongs to another.
pub(crate) fn install<R: Send>(pool: &Pool, op: impl FnOnce(Worker<'_>, bool) -> R + Send) -> R {
    match Worker::current() {
        Some(worker) if std::ptr::eq(worker.pool(), pool) => op(worker, false),
        _ => once(op, |op| install_from_outside(pool, op)),
    }
}

/// An operation that runs once, somewhere, with its type erased. So all that follows is compiled once, and not for each closure.
trait RunOnce: Send {
    fn run(&mut self, worker: Worker<'_>);
}

type Op<'a> = &'a mut dyn RunOnce;

impl<R: Send, F: FnOnce(Worker<'_>, bool) -> R + Send> RunOnce for Thunk<F, R> {
    #[inline]
    fn run(&mut self, worker: Worker<'_>) {
        if let Some(op) = self.op.take() {
            self.result = Some(op(worker, true));
        }
    }
}

/// Calls `run`, which calls `op` at some desk, and returns what `op` returned.
#[inline]
fn once<R: Send>(op: impl FnOnce(Worker<'_>, bool) -> R + Send, run: impl FnOnce(Op<'_>)) -> R {
    let mut op = Thunk::new(op);
    run(&mut op);
    op.end()
}

/// Runs `op` in the current pool, for a thread outside: on this thread if it is let in.
#[inline(never)]
fn visit_here(op: Op<'_>) {
    let (pool, entered) = pool_from_outside();
    let Some(free) = FreeSeat::take(pool) else {
        return hand_off(pool, op);
    };
    let (mut visit, changes) = free.sit_down();
    visit.settle_in(changes, entered);
    if visit.has_turn() {
        return run_alone(visit, op);
    }
    op.run(visit.worker);
    visit.end();
    // The visit has ended, so its `drop` would only cost a call.
    mem::forget(visit);
}

#[inline(never)]
fn install_from_outside(pool: &Pool, op: Op<'_>) {
    let pool = living(pool);
    match Worker::current() {
        // This process's pool stands in for one of its parent's.
        Some(worker) if std::ptr::eq(worker.pool(), pool) => op.run(worker),
        Some(worker) => cross(worker, pool, op),
        None => match pool.crew.is_callers().then(|| Visit::begin(pool)).flatten() {
            Some(visit) => run_alone(visit, op),
            None => hand_off(pool, op),
        },
    }
}

/// Runs `op` in a pool without threads. What it spawned is run at the end of the visit, after a panic of `op` was caught. In a thread that is panicking, a job would
/// poison no lock, and code that asks whether its thread panics would take another way.
#[cold]
fn run_alone(visit: Visit<'_>, op: Op<'_>) {
    let result = catch(|| op.run(visit.worker));
    drop(visit);
    if let Err(payload) = result {
        resume(payload);
    }
}

/// Has a thread of `pool` run `op`, for a thread outside, which blocks.
#[cold]
fn hand_off(pool: &Pool, op: Op<'_>) {
    let latch = LockLatch::new();
    let result = Cell::new(None);
    let to_latch = Borrowed::new(&latch);
    // SAFETY: the caller's frame waits for the latch, and this is the job's last use of the frame.
    let tell = move || unsafe { LockLatch::set(to_latch.get()) };
    // SAFETY: this frame waits for the latch, and then looks at the result.
    unsafe { inject_op(pool, op, &result, tell) };
    latch.wait();
    end(&result);
}

/// Has a thread of `pool` run `op`, for a thread of another pool, which helps its own pool meanwhile.
#[cold]
fn cross(worker: Worker<'_>, pool: &Pool, op: Op<'_>) {
    let latch = Latch::new();
    let result = Cell::new(None);
    let to_latch = Borrowed::new(&latch);
    // The job runs on a thread of the other pool. When it has set the latch, this thread may return and its whole pool may go; so
    // the job keeps the pool whose thread it may have to wake.
    let waiting_pool = worker.pool().to_arc();
    let desk = Borrowed::new(worker.desk());
    let tell = move || {
        // SAFETY: the last use of the frame, which waits for it.
        if unsafe { Latch::set(to_latch.get()) } {
            // SAFETY: the desk is the pool's, which the job keeps.
            waiting_pool.end_wait(unsafe { &*desk.get() });
        }
    };
    // SAFETY: this frame waits for the latch, and then looks at the result.
    unsafe { inject_op(pool, op, &result, tell) };
    run_queued(pool);
    worker.wait_for_pool(&latch, pool, None);
    end(&result);
}

/// Brings `op` into `pool`. The thread that runs it leaves what became of it in `result`, and then calls `tell`.
///
/// # Safety
/// Until `tell` is called, `result` and what `op` and `tell` borrow stay, and the caller does not look at `result`. `tell` may be called on any thread.
unsafe fn inject_op(
    pool: &Pool,
    op: Op<'_>,
    result: &Cell<Option<Outcome>>,
    tell: impl FnOnce() + Send,
) {
    let to_result = Borrowed::new(result);
    let token = pool.handlers.follow.leave();
    let body = move || {
        let outcome = run_here(op, token);
        // SAFETY: by the caller; no other job has it.
        unsafe { (*to_result.get()).set(Some(outcome)) };
        tell();
    };
    // SAFETY: by the caller.
    let job = unsafe { HeapJob::boxed(lasting_root().unwrap_or(Root::NONE), body) };
    pool.inject(job);
}

/// What became of an operation: whether it panicked.
type Outcome = Result<(), Payload>;

/// Runs `op`, a job of this thread's pool, which left with `token`.
fn run_here(op: Op<'_>, token: u64) -> Outcome {
    let worker = Worker::current().expect("jobs run at desks");
    catch(|| {
        let _arrived = worker.follower().arrive(token);
        op.run(worker);
    })
}

/// The job has run; goes on with its panic, if there was one.
fn end(result: &Cell<Option<Outcome>>) {
    let outcome = result.take().expect("the latch is set after the result");
    outcome.unwrap_or_else(|payload| resume(payload))
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::current_pool::enter;
    use crate::core::pool::Handlers;

    /// Whether a guest is let in, and then its index and root.
    fn visit(pool: &Pool) -> Option<(usize, Root)> {
        let visit = Visit::begin(pool)?;
        Some((visit.worker.index(), visit.worker.own().root.get()))
    }

    fn job() -> crate::core::job::JobRef {
        // SAFETY: it borrows nothing.
        unsafe { HeapJob::boxed(Root::NONE, || ()) }
    }

    /// A guest takes a right only if it does not keep it from what has to come first, and else leaves it where it was.
    #[test]
    fn a_guest_takes_no_right_that_others_need() {
        // Its threads are never started, so it has the rights that this test gives it.
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        assert_eq!(visit(&pool), None);
        pool.rights.put(1);
        let (index, root) = visit(&pool).expect("a right is free");
        assert!(index == 1 && root != Root::NONE && pool.rights.is_free(1));
        let entered = pool.new_root();
        assert_eq!(enter(&pool, entered, || visit(&pool)), Some((1, entered)));

        let root_inside = || in_pool(|worker, _| worker.own().root.get());
        assert_eq!(enter(&pool, entered, root_inside), entered);

        assert!(pool.seats[1].mail.push(job()));
        assert!(visit(&pool).is_none() && pool.rights.is_free(1));
        let mail = pool.seats[1].mail.take().expect("it was left");
        pool.injector.push(job());
        assert!(visit(&pool).is_none() && pool.rights.is_free(1));
        let injected = pool.take_injected(None, true).expect("it was left");
        assert!(visit(&pool).is_some() && pool.rights.is_free(1));
        assert!(visit(&pool).is_some_and(|(_, root)| root != entered));
        pool.stop_guests();
        assert!(visit(&pool).is_none() && pool.rights.is_free(1));

        // Where there is no other thread, the guest does all that.
        let alone = Pool::new(0, 0, Handlers::default(), true, false);
        alone.injector.push(injected);
        assert!(alone.seats[0].mail.push(mail));
        alone.stop_guests();
        assert!(visit(&alone).is_some() && alone.rights.is_free(0));
        assert!(!alone.has_injected() && alone.seats[0].mail.is_empty());
    }

    /// The call goes on in the child, and in its parent.
    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_job_that_runs_before_a_call_forks() {
        use crate::core::global::global;
        use crate::core::global_pointer::assert_well_in_child;
        use std::sync::atomic::{AtomicI32, Ordering};
        static FORKED: AtomicI32 = AtomicI32::new(-1);
        // SAFETY: it has no preconditions. The child ends with `_exit`.
        let fork = || FORKED.store(unsafe { libc::fork() }, Ordering::Relaxed);
        assert_well_in_child(|| {
            let before = global();
            // SAFETY: it borrows nothing.
            before.inject(unsafe { HeapJob::boxed(Root::NONE, fork) });
            let is_before = in_pool(|worker, _| std::ptr::eq(worker.pool(), before));
            let forked = FORKED.load(Ordering::Relaxed);
            if forked == 0 {
                // SAFETY: it has no preconditions.
                unsafe { libc::_exit(i32::from(is_before)) };
            }
            let mut status = -1;
            // SAFETY: `status` is ours.
            let ended = unsafe { libc::waitpid(forked, &mut status, 0) };
            is_before && (ended, status) == (forked, 0)
        });
    }
}
