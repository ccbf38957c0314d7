//! What the benchmarks and the report share: inputs, contenders, the cases of each family, and contenders that take turns on the clock.
//!
//! A case is defined once, in the file of its family, and measured by `cargo bench --bench FAMILY` (criterion; `algorithms` for those that have
//! a program of their own) and by `cargo run --release -p report`.
//!
//! Without the feature `families` there are none, and of the rivals only those of [`contenders`](ours). Without `contenders` neither filch nor a library beside it is
//! built: what is left measures programs that bring their own contenders, in processes of their own.

pub mod allocations;
pub mod apart;
pub mod case;
#[cfg(feature = "contenders")]
mod contenders;
#[cfg(feature = "families")]
pub mod criterion;
#[cfg(feature = "families")]
pub mod families;
#[cfg(feature = "families")]
pub mod graphs;
pub mod inputs;
pub mod machine;
pub mod measure;
pub mod point;
pub mod processor;
pub mod real;
pub mod record;
pub mod row;
pub mod scheduler;
mod tasks;

#[cfg(feature = "contenders")]
pub use contenders::*;
pub use tasks::*;
