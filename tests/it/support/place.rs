//! The places a test runs in: pools of several sizes, and outside of every pool.

use super::effort::cases;
use super::panics::{Tells, hook_panics};
use filch::iter::plumbing::{Cuts, force_cuts};
use filch::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};

/// One thread, as many as a small machine has, an odd number, and more than a small machine has.
pub const SIZES: [usize; 4] = [1, 2, 3, 8];

static POOLS: [OnceLock<ThreadPool>; SIZES.len()] = [const { OnceLock::new() }; SIZES.len()];
/// Set by the thread that built a pool, once it is there. ThreadSanitizer sees this, but not what std's `OnceLock` does.
static THERE: [AtomicBool; SIZES.len()] = [const { AtomicBool::new(false) }; SIZES.len()];

/// The pool of this size that all tests share. A test that blocks or that counts threads should
/// build a pool of its own.
pub fn pool(threads: usize) -> &'static ThreadPool {
    let at = SIZES.iter().position(|&n| n == threads);
    let at = at.expect("a size from SIZES");
    let mut is_new = false;
    let pool = POOLS[at].get_or_init(|| {
        tell_stolen();
        is_new = true;
        ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .expect("threads for the tests")
    });
    if is_new {
        THERE[at].store(true, Ordering::Release);
    }
    while !THERE[at].load(Ordering::Acquire) {
        std::thread::yield_now();
    }
    pool
}

/// The pools of three threads that cut iterators everywhere, and by the toss of a coin; all tests share them.
fn cutting_pool(always: bool) -> &'static ThreadPool {
    static POOLS: [OnceLock<ThreadPool>; 2] = [const { OnceLock::new() }; 2];
    POOLS[usize::from(always)].get_or_init(|| {
        let pool = ThreadPoolBuilder::new().num_threads(3).build();
        let pool = pool.expect("threads for the tests");
        pool.force_cuts(if always {
            Cuts::Always
        } else {
            Cuts::Random(7)
        });
        pool
    })
}

/// Makes the shared pools, and the global one, cut as `cuts` says: for a process of the test's own.
pub fn force_everywhere(cuts: Cuts) {
    force_cuts(cuts);
    SIZES.into_iter().for_each(|n| pool(n).force_cuts(cuts));
}

/// How many pieces of iterators were taken by another thread, in all shared pools and the global one.
pub fn pieces_taken() -> u64 {
    let shared = SIZES.into_iter().map(|n| pool(n).stats());
    let cutting = [false, true].map(|always| cutting_pool(always).stats());
    let all = shared.chain(cutting).chain([filch::stats()]);
    all.map(|stats| stats.pieces).sum()
}

/// If `FILCH_TEST_STOLEN` is set, the process says in the end how many pieces the threads of these pools took from each other. A sanitizer that
/// watches threads has seen nothing if they took none.
fn tell_stolen() {
    #[cfg(unix)]
    if std::env::var_os("FILCH_TEST_STOLEN").is_some() {
        extern "C" fn tell() {
            let stats = POOLS.iter().filter_map(|pool| Some(pool.get()?.stats()));
            let stolen: u64 = stats
                .map(|stats| stats.steals.saturating_sub(stats.failed_steals))
                .sum();
            eprintln!("stolen: {stolen}");
        }
        static ONCE: std::sync::Once = std::sync::Once::new();
        // SAFETY: the function has the type that is asked for, stays as long as the process, and cannot unwind, as `extern "C"` does not.
        ONCE.call_once(|| _ = unsafe { libc::atexit(tell) });
    }
}

/// Where a parallel computation is started from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Place {
    /// On a thread of the shared pool of this size.
    Pool(usize),
    /// On a thread of a shared pool that cuts iterators wherever it can.
    CutEverywhere,
    /// On a thread of a shared pool that cuts iterators by the toss of a coin.
    CutAtRandom,
    /// On a thread of the test's own, so that the global pool does the work.
    Outside,
}

impl Place {
    /// Every place there is.
    pub fn all() -> impl Iterator<Item = Place> {
        Place::uncut().chain([Place::CutEverywhere, Place::CutAtRandom])
    }

    /// Every second place, and in the next round the others; all of them in each round if more cases are asked for.
    pub fn some(round: usize) -> impl Iterator<Item = Place> {
        let step = if cases(1) == 1 { 2 } else { 1 };
        Place::all().skip(round % step).step_by(step)
    }

    /// Every place where iterators are cut as they are for users.
    pub fn uncut() -> impl Iterator<Item = Place> {
        SIZES.into_iter().map(Place::Pool).chain([Place::Outside])
    }

    /// Runs `f` there.
    pub fn run<R: Send>(self, f: impl FnOnce() -> R + Send) -> R {
        let mut f = Some(f);
        let mut result = None;
        self.run_unit(&mut || result = f.take().map(|f| f()));
        result.expect("the closure ran")
    }

    /// The same for one type, so that the machinery behind it is not compiled for each test.
    fn run_unit(self, f: &mut (dyn FnMut() + Send)) {
        hook_panics();
        let _tells = Tells;
        match self {
            Place::Pool(threads) => pool(threads).install(f),
            Place::CutEverywhere => cutting_pool(true).install(f),
            Place::CutAtRandom => cutting_pool(false).install(f),
            Place::Outside => {
                assert_eq!(filch::current_thread_index(), None);
                f();
            }
        }
    }
}
