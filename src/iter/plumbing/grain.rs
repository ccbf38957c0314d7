//! When to cut: what a piece is estimated to cost against what handing it over costs.
//!
//! All times are in ticks of the clock, rates in ticks an item. The rules are pure functions of what was measured, so that they can be
//! tested without threads.

use crate::core::clock;
use crate::sync::{AtomicU64, Ordering};

/// The size of piece to aim for, in nanoseconds: some hundred times what a fork costs.
const GRAIN: u64 = 20_000;
/// The longest time between two looks, in nanoseconds.
const BLOCK: u64 = 10_000;
/// The least work worth handing to a thread that is awake, in nanoseconds.
const SHARE: u64 = 5_000;
/// Work that is done before anybody could help: one look in the middle is enough, in nanoseconds.
const TINY: u64 = 2_500;
/// Work that is done without any look inside another run, in nanoseconds.
const NOTHING: u64 = 125;
/// What reading the clock and a cold start add to a measured block, in nanoseconds. Without it, one cold item makes a cheap loop look
/// worth waking somebody for.
const NOISE: u64 = 300;
/// The least work worth waking a sleeping thread for, in nanoseconds. 40 us was too low: the wake-up costs the caller 10 to 20.
const WAKE: u64 = 100_000;
/// How much work in shareable pieces a thread does alone before it wakes another one after all, in nanoseconds. Calls that are each too
/// short to be worth a wake-up come in bursts, and a thread that is up stays up as long as it is fed. Doubled, up to [`IMPATIENT`] times,
/// by each such wake-up that came to nothing, so that useless ones cost little.
const PATIENCE: u64 = 60_000;
/// By how much patience can grow.
pub(super) const IMPATIENT: u32 = 64;

/// Folds stop, and pieces are cut, at multiples of this many items: slices begin where a line of memory does more often than not, and a sum
/// of numbers that begins amid one takes 1.4 times as long, because its wide loads straddle two.
pub(super) const LINE: usize = 16;

/// Where to stop near `at` items from here, `folded` items after the beginning.
#[inline]
pub(super) fn aligned(folded: usize, at: usize) -> usize {
    if at < 4 * LINE {
        return at;
    }
    at - (folded.wrapping_add(at) % LINE)
}

/// The thresholds in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grain {
    per_ns: f64,
}

impl Grain {
    #[inline]
    pub(super) fn get() -> Grain {
        Grain {
            per_ns: clock::per_ns(),
        }
    }

    #[cfg(test)]
    fn of_nanoseconds() -> Grain {
        Grain { per_ns: 1.0 }
    }

    #[inline]
    fn ticks(self, ns: u64) -> f64 {
        ns as f64 * self.per_ns
    }

    /// The rate that a block shows. Never 0: that would mean that nothing is known.
    #[inline]
    pub(super) fn rate(self, block: u64, items: usize) -> f64 {
        (block as f64 - self.ticks(NOISE)).max(0.5) / items as f64
    }

    /// Whether `items` that should take `rate` each took at most twice that, but for the noise.
    #[inline]
    pub(super) fn is_as_expected(self, spent: u64, items: usize, rate: f64) -> bool {
        spent as f64 <= self.ticks(NOISE) + 2.0 * rate * items as f64
    }

    #[inline]
    pub(super) fn is_tiny(self, cost: f64) -> bool {
        cost <= self.ticks(TINY)
    }

    /// Whether it may pass between two looks.
    #[inline]
    pub(super) fn is_a_block(self, cost: f64) -> bool {
        cost <= self.ticks(BLOCK)
    }

    /// The size of piece to aim for.
    #[inline]
    pub(super) fn grain(self) -> f64 {
        self.ticks(GRAIN)
    }

    /// Worth cutting although nobody asked.
    #[inline]
    pub(super) fn is_large(self, cost: f64) -> bool {
        cost >= 2.0 * self.grain()
    }

    /// Worth handing to a thread that waits for it.
    #[inline]
    pub(super) fn is_shareable(self, cost: f64) -> bool {
        cost >= self.ticks(SHARE)
    }

    /// Whether items of `rate` each are worth a cut that costs each `extra` nanoseconds.
    #[inline]
    pub(super) fn repays(self, rate: f64, extra: u32) -> bool {
        rate >= 2.0 * self.ticks(extra.into())
    }

    /// Whether a cut that costs each item `extra` nanoseconds is too dear to be made before somebody asks, for items of `rate` each.
    #[inline]
    pub(super) fn is_dear(self, rate: f64, extra: u32) -> bool {
        rate < 100.0 * self.ticks(extra.into())
    }

    /// Worth waking a thread for.
    #[inline]
    pub(super) fn is_worth_waking(self, cost: f64) -> bool {
        cost >= self.ticks(WAKE)
    }

    /// Worth waking a thread for, given what was done alone before and how often that was in vain.
    #[inline]
    pub(super) fn is_out_of_patience(self, debt: u64, patience: u32) -> bool {
        debt as f64 >= self.ticks(PATIENCE) * f64::from(patience)
    }

