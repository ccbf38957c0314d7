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
mod transpose;
mod trees;
mod unique;
mod work_list;

#[allow(dead_code, unused_imports)] // each test binary uses its own part
#[path = "../it/support/mod.rs"]
mod support;
