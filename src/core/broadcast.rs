//! Broadcasts: the same closure once on every thread of a pool.

use super::count::CountLatch;
use super::current_pool::{current_pool, lasting_root};
use super::global::living;
use super::job::{self, Borrowed, JobRef};
use super::pool::Pool;
use super::root::Root;
use super::unwind::{Payload, catch, drop_quietly, resume};
use super::visit::{Visit, run_queued};
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{Mutex, lock};
use std::fmt;
use std::marker::PhantomData;
use std::ptr;

/// Where a share of a broadcast runs.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// let seen = pool.broadcast(|context| (context.index(), context.num_threads()));
/// assert_eq!(seen, [(0, 2), (1, 2)]);
/// ```
pub struct BroadcastContext<'a> {
    worker: Worker<'a>,
    index: usize,
    /// Bound to the closure it was made for.
    marker: PhantomData<&'a mut dyn Fn()>,
}

impl<'a> BroadcastContext<'a> {
    /// Calls `f` with the context of the calling thread, which is at a desk.
    pub(crate) fn with<R>(f: impl FnOnce(BroadcastContext<'_>) -> R) -> R {
        let worker = Worker::current().expect("jobs run at desks");
        f(BroadcastContext {
            worker,
            // The thread that makes a broadcast in a pool without threads may run beside the holders of rights in its own.
            index: worker.user_index().unwrap_or(0),
            marker: PhantomData,
        })
    }

    /// The index of this thread in its pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.broadcast(|context| context.index()), [0, 1]);
    /// ```
    #[inline]
    pub fn index(&self) -> usize {
        self.index
    }

    /// How many threads the broadcast runs on: all of the pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.broadcast(|context| context.num_threads()), [2, 2]);
    /// ```
    #[inline]
    pub fn num_threads(&self) -> usize {
        self.worker.pool().num_threads()
    }
}

impl fmt::Debug for BroadcastContext<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BroadcastContext")
            .field("index", &self.index())
            .field("num_threads", &self.num_threads())
            .finish_non_exhaustive()
    }
}

/// Runs `op` once on every thread of the current pool (from outside: the global one) and returns the results in the order of the threads.
///
/// A thread runs its share when it has nothing else to do, or waits. Use it to set up or read the state of each thread. For that, work has
/// to run on the threads of the pool. So after the first broadcast on the global pool, callers from outside no longer [take
/// part](crate::ThreadPoolBuilder::guests) on their own threads. But a caller that takes part already does one of the shares, in place of a thread of
/// the pool: so make the first broadcast outside of all calls, or switch guests off when the pool is built.
///
/// Allocates a few times, however many threads there are, once each has been in a broadcast, and wakes each that sleeps: it takes until each thread has ended the job that it runs, or waits; a thread that has many jobs runs some of them first. In a child after `fork`, it runs
/// `op` once, on its caller, and returns one result.
///
/// ```
/// let squares = filch::broadcast(|context| context.index() * context.index());
/// assert_eq!(squares.len(), filch::current_num_threads());
/// assert!(squares.iter().enumerate().all(|(i, &square)| square == i * i));
/// ```
///
/// # Panics
///
/// If `op` panics on some thread: with one of these panics, after all shares have ended. Also if a thread of the pool has ended or could not be
/// started, which may happen inside a start or exit handler.
pub fn broadcast<OP, R>(op: OP) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    broadcast_in(current_pool(), op)
}

/// Starts `op` on every thread of the current pool (from outside: the global one), without waiting. In a child after `fork`: once, on the caller.
///
/// Allocates a few times, however many threads there are, once each has been in a broadcast, and wakes each that sleeps.
///
/// ```
/// let (sender, receiver) = std::sync::mpsc::channel();
/// filch::spawn_broadcast(move |context| sender.send(context.index()).unwrap());
/// assert_eq!(receiver.iter().count(), filch::current_num_threads());
/// ```
///
/// A panic of `op` goes to the pool's [panic handler](crate::ThreadPoolBuilder::panic_handler), or ends the process if there is none.
pub fn spawn_broadcast<OP>(op: OP)
where
    OP: Fn(BroadcastContext<'_>) + Send + Sync + 'static,
{
    spawn_broadcast_in(current_pool(), op);
}

pub(crate) fn broadcast_in<OP, R>(pool: &Pool, op: OP) -> Vec<R>
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    let (values, panic) = share_out(living(pool), &op);
    // While no panic is on its way: one that leaves a destructor during a panic ends the process.
    let first = match (panic, catch(|| drop(op))) {
        (None, Ok(())) => return values,
        (None, Err(only)) => only,
        (Some(first), second) => {
            drop_quietly(second);
            first
        }
    };
    // One by one: of two that lie together, the second one that panics would end the process.
    values.into_iter().for_each(drop_quietly);
    resume(first);
}

