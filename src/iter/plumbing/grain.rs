//! When to cut: compares the estimated cost of a piece with the cost of handing it over.
//!
//! All times are in ticks of the clock, rates in ticks per item. The rules are pure functions of what was measured, so that they can be
//! tested without threads.

use crate::core::clock;

/// The size of piece to aim for, in nanoseconds: some hundred times what a fork costs.
const GRAIN: u64 = 20_000;
/// The longest time between two looks, in nanoseconds.
const BLOCK: u64 = 10_000;
/// The least work worth handing to a thread that is awake, in nanoseconds.
const SHARE: u64 = 5_000;
/// Work that is done before another thread could help: one look in the middle is enough, in nanoseconds.
const TINY: u64 = 2_500;
/// Work that is done without any look inside another call, in nanoseconds.
pub(super) const NOTHING: u64 = 500;
/// What reading the clock and a cold start add to a measured block, in nanoseconds. Without it, one cold item makes a cheap loop look
/// worth waking a thread for.
pub(super) const NOISE: u64 = 300;
/// The least work worth waking a sleeping thread for, in nanoseconds. 40 us was too low: the wake-up costs the caller 10 to 20.
const WAKE: u64 = 100_000;
/// How much work in shareable pieces a thread does alone before it wakes another one after all, in nanoseconds. Calls that are each too
/// short to be worth a wake-up come in bursts, and a thread that is up stays up as long as it is fed. Doubled, up to [`IMPATIENT`] times,
/// by each such wake-up that came to nothing, so that useless ones cost little.
const PATIENCE: u64 = 60_000;
/// What an item can take longer because it is the first one after a rest, in nanoseconds.
const COLD: u64 = 50_000;
/// Below what a call is tiny, from what on a rest is handed to a thread that waits, and from what on one is woken, in nanoseconds.
#[cfg(feature = "trace")]
pub(crate) const LIMITS: [u64; 3] = [TINY, SHARE, WAKE];
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

/// Whether to cut a rest of the `total` items where nothing is known about the cost: like rayon, once.
#[inline]
pub(super) fn is_blind_cut(rest: usize, total: usize, threads: usize) -> bool {
    rest >= 2 * (total / (4 * threads)).max(1)
}

/// Which part of a suspicious rest is folded between two looks, at most, unless that takes next to nothing. No other thread can take a part of a block, so
/// if expensive items begin in it, one thread does as many of them alone.
const HUNTED: usize = 16;

/// The thresholds in ticks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grain {
    per_ns: f64,
}

/// Where a fold stands.
#[derive(Clone, Copy, Default)]
pub(super) struct Stand {
    /// The size of the last block.
    pub(super) last: usize,
    /// What was measured and what is remembered agree; else blocks grow by 4 at most, because a block that is sized from a wrong rate cannot be
    /// interrupted.
    pub(super) trusted: bool,
    /// There was a look since the driver began with this part.
    pub(super) looked: bool,
    /// There is something for thieves to take meanwhile; else half of the rest is left for them.
    pub(super) offered: bool,
    /// The rest may hold what has not been seen of it so far.
    pub(super) cautious: bool,
}

/// What of the remembered cost of a call was not seen yet.
#[derive(Clone, Copy)]
pub(super) struct Hidden {
    /// What the whole took the last time.
    pub(super) all: f64,
    /// What was seen, in the same unit.
    pub(super) seen: u64,
    /// How many items were not seen, at most: what other threads have folded since they last reported is among them.
    pub(super) items: usize,
}

/// Which part of the items that were not seen a few of them have to be, at least, so that they are the end of the call.
const END: usize = 16;

impl Hidden {
    /// How much should be in `rest` of the items.
    #[inline]
    fn of(self, rest: usize) -> f64 {
        let part = rest as f64 / self.items.max(rest) as f64;
        (self.all - self.seen as f64) * part
    }
}

impl Grain {
    #[inline]
    pub(super) fn get() -> Grain {
        Grain {
            per_ns: clock::per_ns(),
        }
    }

    #[cfg(test)]
    pub(super) fn of_nanoseconds() -> Grain {
        Grain { per_ns: 1.0 }
    }

    #[inline]
    pub(super) fn ticks(self, ns: u64) -> f64 {
        ns as f64 * self.per_ns
    }

    /// The least rate that a block can have had. Never 0: that would mean that nothing is known.
    #[inline]
    pub(super) fn least_rate(self, block: u64, items: usize) -> f64 {
        (block as f64 - self.ticks(NOISE)).max(0.5) / items as f64
    }

