//! What is measured at a desk beside the counters: how long its thread searched and slept, how long blocks and wake-ups took.
//!
//! Called where a thread has nothing to do, and between blocks of some 10 us, never on the path of a private join. Models have a stand-in for this file
//! that does nothing.

use super::clock;
use super::event::Kind;
use super::histogram::{Buckets, add};
#[cfg(feature = "trace")]
use super::recorder::{Identity, Tape};
use crate::sync::{AtomicU64, Ordering};

/// The measurements of one desk. All but `called` is written only by the thread at it.
#[derive(Default)]
pub(crate) struct Probe {
    /// Blocks of parallel iterators, from one look to the next.
    pub(crate) leaf: Buckets,
    /// From a call for a sleeper until it went on.
    pub(crate) wake: Buckets,
    /// Ticks that were spent looking for work.
    pub(crate) searched: AtomicU64,
    /// Ticks that were slept through.
    pub(crate) slept: AtomicU64,
    /// When the search began that goes on; 0 if there is none.
    searches: AtomicU64,
    /// When the sleep began that goes on; 0 if there is none.
    sleeps: AtomicU64,
    /// When the thread was called last.
    called: AtomicU64,
    /// What is recorded of this desk.
    #[cfg(feature = "trace")]
    pub(crate) tape: Tape,
}

/// A number for a pool that is being made.
pub(crate) fn next_pool() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// What stands for a region's name.
pub(crate) fn region(name: &'static str) -> u64 {
    #[cfg(feature = "trace")]
    return super::recorder::region(name);
    #[cfg(not(feature = "trace"))]
    return name.len() as u64;
}

impl Probe {
    /// Whose desk this is: number `home` of a pool, or a guest's.
    pub(crate) fn introduce(&self, pool: u64, desk: usize, home: Option<usize>) {
        #[cfg(feature = "trace")]
        self.tape.introduce(Identity {
            pool,
            desk: desk as u64,
            home: home.map(|home| home as u64),
        });
        #[cfg(not(feature = "trace"))]
        let _ = (pool, desk, home);
    }

    /// Notes what the thread at this desk does, if anything is recorded.
    #[inline(always)]
    pub(crate) fn note(&self, kind: Kind, number: impl FnOnce() -> u64) {
        #[cfg(feature = "trace")]
        self.tape.note(kind, number);
        #[cfg(not(feature = "trace"))]
        let _ = (kind, number);
    }

    /// A block took so many ticks.
    #[inline]
    pub(crate) fn block(&self, ticks: u64) {
        self.leaf.count(ticks);
    }

    /// The thread at this desk looks for work from now on, or no more.
    #[inline]
    pub(crate) fn search(&self, searches: bool) {
        let since = self.searches.load(Ordering::Relaxed);
        if searches != (since != 0) {
            self.turn(&self.searches, &self.searched, searches);
            self.note(if searches { Kind::Search } else { Kind::Found }, || 0);
        }
    }

    /// The thread at this desk goes to sleep.
    pub(crate) fn sleep(&self) {
        self.search(false);
        self.turn(&self.sleeps, &self.slept, true);
        self.note(Kind::Sleep, || 0);
    }

    /// It has been called, and goes on.
    pub(crate) fn get_up(&self) {
        self.turn(&self.sleeps, &self.slept, false);
        let called = self.called.load(Ordering::Relaxed);
        let latency = clock::ticks().saturating_sub(called);
        self.wake.count(latency);
        self.note(Kind::Up, || latency);
    }

    /// Somebody calls the thread at this desk, and the call is published after this.
    pub(crate) fn call(&self) {
        self.called.store(clock::ticks(), Ordering::Relaxed);
    }

    #[cold]
    fn turn(&self, since: &AtomicU64, total: &AtomicU64, begins: bool) {
        let now = clock::ticks().max(1);
        let before = since.load(Ordering::Relaxed);
        since.store(if begins { now } else { 0 }, Ordering::Relaxed);
        if before != 0 {
            add(total, now.saturating_sub(before));
        }
    }

    /// Ticks that were spent looking for work, and asleep, with what goes on now.
    pub(crate) fn idle_ticks(&self) -> [u64; 2] {
        let now = clock::ticks();
        let all = |total: &AtomicU64, since: &AtomicU64| {
            let going_on = match since.load(Ordering::Relaxed) {
                0 => 0,
                since => now.saturating_sub(since),
            };
            total.load(Ordering::Relaxed) + going_on
        };
        [
            all(&self.searched, &self.searches),
            all(&self.slept, &self.sleeps),
        ]
    }
}
