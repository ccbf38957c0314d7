//! Where the meter of work and span looks on. Without the feature `trace`, nowhere: then all of this is empty.
//!
//! See [`measure`](crate::trace::measure) for what is measured. All places are out of line: where a join's job is promoted and where it is regained, where a job
//! runs, where a scope spawns and ends, and where a loop looks at the clock.

#[cfg(not(feature = "trace"))]
#[path = "meter/off.rs"]
mod imp;
#[cfg(feature = "trace")]
#[path = "meter/on.rs"]
mod imp;

pub(crate) use imp::*;
