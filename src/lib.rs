//! Data parallelism with rayon's API, without the small-loop penalty, and with the algorithms that rayon lacks.
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
//! | I want to | look at |
//! |---|---|
//! | make a loop parallel | the [`prelude`], and [`iter::ParallelIterator`] for the list of methods |
//! | run two closures at once, or recurse | [`join`] |
//! | run any number of jobs that borrow from the caller | [`scope`] |
//! | run a job in the background | [`spawn`]; [`ext::spawn_handle`] if you want its result |
//! | sort, scan, merge, select, group, search a graph | [`algo`], and [`ext`] for the same as methods |
//! | stop early, show progress, use a scratch buffer per thread, get an ordered iterator | [`ext`] |
//! | hold a lock across a parallel call | [`isolate`] |
//! | choose the number of threads | [`ThreadPoolBuilder`] |
//! | know why a program is slow | [`stats`](fn@stats), and the feature `trace` |
//! | move a program from rayon, or decide whether it is worth it | the [`guide`] |
//!
//! Nothing has to be set up. The first parallel call starts the threads of the *global pool*, one for each processor that the program may
//! use. If a closure panics, the call that it belongs to panics on the thread that made the call.
//!
//! # How a loop is cut
//!
#![doc = include_str!("../docs/cut.svg")]
//!
//! The caller starts at once, on its own thread. It works in blocks of about 10 µs. Between two blocks it reads the clock and looks at the
//! other threads. It *offers* the right half of what is left if each half should take about 20 µs, or if another thread is idle and the
//! rest should take 5 µs. An offer that no thread takes comes back, and the same fold goes on into it. What an item costs is remembered for
//! each kind of loop, as a hint that never changes a result.
//!
//! # Features
//!
//! No feature is on by default, and each only adds something.
//!
//! | feature | what it adds |
//! |---|---|
//! | `indicatif` | [`ParallelProgress::progress_with`](ext::ParallelProgress), which advances a progress bar of indicatif. Leave it off if you patch rayon by filch and use indicatif's own feature `rayon`: indicatif would depend on itself |
//! | `trace` | the module `trace`: records what every thread did, as a page or for Perfetto and Chrome, and why loops were or were not cut. `FILCH_TRACE=run.html` in the environment records a whole program. A flight recorder keeps the last events, and its watchdog reports a program that hangs |
//!
//! # Platforms
//!
//! | target | |
//! |---|---|
//! | Linux on x86-64 | tested |
//! | Windows, macOS, ARM, targets of 32 bits | compiled |
//! | `wasm32-unknown-unknown`, and wherever no thread can be started | everything runs on the caller (`into_ordered_iter` panics, and a pool of your own is an error). On `wasm32-unknown-unknown`, which has no clock, [`CancelToken::after`](ext::CancelToken::after) panics, too |
//!
//! # Safety
//!
//! Unsafe code is confined to the core, to collecting and draining, to the mutable iterators of maps, and to algorithms that move elements.
//! Each block says why it is sound, and no adaptor needs any. How threads steal work, fall asleep and wake up is checked with the model
//! checkers loom and shuttle, on the crate's own sources (`verify/`). Nearly all tests have run under AddressSanitizer, and the integration
//! tests under ThreadSanitizer. Miri has not been run.

#![deny(missing_docs)]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod algo;
pub mod array;
pub mod collections;
mod core;
mod driver;
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
    BroadcastContext, FnContext, Follow, Histogram, Load, Scope, ScopeFifo, SeatStats, Stats,
    ThreadBuilder, ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder, Yield, blocking, broadcast,
    current_num_threads, current_thread_has_pending_tasks, current_thread_index, in_place_scope,
    in_place_scope_fifo, isolate, join, join_context, load, max_num_threads, missing_threads,
    prometheus, region, scope, scope_fifo, seats, spawn, spawn_broadcast, spawn_fifo, stats,
    yield_local, yield_now,
};
#[allow(deprecated)]
pub use crate::core::{Configuration, initialize};

/// Ends one model. The next one in the process then begins as in a new process: without a global pool, and without known call sites.
#[cfg(filch_shuttle)]
pub fn end_model() {
    core::end_global();
    iter::plumbing::forget_sites();
    sync::forget_timed_waits();
}

/// How many threads of the model wait with a time limit. In a model such a wait never times out.
#[cfg(filch_shuttle)]
pub fn timed_waits() -> usize {
    sync::timed_waits()
}

/// How many naps threads took in all models so far.
#[cfg(filch_shuttle)]
pub fn naps() -> usize {
    sync::naps()
}
