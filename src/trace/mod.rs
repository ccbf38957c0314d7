//! What every thread did and when, and why loops were or were not cut. With the feature `trace`.
//!
//! | I want | call |
//! |---|---|
//! | a recording of one call, on all its threads | [`record`] |
//! | the same of a whole program, without a change to it | `FILCH_TRACE=run.html` in the environment |
//! | to read it: as a page, in Perfetto or Chrome, as a table of loops | [`Trace::write_html`], [`Trace::write_chrome`], [`Trace::explain`] |
//! | to know what happened before a hang or a panic | [`Flight`] |
//! | to know how many threads could be of use | [`measure`]; bounds for it from a recording: [`Trace::scalability`] |
//!
//! A recording is cheap, because it sees only what is public: jobs that were offered, stolen or woken for, and the blocks of parallel iterators. It does not see a
//! `join` whose right side no other thread took. [`measure`] runs a closure on one thread and sees all joins.
//!
//! `FILCH_TRACE` records from the first pool of the program to its end. In the name, `%p` stands for the number of the process. The ending says what is written: `run.html` as
//! [`Trace::write_html`] does, `run.json` as [`Trace::write_chrome`], `run.filch` as [`Trace::write_raw`], `run.txt` as [`Trace::explain`].
//!
//! ```
//! use filch::prelude::*;
//!
//! let (sum, trace) = filch::trace::record(|| {
//!     (0..1_000_000u64).into_par_iter().map(|i| i ^ 1).sum::<u64>()
//! });
//! assert_eq!(sum, 499_999_500_000);
//! println!("{}", trace.explain());
//! ```

mod advice;
mod bounds;
mod chart;
mod chrome;
mod explain;
mod figures;
mod file;
mod flight;
mod html;
mod labels;
mod measure;
mod names;
mod pairs;
mod profile;
#[cfg(any(unix, windows))]
mod program;
mod quantile;
mod raw;
mod record;
mod recording;
mod regions;
mod scalability;
mod spans;
mod states;
mod summary;
#[cfg(test)]
mod tests;
mod text;
mod watchdog;
mod what;
mod whereabouts;
mod why;
mod xml;

#[doc(inline)]
pub use crate::iter::plumbing::reason::Reason;
pub use explain::{Explain, SiteReport};
pub use flight::{Busy, Flight, Options};
pub use measure::{measure, measure_for};
#[cfg(any(unix, windows))]
pub(crate) use program::record_program;
pub use record::record;
pub use recording::Trace;
pub use scalability::Scalability;
