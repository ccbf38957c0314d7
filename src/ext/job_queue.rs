//! A queue in front of a pool, with priorities, a bound on how many jobs wait, and a bound on how many run at once.

use super::tickets::{AGING, Tickets};
use crate::ThreadPool;
use crate::core::unwind::{catch, resume};
use crate::core::worker::Worker;
use crate::core::{Alive, JobHandle, WeakPool, prepare};
use crate::sync::{Arc, AtomicUsize, Ordering};
use std::error::Error;
use std::fmt;
use std::thread;

/// How urgent a job is.
///
/// ```
/// use filch::ext::Priority;
///
/// assert_eq!(Priority::default(), Priority::Normal);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Priority {
    /// A person or a program waits for it: a click, a request.
    High,
    /// Everything else.
    #[default]
    Normal,
    /// It may wait: prefetching, cleaning up.
    Low,
}

/// A queue of jobs for a pool that others use as well: with priorities, and with bounds on how many jobs wait and how many run at once.
///
/// The jobs of a higher [`Priority`] are begun first, those of one priority in their order. No job waits for ever: at most 8 jobs of higher
/// priorities are begun between two of a lower one (9 if the third priority is due at the same time). A job that runs is not interrupted.
/// One job in about eight comes behind other jobs that a thread of the pool has spawned, so that these run although the queue is never empty.
///
/// Clones are handles to the same queue. If the queue or the [`ThreadPool`] is dropped, all jobs that were accepted still run. After that
/// the pool has stopped, and to spawn a job panics.
///
/// A job costs an allocation and three short locks more than a [`spawn`](ThreadPool::spawn), so it should take ten microseconds at least.
///
/// A job may contain parallel calls. A thread that waits in such a call may begin another job of the queue meanwhile, as it may begin any
/// job of the pool. Then the first job waits until the other one has ended, even if it is more urgent. [`isolate`](crate::isolate) around
/// the call prevents that. A thread inside `isolate` runs no job of the queue while it waits, not even one that it has just spawned, but it
/// may [join](JobHandle::join) it.
///
/// A queue that was made before a `fork` cannot be used in the child process.
///
/// # A server that sheds load
///
/// ```
/// use filch::{ThreadPoolBuilder, ext::*};
///
/// let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// let requests = JobQueue::new(&pool).limit(100);
/// # let mut handles = Vec::new();
/// for request in 0..10 {
///     match requests.try_spawn_handle(Priority::Normal, move || request * 2) {
///         Ok(handle) => {
///             // await it, or join it elsewhere
/// #           handles.push(handle);
///         }
///         Err(full) => println!("503: {full}"), // "filch: 100 jobs wait, which is the limit"
///     }
/// }
/// # assert_eq!(handles.into_iter().map(|handle| handle.join().unwrap()).sum::<i32>(), 90);
/// ```
///
/// # A program that answers before it tidies up
///
/// ```
/// use filch::{ThreadPoolBuilder, ext::*};
/// use std::sync::mpsc;
///
/// let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// let (sender, receiver) = mpsc::channel();
/// let queue = JobQueue::new(&pool);
/// pool.install(|| {
///     // The only thread is busy with this closure, so all of these wait.
///     for (priority, name) in [(Priority::Low, "index"), (Priority::Normal, "save"), (Priority::High, "click")] {
///         let sender = sender.clone();
///         queue.spawn(priority, move || sender.send(name).unwrap());
///     }
/// });
/// drop(sender);
/// assert_eq!(receiver.iter().collect::<Vec<_>>(), ["click", "save", "index"]);
/// ```
#[doc(alias("task_queue", "priority_queue", "concurrent_priority_queue"))]
#[derive(Clone)]
pub struct JobQueue {
    lanes: Arc<Lanes>,
    limit: usize,
}

type Job = Box<dyn FnOnce() + Send>;

/// The lanes of a queue, one for each priority, and the pool that runs their jobs.
struct Lanes {
    pool: WeakPool,
    /// Each job with the token of `Follow::leave`, because the ticket that runs it may have been made for another job.
    tickets: Tickets<(u64, Job), 3>,
    /// How many tickets there were. It hands nothing over: relaxed.
    issued: AtomicUsize,
}

