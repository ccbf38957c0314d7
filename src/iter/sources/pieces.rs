//! Sequences that are cut at places that depend on the data: `split` and the like, `chunk_by`, lines, words.
//!
//! Strings, slices and mutable slices share one producer. They differ in how a mark is found and in how an uncut stretch is divided into
//! pieces ([`Marks`]).
//!
//! Nothing is searched twice for a place to cut. A search for the mark nearest to the middle leaves behind a stretch that is known to hold
//! none. It ends up at the end of one half, which remembers its length, and every later search stops before it. So a long stretch without
//! marks is not searched again by each split, and with [`walk`] a predicate is called exactly once for each place.

use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::iter;
use std::ops::Range;

/// A sequence that can be divided: `&str`, `&[T]`, `&mut [T]`.
pub(crate) trait Data: Default + Send {
    /// The view in which marks are searched.
    type View: ?Sized;

    fn view(&self) -> &Self::View;

    fn len(&self) -> usize;

    /// The first `at` units, and the rest.
    fn halves(self, at: usize) -> (Self, Self);
}

macro_rules! data {
    ($([$($T:tt)*] $Data:ty, $View:ty, $halves:ident;)*) => { $(
        impl<$($T)*> Data for $Data {
            type View = $View;

            #[inline]
            fn view(&self) -> &$View {
                self
            }

            #[inline]
            fn len(&self) -> usize {
                <$View>::len(self)
            }

            #[inline]
            fn halves(self, at: usize) -> (Self, Self) {
                self.$halves(at)
            }
        }
    )* };
}
data! {
    [] &str, str, split_at;
    [T: Sync] &[T], [T], split_at;
    [T: Send] &mut [T], [T], split_at_mut;
}

/// Finds the places between pieces.
pub(crate) trait Marks<D: Data>: Copy + Send {
    /// Whether a piece keeps the mark at its end. If not, marks belong to no piece.
    const KEEPS: bool;

    /// The first mark that starts in `range`.
    fn first(self, view: &D::View, range: Range<usize>) -> Option<usize>;

    /// The last mark that starts in `range`.
    fn last(self, view: &D::View, range: Range<usize>) -> Option<usize>;

    /// The length of the mark at `at`; 0 if it only marks the place between two units.
    fn width(self, view: &D::View, at: usize) -> usize;

    /// The pieces of `data`, one after the other. No mark starts in the last `bare` units, but for a kept one at the very end.
    fn pieces(self, data: D, bare: usize) -> impl Iterator<Item = D>;

    /// The part before the mark at `at` (with the mark if it is kept), and the part behind it.
    #[inline]
    fn cut(self, data: D, at: usize) -> (D, D) {
        let width = self.width(data.view(), at);
        if Self::KEEPS {
            return data.halves(at + width);
        }
        let (head, marked) = data.halves(at);
        (head, marked.halves(width).1)
    }
}

/// The producer.
pub(crate) struct Pieces<D, M> {
    data: D,
    marks: M,
    /// No mark starts in the last `bare` units of the data, but for a kept one at the very end.
    bare: usize,
}

impl<D: Data, M: Marks<D>> Pieces<D, M> {
    #[inline]
    pub(crate) fn new(data: D, marks: M) -> Self {
        Pieces {
            data,
            marks,
            bare: 0,
        }
    }

    /// Cuts at the mark at `at`; none starts in `searched..at`.
    #[inline]
    fn cut(self, at: usize, searched: usize) -> (Self, Self) {
        let Pieces { data, marks, bare } = self;
        let (left, right) = marks.cut(data, at);
        // A mark may reach into the last `bare` units, in which none starts.
        let (bare_left, bare_right) = (left.len() - searched, bare.min(right.len()));
        let part = |data, bare| Pieces { data, marks, bare };
        (part(left, bare_left), part(right, bare_right))
    }
}

impl<D: Data, M: Marks<D>> UnindexedProducer for Pieces<D, M> {
    type Item = D;

    fn split(mut self) -> (Self, Option<Self>) {
        let len = self.data.len();
        let open = len - self.bare;
        let middle = open.min(len / 2);
        let (left, right) = if let Some(at) = self.marks.first(self.data.view(), middle..open) {
            self.cut(at, middle)
        } else {
            let last = self.marks.last(self.data.view(), 0..middle);
            self.bare = len;
            match last {
                Some(at) => self.cut(at, at),
                None => return (self, None),
            }
        };
        (left, Some(right))
    }

    #[inline]
    fn fold_with<F: Folder<D>>(self, folder: F) -> F {
        folder.consume_iter(self.marks.pieces(self.data, self.bare))
    }

    /// One more than the length, because an empty sequence may still be a piece.
    #[inline]
    fn weight(&self) -> Option<usize> {
        Some(self.data.len().saturating_add(1))
    }

    const CAN_PAUSE: bool = true;

    #[inline]
    fn fold_some<F: Folder<D>>(mut self, folder: F, budget: usize) -> (F, Option<Self>) {
        let open = self.data.len() - self.bare;
        let start = budget.min(open);
        match self.marks.first(self.data.view(), start..open) {
            Some(at) => {
                let (now, later) = self.cut(at, start);
                (now.fold_with(folder), Some(later))
            }
            None => {
                self.bare = self.data.len() - start;
                (self.fold_with(folder), None)
            }
        }
    }
}

/// The pieces of a slice, found mark by mark. No mark starts in its last `bare` units, but for a kept one at the very end.
#[inline]
pub(crate) fn walk<D, M>(data: D, marks: M, mut bare: usize) -> impl Iterator<Item = D>
where
    D: Data,
    M: Marks<D>,
{
    let mut rest = Some(data);
    iter::from_fn(move || {
        let data = rest.take()?;
        let Some(at) = marks.first(data.view(), 0..data.len() - bare) else {
            // If pieces keep their marks, the part behind the last mark is a piece only if it is not empty.
            return (!M::KEEPS || data.len() > 0).then_some(data);
        };
        let (piece, later) = marks.cut(data, at);
        bare = bare.min(later.len());
        rest = Some(later);
        Some(piece)
    })
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Collects.
    struct List<T>(Vec<T>);

    impl<T> Folder<T> for List<T> {
        type Result = Vec<T>;

        fn consume(mut self, item: T) -> Self {
            self.0.push(item);
            self
        }

        fn complete(self) -> Vec<T> {
            self.0
        }

        fn full(&self) -> bool {
            false
        }
    }

    fn split_down<P: UnindexedProducer>(producer: P, list: List<P::Item>) -> List<P::Item> {
        match producer.split() {
            (left, Some(right)) => split_down(right, split_down(left, list)),
            (whole, None) => whole.fold_with(list),
        }
    }

    /// All items: by splitting as far as possible, or by folding with a budget.
    pub(crate) fn items<P: UnindexedProducer>(producer: P, budget: Option<usize>) -> Vec<P::Item> {
        let mut list = List(Vec::new());
        let Some(budget) = budget else {
            return split_down(producer, list).0;
        };
        let mut rest = Some(producer);
        while let Some(producer) = rest {
            assert!(producer.weight().is_some());
            (list, rest) = producer.fold_some(list, budget);
        }
        list.0
    }
}
