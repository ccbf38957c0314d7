//! Starting the threads of a pool, and how many there should be.

use super::build_error::ThreadPoolBuildError;
use super::clock;
use super::global_pointer::watch_forks;
use super::made_once::processors;
use super::pool::{Handlers, Pool};
use super::pools;
use super::schedtrace;
use super::thread_builder::{DefaultSpawn, Start, ThreadBuilder, ThreadSpawn};
use super::trace_env;
use super::worker::Worker;
use crate::sync::Arc;
use std::{fs, io};

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

/// How the threads of a pool are started.
#[derive(Default)]
pub(super) struct Threads<S = DefaultSpawn> {
    pub(super) name: Option<Box<dyn FnMut(usize) -> String>>,
    /// In bytes.
    pub(super) stack_size: Option<usize>,
    /// The calling thread is the first of them.
    pub(super) use_current: bool,
    /// The mappings are counted however few the threads are.
    pub(super) wary: bool,
    pub(super) spawn: S,
}

/// Why there is no pool.
pub(super) struct NotBuilt {
    pub(super) error: ThreadPoolBuildError,
    /// The threads that were started end, and the caller has to wait for that, with no lock held: their handlers may need it.
    pub(super) ends: Option<Arc<Pool>>,
}

impl NotBuilt {
    /// There is a global pool.
    pub(super) fn already() -> Self {
        ThreadPoolBuildError::already_initialized().into()
    }
}

impl From<ThreadPoolBuildError> for NotBuilt {
    fn from(error: ThreadPoolBuildError) -> Self {
        NotBuilt { error, ends: None }
    }
}

/// Lets go of a pool when it is dropped.
struct LetGo<'p>(&'p Pool);

impl Drop for LetGo<'_> {
    fn drop(&mut self) {
        self.0.release();
    }
}

impl<S: ThreadSpawn> Threads<S> {
    /// Starts the threads of `pool`. If one cannot be had, those that were started are stopped.
    pub(super) fn start(&mut self, pool: Arc<Pool>) -> Result<Arc<Pool>, NotBuilt> {
        watch_forks();
        clock::calibrate();
        trace_env::begin();
        // The user's closures may panic: then the threads that were started are to end.
        let unwinding = LetGo(&pool);
        let threads = pool.crew.threads();
        // The error, and how many threads were started; `None`: none was tried.
        let (mut refused, mut own_start) = (None, None);
        if self.spawn.is_of_std() && (self.wary || threads > FEW) {
            refused = too_many_mappings(threads).err().map(|error| (None, error));
        }
        if self.use_current {
            pool.note_built_around_a_thread();
        }
        // Those that are dropped count as ended: no thread is to wait for them.
        let starts: Vec<_> = (0..threads).map(|i| Start::new(&pool, i)).collect();
        for (index, start) in starts.into_iter().enumerate() {
            if refused.is_some() {
                continue;
            }
            // As in rayon, also for the current thread, which keeps its own: the closure may count.
            let name = self.name.as_mut().map(|name| name(index));
            if self.use_current && index == 0 {
                own_start = Some(start);
                continue;
            }
            let thread = ThreadBuilder::new(name, self.stack_size, start);
            refused = self
                .spawn
                .spawn(thread)
                .err()
                .map(|error| (Some(index), error));
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
                    // SAFETY: right 0 is born held, by this thread, which works at that worker's desk for good; its seat has shown that desk since it was made.
                    unsafe { Worker::sit(leaked.seats[0].own_desk(), 0) }.stay();
                }
                Ok(pool)
            }
            Some((started, error)) => {
                pool.release();
                drop(own_start);
                Err(NotBuilt {
                    error: ThreadPoolBuildError::refused(started, threads, error),
                    ends: (!self.spawn.is_custom()).then_some(pool),
                })
            }
        }
    }
}

/// A pool of this many threads at most is built without a look at the mappings, unless a larger one was refused.
const FEW: usize = 256;
/// A thread's stack and the one that std gives it for signals, each with a guard.
const MAPPINGS: usize = 4;
/// What is left to the rest of the program.
const SPARE: usize = 1024;

