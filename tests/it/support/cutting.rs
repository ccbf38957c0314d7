//! Whether threads steal the work of algorithms that cut by length: sorts and others.

use super::within::within;
use filch::iter::plumbing::Cuts;
use filch::{ThreadPool, ThreadPoolBuilder};

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
            pool.force_leaves(cuts);
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