    /// The greatest rate that it can have had.
    #[inline]
    pub(super) fn greatest_rate(self, block: u64, items: usize) -> f64 {
        (block as f64).max(0.5) / items as f64
    }

    /// Whether there should be expensive items among those that are left: those that were seen cost `rate`, far less than what is `remembered`, and most of
    /// what the whole took is hidden.
    #[inline]
    fn misses(self, (rate, remembered): (f64, f64), hidden: Hidden) -> bool {
        remembered > 4.0 * rate
            && self.is_large(hidden.all)
            && (hidden.seen as f64) < hidden.all / 2.0
    }

    /// Whether they may be among the `rest` ones, so that these are folded with care. At the end of the rest a look would come too late; and if there are none, a
    /// few looks more are little.
    #[inline]
    pub(super) fn is_suspicious(self, rest: usize, rates: (f64, f64), hidden: Hidden) -> bool {
        rest >= LINE && self.misses(rates, hidden)
    }

    /// Whether they should be among the `rest` ones, which are few and the end of the call, and be worth a wake-up.
    #[inline]
    pub(super) fn ends_expensive(self, rest: usize, rates: (f64, f64), hidden: Hidden) -> bool {
        (2..LINE).contains(&rest)
            && hidden.items <= END * rest
            && self.misses(rates, hidden)
            && self.is_worth_waking(hidden.of(rest))
    }

    /// Whether `items` that should take `rate` each took at most twice that, but for the noise.
    #[inline]
    pub(super) fn is_as_expected(self, spent: u64, items: usize, rate: f64) -> bool {
        spent as f64 <= self.ticks(NOISE) + 2.0 * rate * items as f64
    }

    /// Whether an item may have taken so long just because it was the first.
    #[inline]
    pub(super) fn may_be_cold(self, spent: u64) -> bool {
        spent as f64 <= self.ticks(COLD)
    }

