//! Pools that are told where to cut, for algorithms that cut by length: sorts and others.

use super::within::within;
use filch::iter::plumbing::Cuts;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;

/// How pools cut, and on how many threads. With one thread all goes the same way each time, so that a panic can be planted at each call.
pub const CUTTINGS: [(usize, Cuts); 7] = [
    (1, Cuts::Always),
    (3, Cuts::Always),
    (8, Cuts::Always),
    (1, Cuts::Random(5)),
    (1, Cuts::Random(6)),
    (3, Cuts::Random(7)),
    (2, Cuts::Never),
];

/// The pool that cuts in this way, which all tests of a binary share.
pub fn told_pool(at: usize) -> &'static ThreadPool {
    static POOLS: [OnceLock<ThreadPool>; CUTTINGS.len()] =
        [const { OnceLock::new() }; CUTTINGS.len()];
    POOLS[at].get_or_init(|| {
        let (threads, cuts) = CUTTINGS[at];
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads for the tests");
        pool.force_cuts(cuts);
        pool
    })
}

/// Runs `work` in a pool of its own that cuts everywhere, again and again, until a thread has taken a job of it from another one that is no
/// piece of a loop. Where nothing is cut, no job is taken.
#[track_caller]
pub fn stolen_of(work: impl Fn() + Send + Sync + 'static) {
    within(60, move || {
        let stolen = |pool: &ThreadPool| {
            let stats = pool.stats();
            stats
                .steals
                .saturating_sub(stats.failed_steals + stats.pieces)
        };
        let pool = |cuts| {
            let pool = ThreadPoolBuilder::new().num_threads(3).build();
            let pool = pool.expect("threads for the test");
            pool.force_cuts(cuts);
            pool
        };
        let whole = pool(Cuts::Never);
        whole.install(&work);
        assert_eq!(stolen(&whole), 0);
        let cut = pool(Cuts::Always);
        while stolen(&cut) == 0 {
            cut.install(&work);
        }
    });
}
