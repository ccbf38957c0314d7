//! `ThreadPoolBuilder`: what can be said of a pool before it is built, and how it is built.

use super::build_error::ThreadPoolBuildError;
use super::follow::{Follow, Follower};
use super::global::set_global;
use super::join_threads::join_threads;
use super::pool::{Handlers, Pool};
use super::start::{NotBuilt, Threads, wanted_threads};
use super::thread_builder::{CustomSpawn, DefaultSpawn, ThreadBuilder, ThreadSpawn};
use super::thread_pool::ThreadPool;
use super::unwind::{Payload, catch, resume};
use super::worker::Worker;
use crate::sync::Arc;
use std::fmt;
use std::io;
use std::thread;

/// Sets up a [`ThreadPool`], or the global pool.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
/// assert_eq!(pool.install(filch::current_num_threads), 3);
/// ```
pub struct ThreadPoolBuilder<S = DefaultSpawn> {
    num_threads: usize,
    threads: Threads<S>,
    handlers: Handlers,
    breadth_first: bool,
    guests: Option<bool>,
}

impl ThreadPoolBuilder {
    /// Default settings: as many threads as the process may use processors, named by the system.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().build().unwrap();
    /// assert!(pool.current_num_threads() >= 1);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds a pool whose threads are started by `wrapper`, in a scope that ends when `with_pool` returns.
    ///
    /// `wrapper` runs on each new thread and must call [`ThreadBuilder::run`]; it may set up what the threads need around that call, and
    /// borrow from the caller. A caller that is a thread of another pool helps that pool while it waits for the calls of `run` to end;
    /// what `wrapper` does after that must not need the caller's thread.
    ///
    /// ```
    /// let greeting = String::from("hello");
    /// let sum = filch::ThreadPoolBuilder::new().num_threads(2).build_scoped(
    ///     |thread| { assert_eq!(greeting, "hello"); thread.run() },
    ///     |pool| pool.install(|| filch::join(|| 1, || 2)),
    /// ).unwrap();
    /// assert_eq!(sum, (1, 2));
    /// ```
    ///
    /// # Errors
    ///
    /// If a thread could not be started, or if [`use_current_thread`](Self::use_current_thread) was called for a thread that is in a pool
    /// already.
    ///
    /// # Panics
    ///
    /// With the panic of `with_pool`. If `wrapper` panics, as [`std::thread::scope`] does if a thread panics.
    pub fn build_scoped<W, F, R>(self, wrapper: W, with_pool: F) -> Result<R, ThreadPoolBuildError>
    where
        W: Fn(ThreadBuilder) + Sync,
        F: FnOnce(&ThreadPool) -> R,
    {
        thread::scope(|scope| {
            let wrapper = &wrapper;
            let mut builder = self.spawn_handler(|thread| {
                let builder = thread.as_std();
                builder.spawn_scoped(scope, move || wrapper(thread))?;
                Ok(())
            });
            builder.threads.spawn.set_of_std();
            let pool = builder.build()?;
            let result = catch(|| with_pool(&pool));
            // The scope would block this thread, which another pool may need.
            pool.end();
            Ok(result.unwrap_or_else(|payload| resume(payload)))
        })
    }
}

impl Default for ThreadPoolBuilder {
    fn default() -> Self {
        ThreadPoolBuilder {
            num_threads: 0,
            threads: Threads::default(),
            handlers: Handlers::default(),
            breadth_first: false,
            guests: None,
        }
    }
}

