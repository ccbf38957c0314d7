//! `flat_map_iter` and `flatten_iter`: each item becomes a sequential iterator.
//!
//! Such an iterator may be long, or have no end, and cannot be cut. So after its first items it is checked now and then whether more items
//! are wanted: another thread may have found what is searched for. An iterator whose `size_hint` is short is folded in one go.
//!
//! When that is checked depends on the clock, but not in a leaf of a reproducible iterator: what follows may treat the items between two checks as one, as a sum does.

use super::per_piece::{PerPiece, same_reducer};
use super::{adaptor, applied};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Folder, Watched, consume_head};
use crate::iter::sources::same_as;
use std::convert::identity;
use std::iter;

/// An iterator whose `size_hint` promises at most this many items is folded in one go. In front of an end that may stop early, the limit is lower until this many
/// items took next to no time. Where the clock is ignored, at most so many items are folded between two checks.
const SHORT: usize = 1024;
/// Of an iterator that may be longer, this many items are folded in one go at first. Most iterators inside a parallel one have fewer.
const FEW: usize = 16;
/// That number grows, up to this one: where items get expensive, a stop is seen only after this many. It is so, too, where the clock is ignored.
const MANY: usize = 64;

/// In how many goes iterators are folded.
#[derive(Clone, Copy)]
struct Goes {
    /// An iterator of at most so many items is folded in one go.
    short: usize,
    /// The clock is ignored, and longer iterators are folded in blocks that grow up to so many items; 0 if it is not.
    fixed: usize,
}

fn has_at_most<I: Iterator>(items: &I, many: usize) -> bool {
    items.size_hint().1.is_some_and(|most| most <= many)
}

/// Feeds the items of all these iterators to `folder`, unless it is full before that.
#[inline]
fn feed<O, G>(mut folder: G, mut iters: O, goes: Goes) -> G
where
    O: Iterator<Item: IntoIterator>,
    G: Folder<<O::Item as IntoIterator>::Item>,
{
    if let (least, Some(most)) = iters.by_ref().flatten().size_hint()
        && least == most
        && least / goes.short <= iters.size_hint().0
    {
        // All have the same length, which std knows: they are arrays. And it is at most `short`.
        return folder.consume_iter(iters.flatten());
    }
    let Some(first) = iters.next().map(IntoIterator::into_iter) else {
        return folder;
    };
    if has_at_most(&first, 1) {
        return feed_mixed(folder, first, iters, goes);
    }
    let mut few = FEW;
    folder = feed_one(folder, first, goes, &mut few);
    // Not `for`: a source that has yielded enough may let its next item wait for ever, or lose it.
    while !folder.full()
        && let Some(items) = iters.next()
    {
        folder = feed_one(folder, items.into_iter(), goes, &mut few);
    }
    folder
}

/// The same where there are iterators of at most one item, such as options: to feed each of them by itself takes ten times as long.
#[inline(never)]
fn feed_mixed<O, I, G>(mut folder: G, first: I, iters: O, goes: Goes) -> G
where
    O: Iterator<Item: IntoIterator<Item = I::Item, IntoIter = I>>,
    I: Iterator,
    G: Folder<I::Item>,
{
    let (mut iters, mut few, mut next) = (iters.fuse(), FEW, Some(first));
    while let Some(items) = next.take() {
        if has_at_most(&items, 1) {
            // These, and those after them, up to some that may have more than an item.
            let mut now = Some(items);
            let lone = iter::from_fn(|| {
                if let now @ Some(_) = now.take() {
                    return now;
                }
                let items = iters.next()?.into_iter();
                if has_at_most(&items, 1) {
                    return Some(items);
                }
                next = Some(items);
                None
            });
            folder = folder.consume_iter(lone.flatten());
        } else {
            folder = feed_one(folder, items, goes, &mut few);
        }
        if folder.full() {
            break;
        }
        if next.is_none() {
            next = iters.next().map(IntoIterator::into_iter);
        }
    }
    folder
}

/// Feeds the items of one iterator. `few` grows when so many items took next to no time.
#[inline]
fn feed_one<T, G: Folder<T>>(
    folder: G,
    items: impl Iterator<Item = T>,
    goes: Goes,
    few: &mut usize,
) -> G {
    if has_at_most(&items, goes.short.max(*few)) {
        return folder.consume_iter(items);
    }
    let first = (*few).min(MANY);
    let (folder, rest) = consume_head(folder, items, first);
    let Some(items) = rest.filter(|_| !folder.full()) else {
        return folder;
    };
    let watched = Watched::after(first, folder, goes.fixed).consume_iter(items);
    *few = watched.block.min(SHORT);
    watched.folder
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
    pub struct FlatMapIter<I, F> { base: I } { map_op: F }
}

applied! {
    impl[I, F, SI] FlatMapIter<I, F> => SI::Item, where [
        F: Fn(I::Item) -> SI + Sync + Send,
        SI: IntoIterator<Item: Send>
    ];
    op(self) FlatMapIterOp(&self.map_op)
}

#[derive(Clone)]
struct FlatMapIterOp<F>(F);

impl<T, SI, F> PerPiece<T> for FlatMapIterOp<F>
where
    SI: IntoIterator<Item: Send>,
    F: Fn(T) -> SI + Copy + Send,
{
    type Out = SI::Item;
    type State = Goes;
    same_reducer! {}
    const AT_MOST_ONE: bool = false;
    const CAN_PAUSE: bool = true;

    #[inline]
    fn begin(&self) -> Goes {
        Goes {
            short: SHORT,
            fixed: 0,
        }
    }

    #[inline]
    fn may_stop(goes: &mut Goes) {
        goes.short = FEW;
    }

    #[inline]
    fn reproduce(goes: &mut Goes) {
        goes.fixed = goes.short.max(MANY);
    }

    #[inline]
    fn one<G: Folder<SI::Item>>(&self, goes: &mut Goes, folder: G, item: T) -> G {
        feed_one(folder, (self.0)(item).into_iter(), *goes, &mut { FEW })
    }

    #[inline]
    fn many<G>(&self, goes: &mut Goes, folder: G, items: impl Iterator<Item = T>) -> G
    where
        G: Folder<SI::Item>,
    {
        feed(folder, items.map(self.0), *goes)
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
    pub struct FlattenIter<I> { base: I }
}

same_as! {
    impl[I, SI] FlattenIter<I> => SI::Item, where [
        I: ParallelIterator<Item = SI>,
        SI: IntoIterator<Item: Send> + Send
    ];
    iter(self) { FlatMapIter::new(self.base, identity) }
}
