//! Runs a target under cargo-fuzz.
//!
//! libfuzzer-sys ends the process as soon as any panic begins. But many panics are part of a target, which catches them. So these targets end the process
//! themselves, at panics that no target has caught.

use crate::alone::{Target, keep_panics, last_panic};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Puts this in place of what libfuzzer-sys does at a panic.
pub fn init() {
    keep_panics();
}

/// Runs the target on what the fuzzer made up.
pub fn run(target: Target, input: &[u8]) {
    if catch_unwind(AssertUnwindSafe(|| target(input))).is_err() {
        eprintln!("{}", last_panic());
        std::process::abort();
    }
}
