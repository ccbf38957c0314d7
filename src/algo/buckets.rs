//! A counting sort in blocks: every element of a span moves to the bucket of its digit, in the place beside it.
//!
//! One pass of a radix sort, and the first step of a shuffle. Work O(n + digits * blocks), span O(n / blocks + digits + blocks); memory: three
//! numbers for each digit of each block.

use crate::algo::sort::Span;
use crate::core::both;
use crate::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use crate::slice::ParallelSliceMut;
use std::ops::Range;
use std::ptr;

/// Digits whose counts one task adds up.
const GROUP: usize = 32;

/// A part of a span that one thread counts and moves, and where it moves the elements of each digit.
pub(super) struct Block {
    elements: Range<usize>,
    /// First how many elements have each digit, then where the next one goes.
    next: Vec<usize>,
    /// Where those of each digit end.
    end: Vec<usize>,
}

impl Block {
    fn new(elements: Range<usize>, digits: usize) -> Self {
        Block {
            elements,
            next: vec![0; digits],
            end: vec![0; digits],
        }
    }
}

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
    span: &mut Span<'_, T>,
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
    let mut blocks: Vec<Block> = (0..len)
        .step_by(block)
        .map(|start| Block::new(start..len.min(start + block), digits))
        .collect();
    count(span.elements_mut(), &mut blocks, digit);
    let ends = place(&mut blocks, digits);
    let (from, to) = span.places();
    let pass = Pass { from, to, digit };
    // SAFETY: the blocks are disjoint parts of the span. `place` has given each digit of each block slots of its own, inside the span, as
    // many as were counted. The elements are at `from`, and `to` has as many slots.
    unsafe { pass.run(&mut blocks) };
    // SAFETY: each block has moved all of its elements, or this would not have been reached: each to a slot of its own, and there are as
    // many slots as elements.
    unsafe { span.moved() };
    ends
}

/// Counts the digits of each block. Takes the elements mutably, to be their only user.
fn count<T, D>(v: &mut [T], blocks: &mut [Block], digit: &D)
where
    T: Send,
    D: Fn(usize, &T) -> usize + Sync,
{
    match blocks {
        [] => {}
        [block] => {
            for (i, x) in block.elements.clone().zip(v) {
                block.next[digit(i, x)] += 1;
            }
        }
        _ => {
            let (low, high) = blocks.split_at_mut(blocks.len() / 2);
            let (v_low, v_high) = v.split_at_mut(low.iter().map(|b| b.elements.len()).sum());
            both(|| count(v_low, low, digit), || count(v_high, high, digit));
        }
    }
}

/// Gives each digit of each block its slots, those of lesser digits first, and within a digit those of earlier blocks first. Returns where each
/// digit ends.
fn place(blocks: &mut [Block], digits: usize) -> Vec<usize> {
    let width = blocks.len();
    // A row for each digit: where its blocks begin in the slots of a group of digits.
    let mut starts = vec![0; digits * width];
    let groups = starts.par_chunks_mut(GROUP * width.max(1)).enumerate();
    let add_up = |(group, rows): (usize, &mut [usize])| {
        let mut end = 0;
        for (digit, row) in (group * GROUP..).zip(rows.chunks_exact_mut(width)) {
            for (start, block) in row.iter_mut().zip(&*blocks) {
                *start = end;
                end += block.next[digit];
            }
        }
        end
    };
    let mut groups: Vec<usize> = groups.map(add_up).collect();
    let mut end = 0;
    for group in &mut groups {
        end += std::mem::replace(group, end);
    }
    let blocks_and_columns = blocks.par_iter_mut().enumerate();
    blocks_and_columns.for_each(|(column, block)| {
        let ends = block.next.iter_mut().zip(&mut block.end);
        for (digit, (next, end)) in ends.enumerate() {
            let start = groups[digit / GROUP] + starts[digit * width + column];
            *end = start + std::mem::replace(next, start);
        }
    });
    blocks.last().map_or(Vec::new(), |last| last.end.clone())
}

/// What all threads of a pass share.
struct Pass<'a, T, D> {
    from: *const T,
    to: *mut T,
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
    /// Moves the elements of the blocks.
    ///
    /// # Safety
    ///
    /// - For each block, `from` points to initialised elements at all of `elements`, which nothing else uses.
    /// - `next..end` of each digit of each block are slots of `to` that nothing else uses, apart from those at `from`.
    unsafe fn run(self, blocks: &mut [Block]) {
        match blocks {
            [] => {}
            // SAFETY: the caller's promise.
            [block] => unsafe {
                self.run_block(block.elements.clone(), &mut block.next, &block.end)
            },
            _ => {
                let (low, high) = blocks.split_at_mut(blocks.len() / 2);
                both(
                    // SAFETY: the caller's promise, for a part of the blocks.
                    move || unsafe { self.run(low) },
                    // SAFETY: likewise.
                    move || unsafe { self.run(high) },
                );
            }
        }
    }

    /// Moves the elements of one block.
    ///
    /// # Safety
    ///
    /// As for [`run`](Self::run), for one block.
    unsafe fn run_block(self, elements: Range<usize>, next: &mut [usize], end: &[usize]) {
        for i in elements {
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
    use crate::algo::sort::Span;
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
                let mut span = unsafe { Span::new(&mut v, buffer.spare_capacity_mut()) };
                let digit = |_, x: &Element| x.0;
                let found = scatter(&mut span, blocks, digits, &digit);
                span.go_home();
                assert_eq!(v, sorted);
                // There is no block of nothing.
                assert!(found == ends || len == 0);
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
                let mut span = unsafe { Span::new(&mut v, buffer.spare_capacity_mut()) };
                scatter(&mut span, blocks, 4, &digit);
            });
            assert!(catch_unwind(run).is_err());
            v.sort_by_key(|x| *x.1);
            assert!(v.iter().map(|x| *x.1).eq(0..LEN));
        }
    }
}
