//! The threads of a pool: how they are started, and what they run.

use super::pool::Pool;
use super::worker::Worker;
use crate::sync::Arc;
use std::fmt;
use std::io;
use std::thread;

/// Starts threads with [`std::thread::Builder`].
#[derive(Debug, Default)]
pub struct DefaultSpawn(());

/// Starts threads with a closure of the user's; see [`ThreadPoolBuilder::spawn_handler`](super::ThreadPoolBuilder::spawn_handler).
pub struct CustomSpawn<F> {
    spawn: F,
    of_std: bool,
}

impl<F> CustomSpawn<F> {
    pub(super) fn new(spawn: F) -> Self {
        CustomSpawn {
            spawn,
            of_std: false,
        }
    }

    /// The closure starts a thread of std's for each of the pool.
    pub(super) fn set_of_std(&mut self) {
        self.of_std = true;
    }
}

impl<F> fmt::Debug for CustomSpawn<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CustomSpawn")
    }
}

/// How threads are started. Sealed: [`DefaultSpawn`] and [`CustomSpawn`] are all there are.
pub trait ThreadSpawn: sealed::Sealed {
    #[doc(hidden)]
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()>;
    /// Whether closures may find threads that the user set up in some way.
    #[doc(hidden)]
    fn is_custom(&self) -> bool;
    /// Whether each thread is started by std.
    #[doc(hidden)]
    fn is_of_std(&self) -> bool;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::DefaultSpawn {}
    impl<F> Sealed for super::CustomSpawn<F> {}
}

impl ThreadSpawn for DefaultSpawn {
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        #[cfg(test)]
        refusal::of(thread.index())?;
        begin_thread(thread.as_std(), Box::new(|| thread.run()))
    }

    fn is_custom(&self) -> bool {
        false
    }

    fn is_of_std(&self) -> bool {
        true
    }
}

/// Starts a thread. In a box, because std compiles for each type of body what it does with threads.
pub(super) fn begin_thread(
    builder: thread::Builder,
    body: Box<dyn FnOnce() + Send>,
) -> io::Result<()> {
    #[cfg(test)]
    refusal::of(0)?;
    builder.spawn(body).map(drop)
}

impl<F> ThreadSpawn for CustomSpawn<F>
where
    F: FnMut(ThreadBuilder) -> io::Result<()>,
{
    fn spawn(&mut self, thread: ThreadBuilder) -> io::Result<()> {
        (self.spawn)(thread)
    }

    fn is_custom(&self) -> bool {
        true
    }

    fn is_of_std(&self) -> bool {
        self.of_std
    }
}

/// A thread of a pool that is about to start; what a [`spawn_handler`](super::ThreadPoolBuilder::spawn_handler) gets.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new()
///     .num_threads(2)
///     .thread_name(|i| format!("worker-{i}"))
///     .spawn_handler(|thread| {
///         let mut builder = std::thread::Builder::new();
///         if let Some(name) = thread.name() {
///             builder = builder.name(format!("{name} (number {})", thread.index()));
///         }
///         if let Some(bytes) = thread.stack_size() {
///             builder = builder.stack_size(bytes);
///         }
///         builder.spawn(|| thread.run())?;
///         Ok(())
///     })
///     .build()
///     .unwrap();
/// let names = pool.broadcast(|_| std::thread::current().name().unwrap().to_owned());
/// assert_eq!(names[1], "worker-1 (number 1)");
/// ```
pub struct ThreadBuilder {
    name: Option<String>,
    stack_size: Option<usize>,
    start: Start,
}

impl ThreadBuilder {
    pub(super) fn new(name: Option<String>, stack_size: Option<usize>, start: Start) -> Self {
        ThreadBuilder {
            name,
            stack_size,
            start,
        }
    }

