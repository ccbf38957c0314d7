//! Scopes: any number of jobs that may borrow from the caller, all done when the scope returns.

use super::broadcast::{BroadcastContext, is_at, mail_to_all};
use super::count::CountLatch;
use super::current_pool::{current_pool, lasting_root};
use super::fifo::Fifos;
use super::follow::Follower;
use super::global::living;
use super::guest::in_pool;
use super::job::{Borrowed, HeapJob, JobRef};
use super::meter;
use super::pool::Pool;
use super::root::Root;
use super::unwind::{Payload, catch, drop_quietly, resume};
use super::visit::Visit;
use super::worker::Worker;
use crate::sync::Arc;
use crate::sync::{AtomicPtr, Ordering};
use std::fmt;
use std::marker::PhantomData;
use std::ptr;

/// Where jobs are spawned that may borrow what lives longer than the scope; see [`scope`].
///
/// ```
/// let mut sums = [0; 2];
/// let (left, right) = sums.split_at_mut(1);
/// filch::scope(|s| {
///     s.spawn(|_| left[0] = (0..10).sum());
///     s.spawn(|s| s.spawn(|_| right[0] = (10..20).sum())); // a job may spawn more
/// });
/// assert_eq!(sums, [45, 145]);
/// ```
#[doc(alias("task_group", "TaskGroup", "nursery"))]
pub struct Scope<'scope> {
    base: Base<'scope>,
}

/// A [`Scope`] whose jobs a thread runs first in, first out; see [`scope_fifo`].
///
/// ```
/// use std::sync::Mutex;
///
/// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// let order = Mutex::new(Vec::new());
/// pool.scope_fifo(|s| {
///     for i in 0..3 {
///         let order = &order;
///         s.spawn_fifo(move |_| order.lock().unwrap().push(i));
///     }
/// });
/// assert_eq!(order.into_inner().unwrap(), [0, 1, 2]);
/// ```
pub struct ScopeFifo<'scope> {
    base: Base<'scope>,
    fifos: Fifos,
}

/// What both kinds share.
struct Base<'scope> {
    pool: Arc<Pool>,
    root: Root,
    /// The first panic of a job, boxed once more to be thin.
    panic: AtomicPtr<Payload>,
    latch: CountLatch,
    /// Jobs may borrow what `'scope` allows, and hand it on to jobs of their own: invariant.
    #[allow(clippy::type_complexity)]
    marker: PhantomData<Box<dyn FnOnce(&Scope<'scope>) + Send + Sync + 'scope>>,
}

/// Opens a scope, runs `op` in it, and returns when every job that was spawned into it is done.
///
/// Jobs may borrow anything that lives longer than the scope, and spawn further jobs. Each costs one allocation. A thread runs its newest
/// job first, while other threads steal its oldest. While a thread of the pool waits for the jobs, it runs other work of the pool. So hold
/// no lock across a scope, or use [`isolate`](crate::isolate).
///
/// A thread from outside any pool takes part in the global pool. [Work](crate::iter#work-and-span): that of the jobs. Span: the longest chain
/// of jobs of which each spawned the next.
///
/// ```
/// use std::sync::atomic::{AtomicU32, Ordering};
/// let sum = AtomicU32::new(0);
/// filch::scope(|s| {
///     for i in 1..=4 {
///         let sum = &sum;
///         s.spawn(move |_| { sum.fetch_add(i, Ordering::Relaxed); });
///     }
/// });
/// assert_eq!(sum.into_inner(), 10);
/// ```
///
/// # Panics
///
/// If `op` or a job panics: with one of these panics, after all other jobs have run.
#[doc(alias("task_group", "finish"))]
pub fn scope<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&Scope<'scope>) -> R + Send,
    R: Send,
{
    in_pool(|worker, _| {
        let scope = Scope {
            base: Base::new(worker.pool().to_arc(), Some(worker)),
        };
        scope.base.complete(Some(worker), || op(&scope))
    })
}

/// [`scope`], whose jobs a thread runs in the order in which it spawned them.
///
/// ```
/// use std::sync::Mutex;
/// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// let order = Mutex::new(vec![]);
/// pool.scope_fifo(|s| {
///     for i in 0..3 {
///         let order = &order;
///         s.spawn_fifo(move |_| order.lock().unwrap().push(i));
///     }
/// });
/// assert_eq!(order.into_inner().unwrap(), [0, 1, 2]);
/// ```
///
/// # Panics
///
/// As [`scope`].
pub fn scope_fifo<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&ScopeFifo<'scope>) -> R + Send,
    R: Send,
{
    in_pool(|worker, _| {
        let scope = ScopeFifo::new(worker.pool().to_arc(), Some(worker));
        scope.base.complete(Some(worker), || op(&scope))
    })
}

