//! What chains are made of: a row for each public source, adaptor and end, or several for one with much to it.

mod adaptors;
mod algo;
mod ends;
mod ends_ext;
mod ends_grouped;
mod indexed;
mod left_out;
mod slices;
mod sources;

use crate::row::Row;

pub use left_out::LEFT_OUT;

/// All sources.
pub fn sources() -> impl Iterator<Item = &'static Row> {
    sources::ROWS.iter().chain(slices::ROWS)
}

/// All adaptors.
pub fn adaptors() -> impl Iterator<Item = &'static Row> {
    adaptors::ROWS.iter().chain(indexed::ROWS)
}

/// All ends.
pub fn ends() -> impl Iterator<Item = &'static Row> {
    ends::ROWS
        .iter()
        .chain(algo::rows())
        .chain(ends_ext::ROWS)
        .chain(ends_grouped::ROWS)
}
