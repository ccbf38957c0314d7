//! A hook for tests: a test decides whether a pool cuts, where the pool otherwise decides by time and demand. Results must not depend on it.

use crate::sync::{AtomicU64, OnceLock, Ordering};
use std::fmt;

/// Where the parallel iterators of a pool are cut, or what sorts and other algorithms share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cuts {
    /// Where it is worth it: the normal case.
    Adaptive,
    /// Nowhere, but where `with_max_len` demands it, or a search from the right of many items.
    Never,
    /// Wherever it is possible, down to single items.
    Always,
    /// By the toss of a coin at each look. On one thread the same seed gives the same tosses.
    Random(u32),
}

impl Cuts {
    /// As a hook keeps it.
    fn number(self) -> u64 {
        match self {
            Cuts::Adaptive => ADAPTIVE,
            Cuts::Never => NEVER,
            Cuts::Always => ALWAYS,
            Cuts::Random(seed) => RANDOM | u64::from(seed) << 32,
        }
    }
}

/// What a pool asks its [`Script`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Question {
    /// Whether to cut here: 0 for no, 1 for yes.
    Cut,
    /// How many of so many items to fold before the next look, less one.
    Block(usize),
    /// What becomes of an offer: 0, it comes back; 1, it is taken, and done before what its owner does meanwhile; 2, after that.
    Offer,
}

/// Tells a pool what to do.
pub trait Script: Send + Sync {
    /// The answer; see [`Question`] for what it may be.
    fn answer(&self, question: Question) -> usize;
}

const ADAPTIVE: u64 = 0;
const NEVER: u64 = 1;
const ALWAYS: u64 = 2;
const RANDOM: u64 = 3;
const SCRIPTED: u64 = 4;

/// What a test has set for a pool, if it has: where to cut, or a script.
#[derive(Default)]
pub(crate) struct TestHook {
    /// One of the numbers above, with the seed behind it.
    how: AtomicU64,
    /// The same for algorithms that cut by length.
    leaves: AtomicU64,
    /// How many coins were tossed.
    tosses: AtomicU64,
    script: OnceLock<Box<dyn Script>>,
}

impl TestHook {
    /// Cuts as `cuts` says from now on.
    pub(crate) fn force_cuts(&self, cuts: Cuts) {
        self.how.store(cuts.number(), Ordering::SeqCst);
    }

    /// Has algorithms that cut by length cut as `cuts` says from now on.
    pub(crate) fn force_leaves(&self, cuts: Cuts) {
        self.leaves.store(cuts.number(), Ordering::SeqCst);
    }

    /// Does as `script` says from now on.
    pub(crate) fn follow(&self, script: Box<dyn Script>) {
        assert!(
            self.script.set(script).is_ok(),
            "the pool follows a script already"
        );
        self.how.store(SCRIPTED, Ordering::SeqCst);
    }

    /// Whether a test has set anything.
    #[inline]
    pub(crate) fn is_set(&self) -> bool {
        self.how.load(Ordering::Relaxed) != ADAPTIVE
    }

    /// Whether to cut, if a test has set that.
    #[inline]
    pub(crate) fn cut(&self) -> Option<bool> {
        if !self.is_set() {
            return None;
        }
        Some(self.decide())
    }

    #[cold]
    fn decide(&self) -> bool {
        let how = self.how.load(Ordering::Relaxed);
        match how & u64::from(u32::MAX) {
            NEVER => false,
            ALWAYS => true,
            SCRIPTED => self.ask(Question::Cut) == Some(1),
            _ => self.toss(how) >> 63 == 0,
        }
    }

    /// The next of the random numbers that `how` to cut gives.
    fn toss(&self, how: u64) -> u64 {
        mixed(how ^ self.tosses.fetch_add(1, Ordering::Relaxed))
    }

    /// See [`leaf`](super::leaf::leaf).
    pub(crate) fn leaf(&self, usual: usize, least: usize) -> usize {
        let how = self.leaves.load(Ordering::Relaxed);
        match how & u64::from(u32::MAX) {
            NEVER => usize::MAX,
            ALWAYS => least,
            RANDOM => match self.toss(how) >> 61 {
                0 => usize::MAX,
                more => least.saturating_mul(1 << (more - 1)),
            },
            _ => usual,
        }
    }

    /// See [`threads`](super::leaf::threads).
    pub(crate) fn threads(&self, threads: usize) -> usize {
        let how = self.leaves.load(Ordering::Relaxed);
        match how & u64::from(u32::MAX) {
            NEVER => 1,
            ALWAYS => threads.max(2),
            // Few, some, and as many as make a difference to what is done.
            RANDOM => [2, 3, 8, 64][(self.toss(how) >> 62) as usize],
            _ => threads,
        }
    }

    /// Whether there is a script.
    pub(crate) fn is_scripted(&self) -> bool {
        self.script.get().is_some()
    }

    /// What the script says, if there is one.
    pub(crate) fn ask(&self, question: Question) -> Option<usize> {
        Some(self.script.get()?.answer(question))
    }
}

impl fmt::Debug for TestHook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TestHook").field("how", &self.how).finish()
    }
}

/// Steele, Lea and Flood's finalizer: close numbers become unrelated ones.
fn mixed(n: u64) -> u64 {
    let n = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ n >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ n >> 31
}