/// Runs `op` once on every thread of `pool`. Gives the results of the shares that have not panicked, and the first panic of the others.
fn share_out<OP, R>(pool: &Pool, op: &OP) -> (Vec<R>, Option<Payload>)
where
    OP: Fn(BroadcastContext<'_>) -> R + Sync,
    R: Send,
{
    if pool.crew.is_callers() {
        let _visit = Worker::current().is_none().then(|| Visit::begin(pool));
        return match catch(|| BroadcastContext::with(op)) {
            Ok(value) => (vec![value], None),
            Err(payload) => (Vec::new(), Some(payload)),
        };
    }
    let worker = Worker::current();
    let threads = pool.num_threads();
    let call = Broadcast {
        op,
        results: (0..threads).map(|_| Mutex::new(None)).collect::<Vec<_>>(),
        latch: CountLatch::new(threads, worker, pool),
    };
    let shared = Borrowed::new(&call);
    // A root of its own: with `Root::NONE`, a guest that waits inside its share would run any work from outside.
    let root = lasting_root().unwrap_or_else(|| pool.new_root());
    let here = Borrowed::new(pool);
    let share = |number| {
        let token = pool.handlers.follow.leave();
        move || {
            // SAFETY: the call waits for every share. All threads may use it: `OP` is Sync, and `R` is Send, behind locks.
            let call = unsafe { &*shared.get() };
            // SAFETY: the caller keeps the pool until the call has returned.
            let pool = unsafe { &*here.get() };
            let result = match is_at(pool, number) {
                true => catch(|| {
                    let _arrived = pool.handlers.follow.arrive(token);
                    BroadcastContext::with(call.op)
                }),
                false => {
                    pool.handlers.follow.back(token);
                    Err(Box::new(GONE) as Payload)
                }
            };
            *lock(&call.results[number]) = Some(result);
            // SAFETY: this share is counted, and this is its last use of the call.
            unsafe { CountLatch::done(&raw const (*shared.get()).latch) };
        }
    };
    // SAFETY: the call waits for every share.
    unsafe { mail_to_all(pool, root, share) };
    call.latch.wait(worker, pool, Root::NONE);
    let mut values = Vec::with_capacity(threads);
    let mut panic: Option<Payload> = None;
    for result in call.results {
        let result = result
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        match result.expect("every share left a result") {
            Ok(value) => values.push(value),
            Err(payload) if panic.is_none() => panic = Some(payload),
            Err(payload) => drop_quietly(payload),
        }
    }
    (values, panic)
}

/// Why a share of a broadcast has no result.
const GONE: &str = "filch: a broadcast was for a thread that has ended, or was never started";

/// Whether this thread works in `pool` under `number`.
pub(crate) fn is_at(pool: &Pool, number: usize) -> bool {
    Worker::current().is_some_and(|worker| ptr::eq(worker.pool(), pool) && worker.index() == number)
}

/// What the shares of a broadcast have in common.
struct Broadcast<'a, OP, R> {
    op: &'a OP,
    results: Vec<Mutex<Option<Result<R, Payload>>>>,
    latch: CountLatch,
}

