//! All tests in one binary.

mod blobs;
mod children;
mod cli;
mod conformance;
mod crash;
#[cfg(feature = "jetstream")]
mod hostile;
mod jobs;
mod leases;
#[cfg(feature = "jetstream")]
mod lost;
mod map_reduce;
mod model;
#[cfg(feature = "store")]
mod objects;
#[cfg(feature = "jetstream")]
mod proxy;
#[cfg(feature = "jetstream")]
mod questions;
#[cfg(feature = "jetstream")]
mod server;
mod shares;
mod splits;
mod storm;
mod stragglers;
mod support;
mod worker;
mod wrapped;
mod wrong;