/// One ticket in so many comes behind what its thread has spawned.
const BEHIND: usize = AGING as usize;

const OF_PARENT: &str =
    "filch: this job queue belongs to the parent of this process; make a new one";

impl Lanes {
    fn of(pool: WeakPool, at_once: usize) -> Arc<Self> {
        Arc::new(Lanes {
            pool,
            tickets: Tickets::new(at_once),
            issued: AtomicUsize::new(1),
        })
    }

    /// Panics if the pool has stopped, or was a parent's.
    fn alive(&self) -> Alive<'_> {
        assert!(!self.pool.is_of_parent(), "{OF_PARENT}");
        self.pool
            .keep()
            .expect("filch: the pool of this job queue was dropped, so nothing would run the job")
    }

    /// A ticket may run another caller's job, which an isolated thread must not run. So it is no part of the call that pushed the job.
    ///
    /// The thread that pushed the job, or has just ended one, uses the ticket next, before the jobs that it spawned earlier. If that were always so and the queue never empty,
    /// these would wait for ever. So some tickets come behind them.
    fn issue(this: &Arc<Lanes>, pool: &Alive<'_>) {
        let ticket = Lanes::ticket(this);
        match this.issued.fetch_add(1, Ordering::Relaxed) % BEHIND {
            0 => pool.spawn_behind(ticket),
            _ => pool.spawn(ticket),
        }
    }

    /// What a thread of the pool does with a ticket.
    fn ticket(this: &Arc<Lanes>) -> impl FnOnce() + Send + use<> {
        let lanes = Arc::clone(this);
        move || {
            let mut outcome = lanes.run_next();
            while lanes.tickets.end() {
                if !lanes.pool.is_of_parent() {
                    // This job keeps the pool going.
                    Lanes::issue(&lanes, &lanes.alive());
                    break;
                }
                // In a child process after `fork`, no thread would run another ticket.
                outcome = outcome.and(lanes.run_next());
            }
            if let Err(payload) = outcome {
                resume(payload);
            }
        }
    }

    /// Runs the job whose turn it is.
    fn run_next(&self) -> thread::Result<()> {
        let Some((token, job)) = self.tickets.begin() else {
            return Ok(());
        };
        catch(|| {
            // A child process that goes on in its parent's frames is at no desk, and follows no jobs.
            let worker = Worker::current();
            let _arrived = worker.map(|worker| worker.follower().arrive(token));
            job();
        })
    }
}

/// The error if a queue takes no job, because too many wait. It has the job. Made by [`JobQueue::try_spawn`].
///
/// ```
/// use filch::{ThreadPoolBuilder, ext::*};
///
/// let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// let queue = JobQueue::new(&pool).limit(1);
/// pool.install(|| {
///     queue.spawn(Priority::Normal, || ()); // waits, for the only thread is here
///     let full = queue.try_spawn(Priority::High, || 7).unwrap_err();
///     assert_eq!(full.to_string(), "filch: 1 job waits, which is the limit");
///     assert_eq!((full.job)(), 7); // nothing is lost
/// });
/// ```
pub struct Full<F> {
    /// What was not taken.
    pub job: F,
    /// How many jobs may wait.
    pub limit: usize,
}

impl<F> fmt::Debug for Full<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Full")
            .field("limit", &self.limit)
            .finish_non_exhaustive()
    }
}

impl<F> fmt::Display for Full<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.limit {
            1 => f.write_str("filch: 1 job waits, which is the limit"),
            limit => write!(f, "filch: {limit} jobs wait, which is the limit"),
        }
    }
}

impl<F> Error for Full<F> {}

impl JobQueue {
    /// A queue for `pool`, without bounds.
    ///
    /// ```
    /// use filch::{ThreadPoolBuilder, ext::*};
    ///
    /// let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// let queue = JobQueue::new(&pool);
    /// assert_eq!(queue.spawn_handle(Priority::High, || 6 * 7).join().unwrap(), 42);
    /// ```
    #[must_use]
    pub fn new(pool: &ThreadPool) -> Self {
        JobQueue::of(pool.weak())
    }

