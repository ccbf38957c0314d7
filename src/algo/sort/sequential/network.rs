//! Sorting networks for up to eight small elements, which do not keep the order of equal ones.
//!
//! A network compares the same places whatever the answers are, and exchanges elements where they lie. So any answers leave every element
//! in the slice. (Knuth, "The Art of Computer Programming", volume 3, 5.3.4; these have the fewest comparisons there can be.)

use super::super::order::Less;
use std::hint::select_unpredictable;
use std::mem::MaybeUninit;

/// Most elements that are sorted here.
pub(super) const MOST: usize = 8;

/// Sorts at most [`MOST`] elements.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(super) fn sort<T, O: Less<T>>(v: &mut [T], order: &O) {
    match v.len() {
        0 | 1 => {}
        2 => run(v, &[(0, 1)], order),
        3 => run(v, &[(0, 2), (0, 1), (1, 2)], order),
        4 => run(v, &[(0, 2), (1, 3), (0, 1), (2, 3), (1, 2)], order),
        5 => run(v, &FIVE, order),
        6 => run(v, &SIX, order),
        7 => run(v, &SEVEN, order),
        8 => run(v, &EIGHT, order),
        _ => unreachable!("more than a network sorts"),
    }
}

const FIVE: [(usize, usize); 9] = [
    (0, 3),
    (1, 4),
    (0, 2),
    (1, 3),
    (0, 1),
    (2, 4),
    (1, 2),
    (3, 4),
    (2, 3),
];

const SIX: [(usize, usize); 12] = [
    (0, 5),
    (1, 3),
    (2, 4),
    (1, 2),
    (3, 4),
    (0, 3),
    (2, 5),
    (0, 1),
    (2, 3),
    (4, 5),
    (1, 2),
    (3, 4),
];

const SEVEN: [(usize, usize); 16] = [
    (0, 6),
    (2, 3),
    (4, 5),
    (0, 2),
    (1, 4),
    (3, 6),
    (0, 1),
    (2, 5),
    (3, 4),
    (1, 2),
    (4, 6),
    (2, 3),
    (4, 5),
    (1, 2),
    (3, 4),
    (5, 6),
];

const EIGHT: [(usize, usize); 19] = [
    (0, 2),
    (1, 3),
    (4, 6),
    (5, 7),
    (0, 4),
    (1, 5),
    (2, 6),
    (3, 7),
    (0, 1),
    (2, 3),
    (4, 5),
    (6, 7),
    (2, 4),
    (3, 5),
    (1, 4),
    (3, 6),
    (1, 2),
    (3, 4),
    (5, 6),
];

/// Compares the places of each pair, and brings the lesser element to the first of the two.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<T, O: Less<T>, const N: usize>(v: &mut [T], pairs: &[(usize, usize); N], order: &O) {
    assert!(pairs.iter().all(|&(a, b)| a < b && b < v.len()));
    let base = v.as_mut_ptr();
    for &(a, b) in pairs {
        // SAFETY: both are in the slice, and different.
        let (a, b) = unsafe { (base.add(a), base.add(b)) };
        // SAFETY: two elements that nothing else uses.
        let swap = unsafe { order.is_less(&*b, &*a) };
        let (less, greater) = (
            select_unpredictable(swap, b, a),
            select_unpredictable(swap, a, b),
        );
        // SAFETY: the two elements are read as bytes and written to the two places, each to one.
        unsafe {
            let (less, greater) = (
                less.cast::<MaybeUninit<T>>().read(),
                greater.cast::<MaybeUninit<T>>().read(),
            );
            a.cast::<MaybeUninit<T>>().write(less);
            b.cast::<MaybeUninit<T>>().write(greater);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::order::Natural;
    use super::{MOST, sort};

    #[test]
    fn zeros_and_ones_are_sorted() {
        for len in 0..=MOST {
            for bits in 0..1u32 << len {
                let mut v: Vec<u32> = (0..len).map(|i| bits >> i & 1).collect();
                sort(&mut v, &Natural);
                assert!(v.is_sorted());
            }
        }
    }
}
