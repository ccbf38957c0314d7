//! Building a pool.

use super::build_error::ThreadPoolBuildError;
use super::clock;
use super::global::{set_global, watch_forks};
use super::pool::{Handlers, Pool};
use super::pools;
use super::schedtrace;
use super::thread_builder::{CustomSpawn, DefaultSpawn, Start, ThreadBuilder, ThreadSpawn};
use super::thread_pool::ThreadPool;
use super::unwind::Payload;
use super::worker::Worker;
use crate::sync::Arc;
use std::fmt;
use std::io;
use std::thread;

/// The most threads a pool can have.
///
/// ```
/// assert!(filch::max_num_threads() >= 255);
/// ```
pub fn max_num_threads() -> usize {
    if cfg!(target_pointer_width = "64") {
        (1 << 16) - 1
    } else {
        (1 << 8) - 1
    }
}

/// Sets up a [`ThreadPool`], or the global pool.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(3).build().unwrap();
/// assert_eq!(pool.install(filch::current_num_threads), 3);
/// ```
pub struct ThreadPoolBuilder<S = DefaultSpawn> {
    num_threads: usize,
    use_current: bool,
    thread_name: Option<Box<dyn FnMut(usize) -> String>>,
    stack_size: Option<usize>,
    handlers: Handlers,
    breadth_first: bool,
    guests: Option<bool>,
    spawn: S,
}

/// Lets go of a pool when it is dropped.
struct LetGo<'p>(&'p Pool);

impl Drop for LetGo<'_> {
    fn drop(&mut self) {
        self.0.let_go();
    }
}

impl ThreadPoolBuilder {
    /// Default settings: as many threads as the machine (or the container) has to give, named by the system.
    pub fn new() -> Self {
        Self::default()
    }

    /// Builds a pool whose threads are started by `wrapper`, in a scope that ends when `with_pool` returns.
    ///
    /// `wrapper` runs on each new thread and must call [`ThreadBuilder::run`]; it may set up what the threads need around that call, and
    /// borrow from the caller.
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
    /// When a thread could not be started.
    pub fn build_scoped<W, F, R>(self, wrapper: W, with_pool: F) -> Result<R, ThreadPoolBuildError>
    where
        W: Fn(ThreadBuilder) + Sync,
        F: FnOnce(&ThreadPool) -> R,
    {
        thread::scope(|scope| {
            let wrapper = &wrapper;
            let pool = self
                .spawn_handler(|thread| {
                    let builder = thread.as_std();
                    builder.spawn_scoped(scope, move || wrapper(thread))?;
                    Ok(())
                })
                .build()?;
            Ok(with_pool(&pool))
        })
    }
}

impl Default for ThreadPoolBuilder {
    fn default() -> Self {
        ThreadPoolBuilder {
            num_threads: 0,
            use_current: false,
            thread_name: None,
            stack_size: None,
            handlers: Handlers::default(),
            breadth_first: false,
            guests: None,
            spawn: DefaultSpawn::default(),
        }
    }
}

impl<S: ThreadSpawn> ThreadPoolBuilder<S> {
    /// Builds the pool.
    ///
    /// # Errors
    ///
    /// When a thread could not be started (those that were are stopped again and have ended), or when
    /// [`use_current_thread`](Self::use_current_thread) was asked for on a thread that is in a pool.
    pub fn build(self) -> Result<ThreadPool, ThreadPoolBuildError> {
        self.build_pool(false).map(ThreadPool::of)
    }

    /// Builds the global pool, which functions such as [`join`](crate::join) use when they are called from outside any pool.
    ///
    /// # Errors
    ///
    /// When there is a global pool already, because somebody built it or used it, and as [`build`](Self::build).
    pub fn build_global(self) -> Result<(), ThreadPoolBuildError> {
        set_global(|| self.build_pool(true))
    }

    fn guests_allowed(&self) -> bool {
        let plain = self.thread_name.is_none()
            && self.stack_size.is_none()
            && self.handlers.start.is_none()
            && self.handlers.exit.is_none()
            && !self.spawn.is_custom()
            && !self.use_current;
        self.guests.unwrap_or(plain)
    }

