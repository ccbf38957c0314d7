//! `positions`.

use super::filter::FilterMapOp;
use super::{adaptor, applied};
use crate::iter::{Enumerate, IndexedParallelIterator};

adaptor! {
    debug where [I: std::fmt::Debug];

    /// Yields the positions in its base of the items that a predicate accepts; made by [`positions`](IndexedParallelIterator::positions).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let places: filch::iter::Positions<_, _> = [3, 8, 2, 9].par_iter().positions(|&n| n > 5);
    /// assert_eq!(places.collect::<Vec<_>>(), [1, 3]);
    /// ```
    pub struct Positions<I, P> { base: Enumerate<I> } { predicate: P }
}

applied! {
    impl[I, P] Positions<I, P> => usize, where [
        I: IndexedParallelIterator,
        P: Fn(I::Item) -> bool + Sync + Send
    ];
    op(self) &FilterMapOp(|(index, item)| (self.predicate)(item).then_some(index))
}
