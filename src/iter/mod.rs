//! Parallel iterators: loops that are cut to fit the work, and whose pieces may run on several threads.
//!
//! ```
//! use filch::prelude::*;
//!
//! let total: u64 = (1..=100u64).into_par_iter().filter(|n| n % 3 == 0).map(|n| n * n).sum();
//! assert_eq!(total, (1..=33).map(|n| 9 * n * n).sum());
//! ```
//!
//! A chain has three parts:
//!
//! | part | examples | what it does |
//! |---|---|---|
//! | a source | [`par_iter`](IntoParallelRefIterator::par_iter), [`par_iter_mut`](IntoParallelRefMutIterator::par_iter_mut), [`into_par_iter`](IntoParallelIterator::into_par_iter), [`par_bridge`](ParallelBridge::par_bridge), [`walk_tree`] | says what there is, and how it can be cut |
//! | adaptors | [`map`](ParallelIterator::map), [`filter`](ParallelIterator::filter), [`zip`](IndexedParallelIterator::zip), [`fold`](ParallelIterator::fold) | lazy: they compute and allocate nothing |
//! | an end | [`sum`](ParallelIterator::sum), [`collect`](ParallelIterator::collect), [`for_each`](ParallelIterator::for_each), [`find_any`](ParallelIterator::find_any) | runs the chain, and waits for all of it |
//!
//! The methods are those of two traits. [`ParallelIterator`] has the methods of every chain. [`IndexedParallelIterator`] has those that need
//! a known length: `zip`, `enumerate`, `rev`, `chunks`. Slices, vectors, and ranges of `usize` and of integers up to 32 bits are indexed; after `filter` or `flat_map` a chain no
//! longer is. [`ext`](crate::ext) has more methods, which rayon does not have.
//!
//! # How a loop is cut
//!
#![doc = include_str!("../../docs/cut.svg")]
//!
//! A block takes about 10 µs. The right half of what is left is offered to other threads if each half should take about 20 µs, or if
//! another thread has nothing to do and the rest should take 5 µs. [`guide::is_it_worth_it`](crate::guide::is_it_worth_it) lists all
//! thresholds.
//!
//! # Work and span
//!
//! *Work* is the time that all threads take together. *Span* is the longest chain of steps of which each has to wait for the one before. No
//! number of threads makes a call quicker than its span. (The tables of [`algo`](crate::algo) say how long p threads take, so there the work
//! divided by p is a part of the span.)
//!
//! To write a source, an adaptor or an end of your own, read [`plumbing`].

pub(crate) mod adapters;
mod convert;
pub(crate) mod ext;
mod extend;
mod fold_in_place;
mod from;
mod indexed;
mod pairs;
mod parallel_iterator;
pub mod plumbing;
pub(crate) mod sinks;
pub(crate) mod sources;
mod texts;
mod try_trait;

// adaptors, per item
pub use adapters::copied::{Cloned, Copied};
pub use adapters::filter::{Filter, FilterMap};
pub use adapters::flat_map::{FlatMap, Flatten};
pub use adapters::flat_map_iter::{FlatMapIter, FlattenIter};
pub use adapters::fold::{Fold, FoldWith};
pub use adapters::inspect::Inspect;
pub use adapters::intersperse::Intersperse;
pub use adapters::map::Map;
pub use adapters::map_state::{MapInit, MapWith};
pub use adapters::panic_fuse::PanicFuse;
pub use adapters::positions::Positions;
pub use adapters::skip_any::{SkipAny, SkipAnyWhile};
pub use adapters::take_any::{TakeAny, TakeAnyWhile};
pub use adapters::try_fold::{TryFold, TryFoldWith};
pub use adapters::update::Update;
pub use adapters::while_some::WhileSome;
// adaptors, indexed
pub use adapters::blocks::{ExponentialBlocks, UniformBlocks};
pub use adapters::chain::Chain;
pub use adapters::chunks::{Chunks, FoldChunks, FoldChunksWith};
pub use adapters::enumerate::Enumerate;
pub use adapters::interleave::{Interleave, InterleaveShortest};
pub use adapters::len_bounds::{MaxLen, MinLen};
pub use adapters::multi_zip::MultiZip;
pub use adapters::rev::Rev;
pub use adapters::skip_take::{Skip, Take};
pub use adapters::step_by::StepBy;
pub use adapters::zip::{Zip, ZipEq};
// sources
pub use convert::{
    FromParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
    IntoParallelRefMutIterator, ParallelDrainFull, ParallelDrainRange, ParallelExtend,
};
pub use either::Either;
pub use indexed::IndexedParallelIterator;
pub use parallel_iterator::ParallelIterator;
pub use sources::empty::{Empty, empty};
pub use sources::once::{Once, once};
pub use sources::par_bridge::{IterBridge, ParallelBridge};
pub use sources::repeat::{Repeat, repeat};
#[allow(deprecated)]
pub use sources::repeat_n::{RepeatN, repeat_n, repeatn};
pub use sources::split::{Split, split};
pub use sources::walk_tree::{
    WalkTree, WalkTreePostfix, WalkTreePrefix, walk_tree, walk_tree_postfix, walk_tree_prefix,
};