    /// The index of the thread in its pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new()
    ///     .num_threads(2)
    ///     .thread_name(|i| format!("worker-{i}"))
    ///     .stack_size(1 << 20)
    ///     .spawn_handler(|thread| {
    ///         assert!(thread.index() < 2);
    ///         std::thread::spawn(|| thread.run());
    ///         Ok(())
    ///     })
    ///     .build()
    ///     .unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    pub fn index(&self) -> usize {
        self.start.index
    }

    /// The name that [`ThreadPoolBuilder::thread_name`](super::ThreadPoolBuilder::thread_name) gave it, if any.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new()
    ///     .num_threads(2)
    ///     .thread_name(|i| format!("worker-{i}"))
    ///     .stack_size(1 << 20)
    ///     .spawn_handler(|thread| {
    ///         assert!(thread.name().unwrap().starts_with("worker-"));
    ///         std::thread::spawn(|| thread.run());
    ///         Ok(())
    ///     })
    ///     .build()
    ///     .unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The stack size in bytes that [`ThreadPoolBuilder::stack_size`](super::ThreadPoolBuilder::stack_size) asked for, if any.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new()
    ///     .num_threads(2)
    ///     .thread_name(|i| format!("worker-{i}"))
    ///     .stack_size(1 << 20)
    ///     .spawn_handler(|thread| {
    ///         assert_eq!(thread.stack_size(), Some(1 << 20));
    ///         std::thread::spawn(|| thread.run());
    ///         Ok(())
    ///     })
    ///     .build()
    ///     .unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    pub fn stack_size(&self) -> Option<usize> {
        self.stack_size
    }

    /// std's builder of such a thread.
    pub(super) fn as_std(&self) -> thread::Builder {
        let mut builder = thread::Builder::new();
        if let Some(name) = self.name() {
            builder = builder.name(name.to_owned());
        }
        if let Some(size) = self.stack_size() {
            builder = builder.stack_size(size);
        }
        builder
    }

    /// Does the work of the pool's thread, and returns when the pool stops.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new()
    ///     .num_threads(2)
    ///     .thread_name(|i| format!("worker-{i}"))
    ///     .stack_size(1 << 20)
    ///     .spawn_handler(|thread| {
    ///         // `run` is called on the new thread.
    ///         std::thread::spawn(|| thread.run());
    ///         Ok(())
    ///     })
    ///     .build()
    ///     .unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    pub fn run(self) {
        self.start.run();
    }
}

impl fmt::Debug for ThreadBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThreadBuilder")
            .field("pool", &Arc::as_ptr(&self.start.pool))
            .field("index", &self.start.index)
            .field("name", &self.name)
            .field("stack_size", &self.stack_size)
            .finish()
    }
}

/// What a pool's thread needs. Counts as a running thread of the pool until it is dropped, run or not.
pub(super) struct Start {
    pool: Arc<Pool>,
    index: usize,
    /// When this is dropped, no thread works under that number any more.
    vacates: bool,
    /// The right of that number, which is born held, has no thread yet.
    holds: bool,
}

impl Start {
    pub(super) fn new(pool: &Arc<Pool>, index: usize) -> Self {
        Start {
            pool: Arc::clone(pool),
            index,
            vacates: true,
            holds: true,
        }
    }

    /// The calling thread is that thread, for good: it never ends, so it is not counted.
    pub(super) fn leave_to_holder(mut self) {
        self.vacates = false;
        self.holds = false;
    }

    fn run(mut self) {
        assert!(
            Worker::current().is_none(),
            "filch: ThreadBuilder::run was called on a thread of another pool"
        );
        self.holds = false;
        let (pool, index) = (&*self.pool, self.index);
        // SAFETY: a worker's right is born in its hand, its desk is for it alone, and its seat has shown that since it was made; `self` keeps the pool. What sits down in a job is up when that ends.
        let sitting = unsafe { Worker::sit(pool.seats[index].own_desk(), index) };
        let worker = sitting.worker();
        if let Some(handler) = &pool.handlers.start {
            pool.catch_detached(|| handler(index));
        }
        worker.run_until_stopped();
        if let Some(handler) = &pool.handlers.exit {
            pool.catch_detached(|| handler(index));
        }
        worker.end();
    }
}

impl Drop for Start {
    fn drop(&mut self) {
        if self.vacates {
            self.pool.vacate(self.index);
        }
        if self.holds {
            // No other thread would: a pool that is told to run on fewer threads counts rights.
            self.pool.put_down(self.index);
        }
        self.pool.thread_ended();
    }
}

/// A system without threads to give, for tests.
#[cfg(test)]
pub(super) mod refusal {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        /// How many threads each pool can have that this thread builds.
        static MOST: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Runs `build` where a pool can have `most` threads.
    pub(in crate::core) fn after<R>(most: usize, build: impl FnOnce() -> R) -> R {
        MOST.set(most);
        let result = build();
        MOST.set(usize::MAX);
        result
    }

    pub(super) fn of(index: usize) -> io::Result<()> {
        match index < MOST.get() {
            true => Ok(()),
            false => Err(io::ErrorKind::WouldBlock.into()),
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::pool::Handlers;
    use crate::core::unwind::catch;

    /// It would run the jobs of one pool on top of those of another.
    #[test]
    fn a_thread_of_another_pool_is_refused() {
        let [pool, other] = [(), ()].map(|()| Pool::new(1, 0, Handlers::default(), false, false));
        // SAFETY: the pool keeps the desk, and no other thread is there.
        let sitting = unsafe { Worker::sit(other.seats[0].own_desk(), 0) };
        // So that it would end at once.
        pool.release();
        let thread = ThreadBuilder::new(None, None, Start::new(&pool, 0));
        assert!(catch(|| thread.run()).is_err());
        pool.wait_until_ended();
        drop(sitting);
    }
}
