//! A counting sort in blocks: every element of a span moves from the slice to the buffer beside it (or back), to the bucket of its digit.
//!
//! It is one pass of a radix sort, and the first step of a shuffle. Each block counts its digits. From all counts it follows where each
//! block's elements of each digit go, and each block moves them there. Work O(n + digits * blocks), span O(n / blocks + digits + blocks);
//! memory: three numbers for each digit of each block.

use crate::algo::sort::BufferedSpan;
use crate::core::both;
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use crate::slice::ParallelSliceMut;
use std::{mem, ptr};

/// Digits whose counts one task adds up.
const GROUP: usize = 32;

/// Moves the elements of `span` to the other place, those of lesser digits first; those of one digit stay in their order. Returns where
/// the elements of each digit end.
///
/// `digit` gets an element and where it is in the span; it is below `digits`. It is called twice for each element, on at most `blocks` threads.
/// If it panics, nothing has moved.
///
/// # Panics
///
/// If an element has another digit at the second call.
pub(super) fn scatter<T, D>(
    span: &mut BufferedSpan<'_, T>,
    blocks: usize,
    digits: usize,
    digit: &D,
) -> Vec<usize>
where
    T: Send,
    D: Fn(usize, &T) -> usize + Sync,
{
    let len = span.len();
    let block = len.div_ceil(blocks).max(1);
    // A row for each block, at least one. In each, first how many elements have each digit, then where the next one goes; and where they end.
    let size = len.div_ceil(block).max(1) * digits;
    let (mut next, mut end) = (vec![0; size], vec![0; size]);
    count(span.elements_mut(), 0, &mut next, [block, digits], digit);
    place(&mut next, &mut end, digits);
    let (from, to) = span.places();
    let pass = Pass {
        from,
        to,
        len,
        block,
        digit,
    };
    // SAFETY: the blocks are disjoint parts of the span. `place` has given each digit of each block slots of its own, inside the span, as
    // many as were counted. The elements are at `from`, and `to` has as many slots.
    unsafe { pass.run(0, &mut next, &end, digits) };
    // SAFETY: each block has moved all of its elements, or this would not have been reached: each to a slot of its own, and there are as
    // many slots as elements.
    unsafe { span.moved() };
    end.split_off(size - digits)
}

/// Counts the digits of each block, in its row. `first` is where `v` begins in the span. Takes the elements mutably, to be their only user.
fn count<T, D>(
    v: &mut [T],
    first: usize,
    rows: &mut [usize],
    [block, digits]: [usize; 2],
    digit: &D,
) where
    T: Send,
    D: Fn(usize, &T) -> usize + Sync,
{
    let mid = rows.len() / digits / 2;
    if mid == 0 {
        return (first..).zip(v).for_each(|(i, x)| rows[digit(i, x)] += 1);
    }
    let (low, high) = v.split_at_mut(mid * block);
    let (low_rows, high_rows) = rows.split_at_mut(mid * digits);
    let shape = [block, digits];
    both(
        || count(low, first, low_rows, shape, digit),
        || count(high, first + mid * block, high_rows, shape, digit),
    );
}

/// Gives each digit of each block its slots, those of lesser digits first, and within a digit those of earlier blocks first: `next` has counts, and
/// becomes where the slots begin, and `end` where they end.
fn place(next: &mut [usize], end: &mut [usize], digits: usize) {
    let blocks = next.len() / digits;
    // A row for each digit: where its blocks begin in the slots of a group of digits.
    let mut starts = vec![0; next.len()];
    let groups = starts.par_chunks_mut(GROUP * blocks).enumerate();
    let add_up = |(group, rows): (usize, &mut [usize])| {
        let mut sum = 0;
        for (digit, row) in (group * GROUP..).zip(rows.chunks_exact_mut(blocks)) {
            for (block, start) in row.iter_mut().enumerate() {
                *start = sum;
                sum += next[block * digits + digit];
            }
        }
        sum
    };
    let mut groups: Vec<usize> = groups.map(add_up).collect();
    let mut sum = 0;
    for group in &mut groups {
        sum += mem::replace(group, sum);
    }
    let rows = next.par_chunks_mut(digits).zip(end.par_chunks_mut(digits));
    rows.enumerate().for_each(|(block, (next, end))| {
        for (digit, (next, end)) in next.iter_mut().zip(end).enumerate() {
            let start = groups[digit / GROUP] + starts[digit * blocks + block];
            *end = start + mem::replace(next, start);
        }
    });
}

