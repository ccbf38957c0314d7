//! Strings that can be cut at any character: characters, bytes, matches.

use crate::iter::plumbing::{Folder, UnindexedProducer};

/// The first character boundary of `text` that is not before `at`; the end if there is none.
#[inline]
pub(crate) fn boundary(text: &str, mut at: usize) -> usize {
    while at < text.len() && !text.is_char_boundary(at) {
        at += 1;
    }
    at.min(text.len())
}

/// The producer: a stretch of a string, and a closure that makes a sequential iterator of a stretch and its position in the whole.
pub(crate) struct Text<'t, R> {
    text: &'t str,
    start: usize,
    read: R,
}

impl<'t, R: Fn(&'t str, usize) -> I + Copy + Send, I: Iterator> Text<'t, R> {
    #[inline]
    pub(crate) fn new(text: &'t str, read: R) -> Self {
        Text {
            text,
            start: 0,
            read,
        }
    }

    /// Splits off the part before the first boundary at or after `at`.
    #[inline]
    fn cut(self, at: usize) -> (Self, Option<Self>) {
        let at = boundary(self.text, at);
        let (left, right) = self.text.split_at(at);
        let left = Text { text: left, ..self };
        let right = Text {
            text: right,
            start: self.start + at,
            ..self
        };
        (left, (!right.text.is_empty()).then_some(right))
    }
}

impl<'t, R: Fn(&'t str, usize) -> I + Copy + Send, I: Iterator> UnindexedProducer for Text<'t, R> {
    type Item = I::Item;

    #[inline]
    fn split(self) -> (Self, Option<Self>) {
        if self.text.len() < 2 {
            return (self, None);
        }
        let middle = self.text.len() / 2;
        self.cut(middle)
    }

    #[inline]
    fn fold_with<F: Folder<I::Item>>(self, folder: F) -> F {
        folder.consume_iter((self.read)(self.text, self.start))
    }

    #[inline]
    fn weight(&self) -> Option<usize> {
        Some(self.text.len())
    }

    const CAN_PAUSE: bool = true;

    #[inline]
    fn fold_some<F: Folder<I::Item>>(self, folder: F, budget: usize) -> (F, Option<Self>) {
        let (now, later) = self.cut(budget.max(1));
        (now.fold_with(folder), later)
    }
}
