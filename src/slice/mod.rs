//! Parallel iterators over slices, and the methods that make them.

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
