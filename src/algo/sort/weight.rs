//! What a comparison costs, by a look at a few.
//!
//! 16 comparisons, and four readings of the clock.

use super::order::Less;
use super::{SHORT, current_num_threads};
use crate::core::clock;

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
    v.len() <= if owns { TINY_OF_OWNERS } else { TINY }
}

/// The [`weight`] of comparisons in `v`, if that is work for several threads, and there are some.
pub(super) fn weight_if_shared<T, O: Less<T>>(v: &[T], order: &O) -> Option<usize> {
    // In this order: to count threads takes a sixth of what sorting ten numbers takes.
    if is_tiny(v) || size_of::<T>() == 0 || current_num_threads() == 1 {
        return None;
    }
    let weight = weight(v, order);
    (v.len() > SHORT / weight).then_some(weight)
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
    let cheap = CHEAP * GROUP as u64 * clock::per_us() / 1000;
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
    use super::{MOST, weight, weight_if_shared};
    use std::cmp::Ordering;
    use std::time::Duration;

    #[test]
    fn expensive_comparisons_weigh_more() {
        let slow = By(|a: &u8, b: &u8| {
            std::thread::sleep(Duration::from_micros(100));
            a.cmp(b)
        });
        assert_eq!(weight(&[0; 99], &slow), MOST as usize);
        assert_eq!(weight(&[0u8; 99], &Natural), 1);
        assert_eq!(weight(&[0; 3], &slow), 1);
    }

    /// The sorts that threads share are not for them.
    #[test]
    fn elements_without_a_size_are_not_shared() {
        let order = By(|_: &(), _: &()| Ordering::Less);
        assert_eq!(weight_if_shared(&[(); 1 << 20], &order), None);
    }
}
