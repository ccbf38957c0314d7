//! The rows of the table.

mod collect;
mod fork;
mod nested;
mod reduce;
mod sources;
mod uneven;

use crate::measure::Bench;

/// Measures and prints every row that is selected.
pub fn all(bench: &Bench) {
    fork::rows(bench);
    reduce::sums(bench);
    uneven::rows(bench);
    collect::rows(bench);
    nested::rows(bench);
    reduce::pipelines(bench);
    sources::rows(bench);
    reduce::searches(bench);
    collect::sorts(bench);
}
