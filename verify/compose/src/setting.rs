//! Under what a chain is run: how many items, where, at what cost, and cut how.

use crate::cost::Cost;
use filch::ThreadPool;
use filch::iter::plumbing::Cuts;
use std::fmt;
use std::sync::OnceLock;

/// The lengths of sources, and how many runs each place has with each. What takes long has fewer.
const LENGTHS: [(usize, usize); 8] = [
    (0, 2),
    (1, 2),
    (2, 2),
    (3, 2),
    (7, 2),
    (64, 4),
    (1_000, 3),
    (10_000, 1),
];

/// No chain handles many more items at once than this.
pub const MOST_ITEMS: usize = 20_000;

/// Where a chain is called: in a pool of so many threads, or with 0 from outside of any pool.
pub const PLACES: [usize; 5] = [0, 1, 2, 3, 8];

/// What closures cost.
pub const COSTS: [Cost; 3] = [Cost::None, Cost::Even, Cost::Few];

/// Where iterators are cut. Most runs are cut as a user's are.
pub const CUTS: [Cuts; 5] = [
    Cuts::Adaptive,
    Cuts::Always,
    Cuts::Adaptive,
    Cuts::Random(1),
    Cuts::Never,
];

/// Each of the costs comes with each of the cuts once in so many turns.
pub const TURNS: usize = COSTS.len() * CUTS.len();

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

/// The lengths for a chain that makes `growth` items of one, and how many runs each place has with each: those of [`LENGTHS`] that make no more items than a
/// chain may, and one that makes as many as it may.
fn lengths(growth: usize) -> Vec<(usize, usize)> {
    let longest = MOST_ITEMS / growth;
    let mut lengths = LENGTHS.to_vec();
    lengths.retain(|&(n, _)| n < longest);
    if lengths.len() < LENGTHS.len() {
        lengths.push((longest, 1));
    }
    lengths
}

/// All settings of one round, shorter sources first.
///
/// Not all there are, which would take long, but so that any two things that a setting is made of come together in one of them: each length with each place,
/// each place with each of the cuts, and so on. Other turns have other settings, and [`TURNS`] of them have all.
pub fn settings(growth: usize, turn: usize) -> Vec<Setting> {
    let mut all = Vec::new();
    for (at, (n, runs)) in lengths(growth).into_iter().enumerate() {
        for run in 0..runs {
            for (place, threads) in PLACES.into_iter().enumerate() {
                // Lengths and places go on by one, and there are at least as many of either as costs or cuts. Seven has no factor of theirs.
                let step = at + place + 7 * run + turn;
                all.push(Setting {
                    n,
                    threads,
                    cost: COSTS[step % COSTS.len()],
                    cuts: CUTS[step % CUTS.len()],
                });
            }
        }
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
    let own = PLACES[1..]
        .iter()
        .map(|&threads| pool(threads).stats().taken);
    own.sum::<u64>() + filch::stats().taken
}
