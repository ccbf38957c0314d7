//! `enumerate`.

use super::adaptor;
use super::apply::OpCallback;
use super::per_piece::{PerPiece, PerPieceIndexed, TwoEnded, same_reducer};
use super::reindex::indexed_adaptor;
use crate::iter::IndexedParallelIterator;
use crate::iter::plumbing::Folder;
use std::iter::Zip;
use std::ops::Range;

adaptor! {
    /// Pairs each item with its index; made by [`enumerate`](IndexedParallelIterator::enumerate).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let numbered: filch::iter::Enumerate<_> = ["a", "b"].par_iter().enumerate();
    /// assert_eq!(numbered.collect::<Vec<_>>(), [(0, &"a"), (1, &"b")]);
    /// ```
    pub struct Enumerate<I> { base: I }
}

indexed_adaptor! {
    impl[I: IndexedParallelIterator] Enumerate<I> => (usize, I::Item);
    len(self) { self.base.len() }
    give(self, callback) { self.base.with_producer(OpCallback { callback, op: EnumerateOp(0) }) }
}

/// The operation on a producer: items get numbers, from that of its first item on, which is here.
#[derive(Clone)]
struct EnumerateOp(usize);

impl<T> PerPiece<T> for EnumerateOp {
    type Out = (usize, T);
    type State = usize;
    same_reducer! {}

    const CAN_PAUSE: bool = true;

    #[inline]
    fn begin(&self) -> usize {
        self.0
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let middle = self.0 + index;
        (self, EnumerateOp(middle))
    }

    #[inline]
    fn many<F>(&self, next: &mut usize, folder: F, items: impl Iterator<Item = T>) -> F
    where
        F: Folder<(usize, T)>,
    {
        // A local one stays in a register.
        let mut index = *next;
        let folder = folder.consume_iter(items.map(|item| {
            index += 1;
            (index - 1, item)
        }));
        *next = index;
        folder
    }
}

impl<T> PerPieceIndexed<T> for EnumerateOp {
    type Iter<I: TwoEnded<T>> = Zip<Range<usize>, I>;

    #[inline]
    fn wrap<I: TwoEnded<T>>(self, items: I, next: usize) -> Self::Iter<I> {
        (next..next + items.len()).zip(items)
    }
}
