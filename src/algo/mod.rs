//! Parallel algorithms, in terms of `join` alone.

pub(crate) mod sort;
