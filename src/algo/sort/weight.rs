//! What a comparison costs, by a look at a few.
//!
//! 16 comparisons, and four readings of the clock.

use super::order::Less;
use super::{SHORT, threads};
use crate::core::{clock, leaf};

/// Comparisons that are timed together: many for the resolution of the clock, few beside a sort.
const GROUP: usize = 8;

/// A comparison that takes no longer is a cheap one, in nanoseconds. The lengths of leaves were measured with such.
const CHEAP: u64 = 16;

/// More than this makes no difference: leaves have a few dozen elements then.
const MOST: u64 = 64;

/// In slices no longer than this no comparison is timed: reading the clock would be a good part of sorting numbers. The limit is lower for elements that have
/// a destructor, most of which are expensive to compare.
const TINY: usize = 256;
const TINY_OF_OWNERS: usize = 32;

/// Whether a slice is so short that no comparison is worth timing.
pub(super) fn is_tiny<T>(v: &[T]) -> bool {
    let owns = std::mem::needs_drop::<T>();
    v.len() <= leaf(if owns { TINY_OF_OWNERS } else { TINY }, 1)
}

/// The [`weight`] of comparisons in `v`, if that is work for several threads, and there are some. `least` elements and fewer are never shared, whatever a
/// test says.
pub(super) fn weight_if_shared<T, O: Less<T>>(v: &[T], least: usize, order: &O) -> Option<usize> {
    // In this order: to count threads takes a sixth of what sorting ten numbers takes.
    if is_tiny(v) || size_of::<T>() == 0 || threads() == 1 {
        return None;
    }
    let weight = weight(v, order);
    (v.len() > leaf(SHORT / weight, least)).then_some(weight)
}

/// How many cheap comparisons one of `order` is worth, from 1 up to 64. The lengths of leaves are to be divided by it.
pub(super) fn weight<T, O: Less<T>>(v: &[T], order: &O) -> usize {
    #[cfg(test)]
    if super::comparison_meter::is_on() {
        return 1;
    }
    // Those that std may sort are numbers.
    if v.len() <= GROUP || order.sort_by_std(&mut []) {
        return 1;
    }
    // The first time may fetch the elements from memory, or be interrupted.
    let spent = time_group(v, order).min(time_group(v, order));
    weight_of(spent, clock::per_us())
}

/// That of a group of comparisons which took so many ticks, of which there are so many to a microsecond.
fn weight_of(spent: u64, per_us: u64) -> usize {
    let cheap = CHEAP * GROUP as u64 * per_us / 1000;
    (spent / cheap.max(1)).clamp(1, MOST) as usize
}

fn time_group<T, O: Less<T>>(v: &[T], order: &O) -> u64 {
    let start = clock::ticks();
    let less = (0..GROUP)
        .filter(|&i| order.is_less(&v[i + 1], &v[i]))
        .count();
    std::hint::black_box(less);
    clock::ticks().saturating_sub(start)
}

#[cfg(test)]
mod tests {
    use super::super::order::{By, Natural};
    use super::{CHEAP, GROUP, MOST, weight, weight_if_shared, weight_of};
    use crate::core::clock::mock;
    use std::cell::Cell;
    use std::cmp::Ordering;

    /// The weight of comparisons in `v`, of which each takes as many nanoseconds as its elements are apart, and one of the first group ten times as many.
    fn weight_of_distance(v: &[u64]) -> usize {
        let calls = Cell::new(0);
        let order = By(|a: &u64, b: &u64| {
            calls.set(calls.get() + 1);
            mock::go_on(a.abs_diff(*b) * if calls.get() <= GROUP { 10 } else { 1 });
            a.cmp(b)
        });
        mock::with(0, || weight(v, &order))
    }

    #[test]
    fn expensive_comparisons_weigh_more() {
        for (ns, expected) in [(0, 1), (CHEAP, 1), (4 * CHEAP, 4), (1 << 20, MOST)] {
            let v = Vec::from_iter((0..99).map(|i| i * ns));
            assert_eq!(weight_of_distance(&v), expected as usize, "{ns} ns");
            assert_eq!(weight_of_distance(&v[..GROUP]), 1, "too few to look at");
        }
        assert_eq!(weight(&[0u8; 99], &Natural), 1);
    }

    #[test]
    fn clocks_that_tick_rarely_tell_little() {
        assert_eq!([0, 1, 99].map(|ticks| weight_of(ticks, 1)), [1, 1, 64]);
        assert_eq!([0, 6, 99].map(|ticks| weight_of(ticks, 24)), [1, 2, 33]);
    }

    /// The sorts that threads share are not for them.
    #[test]
    fn elements_without_a_size_are_not_shared() {
        let order = By(|_: &(), _: &()| Ordering::Less);
        assert_eq!(weight_if_shared(&[(); 1 << 20], 1, &order), None);
    }
}
