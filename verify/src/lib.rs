//! Models of filch's protocols.
//!
//! What is checked is the crate's own code: the files of the stealing core are compiled a second time, on top of the loom model checker
//! instead of the standard library, and each model runs them under every schedule (up to a number of preemptions) and every outcome of a
//! relaxed load that the memory model allows. Loom reports a deadlock, a data race in anything that only the thread at a desk may touch
//! (those cells are loom's under this cfg), and a failed assertion. Loom as it comes forgets schedules; `verify/loom.patch` says which, and mends it.
//!
//! ```text
//! verify/run.sh loom                                             the models, then each with a planted bug that it has to find
//! RUSTFLAGS="--cfg filch_loom" cargo test -p verify --release    the models, on loom as it comes
//!     --config "paths=['$(verify/loom-source)']"                 the same on the patched one
//! ```
//!
//! Without `--cfg filch_loom` this crate is empty, and loom is not built.
#![cfg(filch_loom)]

// The names under which the crate's files look for these two.
extern crate self as crossbeam_deque;

#[allow(dead_code)]
#[path = "../../src/driver.rs"]
mod driver;

#[allow(dead_code, unused_imports)] // a model uses some of it, the crate all
#[path = "../../src/sync.rs"]
mod sync;

#[allow(dead_code, unused_imports)]
mod core;

#[allow(dead_code)]
mod iter;

mod shim;
pub use shim::{Injector, Steal, Stealer, Worker};

#[cfg(test)]
mod models;
