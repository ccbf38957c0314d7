//! The passes of a radix sort, from the most significant digit down.
//!
//! A pass is a counting sort in blocks, O(n) work and O(n / p) span; what differs in no bit is passed over, with O(n) work for a look at all keys of a span. Memory:
//! room beside the slice, and up to four numbers for each digit of each block.

use super::key::{RadixKey, Words};
use crate::algo::buckets::scatter;
use crate::algo::buffer::{Buffer, touch};
use crate::algo::sort::{
    self as comparisons, BufferedSpan, By, LeadingRun, Less, in_pool, sequential, sort_unstable,
};
use crate::core::both;
use crate::current_num_threads;
use std::cmp::Ordering;

/// Slices no longer than this are sorted by comparisons: that takes some tens of microseconds.
const SHORT: usize = 1 << 12;

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

/// Where an element has its words, and how a few elements are sorted by them.
pub(super) trait RadixDigits<T>: Sync {
    const WORDS: usize;

    fn word(&self, x: &T, number: usize) -> u64;

    /// Sorts by words from `first` on.
    fn sort(&self, v: &mut [T], first: usize);

    /// The same in parallel.
    fn par_sort(&self, v: &mut [T], first: usize)
    where
        T: Send;

    /// Compares by words from `first` on. One word makes for one comparison, with no loop.
    #[inline(always)]
    fn compare(&self, a: &T, b: &T, first: usize) -> Ordering {
        if Self::WORDS == 0 {
            return Ordering::Equal;
        }
        let mut order = self.word(a, first).cmp(&self.word(b, first));
        for i in 1..Self::WORDS {
            if order.is_eq() && i > first {
                order = self.word(a, i).cmp(&self.word(b, i));
            }
        }
        order
    }
}

/// Elements are keys: equal ones cannot be told apart.
pub(super) struct Keys;

impl<K: RadixKey> RadixDigits<K> for Keys {
    const WORDS: usize = <K as Words>::WORDS;

    #[inline(always)]
    fn word(&self, x: &K, number: usize) -> u64 {
        x.word(number)
    }

    fn sort(&self, v: &mut [K], first: usize) {
        sequential::sort_unstable(v, &ByWords { first });
    }

    fn par_sort(&self, v: &mut [K], first: usize)
    where
        K: Send,
    {
        sort_unstable(v, &ByWords { first });
    }
}

/// The order of keys of which all words before the `first` are the same.
struct ByWords {
    first: usize,
}

impl<K: RadixKey> Less<K> for ByWords {
    #[inline(always)]
    fn is_less(&self, a: &K, b: &K) -> bool {
        Keys.compare(a, b, self.first).is_lt()
    }

    #[inline(always)]
    fn sort_by_std(&self, keys: &mut [K]) -> bool {
        K::sort_by_std(keys)
    }
}

/// Elements have keys, and those with equal ones keep their order.
pub(super) struct KeysOf<F>(pub(super) F);

impl<T, K: RadixKey, F: Fn(&T) -> K + Sync> RadixDigits<T> for KeysOf<F> {
    const WORDS: usize = <K as Words>::WORDS;

    #[inline(always)]
    fn word(&self, x: &T, number: usize) -> u64 {
        (self.0)(x).word(number)
    }

    fn sort(&self, v: &mut [T], first: usize) {
        sequential::sort(v, &By(|a: &T, b: &T| self.compare(a, b, first)));
    }

    fn par_sort(&self, v: &mut [T], first: usize)
    where
        T: Send,
    {
        comparisons::sort(v, &By(|a: &T, b: &T| self.compare(a, b, first)));
    }
}

pub(super) fn sort<T: Send, D: RadixDigits<T>>(v: &mut [T], digits: &D) {
    if v.len() <= SHORT || size_of::<T>() == 0 {
        return digits.sort(v, 0);
    }
    if LeadingRun::sort_one(v, &By(|a: &T, b: &T| digits.compare(a, b, 0))) {
        return;
    }
    let mut buffer = Buffer::new(v.len());
    in_pool(|| {
        touch(buffer.slots());
        // SAFETY: `T` is not zero-sized. The span, and each made from it, goes home in `sort_span`, or is dropped when a key function
        // unwinds; a join runs both sides to their ends, or to their own panics.
        let span = unsafe { BufferedSpan::new(v, buffer.slots()) };
        sort_span(span, RestOfKeys::ALL, digits);
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

/// Sorts a span by the rest of the keys, and brings it home.
fn sort_span<T: Send, D: RadixDigits<T>>(
    mut span: BufferedSpan<'_, T>,
    mut rest: RestOfKeys,
    digits: &D,
) {
    let len = span.len();
    // Nothing differs any more, and there is no next word to compare by.
    if rest.word == D::WORDS {
        return span.go_home();
    }
    if len <= SHORT {
        digits.sort(span.elements_mut(), rest.word);
        return span.go_home();
    }
    // Bits that are the same everywhere are skipped, and words.
    let differing = loop {
        if rest.word == D::WORDS {
            return span.go_home();
        }
        match differing_bits(span.elements_mut(), rest, digits) {
            0 => rest = rest.next_word(),
            differing => break differing,
        }
    };
    let top = differing.ilog2() + 1;
    if rest.is_lopsided && rest.mask.ilog2() + 1 - top < NEXT {
        digits.par_sort(span.elements_mut(), rest.word);
        return span.go_home();
    }
    let bits = (len / BUCKET).ilog2().clamp(*BITS.start(), *BITS.end());
    let shift = top.saturating_sub(bits);
    let count = 1 << (top - shift);
    let digit = |_, x: &T| (digits.word(x, rest.word) >> shift) as usize & (count - 1);
    let blocks = (BLOCKS * current_num_threads()).min(len / MIN_BLOCK).max(1);
    let ends = scatter(&mut span, blocks, count, &digit);
    let starts = [0].iter().chain(&ends);
    let mut lengths = ends.iter().zip(starts).map(|(end, start)| end - start);
    rest.is_lopsided = lengths.any(|bucket| bucket > len / 2);
    sort_buckets(span, 0, &ends, rest.below(shift), digits);
}

/// Sorts the buckets that end at `ends`, which are counted from `start` elements before the span.
fn sort_buckets<T: Send, D: RadixDigits<T>>(
    span: BufferedSpan<'_, T>,
    start: usize,
    ends: &[usize],
    rest: RestOfKeys,
    digits: &D,
) {
    if ends.len() == 1 {
        return sort_span(span, rest, digits);
    }
    let (low_ends, high_ends) = ends.split_at(ends.len() / 2);
    let mid = low_ends[low_ends.len() - 1];
    let (low, high) = span.split_at(mid - start);
    both(
        || sort_buckets(low, start, low_ends, rest, digits),
        || sort_buckets(high, mid, high_ends, rest, digits),
    );
}

/// The bits of the rest that are not the same in all elements.
fn differing_bits<T: Send, D: RadixDigits<T>>(v: &mut [T], rest: RestOfKeys, digits: &D) -> u64 {
    let first = digits.word(&v[0], rest.word);
    differing_from(first, v, rest.word, digits) & rest.mask
}

fn differing_from<T: Send, D: RadixDigits<T>>(
    first: u64,
    v: &mut [T],
    word: usize,
    digits: &D,
) -> u64 {
    if v.len() <= TASK {
        return v
            .iter()
            .fold(0, |bits, x| bits | digits.word(x, word) ^ first);
    }
    let (low, high) = v.split_at_mut(v.len() / 2);
    let (low, high) = both(
        || differing_from(first, low, word, digits),
        || differing_from(first, high, word, digits),
    );
    low | high
}