impl<S: ThreadSpawn> ThreadPoolBuilder<S> {
    /// Builds the pool, and starts its threads.
    ///
    /// To start threads takes longer than most parallel calls. So build a pool once, and keep it.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    /// assert_eq!(pool.install(|| filch::join(|| 1, || 2)), (1, 2));
    /// ```
    ///
    /// # Errors
    ///
    /// If a thread could not be started (the threads that were started have ended by then), or if
    /// [`use_current_thread`](Self::use_current_thread) was called for a thread that is in a pool already.
    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        let pool = self.build_pool(false).map_err(end)?;
        Ok(ThreadPool::of(pool))
    }

    /// Builds the global pool, which functions such as [`join`](crate::join) use when they are called from outside any pool.
    ///
    /// ```
    /// filch::ThreadPoolBuilder::new().num_threads(2).build_global().unwrap();
    /// assert_eq!(filch::current_num_threads(), 2);
    ///
    /// // A program has one global pool.
    /// assert!(filch::ThreadPoolBuilder::new().build_global().is_err());
    /// ```
    ///
    /// # Errors
    ///
    /// If there is a global pool already, because it was built or used before. Otherwise as [`build`](Self::build).
    ///
    /// # Panics
    ///
    /// If a closure that is called to build the pool, such as that of [`thread_name`](Self::thread_name) or [`spawn_handler`](Self::spawn_handler), uses the
    /// global pool, which is not there yet. (If the closure waits for another thread that uses it, it waits for ever.) If such a closure panics: with its panic.
    pub fn build_global(self) -> Result<(), ThreadPoolBuildError> {
        set_global(|| self.build_pool(true)).map_err(end)
    }

    fn guests_allowed(&self) -> bool {
        let plain = self.threads.name.is_none()
            && self.threads.stack_size.is_none()
            && self.handlers.start.is_none()
            && self.handlers.exit.is_none()
            && !self.threads.spawn.is_custom()
            && !self.threads.use_current;
        self.guests.unwrap_or(plain)
    }

    fn build_pool(mut self, global: bool) -> Result<Arc<Pool>, NotBuilt> {
        if self.threads.use_current && Worker::current().is_some() {
            return Err(ThreadPoolBuildError::current_in_pool().into());
        }
        let threads = wanted_threads(self.num_threads);
        let guests = global && self.guests_allowed();
        let handlers = std::mem::take(&mut self.handlers);
        let pool = Pool::new(threads, 0, handlers, guests, self.breadth_first);
        self.threads.start(pool)
    }
}

/// Waits until the threads that were started have ended, and says why there is no pool.
fn end(not: NotBuilt) -> ThreadPoolBuildError {
    if let Some(pool) = not.ends {
        join_threads(&pool);
    }
    not.error
}

impl<S> ThreadPoolBuilder<S> {
    /// Lets a closure of yours start the threads. It must call [`ThreadBuilder::run`] on each of them.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new()
    ///     .num_threads(2)
    ///     .spawn_handler(|thread| {
    ///         std::thread::Builder::new().name("mine".into()).spawn(|| thread.run())?;
    ///         Ok(())
    ///     })
    ///     .build()
    ///     .unwrap();
    /// assert_eq!(pool.install(|| std::thread::current().name().map(String::from)).as_deref(), Some("mine"));
    /// ```
    ///
    /// # Panics
    ///
    /// [`build_global`](Self::build_global) panics if `spawn` uses the global pool, which is not there yet.
    pub fn spawn_handler<F>(self, spawn: F) -> ThreadPoolBuilder<CustomSpawn<F>>
    where
        F: FnMut(ThreadBuilder) -> io::Result<()>,
    {
        ThreadPoolBuilder {
            num_threads: self.num_threads,
            threads: Threads {
                name: self.threads.name,
                stack_size: self.threads.stack_size,
                use_current: self.threads.use_current,
                wary: self.threads.wary,
                spawn: CustomSpawn::new(spawn),
            },
            handlers: self.handlers,
            breadth_first: self.breadth_first,
            guests: self.guests,
        }
    }

    /// Names the threads: `closure` gets each thread's index.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).thread_name(|i| format!("worker-{i}")).build().unwrap();
    /// let names = pool.broadcast(|_| std::thread::current().name().map(String::from));
    /// assert_eq!(names, [Some("worker-0".into()), Some("worker-1".into())]);
    /// ```
    ///
    /// # Panics
    ///
    /// [`build_global`](Self::build_global) panics if `closure` uses the global pool, which is not there yet.
    pub fn thread_name<F>(mut self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        self.threads.name = Some(Box::new(closure));
        self
    }

    /// How many threads the pool has, at least 1 and at most [`max_num_threads`](crate::max_num_threads).
    ///
    /// 0, the default, takes the number from the environment: the first of `FILCH_NUM_THREADS`, `RAYON_NUM_THREADS` and the old
    /// `RAYON_RS_NUM_CPUS` that holds a number. If there is none, or it is 0, the pool has as many threads as the affinity of the process
    /// and the quota of its container allow.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    /// assert_eq!(pool.current_num_threads(), 3);
    /// ```
    #[doc(alias("max_concurrency", "global_control"))]
    pub fn num_threads(mut self, num_threads: usize) -> Self {
        self.num_threads = num_threads;
        self
    }

