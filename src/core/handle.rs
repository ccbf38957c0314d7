//! `spawn_handle` and `JobHandle`: jobs that are started now, and joined, awaited or cancelled when it suits.

use super::count::CountLatch;
use super::current_pool::current_pool;
use super::fresh::new_job_root;
use super::global::living;
use super::gone::{Entry, InQueue};
use super::guest::install;
use super::job_state::JobState;
use super::pool::Pool;
use super::process_lock::ProcessLock;
use super::root::Root;
use super::spawn::spawn_in;
use super::unwind::{catch, drop_quietly, resume};
use super::weak_pool::{Alive, WeakPool};
use super::worker::Worker;
use crate::sync::{Arc, AtomicBool, MutexGuard, Ordering, planted};
use std::fmt;
use std::future::Future;
use std::panic::panic_any;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

/// Starts `func` in the background, as [`spawn`](crate::spawn) does, and returns a handle to its result.
///
/// The job runs in the current pool, or in the global pool if the caller is in none. For another pool see
/// [`ThreadPool::spawn_handle`](crate::ThreadPool::spawn_handle). A job takes three allocations.
///
/// ```
/// use filch::ext::spawn_handle;
///
/// let squares = spawn_handle(|| (1..=100u64).map(|n| n * n).sum::<u64>());
/// // ... something else meanwhile ...
/// assert_eq!(squares.join().unwrap(), 338_350);
/// ```
#[doc(alias("task", "future", "async"))]
pub fn spawn_handle<F, T>(func: F) -> JobHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    spawn_handle_in(current_pool(), func)
}

pub(crate) fn spawn_handle_in<F, T>(pool: &Pool, func: F) -> JobHandle<T>
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let (mut handle, run) = prepare(&WeakPool::of(pool), func);
    handle.entry = spawn_in(pool, run);
    handle
}

/// A handle to the result of `func`, and the closure that computes the result, which a thread of `pool` has to call.
pub(crate) fn prepare<F, T>(
    pool: &WeakPool,
    func: F,
) -> (JobHandle<T>, impl FnOnce() + Send + use<F, T>)
where
    F: FnOnce() -> T + Send + 'static,
    T: Send + 'static,
{
    let task = Arc::new(Promise {
        root: new_job_root(),
        state: ProcessLock::new(HandleState {
            job: JobState::Ready(Box::new(func)),
            runner: 0,
            waker: None,
            latch: None,
            is_detached: false,
        }),
        is_queued: AtomicBool::new(true),
    });
    let handle = JobHandle {
        task: Arc::clone(&task),
        pool: pool.living(),
        entry: None,
        remembered: |task| Box::new(RememberedPromise(task)),
    };
    let queued = Queued(task);
    (handle, move || queued.0.run())
}

/// The result of a job that was started with [`spawn_handle`], which may not be there yet.
///
/// Any thread can [join](Self::join) it, any executor can await it as a [`Future`], and it can be [cancelled](Self::cancel) before the job
/// begins. If the handle is dropped, the job still runs, as a [spawned](crate::spawn) one. The job runs as in [`isolate`](crate::isolate):
/// a thread that waits for a part of it runs nothing else meanwhile.
///
/// A panic of the job is part of the result, as with [`std::thread::JoinHandle`]. If the handle was dropped before that, the panic goes to the pool's
/// [panic handler](crate::ThreadPoolBuilder::panic_handler).
///
/// ```
/// use filch::ext::{JobHandle, spawn_handle};
///
/// let jobs: Vec<JobHandle<usize>> = (0..4).map(|n| spawn_handle(move || n * n)).collect();
/// let squares: Vec<usize> = jobs.into_iter().map(|job| job.join().unwrap()).collect();
/// assert_eq!(squares, [0, 1, 4, 9]);
/// ```
#[doc(alias("future", "JoinHandle", "task_handle"))]
#[must_use = "if the result does not matter, `spawn` will do"]
pub struct JobHandle<T> {
    task: Arc<Promise<T>>,
    pool: Arc<Pool>,
    /// Of the job in the queue of the thread that spawned it.
    entry: Option<Entry>,
    /// Makes what that thread remembers of the entry, and forgets the type.
    remembered: fn(Arc<Promise<T>>) -> Box<dyn InQueue>,
}

