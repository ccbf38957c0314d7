//! The element by which a slice is partitioned.
//!
//! O(n^0.53) comparisons: three for each group of three medians. No memory.

use super::super::order::Less;
use std::hint::select_unpredictable;

/// From this length on, each of the three candidates is a median itself.
const LONG: usize = 64;

/// Index of an element that is probably close to the median of at least eight. (Tukey's "ninther", 1978, to any depth.)
pub(super) fn choose<T, O: Less<T>>(v: &[T], order: &O) -> usize {
    median_near(v, 0, v.len() / 8, order)
}

/// Looks at `8 * step` elements from `start` on: at the start, in the middle and towards the end.
fn median_near<T, O: Less<T>>(v: &[T], start: usize, step: usize, order: &O) -> usize {
    let mut candidates = [start, start + 4 * step, start + 7 * step];
    if step * 8 >= LONG {
        for candidate in &mut candidates {
            *candidate = median_near(v, *candidate, step / 8, order);
        }
    }
    let [a, b, c] = candidates;
    let a_before_b = order.is_less(&v[a], &v[b]);
    if a_before_b != order.is_less(&v[a], &v[c]) {
        // `a` is between the two.
        return a;
    }
    // `a` is the least or the greatest: then it is the lesser or the greater of the two others.
    let b_before_c = order.is_less(&v[b], &v[c]);
    select_unpredictable(a_before_b == b_before_c, b, c)
}
