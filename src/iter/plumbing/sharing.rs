//! Whether short work is worth handing over: compares what calls at a site took on one thread with what they took with help.
//!
//! Some microseconds of work may or may not be worth handing to a thread that waits for work. With two threads, both allocate memory,
//! results are copied together, each fetches what the other one wrote, and both processors have to learn the same branches. That costs ten
//! times as much for a filter that collects as for a sum. And the time of an item while two threads work says nothing of its time on one
//! thread. So both ways are tried, and the faster one is used, except for one stretch of time in [`OTHERWISE`].

use super::grain::Grain;

/// One stretch of time in this many is done the other way, so that neither figure can go stale.
const OTHERWISE: u64 = 64;
/// How long such a stretch is, in nanoseconds: some times as long as a thread looks for work before it sleeps (`core/policy.rs`). So of calls in a burst,
/// the first wakes a thread, and most of the others find it awake.
const STRETCH: u64 = 250_000;

/// What calls at a site took from begin to end, in ticks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Sharing {
    /// For each item, where no other thread helped; 0 if unknown.
    alone: f32,
    /// What help cost beyond half of the time alone, which it can save at least; 0 at first.
    handover: f32,
}

/// How to begin a call that is to stay on one thread unless it turns out to be longer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Alone {
    /// What an item should cost.
    pub(super) rate: f64,
    /// What a rest has to cost, at the least, to be shared anyway.
    pub(super) least_share: f64,
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

    /// What `len` items take alone, and what they take shared, if both are known.
    #[cfg(feature = "trace")]
    pub(super) fn of(self, len: f64) -> Option<[f64; 2]> {
        let alone = f64::from(self.alone) * len;
        let known = self.alone > 0.0 && self.handover > 0.0;
        known.then(|| [alone, f64::from(self.handover) + alone / 2.0])
    }

    /// Whether `len` items that took `rate` each the last time are to be done alone.
    pub(super) fn stays_alone(
        self,
        len: usize,
        rate: f64,
        grain: Grain,
        now: u64,
    ) -> Option<Alone> {
        let (alone, len) = (f64::from(self.alone), len as f64);
        let most = 2.0 * grain.grain();
        if alone == 0.0 {
            // The rate may be that of items which were shared, so a few times what it is alone.
            let rate = rate / 4.0;
            return (!grain.is_large(rate * len)).then_some(Alone {
                rate,
                least_share: most,
            });
        }
        // What is remembered of all calls goes up at once, and may be that of items which were shared.
        let rate = alone.max(rate / 4.0);
        if grain.is_large(rate * len) {
            return None;
        }
        let pays = f64::from(self.handover) < alone * len / 2.0;
        (pays == is_otherwise(now, grain)).then_some(Alone {
            rate,
            least_share: (2.0 * rate * len).clamp(grain.least_share(), most),
        })
    }

    /// After `items` of `len` that took `ticks` in all, and that others took part in, or not.
    #[must_use]
    pub(super) fn after(
        self,
        ticks: u64,
        items: usize,
        len: usize,
        shared: bool,
        grain: Grain,
    ) -> Sharing {
        let (ticks, items) = (ticks as f64, items as f64);
        let alone = f64::from(self.alone);
        let expected = if alone > 0.0 {
            alone * items
        } else {
            ticks / 4.0
        };
        let short = if shared {
            expected
        } else {
            expected.min(ticks)
        };
        if items == 0.0 || grain.is_large(short) {
            return self;
        }
        // What was never done alone: a first guess, for it would hardly have been quicker.
        if !shared || alone == 0.0 {
            let seen = (ticks / items) as f32;
            let alone = match self.alone {
                0.0 => seen.max(f32::MIN_POSITIVE),
                alone => towards(alone, alone, seen),
            };
            return Sharing { alone, ..self };
        }
        if items < len as f64 {
            // What is stopped early says little.
            return self;
        }
        let saved = alone * items / 2.0;
        let least = (saved as f32).max(self.handover);
        let handover = towards(self.handover, least, (ticks - saved) as f32);
        Sharing { handover, ..self }
    }

    /// Whether the difference is worth a store: other threads read the same line of memory.
    pub(super) fn is_news(self, old: Sharing) -> bool {
        let differs = |new: f32, old: f32| (new - old).abs() > old / 8.0;
        differs(self.alone, old.alone) || differs(self.handover, old.handover)
    }
}

/// The next estimate: what is shorter is believed at once, what is longer by and by, up to a quarter of `step` each time, for a thread that was
/// interrupted says nothing of the next call.
fn towards(old: f32, step: f32, seen: f32) -> f32 {
    if seen < old {
        seen.max(f32::MIN_POSITIVE)
    } else {
        old + (seen - old).min(step) / 4.0
    }
}

