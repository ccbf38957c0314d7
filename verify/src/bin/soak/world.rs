//! What the programs are run with: pools and threads of the system.

use filch::iter::plumbing::{Cuts, force_cuts};
use filch::{ThreadPool, ThreadPoolBuilder};
use std::ops::Deref;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};
use std::thread;
use std::time::Duration;

/// A pool, which the watchdog may look at.
pub struct Pool(Arc<ThreadPool>);

/// Where pools cut iterators, the global one included.
static CUTS: OnceLock<Cuts> = OnceLock::new();

/// Makes all pools cut so, before the first is built.
pub fn cut(cuts: Cuts) {
    force_cuts(cuts);
    CUTS.set(cuts).expect("it is said once where to cut");
}

/// All pools there are.
static POOLS: Mutex<Vec<Weak<ThreadPool>>> = Mutex::new(Vec::new());

impl Pool {
    pub fn new(threads: usize) -> Pool {
        // A thread that stays behind tells where it came from.
        static BUILT: AtomicU32 = AtomicU32::new(0);
        let id = BUILT.fetch_add(1, Ordering::Relaxed);
        let builder = ThreadPoolBuilder::new().num_threads(threads);
        let pool = builder.thread_name(move |number| format!("pool{id}-{number}"));
        let pool = Arc::new(pool.build().expect("threads for a pool"));
        pool.force_cuts(CUTS.get().copied().unwrap_or(Cuts::Adaptive));
        let mut pools = POOLS.lock().unwrap();
        pools.retain(|pool| pool.strong_count() > 0);
        pools.push(Arc::downgrade(&pool));
        Pool(pool)
    }

    /// Ends the pool: some wait for its threads, others do not.
    pub fn stop(self) {
        let waits = self.0.current_num_threads().is_multiple_of(2);
        match Arc::into_inner(self.0) {
            Some(pool) if waits => pool.shutdown(),
            pool => drop(pool),
        }
    }
}

impl Deref for Pool {
    type Target = ThreadPool;

    fn deref(&self) -> &ThreadPool {
        &self.0
    }
}

/// What each pool counted, and what its threads do.
pub fn all_pools() -> String {
    // A scope that spawns nothing does not wait.
    let global = filch::in_place_scope(|scope| format!("{scope:?}"));
    let mut text = format!("the global pool: {global}\n{}", filch::stats());
    let pools = POOLS.lock().unwrap();
    for pool in pools.iter().filter_map(Weak::upgrade) {
        text += &format!("a pool: {pool:?}\n{}", pool.stats());
    }
    text
}

/// Where a model may switch threads.
pub fn breathe() {}

pub fn yield_now() {
    thread::yield_now();
}

/// Whether it is no use to look again for something that has to come soon; `brief` where it is known not to come.
pub fn was_enough(looks: u32, brief: bool) -> bool {
    const QUICK: u32 = 100;
    if looks > QUICK {
        thread::sleep(Duration::from_millis(1));
    }
    looks > QUICK + if brief { 20 } else { 20_000 }
}
