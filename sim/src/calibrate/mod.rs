//! The simulator beside the crate, on one thread and on two.

mod costs;
mod real;

use sim::{Caller, Choices, Costs, Loop, Step, Tree, Workload, run};
use std::sync::Arc;

/// How much work each has, in nanoseconds.
const WORK: u64 = 20_000_000;
const SEEDS: u64 = 25;

/// By how much the simulator may be off.
const GOAL: f64 = 0.1;

/// Measures the costs of this machine, then runs workloads on the crate and in the simulator.
///
/// Other processes make runs slower, and are not simulated: on a busy machine look at the fastest runs.
pub fn compare() -> String {
    let work = real::Work::measure();
    let costs = costs::measure(&work);
    let mut text = format!("{costs:#?}\n\n{:23}{:>25}{:>27}\n", "", "median", "fastest");
    text += "            threads     real  simulated    off    real  simulated    off   (ms)\n";
    let mut missed = [0; 2];
    let workloads = workloads();
    let all = 2 * workloads.len();
    for (name, steps) in workloads {
        for threads in [1, 2] {
            let real = real::run(&work, &steps, threads);
            let simulated = simulate(&steps, threads, &costs);
            text += &format!("{name:<12}{threads:>7}");
            for (at, missed) in missed.iter_mut().enumerate() {
                let (real, simulated) = (real[at] as f64 / 1e6, simulated[at] as f64 / 1e6);
                let off = simulated / real - 1.0;
                *missed += usize::from(off.abs() > GOAL);
                let percent = 100.0 * off;
                text += &format!("{real:>9.2}{simulated:>9.2}{percent:>+7.1} %");
            }
            text += "\n";
        }
    }
    if costs.arrival.0 == 0 {
        text += "\nA woken thread ran where its waker did: no other processor was free, so the figures for two threads say nothing.\n";
    }
    let percent = 100.0 * GOAL;
    let [medians, fastest] = missed;
    text + &format!(
        "\noff by more than {percent} %: {medians} of {all} medians, {fastest} of {all} fastest\n"
    )
}

/// The median and the fastest of some runs, in nanoseconds.
fn simulate(steps: &[Step], threads: usize, costs: &Costs) -> [u64; 2] {
    let workload = Workload {
        calls: vec![(0, steps.to_vec())],
        caller: Caller::Worker,
    };
    let time = |seed| run(&workload, threads, &Choices::SHIPPED, costs, seed).time;
    let mut times: Vec<u64> = (1..=SEEDS).map(time).collect();
    times.sort_unstable();
    [times[times.len() / 2], times[0]]
}

fn workloads() -> [(&'static str, Vec<Step>); 7] {
    let whole = |items| vec![Step::Loop(Arc::new(items))];
    let region = Arc::new(Loop::flat(1000, WORK / 100));
    let regions = (0..80).flat_map(|_| [Step::Serial(50_000), Step::Loop(region.clone())]);
    [
        ("flat", whole(Loop::flat(20_000, WORK))),
        ("first 1 %", whole(Loop::first(20_000, WORK))),
        ("last 1 %", whole(Loop::last(20_000, WORK))),
        ("1/i", whole(Loop::falling(20_000, WORK))),
        ("random", whole(Loop::random(20_000, WORK))),
        ("tree", vec![Step::Tree(Tree::Random(WORK / 1000))]),
        ("regions", regions.collect()),
    ]
}
