//! Sorts of slices, stable and not, that use all threads of the pool.
//!
//! Their methods are rayon's, on [`ParallelSliceMut`](crate::slice::ParallelSliceMut).
//!
//! # When to use which
//!
//! | what | how | work | memory |
//! |---|---|---|---|
//! | `par_sort` | stable sorts of leaves, then merges | O(n log n) | n elements; if elements are large, indices for the leaves that are sorted at the time |
//! | `par_sort_unstable` | quicksort, the first partitions in parallel | O(n log n) | next to none |
//! | `par_sort_by_cached_key` | keys computed once, in parallel, and sorted with indices | O(n log n), n keys | n keys, indices and elements |
//! | [`radix_sort`](super::radix_sort) | by the digits of a number | O(n) per pass | n elements |
//! | [`partial_sort_unstable`](super::partial_sort_unstable) | the least k only | O(n + k log k) | none |
//! | [`top_k`](super::top_k()) | the best k, in a vector of their own | O(n) for small k | 2k elements for each fold |
//! | [`select_nth_unstable`](super::select_nth_unstable) | one element, such as the median | O(n) | none |
//!
//! For random integers the stable and the unstable sort take about the same time. The unstable one allocates next to nothing. The stable
//! one is faster if the slice consists of a few runs that are sorted already. Large elements (128 bytes, say) move once in the stable sort,
//! and at every partition in the unstable one. If a key is expensive to compute, cache it. If it is a number, and there are many elements,
//! sort by radix.
//!
//! # What holds for every sort here
//!
//! - Elements need only be `Send`. So no element is compared by two threads at once, and each is
//!   compared where it lies, never as a bitwise copy, which would lose what a comparator changes
//!   inside it.
//! - If the comparator is not a total order, or panics, the slice holds every element exactly once, in some order. The depth of the
//!   recursion is O(log n), and the comparisons are O(n log n), in any case. A sort never panics by itself. (std's sorts may panic, so they
//!   are called for integers in their natural order only.)
//! - With one thread, or few elements, the sort is sequential.
//!
// The files:
//
// | file | idea |
// |---|---|
// | `order` | what a sort asks of a comparator |
// | `leading_run` | the run that a slice begins with |
// | `sequential` | sorts and selection by one thread |
// | `stable` | sorted leaves, then merges |
// | `hole` | an element out of its slice |
// | `buffered_slice` | elements that lie in the slice or in the buffer, and go home whatever happens |
// | `merge` | two runs into one, split at the exact middle; `merge/kernel` is the part of one thread |
// | `rank` | where the middle is |
// | `weight` | what a comparison costs |
// | `runs` | neighbouring runs, merged into one |
// | `in_place` | a long run and a shorter one behind it, into the place of both |
// | `unstable` | quicksort in place, with a parallel partition |
// | `nearly` | unstable: what is out of place is put aside, sorted, and merged back |
// | `select` | the element that belongs at an index, and what is less before it |
// | `pivots` | the partition of several threads |
// | `partition` | the partition of one thread |
// | `cached_key` | keys computed once |
// | `comparison_meter` | for tests: comparisons, and the longest chain of them |
//!
//! # Measured
//!
//! <!-- measured: par_sort -->
//! Measured, `par_sort` of 1,000,000 numbers in no order: work 14 ms, span 120 µs, so up to 120 threads can be of use.
//!
//! <!-- measured: par_sort_unstable -->
//! Measured, `par_sort_unstable` of 1,000,000 numbers in no order: work 14 ms, span 210 µs, so up to 66 threads can be of use.
//!
//! <!-- measured: par_sort_by_cached_key -->
//! Measured, `par_sort_by_cached_key` of 1,000,000 numbers in no order: work 26 ms, span 300 µs, so up to 85 threads can be of use.

mod buffered_slice;
mod cached_key;
#[cfg(test)]
mod comparison_meter;
mod hole;
mod in_place;
mod leading_run;
mod merge;
mod nearly;
mod order;
mod partition;
mod pivots;
mod rank;
mod runs;
mod select;
pub(crate) mod sequential;
mod stable;
mod unstable;
mod weight;

pub(crate) use buffered_slice::BufferedSlice;
pub(crate) use cached_key::sort_by_cached_key;
pub(crate) use leading_run::LeadingRun;
pub(crate) use order::{By, ByKeyOf, Less, Natural, Order, by_comparison, by_order};
pub(crate) use rank::{co_rank, gallop};
pub(crate) use runs::{merge_neighbours, merge_runs};
pub(crate) use select::select;
pub(crate) use stable::sort;
pub(crate) use unstable::sort_unstable;

#[cfg(not(test))]
use crate::core::{both, threads};
#[cfg(test)]
use comparison_meter::{both, threads};

/// Slices no longer than this are sorted by one thread, if comparisons are cheap: that takes tens of microseconds, as long as
/// waking a thread and sharing the work.
const SHORT: usize = 4096;

/// From this many threads on, what one thread does alone is shorter, at the price of more samples and exchanges: a partition is then a small part of the
/// work, and the chain of them is long beside it.
const MANY: usize = 8;

/// Runs `f` on a thread of the pool, so that not each of the joins in it has to enter the pool.
pub(crate) fn in_pool<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    both(f, || ()).0
}
