//! All tests in one binary.

mod cli;
mod conformance;
mod jobs;
mod map_reduce;
mod model;
#[cfg(unix)]
mod storm;
mod support;
mod worker;
