//! filch: data parallelism with rayon's API, in iterators that split themselves to fit the work.
//!
//! ```
//! use filch::prelude::*;
//!
//! fn sum_of_squares(input: &[i64]) -> i64 {
//!     input.par_iter() // <-- just change that!
//!         .map(|&i| i * i)
//!         .sum()
//! }
//! assert_eq!(sum_of_squares(&[1, 2, 3]), 14);
//! ```
//!
//! # Where to begin
//!
//! - [`prelude`] puts `par_iter`, `into_par_iter` and all that hangs on them in scope; [`iter::ParallelIterator`] lists it.
//! - [`join`] runs two closures, potentially in parallel, for a few nanoseconds if nobody helps; [`scope`] any number of them.
//! - [`ThreadPoolBuilder`] makes pools, or sets the global one up.
//! - [`isolate`] keeps unrelated work away from a thread that waits, so that locks may be held across parallel calls.
//! - [`stats`] says what was split, stolen and woken; [`seats`], [`load`] and [`prometheus`] say it by thread, as it is now, and to a monitor.
//! - [`ext`] has what rayon lacks: ordered prefixes, reproducible sums, ordinary iterators in order, states by worker, cancellation, progress.
//! - [`guide`] has chapters to read: moving from rayon, whether it is worth it, which algorithm, locks, floats, pools.
//!
//! # How an iterator runs
//!
//! The caller starts at once on its own thread. What is left is cut in half, and the right half offered, when its estimated time is above a
//! grain of some 20 µs, or when an idle thread waits for it; never when handing it over would cost more than it saves. Between blocks of
//! some 10 µs the driver looks again, so a running fold can be cut at any moment. An offer that nobody took comes back, and the same fold goes
//! on: without thieves, the whole input is one sequential fold. What an item costs is remembered for each call site, as a hint that never
//! changes a result.
//!
//! # How the crate is built
//!
//! Floors, each using only those below it:
//!
//! | floor | what |
//! |---|---|
//! | `sync` | atomics, locks, threads |
//! | `core` | the stealing core; knows nothing of iterators |
//! | [`iter::plumbing`] | producers, consumers, and the driver between them |
//! | [`iter`] | sources, adaptors, ends |
//! | [`mod@slice`], [`mod@vec`], [`mod@str`], [`collections`], ... | the sources of std's types, on rayon's paths |
//! | `algo` | algorithms on top of `join` |
//!
//! # Features
//!
//! None is on by default, and each only adds something.
//!
//! | feature | what it adds |
//! |---|---|
//! | `indicatif` | [`ParallelProgress::progress_with`](ext::ParallelProgress), which moves one of indicatif's progress bars on |
//! | `trace` | the module `trace`: a recording of what every thread did, for Perfetto and Chrome, and why loops were or were not cut |
//!
//! # Platforms
//!
//! Linux is tested; Windows, macOS, ARM and targets of 32 bits are compiled. Where no thread can be started, as on `wasm32-unknown-unknown`,
//! everything runs on the caller.
//!
//! # Safety
//!
//! Unsafe code is confined to the core, to collecting and draining, and to algorithms that move elements; each block has its argument, and no
//! adaptor needs any. The protocols for rights to run, sleep and stealing are checked with the model checkers loom and shuttle, on the crate's own sources
//! (`verify/`), and nearly all tests have run under AddressSanitizer. Miri has not been run.

#![deny(missing_docs)]

pub mod algo;
pub mod array;
pub mod collections;
mod core;
pub mod ext;
#[cfg(any(doc, doctest))]
pub mod guide;
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
#[cfg(feature = "trace")]
pub mod trace;
pub mod vec;

pub use crate::core::{
    BroadcastContext, FnContext, Histogram, Load, Scope, ScopeFifo, SeatStats, Stats,
    ThreadBuilder, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield, blocking, broadcast,
    current_num_threads, current_thread_has_pending_tasks, current_thread_index, in_place_scope,
    in_place_scope_fifo, isolate, join, join_context, load, max_num_threads, missing_threads,
    prometheus, region, scope, scope_fifo, seats, spawn, spawn_broadcast, spawn_fifo, stats,
    yield_local, yield_now,
};
#[allow(deprecated)]
pub use crate::core::{Configuration, initialize};

/// Ends one model, so that the next of the process begins as a new process would: without a global pool, and knowing no call sites.
#[cfg(filch_shuttle)]
pub fn end_model() {
    core::end_global();
    iter::plumbing::forget_sites();
    sync::forget_timed_waits();
}

/// How many threads of the model wait with a time limit, which never ends in a model.
#[cfg(filch_shuttle)]
pub fn timed_waits() -> usize {
    sync::timed_waits()
}
