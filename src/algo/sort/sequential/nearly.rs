//! The unstable sort of what is nearly sorted: what is out of place is put aside, sorted, and merged back.
//!
//! The slice is read once. Elements that continue a sorted sequence are kept at the front. Where an element does not, it and the last
//! element kept are put aside; or only the last one kept, if the sequence goes on without it. (Cook and Kim, "Best sorting algorithm for nearly
//! sorted lists", 1980.) So k elements out of place take O(n + k log k), and memory on the stack only.
//!
//! # Any comparator
//!
//! Elements are only swapped, except in the merge, which brings all of them back. Whatever the answers are, the first pass makes at most 2n
//! comparisons.

use super::super::in_place::merge_in_place_alone;
use super::super::order::Less;
use super::room::{room_on_stack, with_room};
use super::small::{SMALL, insert_last};
use super::unstable;
use std::hint::select_unpredictable;

/// Neighbours that are compared side by side to tell whether a slice is nearly sorted.
const PAIRS: usize = 16;

/// Such groups of neighbours in a long slice, and how many elements there are for each.
const GROUPS: std::ops::RangeInclusive<usize> = 1..=8;
const GROUP: usize = 256;

/// One pair in this many may be in the wrong order. Of random ones half are.
const WRONG: usize = 5;

/// One element in this many may be put aside, and a few more while little has been seen. If there are more, a partition is faster. They are
/// noticed early, so that little work is lost; blocks of other threads are given up after their first pass.
const ASIDE: usize = 4;
const MORE: usize = 64;

/// Slices no longer than this are sorted by insertion, with this many moves an element at most, and a few
/// more: fewer branches are mispredicted.
const SHORT: usize = 128;
const MOVES: usize = 3;

/// Elements that are put aside together with a room for this many at least, or not at all.
const LEAST_ROOM: usize = 16;

/// Sorts `v` if it is nearly sorted, or nearly descending: true. Else it is in any order.
#[inline(never)]
pub(in super::super) fn sort_nearly_sorted<T, O: Less<T>>(v: &mut [T], order: &O) -> bool {
    nearly_ascends(v, order, <[T]>::reverse)
        && match v.len() <= SHORT {
            true => insert_all(v, order),
            false => sort_aside(v, order, || true),
        }
}

/// Sorts by insertion if that takes few moves: true.
fn insert_all<T, O: Less<T>>(v: &mut [T], order: &O) -> bool {
    let mut moves = 0;
    (1..=v.len()).all(|end| {
        moves += insert_last(&mut v[..end], order);
        moves <= MOVES * end + MORE
    })
}

/// Puts aside what is out of place, sorts that, and merges it back, if it is not much, and if it `goes_on` after the first of these: true.
pub(in super::super) fn sort_aside<T, O: Less<T>>(
    v: &mut [T],
    order: &O,
    goes_on: impl Fn() -> bool,
) -> bool {
    let Some(kept) = put_aside(v, order).filter(|_| goes_on()) else {
        return false;
    };
    unstable::sort(&mut v[kept..], order);
    let room = room_on_stack::<T>().min(v.len() - kept);
    with_room(room, |room| merge_in_place_alone(v, kept, room, order));
    true
}

/// Looks at some neighbours, and calls `reverse` if `v` nearly descends. Whether it nearly ascends then: what they say of the others is a guess.
pub(in super::super) fn nearly_ascends<T, O: Less<T>>(
    v: &mut [T],
    order: &O,
    reverse: impl FnOnce(&mut [T]),
) -> bool {
    if v.len() <= SMALL || room_on_stack::<T>() < LEAST_ROOM {
        return false;
    }
    let (pairs, wrong) = wrong_pairs(v, order);
    if wrong <= pairs / WRONG {
        return true;
    }
    let descends = pairs - wrong <= pairs / WRONG;
    if descends {
        reverse(v);
    }
    descends
}

/// Looks at some neighbours from all over `v`: at how many, and how many of them are in the wrong order.
fn wrong_pairs<T, O: Less<T>>(v: &[T], order: &O) -> (usize, usize) {
    let groups = (v.len() / GROUP).clamp(*GROUPS.start(), *GROUPS.end());
    let share = v.len() / groups;
    let mut wrong = 0;
    for part in v.chunks_exact(share).take(groups) {
        let middle = &part[(share - PAIRS) / 2..][..=PAIRS];
        for (a, b) in middle.iter().zip(&middle[1..]) {
            wrong += usize::from(order.is_less(b, a));
        }
    }
    (groups * PAIRS, wrong)
}

/// Brings a sorted part of `v` to its front, and returns how long that is; `None` if too much is not in it.
fn put_aside<T, O: Less<T>>(v: &mut [T], order: &O) -> Option<usize> {
    let mut kept = 0;
    for i in 0..v.len() {
        if kept == 0 || !order.is_less(&v[i], &v[kept - 1]) {
            v.swap(kept, i);
            kept += 1;
            continue;
        }
        // No branch: which of the two it is cannot be foretold.
        let fits = kept == 1 || !order.is_less(&v[i], &v[kept - 2]);
        v.swap(select_unpredictable(fits, kept - 1, i), i);
        kept -= usize::from(!fits);
        if i + 1 - kept > (i / ASIDE + MORE).min(v.len() / ASIDE) {
            return None;
        }
    }
    Some(kept)
}

#[cfg(test)]
mod tests {
    use super::super::super::order::Natural;
    use super::{put_aside, sort_nearly_sorted};

    /// Sorted, with `swaps` of them exchanged.
    fn nearly(len: usize, swaps: usize) -> Vec<usize> {
        let mut v: Vec<usize> = (0..len).collect();
        for i in 0..swaps {
            v.swap(i * 7919 % len, i * 104_729 % len);
        }
        v
    }

    #[test]
    fn sorts_what_is_nearly_sorted_or_descending() {
        for len in [33, 100, 1000, 20_000] {
            for swaps in [1, 3, len / 50] {
                let mut v = nearly(len, swaps);
                assert!(sort_nearly_sorted(&mut v, &Natural), "{len} {swaps}");
                assert!(v.into_iter().eq(0..len));
                let mut v: Vec<usize> = nearly(len, swaps).into_iter().rev().collect();
                assert!(sort_nearly_sorted(&mut v, &Natural), "{len} {swaps}");
                assert!(v.into_iter().eq(0..len));
            }
        }
    }

    #[test]
    fn leaves_off_what_is_not() {
        for len in [0, 1, 32, 33, 1000] {
            let mut v: Vec<usize> = (0..len).map(|i| i * 7919 % 1009).collect();
            let mut sorted = v.clone();
            assert!(!sort_nearly_sorted(&mut v, &Natural));
            v.sort();
            sorted.sort();
            assert_eq!(v, sorted);
        }
    }

    #[test]
    fn few_are_put_aside_for_each_that_is_out_of_place() {
        // A greatest element, two of them side by side, least ones.
        for (outliers, aside) in [
            (&[(50, 9999)][..], 1),
            (&[(50, 9999), (51, 9999)], 4),
            (&[(50, 0)], 2),
            (&[(50, 0), (51, 1), (52, 0)], 6),
            (&[(0, 9999)], 1),
            (&[(999, 0)], 2),
        ] {
            let mut v: Vec<usize> = (1000..2000).collect();
            for &(at, x) in outliers {
                v[at] = x;
            }
            let kept = put_aside(&mut v, &Natural).unwrap();
            assert!(v[..kept].is_sorted());
            assert!(1000 - kept <= aside, "{outliers:?}: {kept}");
        }
    }
}