/// An error if the stacks of so many threads need more mappings than the process may have.
///
/// For a thread that cannot have a stack, the system gives an error. But std aborts the process where a thread that has one cannot have one for signals.
fn too_many_mappings(threads: usize) -> io::Result<()> {
    if !cfg!(target_os = "linux") || cfg!(miri) {
        return Ok(());
    }
    // Where the limit cannot be read, nothing is known. Where the mappings cannot, none are counted.
    let Some(most) = fs::read_to_string("/proc/sys/vm/max_map_count")
        .ok()
        .and_then(|text| text.trim().parse::<usize>().ok())
    else {
        return Ok(());
    };
    let there = fs::read("/proc/self/maps").unwrap_or_default();
    let there = there.iter().filter(|&&byte| byte == b'\n').count();
    match most.saturating_sub(there + SPARE) / MAPPINGS {
        room if room < threads => Err(io::Error::new(
            io::ErrorKind::OutOfMemory,
            format!("vm.max_map_count leaves room for the stacks of {room}"),
        )),
        _ => Ok(()),
    }
}

/// The global pool of a program that did not set it up: never fails, but may have fewer threads than wanted, or none.
pub(super) fn with_what_there_is(wanted: usize) -> Arc<Pool> {
    let mut threads = wanted;
    while threads > 0 {
        let pool = Pool::new(threads, wanted - threads, Handlers::default(), true, false);
        let mut start = Threads::<DefaultSpawn> {
            wary: threads < wanted,
            ..Threads::default()
        };
        match start.start(pool) {
            Ok(pool) => return pool,
            Err(not) => {
                debug_assert!(not.error.is_refusal());
                not.ends.inspect(|pool| pool.wait_until_ended());
            }
        }
        threads /= 2;
    }
    Pool::new(0, wanted, Handlers::default(), true, false)
}

/// How many threads a pool has for which the program asked for `asked`: 0 leaves it to the environment and the machine.
pub(super) fn wanted_threads(asked: usize) -> usize {
    let wanted = match asked {
        0 => env_threads().unwrap_or_else(|| {
            watch_forks();
            processors()
        }),
        n => n,
    };
    wanted.clamp(1, max_num_threads())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::thread_builder::refusal;
    use crate::core::thread_pool::ThreadPool;

    #[test]
    fn the_global_pool_has_half_as_many_threads_until_they_can_be_had() {
        for n in 1..18 {
            for k in 0..=n {
                let pool = refusal::after(k, || with_what_there_is(n));
                let halves = std::iter::successors(Some(n), |threads| Some(threads / 2));
                let threads = halves.into_iter().find(|&threads| threads <= k);
                assert_eq!(
                    (
                        Some(pool.crew.threads()),
                        pool.crew.threads() + pool.missing
                    ),
                    (threads, n)
                );
                let pool = ThreadPool::of(pool);
                // Without threads only guests work, and only the global pool has guests.
                if threads > Some(0) {
                    let indices = pool.broadcast(|context| context.index());
                    assert!(indices.into_iter().eq(0..pool.current_num_threads()));
                    pool.shutdown();
                }
            }
        }
    }

    #[test]
    fn nonsense_in_the_environment_counts_as_nothing() {
        const CHILD: &str = "FILCH_TEST_THREADS";
        if let Ok(expected) = std::env::var(CHILD) {
            return assert_eq!(env_threads(), expected.parse().ok());
        }
        for (value, expected) in [("0", ""), ("x", ""), ("1", "1"), ("3", "3")] {
            let name = "core::start::tests::nonsense_in_the_environment_counts_as_nothing";
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args([name, "--exact"]).env(CHILD, expected);
            child.env("FILCH_NUM_THREADS", value);
            for name in ["RAYON_NUM_THREADS", "RAYON_RS_NUM_CPUS"] {
                child.env_remove(name);
            }
            assert!(child.status().unwrap().success(), "{value}");
        }
    }
}
