//! Where and how a target runs: on one of a few pools, with iterators cut here or there.

use crate::bytes::Bytes;
use filch::iter::plumbing::Cuts;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::OnceLock;

const CUTS: [Cuts; 4] = [Cuts::Adaptive, Cuts::Always, Cuts::Random(1), Cuts::Never];

/// Runs `f` where the next bytes say.
pub fn somewhere<R: Send>(bytes: &mut Bytes<'_>, f: impl FnOnce() -> R + Send) -> R {
    static POOLS: [OnceLock<ThreadPool>; 4] = [const { OnceLock::new() }; 4];
    let build = |threads| {
        // Stacks that a deep recursion would end.
        let builder = ThreadPoolBuilder::new().stack_size(1 << 20);
        let pool = builder.num_threads(threads).build();
        pool.expect("threads for a pool")
    };
    let cuts = CUTS[bytes.below(CUTS.len())];
    let threads = bytes.below(4) + 1;
    let pool = POOLS[threads - 1].get_or_init(|| build(threads));
    pool.force_cuts(cuts);
    pool.install(f)
}

/// What `f` gives; `None` if it panics.
pub fn caught<R>(f: impl FnOnce() -> R) -> Option<R> {
    catch_unwind(AssertUnwindSafe(f)).ok()
}
