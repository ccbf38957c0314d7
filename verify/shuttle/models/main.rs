//! Models of the whole pool: filch itself, through its public interface, on shuttle's threads.
//!
//! The crate is compiled with `src/sync.rs` on shuttle, which runs one thread at a time and decides at each atomic, lock and wait which thread is next: at
//! random, and by the rule of PCT (few switches, at random places). Each model runs under some thousand such schedules. What is found is a deadlock, a
//! thread that spins for ever, a failed assertion; not a race, nor a missing fence: shuttle's memory is sequentially consistent. Loom is for those, and
//! for small parts only, while here everything is as it is in earnest, crossbeam's deque too, whose operations are one step each.
//!
//! ```text
//! cargo test --release --manifest-path verify/shuttle/Cargo.toml
//! FILCH_ITERATIONS=100000 ...     that many schedules of each kind, for each model
//! ```
//!
//! A failure prints its seed (`SHUTTLE_RANDOM_SEED=... FILCH_ITERATIONS=1` and the model's name run it again) and its schedule (`FILCH_SCHEDULE=...`).
//!
//! No time runs out in a model. So where a wake-up is lost that a time limit makes up for in earnest, the model is in a deadlock, and says so. A thread that naps
//! between looks, because nothing wakes it, is let look again, but not for ever.

mod forks;
mod guests;
mod iterators;
mod panics;
mod pools;
mod programs;
mod scopes;
mod world;

use filch::iter::plumbing::Cuts;
use filch::{Stats, ThreadPool, ThreadPoolBuilder};
use shuttle::scheduler::{PctScheduler, RandomScheduler, ReplayScheduler};
use shuttle::thread::{self, JoinHandle, ThreadId};
use shuttle::{Config, MaxSteps, Runner};
use std::cell::Cell;
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, Once};
use std::time::{SystemTime, UNIX_EPOCH};
use std::{env, panic};

/// How many jobs threads took from each other in all schedules of the model at hand.
static STOLEN: AtomicU64 = AtomicU64::new(0);

/// How many schedules of each kind: about 25 s for all models together.
const ITERATIONS: usize = 3000;

/// Runs `model` under schedules of each kind. In some of them, threads have to take work from each other, or the model shows little.
fn check(model: fn()) {
    if let Some(stolen) = explore(model) {
        assert!(stolen > 0, "no thread ever took a job from another one");
    }
}

/// The same for models that leave nothing to steal.
fn check_without_thieves(model: fn()) {
    explore(model);
}

/// Runs `model` under schedules of each kind, and tells how many jobs were taken. None: it ran only under those that were asked for.
fn explore(model: fn()) -> Option<u64> {
    let iterations = var("FILCH_ITERATIONS").map_or(ITERATIONS, |n| n.parse().expect("a number"));
    explore_times(model, iterations)
}

fn var(name: &str) -> Option<String> {
    env::var(name).ok()
}

/// The same, under so many schedules of each kind.
fn explore_times(
    model: impl Fn() + Clone + Send + Sync + 'static,
    iterations: usize,
) -> Option<u64> {
    // The global pool and the memory of call sites are the process's. A model that failed has left them in any state, so those after it fail, too.
    static ONE_BY_ONE: Mutex<()> = Mutex::new(());
    let _turn = ONE_BY_ONE.lock().expect("no model failed before this one");
    tell_lost_wake_ups();
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seed = now.map_or(1, |now| now.as_nanos() as u64);
    let mut config = Config::new();
    config.stack_size = 1 << 20;
    config.silence_warnings = true;
    config.max_steps = MaxSteps::FailAfter(300_000);
    let once = move || {
        model();
        filch::end_model();
    };
    if let Some(schedule) = var("FILCH_SCHEDULE") {
        Runner::new(ReplayScheduler::new_from_encoded(&schedule), config).run(once);
        return None;
    }
    STOLEN.store(0, Ordering::Relaxed);
    Runner::new(
        RandomScheduler::new_from_seed(seed, iterations),
        config.clone(),
    )
    .run(once.clone());
    if var("SHUTTLE_RANDOM_SEED").is_some() {
        return None;
    }
    Runner::new(PctScheduler::new_from_seed(seed, 3, iterations), config).run(once);
    // While it is this model's turn: the next one counts anew.
    Some(STOLEN.load(Ordering::Relaxed))
}

