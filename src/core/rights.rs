//! Rights to run: a pool of n threads has n of them, numbered from 0, and a thread runs the pool's work only while it holds one.
//!
//! The number is what users see as the index of the thread. A right belongs to no thread in particular: a thread that sleeps or looks for work puts its
//! own down, and a thread with work to do takes one up. So n threads at most run, each with an index of its own.
//!
//! There is one exception. A thread that goes on after a wait in an isolated call may run beside those n, with a number [to spare](Rights::take_spare): see
//! [`beside`](super::beside).

use crate::sync::{AtomicU32, Ordering, planted};
use crossbeam_utils::CachePadded;
use std::iter;

/// How many rights share a word: few, so that threads that come and go at the same time seldom meet.
const PER_WORD: usize = 16;
/// The bits of a word that say that a right is free; those above them, in the same order, that it is held back.
const FREE: u32 = (1 << PER_WORD) - 1;

/// The rights of a pool. A number has two bits: one is set while the right is free, the other while it is [held back](super::active).
///
/// A number whose bits are both 0 is in use: all that threads have in their queues is found under such numbers.
pub(crate) struct Rights {
    words: Box<[CachePadded<AtomicU32>]>,
    /// The numbers to spare: never free, and held back while no thread has them.
    spare: CachePadded<AtomicU32>,
}

/// How many threads at most run with a number to spare at a time. In models and tests the numbers run out soon.
pub(crate) const SPARE: usize = match cfg!(any(test, filch_loom, filch_shuttle)) {
    true => 1,
    false => PER_WORD,
};
/// The numbers to spare, as bits of their word.
const SPARE_BITS: u32 = FREE >> (PER_WORD - SPARE);

impl Rights {
    /// `count` rights, all of them held, or all `free`.
    pub(crate) fn new(count: usize, free: bool) -> Self {
        let word = |at: usize| {
            let there = FREE >> (PER_WORD - (count - at * PER_WORD).min(PER_WORD));
            // What is not there is held back for good.
            let missing = (FREE & !there) << PER_WORD;
            CachePadded::new(AtomicU32::new(missing | if free { there } else { 0 }))
        };
        Rights {
            words: (0..count.div_ceil(PER_WORD)).map(word).collect(),
            spare: CachePadded::new(AtomicU32::new(FREE << PER_WORD)),
        }
    }

    fn word(&self, number: usize) -> &AtomicU32 {
        self.words.get(number / PER_WORD).unwrap_or(&self.spare)
    }

    /// The first of the [`SPARE`] numbers that are no rights of the pool.
    pub(crate) fn first_spare(&self) -> usize {
        self.words.len() * PER_WORD
    }

    /// Takes a number that is no right of the pool, if there is one left; [`hold_back`](Self::hold_back) gives it back. With the lists locked, as below.
    pub(crate) fn take_spare(&self) -> Option<usize> {
        let left = self.spare.load(Ordering::Relaxed) >> PER_WORD & SPARE_BITS;
        let number = (left != 0).then(|| self.first_spare() + left.trailing_zeros() as usize)?;
        self.take_held(number);
        Some(number)
    }

    /// Whether there is a free one. A hint; a caller that needs an order of memory accesses has a fence of its own.
    #[inline]
    pub(crate) fn any(&self) -> bool {
        self.words
            .iter()
            .any(|word| word.load(Ordering::Relaxed) & FREE != 0)
    }

    /// Whether no thread holds right `number`. A hint.
    pub(crate) fn is_free(&self, number: usize) -> bool {
        self.word(number).load(Ordering::Relaxed) & bit(number) != 0
    }

    /// How many are free. A hint, for people.
    pub(crate) fn free(&self) -> usize {
        let free = |word: &CachePadded<AtomicU32>| word.load(Ordering::Relaxed) & FREE;
        self.words
            .iter()
            .map(|word| free(word).count_ones())
            .sum::<u32>() as usize
    }

    /// Whether a thread has this number. A hint.
    pub(crate) fn is_in_use(&self, number: usize) -> bool {
        in_use(self.word(number).load(Ordering::Relaxed)) & bit(number) != 0
    }

