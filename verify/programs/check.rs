//! Runs a program once, and says what was wrong.

use super::expect::Expected;
use super::ledger::{Ledger, caught};
use super::plant::Plant;
use super::program::Node;
use super::run::{Out, Run};
use crate::world::{Pool, was_enough, yield_now};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

/// Runs the program once, in `pools`, and says what was wrong. The bug `plant` is imitated.
pub fn check(
    program: &Node,
    expected: &Arc<Expected>,
    pools: &Arc<Vec<Pool>>,
    plant: Option<Plant>,
) -> Vec<String> {
    let ledger = Ledger::new(expected.runs.len() as u32, plant);
    let run = Run {
        ledger: Arc::clone(&ledger),
        expected: Arc::clone(expected),
        pools: Arc::clone(pools),
    };
    let whole = AssertUnwindSafe(|| caught(|| run.node(program, Out::None)));
    let found = catch_unwind(whole);
    let open = ledger.open();
    ledger.ensure(open == 0, || {
        format!("{open} nodes ran on when the program had ended")
    });
    match found {
        Ok(found) => {
            let found = found.map_err(|planned| planned.node);
            let fault = expected.outcome.judge(program.id, found);
            fault.into_iter().for_each(|text| ledger.fault(text));
        }
        Err(payload) => ledger.fault(format!("a panic of its own: {}", text_of(&*payload))),
    }
    for (id, (name, least, most)) in (0..).zip(&expected.runs) {
        let runs = ledger.runs(id);
        ledger.ensure(runs >= *least, || {
            format!("node {id}, a {name}, ran {runs} times, and has to run {least} times")
        });
        ledger.ensure(runs <= *most, || {
            format!("node {id}, a {name}, ran {runs} times, and may run {most} times")
        });
    }
    drop(run);
    // A job that was awaited by its result, and a thread in the background, may still hold something.
    let mut looks = 0;
    while !ledger.is_balanced() && !was_enough(looks, plant.is_some()) {
        looks += 1;
        yield_now();
    }
    ledger.judge_tokens();
    ledger.faults()
}

fn text_of(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    text.or(payload.downcast_ref::<&str>().copied())
        .unwrap_or("without a text")
}
