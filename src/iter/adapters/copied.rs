//! `copied` and `cloned`.

use super::map::MapOp;
use super::per_item::{PerItem, PerItemIndexed, TwoEnded, std_op};
use super::{adaptor, applied};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::Folder;
use std::iter;

adaptor! {
    /// Yields copies of the values that its base yields references to; made by [`copied`](ParallelIterator::copied).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let numbers: filch::iter::Copied<_> = [1, 2].par_iter().copied();
    /// assert_eq!(numbers.collect::<Vec<i32>>(), [1, 2]);
    /// ```
    pub struct Copied<I> { base: I }
}

applied! {
    impl['a, I, T] Copied<I> => T, where [I: ParallelIterator<Item = &'a T>, T: 'a + Copy + Send + Sync];
    op(self) &CopiedOp;
    one for one
}

struct CopiedOp;

std_op! {
    impl['a, T: 'a + Copy] CopiedOp, &'a T => T;
    one(self, item) { *item }
    all(self, items) { items.copied() }
    iter(I, 'o) iter::Copied<I>;

    #[inline]
    fn kept<G: Folder<T>>(&self, folder: G, items: impl Iterator<Item = (&'a T, bool)>) -> G {
        folder.consume_kept(items.map(|(item, keep)| (*item, keep)))
    }
}

adaptor! {
    /// Yields clones of the values that its base yields references to; made by [`cloned`](ParallelIterator::cloned).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let words = ["a".to_string()];
    /// let words: filch::iter::Cloned<_> = words.par_iter().cloned();
    /// assert_eq!(words.collect::<Vec<String>>(), ["a"]);
    /// ```
    pub struct Cloned<I> { base: I }
}

applied! {
    impl['a, I, T] Cloned<I> => T, where [I: ParallelIterator<Item = &'a T>, T: 'a + Clone + Send + Sync];
    op(self) &MapOp(T::clone);
    one for one
}
