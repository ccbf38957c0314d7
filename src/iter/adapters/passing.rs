//! Sequential iterators that call an operation on each item as it is taken, from either end.

/// What is passed.
pub(crate) trait Pass<T> {
    type Out;

    /// Takes the next item by `next`, and says what becomes of it.
    fn pass(&mut self, next: impl FnOnce() -> Option<T>) -> Option<Self::Out>;

    /// [`Iterator::fold`] over what becomes of `items`.
    #[inline]
    fn fold<B>(
        mut self,
        mut items: impl Iterator<Item = T>,
        init: B,
        mut op: impl FnMut(B, Self::Out) -> B,
    ) -> B
    where
        Self: Sized,
    {
        let mut folded = init;
        while let Some(item) = self.pass(|| items.next()) {
            folded = op(folded, item);
        }
        folded
    }
}

pub(crate) struct Passing<I, P> {
    pub(crate) items: I,
    pub(crate) pass: P,
}

impl<I: Iterator, P: Pass<I::Item>> Iterator for Passing<I, P> {
    type Item = P::Out;

    #[inline]
    fn next(&mut self) -> Option<P::Out> {
        self.pass.pass(|| self.items.next())
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }

    #[inline]
    fn fold<B, F: FnMut(B, P::Out) -> B>(self, init: B, op: F) -> B {
        self.pass.fold(self.items, init, op)
    }
}

impl<I: DoubleEndedIterator, P: Pass<I::Item>> DoubleEndedIterator for Passing<I, P> {
    #[inline]
    fn next_back(&mut self) -> Option<P::Out> {
        self.pass.pass(|| self.items.next_back())
    }
}

impl<I: ExactSizeIterator, P: Pass<I::Item>> ExactSizeIterator for Passing<I, P> {}
