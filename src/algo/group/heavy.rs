//! Heavy keys, which have a large share of the dealt items. They are found by a sample of the hashes.

use std::mem;

/// How many hashes are looked at.
const SAMPLE: usize = 1 << 10;
/// A key that has this many of them is heavy.
const HEAVY: usize = 8;
/// The longest stride between hashes of a sample; a power of two.
const STRIDE: usize = 64;

/// What is known of the keys of the items that a fold deals.
pub(super) struct Heavy {
    /// The hashes of heavy keys, sorted.
    hashes: Vec<u64>,
    /// One of each `stride` hashes.
    sample: Vec<u64>,
    stride: usize,
}

/// What a sample says.
pub(super) enum Sampled {
    Same,
    /// There are other heavy keys than before.
    Others,
    /// There are few keys, so that a table pays for all of them.
    Few,
}

impl Heavy {
    pub(super) const fn new() -> Self {
        Heavy {
            hashes: Vec::new(),
            sample: Vec::new(),
            stride: 1,
        }
    }

    #[inline]
    pub(super) fn has(&self, hash: u64) -> bool {
        !self.hashes.is_empty() && self.hashes.binary_search(&hash).is_ok()
    }

    /// Takes the hash of item number `seen`; says whether the sample is full.
    #[inline]
    pub(super) fn fills_up(&mut self, hash: u64, seen: usize) -> bool {
        if seen & (self.stride - 1) != 0 {
            return false;
        }
        self.sample.push(hash);
        self.sample.len() >= SAMPLE
    }

    /// What the sample says. Begins another one.
    #[inline(never)]
    pub(super) fn judge(&mut self) -> Sampled {
        self.stride = (2 * self.stride).min(STRIDE);
        self.sample.sort_unstable();
        let (mut heavy, mut light, mut kinds) = (Vec::new(), 0, 0);
        for run in self.sample.chunk_by(|a, b| a == b) {
            if run.len() >= HEAVY {
                heavy.push(run[0]);
            } else {
                light += run.len();
                kinds += 1;
            }
        }
        self.sample.clear();
        // One key that comes ever again would not make a table pay for the others.
        if 2 * kinds <= light {
            self.hashes.clear();
            return Sampled::Few;
        }
        let before = mem::replace(&mut self.hashes, heavy);
        if self
            .hashes
            .iter()
            .any(|hash| before.binary_search(hash).is_err())
        {
            return Sampled::Others;
        }
        self.hashes = before;
        Sampled::Same
    }
}
