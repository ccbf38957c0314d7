//! The algorithms of `filch::algo` against their sequential models.

mod aligned;
mod bfs;
mod fill;
mod forced;
mod group;
mod min_max;
mod pack;
mod panics;
mod partition;
mod reorder;
mod scan;
mod search;
mod set;
mod sorted;
mod stolen;
mod transpose;
mod trees;
mod unique;
mod work_list;

#[allow(dead_code, unused_imports)] // each test binary uses its own part
#[path = "../it/support/mod.rs"]
mod support;

/// Every second place, and in the next round the others; all of them in each round if more cases are asked for.
fn some_places(round: usize) -> impl Iterator<Item = support::Place> {
    let step = if support::cases(1) == 1 { 2 } else { 1 };
    support::Place::all().skip(round % step).step_by(step)
}
