//! Measures families, contender by contender in turns.

use std::io::IsTerminal;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use suite::{
    case::{Contest, Setting, Suite},
    families::Family,
    record::Recorder,
};

use crate::points::Point;

const LOCK: &str = include_str!("../../Cargo.lock");

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
    let setting = Setting::new(threads, Recorder::longest(quick));
    let recorder = Recorder::new(LOCK, threads, quick);
    let bar = progress(families.len() as u64);
    let mut all = Vec::new();
    for family in families {
        let mut points = Vec::new();
        let mut visit = |contest: Contest<'_>| {
            bar.set_message(format!("{}: {}, {}", family.name, contest.name, contest.n));
            bar.tick();
            points.extend(recorder.record(family.name, contest));
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

#[cfg(test)]
mod tests {
    use suite::machine;

    #[test]
    fn the_contenders_have_versions() {
        for name in [
            "std",
            "filch",
            "rayon",
            "chili",
            "orx",
            "paralight",
            "voracious",
            "filch, collect",
        ] {
            assert!(!machine::version(super::LOCK, name).contains('?'), "{name}");
        }
        assert!(machine::version(super::LOCK, "rayon").starts_with("rayon 1.12"));
    }

    #[test]
    fn a_date_has_three_parts() {
        assert_eq!(machine::date().split('-').count(), 3);
    }
}
