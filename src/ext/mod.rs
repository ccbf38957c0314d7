//! Methods that rayon does not have: `use filch::ext::*`.
//!
//! ```
//! use filch::{ext::*, prelude::*};
//!
//! let text = "to be or not to be";
//! let counts = text.par_split_whitespace().count_by_key(|word| word);
//! assert_eq!(counts["be"], 2);
//!
//! let mut v = vec![4, 1, 3, 2];
//! v.par_retain(|n| *n != 3);
//! assert_eq!(v.par_scan_inclusive(|a, b| a + b), [4, 5, 7]);
//! ```
//!
//! The methods belong to traits outside the [`prelude`](crate::prelude). So a program that uses the prelude alone has rayon's names, and no others.
//!
//! | I want | section |
//! |---|---|
//! | prefixes in order, counts by key, ordered output, scratch buffers, cancellation, progress | [On parallel iterators](#on-parallel-iterators) |
//! | an ordinary iterator in parallel and in order, fixed chunks, scopes that can be cancelled | [On other things](#on-other-things) |
//! | scans, packs, merges, selection, set operations | [On slices and vectors](#on-slices-and-vectors) |
//!
//! # On parallel iterators
//!
//! *p* is the number of threads. Unless the cost says otherwise, an adaptor is lazy, allocates nothing, adds next to nothing to
//! an item, and changes neither work nor span. *Indexed* methods need an iterator that knows its length.
//!
//! | method | what it does | cost |
//! |---|---|---|
//! | [`take_while`](ParallelWhile::take_while), [`map_while`](ParallelWhile::map_while), [`skip_while`](ParallelWhile::skip_while) | as std's: they end, or begin, at the first item in the order of the input that the closure rejects | works in rounds that double; up to *p* times as many calls as std's; keeps items of a round until it is known whether they are yielded |
//! | [`min_max`](ParallelMinMax::min_max), [`_by`](ParallelMinMax::min_max_by), [`_by_key`](ParallelMinMax::min_max_by_key) | the least and the greatest item, in one pass | at most 2 comparisons per item |
//! | [`is_sorted`](ParallelIsSorted::is_sorted), [`_by`](ParallelIsSorted::is_sorted_by), [`_by_key`](ParallelIsSorted::is_sorted_by_key) | whether neighbours are in order | a comparison per item; stops early |
//! | [`last`](ParallelLast::last) | the last item | begins at the right end, and computes few other items |
//! | [`nth`](ParallelNth::nth) (indexed) | the item at a position | that item only, on the caller |
//! | [`reproducible`](ParallelReproducible::reproducible) (indexed) | the same result in each run, to the last bit, for float sums too | a fold and a reduction for each 4,096 items |
//! | [`sum_compensated`](ParallelSumCompensated::sum_compensated) | a sum of floats whose error is about one rounding | 7 additions per item, in 4 lanes |
//! | [`count_by_key`](ParallelByKey::count_by_key), [`reduce_by_key`](ParallelByKey::reduce_by_key), [`aggregate_by_key`](ParallelByKey::aggregate_by_key), [`group_by_key`](ParallelByKey::group_by_key), [`histogram`](ParallelByKey::histogram), [`top_k_by_count`](ParallelByKey::top_k_by_count) | one result for each key | one hash per item if keys are few, four at most, more in [small pieces](crate::algo::group); one more for each key of a map |
//! | [`top_k`](ParallelTopK::top_k), [`bottom_k`](ParallelTopK::bottom_k) | the k greatest or least items, in order | memory for 2k items a fold |
//! | [`scan_inclusive`](IndexedScan::scan_inclusive), [`scan_exclusive`](IndexedScan::scan_exclusive) (indexed) | running values | one or two calls per item; all items are collected first: memory for n items |
//! | [`array_chunks`](ParallelArrayChunks::array_chunks) (indexed) | every `N` items as an array | moves the items |
//! | [`with_ordered_iter`](ParallelOrdered::with_ordered_iter) | an ordinary iterator over the items, in order, inside a closure | moves the items through a buffer of bounded length, in rounds; if the closure is slow, a job for each round. A `par_bridge` is computed as a whole first; [`par_bridge_ordered`](ParallelBridgeOrdered::par_bridge_ordered) is not |
//! | [`into_ordered_iter`](ParallelOrdered::into_ordered_iter) | the same for owned data, computed in the background | a thread, and two switches of threads for each round |
//! | [`using`](ParallelUsing::using), [`using_states`](ParallelUsing::using_states) | a mutable state for each thread that takes part | a lock per block; in pools of more than 16 threads several threads share one |
//! | [`cancellable`](ParallelCancel::cancellable), [`with_cancel`](ParallelCancel::with_cancel) | stops when a [`CancelToken`] says so, or at its deadline | a load per block; with a deadline a reading of the clock |
//! | [`progress`](ParallelProgress::progress), `progress_with` (feature `indicatif`) | tells a closure, or a progress bar, how many items are done | a call per block |
//!
//! # On other things
//!
//! | method | what it does | cost |
//! |---|---|---|
//! | [`par_bridge_ordered`](ParallelBridgeOrdered::par_bridge_ordered) on iterators | as `par_bridge`, in order | a lock and a move per item; cheap items are folded by one thread |
//! | [`par_array_chunks`](ParallelSliceArrays::par_array_chunks), [`_mut`](ParallelSliceArrays::par_array_chunks_mut) on slices | every `N` elements as a reference to an array | nothing |
//! | [`CancelToken::scope`] | a scope whose jobs are skipped once the token is cancelled | for each job, an atomic count more than in `scope` |
//! | [`limited_scope`] | a scope in which at most a given number of jobs run at once | for each job, an allocation and three short locks more than in `scope` |
//! | [`spawn_handle`] | a job in the background whose result can be joined, awaited, or cancelled before it begins | three allocations per job |
//! | [`set_active`], [`active`]; [`ThreadPool::set_active`](crate::ThreadPool::set_active) | makes a pool run on fewer threads than it has, and later on more | a short lock per call |
//! | [`JobQueue`] | a queue in front of a pool, with priorities, a bound on how many jobs wait, and a bound on how many run | for each job, an allocation and three short locks more than `spawn` |
//!
//! For windows as arrays see [`par_array_windows`](crate::slice::ParallelSlice::par_array_windows), which rayon has too.
//!
//! # On slices and vectors
//!
//! Each of these is a free function in [`algo`](crate::algo), too, whose pages say what it costs.
//!
//! | trait | what it adds |
//! |---|---|
//! | [`ParallelScan`] | running totals, by any associative operation |
//! | [`ParallelRetain`], [`ParallelPack`], [`ParallelDedup`], [`ParallelUnique`] | keep some of the elements |
//! | [`ParallelPartition`], [`ParallelReorder`], [`ParallelTranspose`], [`ParallelPermute`], [`ParallelShuffle`] | move the elements |
//! | [`ParallelGather`], [`ParallelSample`] | copy elements by index, or a random sample |
//! | [`ParallelSegments`] | running totals that begin again at each segment, runs of equal elements, differences of neighbours |
//! | [`ParallelFill`] | overwrite the elements |
//! | [`ParallelSearch`], [`ParallelSliceMinMax`], [`ParallelSliceIsSorted`], [`ParallelIncludes`] | find a sub-slice or a difference, the least and greatest element, whether a slice is sorted, whether it includes another |
//! | [`ParallelMerge`], [`ParallelKMerge`], [`ParallelSetOps`] | merge sorted slices; their union, intersection and differences |
//! | [`ParallelSelect`], [`ParallelSliceTopK`] | the element at one position of the sorted order; the k least or greatest |
//! | [`ParallelRadixSort`], [`ParallelSortBytes`] | sort numbers, or strings |
//! | [`ParallelArgsort`], [`ParallelSortTogether`] | sort indices, or two slices by one |