    /// Makes the calling thread the pool's thread 0.
    ///
    /// It does the pool's work only while it waits inside a call such as [`join`](crate::join), or calls [`yield_now`](crate::yield_now). It stays in
    /// the pool as long as it lives, so a pool built this way is never freed.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).use_current_thread().build().unwrap();
    /// assert_eq!(pool.current_thread_index(), Some(0)); // without `install`
    /// ```
    pub fn use_current_thread(mut self) -> Self {
        self.threads.use_current = true;
        self
    }

    /// Sets what is called with the payload of a panic that no caller waits for: of a [spawned](crate::spawn) job, or of a start or exit handler.
    ///
    /// Without a handler such a panic ends the process. A handler that panics ends it too.
    ///
    /// ```
    /// let (sender, receiver) = std::sync::mpsc::channel();
    /// let sender = std::sync::Mutex::new(sender);
    /// let pool = filch::ThreadPoolBuilder::new()
    ///     .num_threads(1)
    ///     .panic_handler(move |payload| {
    ///         let text = payload.downcast_ref::<&str>().copied().unwrap_or("?");
    ///         sender.lock().unwrap().send(text.to_owned()).unwrap();
    ///     })
    ///     .build()
    ///     .unwrap();
    /// pool.spawn(|| panic!("no caller waits for this"));
    /// assert_eq!(receiver.recv().unwrap(), "no caller waits for this");
    /// ```
    pub fn panic_handler<H>(mut self, panic_handler: H) -> Self
    where
        H: Fn(Payload) + Send + Sync + 'static,
    {
        self.handlers.panic = Some(Box::new(panic_handler));
        self
    }

    /// The stack size of the threads in bytes. By default the system's, or what `RUST_MIN_STACK` says.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).stack_size(4 << 20).build().unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    pub fn stack_size(mut self, stack_size: usize) -> Self {
        self.threads.stack_size = Some(stack_size);
        self
    }

    /// Makes each thread run its oldest spawned job first, instead of its newest.
    ///
    /// ```
    /// # #![allow(deprecated)]
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).breadth_first().build().unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    #[deprecated(note = "use `scope_fifo` and `spawn_fifo` for the same order")]
    pub fn breadth_first(mut self) -> Self {
        self.breadth_first = true;
        self
    }

    /// Sets a closure that each thread calls, with its index, before it does any work.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).start_handler(|index| println!("thread {index} begins")).build().unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    #[doc(alias("task_scheduler_observer", "on_scheduler_entry"))]
    pub fn start_handler<H>(mut self, start_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.handlers.start = Some(Box::new(start_handler));
        self
    }

    /// Sets a closure that each thread calls, with its index, when it is about to end.
    ///
    /// Jobs that the closure spawns are run before the thread ends.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).exit_handler(|index| println!("thread {index} ends")).build().unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    #[doc(alias("task_scheduler_observer", "on_scheduler_exit"))]
    pub fn exit_handler<H>(mut self, exit_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.handlers.exit = Some(Box::new(exit_handler));
        self
    }

    /// Lets context, such as a span of `tracing`, follow each job to the thread that runs it: see [`Follow`]. Not in rayon.
    ///
    /// A job that no other thread sees, such as most right sides of a `join`, costs nothing more. A job that other threads see costs at
    /// most two calls of `follow` where it is given away, and three where it runs.
    ///
    /// ```
    /// use std::sync::{Arc, atomic::{AtomicU64, Ordering::Relaxed}};
    ///
    /// /// Counts the jobs.
    /// struct Count(Arc<AtomicU64>);
    ///
    /// impl filch::Follow for Count {
    ///     fn leave(&self) -> u64 {
    ///         self.0.fetch_add(1, Relaxed)
    ///     }
    ///     fn arrive(&self, _: u64) {}
    ///     fn done(&self, _: u64) {}
    /// }
    ///
    /// let count = Arc::new(AtomicU64::new(0));
    /// let builder = filch::ThreadPoolBuilder::new().num_threads(2).follow(Count(Arc::clone(&count)));
    /// let pool = builder.build().unwrap();
    /// pool.scope(|s| for _ in 0..10 { s.spawn(|_| ()) });
    /// assert_eq!(count.load(Relaxed), 10 + 1); // one is the call of `scope`, which goes to a thread of the pool
    /// ```
    #[doc(alias("tracing", "span", "context", "thread_local"))]
    pub fn follow(mut self, follow: impl Follow + 'static) -> Self {
        self.handlers.follow = Follower::new(follow);
        self
    }

    /// Whether callers from outside take part in the global pool on their own threads. Not in rayon.
    ///
    /// By default they do, unless closures may rely on how the threads were set up: with a name, a stack size, a start or exit handler, a
    /// spawn handler, or the current thread as one of them. A caller that takes part starts at once, on its own stack. A caller that does
    /// not take part waits for a thread of the pool. In pools other than the global one, callers never take part. In the global pool, they
    /// no longer do after the first [`broadcast`](crate::broadcast) or [`spawn_broadcast`](crate::spawn_broadcast), whatever was set here.
    ///
    /// ```
    /// filch::ThreadPoolBuilder::new().guests(false).build_global().unwrap();
    /// let caller = std::thread::current().id();
    /// let (left, _) = filch::join(|| std::thread::current().id(), || ());
    /// assert_ne!(left, caller);
    /// ```
    pub fn guests(mut self, guests: bool) -> Self {
        self.guests = Some(guests);
        self
    }
}

