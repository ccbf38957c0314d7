//! Whether short work is worth handing over: what calls at a site took alone against what they took with help.
//!
//! Some microseconds of work are worth a thread that waits for it, or are not: two threads ask for memory, copy results together, fetch what
//! the other one wrote, and learn branches that one knew by heart. What that costs differs by a factor of ten between a sum and a filter
//! that collects, and what an item takes while two threads are at it says nothing of what it takes alone. So both ways are tried, and the
//! better one is taken, but for one call in [`OTHERWISE`].

use super::grain::Grain;

/// One call in so many is done the other way, so that neither figure can go stale.
const OTHERWISE: u64 = 32;

/// What calls at a site took from begin to end, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sharing {
    /// For each item, where nobody helped; 0 if unknown.
    alone: f32,
    /// What help cost beyond half of the time alone, which it can save at least; 0 if unknown.
    handover: f32,
}

impl Sharing {
    pub(super) fn from_bits(bits: u64) -> Sharing {
        Sharing {
            alone: f32::from_bits((bits >> 32) as u32),
            handover: f32::from_bits(bits as u32),
        }
    }

    pub(super) fn to_bits(self) -> u64 {
        u64::from(self.alone.to_bits()) << 32 | u64::from(self.handover.to_bits())
    }

    /// What `len` items should take alone, if that is known and they are to be done alone: until they turn out to take longer.
    pub(super) fn keeps(self, len: usize, rate: f64, grain: Grain, now: u64) -> Option<f64> {
        let alone = f64::from(self.alone);
        if alone == 0.0 {
            let cost = rate * len as f64;
            return (!grain.is_large(cost)).then_some(cost);
        }
        let cost = alone.min(rate) * len as f64;
        if grain.is_large(cost) {
            return None;
        }
        let pays = f64::from(self.handover) < alone * len as f64 / 2.0;
        (pays == is_otherwise(now)).then_some(cost)
    }

    /// After `items` that took `ticks` in all, and that others took part in, or not.
    #[must_use]
    pub(super) fn after(self, ticks: u64, items: usize, shared: bool) -> Sharing {
        let ticks = ticks as f64;
        if !shared {
            let alone = towards(self.alone, ticks / items as f64);
            return Sharing { alone, ..self };
        }
        if self.alone == 0.0 {
            return self;
        }
        let saved = f64::from(self.alone) * items as f64 / 2.0;
        let handover = towards(self.handover, ticks - saved);
        Sharing { handover, ..self }
    }
}

/// The next estimate: what is shorter is believed at once, what is longer by and by, for it may have been something else that took so long.
fn towards(old: f32, seen: f64) -> f32 {
    let seen = (seen as f32).max(f32::MIN_POSITIVE);
    if old == 0.0 || seen < old {
        seen
    } else {
        old + (seen - old) / 4.0
    }
}

/// One time in [`OTHERWISE`]; by chance, lest some call sites that take turns never meet it.
fn is_otherwise(now: u64) -> bool {
    now.wrapping_mul(0x9E37_79B9_7F4A_7C15) < u64::MAX / OTHERWISE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time at which the rule holds, and one at which it is tried otherwise.
    const USUAL: u64 = 1;
    const OTHERWISE_NOW: u64 = 0;

    fn keeps(sharing: Sharing, len: usize) -> bool {
        let grain = Grain::of_nanoseconds();
        assert!(!is_otherwise(USUAL) && is_otherwise(OTHERWISE_NOW));
        let usual = sharing.keeps(len, 10.0, grain, USUAL).is_some();
        let otherwise = sharing.keeps(len, 10.0, grain, OTHERWISE_NOW).is_some();
        let may_differ = len < 4000 && sharing.alone > 0.0;
        assert_eq!(usual != otherwise, may_differ);
        usual
    }

    #[test]
    fn what_is_not_known_is_tried_alone_first_then_shared() {
        let unknown = Sharing::default();
        assert!(keeps(unknown, 1000));
        let alone = unknown.after(10_000, 1000, false);
        assert!(!keeps(alone, 1000));
    }

    #[test]
    fn what_took_longer_shared_is_kept() {
        let sharing = Sharing::default().after(10_000, 1000, false);
        assert!(keeps(sharing.after(12_000, 1000, true), 1000));
        assert!(!keeps(sharing.after(7000, 1000, true), 1000));
    }

    #[test]
    fn the_cost_of_sharing_does_not_grow_with_the_work() {
        let sharing = Sharing::default()
            .after(10_000, 1000, false)
            .after(12_000, 1000, true);
        assert!(!keeps(sharing, 2000));
        assert!(keeps(sharing, 1000));
        assert!(keeps(sharing, 500));
    }

    #[test]
    fn long_work_is_never_kept() {
        let sharing = Sharing::default()
            .after(100_000, 10_000, false)
            .after(1_000_000, 10_000, true);
        assert!(!keeps(sharing, 10_000));
        assert!(!keeps(Sharing::default(), 10_000));
    }

    #[test]
    fn one_slow_call_is_not_believed_for_long() {
        let good = Sharing::default()
            .after(10_000, 1000, false)
            .after(6000, 1000, true);
        let interrupted = good.after(10_000_000, 1000, true);
        assert!(keeps(interrupted, 1000));
        assert_eq!(interrupted.after(6000, 1000, true), good);
    }

    #[test]
    fn figures_survive_being_stored() {
        let sharing = Sharing::default()
            .after(10_000, 1000, false)
            .after(6000, 1000, true);
        assert_eq!(Sharing::from_bits(sharing.to_bits()), sharing);
        assert_eq!(Sharing::from_bits(0), Sharing::default());
    }

    #[test]
    fn one_time_in_many_is_otherwise() {
        let times = (0..100_000u64).map(|at| at * 37);
        let share = times.filter(|&at| is_otherwise(at)).count();
        assert!((2500..4000).contains(&share), "{share} of 100000");
    }
}
