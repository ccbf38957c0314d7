//! `progress`: tells a closure how many items are done, once for each block.

use super::counted::Counting;
use crate::core::unwind::NewPanic;
use crate::iter::ParallelIterator;
use crate::iter::adapters::passing::{Pass, Passing};
use crate::iter::adapters::per_piece::{PerPiece, PerPieceIndexed, TwoEnded, shared};
use crate::iter::adapters::{adaptor, applied};
use crate::iter::plumbing::Folder;
use std::cell::Cell;

/// Hooks that are told how far a parallel iterator has come.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// let seen = AtomicUsize::new(0);
/// (0..100).into_par_iter().progress(|n| _ = seen.fetch_add(n, Ordering::Relaxed)).for_each(|_| ());
/// assert_eq!(seen.into_inner(), 100);
/// ```
pub trait ParallelProgress: ParallelIterator {
    /// Calls `hook` after each block with the number of items since the block before.
    ///
    /// The numbers add up to the number of items that went by. A block is about 10 microseconds of work, or one item. Several threads may
    /// call `hook`, even at the same time. Items are counted outside the loop over them, so the loop is as fast as without this. If a closure
    /// panics, the items of its block are not counted.
    ///
    /// There is one exception, in a destructor that runs while its thread is already panicking. A second panic cannot be told from the first there, if a block is
    /// walked in step with another iterator, as by `zip`, or from its back, as by `rev`. So such a block is counted even if a closure panics in it. If `hook`
    /// panics as well, the process ends.
    ///
    /// The place in the chain decides what is counted: `progress` before a `filter` counts all items that go into it. Each block ends when
    /// the rest of the chain is done with its items.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// use std::sync::atomic::{AtomicUsize, Ordering};
    /// let done = AtomicUsize::new(0);
    /// let sum: u64 = (0..1000u64)
    ///     .into_par_iter()
    ///     .progress(|n| _ = done.fetch_add(n, Ordering::Relaxed))
    ///     .sum();
    /// assert_eq!((sum, done.into_inner()), (499_500, 1000));
    /// ```
    #[doc(alias("progress_bar", "tqdm"))]
    fn progress<F: Fn(usize) + Sync + Send>(self, hook: F) -> Progress<Self, F> {
        Progress::new(self, ProgressOp(hook))
    }

    /// Advances a progress bar after each block; as [`progress`](Self::progress). Needs the feature `indicatif`.
    ///
    /// The bar's length is set if the number of items is known. The bar is not finished: its owner does that after the call.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let bar = indicatif::ProgressBar::hidden();
    /// (0..1000).into_par_iter().progress_with(bar.clone()).for_each(|_| ());
    /// assert_eq!((bar.position(), bar.length()), (1000, Some(1000)));
    /// bar.finish();
    /// ```
    #[cfg(feature = "indicatif")]
    #[cfg_attr(docsrs, doc(cfg(feature = "indicatif")))]
    fn progress_with(
        self,
        bar: indicatif::ProgressBar,
    ) -> Progress<Self, impl Fn(usize) + Sync + Send + Clone> {
        if let Some(len) = self.opt_len() {
            bar.set_length(len as u64);
        }
        self.progress(move |n| bar.inc(n as u64))
    }
}

impl<I: ParallelIterator> ParallelProgress for I {}

adaptor! {
    /// Tells a hook how many items went by; made by [`progress`](ParallelProgress::progress).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let seen: Progress<_, _> = (0..10).into_par_iter().progress(|_| ());
    /// assert_eq!(seen.count(), 10);
    /// ```
    pub struct Progress<I, F> { base: I } { op: ProgressOp<F> }
}

applied! {
    impl[I, F] Progress<I, F> => I::Item, where [F: Fn(usize) + Sync + Send];
    op(self) &self.op;
    one for one
}

#[derive(Clone)]
pub(crate) struct ProgressOp<F>(F);

impl<T: Send, F: Fn(usize) + Sync> PerPiece<T> for &ProgressOp<F> {
    type Out = T;
    shared! {}

    #[inline]
    fn one<G: Folder<T>>(&self, (): &mut (), folder: G, item: T) -> G {
        let folder = folder.consume(item);
        (self.0)(1);
        folder
    }

    #[inline]
    fn many<G: Folder<T>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = T>) -> G {
        let count = Cell::new(0);
        let pass = Counting(&count);
        let folder = folder.consume_iter(Passing { items, pass });
        if count.get() > 0 {
            (self.0)(count.get());
        }
        folder
    }
}

impl<'o, T: Send, F: Fn(usize) + Sync> PerPieceIndexed<T> for &'o ProgressOp<F> {
    type Iter<I: TwoEnded<T>> = Passing<I, Report<'o, F>>;

    #[inline]
    fn wrap<I: TwoEnded<T>>(self, items: I, (): ()) -> Self::Iter<I> {
        let pass = Report {
            count: Cell::new(0),
            hook: &self.0,
            panic: NewPanic::now(),
        };
        Passing { items, pass }
    }
}

/// Counts a block that is walked as an iterator. It reports behind the loop over all its items, or if it is walked in step with others, as by `zip`, when it
/// is dropped.
pub(crate) struct Report<'o, F: Fn(usize)> {
    count: Cell<usize>,
    hook: &'o F,
    /// A destructor that runs during an older panic may report as usual. If such a block is itself unwound, it reports, too.
    panic: NewPanic,
}

impl<F: Fn(usize)> Drop for Report<'_, F> {
    #[inline]
    fn drop(&mut self) {
        // A hook that panics while another panic unwinds this block would end the process.
        if self.count.get() > 0 && !self.panic.has_begun() {
            (self.hook)(self.count.get());
        }
    }
}

impl<T, F: Fn(usize)> Pass<T> for Report<'_, F> {
    type Out = T;

    #[inline]
    fn pass(&mut self, next: impl FnOnce() -> Option<T>) -> Option<T> {
        Counting(&self.count).pass(next)
    }

    #[inline]
    fn fold<B>(self, items: impl Iterator<Item = T>, init: B, op: impl FnMut(B, T) -> B) -> B {
        // If the loop over them panics, none of the block's items is counted: whether a panic is the newest cannot be asked.
        let count = Cell::new(self.count.take());
        let folded = Counting(&count).fold(items, init, op);
        if count.get() > 0 {
            (self.hook)(count.get());
        }
        folded
    }
}

#[cfg(test)]
mod tests {
    use super::{PerPieceIndexed, ProgressOp};
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

    /// Where a block is folded by a destructor during an older panic, it shows that a panic came since.
    #[test]
    fn a_panic_during_an_older_one_keeps_a_folded_block_from_being_counted() {
        struct Folds<'c>(&'c AtomicUsize);
        impl Drop for Folds<'_> {
            fn drop(&mut self) {
                let op = ProgressOp(|n| _ = self.0.fetch_add(n, Relaxed));
                let fold = |panics_at| {
                    let mut block = PerPieceIndexed::<i32>::wrap(&op, 0..10, ());
                    assert_eq!(block.next(), Some(0));
                    let item = |_, item| {
                        if item == panics_at {
                            resume_unwind(Box::new("inner"));
                        }
                    };
                    catch_unwind(AssertUnwindSafe(|| block.fold((), item)))
                };
                assert!(fold(5).is_err());
                assert!(fold(10).is_ok());
            }
        }
        let counted = AtomicUsize::new(0);
        let outer = catch_unwind(AssertUnwindSafe(|| {
            let _folds = Folds(&counted);
            resume_unwind(Box::new("outer"));
        }));
        assert!(outer.is_err());
        assert_eq!(counted.into_inner(), 10);
    }
}
