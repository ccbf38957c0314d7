//! Analyses the log of a web server: parses lines, adds them up by path, ranks the paths.
//!
//! `cargo run --release --example log_analysis -- [lines]`

use std::cmp::Reverse;
use std::collections::HashMap;
use std::env;
use std::time::{Duration, Instant};

use filch::ext::*;
use filch::prelude::*;

fn main() {
    let lines: usize = env::args().nth(1).map_or(1_000_000, |n| {
        n.parse().expect("usage: log_analysis [lines]")
    });
    let log: String = (0..lines).into_par_iter().map(line).collect();

    let (expected, one) = timed(|| sequential(&log));
    let (ranked, all) = timed(|| parallel(&log));

    assert!(ranked == expected, "the two ways disagree");
    let requests: usize = ranked.iter().map(|(_, group)| group.requests).sum();
    // Every 1,000th line is cut off.
    assert_eq!(requests, lines - lines / 1_000, "lines were lost");
    println!("{requests} requests in {lines} lines");
    println!(
        "{:>9} {:>7} {:>8} {:>7}  path",
        "requests", "errors", "mean ms", "max ms"
    );
    for (path, group) in ranked.into_iter().take(6) {
        println!(
            "{:>9} {:>7} {:>8.1} {:>7}  {path}",
            group.requests,
            group.errors,
            group.total_ms as f64 / group.requests as f64,
            group.max_ms
        );
    }
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// What is known of the requests for one path.
#[derive(Clone, Copy, Default, PartialEq)]
struct Group {
    requests: usize,
    errors: usize,
    total_ms: u64,
    max_ms: u64,
}

impl Group {
    fn add(&mut self, other: Group) {
        self.requests += other.requests;
        self.errors += other.errors;
        self.total_ms += other.total_ms;
        self.max_ms = self.max_ms.max(other.max_ms);
    }
}

fn sequential(log: &str) -> Vec<(&str, Group)> {
    let mut groups = HashMap::<_, Group>::new();
    for (path, group) in log.lines().filter_map(parse) {
        groups.entry(path).or_default().add(group);
    }
    let mut ranked: Vec<_> = groups.into_iter().collect();
    ranked.sort_unstable_by_key(rank);
    ranked
}

fn parallel(log: &str) -> Vec<(&str, Group)> {
    let requests = log.par_lines().filter_map(parse);
    // Groups of one path are added up in the order of the lines, in whatever pieces the log was cut.
    let mut ranked: Vec<_> = requests.reduce_by_key(Group::add).into_iter().collect();
    ranked.par_sort_unstable_by_key(rank);
    ranked
}

/// The paths that cost most time come first.
fn rank<'l>(&(path, group): &(&'l str, Group)) -> (Reverse<u64>, &'l str) {
    (Reverse(group.total_ms), path)
}

/// The path of one request, and the group that it makes alone; `None` if the line is broken.
fn parse(line: &str) -> Option<(&str, Group)> {
    // 2026-03-01T12:00:00 GET /index.html 200 17ms
    let mut words = line.split(' ').skip(2);
    let (path, status, time) = (words.next()?, words.next()?, words.next()?);
    let ms = time.strip_suffix("ms")?.parse().ok()?;
    let group = Group {
        requests: 1,
        errors: usize::from(status.starts_with('5')),
        total_ms: ms,
        max_ms: ms,
    };
    Some((path, group))
}

/// The `i`th line of the log.
fn line(i: usize) -> String {
    let random = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 16;
    let (minute, second) = (i / 60 % 60, i % 60);
    let path = match random % 10 {
        0..4 => "/index.html".to_owned(),
        4..7 => format!("/api/items/{}", random / 10 % 2_000),
        7..9 => format!("/static/{}.css", random / 10 % 50),
        _ => "/search".to_owned(),
    };
    let status = if random.is_multiple_of(101) { 503 } else { 200 };
    let ms = 1 + random / 1_000 % (if path == "/search" { 500 } else { 40 });
    let end = if i % 1_000 == 999 { "" } else { "ms" };
    format!("2026-03-01T12:{minute:02}:{second:02} GET {path} {status} {ms}{end}\n")
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
