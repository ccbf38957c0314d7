//! `while_some`.

use super::per_item::PerItem;
use super::{adaptor, applied};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::Folder;
use crate::sync::{AtomicBool, Ordering};

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
    op(self) &WhileSomeOp { over: AtomicBool::new(false) }
}

struct WhileSomeOp {
    /// There was a `None`. A hint to stop, which publishes nothing: relaxed.
    over: AtomicBool,
}

impl WhileSomeOp {
    #[inline]
    fn unwrap<T>(&self, item: Option<T>) -> Option<T> {
        if self.over.load(Ordering::Relaxed) {
            return None;
        }
        if item.is_none() {
            self.over.store(true, Ordering::Relaxed);
        }
        item
    }
}

impl<T: Send> PerItem<Option<T>> for WhileSomeOp {
    type Out = T;

    const STOPS_EARLY: bool = true;

    #[inline]
    fn over(&self) -> bool {
        self.over.load(Ordering::Relaxed)
    }

    #[inline]
    fn many<G: Folder<T>>(&self, folder: G, items: impl Iterator<Item = Option<T>>) -> G {
        folder.consume_iter(items.map_while(|item| self.unwrap(item)))
    }
}
