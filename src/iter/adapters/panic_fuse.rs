//! `panic_fuse`: a panic in one piece stops all.

use super::passing::{Pass, Passing};
use super::per_piece::{PerPiece, PerPieceIndexed, TwoEnded};
use super::{adaptor, applied};
use crate::core::unwind::NewPanic;
use crate::iter::plumbing::{Folder, Reducer};
use crate::sync::{AtomicBool, Ordering};

adaptor! {
    /// Stops all pieces soon after one of them panicked; made by [`panic_fuse`](crate::iter::ParallelIterator::panic_fuse).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let fused: filch::iter::PanicFuse<_> = (0..10).into_par_iter().panic_fuse();
    /// assert_eq!(fused.count(), 10);
    /// ```
    pub struct PanicFuse<I> { base: I }
}

applied! {
    impl[I] PanicFuse<I> => I::Item, where [];
    op(self) FuseOp(&Fuse(AtomicBool::new(false)));
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
    fn guard(&self) -> FuseGuard<'_> {
        FuseGuard {
            fuse: self,
            panic: NewPanic::now(),
        }
    }
}

/// Stops all pieces if it is dropped by a panic that began after it was made. (A destructor that runs during an older panic may use a
/// parallel iterator, which must not stop early.)
struct FuseGuard<'f> {
    fuse: &'f Fuse,
    panic: NewPanic,
}

impl Drop for FuseGuard<'_> {
    #[inline]
    fn drop(&mut self) {
        if self.panic.has_begun() {
            self.fuse.0.store(true, Ordering::Relaxed);
        }
    }
}

/// The operation: it only puts a guard in each piece and each reduction.
#[derive(Clone, Copy)]
struct FuseOp<'f>(&'f Fuse);

impl<'f, T: Send> PerPiece<T> for FuseOp<'f> {
    type Out = T;
    type State = FuseGuard<'f>;
    type Reducer<R: Reducer<V>, V> = FuseReducer<'f, R>;

    /// A panic ends it early, so what follows reserves nothing for all.
    const AT_MOST_ONE: bool = false;
    const CAN_PAUSE: bool = true;

    #[inline]
    fn begin(&self) -> FuseGuard<'f> {
        self.0.guard()
    }

    /// The guard first: what is begun may panic, too.
    #[inline]
    fn begin_beside<B>(&self, base: impl FnOnce() -> B) -> (B, FuseGuard<'f>) {
        let guard = self.0.guard();
        (base(), guard)
    }

    #[inline]
    fn reducer<R: Reducer<V>, V>(&self, base: R) -> FuseReducer<'f, R> {
        FuseReducer(base, self.0)
    }

    #[inline]
    fn over(&self) -> bool {
        self.0.is_blown()
    }

    #[inline]
    fn one<F: Folder<T>>(&self, _: &mut FuseGuard<'f>, folder: F, item: T) -> F {
        folder.consume(item)
    }

    #[inline]
    fn many<F>(&self, _: &mut FuseGuard<'f>, folder: F, items: impl Iterator<Item = T>) -> F
    where
        F: Folder<T>,
    {
        folder.consume_iter(items.take_while(|_| !self.0.is_blown()))
    }
}

impl<'f, T: Send> PerPieceIndexed<T> for FuseOp<'f> {
    type Iter<I: TwoEnded<T>> = Passing<I, FuseGuard<'f>>;

    #[inline]
    fn wrap<I: TwoEnded<T>>(self, items: I, guard: FuseGuard<'f>) -> Passing<I, FuseGuard<'f>> {
        Passing { items, pass: guard }
    }
}

struct FuseReducer<'f, R>(R, &'f Fuse);

impl<T, R: Reducer<T>> Reducer<T> for FuseReducer<'_, R> {
    #[inline]
    fn reduce(self, left: T, right: T) -> T {
        let _guard = self.1.guard();
        self.0.reduce(left, right)
    }
}

impl<T> Pass<T> for FuseGuard<'_> {
    type Out = T;

    #[inline]
    fn pass(&mut self, next: impl FnOnce() -> Option<T>) -> Option<T> {
        match self.fuse.is_blown() {
            true => None,
            false => next(),
        }
    }
}
