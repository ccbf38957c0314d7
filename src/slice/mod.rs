//! Parallel iterators over slices, and the methods that make them.
//!
//! ```
//! use filch::prelude::*;
//!
//! let mut readings = vec![3, 1, 2, 6, 5, 4];
//! let highest: Vec<&i32> = readings.par_chunks(3).filter_map(|day| day.iter().max()).collect();
//! assert_eq!(highest, [&3, &6]);
//! readings.par_sort();
//! assert_eq!(readings, [1, 2, 3, 4, 5, 6]);
//! ```
//!
//! | I want | look at |
//! |---|---|
//! | each element | [`par_iter`](crate::iter::IntoParallelRefIterator::par_iter), [`par_iter_mut`](crate::iter::IntoParallelRefMutIterator::par_iter_mut) |
//! | chunks, windows, or parts between separators | [`ParallelSlice`] |
//! | the same, to change them; sorts | [`ParallelSliceMut`] |
//! | merges, selections, scans, set operations | [`ext`](crate::ext), and [`algo`](crate::algo) for the same as functions |
//!
//! All of these iterators yield their parts in the order of the slice. They borrow the slice, and allocate nothing. All but `par_split`, `par_chunk_by`
//! and their variants know their length.

pub(crate) mod array_chunks;
mod chunk_by;
mod chunks;
mod cut_source;
mod iter;
mod parallel_slice;
mod parallel_slice_mut;
mod rchunks;
mod split;
mod windows;

pub use chunk_by::{ChunkBy, ChunkByMut};
pub use chunks::{Chunks, ChunksExact, ChunksExactMut, ChunksMut};
pub use iter::{Iter, IterMut};
pub use parallel_slice::ParallelSlice;
pub use parallel_slice_mut::ParallelSliceMut;
pub use rchunks::{RChunks, RChunksExact, RChunksExactMut, RChunksMut};
pub use split::{Split, SplitInclusive, SplitInclusiveMut, SplitMut};
pub use windows::{ArrayWindows, Windows};
