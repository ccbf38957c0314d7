//! How many threads look for work, and how many sleep. A *promoter*, a thread that has just made jobs visible to others, reads these counts to decide
//! whether to wake a thread.
//!
//! Threads that have nothing to do write them, and those that wake them. Promoters read them, and so does the driver of loops when it decides whether to
//! cut. They are not on the path of a private join.
//!
//! The hand-shake (event count): a promoter pushes, fences, then reads these counts; a sleeper registers here, fences, then looks
//! through every queue once more before it parks. One of the two sees the other. A thread that stops searching owes promoters the same look, because they
//! may have relied on it. Only the last searcher has to look, so a sleeper that leaves another one searching may park without a look. The hand-shake is
//! written with fences, not with sequentially consistent accesses, because the model checker understands fences. The counts themselves order nothing.

use super::root::{KINDS, Root};
use crate::sync::{AtomicU32, AtomicU64, Ordering, fence, planted};
use crossbeam_utils::CachePadded;
use std::array;

const SEARCHER: u64 = 1;
const SLEEPER: u64 = 1 << 32;

#[derive(Debug)]
pub(crate) struct Idle {
    /// Two counts in one word, so that a change of both is one step.
    counts: CachePadded<AtomicU64>,
    /// How many threads look for something to do while they wait: first those that help with any work, then those bound to a root, by its kind. A hint for
    /// threads that could share, and no part of the hand-shake.
    hungry: CachePadded<[AtomicU32; 1 + KINDS]>,
    /// How many threads have found nothing to do in a patient wait for work of this pool, and look or nap, with a right in hand, until they find something.
    patient: CachePadded<AtomicU32>,
}

/// What the counts were at one moment.
#[derive(Clone, Copy)]
pub(crate) struct Counts(u64);

impl Counts {
    pub(crate) fn searching(self) -> u32 {
        self.0 as u32
    }
    /// A worker may be called and counted out before it has counted itself in. For that moment the count is one too low, and may be below 0.
    pub(crate) fn asleep(self) -> u32 {
        ((self.0 >> 32) as u32 as i32).max(0) as u32
    }
}

impl Idle {
    pub(crate) fn new() -> Self {
        Idle {
            counts: CachePadded::new(AtomicU64::new(0)),
            hungry: CachePadded::new(array::from_fn(|_| AtomicU32::new(0))),
            patient: CachePadded::new(AtomicU32::new(0)),
        }
    }

    /// The counts, read without a fence: no hand-shake may rely on them.
    pub(crate) fn counts(&self) -> Counts {
        Counts(self.counts.load(Ordering::Relaxed))
    }

    /// A promoter's look, after it made work visible.
    pub(crate) fn counts_after_push(&self) -> Counts {
        if !planted!("fence") {
            fence(Ordering::SeqCst);
        }
        self.counts()
    }

    /// A thread starts to look for work.
    pub(crate) fn start_search(&self) {
        self.counts.fetch_add(SEARCHER, Ordering::Relaxed);
    }

    /// A searcher found something or gives up. True: it was the last one, and has to look for work that promoters left to it.
    pub(crate) fn end_search(&self) -> bool {
        let last = Counts(self.counts.fetch_sub(SEARCHER, Ordering::Relaxed)).searching() <= 1;
        if last {
            fence(Ordering::SeqCst);
        }
        last
    }

    /// A searcher registers as a sleeper; it has to call [`Idle::settle`] and look once more before it parks. False: it need not, because others search.
    pub(crate) fn search_to_sleep(&self) -> bool {
        let before = self.counts.fetch_add(SLEEPER - SEARCHER, Ordering::Relaxed);
        Counts(before).searching() <= 1
    }

    /// A sleeper becomes a searcher: by its own decision, or by that of the waker that calls it.
    pub(crate) fn sleep_to_search(&self) {
        self.counts
            .fetch_sub(SLEEPER.wrapping_sub(SEARCHER), Ordering::Relaxed);
    }

    /// A thread is about to sleep inside a wait.
    pub(crate) fn start_sleep(&self) {
        self.counts.fetch_add(SLEEPER, Ordering::Relaxed);
    }

    /// A thread gets up although no other thread has called it.
    pub(crate) fn end_sleep(&self) {
        self.counts.fetch_sub(SLEEPER, Ordering::Relaxed);
    }