/// [`scope`] whose `op` always runs on the calling thread, so that it need not be `Send`.
///
/// On a thread from outside, `op` runs outside the pool (so [`current_thread_index`](crate::current_thread_index) is `None`), and the jobs that it
/// spawns go to the global pool.
///
/// ```
/// let local = std::rc::Rc::new(1); // not Send
/// let mut two = 0;
/// filch::in_place_scope(|s| {
///     s.spawn(|_| two = 2);
///     assert_eq!(*local, 1);
/// });
/// assert_eq!(two, 2);
/// ```
///
/// # Panics
///
/// As [`scope`].
pub fn in_place_scope<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&Scope<'scope>) -> R,
{
    in_place_scope_in(current_pool(), op)
}

/// [`in_place_scope`], whose jobs a thread runs in the order in which it spawned them.
///
/// ```
/// let mut done = false;
/// filch::in_place_scope_fifo(|s| s.spawn_fifo(|_| done = true));
/// assert!(done);
/// ```
///
/// # Panics
///
/// As [`scope`].
pub fn in_place_scope_fifo<'scope, OP, R>(op: OP) -> R
where
    OP: FnOnce(&ScopeFifo<'scope>) -> R,
{
    in_place_scope_fifo_in(current_pool(), op)
}

pub(crate) fn in_place_scope_in<'scope, R>(pool: &Pool, op: impl FnOnce(&Scope<'scope>) -> R) -> R {
    let worker = Worker::current();
    let scope = Scope {
        base: Base::new(living(pool).to_arc(), worker),
    };
    scope.base.complete(worker, || op(&scope))
}

pub(crate) fn in_place_scope_fifo_in<'scope, R>(
    pool: &Pool,
    op: impl FnOnce(&ScopeFifo<'scope>) -> R,
) -> R {
    let worker = Worker::current();
    let scope = ScopeFifo::new(living(pool).to_arc(), worker);
    scope.base.complete(worker, || op(&scope))
}

impl<'scope> Base<'scope> {
    fn new(pool: Arc<Pool>, worker: Option<Worker<'_>>) -> Self {
        Base {
            root: match worker {
                Some(worker) if ptr::eq(worker.pool(), &*pool) => worker.own().root.get(),
                // Roots of another pool mean nothing here, but for those that hold in all.
                _ => lasting_root().unwrap_or_else(|| pool.new_root()),
            },
            panic: AtomicPtr::new(ptr::null_mut()),
            latch: CountLatch::new(1, worker, &pool),
            pool,
            marker: PhantomData,
        }
    }

    /// Runs the scope's own closure, waits for all jobs, and re-raises the first panic.
    fn complete<R>(&self, worker: Option<Worker<'_>>, op: impl FnOnce() -> R) -> R {
        // SAFETY: the scope outlives the call, whatever the latch says.
        let result = unsafe { Self::run(self, op) };
        self.latch.wait(worker, &self.pool, self.root);
        meter::all_ended(ptr::from_ref(self).addr() as u64);
        // Every job left its panic before the latch opened, so nothing more has to be ordered.
        let panic = self.panic.load(Ordering::Relaxed);
        if !panic.is_null() {
            // SAFETY: boxed by `run`, and all jobs are done, so this is the only owner.
            let payload = unsafe { Box::from_raw(panic) };
            drop_quietly(result);
            resume(*payload);
        }
        result.expect("the closure returned or panicked")
    }

    /// Runs one of the scope's closures, keeps its panic, and counts it as done.
    ///
    /// # Safety
    /// `this` is valid when the call starts: the closure is counted. It may be gone before the call has returned, so it is not a reference.
    unsafe fn run<R>(this: *const Self, body: impl FnOnce() -> R) -> Option<R> {
        let result = match catch(body) {
            Ok(result) => Some(result),
            Err(payload) => {
                // SAFETY: valid, since the closure is still counted.
                unsafe { (*this).keep(payload) };
                None
            }
        };
        meter::part_ends(this.addr() as u64);
        // SAFETY: valid until this very call counts the closure as done.
        unsafe { CountLatch::done(&raw const (*this).latch) };
        result
    }

    fn keep(&self, payload: Payload) {
        let boxed = Box::into_raw(Box::new(payload));
        let first = self.panic.compare_exchange(
            ptr::null_mut(),
            boxed,
            Ordering::Relaxed,
            Ordering::Relaxed,
        );
        if first.is_err() {
            // SAFETY: no other thread saw it.
            drop_quietly(unsafe { Box::from_raw(boxed) });
        }
    }

