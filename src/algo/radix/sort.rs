//! The passes of a radix sort, from the most significant digit down.
//!
//! A pass is a counting sort in blocks, O(n) work and O(n / p) span; what differs in no bit is passed over, with O(n) work for a look at all keys of a span. Memory:
//! room beside the slice, and up to four numbers for each digit of each block.

use super::key::{RadixKey, Words};
use crate::algo::buckets;
use crate::algo::buffer::{Buffer, touch};
use crate::algo::sort::{
    self as comparisons, BufferedSlice, LeadingRun, Less, in_pool, sequential, sort_unstable,
};
use crate::core::{leaf, threads};
use crate::iter::ParallelIterator;
use crate::slice::ParallelSliceMut;

/// Slices no longer than this are sorted by comparisons: that takes some tens of microseconds.
const SHORT: usize = 1 << 12;

/// As few elements are sorted by comparisons in any case.
const LEAST: usize = 4;

/// Elements of a bucket, about, after the first pass: they and their copy should stay in the first cache.
const BUCKET: usize = 1 << 10;

/// Bits of a digit: more would need more lines of the cache, and pages, at a time than there are.
const BITS: std::ops::RangeInclusive<u32> = 8..=11;

/// Fewest elements that a thread counts and moves, and blocks for each thread: the chain of a pass is a block that is counted, and one that is moved.
const MIN_BLOCK: usize = 1 << 13;
const BLOCKS: usize = 2;

/// After a pass that leaves more than half of its elements in one bucket, buckets whose keys differ in one of the next bits are sorted by
/// comparisons: keys that are spread unequally at every scale would need a pass for each digit. Where the next bits are the same, a few
/// keys were far from the others.
const NEXT: u32 = 8;

/// Elements whose bits one task compares.
const TASK: usize = 1 << 13;

/// Where an element has its words.
pub(super) trait RadixDigits<T>: Sync {
    const WORDS: usize;

    /// Whether elements with the same words keep their order. If not, they are the same.
    const STABLE: bool;

    fn word(&self, x: &T, number: usize) -> u64;

    /// Sorts by std's unstable sort if that is known to be in the order of the words: true.
    fn sort_by_std(_v: &mut [T]) -> bool {
        false
    }
}

/// Elements are keys.
pub(super) struct Keys;

impl<K: RadixKey> RadixDigits<K> for Keys {
    const WORDS: usize = <K as Words>::WORDS;
    const STABLE: bool = false;

    #[inline(always)]
    fn word(&self, x: &K, number: usize) -> u64 {
        x.word(number)
    }

    #[inline(always)]
    fn sort_by_std(v: &mut [K]) -> bool {
        K::sort_by_std(v)
    }
}

/// Elements have keys.
pub(super) struct KeysOf<F>(pub(super) F);

impl<T, K: RadixKey, F: Fn(&T) -> K + Sync> RadixDigits<T> for KeysOf<F> {
    const WORDS: usize = <K as Words>::WORDS;
    const STABLE: bool = true;

    #[inline(always)]
    fn word(&self, x: &T, number: usize) -> u64 {
        (self.0)(x).word(number)
    }
}

/// The order of elements of which all words before the `first` are the same.
struct ByWords<'a, D> {
    digits: &'a D,
    first: usize,
}

impl<T, D: RadixDigits<T>> Less<T> for ByWords<'_, D> {
    /// One word makes for one comparison, with no loop.
    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        if D::WORDS == 0 {
            return false;
        }
        let compare = |i| self.digits.word(a, i).cmp(&self.digits.word(b, i));
        let mut order = compare(self.first);
        for i in 1..D::WORDS {
            if order.is_eq() && i > self.first {
                order = compare(i);
            }
        }
        order.is_lt()
    }

    #[inline(always)]
    fn sort_by_std(&self, v: &mut [T]) -> bool {
        D::sort_by_std(v)
    }
}

/// Sorts by words from `first` on, on this thread.
fn sort_alone<T, D: RadixDigits<T>>(v: &mut [T], first: usize, digits: &D) {
    match const { D::STABLE } {
        true => sequential::sort(v, &ByWords { digits, first }),
        false => sequential::sort_unstable(v, &ByWords { digits, first }),
    }
}

/// The same in parallel.
fn sort_by_comparisons<T: Send, D: RadixDigits<T>>(v: &mut [T], first: usize, digits: &D) {
    match const { D::STABLE } {
        true => comparisons::sort(v, &ByWords { digits, first }),
        false => sort_unstable(v, &ByWords { digits, first }),
    }
}