    /// The sleeper's half of the hand-shake, between registering and the last look. Other hand-shakes rely on this fence, too: those of the
    /// lists of bound sleepers and of callers (`sleep_in_wait` in `wait.rs`), and that of mail (`deliver.rs`).
    pub(crate) fn settle(&self) {
        if !planted!("settle") {
            fence(Ordering::SeqCst);
        }
    }

    /// Whether some thread that waits would take work of `root` meanwhile.
    pub(crate) fn is_hungry(&self, root: Root) -> bool {
        let hungry = |kind: usize| self.hungry[kind].load(Ordering::Relaxed) > 0;
        hungry(0) || root.and_above().any(|root| hungry(place(Some(root))))
    }

    /// The count of threads that look for something to do while they wait, bound to `bound`.
    pub(crate) fn count_hungry(&self, bound: Option<Root>) -> Counted<'_> {
        Counted::new(&self.hungry[place(bound)])
    }

    /// The count of threads that have found nothing to do in a patient wait for work of this pool.
    pub(crate) fn count_patient(&self) -> Counted<'_> {
        Counted::new(&self.patient)
    }

    /// How many threads are in patient waits and find nothing. A hint.
    pub(crate) fn patient(&self) -> usize {
        self.patient.load(Ordering::Relaxed) as usize
    }

    /// How many threads look for something to do while they wait.
    #[cfg(filch_loom)]
    pub(crate) fn hungry(&self) -> u32 {
        let counts = self.hungry.iter();
        counts.map(|count| count.load(Ordering::Relaxed)).sum()
    }
}

/// The index of the count in which a waiting thread is, by the kind of the root that it is bound to. Roots of one kind share a count, which costs an offer in vain.
fn place(bound: Option<Root>) -> usize {
    bound.map_or(0, |root| 1 + root.kind())
}

/// One thread's share in a count: it is in or out, and out when this is dropped.
pub(crate) struct Counted<'a> {
    count: &'a AtomicU32,
    is_in: bool,
}

impl<'a> Counted<'a> {
    fn new(count: &'a AtomicU32) -> Self {
        Counted {
            count,
            is_in: false,
        }
    }

    /// Whether this thread is in from now on.
    pub(crate) fn set(&mut self, is_in: bool) {
        if self.is_in == is_in {
            return;
        }
        self.is_in = is_in;
        if is_in {
            self.count.fetch_add(1, Ordering::Relaxed);
        } else {
            self.count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.set(false);
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::fresh::new_isolated_root;
    use crate::core::sub_root::SubRoot;

    /// It owes promoters a look.
    #[test]
    fn the_last_one_that_ends_a_search_is_told() {
        let idle = Idle::new();
        let counts = || (idle.counts().searching(), idle.counts().asleep());
        (0..4).for_each(|_| idle.start_search());
        assert!(!idle.end_search() && !idle.search_to_sleep());
        assert_eq!(counts(), (2, 1));
        assert!(!idle.search_to_sleep() && idle.search_to_sleep());
        assert_eq!(counts(), (0, 3));
        idle.sleep_to_search();
        assert!(idle.end_search());
        idle.end_sleep();
        assert_eq!(counts(), (0, 1));
    }

    /// A thread that would run anything is hungry for all work, and one bound to a call for that of the call and of sub-roots below it.
    #[test]
    fn a_thread_that_waits_is_hungry_for_what_it_may_run() {
        let (idle, call) = (Idle::new(), new_isolated_root());
        // Of each kind there is one.
        let of_kind = |kind| {
            let mut below = (0..10_000).map(|_| SubRoot::new(call, false));
            below.find(|below| below.root().kind() == kind).unwrap()
        };
        let below: Vec<_> = (0..KINDS).map(of_kind).collect();
        let hungry = || {
            let below = below.iter().map(|below| below.root());
            below.filter(|&root| idle.is_hungry(root)).count()
        };
        assert_eq!(hungry(), 0);
        for bound in [None, Some(call)] {
            let mut count = idle.count_hungry(bound);
            count.set(true);
            assert_eq!((hungry(), idle.is_hungry(call)), (KINDS, true));
            assert_eq!(idle.is_hungry(Root::new(1, 1)), bound.is_none());
            drop(count);
            assert_eq!(hungry(), 0);
        }
        for root in &below {
            let mut count = idle.count_hungry(Some(root.root()));
            count.set(true);
            assert_eq!(
                hungry(),
                1 + usize::from(root.root().kind() == call.kind()) * (KINDS - 1)
            );
        }
    }
}