    /// How many items to fold before the next look.
    ///
    /// `rate` is the larger of what was measured last and what is remembered. `trusted` says that the two agree; else blocks grow by 4 at
    /// most, because a block that is sized from a wrong rate cannot be interrupted.
    #[inline]
    pub(super) fn block(
        self,
        rest: usize,
        rate: f64,
        last: usize,
        trusted: bool,
        halved: bool,
    ) -> usize {
        let cost = rest as f64 * rate;
        let mut most = rest;
        if !self.is_tiny(cost) {
            most = rest / 2;
        } else if !halved && trusted {
            most = rest.div_ceil(2);
        } else if trusted {
            return rest;
        }
        if !trusted {
            most = most.min(last.saturating_mul(4));
        }
        let block = (self.ticks(BLOCK) / rate) as usize;
        block.min(most).max(1)
    }
}

/// How many call sites are remembered. Of those that share a place, the last one that was run is.
const SITES: usize = if cfg!(filch_shuttle) { 16 } else { 1024 };

static MEMORY: [AtomicU64; SITES] = [const { AtomicU64::new(0) }; SITES];

/// Forgets all call sites, so that a model does not depend on those before it.
#[cfg(filch_shuttle)]
pub(crate) fn forget_sites() {
    for place in &MEMORY {
        place.store(0, Ordering::Relaxed);
    }
}

/// What an item cost at a call site when it was last run: a hint that changes where we split, never a result.
///
/// The site is the address of the monomorphised driver, so each closure has its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    /// The site's name in the upper half, the rate (as `f32`) in the lower.
    place: &'static AtomicU64,
    name: u32,
}

impl Site {
    #[inline]
    pub(super) fn of(driver: *const ()) -> Site {
        // Functions begin at multiples of 16, and lie side by side.
        let name = driver as usize >> 4;
        Site {
            place: &MEMORY[name % SITES],
            name: name as u32,
        }
    }

    /// Whether `len` items are so cheap that even a look would show.
    #[inline]
    pub(super) fn is_nothing(self, len: usize) -> bool {
        let memory = self.place.load(Ordering::Relaxed);
        let rate = f64::from(f32::from_bits(memory as u32));
        // Signed, because that is quick to turn into a float.
        let cost = rate * (len as isize) as f64;
        (memory >> 32) as u32 == self.name
            && len <= isize::MAX as usize
            && cost <= NOTHING as f64 * clock::per_ns()
    }

    /// The remembered rate; 0 if the site was never run, or forgotten.
    #[inline]
    pub(super) fn rate(self) -> f64 {
        let memory = self.place.load(Ordering::Relaxed);
        if (memory >> 32) as u32 == self.name {
            f64::from(f32::from_bits(memory as u32))
        } else {
            0.0
        }
    }

    /// Takes in what `items` took together, if that is not what is remembered. Little work that seems to be slow does not count: it may be
    /// the clock that is.
    #[inline]
    pub(super) fn confirm(self, spent: u64, items: usize, rate: f64, grain: Grain) {
        let (spent, expected) = (spent as f64, rate * items as f64);
        let slower = spent > expected * 1.25 && (items >= LINE || spent > grain.ticks(NOISE));
        if slower || spent < expected * 0.75 {
            self.learn(spent.max(0.5) / items as f64);
        }
    }

    /// Takes a new rate in: upward at once, downward by half at most, so that one cheap call does not make us blind to dear ones.
    pub(super) fn learn(self, rate: f64) {
        let old = self.rate();
        let new = rate.max(old * 0.5);
        // Small changes are not worth the traffic of a cache line that all threads read.
        if (new - old).abs() > old * 0.125 {
            let bits = (new as f32).max(f32::MIN_POSITIVE).to_bits();
            let memory = u64::from(self.name) << 32 | u64::from(bits);
            self.place.store(memory, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_slowly_until_the_rate_is_trusted() {
        let grain = Grain::of_nanoseconds();
        assert_eq!(grain.block(1_000_000, 1.0, 1, false, false), 4);
        assert_eq!(grain.block(1_000_000, 1.0, 1, true, false), 10_000);
        assert_eq!(grain.block(1000, 1e6, 64, true, false), 1);
    }

    #[test]
    fn tiny_work_gets_one_look_in_the_middle() {
        let grain = Grain::of_nanoseconds();
        let half = grain.block(999, 1.0, 1, true, false);
        assert_eq!(half, 500);
        assert_eq!(grain.block(499, 1.0, half, true, true), 499);
    }

    #[test]
    fn memory_rises_at_once_and_falls_by_half() {
        let site = Site::of(memory_rises_at_once_and_falls_by_half as *const ());
        site.learn(100.0);
        assert_eq!(site.rate(), 100.0);
        site.learn(1.0);
        assert_eq!(site.rate(), 50.0);
        site.learn(1e6);
        assert_eq!(site.rate(), 1e6);
    }

    #[test]
    fn a_site_that_shares_a_place_is_forgotten_and_not_mistaken() {
        let at = |address: usize| Site::of(std::ptr::without_provenance(address));
        let (first, second) = (at(0x10_0000), at(0x10_0000 + 16 * SITES));
        first.learn(5.0);
        assert_eq!((first.rate(), second.rate()), (5.0, 0.0));
        second.learn(7.0);
        assert_eq!((first.rate(), second.rate()), (0.0, 7.0));
    }
}
