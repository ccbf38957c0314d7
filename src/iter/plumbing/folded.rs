//! What an inner iterator returns that was driven into a running fold, as in `flat_map`: the fold, open for more items, or a result, if the
//! fold was closed.

use super::traits::Folder;

/// A fold that goes on, or its result.
///
/// ```
#[doc = include_str!("sum.txt")]
/// use filch::iter::plumbing::{Folded, bridge_into};
/// use filch::prelude::*;
///
/// // `Sum` is a consumer that adds up; see `Consumer` for how to write one.
/// match bridge_into::<_, Sum>((0..100u32).into_par_iter().map(u64::from), Sum.into_folder()) {
///     Folded::Live(folder) => assert_eq!(folder.complete(), 4950), // no thread took a part
///     Folded::Closed(sum) => assert_eq!(sum, 4950),
/// }
/// ```
pub enum Folded<F, R> {
    /// It can take more items.
    Live(F),
    /// It had to be closed: another thread took its right part, and this is the result of all.
    Closed(R),
}

impl<F, R> Folded<F, R> {
    /// The same with another folder, if it is open.
    #[inline]
    pub(crate) fn map<G>(self, op: impl FnOnce(F) -> G) -> Folded<G, R> {
        match self {
            Folded::Live(folder) => Folded::Live(op(folder)),
            Folded::Closed(result) => Folded::Closed(result),
        }
    }

    #[inline]
    pub(crate) fn finish<Item>(self) -> R
    where
        F: Folder<Item, Result = R>,
    {
        match self {
            Folded::Live(folder) => folder.complete(),
            Folded::Closed(result) => result,
        }
    }
}
