//! Algorithms on slices, vectors, trees and graphs that use all threads of the pool.
//!
//! ```
//! use filch::algo;
//!
//! let mut readings = vec![5, 1, 4, 1, 3];
//! assert_eq!(algo::scan_inclusive(&readings, |a, b| a + b), [5, 6, 10, 11, 14]);
//! let (_, median, _) = algo::select_nth_unstable(&mut readings, 2);
//! assert_eq!(*median, 3);
//! ```
//!
//! Most of these functions on slices and vectors are methods too. The methods that rayon has are in the
//! [`prelude`](crate::prelude), the others in [`ext`](crate::ext). What works on parallel iterators is there as methods only: map-reduce by
//! key ([`group`]), and `top_k` and scans of iterators.
//!
//! Names: methods of slices and vectors begin with `par_`, as rayon's do. Methods of parallel iterators and functions do not, except the
//! functions that search graphs or find their components, such as [`par_bfs`].
//!
//! | I want | module | work | span |
//! |---|---|---|---|
//! | elements in order | [`sort`](mod@sort), [`radix`](mod@radix), [`sort_bytes`](mod@sort_bytes), [`sort_together`](mod@sort_together), [`argsort`](mod@argsort) | O(n log n); O(n) per pass of `radix` | O(work / p + log³ n) |
//! | the element at one position of the sorted order, or the best k | [`select`](mod@select), [`top_k`](mod@top_k) | O(n) | O(n / p) |
//! | sorted slices in one; their union, intersection, differences | [`merge`](mod@merge), [`set`](mod@set), [`includes`](mod@includes) | O(n), O(n log k) for k slices | O(work / p + log² n); O(work / p + log² n log k) for k slices |
//! | pairs of elements with equal keys | [`hash_join`](mod@hash_join), [`merge_join`](mod@merge_join) | O(n + k) for k pairs | O((n + k) / p), if no key has most of the pairs |
//! | running totals | [`scan`](mod@scan), [`segments`](mod@segments) | O(n), one or two calls per element | O(n / p + log n) |
//! | some of the elements | [`pack`](mod@pack), [`dedup`](mod@dedup), [`unique`](mod@unique) | O(n) | O(n / p) |
//! | elements in other places | [`partition`](mod@partition), [`reorder`](mod@reorder), [`transpose`](mod@transpose), [`fill`](mod@fill), [`permute`](mod@permute), [`gather`](mod@gather), [`shuffle`](mod@shuffle) | O(n) | O(n / p) |
//! | where something is; the least and the greatest; whether all is sorted | [`search`](mod@search), [`min_max`](mod@min_max), [`is_sorted`](mod@is_sorted) | O(n) | O(n / p) |
//! | one result per key | [`group`](mod@group) | O(n) hashes | O(n / p + k) for k keys |
//! | a value per node of a tree | [`tree_reduce`](mod@tree_reduce) | as the sequential fold | O(n / p), and the longest path |
//! | how far each node of a linked list is from its end; parents, depths and sizes in forests | [`list_rank`](mod@list_rank), [`euler_tour`](mod@euler_tour) | O(n); O((n + m) log m) for m edges | O(work / p + log² m) |
//! | distances in a graph; items that make new items | [`bfs`], [`shortest_paths`], [`work_list`] | O(nodes + edges); more if edges have lengths | O(work / p + levels) |
//! | components and spanning forests of a graph | [`components`] | O(n + m); O((n + m) log n) | O((n + m) log n / p) |
//! | items that stream through stages, in order | [`pipeline`](mod@pipeline) | the calls, and about 1 µs per item | the time of the slowest stage |
//! | tasks that wait for each other | [`task_graph`] | the tasks | the tasks / p, and the longest chain of them |
//!
//! *n* is the number of elements, and *p* that of threads. *Work* is the time of all threads together. *Span* is the time on *p* threads.
//! It has two parts: the work that is shared, divided by *p*, and the longest chain of steps of which each waits for the one before. The
//! page of each module says both more exactly. It also says what is allocated, and what becomes of the elements if a closure panics. With
//! one thread, or a short input, each of these is a plain sequential algorithm.
//!
//! # What *Measured* means
//!
//! Some pages have a line that begins with *Measured*, and ends with how many threads can be of use. That number is work divided by span.
//! In these lines, span is only the longest chain of steps: each piece has a thread, and handing it over costs nothing. The pieces are
//! those that filch makes for 64 threads. (A loop is cut as long as what is left of a piece takes more than 2.5 µs.) So the number says
//! what the algorithm allows. It is found by a run on one thread, with `filch::trace::measure_for`. On another machine it is about the
//! same.
//!
//! A real machine gains less, because handing over a piece takes about 2.5 µs. Six hand-overs, one after the other, give 64 threads a
//! piece each: 15 µs. So the speed-up of any call has a bound. Let *W* be its time on one thread, and *r* the number of rounds, each of
//! which waits for the one before:
//!
//! | | at most | 1,000,000 numbers, read once: *W* = 0.3 ms, *r* = 1 | a selection among them: *W* = 1.2 ms, *r* = 12 |
//! |---|---|--:|--:|
//! | if handing over cost nothing (a round is then six cuts and a piece, 4 µs) | *W* / (*r* · 4 µs) | 75 | 25 |
//! | with the hand-overs | *W* / (*r* · 15 µs) | 20 | 7 |
//!
//! Ten times as many elements allow about ten times as much.