/// What all threads of a pass share.
struct Pass<'a, T, D> {
    from: *const T,
    to: *mut T,
    /// How many elements there are, and how many a block has; the last one may have fewer.
    len: usize,
    block: usize,
    digit: &'a D,
}

impl<T, D> Clone for Pass<'_, T, D> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, D> Copy for Pass<'_, T, D> {}

// SAFETY: its holder may move elements to another thread, as `Send` allows, and call `digit` there, as `Sync` allows.
unsafe impl<T: Send, D: Sync> Send for Pass<'_, T, D> {}

impl<T, D> Pass<'_, T, D>
where
    T: Send,
    D: Fn(usize, &T) -> usize + Sync,
{
    /// Moves the elements of the blocks from number `first` on, as many as there are rows in `next` and `end`.
    ///
    /// # Safety
    ///
    /// - `from` points to initialised elements at all places of these blocks, which nothing else uses.
    /// - `next..end` of each digit of each block are slots of `to` that nothing else uses, apart from those at `from`.
    unsafe fn run(self, first: usize, next: &mut [usize], end: &[usize], digits: usize) {
        let mid = next.len() / digits / 2;
        if mid > 0 {
            let (low, high) = next.split_at_mut(mid * digits);
            let (low_end, high_end) = end.split_at(mid * digits);
            both(
                // SAFETY: the caller's promise, for a part of the blocks.
                move || unsafe { self.run(first, low, low_end, digits) },
                // SAFETY: likewise.
                move || unsafe { self.run(first + mid, high, high_end, digits) },
            );
            return;
        }
        let start = first * self.block;
        for i in start..self.len.min(start + self.block) {
            // SAFETY: an element of this block. It is still there: what moves is a copy, which nothing looks at before all are made.
            let element = unsafe { &*self.from.add(i) };
            let digit = (self.digit)(i, element);
            let slot = next[digit];
            assert!(
                slot != end[digit],
                "filch: a key function gave two keys for one element"
            );
            next[digit] = slot + 1;
            // SAFETY: the slot is one of this digit of this block, and it was not used before, since `next` grows to `end` alone.
            unsafe { ptr::copy_nonoverlapping(element, self.to.add(slot), 1) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{GROUP, scatter};
    use crate::algo::sort::BufferedSpan;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    type Element = (usize, Box<usize>);

    fn elements(len: usize, digits: usize) -> Vec<Element> {
        let digit = |i: usize| i.wrapping_mul(0x9E37_79B9) / 64 % digits;
        (0..len).map(|i| (digit(i), Box::new(i))).collect()
    }

    #[test]
    fn those_of_a_digit_stay_in_their_order() {
        for digits in [1, 3, GROUP, 2 * GROUP + 1, 1000] {
            for (len, blocks) in [(0, 1), (1, 1), (700, 1), (700, 3), (2000, 64)] {
                let mut sorted = elements(len, digits);
                sorted.sort_by_key(|x| x.0);
                let ends = (0..digits).map(|digit| sorted.partition_point(|x| x.0 <= digit));
                let ends: Vec<usize> = ends.collect();
                let mut v = elements(len, digits);
                let mut buffer = Vec::with_capacity(len);
                // SAFETY: an element has a size, and the span goes home.
                let mut span = unsafe { BufferedSpan::new(&mut v, buffer.spare_capacity_mut()) };
                let digit = |_, x: &Element| x.0;
                let found = scatter(&mut span, blocks, digits, &digit);
                span.go_home();
                assert_eq!(v, sorted);
                assert_eq!(found, ends);
            }
        }
    }

    #[test]
    fn nothing_is_lost_when_a_digit_panics() {
        const LEN: usize = 300;
        for (bad, blocks) in (0..2 * LEN).flat_map(|bad| [(bad, 1), (bad, 3)]) {
            let mut v = elements(LEN, 4);
            let mut buffer = Vec::with_capacity(LEN);
            let calls = AtomicUsize::new(0);
            let digit = |_, x: &Element| {
                if calls.fetch_add(1, Relaxed) == bad {
                    resume_unwind(Box::new(()));
                }
                x.0
            };
            let run = AssertUnwindSafe(|| {
                // SAFETY: an element has a size, and the span is dropped.
                let mut span = unsafe { BufferedSpan::new(&mut v, buffer.spare_capacity_mut()) };
                scatter(&mut span, blocks, 4, &digit);
            });
            assert!(catch_unwind(run).is_err());
            v.sort_by_key(|x| *x.1);
            assert!(v.iter().map(|x| *x.1).eq(0..LEN));
        }
    }
}
