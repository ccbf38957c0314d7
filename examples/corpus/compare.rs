//! Both versions side by side.
//!
//! They take turns, and take turns in going first, so that what else the machine does meets both alike.

use std::time::Duration;

use super::input::Root;
use super::pipeline::{self, Mode, Stage, Summary, Times};
use super::progress::Progress;

/// How often each version runs.
pub const ROUNDS: usize = 5;

/// The times of both versions, whose results were equal.
pub struct Comparison {
    pub summary: Summary,
    sequential: Vec<Times>,
    parallel: Vec<Times>,
}

/// What a table shows for one stage.
pub struct Row {
    pub name: &'static str,
    /// The best time of each version.
    pub sequential: Duration,
    pub parallel: Duration,
    /// How many times faster the best parallel run is than the best sequential one.
    pub speed_up: f64,
    /// The same for the median runs.
    pub median_speed_up: f64,
}

/// Runs both versions, or says on which part of the results they disagree.
pub fn run(
    roots: &[Root],
    max_bytes: u64,
    progress: &Progress,
) -> Result<Comparison, &'static str> {
    let quiet = Progress::new(false);
    progress.start("warm-up", ROUNDS as u64);
    // Fills the page cache and starts the pool; its times do not count.
    let (summary, _) = pipeline::run(Mode::Parallel, roots, max_bytes, &quiet);
    let mut comparison = Comparison {
        summary,
        sequential: Vec::new(),
        parallel: Vec::new(),
    };
    for round in 0..ROUNDS {
        progress.start(format!("round {}", round + 1), ROUNDS as u64);
        progress.advance(round as u64);
        let mut order = [Mode::Sequential, Mode::Parallel];
        order.rotate_left(round % 2);
        for mode in order {
            let (summary, times) = pipeline::run(mode, roots, max_bytes, &quiet);
            if let Some(part) = difference(&summary, &comparison.summary) {
                progress.finish();
                return Err(part);
            }
            match mode {
                Mode::Sequential => comparison.sequential.push(times),
                Mode::Parallel => comparison.parallel.push(times),
            }
        }
    }
    progress.finish();
    Ok(comparison)
}

impl Comparison {
    /// A row for each stage, and one for all of them together.
    pub fn rows(&self) -> impl Iterator<Item = Row> {
        Stage::ALL
            .into_iter()
            .map(|stage| self.row(stage.name(), |times| times.of(stage)))
            .chain([self.row("total", Times::total)])
    }

    fn row(&self, name: &'static str, time: impl Fn(&Times) -> Duration) -> Row {
        let sorted = |runs: &[Times]| {
            let mut times: Vec<Duration> = runs.iter().map(&time).collect();
            times.sort_unstable();
            times
        };
        let (sequential, parallel) = (sorted(&self.sequential), sorted(&self.parallel));
        let ratio = |at: usize| sequential[at].as_secs_f64() / parallel[at].as_secs_f64();
        Row {
            name,
            sequential: sequential[0],
            parallel: parallel[0],
            speed_up: ratio(0),
            median_speed_up: ratio(ROUNDS / 2),
        }
    }
}

/// The first part in which two results differ.
fn difference(a: &Summary, b: &Summary) -> Option<&'static str> {
    [
        ("files", a.files == b.files && a.bytes == b.bytes),
        ("unreadable files", a.unreadable == b.unreadable),
        ("files left out", a.left_out == b.left_out),
        ("words", a.words == b.words),
        ("duplicates", a.duplicates == b.duplicates),
        ("sizes", a.histogram == b.histogram),
        ("directories", a.directories == b.directories),
        ("kinds", a.kinds == b.kinds),
    ]
    .into_iter()
    .find_map(|(part, equal)| (!equal).then_some(part))
}