// A function that runs loops and has no type parameters is `#[inline]`. Else its loops are compiled into the library, for all programs.

pub mod argsort;
mod atomics;
pub mod bfs;
mod buckets;
mod buffer;
pub mod components;
mod concat;
mod dealt;
pub mod dedup;
pub mod euler_tour;
pub mod fill;
pub mod gather;
pub mod group;
pub mod hash_join;
mod hasher;
pub mod includes;
pub mod is_sorted;
pub mod list_rank;
mod lists;
pub mod merge;
pub mod merge_join;
pub mod min_max;
mod moves;
mod pace;
pub mod pack;
pub mod partition;
pub mod permute;
pub mod pipeline;
mod places;
pub mod radix;
pub mod reorder;
pub mod scan;
pub mod search;
pub mod segments;
pub mod select;
pub mod set;
pub mod shortest_paths;
pub mod shuffle;
pub mod sort;
pub mod sort_bytes;
pub mod sort_together;
#[cfg(test)]
mod stolen;
mod sweep;
pub mod task_graph;
pub mod top_k;
pub mod transpose;
pub mod tree_reduce;
mod union_find;
pub mod unique;
pub mod work_list;

#[doc(inline)]
pub use argsort::{argsort, argsort_by, argsort_by_key};
#[doc(inline)]
pub use bfs::{NO_PARENT, UNREACHED, par_bfs, par_bfs_levels, par_bfs_parents};
#[doc(inline)]
pub use components::{par_components, par_spanning_forest, par_spanning_forest_by};
#[doc(inline)]
pub use dedup::{dedup, dedup_by, dedup_by_key};
#[doc(inline)]
pub use euler_tour::{Rooted, euler_tour};
#[doc(inline)]
pub use fill::{clone_from_slice, copy_from_slice, fill, fill_with};
#[doc(inline)]
pub use gather::{gather, scatter};
#[doc(inline)]
pub use hash_join::{hash_join, hash_left_join};
#[doc(inline)]
pub use includes::{find_end, includes, includes_by};
#[doc(inline)]
pub use is_sorted::{is_sorted, is_sorted_by, is_sorted_by_key};
#[doc(inline)]
pub use list_rank::{NO_NEXT, list_rank};
#[doc(inline)]
pub use merge::{
    kmerge, kmerge_by, kmerge_by_key, merge, merge_by, merge_by_key, merge_in_place,
    merge_in_place_by, merge_in_place_by_key, merge_into, merge_into_by, merge_into_by_key,
};
#[doc(inline)]
pub use merge_join::merge_join;
#[doc(inline)]
pub use min_max::{min_max, min_max_by, min_max_by_key};
#[doc(inline)]
pub use pack::{pack, pack_indices, retain, retain_mut};
#[doc(inline)]
pub use partition::{partition_in_place, partition_in_place_unstable};
#[doc(inline)]
pub use permute::permute;
#[doc(inline)]
pub use pipeline::{Pipeline, pipeline};
#[doc(inline)]
pub use radix::{radix_sort, radix_sort_by_key};
#[doc(inline)]
pub use reorder::{reverse, rotate_left, rotate_right};
#[doc(inline)]
pub use scan::{scan_exclusive, scan_exclusive_in_place, scan_inclusive, scan_inclusive_in_place};
#[doc(inline)]
pub use search::{mismatch, search};
#[doc(inline)]
pub use segments::{
    adjacent_difference, reduce_runs, run_lengths, scan_exclusive_by_key, scan_inclusive_by_key,
    scan_segments,
};
#[doc(inline)]
pub use select::{
    partial_sort_unstable, partial_sort_unstable_by, partial_sort_unstable_by_key,
    select_nth_unstable, select_nth_unstable_by, select_nth_unstable_by_key,
};
#[doc(inline)]
pub use set::{
    difference, difference_by, intersection, intersection_by, symmetric_difference,
    symmetric_difference_by, union, union_by,
};
#[doc(inline)]
pub use shortest_paths::{NO_PATH, par_shortest_paths};
#[doc(inline)]
pub use shuffle::{sample, shuffle};
#[doc(inline)]
pub use sort_bytes::{sort_bytes, sort_bytes_by_key};
#[doc(inline)]
pub use sort_together::{sort_together, sort_together_by};
#[doc(inline)]
pub use task_graph::{Cycle, TaskGraph, TaskId};
#[doc(inline)]
pub use top_k::{bottom_k, bottom_k_by, bottom_k_by_key, top_k, top_k_by, top_k_by_key};
#[doc(inline)]
pub use transpose::{transpose, transpose_in_place};
#[doc(inline)]
pub use tree_reduce::{tree_fold, tree_reduce};
#[doc(inline)]
pub use unique::{unique, unique_by_key};
#[doc(inline)]
pub use work_list::{LevelSpawner, Spawner, for_each_spawn, for_each_spawn_by_level};
