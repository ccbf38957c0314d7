//! Iterators of std that do not promise to know how many items they have, although they do here.

/// One whose `size_hint` is exact: the chain of two iterators whose lengths have a sum that fits `usize`.
///
/// `IN_STEPS`: a fold is a counted loop. That of std's `Rev` compares pointers, and is vectorised only where the compiler also sees the slice that
/// they come from. That is rare in a loop that the driver enters again and again.
pub(super) struct Exact<I, const IN_STEPS: bool = false>(pub(super) I);

impl<I: Iterator, const IN_STEPS: bool> Iterator for Exact<I, IN_STEPS> {
    type Item = I::Item;

    #[inline]
    fn next(&mut self) -> Option<I::Item> {
        self.0.next()
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.0.size_hint()
    }

    #[inline]
    fn nth(&mut self, n: usize) -> Option<I::Item> {
        self.0.nth(n)
    }

    #[inline]
    fn fold<R, F: FnMut(R, I::Item) -> R>(mut self, init: R, mut f: F) -> R {
        if const { !IN_STEPS } {
            return self.0.fold(init, f);
        }
        let mut folded = init;
        for _ in 0..self.len() {
            match self.0.next() {
                Some(item) => folded = f(folded, item),
                None => break,
            }
        }
        folded
    }
}

impl<I: DoubleEndedIterator, const IN_STEPS: bool> DoubleEndedIterator for Exact<I, IN_STEPS> {
    #[inline]
    fn next_back(&mut self) -> Option<I::Item> {
        self.0.next_back()
    }

    #[inline]
    fn nth_back(&mut self, n: usize) -> Option<I::Item> {
        self.0.nth_back(n)
    }

    #[inline]
    fn rfold<R, F: FnMut(R, I::Item) -> R>(self, init: R, f: F) -> R {
        self.0.rfold(init, f)
    }
}

impl<I: Iterator, const IN_STEPS: bool> ExactSizeIterator for Exact<I, IN_STEPS> {}