/// One stretch in [`OTHERWISE`]; by chance, so that call sites that take turns meet it, too.
fn is_otherwise(now: u64, grain: Grain) -> bool {
    let stretch = (now as f64 / grain.ticks(STRETCH)) as u64;
    stretch.wrapping_mul(0x9E37_79B9_7F4A_7C15) < u64::MAX / OTHERWISE
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A time at which the rule holds, and one at which it is tried otherwise.
    const USUAL: u64 = STRETCH;
    const OTHERWISE_NOW: u64 = 0;

    fn grain() -> Grain {
        Grain::of_nanoseconds()
    }

    fn alone(ticks: u64) -> Sharing {
        Sharing::default().after(ticks, 1000, 1000, false, grain())
    }

    /// After enough such calls.
    fn shared(sharing: Sharing, ticks: u64) -> Sharing {
        (0..50).fold(sharing, |sharing, _| shared_once(sharing, ticks))
    }

    fn shared_once(sharing: Sharing, ticks: u64) -> Sharing {
        sharing.after(ticks, 1000, 1000, true, grain())
    }

    fn stays_alone(sharing: Sharing, len: usize) -> bool {
        assert!(!is_otherwise(USUAL, grain()) && is_otherwise(OTHERWISE_NOW, grain()));
        let usual = sharing.stays_alone(len, 10.0, grain(), USUAL).is_some();
        let otherwise = sharing
            .stays_alone(len, 10.0, grain(), OTHERWISE_NOW)
            .is_some();
        let may_differ = len < 4000 && sharing.alone > 0.0;
        assert_eq!(usual != otherwise, may_differ);
        usual
    }

    #[test]
    fn what_is_not_known_is_tried_alone_first_then_shared() {
        assert!(stays_alone(Sharing::default(), 1000));
        assert!(!stays_alone(alone(10_000), 1000));
    }

    #[test]
    fn a_rate_that_was_seen_while_shared_does_not_keep_it_from_being_tried_alone() {
        let keep = Sharing::default().stays_alone(1000, 60.0, grain(), USUAL);
        let least_share = 2.0 * grain().grain();
        assert_eq!(
            keep,
            Some(Alone {
                rate: 15.0,
                least_share
            })
        );
    }

    #[test]
    fn items_that_have_become_expensive_are_not_kept_for_what_they_took_alone_once() {
        let cheap = shared(alone(2000), 12_000);
        assert!(cheap.stays_alone(1000, 2.0, grain(), USUAL).is_some());
        assert_eq!(cheap.stays_alone(1000, 300.0, grain(), USUAL), None);
    }

    #[test]
    fn what_took_longer_shared_is_kept() {
        assert!(stays_alone(shared(alone(10_000), 12_000), 1000));
        assert!(!stays_alone(shared(alone(10_000), 7000), 1000));
    }

    #[test]
    fn the_cost_of_sharing_does_not_grow_with_the_work() {
        let sharing = shared(alone(10_000), 12_000);
        assert!(!stays_alone(sharing, 2000));
        assert!(stays_alone(sharing, 1000));
        assert!(stays_alone(sharing, 500));
    }

    #[test]
    fn long_work_is_never_kept_and_what_turns_out_long_is_shared() {
        let sharing = shared(alone(10_000), 40_000);
        assert!(!stays_alone(sharing, 10_000));
        assert!(!stays_alone(Sharing::default(), 100_000));
        let keep = sharing.stays_alone(3900, 10.0, grain(), USUAL);
        assert_eq!(
            keep.map(|keep| keep.least_share),
            Some(2.0 * grain().grain())
        );
    }

    #[test]
    fn one_slow_call_is_not_believed_for_long() {
        let good = shared(alone(10_000), 6000);
        let interrupted = shared_once(good, 10_000_000);
        assert!(!stays_alone(interrupted, 1000));
        assert!(!stays_alone(shared_once(alone(10_000), 10_000_000), 1000));
        assert!(!shared(interrupted, 6000).is_news(good));
        let interrupted = good.after(10_000_000, 1000, 1000, false, grain());
        assert_eq!(
            (interrupted.alone, interrupted.handover),
            (12.5, good.handover)
        );
    }

    #[test]
    fn what_stops_early_shows_what_items_cost_alone() {
        let sharing = Sharing::default().after(10_000, 500, 1000, false, grain());
        assert_eq!(sharing.alone, 20.0);
        assert_eq!(sharing.after(100, 5, 1000, true, grain()), sharing);
        assert_eq!(sharing.after(100, 0, 1000, false, grain()), sharing);
    }

    #[test]
    fn figures_survive_being_stored() {
        let sharing = shared(alone(10_000), 6000);
        assert_eq!(Sharing::from_bits(sharing.to_bits()), sharing);
        assert_eq!(Sharing::from_bits(0), Sharing::default());
        assert!(sharing.is_news(Sharing::default()) && !sharing.is_news(sharing));
    }

    #[test]
    fn one_stretch_in_many_is_otherwise() {
        let times = (0..100_000u64).map(|at| at * STRETCH);
        let share = times.filter(|&at| is_otherwise(at, grain())).count();
        assert!((1200..1900).contains(&share), "{share} of 100000");
    }
}