    fn build_pool(mut self, global: bool) -> Result<Arc<Pool>, ThreadPoolBuildError> {
        if self.use_current && Worker::current().is_some() {
            return Err(ThreadPoolBuildError::current_in_pool());
        }
        let threads = self.wanted_threads();
        let guests = global && self.guests_allowed();
        let handlers = std::mem::take(&mut self.handlers);
        let pool = Pool::new(threads, 0, handlers, guests, self.breadth_first);
        self.start_threads(pool)
    }

    fn start_threads(&mut self, pool: Arc<Pool>) -> Result<Arc<Pool>, ThreadPoolBuildError> {
        clock::calibrate();
        watch_forks();
        // The user's closures may panic: then the threads that were started are to end.
        let unwinding = LetGo(&pool);
        let (mut refused, mut own_start) = (None, None);
        // Those that are dropped count as ended: nobody is to wait for these threads.
        let starts: Vec<_> = (0..pool.workers).map(|i| Start::new(&pool, i)).collect();
        for (index, start) in starts.into_iter().enumerate() {
            if refused.is_some() {
                continue;
            }
            // As in rayon, also for the current thread, which keeps its own: the closure may count.
            let name = self.thread_name.as_mut().map(|name| name(index));
            if self.use_current && index == 0 {
                own_start = Some(start);
                continue;
            }
            let thread = ThreadBuilder::new(name, self.stack_size, start);
            refused = self.spawn.spawn(thread).err();
        }
        std::mem::forget(unwinding);
        match refused {
            None => {
                pools::register(&pool);
                schedtrace::begin();
                if let Some(start) = own_start {
                    start.leave_to_holder();
                    // Last, because there is no way back.
                    // SAFETY: leaked, so it stays valid.
                    let leaked: &'static Pool = unsafe { &*Arc::into_raw(Arc::clone(&pool)) };
                    // SAFETY: right 0 is born held, by this thread, which works at that worker's desk for good.
                    let _ = unsafe { Worker::sit(leaked.seats[0].worker(), 0) };
                }
                Ok(pool)
            }
            Some(error) => {
                pool.let_go();
                drop(own_start);
                if !self.spawn.is_custom() {
                    pool.wait_until_ended();
                }
                Err(ThreadPoolBuildError::refused(error))
            }
        }
    }

    fn wanted_threads(&self) -> usize {
        let wanted = match self.num_threads {
            0 => env_threads().unwrap_or_else(default_threads),
            n => n,
        };
        wanted.clamp(1, max_num_threads())
    }
}

impl ThreadPoolBuilder {
    /// The global pool when nobody set it up: never fails, but may have fewer threads than wanted, or none.
    pub(crate) fn build_with_what_there_is(mut self) -> Arc<Pool> {
        let wanted = self.wanted_threads();
        let mut threads = wanted;
        while threads > 0 {
            let pool = Pool::new(threads, wanted - threads, Handlers::default(), true, false);
            match self.start_threads(pool) {
                Ok(pool) => return pool,
                Err(error) => debug_assert!(error.is_refusal()),
            }
            threads /= 2;
        }
        Pool::new(0, wanted, Handlers::default(), true, false)
    }
}

impl<S> ThreadPoolBuilder<S> {
    /// Starts the threads with a closure of the caller's, which must see to it that [`ThreadBuilder::run`] is called on each.
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
    pub fn spawn_handler<F>(self, spawn: F) -> ThreadPoolBuilder<CustomSpawn<F>>
    where
        F: FnMut(ThreadBuilder) -> io::Result<()>,
    {
        ThreadPoolBuilder {
            num_threads: self.num_threads,
            use_current: self.use_current,
            thread_name: self.thread_name,
            stack_size: self.stack_size,
            handlers: self.handlers,
            breadth_first: self.breadth_first,
            guests: self.guests,
            spawn: CustomSpawn::new(spawn),
        }
    }

    /// Names the threads: `closure` gets each thread's index.
    pub fn thread_name<F>(mut self, closure: F) -> Self
    where
        F: FnMut(usize) -> String + 'static,
    {
        self.thread_name = Some(Box::new(closure));
        self
    }

    /// How many threads the pool has, clamped to 1 ..= [`max_num_threads`].
    ///
    /// 0, the default, takes the number from the environment: `FILCH_NUM_THREADS`, then `RAYON_NUM_THREADS`, then the old
    /// `RAYON_RS_NUM_CPUS`, then what the machine, the process's affinity and its container's quota allow.
    pub fn num_threads(mut self, num_threads: usize) -> Self {
        self.num_threads = num_threads;
        self
    }

