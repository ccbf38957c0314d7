//! `for_each`.

use super::plain::Plain;

/// Calls a closure on each item.
pub(crate) struct ForEach<F>(pub(crate) F);

impl<T, F: Fn(T) + Sync> Plain<T> for ForEach<F> {
    type State = ();
    type Result = ();

    #[inline]
    fn begin(&self) {}

    #[inline]
    fn one(&self, (): (), item: T) {
        (self.0)(item);
    }

    #[inline]
    fn many(&self, (): (), items: impl Iterator<Item = T>) {
        items.for_each(&self.0);
    }

    #[inline]
    fn end(&self, (): ()) {}

    #[inline]
    fn reduce(&self, (): (), (): ()) {}
}
