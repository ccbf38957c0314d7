//! A clock that is cheap enough to ask between blocks.
//!
//! The processor's own counter where it ticks evenly (about 20 ns a reading), else the system's clock. Ticks have no fixed length; see
//! [`per_us`].

use crate::sync::{AtomicU64, Ordering};
use std::sync::Once;
use std::time::{Duration, Instant};

/// Ticks a microsecond. Before [`calibrate`] a guess that fits most machines.
static PER_US: AtomicU64 = AtomicU64::new(1000);

/// How many ticks there are to a microsecond.
#[inline]
pub(crate) fn per_us() -> u64 {
    PER_US.load(Ordering::Relaxed)
}

/// Finds out how long a tick is, at the first call; takes some 20 us.
pub(crate) fn calibrate() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let (clock, counter) = (Instant::now(), ticks());
        let mut elapsed = Duration::ZERO;
        while elapsed < Duration::from_micros(20) {
            elapsed = clock.elapsed();
        }
        let ticks = ticks().wrapping_sub(counter);
        let rate = u128::from(ticks) * 1000 / elapsed.as_nanos();
        PER_US.store((rate as u64).clamp(1, 1_000_000), Ordering::Relaxed);
    });
}

/// The current time. Never goes back by more than the skew between processors, so subtract with saturation.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline]
pub(crate) fn ticks() -> u64 {
    // SAFETY: every x86-64 processor has it.
    unsafe { core::arch::x86_64::_rdtsc() }
}

/// The current time.
#[cfg(any(not(target_arch = "x86_64"), miri))]
#[inline]
pub(crate) fn ticks() -> u64 {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed().as_nanos() as u64
}
