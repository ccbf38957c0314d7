//! Slices.

mod sort;
mod sort_family;
mod sort_panics;
mod splits;
