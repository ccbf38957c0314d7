//! What a hostile environment does: each case in a process of its own, with a time limit.
//!
//! The numbers in the tests' comments are those of `docs/reliability.md`.

#![cfg(unix)]

mod child;
mod destructors;
#[path = "../it/support/disorder.rs"]
mod disorder;
mod ends;
#[cfg(feature = "trace")]
mod flights;
mod limits;
mod locals;
mod locks;
mod panics;
#[cfg(target_os = "linux")]
mod quota;
mod signals;
mod sorts;
mod stacks;
mod stolen;
mod told;
mod traces;