    /// Whether so much time, in which items took longer than expected, is no reason yet to expect the same of those that follow: before it would
    /// have been worth sharing, nothing is lost by waiting.
    #[inline]
    pub(super) fn is_too_little_to_tell(self, spent: u64) -> bool {
        (spent as f64) < self.ticks(SHARE)
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

    /// Worth cutting although no thread asked.
    #[inline]
    pub(super) fn is_large(self, cost: f64) -> bool {
        cost >= 2.0 * self.grain()
    }

    /// The least cost that is worth handing to a thread that waits for it.
    #[inline]
    pub(super) fn least_share(self) -> f64 {
        self.ticks(SHARE)
    }

    /// Whether items of `rate` each are worth a cut that costs each `extra` nanoseconds.
    #[inline]
    pub(super) fn repays(self, rate: f64, extra: u32) -> bool {
        rate >= 2.0 * self.ticks(extra.into())
    }

    /// Whether a cut that costs each item `extra` nanoseconds is too expensive to be made before a thread asks, for items of `rate` each.
    #[inline]
    pub(super) fn is_expensive(self, rate: f64, extra: u32) -> bool {
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
        debt as f64 >= self.patience() * f64::from(patience)
    }

    /// How much work, in ticks, is done alone before a thread is woken after all.
    #[inline]
    pub(super) fn patience(self) -> f64 {
        self.ticks(PATIENCE)
    }

    /// How many items to fold before the next look, of `rest` that cost `rate` each: the larger of what was measured last and what is remembered.
    #[inline]
    pub(super) fn block(self, rest: usize, rate: f64, stand: Stand) -> usize {
        let Stand {
            last,
            trusted,
            looked,
            offered,
            cautious,
        } = stand;
        let tiny = self.is_tiny(rest as f64 * rate);
        let mut most = rest;
        if cautious {
            // Looks at items that are all cheap must not take longer than the items.
            let least = ((self.ticks(NOTHING) / rate) as usize).max(LINE / 4);
            most = (rest / HUNTED).max(least).min(rest / 2);
        } else if !tiny && !offered {
            most = rest / 2;
        } else if tiny && trusted {
            if looked {
                return rest;
            }
            most = rest.div_ceil(2);
        }
        if !trusted {
            most = most.min(last.saturating_mul(4));
        }
        let block = (self.ticks(BLOCK) / rate) as usize;
        block.min(most).max(1)
    }
}

/// The least cost that is worth handing to a thread that waits for it, in ticks.
#[cfg(feature = "trace")]
pub(crate) fn least_share() -> f64 {
    Grain::get().least_share()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_grow_slowly_until_the_rate_is_trusted() {
        let grain = Grain::of_nanoseconds();
        let stand = |last, trusted| Stand {
            last,
            trusted,
            ..Stand::default()
        };
        assert_eq!(grain.block(1_000_000, 1.0, stand(1, false)), 4);
        assert_eq!(grain.block(1_000_000, 1.0, stand(1, true)), 10_000);
        assert_eq!(grain.block(1000, 1e6, stand(64, true)), 1);
    }

    #[test]
    fn half_of_the_rest_is_left_for_thieves_unless_they_have_something_else() {
        let grain = Grain::of_nanoseconds();
        let stand = |offered| Stand {
            last: 4096,
            trusted: true,
            offered,
            ..Stand::default()
        };
        assert_eq!(grain.block(8000, 1.0, stand(false)), 4000);
        assert_eq!(grain.block(8000, 1.0, stand(true)), 8000);
    }

    #[test]
    fn what_was_expensive_and_is_not_seen_yet_is_suspected() {
        let grain = Grain::of_nanoseconds();
        let hidden = |all, seen| Hidden {
            all,
            seen,
            items: 10_000,
        };
        let all = 1e6;
        assert!(grain.is_suspicious(1000, (1.0, 100.0), hidden(all, 10_000)));
        assert!(!grain.is_suspicious(1000, (30.0, 100.0), hidden(all, 10_000)));
        assert!(!grain.is_suspicious(1000, (1.0, 100.0), hidden(all, 600_000)));
        assert!(!grain.is_suspicious(1000, (1.0, 100.0), hidden(30_000.0, 0)));
        assert!(!grain.is_suspicious(LINE - 1, (1.0, 100.0), hidden(all, 0)));
        assert!(grain.is_suspicious(LINE, (1.0, 100.0), hidden(all, 0)));
        assert!(!grain.is_suspicious(1000, (25.0, 100.0), hidden(all, 0)));
        assert!(!grain.is_suspicious(1000, (1.0, 100.0), hidden(all, 500_000)));
        let cautious = Stand {
            last: 4096,
            trusted: true,
            offered: true,
            cautious: true,
            ..Stand::default()
        };
        assert_eq!(grain.block(2000, 1.0, cautious), 500);
    }

    #[test]
    fn a_few_items_are_cut_if_they_are_the_end_of_what_should_be_expensive() {
        let grain = Grain::of_nanoseconds();
        let hidden = |items, all| Hidden {
            all,
            seen: 250_000,
            items,
        };
        let ends = |rest, items, all| grain.ends_expensive(rest, (1.0, 100.0), hidden(items, all));
        assert!(ends(2, 2, 1e6) && ends(2, 14, 1e6) && ends(LINE - 1, END * (LINE - 1), 2e6));
        // One cannot be cut, and many are folded with care.
        assert!(!ends(1, 1, 1e6) && !ends(LINE, LINE, 1e6));
        // Others are left, so that these are not the end, or will hardly hold enough.
        assert!(ends(2, 2 * END, 1e7) && !ends(2, 2 * END + 1, 1e7));
        assert!(ends(2, 15, 1e6) && !ends(2, 16, 1e6));
        // They may be as cheap as those before.
        assert!(!grain.ends_expensive(2, (25.0, 100.0), hidden(2, 1e6)));
        assert!(!ends(2, 2, 500_000.0));
    }

    /// What other threads report may be more than there is, and of a call without a length nothing is known.
    #[test]
    fn no_more_is_hidden_in_some_items_than_in_all() {
        let hidden = |all, items| Hidden {
            all,
            seen: 400_000,
            items,
        };
        assert_eq!(hidden(1e6, 8).of(2), 150_000.0);
        for items in [0, 1, 2] {
            assert_eq!(hidden(1e6, items).of(2), 600_000.0);
        }
        let rates = (0.0, 1.0);
        assert!(!Grain::of_nanoseconds().ends_expensive(2, rates, hidden(0.0, 0)));
        assert!(!Grain::of_nanoseconds().is_suspicious(100, rates, hidden(0.0, 0)));
    }

    /// However the expensive items lie, few of them are in the block in which the first one is; and looks are fewer than cheap items would pay for.
    #[test]
    fn under_suspicion_little_of_the_rest_is_folded_without_a_look() {
        let grain = Grain::of_nanoseconds();
        for (offered, looked) in [(false, false), (false, true), (true, false), (true, true)] {
            let cautious = Stand {
                last: 4096,
                trusted: true,
                looked,
                offered,
                cautious: true,
            };
            for rest in LINE..5000 {
                let block = grain.block(rest, 5.0, cautious);
                assert!(block <= rest / 2, "{block} of {rest}");
                assert!(block <= 100 || block <= rest / 16, "{block} of {rest}");
                assert!(block >= 100 || block == rest / 2, "{block} of {rest}");
                let block = grain.block(rest, 200.0, cautious);
                assert!(block <= (rest / 16).max(4), "{block} of {rest}");
                assert!(block >= 4, "{block} of {rest}");
            }
        }
    }

    #[test]
    fn a_block_proves_no_more_than_an_interval() {
        let grain = Grain::of_nanoseconds();
        let rates = |block, items| {
            (
                grain.least_rate(block, items),
                grain.greatest_rate(block, items),
            )
        };
        let (least, most) = rates(80, 16);
        assert!(least < 0.1 && most == 5.0);
        let (least, most) = rates(10_000, 2000);
        assert!(least > 4.8 && most == 5.0);
    }

    #[test]
    fn tiny_work_gets_one_look_in_the_middle() {
        let grain = Grain::of_nanoseconds();
        let stand = |last, looked| Stand {
            last,
            trusted: true,
            looked,
            ..Stand::default()
        };
        let half = grain.block(999, 1.0, stand(1, false));
        assert_eq!(half, 500);
        assert_eq!(grain.block(499, 1.0, stand(half, true)), 499);
        // No rest is tiny for its length alone.
        assert_eq!(grain.block(499, 10.0, stand(half, true)), 249);
    }

    #[test]
    fn folds_stop_at_lines() {
        for folded in 0..40 {
            for at in 0..300 {
                let stop = aligned(folded, at);
                if at < 4 * LINE {
                    assert_eq!(stop, at);
                } else {
                    assert!(stop <= at && at - stop < LINE, "{stop} for {at}");
                    assert_eq!((folded + stop) % LINE, 0);
                }
            }
        }
    }

    #[test]
    fn without_knowledge_each_thread_gets_a_few_pieces() {
        fn pieces(rest: usize, total: usize, threads: usize) -> usize {
            match is_blind_cut(rest, total, threads) {
                true => pieces(rest / 2, total, threads) + pieces(rest.div_ceil(2), total, threads),
                false => 1,
            }
        }
        for threads in [1, 2, 3, 8] {
            for total in [1000, 4096, 99_999] {
                let pieces = pieces(total, total, threads);
                assert!((2 * threads..=4 * threads).contains(&pieces), "{pieces}");
            }
        }
        assert_eq!(pieces(5, 5, 8), 5);
    }

    #[test]
    fn bounds_are_where_they_are_said_to_be() {
        assert_eq!(Grain { per_ns: 4.0 }.ticks(500), 2_000.0);
        let grain = Grain::of_nanoseconds();
        assert!(grain.is_tiny(2_500.0) && !grain.is_tiny(2_501.0));
        assert!(grain.is_a_block(10_000.0) && !grain.is_a_block(10_001.0));
        assert!(grain.is_large(40_000.0) && !grain.is_large(39_999.0));
        assert!(grain.is_worth_waking(100_000.0) && !grain.is_worth_waking(99_999.0));
        assert!(grain.may_be_cold(50_000) && !grain.may_be_cold(50_001));
        assert!(grain.is_too_little_to_tell(4_999) && !grain.is_too_little_to_tell(5_000));
        assert_eq!((grain.least_share(), grain.patience()), (5_000.0, 60_000.0));
        // Ten items of 7 ns each, the noise, and as much again.
        assert!(grain.is_as_expected(440, 10, 7.0) && !grain.is_as_expected(441, 10, 7.0));
        // A cut that costs each item 5 ns.
        assert!(grain.repays(10.0, 5) && !grain.repays(9.9, 5));
        assert!(grain.is_expensive(499.0, 5) && !grain.is_expensive(500.0, 5));
        for patience in [1, 2, 64] {
            let debt = 60_000 * u64::from(patience);
            assert!(grain.is_out_of_patience(debt, patience));
            assert!(!grain.is_out_of_patience(debt - 1, patience));
        }
    }
}
