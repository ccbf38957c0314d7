//! Ends: the methods that run a chain.

pub(crate) mod collect;
pub(crate) mod find;
pub(crate) mod find_first;
pub(crate) mod for_each;
pub(crate) mod plain;
pub(crate) mod position;
pub(crate) mod pour;
pub(crate) mod reduce;
pub(crate) mod standing;
pub(crate) mod sum;
pub(crate) mod try_reduce;
pub(crate) mod unzip;