    /// A queue for the pool of the calling thread; on a thread outside of all pools, for the global pool.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// assert_eq!(JobQueue::current().spawn_handle(Priority::Low, || 1).join().unwrap(), 1);
    /// ```
    #[must_use]
    pub fn current() -> Self {
        JobQueue::of(WeakPool::current())
    }

    fn of(pool: WeakPool) -> Self {
        JobQueue {
            lanes: Lanes::of(pool, usize::MAX),
            limit: usize::MAX,
        }
    }

    /// Sets how many jobs, of all priorities together, may wait before [`try_spawn`](Self::try_spawn) takes no more. The limit belongs to
    /// this handle and its later clones. All handles count the same jobs.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// let queue = JobQueue::current().limit(1000);
    /// assert!(queue.try_spawn(Priority::Normal, || ()).is_ok());
    /// ```
    ///
    /// # Panics
    ///
    /// If the limit is 0: such a queue would take nothing.
    #[must_use]
    #[track_caller]
    pub fn limit(mut self, jobs: usize) -> Self {
        assert!(jobs > 0, "filch: a queue with a limit of 0 jobs takes none");
        self.limit = jobs;
        self
    }

    /// A new queue for the same pool, of which the pool runs at most `jobs` jobs at once. It has the [`limit`](Self::limit) of this one.
    ///
    /// So some threads of the pool stay free for other work. The bound counts jobs: parallel calls inside a job may run on any thread. A thread that
    /// [joins](JobHandle::join) a job that has not begun runs it itself, and that job is not counted. So for mutual exclusion use a lock.
    ///
    /// While the bound is reached, a job that waits for another job of the queue in another way than by `join` waits for ever. So does any job that a thread has begun
    /// inside a parallel call of a job of the queue, unless that call is [isolated](crate::isolate()).
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// let exports = JobQueue::current().at_once(2);
    /// let handles: Vec<_> = (0..10).map(|n| exports.spawn_handle(Priority::Low, move || n)).collect();
    /// let exported: i32 = handles.into_iter().map(|handle| handle.join().unwrap()).sum();
    /// assert_eq!(exported, 45);
    /// ```
    ///
    /// # Panics
    ///
    /// If `jobs` is 0: no job would ever run.
    #[must_use]
    #[track_caller]
    pub fn at_once(self, jobs: usize) -> Self {
        assert!(
            jobs > 0,
            "filch: a queue of which 0 jobs run at once runs none"
        );
        JobQueue {
            lanes: Lanes::of(self.lanes.pool.clone(), jobs),
            limit: self.limit,
        }
    }

    /// Starts `job` when it is its turn. [`limit`](Self::limit) does not hold for this call, but the job counts as one that waits.
    ///
    /// A panic of `job` goes to the pool's [panic handler](crate::ThreadPoolBuilder::panic_handler), or ends the process if there is none.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// JobQueue::current().spawn(Priority::High, move || sender.send(42).unwrap());
    /// assert_eq!(receiver.recv(), Ok(42));
    /// ```
    ///
    /// # Panics
    ///
    /// If the pool has stopped, or if the queue was made before a `fork` and this is the child process.
    pub fn spawn<F>(&self, priority: Priority, job: F)
    where
        F: FnOnce() + Send + 'static,
    {
        let _ = self.push(priority, usize::MAX, job, |job| Box::new(job));
    }

    /// As [`spawn`](Self::spawn), unless [`limit`](Self::limit) jobs wait already.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// let queue = JobQueue::current().limit(10);
    /// if let Err(full) = queue.try_spawn(Priority::Normal, || 6 * 7) {
    ///     println!("{full}");
    ///     (full.job)(); // on this thread, then
    /// }
    /// ```
    ///
    /// # Errors
    ///
    /// With the job, if too many wait.
    ///
    /// # Panics
    ///
    /// If the pool has stopped, or if the queue was made before a `fork` and this is the child process.
    pub fn try_spawn<F, T>(&self, priority: Priority, job: F) -> Result<(), Full<F>>
    where
        F: FnOnce() -> T + Send + 'static,
    {
        let pack = |job: F| -> Job { Box::new(|| drop(job())) };
        self.push(priority, self.limit, job, pack)
    }

