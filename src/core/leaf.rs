//! How an algorithm shares its work where a test says where to cut.
//!
//! Loops of iterators are cut by measured time; the driver asks the pool's hook itself. Sorts, merges and selections cut by length, and ask
//! here: so a test with a few elements runs what otherwise only many thousands of them run. That is a setting of its own, because many
//! elements with such leaves take too long. A script knows only the questions of the driver.

use super::current_pool::current_pool;
use super::meter;
use super::pool::Pool;
use super::script::Cuts;
use crate::sync::{AtomicBool, Ordering::Relaxed};

/// Whether a pool of this process was ever told where to cut. In other programs this is all that is looked at, and no pool is looked for, or
/// started, on account of a few elements. It publishes nothing: relaxed. A thread that is to know has it from the one that told the pool.
static TOLD: AtomicBool = AtomicBool::new(false);

/// Makes algorithms in `pool` cut as `cuts` says.
pub(super) fn force_leaves(pool: &Pool, cuts: Cuts) {
    TOLD.store(true, Relaxed);
    pool.test_hook.force_leaves(cuts);
}

/// How much one thread does alone at most: `usual`, if no test says where the current pool cuts. To ask is one relaxed load.
///
/// If one does, it is `least` where all is cut, and with that the algorithm has to be right and to end. It is `usize::MAX` where nothing is
/// cut, and by the throw of a die some number from `least` on where dice decide: so two calls may give two answers.
#[inline]
pub(crate) fn leaf(usual: usize, least: usize) -> usize {
    match TOLD.load(Relaxed) {
        false => usual,
        true => told_leaf(usual, least),
    }
}

#[cold]
fn told_leaf(usual: usize, least: usize) -> usize {
    current_pool().test_hook.leaf(usual, least)
}

/// For how many threads to share work: for as many as there are, if no test says where the current pool cuts. If one does, for two at least, or
/// for one where nothing is cut, or for a number that a die gives.
pub(crate) fn threads() -> usize {
    meter::threads().unwrap_or_else(|| {
        let pool = current_pool();
        pool.test_hook.threads(pool.num_threads())
    })
}

#[cfg(test)]
mod tests {
    use super::{leaf, threads};
    use crate::ThreadPoolBuilder;
    use crate::core::{Cuts, Question, Script};
    use std::collections::BTreeSet;

    #[test]
    fn a_test_says_how_long_leaves_are() {
        let pool = |n: usize| ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        for (n, cuts, leaves, most) in [
            (1, Cuts::Adaptive, (100, 5), 1),
            (1, Cuts::Never, (usize::MAX, usize::MAX), 1),
            (1, Cuts::Always, (3, 0), 2),
            (3, Cuts::Adaptive, (100, 5), 3),
            (3, Cuts::Never, (usize::MAX, usize::MAX), 1),
            (3, Cuts::Always, (3, 0), 3),
        ] {
            let pool = pool(n);
            pool.force_leaves(cuts);
            let said = pool.install(|| ((leaf(100, 3), leaf(5, 0)), threads()));
            assert_eq!(said, (leaves, most), "{n} {cuts:?}");
        }
    }

    #[test]
    fn dice_give_leaves_of_many_lengths() {
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let thrown = |seed| {
            pool.force_leaves(Cuts::Random(seed));
            let all = (0..300).map(|_| pool.install(|| (leaf(100, 3), threads())));
            all.collect::<BTreeSet<_>>()
        };
        let all = thrown(1);
        let leaves: BTreeSet<usize> = all.iter().map(|said| said.0).collect();
        let lengths = [3, 6, 12, 24, 48, 96, 192, usize::MAX];
        assert!(leaves.iter().eq(&lengths), "{leaves:?}");
        let counts: BTreeSet<usize> = all.iter().map(|said| said.1).collect();
        assert!(counts.into_iter().eq([2, 3, 8, 64]));
    }

    /// It knows the questions of the driver, and no others.
    #[test]
    fn a_script_is_not_asked() {
        struct Mute;
        impl Script for Mute {
            fn answer(&self, question: Question) -> usize {
                panic!("{question:?}")
            }
        }
        let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        pool.follow(Box::new(Mute));
        assert_eq!(pool.install(|| (leaf(100, 3), threads())), (100, 1));
    }
}
