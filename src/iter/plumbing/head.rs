//! The first items of an iterator, in one go, and the rest of it.

use super::traits::Folder;

/// Feeds the next `len` items to `folder`, unless it is full before that, and returns the iterator, unless it came to its end.
///
/// Like `by_ref().take(len)`, but a loop over the items has the iterator in its own frame, so that the compiler can keep it in registers. That is
/// twice as fast for a B-tree.
#[inline]
pub(crate) fn consume_head<I, F>(folder: F, items: I, len: usize) -> (F, Option<I>)
where
    I: Iterator,
    F: Folder<I::Item>,
{
    let mut back = None;
    let folder = folder.consume_iter(Head {
        items: Some(items),
        len,
        back: &mut back,
    });
    (folder, back)
}

/// The next `len` items of an iterator, which is put `back` at the end.
struct Head<'b, I> {
    /// `None` while a fold has it, and after its end.
    items: Option<I>,
    len: usize,
    back: &'b mut Option<I>,
}

impl<I> Drop for Head<'_, I> {
    #[inline]
    fn drop(&mut self) {
        *self.back = self.items.take();
    }
}

impl<I: Iterator> Iterator for Head<'_, I> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.len = self.len.checked_sub(1)?;
        let item = self.items.as_mut()?.next();
        if item.is_none() {
            self.items = None;
        }
        item
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let (least, most) = self.items.as_ref().map_or((0, Some(0)), I::size_hint);
        let most = most.map_or(self.len, |most| most.min(self.len));
        (least.min(self.len), Some(most))
    }

    #[inline]
    fn fold<B, F: FnMut(B, I::Item) -> B>(mut self, mut state: B, mut f: F) -> B {
        if let Some(mut items) = self.items.take() {
            for _ in 0..self.len {
                let Some(item) = items.next() else {
                    return state;
                };
                state = f(state, item);
            }
            self.items = Some(items);
        }
        state
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::iter;

    /// Collects items: each by a call of `next`, or all by one of `fold`.
    struct List<const BY_FOLD: bool>(Vec<u32>);

    impl<const BY_FOLD: bool> Folder<u32> for List<BY_FOLD> {
        type Result = Vec<u32>;

        fn consume(mut self, item: u32) -> Self {
            self.0.push(item);
            self
        }

        fn consume_iter<I: IntoIterator<Item = u32>>(mut self, items: I) -> Self {
            let items = items.into_iter();
            match BY_FOLD {
                true => items.for_each(|item| self.0.push(item)),
                false => {
                    for item in items {
                        self.0.push(item);
                    }
                }
            }
            self
        }

        fn complete(self) -> Vec<u32> {
            self.0
        }

        fn full(&self) -> bool {
            false
        }
    }

    fn gives_back_what_is_left<const BY_FOLD: bool>() {
        let list = || List::<BY_FOLD>(Vec::new());
        let (head, rest) = consume_head(list(), 0..10, 4);
        assert_eq!((head.complete(), rest), (vec![0, 1, 2, 3], Some(4..10)));
        let (head, rest) = consume_head(list(), 0..3, 4);
        assert_eq!((head.complete(), rest), (vec![0, 1, 2], None));
    }

    #[test]
    fn an_iterator_that_has_ended_does_not_come_back() {
        gives_back_what_is_left::<true>();
        gives_back_what_is_left::<false>();
    }

    #[test]
    fn a_head_is_no_longer_than_it_was_asked_for() {
        fn hint<I: Iterator>(items: Option<I>) -> (usize, Option<usize>) {
            let (len, back) = (4, &mut None);
            Head { items, len, back }.size_hint()
        }
        assert_eq!(hint(Some(0..10)), (4, Some(4)));
        assert_eq!(hint(Some(0..3)), (3, Some(3)));
        assert_eq!(hint(Some(iter::from_fn(|| Some(0)))), (0, Some(4)));
        assert_eq!(hint(None::<iter::Empty<()>>), (0, Some(0)));
    }
}
