//! One pass of a radix sort: every element of a span moves to the bucket of its digit, in the place beside it.

use crate::algo::sort::Span;
use crate::core::both;
use std::ops::Range;
use std::ptr;

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
            end: Vec::new(),
        }
    }
}

/// Moves the elements of `span` to the other place, those of lesser digits first; those of one digit stay in their order. Returns where
/// the elements of each digit end.
///
/// `digit` is below `digits`. It is called twice for each element, on at most `blocks` threads. If it panics, nothing has moved.
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
    D: Fn(&T) -> usize + Sync,
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
    D: Fn(&T) -> usize + Sync,
{
    match blocks {
        [] => {}
        [block] => v.iter().for_each(|x| block.next[digit(x)] += 1),
        _ => {
            let (low, high) = blocks.split_at_mut(blocks.len() / 2);
            let (v_low, v_high) = v.split_at_mut(low.iter().map(|b| b.elements.len()).sum());
            both(|| count(v_low, low, digit), || count(v_high, high, digit));
        }
    }
}

/// Turns counts into places: digit by digit, and block by block for one digit.
fn place(blocks: &mut [Block], digits: usize) -> Vec<usize> {
    let mut end = 0;
    (0..digits)
        .map(|digit| {
            for block in &mut *blocks {
                let count = std::mem::replace(&mut block.next[digit], end);
                end += count;
                block.end.push(end);
            }
            end
        })
        .collect()
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
    D: Fn(&T) -> usize + Sync,
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
            [block] => unsafe { self.run_block(block) },
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
    /// As for [`run`](Self::run).
    unsafe fn run_block(self, block: &mut Block) {
        let (next, end) = (&mut block.next[..], &block.end[..]);
        for i in block.elements.clone() {
            // SAFETY: an element of this block. It is still there: what moves is a copy, which nothing looks at before all are made.
            let element = unsafe { &*self.from.add(i) };
            let digit = (self.digit)(element);
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
