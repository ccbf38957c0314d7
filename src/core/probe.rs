//! Times that are measured at a desk, beside the counters: how long its thread searched and slept, how long blocks and wake-ups took.
//!
//! It is called when a thread has nothing to do, and between blocks of about 10 us, and not on the path of a private join. In models, a
//! file that does nothing takes its place.

use super::clock;
use super::event::Kind;
use super::histogram::Buckets;
#[cfg(feature = "trace")]
use super::recorder::LazyRecorder;
#[cfg(feature = "trace")]
use super::track::Identity;
#[cfg(feature = "trace")]
use crate::sync::AtomicBool;
use crate::sync::{AtomicU64, Ordering};

/// The measurements of one desk. All but `called` is written only by the thread at it.
#[derive(Default)]
pub(crate) struct Probe {
    /// Blocks of parallel iterators, from one look to the next.
    pub(crate) blocks: Buckets,
    /// From a call for a sleeper until it went on.
    pub(crate) wake: Buckets,
    /// Ticks that were spent looking for work.
    searched: Spent,
    /// Ticks that were slept through.
    slept: Spent,
    /// When the thread was called last.
    called: AtomicU64,
    /// What is recorded of this desk.
    #[cfg(feature = "trace")]
    pub(crate) recorder: LazyRecorder,
    /// The newest of what is offered quietly was to be taken by a thread that was awake then, or woken for it.
    #[cfg(feature = "trace")]
    counted_on: AtomicBool,
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
    /// Whose desk this is: number `worker` of a pool, or a guest's.
    pub(crate) fn introduce(&self, pool: u64, desk: usize, worker: Option<usize>) {
        #[cfg(feature = "trace")]
        self.recorder.introduce(Identity {
            pool,
            desk: desk as u64,
            worker: worker.map(|worker| worker as u64),
        });
        #[cfg(not(feature = "trace"))]
        let _ = (pool, desk, worker);
    }

    /// Notes what the thread at this desk does, if anything is recorded.
    #[inline(always)]
    pub(crate) fn note(&self, kind: Kind, number: impl FnOnce() -> u64) {
        #[cfg(feature = "trace")]
        self.recorder.note(kind, number);
        #[cfg(not(feature = "trace"))]
        let _ = (kind, number);
    }

    /// A job is on offer, not worth a wake-up; whether its owner counts on a thread anyway.
    #[inline(always)]
    pub(crate) fn offered(&self, relies: bool) {
        #[cfg(feature = "trace")]
        self.counted_on.store(relies, Ordering::Relaxed);
        #[cfg(not(feature = "trace"))]
        let _ = relies;
    }

    /// What was offered came back.
    #[inline(always)]
    pub(crate) fn kept(&self, job: impl FnOnce() -> u64) {
        self.offered(false);
        self.note(Kind::Kept, job);
    }

    /// Whether a thread should come for the newest of what is offered here, if there is anything.
    #[cfg(feature = "trace")]
    pub(crate) fn is_counted_on(&self) -> bool {
        self.counted_on.load(Ordering::Relaxed)
    }

    /// A block took so many ticks.
    #[inline]
    pub(crate) fn block(&self, ticks: u64) {
        self.blocks.count(ticks);
    }

    /// The thread at this desk looks for work from now on, or no more.
    #[inline]
    pub(crate) fn search(&self, searches: bool) {
        if searches != self.searched.goes_on() {
            self.searched.turn();
            self.note(if searches { Kind::Search } else { Kind::Found }, || 0);
        }
    }

    /// The thread at this desk goes to sleep.
    pub(crate) fn sleep(&self) {
        self.search(false);
        self.note(Kind::Sleep, || 0);
        self.slept.turn();
    }

    /// It has been called, and goes on.
    pub(crate) fn get_up(&self) {
        self.slept.turn();
        let called = self.called.load(Ordering::Relaxed);
        let latency = clock::ticks().saturating_sub(called);
        self.wake.count(latency);
        self.note(Kind::Up, || latency);
    }

    /// Another thread calls the one at this desk, and the call is published after this.
    pub(crate) fn call(&self) {
        self.called.store(clock::ticks(), Ordering::Relaxed);
    }

    /// Ticks that were spent looking for work, and asleep, with what goes on now.
    pub(crate) fn idle_ticks(&self) -> [u64; 2] {
        [self.searched.so_far(), self.slept.so_far()]
    }
}

/// How many ticks a thread spent at something that begins and ends, again and again. One word, written by that thread, so that a reader sees a
/// whole: twice the ticks; or, while it goes on, twice the ticks less the time when it began, and one.
#[derive(Default)]
struct Spent(AtomicU64);

impl Spent {
    /// It begins, or it ends.
    #[cold]
    fn turn(&self) {
        let word = self.0.load(Ordering::Relaxed);
        let now = clock::ticks();
        let next = match word & 1 {
            0 => (word >> 1).wrapping_sub(now) << 1 | 1,
            _ => Self::with(word, now) << 1,
        };
        self.0.store(next, Ordering::Relaxed);
    }

