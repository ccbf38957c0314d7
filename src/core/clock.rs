//! A clock that is cheap enough to be read between blocks.
//!
//! The processor's own counter where it ticks evenly (10 to 20 ns a reading), else the system's clock. Ticks have no fixed length; see
//! [`per_us`].
//!
//! Bare WebAssembly (`wasm32-unknown-unknown`) has no clock: std's panics. There time stands still. It has no threads either, so nothing is
//! lost: whatever seems to take no time is not shared.

#[cfg(not(filch_shuttle))]
use crate::sync::AtomicBool;
use crate::sync::{AtomicU64, Ordering, yield_now};
#[cfg(not(filch_shuttle))]
use std::time::{Duration, Instant};

/// Ticks a nanosecond, as the bits of an `f64`. Before [`calibrate`] a guess that fits most machines.
static PER_NS: AtomicU64 = AtomicU64::new(1f64.to_bits());

/// What a reading costs, in ticks. Before [`calibrate`] nothing.
static READING: AtomicU64 = AtomicU64::new(0);

/// Whether this is a target whose system has no clock.
#[cfg(not(filch_shuttle))]
const NO_CLOCK: bool = cfg!(all(target_family = "wasm", target_os = "unknown"));

/// For tests: a clock that ticks once a nanosecond, is read for nothing, and moves only when it is told to, on the thread that has it.
#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
pub(crate) mod mock {
    use std::cell::Cell;

    thread_local! {
        static NOW: Cell<Option<u64>> = const { Cell::new(None) };
        static AWAY: Cell<u64> = const { Cell::new(0) };
    }

    /// Runs `f` on this thread with such a clock. Each time the thread gives way to others, it is `away` for this many nanoseconds.
    pub(crate) fn with<R>(away: u64, f: impl FnOnce() -> R) -> R {
        struct RealAgain;
        impl Drop for RealAgain {
            fn drop(&mut self) {
                NOW.set(None);
                AWAY.set(0);
            }
        }
        let _real_again = RealAgain;
        NOW.set(Some(1));
        AWAY.set(away);
        f()
    }

    pub(crate) fn go_on(nanoseconds: u64) {
        NOW.set(NOW.get().map(|now| now + nanoseconds));
    }

    pub(super) fn be_away() {
        go_on(AWAY.get());
    }

    pub(super) fn read() -> Option<u64> {
        NOW.get()
    }

    pub(super) fn is_on() -> bool {
        NOW.get().is_some()
    }
}

/// Stands in for that where no test asks for it.
#[cfg(any(not(test), filch_loom, filch_shuttle))]
mod mock {
    #[inline(always)]
    pub(super) fn be_away() {}

    #[cfg(not(filch_shuttle))]
    #[inline(always)]
    pub(super) fn read() -> Option<u64> {
        None
    }

    #[inline(always)]
    pub(super) fn is_on() -> bool {
        false
    }
}

/// How many ticks there are to a nanosecond.
#[inline]
pub(crate) fn per_ns() -> f64 {
    if mock::is_on() {
        return 1.0;
    }
    f64::from_bits(PER_NS.load(Ordering::Relaxed))
}

/// How many ticks there are to a microsecond.
#[inline]
pub(crate) fn per_us() -> u64 {
    (per_ns() * 1e3) as u64
}

/// What a reading of the clock adds to what is measured with it, in ticks.
#[inline]
pub(crate) fn reading() -> u64 {
    if mock::is_on() {
        return 0;
    }
    READING.load(Ordering::Relaxed)
}

/// Finds out how long a tick is, and a reading, at the first call; takes about 40 us.
#[cfg(not(filch_shuttle))]
pub(crate) fn calibrate() {
    // Not with a lock, which a child process would find held for ever if another thread of its parent's had it. Two may find out at once.
    static KNOWN: AtomicBool = AtomicBool::new(false);
    if NO_CLOCK || KNOWN.load(Ordering::Relaxed) {
        return;
    }
    // The middle of some, because a thread may lose its processor between two readings.
    let rate = middle([(); 5].map(|()| measure())).clamp(1e-3, 1e3);
    PER_NS.store(rate.to_bits(), Ordering::Relaxed);
    let readings = [(); 16].map(|()| ticks().abs_diff(ticks()));
    let reading = readings.into_iter().fold(u64::MAX, u64::min);
    READING.store(reading, Ordering::Relaxed);
    KNOWN.store(true, Ordering::Relaxed);
}

