//! What a call site remembers after a call, computed from what it remembered before and what was measured. (A *call site* is a chain with
//! all its types.)
//!
//! No threads and no shared memory in here, so that a simulation can use the same rules.

use super::grain::{Grain, LINE, NOISE};

/// The rate to remember, after `before` was remembered (0: nothing), and `seen` was measured; `None` if it need not change. It rises at once, and falls by half
/// at most, so that one cheap call does not make us blind to expensive ones.
#[inline]
pub(super) fn rate_after(before: f64, seen: f64) -> Option<f32> {
    let new = seen.max(before * 0.5);
    // Small changes are not worth the traffic of a cache line that all threads read. And 0 would mean that nothing is known.
    ((new - before).abs() > before * 0.125).then(|| (new as f32).max(f32::MIN_POSITIVE))
}

/// The same for the number of items in a call.
#[inline]
pub(super) fn items_after(before: usize, seen: usize) -> Option<usize> {
    let new = seen.max(before / 2);
    (new.abs_diff(before) > before / 8).then_some(new)
}

/// Whether `items` together took notably more or less than `rate` says. Little work that seems to be slow does not count: it may be the reading of the clock that is.
#[inline]
pub(super) fn is_news(spent: u64, items: usize, rate: f64, grain: Grain) -> bool {
    let (spent, expected) = (spent as f64, rate * items as f64);
    let counts = items >= 4 * LINE || spent > grain.ticks(NOISE);
    let slower = spent > expected * 1.25 && counts;
    slower || spent < expected * 0.75
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_rise_at_once_and_fall_by_half() {
        assert_eq!(rate_after(0.0, 7.0), Some(7.0));
        assert_eq!(rate_after(7.0, 70.0), Some(70.0));
        assert_eq!(rate_after(70.0, 7.0), Some(35.0));
        assert_eq!(rate_after(8.0, 9.0), None);
        assert_eq!(rate_after(8.0, 9.1), Some(9.1));
        assert_eq!(rate_after(8.0, 7.0), None);
        assert_eq!(rate_after(8.0, 6.9), Some(6.9));
        // What cost nothing is known anyway.
        assert_eq!(rate_after(0.0, 1e-300), Some(f32::MIN_POSITIVE));
        assert_eq!(rate_after(1.0, 0.0), Some(0.5));
    }

    #[test]
    fn numbers_of_items_do_the_same() {
        assert_eq!(items_after(0, 0), None);
        assert_eq!(items_after(0, 1), Some(1));
        assert_eq!(items_after(1000, 4000), Some(4000));
        assert_eq!(items_after(1000, 10), Some(500));
        assert_eq!(items_after(1000, 1125), None);
        assert_eq!(items_after(1000, 1126), Some(1126));
        assert_eq!(items_after(usize::MAX, 0), Some(usize::MAX / 2));
    }

    #[test]
    fn little_work_that_is_slow_is_no_news() {
        let news = |spent, items, rate| is_news(spent, items, rate, Grain::of_nanoseconds());
        assert!(news(301, 10, 10.0) && !news(300, 10, 10.0));
        assert!(news(801, 64, 10.0) && !news(800, 64, 10.0));
        assert!(news(74, 10, 10.0) && !news(75, 10, 10.0));
    }
}
