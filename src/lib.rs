//! Data parallelism: filch.

#![deny(missing_docs)]

mod algo;
pub mod array;
pub mod collections;
mod core;
pub mod iter;
pub mod option;
pub mod prelude;
pub mod range;
pub mod range_inclusive;
pub mod result;
pub mod slice;
pub mod str;
pub mod string;
mod sync;
pub mod vec;

pub use crate::core::{
    BroadcastContext, FnContext, Scope, ScopeFifo, Stats, ThreadBuilder, ThreadPool,
    ThreadPoolBuildError, ThreadPoolBuilder, Yield, blocking, broadcast, current_num_threads,
    current_thread_has_pending_tasks, current_thread_index, in_place_scope, in_place_scope_fifo,
    isolate, join, join_context, max_num_threads, missing_threads, scope, scope_fifo, spawn,
    spawn_broadcast, spawn_fifo, stats, yield_local, yield_now,
};