    /// The numbers that threads have, each word of them as it is when it is reached: from number `first` on, then those before it, and those to spare.
    pub(crate) fn in_use(&self, first: usize) -> impl Iterator<Item = usize> {
        let (count, start) = (self.words.len(), first / PER_WORD);
        let from_first = FREE << (first % PER_WORD);
        let words = (0..=count).map(move |step| {
            let at = (start + step) % count;
            // The first word is the last one, too.
            let part = match step {
                0 => from_first,
                _ if step == count => !from_first,
                _ => FREE,
            };
            (at, &self.words[at], part)
        });
        let all = words.chain(iter::once((count, &self.spare, FREE)));
        all.flat_map(|(at, word, part)| {
            let mut rest = in_use(word.load(Ordering::Relaxed)) & part;
            iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(at * PER_WORD + bit)
            })
        })
    }

    /// How many numbers threads have. A hint.
    pub(crate) fn count_in_use(&self) -> usize {
        let words = self.words.iter().chain(iter::once(&self.spare));
        let ones = words.map(|word| in_use(word.load(Ordering::Relaxed)).count_ones());
        ones.sum::<u32>() as usize
    }

    /// Takes right `number`, if it is free. What its last holder did before it put it down is visible then.
    pub(crate) fn take_this(&self, number: usize) -> bool {
        let word = self.word(number);
        let before = word.load(Ordering::Relaxed);
        if before & bit(number) == 0 {
            return false;
        }
        if planted!("race") {
            word.store(before & !bit(number), Ordering::Release);
            return true;
        }
        word.fetch_and(!bit(number), Ordering::Acquire) & bit(number) != 0
    }

    /// Takes the lowest free right.
    pub(crate) fn take_first(&self) -> Option<usize> {
        (0..self.words.len()).find_map(|at| self.take_in(at, u32::trailing_zeros))
    }

    /// Takes the highest free right. For threads from outside: so they keep out of the way of workers, which come back to their own rights.
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
        let mut now = word.load(Ordering::Relaxed);
        while now & FREE != 0 {
            let bit = choose(now & FREE);
            let rest = now & !(1 << bit);
            let number = at * PER_WORD + bit as usize;
            if planted!("race") {
                word.store(rest, Ordering::Release);
                return Some(number);
            }
            match word.compare_exchange_weak(now, rest, Ordering::Acquire, Ordering::Relaxed) {
                Ok(_) => return Some(number),
                Err(other) => now = other,
            }
        }
        None
    }

    /// Puts down right `number`, which the caller holds.
    #[inline]
    pub(crate) fn put(&self, number: usize) {
        let before = self.word(number).fetch_or(bit(number), Ordering::Release);
        assert!(
            before & bit(number) == 0,
            "a thread returned a right that it did not hold"
        );
    }

    // Rights that are held back. All that change this have the lists of sleepers locked, which also orders what holders did before and do after.

    /// Whether right `number` is held back. With the lists locked, this is so; else a hint.
    pub(crate) fn is_held_back(&self, number: usize) -> bool {
        self.word(number).load(Ordering::Relaxed) & held(number) != 0
    }

    /// From now on right `number`, which the caller holds, is held back.
    pub(crate) fn hold_back(&self, number: usize) {
        self.word(number).fetch_or(held(number), Ordering::Release);
    }

    /// Right `number`, which was held back, is the caller's.
    pub(crate) fn take_held(&self, number: usize) {
        self.word(number)
            .fetch_and(!held(number), Ordering::Acquire);
    }

    /// Frees the lowest right that is held back, and gives its number.
    pub(crate) fn free_held(&self) -> Option<usize> {
        let number = self.words.iter().enumerate().find_map(|(at, word)| {
            let held = word.load(Ordering::Relaxed) >> PER_WORD;
            (held != 0).then(|| at * PER_WORD + held.trailing_zeros() as usize)
        })?;
        self.word(number)
            .fetch_xor(held(number) | bit(number), Ordering::AcqRel);
        Some(number)
    }
}

fn bit(number: usize) -> u32 {
    1 << (number % PER_WORD)
}

fn held(number: usize) -> u32 {
    bit(number) << PER_WORD
}

/// The rights of a word that are neither free nor held back.
fn in_use(word: u32) -> u32 {
    !(word | word >> PER_WORD) & FREE
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
            assert!(rights.take_this(count / 2) && !rights.take_this(count / 2));
            let mut taken = vec![count / 2];
            taken.extend(std::iter::from_fn(|| rights.take_first()));
            assert!(!rights.any() && !rights.is_free(0) && rights.free() == 0);
            assert!(taken[1..].is_sorted());
            taken.sort_unstable();
            assert_eq!(taken, (0..count).collect::<Vec<_>>());
        }
    }

    /// From wherever one starts, those that are in use come once each, and no others.
    #[test]
    fn what_is_in_use_is_found_from_anywhere() {
        for count in [1, 2, 15, 16, 17, 64, 100] {
            let rights = Rights::new(count, true);
            assert_eq!(rights.count_in_use(), 0);
            let taken: Vec<_> = (0..count).filter(|number| number % 3 != 1).collect();
            for &number in &taken {
                assert!(rights.take_this(number) && rights.is_in_use(number));
            }
            let (held, used): (Vec<_>, Vec<_>) = taken.iter().partition(|&number| number % 2 == 1);
            held.iter().for_each(|&number| rights.hold_back(number));
            assert_eq!(rights.count_in_use(), used.len());
            for first in 0..count {
                let found: Vec<_> = rights.in_use(first).collect();
                let (after, before) = used.iter().partition::<Vec<usize>, _>(|&&n| n >= first);
                assert_eq!(found, [after, before].concat(), "{count} from {first}");
            }
            let free = rights.free();
            for &number in &held {
                assert!(rights.is_held_back(number) && !rights.is_in_use(number));
                assert!(!rights.take_this(number));
                assert_eq!(rights.free_held(), Some(number));
            }
            assert_eq!(rights.free(), free + held.len());
        }
    }

    #[test]
    #[should_panic(expected = "a right that it did not hold")]
    fn what_is_not_held_cannot_be_put_down() {
        Rights::new(3, true).put(1);
    }
}
