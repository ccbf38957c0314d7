//! Sequences that fall apart where the data says so: `split` and its kind, `chunk_by`, lines, words.
//!
//! There is one producer, for strings, slices and mutable slices alike. What differs is how a mark is found ([`Marks`]) and what becomes of
//! the separator and of empty pieces ([`Keep`]).
//!
//! No place is looked at twice. A search for the mark nearest to the middle leaves a stretch behind that is known to hold none; it ends up at
//! the end of one half, which remembers its length, and every later search stops before it. So a predicate is called once for each place,
//! and a long stretch without marks is not searched again by each split.

use crate::iter::plumbing::{Folder, UnindexedProducer};
use std::iter;
use std::mem;
use std::ops::Range;

/// What can be taken apart: `&str`, `&[T]`, `&mut [T]`.
pub(crate) trait Data: Default + Send {
    /// What marks are searched in.
    type View: ?Sized;

    fn view(&self) -> &Self::View;

    fn len(&self) -> usize;

    /// The first `at` units, and the others.
    fn halves(self, at: usize) -> (Self, Self);
}

impl Data for &str {
    type View = str;

    #[inline]
    fn view(&self) -> &str {
        self
    }

    #[inline]
    fn len(&self) -> usize {
        str::len(self)
    }

    #[inline]
    fn halves(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<T: Sync> Data for &[T] {
    type View = [T];

    #[inline]
    fn view(&self) -> &[T] {
        self
    }

    #[inline]
    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    #[inline]
    fn halves(self, at: usize) -> (Self, Self) {
        self.split_at(at)
    }
}

impl<T: Send> Data for &mut [T] {
    type View = [T];

    #[inline]
    fn view(&self) -> &[T] {
        self
    }

    #[inline]
    fn len(&self) -> usize {
        <[T]>::len(self)
    }

    #[inline]
    fn halves(self, at: usize) -> (Self, Self) {
        self.split_at_mut(at)
    }
}

/// Finds the places between pieces.
pub(crate) trait Marks<V: ?Sized>: Copy + Send {
    /// The first mark that starts in `range`.
    fn first(self, view: &V, range: Range<usize>) -> Option<usize>;

    /// The last mark that starts in `range`.
    fn last(self, view: &V, range: Range<usize>) -> Option<usize>;

    /// How long the mark at `at` is; 0 if it only marks the place between two units.
    fn width(self, view: &V, at: usize) -> usize;
}

/// What becomes of separators and of empty pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// Pieces are what is between separators, empty or not.
    Between,
    /// Pieces are what is before a separator, and what follows the last one unless it is empty.
    Terminated,
    /// Pieces keep the separator at their end; none is empty.
    Inclusive,
    /// Pieces are what is between separators, unless it is empty.
    NonEmpty,
}

/// The producer.
pub(crate) struct Pieces<D, M> {
    data: D,
    marks: M,
    keep: Keep,
    /// No mark starts in the last `bare` units of the data.
    bare: usize,
    /// Whether the last piece counts even if it is empty.
    ended: bool,
    /// Whether the last piece has been handed out.
    done: bool,
}

impl<D: Data, M: Marks<D::View>> Pieces<D, M> {
    #[inline]
    pub(crate) fn new(data: D, marks: M, keep: Keep) -> Self {
        Pieces {
            data,
            marks,
            keep,
            bare: 0,
            ended: keep == Keep::Between,
            done: false,
        }
    }

    /// Where marks may still start.
    #[inline]
    fn open(&self) -> usize {
        self.data.len() - self.bare
    }

    /// One more than what is left, because nothing left may still be an empty piece.
    #[inline]
    fn weighs(&self) -> usize {
        if self.done {
            0
        } else {
            self.data.len().saturating_add(1)
        }
    }

    /// Takes off what is before the mark at `at`, and the mark with it if it is kept.
    #[inline]
    fn take_off(&mut self, at: usize) -> D {
        let width = self.marks.width(self.data.view(), at);
        let data = mem::take(&mut self.data);
        let (head, tail) = if self.keep == Keep::Inclusive {
            data.halves(at + width)
        } else {
            let (head, marked) = data.halves(at);
            (head, marked.halves(width).1)
        };
        // A mark may reach into what holds no start of one.
        self.bare = self.bare.min(tail.len());
        self.data = tail;
        head
    }

    #[inline]
    fn next_piece(&mut self) -> Option<D> {
        while !self.done {
            let (piece, ended) = match self.marks.first(self.data.view(), 0..self.open()) {
                Some(at) => (self.take_off(at), self.keep != Keep::NonEmpty),
                None => {
                    self.done = true;
                    self.bare = 0;
                    (mem::take(&mut self.data), self.ended)
                }
            };
            if ended || piece.len() > 0 {
                return Some(piece);
            }
        }
        None
    }
}

impl<D: Data, M: Marks<D::View>> UnindexedProducer for Pieces<D, M> {
    type Item = D;

