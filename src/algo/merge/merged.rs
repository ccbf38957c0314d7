//! Two sorted slices as one sorted parallel iterator.
//!
//! To cut it is O(log n) comparisons, and each step is one comparison; no memory. The cut is where the stable merge has that position.

use crate::algo::sort::{Order, co_rank};
use crate::iter::plumbing::Producer;
use crate::iter::sources::indexed_source;
use std::hint::select_unpredictable;

/// The stable merge of two sorted slices, by reference.
///
/// Each part of it owns its part of both slices, so that an element is yielded once, whatever the comparator answers.
pub(super) struct MergedSlices<'a, T, O> {
    pub(super) left: &'a [T],
    pub(super) right: &'a [T],
    pub(super) order: &'a O,
}

indexed_source! {
    impl['a, T: Sync, O: Order<T>] MergedSlices<'a, T, O> => &'a T;
    len(self) { self.left.len().checked_add(self.right.len()).expect("a length of a vector") }
    producer(self) { self }
}

impl<'a, T: Sync, O: Order<T>> Producer for MergedSlices<'a, T, O> {
    const BOUNDED: bool = false;
    // To split is to search, with the user's comparison.
    const CAN_PAUSE: bool = false;
    type Item = &'a T;
    type IntoIter = Merging<'a, T, O>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        Merging(self)
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let from_left = co_rank(self.left, self.right, index, self.order);
        let (left_low, left_high) = self.left.split_at(from_left);
        let (right_low, right_high) = self.right.split_at(index - from_left);
        let part = |left, right| MergedSlices {
            left,
            right,
            ..self
        };
        (part(left_low, right_low), part(left_high, right_high))
    }
}

/// The sequential merge, from either end.
pub(super) struct Merging<'a, T, O>(MergedSlices<'a, T, O>);

impl<'a, T, O: Order<T>> Iterator for Merging<'a, T, O> {
    type Item = &'a T;

    #[inline]
    fn next(&mut self) -> Option<&'a T> {
        let MergedSlices { left, right, order } = &mut self.0;
        let ([first_left, ..], [first_right, ..]) = (*left, *right) else {
            let rest = if left.is_empty() { right } else { left };
            return rest.split_off_first();
        };
        let from_right = order.is_less(first_right, first_left);
        *left = &left[usize::from(!from_right)..];
        *right = &right[usize::from(from_right)..];
        Some(select_unpredictable(from_right, first_right, first_left))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.left.len() + self.0.right.len();
        (len, Some(len))
    }
}

impl<T, O: Order<T>> DoubleEndedIterator for Merging<'_, T, O> {
    #[inline]
    fn next_back(&mut self) -> Option<Self::Item> {
        let MergedSlices { left, right, order } = &mut self.0;
        let ([.., last_left], [.., last_right]) = (*left, *right) else {
            let rest = if left.is_empty() { right } else { left };
            return rest.split_off_last();
        };
        let from_left = order.is_less(last_right, last_left);
        *left = &left[..left.len() - usize::from(from_left)];
        *right = &right[..right.len() - usize::from(!from_left)];
        Some(select_unpredictable(from_left, last_left, last_right))
    }
}

impl<T, O: Order<T>> ExactSizeIterator for Merging<'_, T, O> {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::sort::Less;

    struct ByKey;

    impl Less<(u32, u32)> for ByKey {
        fn is_less(&self, a: &(u32, u32), b: &(u32, u32)) -> bool {
            a.0 < b.0
        }
    }

    /// From the front up to any place, and then from the back.
    #[test]
    fn both_ends_meet() {
        let all: Vec<(u32, u32)> = (0..12).map(|i| (i * 5 % 12 / 3, i)).collect();
        for mid in 0..=12 {
            let (mut left, mut right) = (all[..mid].to_vec(), all[mid..].to_vec());
            left.sort_by_key(|x| x.0);
            right.sort_by_key(|x| x.0);
            let mut expected = [&left[..], &right].concat();
            expected.sort_by_key(|x| x.0);
            for front in 0..=12 {
                let (left, right) = (&left[..], &right[..]);
                let order = &ByKey;
                let mut merging = MergedSlices { left, right, order }.into_iter();
                let mut merged: Vec<_> = merging.by_ref().take(front).copied().collect();
                let mut back: Vec<_> = merging.rev().copied().collect();
                back.reverse();
                merged.append(&mut back);
                assert_eq!(merged, expected);
            }
        }
    }
}
