//! filch under rayon's name: the public paths of rayon 1.12, and no more, so that a glob import finds what it found before.

pub use filch::{
    BroadcastContext, FnContext, Scope, ScopeFifo, ThreadBuilder, ThreadPool, ThreadPoolBuildError,
    ThreadPoolBuilder, Yield, broadcast, current_num_threads, current_thread_index, in_place_scope,
    in_place_scope_fifo, join, join_context, max_num_threads, scope, scope_fifo, spawn,
    spawn_broadcast, spawn_fifo, yield_local, yield_now,
};
pub use filch::{
    array, collections, option, prelude, range, range_inclusive, result, slice, str, string, vec,
};

/// [`filch::iter`].
pub mod iter {
    pub use filch::iter::*;

    /// Of [`filch::iter::plumbing`], what rayon has too.
    pub mod plumbing {
        pub use filch::iter::plumbing::{
            Consumer, Folder, Producer, ProducerCallback, Reducer, UnindexedConsumer,
            UnindexedProducer, bridge, bridge_producer_consumer, bridge_unindexed,
        };
    }
}
