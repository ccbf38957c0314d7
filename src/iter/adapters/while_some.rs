//! `while_some`.

use super::per_piece::{PerPiece, shared};
use super::take_any::{Gate, UntilFalse};
use super::{adaptor, applied};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::Folder;

adaptor! {
    /// Yields the values inside the `Some`s, until any thread meets a `None`; made by [`while_some`](ParallelIterator::while_some).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let known: filch::iter::WhileSome<_> = vec![Some(1), Some(2)].into_par_iter().while_some();
    /// assert_eq!(known.collect::<Vec<_>>(), [1, 2]);
    /// ```
    pub struct WhileSome<I> { base: I }
}

applied! {
    impl[I, T] WhileSome<I> => T, where [I: ParallelIterator<Item = Option<T>>, T: Send];
    op(self) &WhileSomeOp(UntilFalse::new(&Option::<T>::is_some))
}

/// The predicate is that there is an item.
struct WhileSomeOp<'p, P>(UntilFalse<'p, P>);

impl<T: Send, P: Fn(&Option<T>) -> bool + Sync> PerPiece<Option<T>> for &WhileSomeOp<'_, P> {
    type Out = T;
    shared! {}

    const STOPS_EARLY: bool = true;

    #[inline]
    fn over(&self) -> bool {
        self.0.is_closed()
    }

    #[inline]
    fn many<G: Folder<T>>(
        &self,
        (): &mut (),
        folder: G,
        items: impl Iterator<Item = Option<T>>,
    ) -> G {
        folder.consume_iter(items.map_while(|item| match self.0.pass(&item) {
            true => item,
            false => None,
        }))
    }
}