    /// A job that runs `body` with the context of this thread, already counted.
    fn job(&self, body: impl FnOnce(&Self) + Send) -> JobRef {
        self.bare_job(self.followed(body))
    }

    /// [`Self::job`], but nothing follows the job.
    fn bare_job(&self, body: impl FnOnce(&Self) + Send) -> JobRef {
        // SAFETY: the scope does not return, and nothing that `'scope` allows to borrow goes away, before the job has run.
        unsafe { HeapJob::boxed(self.root, self.count(body)) }
    }

    /// `body`, with the context of this thread wherever it runs.
    fn followed<B: FnOnce(&Self) + Send>(
        &self,
        body: B,
    ) -> impl FnOnce(&Self) + Send + use<'scope, B> {
        let token = self.pool.handlers.follow.leave();
        move |base: &Self| {
            let _arrived = base.pool.handlers.follow.arrive(token);
            body(base);
        }
    }

    /// What a job does that runs `body`, already counted.
    fn count<B: FnOnce(&Self) + Send>(&self, body: B) -> impl FnOnce() + Send + use<'scope, B> {
        self.latch.add();
        let base = Borrowed::new(self);
        let begin = meter::here();
        move || {
            let base = base.get();
            let body = || {
                // SAFETY: the scope waits for this job, which is counted until `body` has returned.
                body(unsafe { &*base });
            };
            begin.run(|| {
                // SAFETY: counted above.
                unsafe { Self::run(base, body) };
            });
        }
    }

    /// Puts a job where it will be run; `fifo` maps an index to what the thread of that index pushes instead.
    fn push(&self, job: JobRef, fifo: impl FnOnce(usize, JobRef) -> JobRef) {
        match Worker::current() {
            Some(worker) if ptr::eq(worker.pool(), &*self.pool) => {
                worker.spawn(fifo(worker.index(), job));
            }
            _ => self.pool.inject(job),
        }
    }
}

impl<'scope> Scope<'scope> {
    /// What follows the jobs of this scope.
    pub(crate) fn follower(&self) -> &Follower {
        &self.base.pool.handlers.follow
    }

    /// Spawns a job into the scope.
    ///
    /// It runs before the scope returns, possibly on another thread, and gets the scope to spawn more jobs. Allocates once.
    ///
    /// ```
    /// let mut words = [String::new(), String::new()];
    /// filch::scope(|s| {
    ///     for (i, word) in words.iter_mut().enumerate() {
    ///         s.spawn(move |_| *word = format!("word {i}"));
    ///     }
    /// });
    /// assert_eq!(words, ["word 0", "word 1"]);
    /// ```
    pub fn spawn<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&Scope<'scope>) + Send + 'scope,
    {
        let scope = Borrowed::new(self);
        // SAFETY: the scope waits for this job.
        let job = self.base.job(move |_| body(unsafe { &*scope.get() }));
        self.base.push(job, |_, job| job);
    }

    /// [`spawn`](Self::spawn) of a job that brings the context of its own work along: nothing follows it beside that.
    pub(crate) fn spawn_bare<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&Scope<'scope>) + Send + 'scope,
    {
        let scope = Borrowed::new(self);
        // SAFETY: the scope waits for this job.
        let job = self.base.bare_job(move |_| body(unsafe { &*scope.get() }));
        self.base.push(job, |_, job| job);
    }

    /// Runs `body` once on every thread of the pool, as part of the scope. In a child after `fork` that goes on inside the scope: once.
    ///
    /// Allocates a few times, however many threads there are, once each has been in a broadcast.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let runs = AtomicUsize::new(0);
    /// pool.scope(|s| s.spawn_broadcast(|_, context| {
    ///     runs.fetch_add(1 + context.index(), Ordering::Relaxed);
    /// }));
    /// assert_eq!(runs.into_inner(), 1 + 2);
    /// ```
    pub fn spawn_broadcast<BODY>(&self, body: BODY)
    where
        BODY: Fn(&Scope<'scope>, BroadcastContext<'_>) + Send + Sync + 'scope,
    {
        let scope = Borrowed::new(self);
        spawn_broadcast(&self.base, move |context| {
            // SAFETY: the scope waits for all shares.
            body(unsafe { &*scope.get() }, context)
        });
    }
}

impl<'scope> ScopeFifo<'scope> {
    fn new(pool: Arc<Pool>, worker: Option<Worker<'_>>) -> Self {
        ScopeFifo {
            base: Base::new(pool, worker),
            fifos: Fifos::new(),
        }
    }

