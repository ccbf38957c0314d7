//! `panic_fuse`: a panic in one piece stops all.

use super::per_item::{PerPiece, PerPieceIndexed};
use super::per_run_adaptor;
use crate::iter::plumbing::{Folder, Reducer};
use crate::sync::{AtomicBool, Ordering};
use std::thread;

/// Stops all pieces soon after one of them panicked; made by [`panic_fuse`](crate::iter::ParallelIterator::panic_fuse).
///
/// ```
/// use filch::prelude::*;
///
/// let fused: filch::iter::PanicFuse<_> = (0..10).into_par_iter().panic_fuse();
/// assert_eq!(fused.count(), 10);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone, Debug)]
pub struct PanicFuse<I> {
    base: I,
}

impl<I> PanicFuse<I> {
    #[inline]
    pub(crate) fn new(base: I) -> Self {
        PanicFuse { base }
    }
}

per_run_adaptor! {
    impl[I] PanicFuse<I> => I::Item, where [];
    piece(self) { Watch { fuse: &Fuse(AtomicBool::new(false)) } }
    one for one
}

/// Whether any piece of one run has panicked. A hint to stop, which publishes nothing: relaxed.
struct Fuse(AtomicBool);

impl Fuse {
    #[inline]
    fn is_blown(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    #[inline]
    fn guard(&self) -> Guard<'_> {
        Guard {
            fuse: self,
            was_panicking: thread::panicking(),
        }
    }
}

/// Stops all pieces if it is dropped by a panic that began after it was made. (A destructor that runs during an older panic may use a
/// parallel iterator, which must not stop early.)
struct Guard<'f> {
    fuse: &'f Fuse,
    was_panicking: bool,
}

impl Drop for Guard<'_> {
    #[inline]
    fn drop(&mut self) {
        if thread::panicking() && !self.was_panicking {
            self.fuse.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The operation: it only puts a guard in each piece and each reduction.
#[derive(Clone, Copy)]
struct Watch<'f> {
    fuse: &'f Fuse,
}

impl<'f, T: Send> PerPiece<T> for Watch<'f> {
    type Out = T;
    type State = Guard<'f>;
    type Reducer<R: Reducer<V>, V> = FuseReducer<'f, R>;

    /// A panic ends it early, so what follows reserves nothing for all.
    const AT_MOST_ONE: bool = false;
    const CAN_PAUSE: bool = true;

    #[inline]
    fn begin(&self) -> Guard<'f> {
        self.fuse.guard()
    }

    /// The guard first: what is begun may panic, too.
    #[inline]
    fn begin_beside<B>(&self, base: impl FnOnce() -> B) -> (B, Guard<'f>) {
        let guard = self.fuse.guard();
        (base(), guard)
    }

    #[inline]
    fn split(&self) -> Self {
        *self
    }

    #[inline]
    fn reducer<R: Reducer<V>, V>(&self, base: R) -> FuseReducer<'f, R> {
        FuseReducer {
            base,
            fuse: self.fuse,
        }
    }

    #[inline]
    fn over(&self) -> bool {
        self.fuse.is_blown()
    }

    #[inline]
    fn one<F: Folder<T>>(&self, _: &mut Guard<'f>, folder: F, item: T) -> F {
        folder.consume(item)
    }

    #[inline]
    fn many<F>(&self, _: &mut Guard<'f>, folder: F, items: impl Iterator<Item = T>) -> F
    where
        F: Folder<T>,
    {
        folder.consume_iter(items.take_while(|_| !self.fuse.is_blown()))
    }
}

impl<'f, T: Send> PerPieceIndexed<T> for Watch<'f> {
    type Iter<I>
        = FuseIter<'f, I>
    where
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>;

    #[inline]
    fn wrap<I>(self, items: I, guard: Guard<'f>) -> FuseIter<'f, I>
    where
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>,
    {
        FuseIter { items, guard }
    }
}

struct FuseReducer<'f, R> {
    base: R,
    fuse: &'f Fuse,
}

impl<T, R: Reducer<T>> Reducer<T> for FuseReducer<'_, R> {
    #[inline]
    fn reduce(self, left: T, right: T) -> T {
        let _guard = self.fuse.guard();
        self.base.reduce(left, right)
    }
}

struct FuseIter<'f, I> {
    items: I,
    guard: Guard<'f>,
}

impl<I: Iterator> Iterator for FuseIter<'_, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        if self.guard.fuse.is_blown() {
            return None;
        }
        self.items.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for FuseIter<'_, I> {
    #[inline]
    fn next_back(&mut self) -> Option<I::Item> {
        if self.guard.fuse.is_blown() {
            return None;
        }
        self.items.next_back()
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for FuseIter<'_, I> {}
