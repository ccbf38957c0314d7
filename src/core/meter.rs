//! The places where the meter of work and span is called. Without the feature `trace` all of these functions are empty.
//!
//! See [`measure`](crate::trace::measure) for what is measured. The places are: where the job of a join is promoted, and where its owner
//! takes it back; where a job runs; where a scope spawns and ends; and where a loop looks at the clock. None of them is on a fast path.

#[cfg(not(feature = "trace"))]
#[path = "meter/off.rs"]
mod imp;
#[cfg(feature = "trace")]
#[path = "meter/on.rs"]
mod imp;

pub(crate) use imp::*;