pub(crate) fn spawn_broadcast_in(
    pool: &Pool,
    op: impl Fn(BroadcastContext<'_>) + Send + Sync + 'static,
) {
    let pool = living(pool);
    let op = Arc::new(op);
    let root = pool.new_root();
    let share = |number| {
        pool.keep_alive();
        let (op, pool) = (Arc::clone(&op), pool.to_arc());
        let token = pool.handlers.follow.leave();
        move || {
            let share = || {
                if is_at(&pool, number) {
                    BroadcastContext::with(&*op);
                }
            };
            // The last one to let it go drops the user's closure, which may panic too.
            let outcomes = {
                let _arrived = pool.handlers.follow.arrive(token);
                [catch(share), catch(|| drop(op))]
            };
            let panics = outcomes.into_iter().filter_map(Result::err);
            panics.for_each(|payload| pool.handle_panic(payload));
            pool.release();
        }
    };
    // SAFETY: it borrows nothing.
    unsafe { mail_to_all(pool, root, share) };
    pool.catch_detached(|| drop(op));
}

/// Sends every number of `pool` a job of `root`, and wakes the threads that sleep.
///
/// A job for a number under which no thread will work any more is run here, or wherever that becomes clear; it can [tell](is_at).
///
/// # Safety
/// The jobs are run before anything that they borrow goes away.
pub(crate) unsafe fn mail_to_all<F>(pool: &Pool, root: Root, job: impl FnMut(usize) -> F)
where
    F: FnOnce() + Send,
{
    pool.stop_guests();
    // SAFETY: by the caller.
    let jobs = unsafe { job::batch(root, (0..pool.num_threads()).map(job)) };
    let send = |(number, &job): (usize, &JobRef)| pool.seats[number].mail.push(job);
    // With the lists locked: where a worker that works under another number sees the mail for that, the mail for its own is there, too.
    let locked = pool.sleepers.lock();
    let sent: Vec<_> = jobs.iter().enumerate().map(send).collect();
    drop(locked);
    for (number, (job, is_sent)) in jobs.into_iter().zip(sent).enumerate() {
        if is_sent {
            pool.call_for_mail(number);
        } else {
            // SAFETY: no other thread has it.
            unsafe { pool.run(job, number) };
        }
    }
    if Worker::current().is_none() {
        run_queued(pool);
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::follow::{Follow, Follower};
    use crate::core::pool::Handlers;
    use crate::core::scope::{scope, scope_fifo};

    /// How many tokens of the hook are under way.
    struct Balance(Arc<Mutex<isize>>);

    impl Follow for Balance {
        fn leave(&self) -> u64 {
            *lock(&self.0) += 1;
            0
        }
        fn arrive(&self, _: u64) {}
        fn done(&self, _: u64) {
            *lock(&self.0) -= 1;
        }
    }

    /// The share of a thread that has ended is run where that becomes clear, and must not call the closure there: it would see another index twice.
    #[test]
    fn shares_are_done_by_their_own_threads_only() {
        let balance = Arc::new(Mutex::new(0));
        let handlers = Handlers {
            follow: Follower::new(Balance(Arc::clone(&balance))),
            ..Handlers::default()
        };
        let pool = Pool::new(2, 0, handlers, true, false);
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        assert!(is_at(&pool, 0) && !is_at(&pool, 1));
        assert!(!is_at(
            &Pool::new(1, 0, Handlers::default(), true, false),
            0
        ));
        pool.vacate(1);
        let seen = Arc::new(Mutex::new(Vec::new()));
        let see = {
            let seen = Arc::clone(&seen);
            move |context: BroadcastContext<'_>| lock(&seen).push(context.index())
        };
        assert!(pool.lets_in());
        spawn_broadcast_in(&pool, see.clone());
        // From now on callers from outside hand their work over.
        assert!(!pool.lets_in());
        let own = pool.seats[0].mail.take().expect("its own share");
        // SAFETY: just taken out of a queue of this pool.
        unsafe { pool.run(own, 0) };
        assert_eq!(*lock(&seen), [0]);
        scope(|s| s.spawn_broadcast(|_, context| see(context)));
        assert_eq!(*lock(&seen), [0, 0]);
        scope_fifo(|s| s.spawn_broadcast(|_, context| see(context)));
        assert_eq!(*lock(&seen), [0, 0, 0]);
        let gone = catch(|| broadcast(see)).expect_err("one share has no thread");
        assert_eq!(gone.downcast_ref(), Some(&GONE));
        assert_eq!(*lock(&seen), [0, 0, 0, 0]);
        assert!(!pool.is_stopped() && *lock(&balance) == 0);
        drop(sitting);
    }

    /// Panics with `T` when it is dropped.
    struct Bomb<T: Default + Send + 'static>(PhantomData<T>);

    impl<T: Default + Send + 'static> Default for Bomb<T> {
        fn default() -> Self {
            Bomb(PhantomData)
        }
    }

    impl<T: Default + Send + 'static> Drop for Bomb<T> {
        fn drop(&mut self) {
            resume(Box::new(T::default()));
        }
    }

    /// The closure panics, and when it is dropped once more, with what panics when it is dropped.
    #[test]
    fn the_first_panic_of_a_broadcast_is_the_one_that_comes_out() {
        let pool = Pool::new(1, 0, Handlers::default(), true, false);
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let bomb = Bomb::<Bomb<u8>>::default();
        let op = move |_: BroadcastContext<'_>| {
            let _ = &bomb;
            resume(Box::new(7))
        };
        let payload = catch(|| broadcast::<_, ()>(op)).expect_err("the closure panics");
        assert_eq!(payload.downcast_ref(), Some(&7));
        drop(sitting);
    }

    /// Nobody waits for it, so the caller does not get its panics either.
    #[test]
    fn a_detached_closure_that_panics_when_it_is_dropped_is_left_to_the_handler() {
        let panics = Arc::new(Mutex::new(0));
        let count = Arc::clone(&panics);
        let handlers = Handlers {
            panic: Some(Box::new(move |_| *lock(&count) += 1)),
            ..Handlers::default()
        };
        let pool = Pool::new(1, 0, handlers, true, false);
        // Its share is run here, so this thread is the last to have the closure.
        pool.vacate(0);
        let bomb = Bomb::<u8>::default();
        spawn_broadcast_in(&pool, move |_| _ = &bomb);
        assert_eq!(*lock(&panics), 1);
    }

    /// Where there are no threads, a broadcast is done by the caller: at once, or, if nobody waits for it, before the caller leaves.
    #[test]
    fn broadcasts_are_done_in_a_pool_without_threads() {
        let pool = Pool::new(0, 0, Handlers::default(), true, false);
        let runs = Arc::new(Mutex::new(0));
        let run = || {
            let runs = Arc::clone(&runs);
            spawn_broadcast_in(&pool, move |_| *lock(&runs) += 1);
        };
        run();
        assert_eq!(*lock(&runs), 1);
        let index = || broadcast_in(&pool, |context| context.index());
        assert_eq!(index(), [0]);
        let visit = Visit::begin(&pool).expect("callers are let in");
        assert_eq!(index(), [0]);
        run();
        assert_eq!(*lock(&runs), 1);
        drop(visit);
        assert_eq!(*lock(&runs), 2);
    }
}
