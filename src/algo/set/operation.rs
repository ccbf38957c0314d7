//! A set operation: both slices are cut into pieces where their merge has equal parts, and each piece is a walk through both.
//!
//! Work O(m + n) comparisons, and O(log (m + n)) for each piece of 4,096 elements; span that of `pack/emit`; memory: two words for each piece.

use crate::algo::pack::{Filling, SlotStretch, emit};
use crate::algo::sort::{By, co_rank};
use crate::core::leaf;
use crate::iter::{IntoParallelIterator, ParallelExtend, ParallelIterator};
use std::cmp::Ordering;
use std::{iter, mem};

/// Elements of both slices that make a piece of work: searching for its borders costs a few per cent of what it costs.
const PIECE: usize = 4096;

/// How long both parts are that lie before what equals the element number `k` of the merge. Together at most `k`, whatever the comparison
/// answers; less only by elements that are equal to each other, if the slices are sorted.
fn cut<T, F>(left: &[T], right: &[T], k: usize, compare: &F) -> (usize, usize)
where
    F: Fn(&T, &T) -> Ordering + Sync,
{
    let from_left = co_rank(left, right, k, &By(compare));
    let (low_left, high_left) = left.split_at(from_left);
    let (low_right, high_right) = right.split_at(k - from_left);
    let first = match (high_left, high_right) {
        ([a, ..], [b, ..]) if compare(b, a).is_lt() => b,
        ([a, ..], _) => a,
        ([], [b, ..]) => b,
        ([], []) => return (left.len(), right.len()),
    };
    let before = |x: &T| compare(x, first).is_lt();
    (
        low_left.partition_point(before),
        low_right.partition_point(before),
    )
}

/// Says which elements are wanted: those that are in the left slice alone, in both, in the right one alone.
pub(super) struct Operation<'a, T, F, const LEFT: bool, const BOTH: bool, const RIGHT: bool> {
    left: &'a [T],
    right: &'a [T],
    compare: F,
    /// Where both slices are cut into pieces. No equal elements are in different pieces, if the slices are sorted. Ascending in any case.
    cuts: Vec<(usize, usize)>,
}

impl<'a, T, F, const LEFT: bool, const BOTH: bool, const RIGHT: bool>
    Operation<'a, T, F, LEFT, BOTH, RIGHT>
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> Ordering + Sync + Send,
{
    pub(super) fn run(left: &'a [T], right: &'a [T], compare: F) -> Vec<T> {
        let len = left.len().saturating_add(right.len());
        let long = leaf(PIECE, 1);
        let pieces = len.div_ceil(long);
        let cut = |piece: usize| cut(left, right, piece * long, &compare);
        let mut cuts = vec![(0, 0)];
        cuts.par_extend((1..pieces).into_par_iter().map(cut));
        cuts.push((left.len(), right.len()));
        // An order that is none must not make pieces overlap.
        for i in 1..cuts.len() {
            let before = cuts[i - 1];
            cuts[i] = (cuts[i].0.max(before.0), cuts[i].1.max(before.1));
        }
        let pieces = cuts.len() - 1;
        let operation = Self {
            left,
            right,
            compare,
            cuts,
        };
        emit(pieces, &operation)
    }

    /// Whether an element is wanted, if it compares like this with one of the right slice.
    fn wants(order: Ordering) -> bool {
        match order {
            Ordering::Less => LEFT,
            Ordering::Equal => BOTH,
            Ordering::Greater => RIGHT,
        }
    }

    #[inline(never)] // by itself its loop keeps all in registers
    fn emit_piece(&self, left: &[T], right: &[T], out: &mut SlotStretch<'_, T>) {
        let (mut i, mut j) = (0, 0);
        out.extend_wanted(iter::from_fn(|| {
            let (a, b) = (left.get(i)?, right.get(j)?);
            let order = (self.compare)(a, b);
            i += usize::from(order.is_le());
            j += usize::from(order.is_ge());
            let lesser = if order.is_gt() { b } else { a };
            Some((Self::wants(order), || lesser.clone()))
        }));
        let rest_of_left = left[i..].iter().filter(|_| LEFT);
        let rest_of_right = right[j..].iter().filter(|_| RIGHT);
        for x in rest_of_left.chain(rest_of_right) {
            out.push(x.clone());
        }
    }
}

impl<T, F, const LEFT: bool, const BOTH: bool, const RIGHT: bool> Filling<T>
    for Operation<'_, T, F, LEFT, BOTH, RIGHT>
where
    T: Clone + Send + Sync,
    F: Fn(&T, &T) -> Ordering + Sync + Send,
{
    fn most_before(&self, piece: usize) -> usize {
        let (left, right) = self.cuts[piece];
        match (LEFT, RIGHT) {
            (true, true) => left.checked_add(right).expect("a length of a vector"),
            (false, false) if self.right.len() < self.left.len() => right,
            _ => left,
        }
    }

    fn advance(&self, next: &mut usize, end: usize, out: &mut SlotStretch<'_, T>) {
        for piece in mem::replace(next, end)..end {
            let (start, end) = (self.cuts[piece], self.cuts[piece + 1]);
            let (left, right) = (&self.left[start.0..end.0], &self.right[start.1..end.1]);
            self.emit_piece(left, right, out);
        }
    }
}