/// The middle one. Not by std's sort, which is ten times as much code as this file.
#[cfg(not(filch_shuttle))]
fn middle(rates: [f64; 5]) -> f64 {
    let less = |rate: f64| rates.iter().filter(|&&other| other < rate).count();
    let low = rates.into_iter().filter(|&rate| less(rate) <= 2);
    low.fold(0.0, f64::max)
}

/// Ticks a nanosecond, as a few microseconds show.
#[cfg(not(filch_shuttle))]
fn measure() -> f64 {
    let (clock, counter) = (Instant::now(), ticks());
    let mut elapsed = Duration::ZERO;
    while elapsed < Duration::from_micros(8) {
        elapsed = clock.elapsed();
    }
    ticks().wrapping_sub(counter) as f64 / elapsed.as_nanos() as f64
}

/// A model's clock ticks once a nanosecond, and is read for nothing.
#[cfg(filch_shuttle)]
pub(crate) fn calibrate() {}

/// The current time. Never goes back by more than the skew between processors, so subtract with saturation.
#[cfg(all(target_arch = "x86_64", not(any(miri, filch_shuttle))))]
#[inline]
pub(crate) fn ticks() -> u64 {
    if let Some(now) = mock::read() {
        return now;
    }
    // SAFETY: every x86-64 processor has it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// The current time.
#[cfg(all(any(not(target_arch = "x86_64"), miri), not(filch_shuttle)))]
#[inline]
pub(crate) fn ticks() -> u64 {
    use std::sync::OnceLock;
    if let Some(now) = mock::read() {
        return now;
    }
    if NO_CLOCK {
        return 0;
    }
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}

/// In a model, each reading is ten microseconds later than the last one, so that a failure can be replayed.
#[cfg(filch_shuttle)]
pub(crate) fn ticks() -> u64 {
    static NOW: AtomicU64 = AtomicU64::new(0);
    NOW.fetch_add(10_000, Ordering::Relaxed)
}

/// For how long a thread that gives way may be off its processor and still count as awake, in microseconds. Others that also only look
/// for work are soon back; one that works keeps the processor until the system takes it away, which is thousands.
const AWAY: u64 = 100;

/// Lets other threads have this processor for a while. True: this thread was off it for so long that another one has work to do.
pub(crate) fn give_way() -> bool {
    let before = ticks();
    yield_now();
    mock::be_away();
    ticks().saturating_sub(before) > AWAY * per_us()
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;

    #[test]
    fn the_middle_rate_counts() {
        assert_eq!(middle([9.0, 1.0, 4.0, 7.0, 2.0]), 4.0);
        assert_eq!(middle([1.0, 2.0, 3.0, 4.0, 5.0]), 3.0);
        assert_eq!(middle([3.0, 5.0, 3.0, 1.0, 3.0]), 3.0);
        assert_eq!(middle([2.0, 1.0, 1.0, 9.0, 1.0]), 1.0);
    }

    /// The thread may lose its processor between the two clocks, so they agree sooner or later.
    #[test]
    fn ticks_are_as_long_as_was_found_out() {
        calibrate();
        let agree = || {
            let (clock, counter) = (Instant::now(), ticks());
            while clock.elapsed() < Duration::from_micros(200) {}
            let (ticks, time) = (ticks().wrapping_sub(counter), clock.elapsed());
            let found = time.as_nanos() as f64 * per_ns();
            (0.9..1.1).contains(&(ticks as f64 / found))
        };
        assert!((0..1000).any(|_| agree()));
        assert_eq!(per_us(), (per_ns() * 1e3) as u64);
        // It takes some twenty ticks, where a tick is one of the processor's.
        if cfg!(all(target_arch = "x86_64", not(miri))) {
            assert!(reading() > 0);
        }
    }

    /// A clock of a test ticks once a nanosecond, and a reading costs nothing, whatever the real one is like. A thread that gives way is back soon if it
    /// was away for 100 us at most.
    #[test]
    fn a_thread_is_away_if_it_was_away_for_long() {
        calibrate();
        for (away, is_long) in [
            (0, false),
            (50_000, false),
            (100_000, false),
            (100_001, true),
        ] {
            mock::with(away, || {
                mock::go_on(1_000_000_000);
                assert_eq!(give_way(), is_long, "{away}");
                assert_eq!((per_ns(), per_us(), reading()), (1.0, 1000, 0));
            });
        }
    }
}