    /// Spawns a job into the scope.
    ///
    /// It runs before the scope returns. Of the jobs that a thread spawned, the oldest is run first.
    ///
    /// Allocates once, and a queue for each thread that spawns into the scope.
    ///
    /// ```
    /// let mut done = false;
    /// filch::scope_fifo(|s| s.spawn_fifo(|_| done = true));
    /// assert!(done);
    /// ```
    pub fn spawn_fifo<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&ScopeFifo<'scope>) + Send + 'scope,
    {
        let scope = Borrowed::new(self);
        // SAFETY: the scope waits for this job.
        let job = self.base.job(move |_| body(unsafe { &*scope.get() }));
        // SAFETY: the scope waits for all its jobs, and a reference is done with the queue when its job starts.
        let in_order = |number, job| unsafe { self.fifos.push(number, self.base.root, job) };
        self.base.push(job, in_order);
    }

    /// Runs `body` once on every thread of the pool, as part of the scope. In a child after `fork` that goes on inside the scope: once.
    ///
    /// Allocates a few times, however many threads there are, once each has been in a broadcast.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    ///
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let runs = AtomicUsize::new(0);
    /// pool.scope_fifo(|s| s.spawn_broadcast(|_, _| {
    ///     runs.fetch_add(1, Ordering::Relaxed);
    /// }));
    /// assert_eq!(runs.into_inner(), 2);
    /// ```
    pub fn spawn_broadcast<BODY>(&self, body: BODY)
    where
        BODY: Fn(&ScopeFifo<'scope>, BroadcastContext<'_>) + Send + Sync + 'scope,
    {
        let scope = Borrowed::new(self);
        spawn_broadcast(&self.base, move |context| {
            // SAFETY: the scope waits for all shares.
            body(unsafe { &*scope.get() }, context)
        });
    }
}

/// One counted job for each thread, all with the same body.
fn spawn_broadcast<'scope>(
    base: &Base<'scope>,
    body: impl Fn(BroadcastContext<'_>) + Send + Sync + 'scope,
) {
    if base.pool.is_orphan() {
        return base.push(base.job(|base| run_alone(base, body)), |_, job| job);
    }
    let body = Arc::new(body);
    let share = |number| {
        let body = Arc::clone(&body);
        let share = base.followed(move |base| {
            let share = || {
                if is_at(&base.pool, number) {
                    BroadcastContext::with(&*body);
                }
            };
            // Kept before the last share drops the user's closure, which may panic, too.
            if let Err(payload) = catch(share) {
                base.keep(payload);
            }
        });
        base.count(share)
    };
    // SAFETY: as in [`Base::job`].
    unsafe { mail_to_all(&base.pool, base.root, share) };
}

/// A broadcast in a child after `fork` that goes on inside a scope of its parent's: the thread that waits for the scope runs it once, and the child's own pool lends it a desk.
fn run_alone(base: &Base<'_>, body: impl Fn(BroadcastContext<'_>)) {
    let visit = Worker::current().is_none().then(|| {
        let pool = living(&base.pool);
        Visit::begin(pool)
    });
    // Kept before the visit ends and the user's closure is dropped: both run code of the user's.
    if let Err(payload) = catch(|| BroadcastContext::with(&body)) {
        base.keep(payload);
    }
    drop(visit);
}

impl fmt::Debug for Scope<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("pool", &self.base.pool)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ScopeFifo<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ScopeFifo")
            .field("pool", &self.base.pool)
            .field("num_fifos", &self.base.pool.num_threads())
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::fresh::new_isolated_root;
    use crate::core::pool::Handlers;

    /// A waiter may run the jobs of its own scope, and no thread takes them for those of an unrelated call.
    #[test]
    fn the_jobs_of_a_scope_descend_from_its_call() {
        let [pool, other] = [(), ()].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        let root_in = |pool: &Arc<Pool>| Base::new(Arc::clone(pool), Some(worker)).root;
        worker.enter_new_root();
        let root = worker.own().root.get();
        assert_eq!(root_in(&pool), root);
        assert!(![root, Root::NONE, other.new_root()].contains(&root_in(&other)));
        let isolated = new_isolated_root();
        worker.own().root.set(isolated);
        assert_eq!([&pool, &other].map(root_in), [isolated; 2]);
    }

    #[test]
    fn the_jobs_of_a_scope_go_to_its_pool() {
        let [pool, other] = [(), ()].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let worker = sitting.worker();
        let base = Base::new(Arc::clone(&other), Some(worker));
        base.push(base.job(|_| ()), |_, job| job);
        assert!(worker.own().deque.is_empty());
        let job = other
            .take_injected(None, true)
            .expect("it was spawned there");
        // SAFETY: just taken out of a queue of this pool.
        unsafe { other.run(job, 0) };
        base.complete(Some(worker), || ());
    }
}