/// Says of a deadlock whether time would have ended it.
fn tell_lost_wake_ups() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            hook(info);
            let text = info.payload().downcast_ref::<String>();
            let waits = filch::timed_waits();
            if waits > 0 && text.is_some_and(|text| text.starts_with("deadlock!")) {
                eprintln!("lost wake-up: {waits} of these threads wait with a time limit, which only hides that no thread wakes them");
            }
        }));
    });
}

/// Counts what a pool's threads took from each other.
fn took(stats: Stats) {
    STOLEN.fetch_add(stats.steals - stats.failed_steals, Ordering::Relaxed);
}

thread_local! {
    /// Where the pools of a model cut iterators. All threads of a model are one of the system's.
    static CUTS: Cell<Cuts> = const { Cell::new(Cuts::Adaptive) };
}

/// A pool whose threads are the model's.
struct Pool {
    pool: ThreadPool,
    threads: Vec<JoinHandle<()>>,
}

impl Pool {
    fn new(threads: usize) -> Pool {
        let mut started = Vec::new();
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .spawn_handler(|thread| {
                started.push(thread::spawn(|| thread.run()));
                Ok(())
            })
            .build()
            .expect("its threads start");
        pool.force_cuts(CUTS.get());
        Pool {
            pool,
            threads: started,
        }
    }

    /// Drops the pool, whose threads have to end.
    fn stop(self) {
        took(self.pool.stats());
        self.pool.shutdown();
        join(self.threads);
    }
}

impl Deref for Pool {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        &self.pool
    }
}

/// Builds the global pool, which has guests.
fn global(threads: usize) -> Vec<JoinHandle<()>> {
    let mut started = Vec::new();
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .guests(true)
        .spawn_handler(|thread| {
            started.push(thread::spawn(|| thread.run()));
            Ok(())
        })
        .build_global()
        .expect("no global pool before");
    started
}

/// Stops the global pool, whose threads have to end.
fn stop_global(threads: Vec<JoinHandle<()>>) {
    took(filch::stats());
    filch::end_model();
    join(threads);
}

fn join(threads: Vec<JoinHandle<()>>) {
    for thread in threads {
        thread.join().expect("a thread of the model");
    }
}

/// Which thread runs under which index: never two threads at once.
struct Seats(Vec<Mutex<(Option<ThreadId>, usize)>>);

impl Seats {
    fn new(threads: usize) -> Seats {
        Seats((0..threads).map(|_| Mutex::new((None, 0))).collect())
    }

    /// Lets other threads run while this one has its index.
    fn occupy(&self) {
        let index = filch::current_thread_index().expect("on a seat");
        let me = Some(thread::current().id());
        let seat = || self.0[index].lock().unwrap();
        {
            let mut seat = seat();
            assert!(
                seat.1 == 0 || seat.0 == me,
                "two threads have index {index}"
            );
            *seat = (me, seat.1 + 1);
        }
        thread::yield_now();
        seat().1 -= 1;
    }
}

/// A recursion of joins down to single leaves. Each leaf notes that its thread is in its seat.
fn fib(n: u64, seats: &Seats) -> u64 {
    if n < 2 {
        seats.occupy();
        return n;
    }
    let (a, b) = filch::join(|| fib(n - 1, seats), || fib(n - 2, seats));
    a + b
}

fn bump(count: &AtomicUsize) {
    count.fetch_add(1, Ordering::Relaxed);
}