    /// Makes the calling thread the pool's thread 0.
    ///
    /// It does the pool's work only while it waits inside a call such as [`join`](crate::join), or [yields](crate::yield_now). It stays in
    /// the pool for good, so a pool built this way is never freed.
    pub fn use_current_thread(mut self) -> Self {
        self.use_current = true;
        self
    }

    /// What to do with a panic that nobody waits for, in a detached [`spawn`](crate::spawn) or in a start or exit handler.
    ///
    /// Without a handler such a panic ends the process. A handler that panics ends it too.
    pub fn panic_handler<H>(mut self, panic_handler: H) -> Self
    where
        H: Fn(Payload) + Send + Sync + 'static,
    {
        self.handlers.panic = Some(Box::new(panic_handler));
        self
    }

    /// The stack size of the threads in bytes. By default the system's, or what `RUST_MIN_STACK` says.
    pub fn stack_size(mut self, stack_size: usize) -> Self {
        self.stack_size = Some(stack_size);
        self
    }

    /// Makes each thread take its oldest spawned job first, not its newest.
    #[deprecated(note = "use `scope_fifo` and `spawn_fifo` for the same order")]
    pub fn breadth_first(mut self) -> Self {
        self.breadth_first = true;
        self
    }

    /// Runs on each thread, with its index, before it does any work.
    pub fn start_handler<H>(mut self, start_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.handlers.start = Some(Box::new(start_handler));
        self
    }

    /// Runs on each thread, with its index, when it is about to end.
    ///
    /// What it spawns is run, by this thread at the latest, and then the thread ends.
    pub fn exit_handler<H>(mut self, exit_handler: H) -> Self
    where
        H: Fn(usize) + Send + Sync + 'static,
    {
        self.handlers.exit = Some(Box::new(exit_handler));
        self
    }

    /// Whether callers from outside take part in the global pool on their own threads. Not in rayon.
    ///
    /// By default they do unless the threads were set up in a way that closures may rely on: with a name, a stack size, a start or exit
    /// handler, a spawn handler, or the current thread as one of them. A caller that takes part starts at once, on its own stack; one that
    /// does not waits for a thread of the pool. Pools other than the global one never have guests, and after the first
    /// [`broadcast`](crate::broadcast) the global one has none any more.
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
            .field("use_current_thread", &self.use_current)
            .field("thread_name", &Set(self.thread_name.is_some()))
            .field("stack_size", &self.stack_size)
            .field("panic_handler", &Set(self.handlers.panic.is_some()))
            .field("start_handler", &Set(self.handlers.start.is_some()))
            .field("exit_handler", &Set(self.handlers.exit.is_some()))
            .field("breadth_first", &self.breadth_first)
            .field("guests", &self.guests)
            .finish()
    }
}

/// The number of threads that the environment asks for; 0 and nonsense count as nothing.
fn env_threads() -> Option<usize> {
    [
        "FILCH_NUM_THREADS",
        "RAYON_NUM_THREADS",
        "RAYON_RS_NUM_CPUS",
    ]
    .iter()
    .find_map(|name| std::env::var(name).ok()?.parse().ok())
    .filter(|&n| n > 0)
}

/// The smaller of two opinions: both respect affinity and quotas, and a quota of 1.5 is rounded up by one and down by the other.
fn default_threads() -> usize {
    thread::available_parallelism()
        .map_or(1, usize::from)
        .min(num_cpus::get())
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

    #[test]
    fn the_global_pool_has_half_as_many_threads_until_they_can_be_had() {
        for n in 1..18 {
            for k in 0..=n {
                let builder = ThreadPoolBuilder::new().num_threads(n);
                let pool = refusal::after(k, || builder.build_with_what_there_is());
                let halves = std::iter::successors(Some(n), |threads| Some(threads / 2));
                let threads = halves.into_iter().find(|&threads| threads <= k);
                assert_eq!(
                    (Some(pool.workers), pool.workers + pool.missing),
                    (threads, n)
                );
                let pool = ThreadPool::of(pool);
                // Without threads only guests work, who come to the global pool only.
                if threads > Some(0) {
                    let indices = pool.broadcast(|context| context.index());
                    assert!(indices.into_iter().eq(0..pool.current_num_threads()));
                    pool.shutdown();
                }
            }
        }
    }
}
