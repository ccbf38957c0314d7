//! Public methods that no chain is drawn from, each with the reason.

/// Not made of an iterator, and gives none.
const SLICES: &str = "works on a slice or vector, not on an iterator; see tests/algo";

/// An implementer's side of a trait.
const PLUMBING: &str = "called by the crate itself, under every chain";

/// What is left over, and what is not chained.
const LOOK: &str = "looks at a source, a result or a token, and runs nothing of a chain";

/// Names as in the table; `Owner::*` is all of a trait or type.
pub static LEFT_OUT: &[(&str, &str)] = &[
    ("ParallelDedup::*", SLICES),
    ("ParallelFill::*", SLICES),
    ("ParallelKMerge::*", SLICES),
    ("ParallelMerge::*", SLICES),
    ("ParallelPack::*", SLICES),
    ("ParallelPartition::*", SLICES),
    ("ParallelRadixSort::*", SLICES),
    ("ParallelReorder::*", SLICES),
    ("ParallelRetain::*", SLICES),
    ("ParallelScan::*", SLICES),
    ("ParallelSearch::*", SLICES),
    ("ParallelSelect::*", SLICES),
    ("ParallelSetOps::*", SLICES),
    ("ParallelSliceIsSorted::*", SLICES),
    ("ParallelSliceMinMax::*", SLICES),
    ("ParallelSliceTopK::*", SLICES),
    ("ParallelTranspose::*", SLICES),
    ("ParallelUnique::*", SLICES),
    ("ParallelSliceMut::par_sort", SLICES),
    ("ParallelSliceMut::par_sort_by", SLICES),
    ("ParallelSliceMut::par_sort_by_cached_key", SLICES),
    ("ParallelSliceMut::par_sort_by_key", SLICES),
    ("ParallelSliceMut::par_sort_unstable", SLICES),
    ("ParallelSliceMut::par_sort_unstable_by", SLICES),
    ("ParallelSliceMut::par_sort_unstable_by_key", SLICES),
    ("Float::*", PLUMBING),
    ("IndexedParallelIterator::drive", PLUMBING),
    ("IndexedParallelIterator::len", PLUMBING),
    ("IndexedParallelIterator::with_producer", PLUMBING),
    ("Integer::*", PLUMBING),
    ("ParallelIterator::drive_into", PLUMBING),
    ("ParallelIterator::drive_unindexed", PLUMBING),
    ("ParallelIterator::opt_len", PLUMBING),
    ("ParallelIterator::with_rounds", PLUMBING),
    ("ParallelSlice::as_parallel_slice", PLUMBING),
    ("ParallelSliceMut::as_parallel_slice_mut", PLUMBING),
    ("ParallelString::as_parallel_string", PLUMBING),
    ("Pattern::*", PLUMBING),
    ("Summand::*", PLUMBING),
    ("Try::*", PLUMBING),
    ("ArrayChunks::remainder", LOOK),
    ("ArrayChunksMut::into_remainder", LOOK),
    ("ArrayChunksMut::remainder", LOOK),
    ("ByKey::new", LOOK),
    ("CancelToken::*", LOOK),
    ("ChunksExact::remainder", LOOK),
    ("ChunksExactMut::into_remainder", LOOK),
    ("ChunksExactMut::remainder", LOOK),
    ("ChunksExactMut::take_remainder", LOOK),
    ("Entries::*", LOOK),
    ("Groups::*", LOOK),
    ("MinMax::into_pair", LOOK),
    ("RChunksExact::remainder", LOOK),
    ("RChunksExactMut::into_remainder", LOOK),
    ("RChunksExactMut::remainder", LOOK),
    ("RChunksExactMut::take_remainder", LOOK),
    ("States::*", LOOK),
    (
        "ByKey::with_hasher",
        "another hasher for the same table; see tests/algo",
    ),
    (
        "FirstSeen::*",
        "the same groups in another order; see tests/algo",
    ),
    (
        "ByKey::first_seen",
        "the same groups in another order; see tests/algo",
    ),
    ("ByKey::count", "has its row as ParallelByKey::by_key"),
    ("CancelScope::*", "spawns jobs, which is no iterator"),
    ("LevelSpawner::*", "spawns jobs, which is no iterator"),
    ("Spawner::*", "spawns jobs, which is no iterator"),
    ("iter::repeatn", "the old name of `repeat_n`"),
    (
        "ParallelProgress::progress_with",
        "needs the feature `indicatif`; does what `progress` does",
    ),
];
