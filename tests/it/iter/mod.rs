//! Parallel iterators.

mod adapters;
mod bridge;
mod chain_positions;
mod chains;
mod collect;
mod drops;
mod find;
mod folds;
mod foreign;
mod foreign_cuts;
mod foreign_splits;
mod foreign_stops;
mod memory;
mod nested;
mod noncommutative;
mod panics;
mod pieces;
mod sinks;
mod sources;
mod spread;
mod state;
mod totals;
mod unwanted;
mod walk_tree;
