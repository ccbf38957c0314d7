//! What every thread did and when, and why loops were or were not cut. With the feature `trace`.
//!
//! [`record`] is for any number of threads. It is cheap, because it sees only what is public: jobs that were offered, stolen, woken for, and the blocks of
//! parallel iterators, but not the joins that nobody took.
//!
//! [`Trace::write_html`] makes a page of it, and the environment variable `FILCH_TRACE=run.html` does that for a whole program, without a change to it: from
//! its first pool to its end. In the name, `%p` stands for the number of the process; `run.json` is as [`Trace::write_chrome`] writes it, `run.filch` as
//! [`Trace::write_raw`], `run.txt` as [`Trace::explain`]. [`Flight`] keeps the newest events until something goes wrong.
//!
//! [`measure`] runs on one thread and sees all joins, so it knows how much could run at the same time, and what more threads would do. A recording gives
//! bounds for that: [`Trace::scalability`].
//!
//! ```
//! use filch::prelude::*;
//! let (sum, trace) = filch::trace::record(|| (0..1_000_000u64).into_par_iter().map(|i| i ^ 1).sum::<u64>());
//! assert_eq!(sum, 499_999_500_000);
//! println!("{}", trace.explain());
//! ```

mod bounds;
pub(crate) mod chart;
mod chrome;
mod explain;
mod file;
mod flight;
mod html;
#[cfg(test)]
mod limits;
mod measure;
#[cfg(test)]
mod metered;
mod names;
mod pairs;
#[cfg(any(unix, windows))]
mod program;
mod raw;
mod recording;
mod scalability;
mod spans;
mod states;
mod summary;
#[cfg(test)]
mod tests;
mod watchdog;
mod what;
mod whereabouts;

pub use crate::iter::plumbing::Verdict as Reason;
pub use explain::{Explain, SiteReport};
pub use flight::{Busy, Flight, Options};
pub use measure::{measure, measure_for};
#[cfg(any(unix, windows))]
pub(crate) use program::record_program;
pub use recording::{Trace, record};
pub use scalability::Scalability;
