//! Map-reduce by key, where keys, values and hashers are odd, and where anything panics.

#[allow(dead_code)] // the tests of `algo` use the rest
#[path = "../../algo/group/keys.rs"]
mod keys;
mod odd;
mod panics;
