//! `copied` and `cloned`.

use super::map::MapOp;
use super::per_piece::{PerPiece, PerPieceIndexed, TwoEnded, shared};
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

impl<'a, T: 'a + Copy> PerPiece<&'a T> for &CopiedOp {
    type Out = T;
    shared! {}

    #[inline]
    fn one<G: Folder<T>>(&self, (): &mut (), folder: G, item: &'a T) -> G {
        folder.consume(*item)
    }

    #[inline]
    fn many<G: Folder<T>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = &'a T>) -> G {
        folder.consume_iter(items.copied())
    }

    #[inline]
    fn kept<G>(&self, (): &mut (), folder: G, items: impl Iterator<Item = (&'a T, bool)>) -> G
    where
        G: Folder<T>,
    {
        folder.consume_kept(items.map(|(item, keep)| (*item, keep)))
    }
}

impl<'a, T: 'a + Copy> PerPieceIndexed<&'a T> for &CopiedOp {
    type Iter<I: TwoEnded<&'a T>> = iter::Copied<I>;

    #[inline]
    fn wrap<I: TwoEnded<&'a T>>(self, items: I, (): ()) -> Self::Iter<I> {
        items.copied()
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
