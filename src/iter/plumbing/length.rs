//! What the type of an iterator tells of its `opt_len`. A collection has one way for items that are counted and one for others; where the type tells which,
//! only that way is compiled.

/// Whether [`opt_len`](crate::iter::ParallelIterator::opt_len) says `Some`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Length {
    /// Each iterator of this type has a length.
    Always,
    /// None has.
    Never,
    /// The type does not tell: so it is for iterators of other crates.
    Sometimes,
}

impl Length {
    /// For an iterator that has the items of two.
    pub(crate) const fn of_both(self, other: Length) -> Length {
        match (self, other) {
            (Length::Never, _) | (_, Length::Never) => Length::Never,
            // The sum of two lengths may be too large for a length.
            _ => Length::Sometimes,
        }
    }

    /// For an iterator that is one of two.
    pub(crate) const fn of_either(self, other: Length) -> Length {
        match (self, other) {
            (Length::Always, Length::Always) => Length::Always,
            (Length::Never, Length::Never) => Length::Never,
            _ => Length::Sometimes,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Length;
    use crate::ext::*;
    use crate::iter::Either;
    use crate::iter::{empty, once, repeat, repeat_n};
    use crate::prelude::*;
    use std::collections::{BTreeMap, HashSet, VecDeque};

    /// What the type says must be true of the iterator.
    #[track_caller]
    fn told<I: ParallelIterator>(iter: &I, told: Length) {
        assert!(I::OPT_LEN == told);
        match told {
            Length::Always => assert!(iter.opt_len().is_some()),
            Length::Never => assert!(iter.opt_len().is_none()),
            Length::Sometimes => {}
        }
    }

    fn items() -> crate::vec::IntoIter<usize> {
        vec![1, 2, 3].into_par_iter()
    }

    #[test]
    fn sources_say_what_they_have() {
        told(&items(), Length::Always);
        told(&[1, 2].par_iter(), Length::Always);
        told(&"ab cd".par_chars(), Length::Never);
        told(&(0..usize::MAX).into_par_iter(), Length::Always);
        told(&(isize::MIN..isize::MAX).into_par_iter(), Length::Always);
        told(&(0..=u8::MAX).into_par_iter(), Length::Always);
        told(&(0..=usize::MAX).into_par_iter(), Length::Sometimes);
        told(&(0..9u128).into_par_iter(), Length::Sometimes);
        told(&('a'..'k').into_par_iter(), Length::Always);
        told(&('a'..='k').into_par_iter(), Length::Always);
        told(&Some(1).into_par_iter(), Length::Always);
        told(&VecDeque::from([1]).into_par_iter(), Length::Always);
        told(&HashSet::from([1]).into_par_iter(), Length::Never);
        told(&BTreeMap::from([(1, 2)]).into_par_iter(), Length::Never);
        told(&repeat_n(1, 2), Length::Always);
        told(&repeat(1), Length::Never);
        told(&empty::<u8>(), Length::Always);
        told(&once(1), Length::Always);
        told(&(0..3).par_bridge(), Length::Never);
    }

    #[test]
    fn adaptors_say_what_is_left_of_it() {
        told(&items().map(|x| x).inspect(|_| ()), Length::Always);
        told(&items().enumerate().rev().zip(items()), Length::Always);
        told(&items().chunks(2), Length::Always);
        told(&items().filter(|_| true).map(|x| x), Length::Never);
        told(&items().flat_map_iter(|x| 0..x), Length::Never);
        told(&items().flat_map(|x| 0..x), Length::Never);
        told(&items().map(Some).flatten(), Length::Never);
        told(&items().by_uniform_blocks(2), Length::Never);
        told(&items().by_exponential_blocks(), Length::Never);
        told(
            &Either::<_, crate::vec::IntoIter<usize>>::Left(items()),
            Length::Always,
        );
        told(
            &Either::<_, crate::vec::IntoIter<usize>>::Left(items().filter(|_| true)),
            Length::Sometimes,
        );
        told(&items().rev().reproducible(), Length::Always);
        told(&items().take_any(1), Length::Never);
        told(&items().take_while(|_| true), Length::Never);
        told(&items().fold(|| 0, |a, b| a + b), Length::Never);
        told(&items().chain(items()), Length::Sometimes);
        told(&items().chain(items().filter(|_| true)), Length::Never);
        told(&items().filter(|_| true).chain(items()), Length::Never);
        told(&items().intersperse(0), Length::Sometimes);
    }
}