    /// As [`spawn`](Self::spawn), with a handle to the result.
    ///
    /// A thread that [joins](JobHandle::join) a job that has not begun runs it itself, whatever its priority and the bounds. Such a job,
    /// and one that is [cancelled](JobHandle::cancel), counts as waiting until its turn would have come.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// let answer = JobQueue::current().spawn_handle(Priority::High, || 6 * 7);
    /// assert_eq!(answer.join().unwrap(), 42);
    /// ```
    ///
    /// # Panics
    ///
    /// If the pool has stopped, or if the queue was made before a `fork` and this is the child process.
    pub fn spawn_handle<F, T>(&self, priority: Priority, job: F) -> JobHandle<T>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let (handle, run) = prepare(&self.lanes.pool, job);
        self.spawn(priority, run);
        handle
    }

    /// As [`try_spawn`](Self::try_spawn), with a handle to the result.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// let queue = JobQueue::current().limit(10);
    /// let answer = queue.try_spawn_handle(Priority::Normal, || 6 * 7).unwrap();
    /// assert_eq!(answer.join().unwrap(), 42);
    /// ```
    ///
    /// # Errors
    ///
    /// With the job, if too many wait.
    ///
    /// # Panics
    ///
    /// If the pool has stopped, or if the queue was made before a `fork` and this is the child process.
    pub fn try_spawn_handle<F, T>(
        &self,
        priority: Priority,
        job: F,
    ) -> Result<JobHandle<T>, Full<F>>
    where
        F: FnOnce() -> T + Send + 'static,
        T: Send + 'static,
    {
        let mut handle = None;
        self.push(priority, self.limit, job, |job| {
            let (of_job, run) = prepare(&self.lanes.pool, job);
            handle = Some(of_job);
            Box::new(run)
        })?;
        Ok(handle.expect("what was pushed has a handle"))
    }

    fn push<F>(
        &self,
        priority: Priority,
        limit: usize,
        job: F,
        pack: impl FnOnce(F) -> Job,
    ) -> Result<(), Full<F>> {
        let pool = self.lanes.alive();
        // Before the lock is taken, for this is the user's code.
        let token = pool.follower().leave();
        let pack = |job| (token, pack(job));
        match self.lanes.tickets.push(priority as usize, limit, job, pack) {
            Ok(true) => Lanes::issue(&self.lanes, &pool),
            Ok(false) => (),
            Err(job) => {
                pool.follower().back(token);
                return Err(Full { job, limit });
            }
        }
        Ok(())
    }

    /// How many jobs of a priority wait to be begun. Others may come and go meanwhile.
    ///
    /// In a child process after `fork`, the queue of the parent is as it was at that moment.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// assert_eq!(JobQueue::current().waiting(Priority::High), 0);
    /// ```
    ///
    /// # Panics
    ///
    /// In a child process after `fork`, if a thread of the parent was just changing the queue.
    #[must_use]
    pub fn waiting(&self, priority: Priority) -> usize {
        self.lanes.tickets.waiting().expect(OF_PARENT)[priority as usize]
    }

    /// How many jobs run. Others may begin and end meanwhile.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// assert_eq!(JobQueue::current().running(), 0);
    /// ```
    ///
    /// # Panics
    ///
    /// In a child process after `fork`, if a thread of the parent was just changing the queue.
    #[must_use]
    pub fn running(&self) -> usize {
        self.lanes.tickets.running().expect(OF_PARENT)
    }
}

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("JobQueue");
        let tickets = &self.lanes.tickets;
        if let (Some([high, normal, low]), Some(running)) = (tickets.waiting(), tickets.running()) {
            fields.field("high", &high).field("normal", &normal);
            fields.field("low", &low).field("running", &running);
        }
        fields.finish_non_exhaustive()
    }
}
