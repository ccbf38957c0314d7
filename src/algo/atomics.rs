//! Atomic numbers and bits, one for each of many elements or nodes, which all threads read and write.
//!
//! They are all that threads tell each other, so their order with other memory does not matter: relaxed. Between steps threads join.
//!
//! To lay them out is O(n) work, and O(n / p) span.

use crate::core::leaf;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use crate::sync::{AtomicU64, AtomicUsize, Ordering::Relaxed};

/// Fewer are laid out by one thread, which takes a few microseconds.
const FEW: usize = 1 << 14;

/// As many values as that, each of them made by `first`.
pub(super) fn lay_out<T: Send>(n: usize, first: impl Fn() -> T + Sync) -> Vec<T> {
    match n < leaf(FEW, 1) {
        true => (0..n).map(|_| first()).collect(),
        false => (0..n).into_par_iter().map(|_| first()).collect(),
    }
}

/// As many numbers, all of which are `first`.
#[inline]
pub(super) fn numbers(n: usize, first: usize) -> Vec<AtomicUsize> {
    lay_out(n, || AtomicUsize::new(first))
}

/// The numbers, when all have been written. This costs nothing: std makes the new vector in the place of the old one.
#[inline]
pub(super) fn plain(numbers: Vec<AtomicUsize>) -> Vec<usize> {
    numbers.into_iter().map(AtomicUsize::into_inner).collect()
}

/// Bits that are not set at first.
pub(super) struct Bits {
    pub(super) words: Vec<AtomicU64>,
}

impl Bits {
    #[inline]
    pub(super) fn new(n: usize) -> Self {
        Bits {
            words: lay_out(n.div_ceil(64), || AtomicU64::new(0)),
        }
    }

    /// Sets the bit number `i`. True: it was not set before, and no other caller is told so. If this thread is `alone`, no other one sets any meanwhile.
    #[inline(always)]
    pub(super) fn set(&self, i: usize, alone: bool) -> bool {
        let (word, bit) = (&self.words[i / 64], 1 << (i % 64));
        // In a search most are set already, and reading does not take the line away from others.
        let before = word.load(Relaxed);
        let new = before & bit == 0;
        if new && alone {
            word.store(before | bit, Relaxed);
            return true;
        }
        new && word.fetch_or(bit, Relaxed) & bit == 0
    }
}
