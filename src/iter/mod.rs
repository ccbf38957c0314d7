//! Parallel iterators.

pub(crate) mod adapters;
mod convert;
pub(crate) mod ext;
mod extend;
mod from;
mod indexed;
mod parallel_iterator;
pub mod plumbing;
pub(crate) mod sinks;
pub(crate) mod sources;
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
