//! What the benchmarks and the report share: inputs, contenders, the cases of each family, and contenders that take turns on the clock.
//!
//! A case is defined once, in the file of its family, and measured by `cargo bench --bench FAMILY` (criterion; `algorithms` for those that have
//! a program of their own) and by `cargo run --release -p report`.

pub mod allocations;
pub mod case;
mod contenders;
pub mod criterion;
pub mod families;
pub mod graphs;
pub mod inputs;
pub mod measure;
pub mod processor;
pub mod real;
pub mod row;
pub mod scheduler;

pub use contenders::*;
