//! What every thread did and when, and why loops were or were not cut. With the feature `trace`.
//!
//! [`record`] is for any number of threads. It is cheap, because it sees only what is public: jobs that were offered, stolen, woken for, and the blocks of
//! parallel iterators, but not the joins that nobody took.
//!
//! [`measure`] runs on one thread and sees all joins, so it knows how much could run at the same time, and what more threads would do.
//!
//! ```
//! use filch::prelude::*;
//! let (sum, trace) = filch::trace::record(|| (0..1_000_000u64).into_par_iter().map(|i| i ^ 1).sum::<u64>());
//! assert_eq!(sum, 499_999_500_000);
//! println!("{}", trace.explain());
//! ```

pub(crate) mod chart;
mod chrome;
mod explain;
mod measure;
#[cfg(test)]
mod metered;
mod names;
mod pairs;
mod raw;
mod recording;
mod scalability;
mod spans;
#[cfg(test)]
mod tests;

pub use crate::iter::plumbing::Verdict as Reason;
pub use explain::{Explain, SiteReport};
pub use measure::{measure, measure_for};
pub use recording::{Trace, record};
pub use scalability::Scalability;
