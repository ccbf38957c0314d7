//! The algorithms of `filch::algo` against their sequential models.

mod aligned;
mod bfs;
mod fill;
mod forced;
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

/// What a call panics with, as a text. The harness keeps what the hook prints, if the panic is on the caller's own thread: for small input.
#[track_caller]
fn message(call: impl FnOnce()) -> String {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call));
    let payload = outcome.expect_err("bad input is told");
    match payload.downcast::<String>() {
        Ok(text) => *text,
        Err(payload) => payload.downcast::<&str>().expect("a text").to_string(),
    }
}
