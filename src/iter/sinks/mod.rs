//! Ends: what a chain comes to.

pub(crate) mod for_each;
pub(crate) mod plain;
pub(crate) mod sum;
