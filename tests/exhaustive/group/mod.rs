//! Map-reduce by key, where keys fill tables, where keys, values and hashers are odd, and where anything panics.

#[path = "../../algo/group/keys.rs"]
mod keys;
mod mixes;
mod odd;
mod panics;