impl<S> fmt::Debug for ThreadPoolBuilder<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        struct Set(bool);
        impl fmt::Debug for Set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(if self.0 { "<set>" } else { "<default>" })
            }
        }
        f.debug_struct("ThreadPoolBuilder")
            .field("num_threads", &self.num_threads)
            .field("use_current_thread", &self.threads.use_current)
            .field("thread_name", &Set(self.threads.name.is_some()))
            .field("stack_size", &self.threads.stack_size)
            .field("panic_handler", &Set(self.handlers.panic.is_some()))
            .field("start_handler", &Set(self.handlers.start.is_some()))
            .field("exit_handler", &Set(self.handlers.exit.is_some()))
            .field("follow", &Set(self.handlers.follow.is_set()))
            .field("breadth_first", &self.breadth_first)
            .field("guests", &self.guests)
            .finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::thread_builder::refusal;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
    use std::time::Duration;

    /// An error, and not before the threads that could be had have ended.
    #[test]
    fn the_kth_thread_is_refused() {
        for n in 1..9 {
            for k in 0..n {
                let exited = Arc::new(AtomicUsize::new(0));
                let exits = Arc::clone(&exited);
                let builder = ThreadPoolBuilder::new()
                    .num_threads(n)
                    .exit_handler(move |_| {
                        thread::sleep(Duration::from_millis(1));
                        exits.fetch_add(1, SeqCst);
                    });
                let error = refusal::after(k, || builder.build()).expect_err("an error");
                assert!(error.is_refusal());
                assert_eq!(exited.load(SeqCst), k, "{n} threads");
            }
        }
    }

    /// The closures of the program may rely on its own threads, and a pool that it owns runs them there anyway.
    #[test]
    fn callers_take_part_where_threads_are_as_they_come() {
        let new = ThreadPoolBuilder::new;
        assert!(new().num_threads(3).guests_allowed());
        assert!(!new().thread_name(|_| String::new()).guests_allowed());
        assert!(!new().stack_size(1 << 20).guests_allowed());
        assert!(!new().start_handler(|_| ()).guests_allowed());
        assert!(!new().exit_handler(|_| ()).guests_allowed());
        assert!(!new().use_current_thread().guests_allowed());
        assert!(!new().spawn_handler(|_| Ok(())).guests_allowed());
        assert!(new().stack_size(1 << 20).guests(true).guests_allowed());
        assert!(!new().guests(false).guests_allowed());
        let pool = new().num_threads(1).guests(true).build().unwrap();
        while pool.weak().as_pool().rights.free() == 0 {
            thread::yield_now();
        }
        assert!(!pool.weak().as_pool().lets_in());
    }

    #[test]
    fn a_broadcast_reaches_the_thread_that_built_the_pool() {
        // It stays in the pool for good.
        let thread = thread::spawn(|| {
            let builder = ThreadPoolBuilder::new().num_threads(2);
            let pool = builder.use_current_thread().build().unwrap();
            thread::scope(|scope| {
                let other = scope.spawn(|| pool.broadcast(|context| context.index()));
                while !other.is_finished() {
                    pool.yield_now();
                }
                other.join().unwrap()
            })
        });
        assert_eq!(thread.join().unwrap(), [0, 1]);
    }
}
