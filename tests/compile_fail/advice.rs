//! What people try first and may not, and what the compiler tells them to do instead. It gives such advice where a trait is asked for (E0277); where a
//! method is missing (E0599) it does not ask the traits.

#![allow(unused)]

use filch::prelude::*;
use std::cell::Cell;
use std::collections::HashMap;

fn take(items: impl IntoParallelIterator) {}

fn run(items: impl ParallelIterator) {}

fn extend(list: &mut impl ParallelExtend<u32>) {}

// A range of floats has no items.
fn a_range_of_floats() {
    take(0.0..1.0f64); //~ E0277: a range of floats does not: `map` one of integers
}

// An ordinary iterator is not parallel.
fn an_ordinary_iterator() {
    run([1, 2].iter()); //~ E0277: an ordinary iterator becomes one by `par_bridge()`
}

// Values of a map that are not shared.
fn a_map_of_cells(map: &HashMap<u32, Cell<u32>>) {
    take(map); //~ E0277: items that are reached by `&` must be `Sync`
}

// After a filter, the place of an item is not known.
fn a_zip_with_a_filter() {
    let even = (0..10).into_par_iter().filter(|i| i % 2 == 0);
    (0..10).into_par_iter().zip(even); //~ E0277: come before such an adaptor
}

// What is made on one thread is made of a vector.
fn an_array_of_items() {
    let array: [u32; 3] = (0..3).into_par_iter().collect(); //~ E0277: `collect` into a `Vec<
}

// So is what is extended on one thread.
fn an_array_is_extended(array: &mut [u32; 3]) {
    extend(array); //~ E0277: extend the `[u32; 3]` by that
}
