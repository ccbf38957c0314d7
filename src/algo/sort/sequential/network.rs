//! Sorting networks for up to eight small elements, which do not keep the order of equal ones.
//!
//! A network compares the same places whatever the answers are, and exchanges elements where they lie. So any answers leave every element
//! in the slice. (Knuth, "The Art of Computer Programming", volume 3, 5.3.4; these have the fewest comparisons there can be.)
//!
//! At most 19 comparisons, and no memory.

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

/// Pairs of places, each written as a number of two octal digits.
const fn pairs<const N: usize>(numbers: [usize; N]) -> [(usize, usize); N] {
    let mut pairs = [(0, 0); N];
    let mut i = 0;
    while i < N {
        pairs[i] = (numbers[i] >> 3, numbers[i] & 7);
        i += 1;
    }
    pairs
}

const FIVE: [(usize, usize); 9] = pairs([0o03, 0o14, 0o02, 0o13, 0o01, 0o24, 0o12, 0o34, 0o23]);

const SIX: [(usize, usize); 12] = pairs([
    0o05, 0o13, 0o24, 0o12, 0o34, 0o03, 0o25, 0o01, 0o23, 0o45, 0o12, 0o34,
]);

const SEVEN: [(usize, usize); 16] = pairs([
    0o06, 0o23, 0o45, 0o02, 0o14, 0o36, 0o01, 0o25, 0o34, 0o12, 0o46, 0o23, 0o45, 0o12, 0o34, 0o56,
]);

const EIGHT: [(usize, usize); 19] = pairs([
    0o02, 0o13, 0o46, 0o57, 0o04, 0o15, 0o26, 0o37, 0o01, 0o23, 0o45, 0o67, 0o24, 0o35, 0o14, 0o36,
    0o12, 0o34, 0o56,
]);

/// Compares the places of each pair, and brings the lesser element to the first of the two.
#[cfg_attr(not(debug_assertions), inline(always))]
fn run<T, O: Less<T>>(v: &mut [T], pairs: &[(usize, usize)], order: &O) {
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