    fn split(mut self) -> (Self, Option<Self>) {
        let open = self.open();
        let middle = (self.data.len() / 2).min(open);
        let view = self.data.view();
        // `searched` is where the search began that found nothing from there to `at`; the left half inherits that stretch.
        let (at, searched) = if let Some(at) = self.marks.first(view, middle..open) {
            (at, middle)
        } else if let Some(at) = self.marks.last(view, 0..middle) {
            self.bare = self.data.len();
            (at, at)
        } else {
            self.bare = self.data.len();
            return (self, None);
        };
        let head = self.take_off(at);
        let left = Pieces {
            bare: head.len() - searched,
            data: head,
            marks: self.marks,
            keep: self.keep,
            ended: self.keep != Keep::NonEmpty,
            done: false,
        };
        (left, Some(self))
    }

    #[inline]
    fn fold_with<F: Folder<D>>(mut self, folder: F) -> F {
        folder.consume_iter(iter::from_fn(|| self.next_piece()))
    }

    #[inline]
    fn weight(&self) -> Option<usize> {
        Some(self.weighs())
    }

    #[inline]
    fn can_pause(&self) -> bool {
        true
    }

    #[inline]
    fn fold_some<F: Folder<D>>(mut self, folder: F, budget: usize) -> (F, Option<Self>) {
        let stop = self.weighs().saturating_sub(budget.max(1));
        let folder = folder.consume_iter(iter::from_fn(|| {
            if self.weighs() > stop {
                self.next_piece()
            } else {
                None
            }
        }));
        let rest = (!self.done).then_some(self);
        (folder, rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::str::pattern::Separator;
    use std::sync::atomic::{AtomicUsize, Ordering};

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

    /// Splits down to the bottom, or folds in small steps.
    fn all<'t>(text: &'t str, keep: Keep, budget: Option<usize>) -> Vec<&'t str> {
        fn go<P: UnindexedProducer>(
            p: P,
            mut to: List<P::Item>,
            budget: Option<usize>,
        ) -> List<P::Item> {
            if let Some(budget) = budget {
                let mut rest = Some(p);
                while let Some(p) = rest {
                    (to, rest) = p.fold_some(to, budget);
                }
                return to;
            }
            match p.split() {
                (left, Some(right)) => {
                    let to = go(left, to, budget);
                    go(right, to, budget)
                }
                (whole, None) => whole.fold_with(to),
            }
        }
        go(
            Pieces::new(text, Separator(&'-'), keep),
            List(Vec::new()),
            budget,
        )
        .0
    }

    #[test]
    fn as_std_however_it_is_cut() {
        let letters = ["", "-", "a", "é-", "--", "-bc"];
        for n in 0..letters.len().pow(4) {
            let text: String = (0..4)
                .map(|k| letters[n / letters.len().pow(k) % letters.len()])
                .collect();
            for budget in [None, Some(1), Some(2), Some(4), Some(100)] {
                let all = |keep| all(&text, keep, budget);
                assert!(
                    all(Keep::Between).into_iter().eq(text.split('-')),
                    "{text:?}"
                );
                assert!(
                    all(Keep::Terminated)
                        .into_iter()
                        .eq(text.split_terminator('-')),
                    "{text:?}"
                );
                assert!(
                    all(Keep::Inclusive)
                        .into_iter()
                        .eq(text.split_inclusive('-')),
                    "{text:?}"
                );
                let words = text.split('-').filter(|word| !word.is_empty());
                assert!(all(Keep::NonEmpty).into_iter().eq(words), "{text:?}");
            }
        }
    }

    #[test]
    fn no_place_is_looked_at_twice() {
        let text = "ab-cdefghij--klmnopqrstuvw-x".repeat(10);
        let calls = AtomicUsize::new(0);
        let pattern = |c: char| {
            calls.fetch_add(1, Ordering::Relaxed);
            c == '-'
        };
        fn go<P: UnindexedProducer>(p: P, to: List<P::Item>) -> List<P::Item> {
            match p.split() {
                (left, Some(right)) => go(right, go(left, to)),
                (whole, None) => whole.fold_with(to),
            }
        }
        let pieces = go(
            Pieces::new(&text[..], Separator(&pattern), Keep::Between),
            List(Vec::new()),
        );
        assert_eq!(pieces.0, text.split('-').collect::<Vec<_>>());
        assert_eq!(calls.into_inner(), text.len());
    }
}
