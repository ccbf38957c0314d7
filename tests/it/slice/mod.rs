//! Slices.

mod sort;
mod sort_panics;
mod splits;
