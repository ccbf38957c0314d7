//! Under what a chain is run: how many items, where, at what cost, and cut how.

use crate::cost::Cost;
use filch::ThreadPool;
use filch::iter::plumbing::Cuts;
use std::fmt;
use std::sync::OnceLock;

/// The lengths of sources.
pub const LENGTHS: [usize; 8] = [0, 1, 2, 3, 7, 64, 1_000, 10_000];

/// Threads of the pools. Nothing stands for a call from outside of any pool.
const POOLS: [usize; 5] = [0, 1, 2, 3, 8];

/// One way to run a chain.
#[derive(Debug, Clone, Copy)]
pub struct Setting {
    /// How many items a source has.
    pub n: usize,
    /// How many threads; 0 for a call from outside.
    pub threads: usize,
    /// What closures cost.
    pub cost: Cost,
    /// Where iterators are cut.
    pub cuts: Cuts,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Setting {
            n,
            threads,
            cost,
            cuts,
        } = self;
        write!(f, "n {n}, ")?;
        match threads {
            0 => write!(f, "from outside")?,
            threads => write!(f, "{threads} threads")?,
        }
        write!(f, ", cost {cost:?}, cuts {cuts:?}")
    }
}

/// All settings of one round with sources of `n` items.
pub fn settings(n: usize) -> Vec<Setting> {
    use Cost::{Even, Few, None};
    use Cuts::{Adaptive, Always, Never, Random};
    let ways: &[(&[usize], Cost, Cuts)] = match n {
        0..64 => &[
            (&POOLS, None, Adaptive),
            (&[2, 3, 8], None, Always),
            (&[0, 3], None, Random(1)),
        ],
        64..1_000 => &[
            (&[0, 1, 2], None, Adaptive),
            (&[2, 3], Even, Adaptive),
            (&[2, 8], Few, Adaptive),
            (&POOLS, None, Always),
            (&[2, 3], Few, Always),
            (&POOLS, None, Random(1)),
            (&[2, 3], Few, Random(1)),
            (&[2], None, Never),
        ],
        1_000..10_000 => &[
            (&[0, 1, 3], None, Adaptive),
            (&POOLS, Even, Adaptive),
            (&POOLS, Few, Adaptive),
            (&[2, 8], Few, Always),
            (&[2, 3], Even, Random(1)),
        ],
        _ => &[
            (&[0, 2], None, Adaptive),
            (&[0, 2, 8], Few, Adaptive),
            (&[3], Few, Random(1)),
        ],
    };
    let mut all = Vec::new();
    for &(pools, cost, cuts) in ways {
        let one = |&threads: &usize| Setting {
            n,
            threads,
            cost,
            cuts,
        };
        all.extend(pools.iter().map(one));
    }
    all
}

/// The pool with so many threads.
pub fn pool(threads: usize) -> &'static ThreadPool {
    static MADE: [OnceLock<ThreadPool>; 9] = [const { OnceLock::new() }; 9];
    MADE[threads].get_or_init(|| {
        let builder = filch::ThreadPoolBuilder::new().num_threads(threads);
        builder.build().expect("threads can be had")
    })
}

/// How many pieces were taken by other threads so far, in all pools.
pub fn pieces_taken() -> u64 {
    let own = POOLS[1..]
        .iter()
        .map(|&threads| pool(threads).stats().taken);
    own.sum::<u64>() + filch::stats().taken
}