    fn goes_on(&self) -> bool {
        self.0.load(Ordering::Relaxed) & 1 != 0
    }

    /// The ticks until now.
    fn so_far(&self) -> u64 {
        let word = self.0.load(Ordering::Relaxed);
        match word & 1 {
            0 => word >> 1,
            _ => Self::with(word, clock::ticks()),
        }
    }

    /// The ticks until `now`, of something that goes on.
    fn with(word: u64, now: u64) -> u64 {
        const HALF: u64 = 1 << 62;
        let ticks = (word >> 1).wrapping_add(now) & (2 * HALF - 1);
        // Clocks of two processors may differ a little: never less than nothing.
        if ticks < HALF { ticks } else { 0 }
    }
}

#[cfg(all(test, not(filch_shuttle)))]
mod tests {
    use super::*;
    use crate::core::clock::mock;
    use std::time::Duration;

    #[test]
    fn no_two_pools_have_one_number() {
        assert_ne!(next_pool(), next_pool());
    }

    /// A search that goes on is no new one, and a sleep ends it.
    #[test]
    fn times_are_those_of_searches_and_sleeps() {
        mock::with(0, || {
            let (probe, pause) = (Probe::default(), mock::go_on);
            assert_eq!(probe.idle_ticks(), [0, 0]);
            pause(1000);
            for (searches, searched) in [(true, 5), (true, 10), (false, 10), (false, 10)] {
                probe.search(searches);
                pause(5);
                assert_eq!(probe.idle_ticks(), [searched, 0]);
            }
            probe.search(true);
            pause(7);
            probe.sleep();
            pause(30);
            assert_eq!(probe.idle_ticks(), [17, 30]);
            probe.call();
            pause(4);
            probe.get_up();
            pause(100);
            assert_eq!(probe.idle_ticks(), [17, 34]);
            probe.search(true);
            pause(1);
            assert_eq!(probe.idle_ticks(), [18, 34]);
            probe.block(9);
            let read = |times: &Buckets| (times.read().count(), times.read().total());
            assert_eq!(read(&probe.wake), (1, Duration::from_nanos(4)));
            assert_eq!(read(&probe.blocks), (1, Duration::from_nanos(9)));
        });
    }

    /// The clock of another processor may be a little behind, and a tick has 63 bits.
    #[test]
    fn what_goes_on_took_nothing_at_least() {
        let begun = |spent: u64, at: u64| spent.wrapping_sub(at) << 1 | 1;
        for at in [0, 100, 1 << 60] {
            assert_eq!(Spent::with(begun(0, at), at), 0);
            assert_eq!(Spent::with(begun(0, at), at + 3), 3);
            assert_eq!(Spent::with(begun(5, at), at + 3), 8);
            assert_eq!(Spent::with(begun(0, at), at.wrapping_sub(1)), 0);
        }
    }

    #[cfg(all(feature = "trace", unix))]
    #[test]
    fn what_a_thread_does_is_recorded() {
        use crate::core::child::in_a_process;
        use crate::core::recorder::Recording;
        let name = "core::probe::tests::what_a_thread_does_is_recorded";
        if in_a_process(name, &[]).is_some() {
            return;
        }
        let probe = Probe::default();
        probe.introduce(7, 3, Some(2));
        probe.note(Kind::Run, || panic!("nothing is recorded yet"));
        mock::with(0, || {
            let recording = Recording::begin(|| ());
            assert!(!probe.is_counted_on());
            probe.offered(true);
            assert!(probe.is_counted_on());
            probe.kept(|| 11);
            assert!(!probe.is_counted_on());
            probe.search(true);
            probe.search(true);
            probe.sleep();
            probe.call();
            mock::go_on(40);
            probe.get_up();
            probe.search(false);
            let (tracks, _) = recording.read(clock::ticks());
            assert_eq!(tracks.len(), 1);
            let of = Identity {
                pool: 7,
                desk: 3,
                worker: Some(2),
            };
            assert_eq!(tracks[0].of, of);
            let events = tracks[0].events.iter();
            let events: Vec<_> = events
                .map(|event| (event.kind, event.small, event.number))
                .collect();
            let expected = [
                (Kind::Kept, 0, 11),
                (Kind::Search, 0, 0),
                (Kind::Found, 0, 0),
                (Kind::Sleep, 0, 0),
                (Kind::Up, 0, 40),
            ];
            assert_eq!(events, expected);
        });
    }

    /// It grows while it goes on, stands still after that, and never falls.
    #[test]
    fn what_is_spent_never_falls() {
        let spent = Spent::default();
        let mut last = 0;
        for round in 0..1000 {
            assert_eq!(spent.goes_on(), round % 2 == 1);
            let before = spent.so_far();
            assert!(before >= last);
            spent.turn();
            last = spent.so_far();
            assert!(last >= before && last < 1 << 50, "{before} {last}");
        }
        assert!(last > 0);
        let now = spent.so_far();
        assert_eq!(now, spent.so_far());
    }
}
