//! The integration tests, in one binary; the modules mirror those of the crate.
//!
//! `core` and `iter` hold what the stealing core and the adaptive iterators promise; `slice`,
//! `vec`, `str` and `collections` the sources; `rest` everything else of the public interface.

mod auto_traits;
mod collections;
mod core;
mod iter;
mod lifetimes;
mod own;
mod rest;
mod slice;
mod str;
mod support;
mod vec;
