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
//! The functions here take slices, vectors, trees or graphs. Most are methods too: of the traits in [`ext`](crate::ext) or, where rayon has the
//! name, in the [`prelude`](crate::prelude), with `par_` before the name. What works on parallel iterators is methods only: the map-reduces by key ([`group`]), and the
//! `top_k` and scans of iterators.
//!
//! | I want | module | work | span |
//! |---|---|---|---|
//! | elements in order | [`sort`](mod@sort), [`radix`](mod@radix), [`sort_bytes`](mod@sort_bytes), [`sort_together`](mod@sort_together), [`argsort`](mod@argsort) | O(n log n); O(n) per pass of `radix` | O(n / p + log³ n) |
//! | one position, or the best k | [`select`](mod@select), [`top_k`](mod@top_k) | O(n) | O(n / p) |
//! | sorted slices in one; what they share | [`merge`](mod@merge), [`set`](mod@set), [`includes`](mod@includes) | O(n), O(n log k) for k slices | O(n / p + log² n) |
//! | pairs of elements with equal keys | [`hash_join`](mod@hash_join), [`merge_join`](mod@merge_join) | O(n + k) for k pairs | O((n + k) / p), if no key has most of the pairs |
//! | running totals | [`scan`](mod@scan), [`segments`](mod@segments) | O(n), one or two calls per element | O(n / p + log n) |
//! | some of the elements | [`pack`](mod@pack), [`dedup`](mod@dedup), [`unique`](mod@unique) | O(n) | O(n / p) |
//! | elements in other places | [`partition`](mod@partition), [`reorder`](mod@reorder), [`transpose`](mod@transpose), [`fill`](mod@fill), [`permute`](mod@permute), [`gather`](mod@gather), [`shuffle`](mod@shuffle) | O(n) | O(n / p) |
//! | a place, or the ends | [`search`](mod@search), [`min_max`](mod@min_max), [`is_sorted`](mod@is_sorted) | O(n) | O(n / p) |
//! | one result per key | [`group`](mod@group) | O(n) hashes | O(n / p + k) for k keys |
//! | a value per node of a tree | [`tree_reduce`](mod@tree_reduce) | as the sequential fold | O(n / p), and the longest path |
//! | places in linked lists; parents, depths and sizes in forests | [`list_rank`](mod@list_rank), [`euler_tour`](mod@euler_tour) | O(n); O((n + m) log m) for m edges | O((n + m) / p + log² m) |
//! | distances in a graph; work that makes work | [`bfs`], [`shortest_paths`], [`work_list`] | O(nodes + edges); more for lengths | O(work / p + levels) |
//! | components and spanning forests of a graph | [`components`] | O(n + m); O((n + m) log n) | O((n + m) log n / p) |
//! | items that stream through stages, in order | [`pipeline`](mod@pipeline) | the calls, and about 1 µs per item | the time of the slowest stage |
//! | tasks that wait for each other | [`task_graph`] | the tasks | the tasks / p, and the longest chain of them |
//!
//! *Work* is the time of all threads together. *Span* is the time on *p* threads: the work that they share, divided by *p*, and the longest chain of steps that have
//! to wait for each other. The page of each module says both more exactly, and says what is allocated,
//! and what becomes of the elements if a closure panics. With one thread, or a short input, each of them is a plain sequential algorithm.
//!
//! # What *Measured* means
//!
//! Where a page says *Measured*, span is the longest chain alone, *as cut*: of the pieces that filch makes for 64 threads, as if handing one over cost nothing, and
//! there were a thread for each. (A loop is cut as long as what is left of a piece takes more than 2.5 µs.) Work divided by that span is the figure that is promised: it says
//! what the algorithm allows. It is found on one thread, by `filch::trace::measure_for`, and another machine changes it only as far as its times are in another proportion.
//!
//! A machine makes less of it. To hand a piece over takes about 2.5 µs, and to give 64 threads something to do takes six of these, one after the other. So a call
//! that takes *W* on one thread, in *r* rounds that wait for each other, is about *W* / (*r* · 4 µs) as cut at best, for a round is six cuts and a piece, and
//! *W* / (*r* · 15 µs) where each hand-over counts, whatever its code. 1,000,000 numbers that are read once, in 0.3 ms, are 75 and 20, and a selection among them, in 12 rounds of 1.2 ms
//! together, is 25 and 7. Ten times as many elements allow about ten times as much.

