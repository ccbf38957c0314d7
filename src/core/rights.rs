//! Rights to run: a pool of n threads has n of them, numbered from 0, and a thread runs the pool's work only while it holds one.
//!
//! The number is what users see as the index of the thread. A right belongs to no thread in particular: a thread that sleeps or looks for work puts its
//! own down, and a thread with work to do takes one up. So never more than n threads run, and no two of them have one index.

use crate::sync::{AtomicU32, Ordering, planted};
use crossbeam_utils::CachePadded;

/// How many rights share a word: few, so that threads that come and go at the same time seldom meet.
const PER_WORD: usize = 16;

/// The rights of a pool. A bit is set while nobody holds the right of that number.
pub(crate) struct Rights {
    words: Box<[CachePadded<AtomicU32>]>,
}

impl Rights {
    /// `count` rights, all of them held, or all `free`.
    pub(crate) fn new(count: usize, free: bool) -> Self {
        let word = |at: usize| {
            let bits = (count - at * PER_WORD).min(PER_WORD);
            let all = (1 << bits) - 1;
            CachePadded::new(AtomicU32::new(if free { all } else { 0 }))
        };
        Rights {
            words: (0..count.div_ceil(PER_WORD)).map(word).collect(),
        }
    }

    /// Whether there is a free one. A hint; who needs an order brings it.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.words
            .iter()
            .any(|word| word.load(Ordering::Relaxed) != 0)
    }

    /// Whether nobody holds right `number`. A hint.
    pub(crate) fn is_free(&self, number: usize) -> bool {
        self.words[number / PER_WORD].load(Ordering::Relaxed) & bit(number) != 0
    }

    /// How many are free. A hint, for people.
    pub(crate) fn free(&self) -> usize {
        let free = |word: &CachePadded<AtomicU32>| word.load(Ordering::Relaxed).count_ones();
        self.words.iter().map(free).sum::<u32>() as usize
    }

    /// Takes right `number`, if it is free. What its last holder did before it put it down is visible then.
    pub(crate) fn take_this(&self, number: usize) -> bool {
        let word = &self.words[number / PER_WORD];
        let before = word.load(Ordering::Relaxed);
        if before & bit(number) == 0 {
            return false;
        }
        if planted!("race") {
            word.store(before & !bit(number), Ordering::Release);
            return true;
        }
        word.fetch_and(!bit(number), Ordering::AcqRel) & bit(number) != 0
    }

    /// Takes a free right: `preferred`, if that is one, else the lowest.
    pub(crate) fn take(&self, preferred: Option<usize>) -> Option<usize> {
        if let Some(number) = preferred
            && self.take_this(number)
        {
            return Some(number);
        }
        (0..self.words.len()).find_map(|at| self.take_in(at, u32::trailing_zeros))
    }

    /// Takes the highest free right. For threads from outside, which so keep out of the way of workers, who come back to their own.
    #[inline]
    pub(crate) fn take_last(&self) -> Option<usize> {
        let highest = |bits: u32| 31 - bits.leading_zeros();
        (0..self.words.len())
            .rev()
            .find_map(|at| self.take_in(at, highest))
    }

    /// Takes the free right of word `at` that `choose` chooses among the set bits.
    #[inline]
    fn take_in(&self, at: usize, choose: impl Fn(u32) -> u32) -> Option<usize> {
        let word = &self.words[at];
        let mut free = word.load(Ordering::Relaxed);
        while free != 0 {
            let bit = choose(free);
            let rest = free & !(1 << bit);
            let number = at * PER_WORD + bit as usize;
            if planted!("race") {
                word.store(rest, Ordering::Release);
                return Some(number);
            }
            match word.compare_exchange_weak(free, rest, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(number),
                Err(now) => free = now,
            }
        }
        None
    }

    /// Puts down right `number`, which the caller holds.
    #[inline]
    pub(crate) fn put(&self, number: usize) {
        let word = &self.words[number / PER_WORD];
        let before = word.fetch_or(bit(number), Ordering::Release);
        assert!(
            before & bit(number) == 0,
            "a thread returned a right that it did not hold"
        );
    }
}

fn bit(number: usize) -> u32 {
    1 << (number % PER_WORD)
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;

    #[test]
    fn each_right_is_taken_once() {
        for count in [1, 2, 15, 16, 17, 64, 100] {
            assert!(!Rights::new(count, false).any());
            let rights = Rights::new(count, true);
            assert_eq!(rights.take_last(), Some(count - 1));
            rights.put(count - 1);
            assert_eq!(rights.take(Some(count / 2)), Some(count / 2));
            let mut taken = vec![count / 2];
            taken.extend(std::iter::from_fn(|| rights.take(Some(count / 2))));
            assert!(!rights.any() && !rights.is_free(0) && rights.free() == 0);
            assert!(taken[1..].is_sorted());
            taken.sort_unstable();
            assert_eq!(taken, (0..count).collect::<Vec<_>>());
        }
    }

    #[test]
    #[should_panic(expected = "a right that it did not hold")]
    fn what_is_not_held_cannot_be_put_down() {
        Rights::new(3, true).put(1);
    }
}
