//! Counting the items of a block without slowing the loop over them.

use std::cell::Cell;

/// Passes items on, and counts them.
pub(super) struct Counted<'n, I> {
    pub(super) items: I,
    pub(super) count: &'n Cell<usize>,
}

impl<I: Iterator> Counted<'_, I> {
    #[inline]
    fn note<T>(&self, item: Option<T>) -> Option<T> {
        self.count
            .set(self.count.get() + usize::from(item.is_some()));
        item
    }
}

impl<I: Iterator> Iterator for Counted<'_, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        let item = self.items.next();
        self.note(item)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }

    /// If everything is folded, the number is known at once, so the loop is the one of `items` alone.
    #[inline]
    fn fold<B, F: FnMut(B, I::Item) -> B>(self, init: B, mut f: F) -> B {
        let Counted { items, count } = self;
        match items.size_hint() {
            (len, Some(upper)) if len == upper => {
                let result = items.fold(init, f);
                count.set(count.get() + len);
                result
            }
            _ => items.fold(init, |state, item| {
                count.set(count.get() + 1);
                f(state, item)
            }),
        }
    }
}

impl<I: DoubleEndedIterator> DoubleEndedIterator for Counted<'_, I> {
    #[inline]
    fn next_back(&mut self) -> Option<I::Item> {
        let item = self.items.next_back();
        self.note(item)
    }
}

impl<I: ExactSizeIterator> ExactSizeIterator for Counted<'_, I> {}
