//! The algorithms of `filch::algo` against their sequential models.

mod bfs;
mod fill;
mod forced;
mod forced_short;
mod graphs;
mod group;
mod includes;
mod join;
mod min_max;
mod order;
mod pack;
mod panics;
mod partition;
mod pipeline;
mod reorder;
mod scan;
mod search;
mod segments;
mod set;
mod shuffle;
mod sort_bytes;
mod sorted;
mod stolen;
mod task_graph;
mod told;
mod transpose;
mod trees;
mod unique;
mod work_list;

#[allow(dead_code, unused_imports)] // each test binary uses its own part
#[path = "../it/support/mod.rs"]
mod support;
