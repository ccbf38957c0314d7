//! Sorts of slices, stable and not, that use all threads of the pool.
//!
//! | file | idea |
//! |---|---|
//! | `order` | what a sort asks of a comparator |
//! | `probe` | the run that a slice begins with |
//! | `stable` | std's sort on leaves, then merges |
//! | `span` | elements that lie in the slice or in the buffer, and go home whatever happens |
//! | `merge` | two runs into one, split at the exact middle |
//! | `in_place` | a long run and a shorter one behind it, into the place of both |
//! | `unstable` | quicksort in place, with a parallel partition |
//! | `partition` | the partition of one thread |
//! | `exchange` | reversal and exchange |
//! | `cached_key` | keys computed once |
//!
//! # What holds for every sort here
//!
//! - Elements need only be `Send`. So no element is compared by two threads at once, and each is
//!   compared where it lies, never as a bitwise copy, which would lose what a comparator changes
//!   inside it.
//! - If the comparator is not a total order, or panics, the slice holds every element exactly once,
//!   in some order. The depth of the recursion is O(log n) all the same.
//! - Where there is one thread, or little to sort, std's sort does it.

mod cached_key;
mod exchange;
mod in_place;
mod merge;
mod order;
mod partition;
mod probe;
mod span;
mod stable;
mod unstable;

pub(crate) use cached_key::sort_by_cached_key;
pub(crate) use order::{By, ByKey, Natural};
pub(crate) use stable::sort;
pub(crate) use unstable::sort_unstable;

use crate::{current_num_threads, join};

/// Slices no longer than this are left to std: sorting them takes tens of microseconds, as long as
/// waking a thread and sharing the work.
const SHORT: usize = 4096;

/// Runs `f` on a thread of the pool, so that not each of the joins in it has to enter the pool.
fn in_pool<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    join(f, || ()).0
}
