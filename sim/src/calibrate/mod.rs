//! The simulator beside the crate, on one thread and on two.

mod costs;
mod real;

use sim::{Caller, Choices, Loop, Step, Tree, Workload, run};
use std::fmt::Write;
use std::sync::Arc;

/// How much work each has, in nanoseconds.
const WORK: u64 = 20_000_000;
const SEEDS: u64 = 9;

/// By how much the simulator may be off.
const GOAL: f64 = 0.1;

/// Measures the costs of this machine, then runs five workloads on the crate and in the simulator.
///
/// The fastest of some runs counts: other processes make runs slower, and are not simulated.
pub fn compare() -> String {
    let work = real::Work::measure();
    let costs = costs::measure(&work);
    let mut text = format!(
        "{costs:#?}\n\n{:<12}{:>8}{:>12}{:>12}{:>14}{:>8}\n",
        "", "threads", "(median)", "real, ms", "simulated, ms", "off by"
    );
    let mut missed = 0;
    for (name, step) in workloads() {
        for threads in [1, 2] {
            let real = real::run(&work, &step, threads);
            let workload = Workload {
                calls: vec![(0, vec![step.clone()])],
                caller: Caller::Worker,
            };
            let shipped = Choices::SHIPPED;
            let mut times: Vec<u64> = (1..=SEEDS)
                .map(|seed| run(&workload, threads, &shipped, &costs, seed).time)
                .collect();
            times.sort_unstable();
            let simulated = times[0];
            let off = simulated as f64 / real.fastest as f64 - 1.0;
            missed += usize::from(off.abs() > GOAL);
            let ms = |ns: u64| ns as f64 / 1e6;
            let (median, fastest) = (ms(real.median), ms(real.fastest));
            let simulated = ms(simulated);
            writeln!(
                text,
                "{name:<12}{threads:>8}{median:>12.2}{fastest:>12.2}{simulated:>14.2}{:>+7.1} %",
                100.0 * off
            )
            .expect("text takes all");
        }
    }
    let percent = 100.0 * GOAL;
    writeln!(text, "\n{missed} of 10 are off by more than {percent} %").expect("text takes all");
    text
}

fn workloads() -> [(&'static str, Step); 5] {
    let whole = |items| Step::Loop(Arc::new(items));
    [
        ("flat", whole(Loop::flat(20_000, WORK))),
        ("first 1 %", whole(Loop::first(20_000, WORK))),
        ("1/i", whole(Loop::falling(20_000, WORK))),
        ("random", whole(Loop::random(20_000, WORK))),
        ("tree", Step::Tree(Tree::Random(WORK / 1000))),
    ]
}