struct Promise<T> {
    /// What the job and all its parts run under. It is isolated: a thread that waits in there would else begin other jobs on top of it, and one of
    /// those may join this very job.
    root: Root,
    state: ProcessLock<HandleState<T>>,
    /// It is in a queue, or has just been taken out. Only the spawner's thread asks, and hands nothing on: relaxed.
    is_queued: AtomicBool,
}

/// What is in the queue, so that the promise knows how long. It is dropped before the memory of the queue's [`HeapJob`](super::job::HeapJob) is freed, so while the flag is set
/// no other job is at its address.
struct Queued<T>(Arc<Promise<T>>);

impl<T> Drop for Queued<T> {
    fn drop(&mut self) {
        self.0.is_queued.store(false, Ordering::Relaxed);
    }
}

/// What the thread remembers in whose queue it is.
struct RememberedPromise<T>(Arc<Promise<T>>);

impl<T: Send> InQueue for RememberedPromise<T> {
    fn is_queued(&self) -> bool {
        self.0.is_queued.load(Ordering::Relaxed)
    }
}

struct HandleState<T> {
    job: JobState<Job<T>, T>,
    /// The address of the desk where the job runs, if it was taken from a queue.
    runner: usize,
    /// The waker of the executor that awaits the result.
    waker: Option<Waker>,
    /// The latch of the thread that waits for the result.
    latch: Option<Arc<CountLatch>>,
    /// No thread will ask for the result.
    is_detached: bool,
}

type Job<T> = Box<dyn FnOnce() -> T + Send>;

/// In a child process after `fork`: a thread of the parent runs the job, or held the lock of its state.
const IN_PARENT: &str =
    "filch: the job is run in the parent of this process, and has no result here";

impl<T> HandleState<T> {
    fn is_ready(&self) -> bool {
        matches!(self.job, JobState::Ready(_))
    }

    /// Why there will be no result, if there will be none. The caller then panics with this text, after it has unlocked the state.
    fn why_none_comes(&self, pool: &Pool) -> Option<&'static str> {
        if matches!(self.job, JobState::Gone) {
            return Some("filch: the result of a job was taken before");
        }
        pool.is_orphan().then_some(IN_PARENT)
    }
}