pub(super) fn sort<T: Send, D: RadixDigits<T>>(v: &mut [T], digits: &D) {
    if v.len() <= leaf(SHORT, LEAST) || size_of::<T>() == 0 {
        return sort_alone(v, 0, digits);
    }
    if LeadingRun::sort_one(v, &ByWords { digits, first: 0 }) {
        return;
    }
    let mut buffer = Buffer::new(v.len());
    in_pool(|| {
        touch(buffer.slots());
        // SAFETY: `T` is not zero-sized. The buffered slice, and each made from it, goes home in `sort_buffered`, or is dropped when a key function
        // unwinds; a join runs both sides to their ends, or to their own panics.
        let slice = unsafe { BufferedSlice::new(v, buffer.slots()) };
        sort_buffered(slice, RestOfKeys::ALL, digits);
    });
}

/// What part of the keys may still differ.
///
/// It shrinks with every pass, whatever a key function answers, so that the depth is bounded by the length of a key.
#[derive(Clone, Copy)]
struct RestOfKeys {
    /// The first word that may differ.
    word: usize,
    /// Its bits that may.
    mask: u64,
    /// Whether the pass before left most of its elements in one bucket.
    is_lopsided: bool,
}

impl RestOfKeys {
    const ALL: RestOfKeys = RestOfKeys {
        word: 0,
        mask: u64::MAX,
        is_lopsided: false,
    };

    fn next_word(self) -> Self {
        RestOfKeys {
            word: self.word + 1,
            mask: u64::MAX,
            ..self
        }
    }

    /// What is below bit `shift`.
    fn below(self, shift: u32) -> Self {
        match shift {
            0 => self.next_word(),
            _ => RestOfKeys {
                mask: (1 << shift) - 1,
                ..self
            },
        }
    }
}

/// Sorts a buffered slice by the rest of the keys, and brings it home.
fn sort_buffered<T: Send, D: RadixDigits<T>>(
    mut slice: BufferedSlice<'_, T>,
    mut rest: RestOfKeys,
    digits: &D,
) {
    let len = slice.len();
    if len <= leaf(SHORT, LEAST) && rest.word < D::WORDS {
        sort_alone(slice.elements_mut(), rest.word, digits);
        return slice.go_home();
    }
    // Bits that are the same everywhere are skipped, and words.
    let differing = loop {
        // Nothing differs any more, and there is no next word to compare by.
        if rest.word == D::WORDS {
            return slice.go_home();
        }
        match differing_bits(slice.elements_mut(), rest, digits) {
            0 => rest = rest.next_word(),
            differing => break differing,
        }
    };
    let top = differing.ilog2() + 1;
    if rest.is_lopsided && rest.mask.ilog2() + 1 - top < NEXT {
        sort_by_comparisons(slice.elements_mut(), rest.word, digits);
        return slice.go_home();
    }
    let bits = (len / BUCKET).max(1).ilog2();
    let bits = bits.clamp(*BITS.start(), *BITS.end());
    // Where a test has a few elements sorted in passes, few buckets are enough.
    let bits = leaf(bits as usize, 2).min(bits as usize) as u32;
    let shift = top.saturating_sub(bits);
    let count = 1 << (top - shift);
    let digit = |_, x: &T| (digits.word(x, rest.word) >> shift) as usize & (count - 1);
    let blocks = (BLOCKS * threads()).min(len / leaf(MIN_BLOCK, 1)).max(1);
    let ends = buckets::scatter(&mut slice, blocks, count, &digit);
    let starts = [0].iter().chain(&ends);
    let mut lengths = ends.iter().zip(starts).map(|(end, start)| end - start);
    rest.is_lopsided = lengths.any(|bucket| bucket > len / 2);
    let rest = rest.below(shift);
    buckets::for_each(slice, &ends, 0..count, &|_, bucket| {
        sort_buffered(bucket, rest, digits);
    });
}

/// The bits of the rest that are not the same in all elements.
fn differing_bits<T: Send, D: RadixDigits<T>>(v: &mut [T], rest: RestOfKeys, digits: &D) -> u64 {
    let first = digits.word(&v[0], rest.word);
    let differing = |part: &mut [T]| {
        let words = part.iter().map(|x| digits.word(x, rest.word));
        words.fold(0, |bits, word| bits | word ^ first)
    };
    let parts = v.par_chunks_mut(leaf(TASK, 1)).map(differing);
    parts.reduce(|| 0, |a, b| a | b) & rest.mask
}