pub mod argsort;
pub mod bfs;
mod buckets;
pub mod components;
mod concat;
mod dealt;
pub mod dedup;
pub mod euler_tour;
pub mod fill;
pub mod gather;
pub mod group;
pub mod hash_join;
pub mod includes;
pub mod is_sorted;
pub mod list_rank;
mod lists;
pub mod merge;
pub mod merge_join;
pub mod min_max;
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
mod sweep;
pub mod task_graph;
pub mod top_k;
pub mod transpose;
pub mod tree_reduce;
mod union_find;
pub mod unique;
pub mod work_list;

#[doc(no_inline)]
pub use argsort::{argsort, argsort_by, argsort_by_key};
#[doc(no_inline)]
pub use bfs::{NO_PARENT, UNREACHED, par_bfs, par_bfs_levels, par_bfs_parents};
#[doc(no_inline)]
pub use components::{par_components, par_spanning_forest, par_spanning_forest_by};
#[doc(no_inline)]
pub use dedup::{dedup, dedup_by, dedup_by_key};
#[doc(no_inline)]
pub use euler_tour::{Rooted, euler_tour};
#[doc(no_inline)]
pub use fill::{clone_from_slice, copy_from_slice, fill, fill_with};
#[doc(no_inline)]
pub use gather::{gather, scatter};
#[doc(no_inline)]
pub use hash_join::{hash_join, hash_left_join};
#[doc(no_inline)]
pub use includes::{find_end, includes, includes_by};
#[doc(no_inline)]
pub use is_sorted::{is_sorted, is_sorted_by, is_sorted_by_key};
#[doc(no_inline)]
pub use list_rank::{NO_NEXT, list_rank};
#[doc(no_inline)]
pub use merge::{
    kmerge, kmerge_by, kmerge_by_key, merge, merge_by, merge_by_key, merge_in_place,
    merge_in_place_by, merge_in_place_by_key, merge_into, merge_into_by, merge_into_by_key,
};
#[doc(no_inline)]
pub use merge_join::merge_join;
#[doc(no_inline)]
pub use min_max::{min_max, min_max_by, min_max_by_key};
#[doc(no_inline)]
pub use pack::{pack, pack_indices, retain, retain_mut};
#[doc(no_inline)]
pub use partition::{partition_in_place, partition_in_place_unstable};
#[doc(no_inline)]
pub use permute::permute;
#[doc(no_inline)]
pub use pipeline::{Pipeline, pipeline};
#[doc(no_inline)]
pub use radix::{radix_sort, radix_sort_by_key};
#[doc(no_inline)]
pub use reorder::{reverse, rotate_left, rotate_right};
#[doc(no_inline)]
pub use scan::{scan_exclusive, scan_exclusive_in_place, scan_inclusive, scan_inclusive_in_place};
#[doc(no_inline)]
pub use search::{mismatch, search};
#[doc(no_inline)]
pub use segments::{
    adjacent_difference, reduce_runs, run_lengths, scan_exclusive_by_key, scan_inclusive_by_key,
    scan_segments,
};
#[doc(no_inline)]
pub use select::{
    partial_sort_unstable, partial_sort_unstable_by, partial_sort_unstable_by_key,
    select_nth_unstable, select_nth_unstable_by, select_nth_unstable_by_key,
};
#[doc(no_inline)]
pub use set::{
    difference, difference_by, intersection, intersection_by, symmetric_difference,
    symmetric_difference_by, union, union_by,
};
#[doc(no_inline)]
pub use shortest_paths::{NO_PATH, par_shortest_paths};
#[doc(no_inline)]
pub use shuffle::{sample, shuffle};
#[doc(no_inline)]
pub use sort_bytes::{sort_bytes, sort_bytes_by_key};
#[doc(no_inline)]
pub use sort_together::{sort_together, sort_together_by};
#[doc(no_inline)]
pub use task_graph::{Cycle, TaskGraph, TaskId};
#[doc(no_inline)]
pub use top_k::{bottom_k, bottom_k_by, bottom_k_by_key, top_k, top_k_by, top_k_by_key};
#[doc(no_inline)]
pub use transpose::{transpose, transpose_in_place};
#[doc(no_inline)]
pub use tree_reduce::{tree_fold, tree_reduce};
#[doc(no_inline)]
pub use unique::{unique, unique_by_key};
#[doc(no_inline)]
pub use work_list::{LevelSpawner, Spawner, for_each_spawn, for_each_spawn_by_level};
