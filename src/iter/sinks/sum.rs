//! `sum` and `product`.

use super::plain::Plain;
use std::iter::{self, Product, Sum};
use std::marker::PhantomData;

/// Adds with [`Sum`].
pub(crate) struct SumEnd<S>(PhantomData<fn() -> S>);

impl<S> SumEnd<S> {
    pub(crate) fn new() -> Self {
        SumEnd(PhantomData)
    }
}

impl<T, S> Plain<T> for SumEnd<S>
where
    S: Sum<T> + Sum<S> + Send,
{
    /// `None` before the first item, so that a fold adds up what std would, and nothing else.
    type State = Option<S>;
    type Result = Option<S>;

    #[inline]
    fn begin(&self) -> Option<S> {
        None
    }

    #[inline]
    fn one(&self, state: Option<S>, item: T) -> Option<S> {
        self.many(state, iter::once(item))
    }

    #[inline]
    fn many(&self, state: Option<S>, items: impl Iterator<Item = T>) -> Option<S> {
        let new = items.sum();
        <Self as Plain<T>>::reduce(self, state, Some(new))
    }

    #[inline]
    fn end(&self, state: Option<S>) -> Option<S> {
        state
    }

    #[inline]
    fn reduce(&self, left: Option<S>, right: Option<S>) -> Option<S> {
        match (left, right) {
            (Some(left), Some(right)) => Some(iter::once(left).chain(iter::once(right)).sum()),
            (left, right) => left.or(right),
        }
    }
}

/// Multiplies with [`Product`].
pub(crate) struct ProductEnd<P>(PhantomData<fn() -> P>);

impl<P> ProductEnd<P> {
    pub(crate) fn new() -> Self {
        ProductEnd(PhantomData)
    }
}

impl<T, P> Plain<T> for ProductEnd<P>
where
    P: Product<T> + Product<P> + Send,
{
    type State = Option<P>;
    type Result = Option<P>;

    #[inline]
    fn begin(&self) -> Option<P> {
        None
    }

    #[inline]
    fn one(&self, state: Option<P>, item: T) -> Option<P> {
        self.many(state, iter::once(item))
    }

    #[inline]
    fn many(&self, state: Option<P>, items: impl Iterator<Item = T>) -> Option<P> {
        let new = items.product();
        <Self as Plain<T>>::reduce(self, state, Some(new))
    }

    #[inline]
    fn end(&self, state: Option<P>) -> Option<P> {
        state
    }

    #[inline]
    fn reduce(&self, left: Option<P>, right: Option<P>) -> Option<P> {
        match (left, right) {
            (Some(left), Some(right)) => Some(iter::once(left).chain(iter::once(right)).product()),
            (left, right) => left.or(right),
        }
    }
}
