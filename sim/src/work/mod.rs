//! What is simulated: loops, trees of joins, and calls made of them.

mod catalogue;
mod ideal;
mod loops;
mod trees;

pub use catalogue::{Caller, IRREGULAR, Workload, named, names, sized};
pub use loops::Loop;
pub use trees::{Node, Tree};

use std::sync::Arc;

/// One thing after the other, as a call does them.
#[derive(Clone, Debug)]
pub enum Step {
    /// Work of this thread alone, in nanoseconds.
    Serial(u64),
    /// A parallel loop.
    Loop(Arc<Loop>),
    /// A recursion with a join at each level.
    Tree(Tree),
    /// A join: the left side, and the right one, which another thread may take.
    Fork(Arc<[Vec<Step>; 2]>),
}

/// A number that looks random, and is the same everywhere: no function of the platform's is in it.
pub(crate) fn hash(of: u64) -> u64 {
    let mut x = of.wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}

/// A number below `n` made of a hash.
pub(crate) fn below(n: u64, hash: u64) -> u64 {
    ((u128::from(hash) * u128::from(n)) >> 64) as u64
}