mod job_queue;
mod limited_scope;
mod tickets;

pub use crate::core::{ActiveThreadsError, JobHandle, active, set_active, spawn_handle};
pub use job_queue::{Full, JobQueue, Priority};
pub use limited_scope::{LimitedScope, limited_scope};

#[doc(inline)]
pub use crate::algo::argsort::ParallelArgsort;
#[doc(inline)]
pub use crate::algo::dedup::ParallelDedup;
#[doc(inline)]
pub use crate::algo::fill::ParallelFill;
#[doc(inline)]
pub use crate::algo::gather::ParallelGather;
#[doc(inline)]
pub use crate::algo::group::ParallelByKey;
#[doc(inline)]
pub use crate::algo::includes::ParallelIncludes;
#[doc(inline)]
pub use crate::algo::is_sorted::ParallelSliceIsSorted;
#[doc(inline)]
pub use crate::algo::merge::{ParallelKMerge, ParallelMerge};
#[doc(inline)]
pub use crate::algo::min_max::ParallelSliceMinMax;
#[doc(inline)]
pub use crate::algo::pack::{ParallelPack, ParallelRetain};
#[doc(inline)]
pub use crate::algo::partition::ParallelPartition;
#[doc(inline)]
pub use crate::algo::permute::ParallelPermute;
#[doc(inline)]
pub use crate::algo::radix::ParallelRadixSort;
#[doc(inline)]
pub use crate::algo::reorder::ParallelReorder;
#[doc(inline)]
pub use crate::algo::scan::{IndexedScan, ParallelScan};
#[doc(inline)]
pub use crate::algo::search::ParallelSearch;
#[doc(inline)]
pub use crate::algo::segments::ParallelSegments;
#[doc(inline)]
pub use crate::algo::select::ParallelSelect;
#[doc(inline)]
pub use crate::algo::set::ParallelSetOps;
#[doc(inline)]
pub use crate::algo::shuffle::{ParallelSample, ParallelShuffle};
#[doc(inline)]
pub use crate::algo::sort_bytes::ParallelSortBytes;
#[doc(inline)]
pub use crate::algo::sort_together::ParallelSortTogether;
#[doc(inline)]
pub use crate::algo::top_k::{ParallelSliceTopK, ParallelTopK};
#[doc(inline)]
pub use crate::algo::transpose::ParallelTranspose;
#[doc(inline)]
pub use crate::algo::unique::ParallelUnique;
pub use crate::iter::ext::array_chunks::ArrayChunks;
pub use crate::iter::ext::background::BackgroundIter;
pub use crate::iter::ext::bridge_ordered::{OrderedBridge, ParallelBridgeOrdered};
pub use crate::iter::ext::cancel::{Cancellable, ParallelCancel};
pub use crate::iter::ext::cancel_scope::CancelScope;
pub use crate::iter::ext::compensated::{Float, Summand};
pub use crate::iter::ext::map_while::{MapWhile, TakeWhile};
pub use crate::iter::ext::min_max::MinMax;
pub use crate::iter::ext::ordered_iter::{OrderedIter, ParallelOrdered};
pub use crate::iter::ext::progress::{ParallelProgress, Progress};
pub use crate::iter::ext::reproducible::{ParallelReproducible, Reproducible};
pub use crate::iter::ext::skip_while::SkipWhile;
pub use crate::iter::ext::states::States;
pub use crate::iter::ext::token::{CancelToken, Cancelled};
pub use crate::iter::ext::traits::{
    ParallelArrayChunks, ParallelIsSorted, ParallelLast, ParallelMinMax, ParallelNth,
    ParallelSumCompensated, ParallelWhile,
};
pub use crate::iter::ext::using::{ParallelUsing, Using, UsingFilterMap, UsingMap};
pub use crate::slice::array_chunks::{
    ArrayChunks as SliceArrayChunks, ArrayChunksMut as SliceArrayChunksMut, ParallelSliceArrays,
};