impl<T> Promise<T> {
    /// Runs the job, unless another thread took it.
    fn run(&self) {
        // None: this is a child process after `fork`, which goes on in its parent's frames.
        let worker = Worker::current();
        let Some(mut state) = self.state.lock() else {
            return;
        };
        let Some(job) = state.job.begin(JobState::Running) else {
            return;
        };
        state.runner = worker.map_or(0, Worker::desk_address);
        drop(state);
        let result = match worker {
            Some(worker) => worker.under(self.root, job),
            None => catch(job),
        };
        let early =
            planted!("handle").then(|| self.state.lock().and_then(|mut state| state.latch.take()));
        // The job may have forked, and this be the child.
        let Some(mut state) = self.state.lock() else {
            return;
        };
        if state.is_detached {
            drop(state);
            match result {
                Ok(value) => drop(value),
                Err(payload) => resume(payload),
            }
            return;
        }
        state.job = JobState::Done(result);
        let (waker, latch) = (state.waker.take(), state.latch.take());
        drop(state);
        let latch = early.unwrap_or(latch);
        if let Some(latch) = latch {
            // SAFETY: it counts one job, which is this one, and the Arc keeps it.
            unsafe { CountLatch::done(&*latch) };
        }
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

impl<T> JobHandle<T> {
    /// Has this thread take the job out of its queue, if it is there: to run it from there would do nothing.
    fn clear_entry(&self) {
        if let (Some(entry), Some(worker)) = (self.entry, Worker::current()) {
            worker.clear_gone(entry, || (self.remembered)(Arc::clone(&self.task)));
        }
    }

    /// Locks the state. Panics in a child process whose parent had locked it.
    fn state(&self) -> MutexGuard<'_, HandleState<T>> {
        self.task
            .state
            .lock()
            .unwrap_or_else(|| panic_any(IN_PARENT))
    }

    /// Waits for the job and returns its result.
    ///
    /// If the job has not begun, the calling thread runs it, in the job's pool, as [`install`](crate::ThreadPool::install) does. So a
    /// thread of the pool never waits for a job that is still in a queue. If another thread runs the job, this thread helps with parts of
    /// it, or sleeps, and a third one may run in its place. It runs no other jobs meanwhile (as it would at the end of a scope), because
    /// they might join the very job that is below them on the stack. For the same reason, a thread that waits inside the job runs only
    /// parts of that job.
    ///
    /// So jobs never wait for each other for ever, if they do not join each other in a circle, and none of them calls
    /// [`yield_now`](crate::yield_now). That runs any job, also one that waits for the job that called it.
    ///
    /// A job that runs here uses this thread's stack. If each of many jobs joins the one before, start the first one first, or join them from
    /// outside the pool.
    ///
    /// ```
    /// use filch::ext::spawn_handle;
    ///
    /// assert_eq!(spawn_handle(|| 6 * 7).join().unwrap(), 42);
    /// let panicked = spawn_handle(|| std::panic::resume_unwind(Box::new("no"))).join();
    /// assert_eq!(panicked.unwrap_err().downcast_ref(), Some(&"no"));
    /// ```
    ///
    /// # Errors
    ///
    /// With the payload of the job's panic.
    ///
    /// # Panics
    ///
    /// If the result was taken before, by polling. If the job joins itself, or calls [`yield_now`](crate::yield_now) and what that runs joins
    /// it. Also in the child of a `fork`, if a thread of the parent ran the job at that moment.
    pub fn join(self) -> thread::Result<T>
    where
        T: Send,
    {
        let pool = living(&self.pool);
        let mut state = self.state();
        if let Some(result) = state.job.take_result() {
            return result;
        }
        if let Some(job) = state.job.begin(JobState::Gone) {
            // The closure in the queue keeps the pool alive until it has seen, under the lock, that the job is gone. This thread unlocks next.
            let _alive = Alive::also(pool);
            drop(state);
            self.clear_entry();
            let root = self.task.root;
            // Around the call, so that the root goes along into another pool, and this thread waits under it.
            return match Worker::current() {
                Some(worker) => worker.wait_under(root, || install(pool, |_, _| catch(job))),
                None => install(pool, |worker, _| worker.under(root, job)),
            };
        }
        if let Some(why) = state.why_none_comes(&self.pool) {
            drop(state);
            panic_any(why);
        }
        let worker = Worker::current();
        if worker.is_some_and(|worker| worker.is_above(state.runner)) {
            drop(state);
            panic!("filch: a job was joined by what runs on top of it, so it would never be done");
        }
        let latch = Arc::new(CountLatch::new(1, worker, pool));
        state.latch = Some(Arc::clone(&latch));
        drop(state);
        // It helps with this job and does nothing else.
        let root = self.task.root;
        let wait = || latch.wait(worker, pool, root);
        match worker {
            Some(worker) => worker.wait_under(root, wait),
            None => wait(),
        }
        let mut state = self.state();
        let result = state.job.take_result();
        result.expect("the latch was set when the result was there")
    }

    /// Drops the job if it has not begun. Then it never runs.
    ///
    /// ```
    /// use filch::ThreadPoolBuilder;
    ///
    /// let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    /// let cancelled = pool.install(|| {
    ///     let job = pool.spawn_handle(|| unreachable!()); // the only thread is busy with this closure
    ///     job.cancel().is_ok()
    /// });
    /// assert!(cancelled);
    /// ```
    ///
    /// # Errors
    ///
    /// If the job has begun. The error is the handle.
    pub fn cancel(self) -> Result<(), Self> {
        let state = || self.task.state.lock();
        let early = planted!("cancel").then(|| state().is_some_and(|state| state.is_ready()));
        let job = state().and_then(|mut state| state.job.begin(JobState::Gone));
        match early.unwrap_or(job.is_some()) {
            true => {
                drop(job);
                self.clear_entry();
                Ok(())
            }
            false => Err(self),
        }
    }

    /// Whether the job is done, so that [`join`](Self::join) would not wait.
    ///
    /// ```
    /// use filch::ext::spawn_handle;
    ///
    /// let job = spawn_handle(|| 1);
    /// while !job.is_finished() {
    ///     std::thread::yield_now();
    /// }
    /// assert_eq!(job.join().unwrap(), 1);
    /// ```
    #[must_use]
    pub fn is_finished(&self) -> bool {
        let state = self.task.state.lock();
        state.is_some_and(|state| matches!(state.job, JobState::Done(_) | JobState::Gone))
    }
}

/// Ready when the job is done. To poll it never runs the job, so a thread of the executor is not blocked. The result is that of
/// [`join`](JobHandle::join).
///
/// ```
/// use filch::ext::spawn_handle;
///
/// async fn answer() -> i32 {
///     let job = spawn_handle(|| 6 * 7); // a heavy computation
///     job.await.unwrap()
/// }
/// # use std::{future::Future, pin::pin, task::{Context, Poll, Waker}};
/// # let mut future = pin!(answer());
/// # let answer = loop {
/// #     match future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
/// #         Poll::Ready(answer) => break answer,
/// #         Poll::Pending => std::thread::yield_now(),
/// #     }
/// # };
/// # assert_eq!(answer, 42);
/// ```
///
/// # Panics
///
/// If it is polled after it was ready.
impl<T> Future for JobHandle<T> {
    type Output = thread::Result<T>;

