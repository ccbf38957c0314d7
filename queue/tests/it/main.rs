//! All tests in one binary.

mod cli;
mod conformance;
#[cfg(feature = "jetstream")]
mod hostile;
mod jobs;
mod map_reduce;
mod model;
mod storm;
mod support;
mod worker;
