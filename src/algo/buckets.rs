//! A counting sort in blocks: every element of a buffered slice moves from the slice to the buffer beside it (or back), to the bucket of its digit.
//!
//! It is one pass of a radix sort, and the first step of a shuffle. Each block counts its digits. From all counts it follows where each
//! block's elements of each digit go, and each block moves them there. Work O(n + digits * blocks), span O(n / blocks + digits + blocks);
//! memory: two numbers for each digit of each block, and two more of each that is being moved.

use crate::algo::moves::SharedPlaces;
use crate::algo::scan::scan_exclusive_in_place;
use crate::algo::sort::BufferedSlice;
use crate::core::both;
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use crate::slice::ParallelSliceMut;
use std::ops::Range;
use std::ptr;

/// Moves the elements of `slice` to the other place, those of lesser digits first; those of one digit stay in their order. Returns where
/// the elements of each digit end.
///
/// `digit` gets an element and where it is in `slice`; it is below `digits`. It is called twice for each element, on at most `blocks` threads.
/// If it panics, nothing has moved.
///
/// # Panics
///
/// If an element has another digit at the second call.
pub(super) fn scatter<T, D>(
    slice: &mut BufferedSlice<'_, T>,
    blocks: usize,
    digits: usize,
    digit: &D,
) -> Vec<usize>
where
    T: Send,
    D: Fn(usize, &T) -> usize + Sync,
{
    let len = slice.len();
    let block = len.div_ceil(blocks).max(1);
    let count = |(number, v): (usize, &mut [T])| {
        let mut counts = vec![0; digits];
        let elements = (number * block..).zip(v);
        elements.for_each(|(i, x)| counts[digit(i, x)] += 1);
        counts
    };
    let elements = slice.elements_mut().par_chunks_mut(block);
    let counts: Vec<Vec<usize>> = elements.enumerate().map(count).collect();
    // Where the elements of each digit of each block go: those of lesser digits first, and of one digit those of earlier blocks.
    let blocks = counts.len();
    let all = (0..digits * blocks).into_par_iter();
    let mut starts: Vec<usize> = all.map(|i| counts[i % blocks][i / blocks]).collect();
    scan_exclusive_in_place(&mut starts, 0, |a, b| a + b);
    starts.push(len);
    let (elements, room) = slice.with_room();
    let to = SharedPlaces(room.as_mut_ptr());
    let elements = elements.par_chunks_mut(block).enumerate();
    elements.for_each(|(number, v)| {
        // The digits lie one behind the other, and within each the blocks: `starts[digit * blocks + number]` is where this block's part of a digit starts.
        let slots = starts[number..].windows(2).step_by(blocks);
        let mut slots: Vec<Range<usize>> = slots.map(|slots| slots[0]..slots[1]).collect();
        for (i, x) in (number * block..).zip(v) {
            let slot = slots[digit(i, x)].next();
            let slot = slot.expect("filch: a key function gave two keys for one element");
            // SAFETY: a slot of the room, which has as many as there are elements. It is of no other digit or block, and is given once. What
            // moves is a copy, which nothing looks at before all are made.
            unsafe { ptr::copy_nonoverlapping(x, to.at(slot).cast(), 1) };
        }
    });
    // SAFETY: each block has moved all of its elements, or this would not have been reached: each to a slot of its own, and there are as
    // many slots as elements.
    unsafe { slice.moved() };
    (1..=digits).map(|digit| starts[digit * blocks]).collect()
}

/// Calls `f` with the bucket of each of some digits, and the digit, in parallel. They are in `slice`, and `ends` is what [`scatter`] returned.
pub(super) fn for_each<T, F>(
    slice: BufferedSlice<'_, T>,
    ends: &[usize],
    digits: Range<usize>,
    f: &F,
) where
    T: Send,
    F: Fn(usize, BufferedSlice<'_, T>) + Sync,
{
    let Range { start, end } = digits;
    if end - start == 1 {
        return f(start, slice);
    }
    let mid = start + (end - start) / 2;
    let before = start.checked_sub(1).map_or(0, |last| ends[last]);
    let (low, high) = slice.split_at(ends[mid - 1] - before);
    both(
        || for_each(low, ends, start..mid, f),
        || for_each(high, ends, mid..end, f),
    );
}

#[cfg(test)]
mod tests {
    use super::scatter;
    use crate::algo::sort::BufferedSlice;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    type Element = (usize, Box<usize>);

    fn elements(len: usize, digits: usize) -> Vec<Element> {
        let digit = |i: usize| i.wrapping_mul(0x9E37_79B9) / 64 % digits;
        (0..len).map(|i| (digit(i), Box::new(i))).collect()
    }

    #[test]
    fn those_of_a_digit_stay_in_their_order() {
        for digits in [1, 3, 8, 17, 1000] {
            for (len, blocks) in [(0, 1), (1, 1), (700, 1), (700, 3), (2000, 64)] {
                let mut sorted = elements(len, digits);
                sorted.sort_by_key(|x| x.0);
                let ends = (0..digits).map(|digit| sorted.partition_point(|x| x.0 <= digit));
                let ends: Vec<usize> = ends.collect();
                let mut v = elements(len, digits);
                let mut buffer = Vec::with_capacity(len);
                // SAFETY: an element has a size, and the slice goes home.
                let mut slice = unsafe { BufferedSlice::new(&mut v, buffer.spare_capacity_mut()) };
                let digit = |_, x: &Element| x.0;
                let found = scatter(&mut slice, blocks, digits, &digit);
                slice.go_home();
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
                // SAFETY: an element has a size, and the slice is dropped.
                let mut slice = unsafe { BufferedSlice::new(&mut v, buffer.spare_capacity_mut()) };
                scatter(&mut slice, blocks, 4, &digit);
            });
            assert!(catch_unwind(run).is_err());
            v.sort_by_key(|x| *x.1);
            assert!(v.iter().map(|x| *x.1).eq(0..LEN));
        }
    }
}
