//! `flat_map_iter` and `flatten_iter`: each item becomes a sequential iterator.
//!
//! Such an iterator may be long, or have no end, and cannot be cut. So its first items are folded in a row with those of the others, and what comes after
//! them is watched: another thread may find what is searched for meanwhile.

use super::per_item::PerItem;
use super::{adaptor, applied};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Folder, Watched};
use std::{iter, mem};

/// So many items of an iterator are folded without a look at whether more are wanted. Most iterators inside a parallel one have fewer.
const FEW: usize = 16;

/// The first items of each of some iterators. Ends at the first one that may have more, and puts it into `long`.
struct Heads<'l, O, I> {
    iters: O,
    now: Option<I>,
    left: usize,
    long: &'l mut Option<I>,
}

impl<O: Iterator<Item: IntoIterator<IntoIter = I>>, I: Iterator> Iterator for Heads<'_, O, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        while self.long.is_none() {
            if let Some(now) = &mut self.now {
                if self.left == 0 {
                    *self.long = self.now.take();
                    break;
                }
                self.left -= 1;
                if let Some(item) = now.next() {
                    return Some(item);
                }
            }
            self.now = None;
            let next = self.iters.next()?.into_iter();
            (self.now, self.left) = (Some(next), FEW);
        }
        None
    }

    #[inline]
    fn fold<B, F: FnMut(B, I::Item) -> B>(mut self, init: B, mut f: F) -> B {
        let mut folded = init;
        while let Some(item) = self.next() {
            folded = f(folded, item);
            let Some(now) = &mut self.now else { continue };
            for _ in 0..mem::take(&mut self.left) {
                match now.next() {
                    Some(item) => folded = f(folded, item),
                    None => {
                        self.now = None;
                        break;
                    }
                }
            }
        }
        folded
    }
}

/// Feeds the items of all these iterators to `folder`, unless it is full before that.
#[inline]
fn feed<O, G>(mut folder: G, mut iters: O) -> G
where
    O: Iterator<Item: IntoIterator>,
    G: Folder<<O::Item as IntoIterator>::Item>,
{
    if let (least, Some(most)) = iters.by_ref().flatten().size_hint()
        && least == most
    {
        // They are arrays, and std knows it.
        return folder.consume_iter(iters.flatten());
    }
    loop {
        let mut long = None;
        folder = folder.consume_iter(Heads {
            iters: iters.by_ref(),
            now: None,
            left: 0,
            long: &mut long,
        });
        match long {
            Some(rest) if !folder.full() => {
                folder = Watched::new(folder).consume_iter(rest).folder;
            }
            _ => return folder,
        }
        if folder.full() {
            return folder;
        }
    }
}

adaptor! {
    /// Yields everything from the sequential iterators that a closure makes of the items; made by
    /// [`flat_map_iter`](ParallelIterator::flat_map_iter).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let flat: filch::iter::FlatMapIter<_, _> = (1..4usize).into_par_iter().flat_map_iter(|n| std::iter::repeat_n(n, n));
    /// assert_eq!(flat.collect::<Vec<_>>(), [1, 2, 2, 3, 3, 3]);
    /// ```
    pub struct FlatMapIter<I, F> { base: I } { op: FlatMapIterOp<F> }
}

applied! {
    impl[I, F, SI] FlatMapIter<I, F> => SI::Item, where [
        F: Fn(I::Item) -> SI + Sync + Send,
        SI: IntoIterator<Item: Send>
    ];
    op(self) &self.op
}

#[derive(Clone)]
pub(crate) struct FlatMapIterOp<F>(pub(crate) F);

impl<T, SI, F> PerItem<T> for FlatMapIterOp<F>
where
    SI: IntoIterator<Item: Send>,
    F: Fn(T) -> SI + Sync,
{
    type Out = SI::Item;
    const AT_MOST_ONE: bool = false;

    #[inline]
    fn one<G: Folder<SI::Item>>(&self, folder: G, item: T) -> G {
        feed(folder, iter::once((self.0)(item)))
    }

    #[inline]
    fn many<G: Folder<SI::Item>>(&self, folder: G, items: impl Iterator<Item = T>) -> G {
        feed(folder, items.map(&self.0))
    }
}

adaptor! {
    /// Yields everything from the sequential iterators that its base yields; made by [`flatten_iter`](ParallelIterator::flatten_iter).
    ///
    /// ```
    /// use filch::prelude::*;
    ///
    /// let flat: filch::iter::FlattenIter<_> = vec![Some(1), None, Some(3)].into_par_iter().flatten_iter();
    /// assert_eq!(flat.collect::<Vec<_>>(), [1, 3]);
    /// ```
    pub struct FlattenIter<I> { base: I } { op: FlattenIterOp }
}

applied! {
    impl[I, SI] FlattenIter<I> => SI::Item, where [
        I: ParallelIterator<Item = SI>,
        SI: IntoIterator<Item: Send> + Send
    ];
    op(self) &self.op
}

#[derive(Clone)]
pub(crate) struct FlattenIterOp;

impl<SI: IntoIterator<Item: Send>> PerItem<SI> for FlattenIterOp {
    type Out = SI::Item;
    const AT_MOST_ONE: bool = false;

    #[inline]
    fn one<G: Folder<SI::Item>>(&self, folder: G, item: SI) -> G {
        feed(folder, iter::once(item))
    }

    #[inline]
    fn many<G: Folder<SI::Item>>(&self, folder: G, items: impl Iterator<Item = SI>) -> G {
        feed(folder, items)
    }
}
