//! Pools that are told where to cut, for algorithms that cut by length: sorts and others.

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
        pool.force_leaves(cuts);
        pool
    })
}
