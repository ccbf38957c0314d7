//! Measures families, contender by contender in turns.

use std::{io::IsTerminal, time::Duration};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suite::{
    case::{Contest, Setting, Suite, Unit},
    families::Family,
    measure::{Pair, Patience, Pools, choose_calls, take_turns},
};

use crate::{machine, points::Point};

/// Progress on a terminal, and nothing elsewhere.
fn progress(families: u64) -> ProgressBar {
    let target = match std::io::stderr().is_terminal() {
        true => ProgressDrawTarget::stderr(),
        false => ProgressDrawTarget::hidden(),
    };
    let style = ProgressStyle::with_template("{elapsed_precise} [{bar:30}] {msg}")
        .expect("a valid template");
    ProgressBar::with_draw_target(Some(families), target).with_style(style)
}

/// Measures the families, on so many threads.
pub fn run(families: &[&Family], threads: usize, quick: bool) -> Vec<Point> {
    let setting = Setting::new(threads, if quick { 100_000 } else { 10_000_000 });
    let cores = machine::cores();
    let patience = Patience {
        batch: Duration::from_micros(if quick { 50 } else { 200 }),
        budget: Duration::from_millis(if quick { 50 } else { 1_000 }),
        least_rounds: if quick { 3 } else { 11 },
        repeat_disturbed: threads <= cores,
    };
    let (machine, date) = (machine::processor(), machine::date());
    let bar = progress(families.len() as u64);
    let mut all = Vec::new();
    for family in families {
        let mut points = Vec::new();
        let mut visit = |mut contest: Contest<'_>| {
            bar.set_message(format!("{}: {}, {}", family.name, contest.name, contest.n));
            bar.tick();
            measure(&mut contest, &patience, cores);
            let base = contest.contenders[0].samples.clone();
            for contender in &contest.contenders {
                points.push(Point {
                    machine: machine.clone(),
                    cores,
                    date: date.clone(),
                    family: family.name.to_string(),
                    case: contest.name.to_string(),
                    n: contest.n,
                    threads: contest.threads,
                    contender: contender.name.to_string(),
                    version: machine::version(contender.name),
                    unit: unit(contest.unit).to_string(),
                    reading: Pair::of(&contender.samples),
                    ratio: Pair::compare(&contender.samples, &base, |own, base| own / base),
                });
            }
        };
        (family.cases)(&mut Suite {
            setting: &setting,
            visit: &mut visit,
        });
        bar.inc(1);
        all.extend(by_case(points));
    }
    bar.finish_and_clear();
    all
}

/// The lengths of a case one after another.
fn by_case(mut points: Vec<Point>) -> Vec<Point> {
    let mut order: Vec<(String, String)> = Vec::new();
    for point in &points {
        let case = (point.unit.clone(), point.case.clone());
        if !order.contains(&case) {
            order.push(case);
        }
    }
    points.sort_by_key(|point| {
        order
            .iter()
            .position(|(unit, case)| (unit, case) == (&point.unit, &point.case))
    });
    points
}

fn measure(contest: &mut Contest<'_>, patience: &Patience, cores: usize) {
    let mut patience = Patience {
        repeat_disturbed: patience.repeat_disturbed && contest.threads <= cores,
        ..*patience
    };
    if contest.unit != Unit::Nanoseconds {
        // Nearly the same each time.
        patience.budget = Duration::ZERO;
        patience.least_rounds = 5;
    } else if contest.pools == Pools::Awake {
        choose_calls(&mut contest.contenders, &patience);
    }
    take_turns(&mut contest.contenders, contest.pools, &patience);
}

fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Nanoseconds => "ns",
        Unit::Allocations => "allocations",
        Unit::Bytes => "bytes",
    }
}
