//! Tests that take long to build, because each tries many types or many adaptors inside each other. So they are apart from the tests that
//! `cargo test` builds.

mod aligned;
mod chain_positions;
mod chains;
mod foreign;
mod group;
mod radix_keys;
mod ranges;
mod sort_family;
#[path = "../it/own/stolen.rs"]
mod stolen;
#[allow(dead_code, unused_imports)] // each test binary uses its own part
#[path = "../it/support/mod.rs"]
mod support;
mod tapes;
