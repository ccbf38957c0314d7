//! What an inner iterator returns that was driven into a running fold, as in `flat_map`: the fold, open for more items, or a result, if the
//! fold was closed.

use super::traits::Folder;

/// A fold that goes on, or its result.
///
/// ```
/// # use filch::iter::plumbing::{Consumer, Folder, Reducer, UnindexedConsumer};
/// # struct Sum;
/// # struct Sums(u64);
/// # impl Consumer<u64> for Sum {
/// #     type Folder = Sums;
/// #     type Reducer = Sum;
/// #     type Result = u64;
/// #     fn split_at(self, _: usize) -> (Sum, Sum, Sum) { (Sum, Sum, Sum) }
/// #     fn into_folder(self) -> Sums { Sums(0) }
/// #     fn full(&self) -> bool { false }
/// #     const SPLITS_LIVE: bool = true;
/// #     fn split_folder(_: &mut Sums, _: usize) -> (Sum, Sum) { (Sum, Sum) }
/// # }
/// # impl UnindexedConsumer<u64> for Sum {
/// #     fn split_off_left(&self) -> Sum { Sum }
/// #     fn to_reducer(&self) -> Sum { Sum }
/// # }
/// # impl Folder<u64> for Sums {
/// #     type Result = u64;
/// #     fn consume(self, n: u64) -> Sums { Sums(self.0 + n) }
/// #     fn complete(self) -> u64 { self.0 }
/// #     fn full(&self) -> bool { false }
/// # }
/// # impl Reducer<u64> for Sum {
/// #     fn reduce(self, left: u64, right: u64) -> u64 { left + right }
/// # }
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