    fn poll(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // Wakers are the executor's code: not under the lock.
        let waker = context.waker().clone();
        let mut state = self.state();
        if let Some(result) = state.job.take_result() {
            return Poll::Ready(result);
        }
        if let Some(why) = state.why_none_comes(&self.pool) {
            drop(state);
            panic_any(why);
        }
        let old = state.waker.replace(waker);
        drop(state);
        drop(old);
        Poll::Pending
    }
}

impl<T> Drop for JobHandle<T> {
    fn drop(&mut self) {
        if self.pool.is_orphan() {
            // In a forked process: the waker and the result are the parent's.
            return;
        }
        let Some(mut state) = self.task.state.lock() else {
            return;
        };
        state.is_detached = true;
        let (result, waker) = (state.job.take_result(), state.waker.take());
        drop(state);
        drop(waker);
        match result {
            Some(Err(payload)) => drop_quietly(payload),
            other => drop(other),
        }
    }
}

impl<T> fmt::Debug for JobHandle<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("JobHandle")
            .field("is_finished", &self.is_finished())
            .finish_non_exhaustive()
    }
}

#[cfg(all(test, unix, not(any(miri, filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::child;
    use crate::core::global_pointer::assert_well_in_child;
    use crate::core::pool::Handlers;
    use std::cell::Cell;
    use std::process::Command;
    use std::{env, mem};

    /// After `fork`, the thread of the parent that runs a job may hold the lock of its state for ever. This process stands in for the child.
    #[test]
    fn a_handle_of_a_parent_is_dropped_without_its_lock() {
        const CHILD: &str = "FILCH_TEST_HANDLE";
        if env::var_os(CHILD).is_none() {
            let name = "core::handle::tests::a_handle_of_a_parent_is_dropped_without_its_lock";
            let mut child = Command::new(env::current_exe().unwrap());
            let status = child.args([name, "--exact"]).env(CHILD, "1").status();
            assert!(status.unwrap().success());
            return;
        }
        // SAFETY: it has no preconditions.
        unsafe { libc::alarm(60) };
        let pool = Pool::new(1, 0, Handlers::default(), false, false);
        let (handle, run) = prepare(&WeakPool::of(&pool), || 1);
        let task = Arc::clone(&handle.task);
        let state = task.state.lock().unwrap();
        child::begin();
        drop(handle);
        mem::forget(state);
        drop(run);
    }

    /// A child does not wait for the lock of a job's state that a thread of the parent held at the fork. It says that there will be no result.
    #[test]
    fn a_handle_of_a_parent_waits_for_no_lock() {
        let pool = Pool::new(1, 0, Handlers::default(), false, false);
        let (handle, run) = prepare(&WeakPool::of(&pool), || 1);
        let task = Arc::clone(&handle.task);
        // Here it is dropped behind the lock, which that takes.
        let handle = Cell::new(Some(handle));
        let state = task.state.lock().unwrap();
        assert_well_in_child(|| {
            run();
            let handle = handle.take().unwrap();
            assert!(!handle.is_finished());
            let handle = handle.cancel().expect_err("it may have begun");
            let result = catch(|| handle.join());
            let payload = result.expect_err("there is no result");
            payload
                .downcast_ref::<&str>()
                .is_some_and(|text| *text == IN_PARENT)
        });
        drop(state);
    }
}
