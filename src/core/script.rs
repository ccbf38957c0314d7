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

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::unwind::catch;
    use std::collections::BTreeSet;
    use std::sync::{Arc, Mutex};

    fn cutting(cuts: Cuts) -> TestHook {
        let hook = TestHook::default();
        hook.force_cuts(cuts);
        hook
    }

    fn sharing(cuts: Cuts) -> TestHook {
        let hook = TestHook::default();
        hook.force_leaves(cuts);
        hook
    }

    fn tosses(seed: u32) -> Vec<bool> {
        let hook = cutting(Cuts::Random(seed));
        (0..1000).map(|_| hook.cut().expect("it is set")).collect()
    }

    #[test]
    fn a_hook_says_nothing_until_it_is_set() {
        let hook = TestHook::default();
        assert!(!hook.is_set() && !hook.is_scripted());
        assert_eq!((hook.cut(), hook.ask(Question::Offer)), (None, None));
        assert_eq!((hook.leaf(7, 3), hook.threads(5)), (7, 5));
    }

    #[test]
    fn cuts_are_as_they_are_forced() {
        for (cuts, says) in [
            (Cuts::Never, Some(false)),
            (Cuts::Always, Some(true)),
            (Cuts::Adaptive, None),
        ] {
            let hook = cutting(cuts);
            assert_eq!((hook.cut(), hook.is_set()), (says, says.is_some()));
            // What algorithms share is set apart.
            assert_eq!((hook.leaf(7, 3), hook.threads(5)), (7, 5));
        }
    }

    #[test]
    fn lengths_and_threads_are_as_they_are_forced() {
        let never = sharing(Cuts::Never);
        assert_eq!((never.leaf(7, 3), never.threads(5)), (usize::MAX, 1));
        let always = sharing(Cuts::Always);
        assert_eq!((always.leaf(7, 3), always.threads(5)), (3, 5));
        assert_eq!((always.threads(1), always.cut()), (2, None));
        let usual = sharing(Cuts::Adaptive);
        assert_eq!((usual.leaf(7, 3), usual.threads(5)), (7, 5));
    }

    #[test]
    fn a_seed_has_tosses_of_its_own_of_which_half_are_cuts() {
        let seeds = [0, 1, 2, 3, u32::MAX];
        for seed in seeds {
            assert_eq!(tosses(seed), tosses(seed));
            let cuts = tosses(seed).into_iter().filter(|&cut| cut).count();
            assert!((400..=600).contains(&cuts), "{cuts}");
        }
        assert_eq!(BTreeSet::from(seeds.map(tosses)).len(), seeds.len());
    }

    /// Each power of two is drawn sooner or later, and nothing else.
    #[test]
    fn random_lengths_and_threads_are_few_and_many() {
        let hook = sharing(Cuts::Random(5));
        let leaves: BTreeSet<_> = (0..1000).map(|_| hook.leaf(7, 10)).collect();
        let expected = [10, 20, 40, 80, 160, 320, 640, usize::MAX];
        assert_eq!(leaves, BTreeSet::from(expected));
        let threads: BTreeSet<_> = (0..1000).map(|_| hook.threads(5)).collect();
        assert_eq!(threads, BTreeSet::from([2, 3, 8, 64]));
        let longest = usize::MAX / 2;
        assert!((0..1000).all(|_| hook.leaf(7, longest) >= longest));
    }

    #[test]
    fn a_script_is_asked_and_there_is_one_at_most() {
        struct Tells(Arc<Mutex<Vec<Question>>>, usize);
        impl Script for Tells {
            fn answer(&self, question: Question) -> usize {
                self.0.lock().unwrap().push(question);
                self.1
            }
        }
        let asked = Arc::new(Mutex::new(Vec::new()));
        for (answer, cut) in [(0, false), (1, true), (2, false)] {
            let hook = TestHook::default();
            hook.follow(Box::new(Tells(Arc::clone(&asked), answer)));
            assert!(hook.is_set() && hook.is_scripted());
            assert_eq!(hook.cut(), Some(cut));
            assert_eq!(hook.ask(Question::Block(9)), Some(answer));
            let questions = std::mem::take(&mut *asked.lock().unwrap());
            assert_eq!(questions, [Question::Cut, Question::Block(9)]);
            let another = Box::new(Tells(Arc::clone(&asked), answer));
            assert!(catch(|| hook.follow(another)).is_err());
        }
    }

    /// What SplitMix64 gives first from the seed 0, as others have published it.
    #[test]
    fn random_numbers_are_those_of_split_mix() {
        let expected = [
            0xE220_A839_7B1D_CDAF,
            0x6E78_9E6A_A1B9_65F4,
            0x06C4_5D18_8009_454F,
        ];
        assert_eq!([1, 2, 3].map(mixed), expected);
    }
}
