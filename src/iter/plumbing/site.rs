//! What is remembered of a call site, which is a chain with all its types. These are hints: they change where a loop is cut, and never a result.

use super::grain::{Grain, NOTHING};
use super::memory;
use super::probe::overwritten;
use super::sharing::Sharing;
use crate::core::clock;
use crate::sync::{AtomicU64, AtomicUsize, Ordering};

/// How many call sites are remembered. Of those that share a place, the last one that was run is.
const SITES: usize = if cfg!(filch_shuttle) { 16 } else { 1024 };

static MEMORY: [Remembered; SITES] = [const { Remembered::new() }; SITES];

/// What is remembered of one site.
#[derive(Debug)]
struct Remembered {
    /// The site's name in the upper half, the rate (as `f32`) in the lower.
    rate: AtomicU64,
    /// See [`Sharing`]; that of another site if the name is.
    sharing: AtomicU64,
    /// How many items there were, where no length tells beforehand.
    items: AtomicUsize,
}

impl Remembered {
    const fn new() -> Remembered {
        Remembered {
            rate: AtomicU64::new(0),
            sharing: AtomicU64::new(0),
            items: AtomicUsize::new(0),
        }
    }
}

/// Forgets all call sites, so that a model does not depend on those before it.
#[cfg(filch_shuttle)]
pub(crate) fn forget_sites() {
    for place in &MEMORY {
        place.rate.store(0, Ordering::Relaxed);
        place.sharing.store(0, Ordering::Relaxed);
        place.items.store(0, Ordering::Relaxed);
    }
}

/// A call site, and what is remembered of it.
///
/// The site is the address of a function that the call goes through, compiled for its types, so each closure has its own.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Site {
    place: &'static Remembered,
    name: u32,
}

impl Site {
    #[inline]
    pub(crate) fn of(function: *const ()) -> Site {
        // Functions begin at multiples of 16, and lie side by side.
        let name = function as usize >> 4;
        Site {
            place: &MEMORY[name % SITES],
            name: name as u32,
        }
    }

    /// What stands for the site in recordings.
    #[cfg(feature = "trace")]
    pub(crate) fn key(self) -> u32 {
        self.name
    }

    /// What a call of `len` items takes alone, and what it takes shared, in ticks, as far as it is remembered.
    #[cfg(feature = "trace")]
    pub(crate) fn alone_and_shared(self, len: f64) -> Option<[f64; 2]> {
        (self.rate() > 0.0)
            .then(|| self.sharing().of(len))
            .flatten()
    }

    /// The site of a key.
    #[cfg(feature = "trace")]
    pub(crate) fn of_key(key: u32) -> Site {
        Site {
            place: &MEMORY[key as usize % SITES],
            name: key,
        }
    }

    /// What `len` items should take, in ticks, if that is so little that a reading of the clock would add to it noticeably.
    #[inline]
    pub(super) fn nothing(self, len: usize) -> Option<f64> {
        let memory = self.place.rate.load(Ordering::Relaxed);
        let rate = f64::from(f32::from_bits(memory as u32));
        // Signed, because that is quick to turn into a float.
        let cost = rate * (len as isize) as f64;
        let is_nothing = (memory >> 32) as u32 == self.name
            && len <= isize::MAX as usize
            && cost <= NOTHING as f64 * clock::per_ns();
        is_nothing.then_some(cost)
    }

    /// The remembered rate; 0 if the site was never run, or forgotten.
    #[inline]
    pub(crate) fn rate(self) -> f64 {
        let memory = self.place.rate.load(Ordering::Relaxed);
        if (memory >> 32) as u32 == self.name {
            f64::from(f32::from_bits(memory as u32))
        } else {
            0.0
        }
    }

    /// Learns what `items` took together, if that is not what is remembered.
    #[inline]
    pub(super) fn confirm(self, spent: u64, items: usize, rate: f64, grain: Grain) {
        if memory::is_news(spent, items, rate, grain) {
            self.learn((spent as f64).max(0.5) / items as f64);
        }
    }

    /// Learns a new rate, as [`memory::rate_after`] says.
    pub(crate) fn learn(self, rate: f64) {
        debug_assert!(rate.is_finite());
        let old = self.rate();
        if old == 0.0 {
            overwritten(self, (self.place.rate.load(Ordering::Relaxed) >> 32) as u32);
            self.place.sharing.store(0, Ordering::Relaxed);
            self.place.items.store(0, Ordering::Relaxed);
        }
        if let Some(new) = memory::rate_after(old, rate) {
            let memory = u64::from(self.name) << 32 | u64::from(new.to_bits());
            self.place.rate.store(memory, Ordering::Relaxed);
        }
    }

    /// How many items a call may have, if no length tells; 0 if nothing is known.
    pub(super) fn items(self) -> usize {
        match self.rate() {
            0.0 => 0,
            _ => self.place.items.load(Ordering::Relaxed),
        }
    }

    /// Learns how many items a call had.
    pub(super) fn count(self, items: usize) {
        let old = self.place.items.load(Ordering::Relaxed);
        if let Some(new) = memory::items_after(old, items) {
            self.place.items.store(new, Ordering::Relaxed);
        }
    }

    /// What is remembered of calls alone and shared, if the site was run before.
    pub(super) fn sharing(self) -> Sharing {
        Sharing::from_bits(self.place.sharing.load(Ordering::Relaxed))
    }

    /// Learns what a call took, alone or shared.
    pub(super) fn learn_sharing(self, update: impl FnOnce(Sharing) -> Sharing) {
        let old = self.sharing();
        let new = update(old);
        if new.is_news(old) {
            self.place.sharing.store(new.to_bits(), Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
