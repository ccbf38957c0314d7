//! `panic_fuse`: a panic in one piece stops all.

use crate::iter::plumbing::{
    Consumer, Folded, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer, as_base,
};
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use crate::sync::{AtomicBool, Ordering};
use std::thread;

/// Stops all pieces soon after one of them panicked; made by [`panic_fuse`](ParallelIterator::panic_fuse).
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

impl<I: ParallelIterator> ParallelIterator for PanicFuse<I> {
    type Item = I::Item;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<I::Item>,
    {
        let fuse = Fuse::new();
        self.base.drive_unindexed(fuse.around(consumer))
    }

    #[inline]
    fn opt_len(&self) -> Option<usize> {
        self.base.opt_len()
    }

    #[inline]
    fn drive_into<C>(self, folder: C::Folder) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<I::Item>,
    {
        let fuse = Fuse::new();
        let folder = FuseFolder {
            base: folder,
            guard: fuse.guard(),
        };
        match self.base.drive_into::<FuseConsumer<'_, C>>(folder) {
            Folded::Live(folder) => Folded::Live(folder.base),
            Folded::Closed(result) => Folded::Closed(result),
        }
    }
}

impl<I: IndexedParallelIterator> IndexedParallelIterator for PanicFuse<I> {
    #[inline]
    fn len(&self) -> usize {
        self.base.len()
    }

    #[inline]
    fn drive<C: Consumer<I::Item>>(self, consumer: C) -> C::Result {
        let fuse = Fuse::new();
        self.base.drive(fuse.around(consumer))
    }

    #[inline]
    fn with_producer<CB: ProducerCallback<I::Item>>(self, callback: CB) -> CB::Output {
        let fuse = Fuse::new();
        self.base.with_producer(FuseCallback {
            callback,
            fuse: &fuse,
        })
    }
}

/// Whether any piece of one run panicked. A hint to stop, which publishes nothing: relaxed.
struct Fuse(AtomicBool);

impl Fuse {
    #[inline]
    fn new() -> Fuse {
        Fuse(AtomicBool::new(false))
    }

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

    #[inline]
    fn around<C>(&self, base: C) -> FuseConsumer<'_, C> {
        FuseConsumer { base, fuse: self }
    }
}

/// Blows the fuse if it is dropped by a panic that began after it was made. (A destructor that runs while the thread unwinds from an older
/// panic may well use a parallel iterator, and that must not stop early.)
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

struct FuseConsumer<'f, C> {
    base: C,
    fuse: &'f Fuse,
}

impl<'f, T, C: Consumer<T>> Consumer<T> for FuseConsumer<'f, C> {
    type Folder = FuseFolder<'f, C::Folder>;
    type Reducer = FuseReducer<'f, C::Reducer>;
    type Result = C::Result;

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self, Self::Reducer) {
        let fuse = self.fuse;
        let (left, right, base) = self.base.split_at(index);
        let reducer = FuseReducer { base, fuse };
        (fuse.around(left), fuse.around(right), reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        let guard = self.fuse.guard();
        FuseFolder {
            base: self.base.into_folder(),
            guard,
        }
    }

    #[inline]
    fn full(&self) -> bool {
        self.fuse.is_blown() || self.base.full()
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;
    const FRONT_FIRST: bool = C::FRONT_FIRST;

    const STOPS_EARLY: bool = C::STOPS_EARLY;
    const SPLITS_DEARLY: bool = C::SPLITS_DEARLY;

    as_base! { ; settles C }

    #[inline]
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let fuse = folder.guard.fuse;
        let (right, base) = C::split_folder(&mut folder.base, at);
        (fuse.around(right), FuseReducer { base, fuse })
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        C::rejoin_folder(&mut folder.base, right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, _: usize, least: usize) {
        // It may stop early.
        C::expect(&mut folder.base, usize::MAX, least);
    }
}

impl<T, C: UnindexedConsumer<T>> UnindexedConsumer<T> for FuseConsumer<'_, C> {
    #[inline]
    fn split_off_left(&self) -> Self {
        self.fuse.around(self.base.split_off_left())
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        FuseReducer {
            base: self.base.to_reducer(),
            fuse: self.fuse,
        }
    }
}

struct FuseFolder<'f, G> {
    base: G,
    guard: Guard<'f>,
}

impl<T, G: Folder<T>> Folder<T> for FuseFolder<'_, G> {
    type Result = G::Result;

    #[inline]
    fn consume(mut self, item: T) -> Self {
        self.base = self.base.consume(item);
        self
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        let fuse = self.guard.fuse;
        let items = iter.into_iter().take_while(|_| !fuse.is_blown());
        self.base = self.base.consume_iter(items);
        self
    }

    #[inline]
    fn complete(self) -> G::Result {
        let FuseFolder { base, guard } = self;
        let result = base.complete();
        drop(guard);
        result
    }

    #[inline]
    fn full(&self) -> bool {
        self.guard.fuse.is_blown() || self.base.full()
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

struct FuseCallback<'f, CB> {
    callback: CB,
    fuse: &'f Fuse,
}

impl<T, CB: ProducerCallback<T>> ProducerCallback<T> for FuseCallback<'_, CB> {
    type Output = CB::Output;

    #[inline]
    fn callback<P: Producer<Item = T>>(self, base: P) -> CB::Output {
        self.callback.callback(FuseProducer {
            base,
            fuse: self.fuse,
        })
    }
}

struct FuseProducer<'f, P> {
    base: P,
    fuse: &'f Fuse,
}

impl<'f, P: Producer> Producer for FuseProducer<'f, P> {
    type Item = P::Item;
    type IntoIter = FuseIter<'f, P::IntoIter>;
    const REPRODUCIBLE: bool = P::REPRODUCIBLE;
    const CAN_PAUSE: bool = P::CAN_PAUSE;
    const BOUNDED: bool = P::BOUNDED;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        let guard = self.fuse.guard();
        FuseIter {
            items: self.base.into_iter(),
            guard,
        }
    }

    #[inline]
    fn min_len(&self) -> usize {
        self.base.min_len()
    }

    #[inline]
    fn max_len(&self) -> usize {
        self.base.max_len()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let fuse = self.fuse;
        let (left, right) = self.base.split_at(index);
        (
            FuseProducer { base: left, fuse },
            FuseProducer { base: right, fuse },
        )
    }

    #[inline]
    fn fold_with<G: Folder<P::Item>>(self, folder: G) -> G {
        let folder = FuseFolder {
            base: folder,
            guard: self.fuse.guard(),
        };
        self.base.fold_with(folder).base
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
