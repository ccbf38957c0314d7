//! Parallel iterators.

mod adapters;
mod bridge;
mod collect;
mod drops;
mod find;
mod folds;
mod foreign;
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
mod unasked;
mod unwanted;
mod walk_tree;
