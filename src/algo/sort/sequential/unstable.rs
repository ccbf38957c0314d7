//! The unstable quicksort by one thread, in place.
//!
//! Memory: O(log n) of the stack, and up to 4 KiB for the shortest slices.
//!
//! # Any comparator
//!
//! Elements are swapped, or moved by one that is out of the slice and goes back. Partitions inside one another have a budget; when it is
//! used up, heap sort takes over. So the depth is O(log n), and O(n log n) comparisons are the most.

use super::super::order::Less;
use super::heap;
use super::pivot;
use super::room::{fits_on_stack, with_room};
use super::small::{SMALL, insert_from, sort_small, sort_small_unstable};

/// Longest slice of larger elements that is sorted by insertion.
const FEW: usize = 16;

/// Largest element of which a few are merged in room on the stack. Of larger ones, fewer are sorted by insertion, which moves them less.
const LARGE: usize = 96;

const fn is_merged<T>() -> bool {
    size_of::<T>() <= LARGE && fits_on_stack::<T>(SMALL)
}

/// Largest element for which a network is the fastest: two of them are exchanged in registers.
const TINY: usize = 8;

/// Sorts `v`.
pub(super) fn sort<T, O: Less<T>>(v: &mut [T], order: &O) {
    if order.sort_by_std(v) {
        return;
    }
    quicksort(v, None, 2 * (v.len() | 1).ilog2(), order);
}

/// `least` is an element than which none of `v` is less, if one is known; `budget` how many partitions may still come, one inside another.
fn quicksort<'a, T, O: Less<T>>(
    mut v: &'a mut [T],
    mut least: Option<&'a T>,
    mut budget: u32,
    order: &O,
) {
    let few = if is_merged::<T>() { SMALL } else { FEW };
    while v.len() > few {
        if budget == 0 {
            return heap::sort(v, order);
        }
        budget -= 1;
        let parted = pivot::part(v, least, order);
        quicksort(parted.low, least, budget, order);
        (v, least) = (parted.high, parted.least);
    }
    sort_few(v, order);
}

/// A function of its own, so that there is one such piece of stack, and not one for each partition that a slice lies in.
#[inline(never)]
fn sort_few<T, O: Less<T>>(v: &mut [T], order: &O) {
    if const { !is_merged::<T>() } {
        return insert_from(v, 1, order);
    }
    with_room(v.len(), |room| match const { size_of::<T>() <= TINY } {
        true => sort_small_unstable(v, room, order),
        false => sort_small(v, room, order),
    });
}

#[cfg(test)]
mod tests {
    use super::super::super::order::By;
    use super::{quicksort, sort};

    #[test]
    fn a_used_up_budget_leaves_the_rest_to_the_heap() {
        for (budget, distinct) in (0..4).flat_map(|budget| [(budget, 7), (budget, 1_000)]) {
            let mut v: Vec<usize> = (0..1_000).map(|i| i * 7919 % 1009 % distinct).collect();
            quicksort(&mut v, None, budget, &By(usize::cmp));
            assert!(v.is_sorted());
        }
    }

    #[test]
    fn nothing_is_sorted() {
        sort(&mut [], &By(usize::cmp));
    }
}
