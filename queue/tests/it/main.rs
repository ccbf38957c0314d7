//! All tests in one binary.

mod cli;
mod conformance;
#[cfg(feature = "jetstream")]
mod hostile;
mod jobs;
#[cfg(feature = "jetstream")]
mod lost;
mod map_reduce;
mod model;
#[cfg(feature = "store")]
mod objects;
#[cfg(feature = "jetstream")]
mod proxy;
#[cfg(feature = "jetstream")]
mod server;
mod storm;
mod support;
mod worker;
mod wrapped;
mod wrong;
