//! Parses a file with a JSON value a line, all lines at once, and says where a line is broken.
//!
//! `cargo run --release --example json_lines -- [records]`

use std::env;
use std::time::{Duration, Instant};

use filch::prelude::*;
use serde_json::Value;

fn main() {
    let records: u64 = env::args()
        .nth(1)
        .map_or(300_000, |n| n.parse().expect("usage: json_lines [records]"));
    assert!(records >= 3, "at least three, to break two of them");
    let file: String = (0..records).into_par_iter().map(record).collect();

    let (expected, one) = timed(|| sequential(&file));
    let (total, all) = timed(|| parallel(&file));

    assert_eq!(total, expected, "the two ways disagree");
    assert_eq!(total, Ok((0..records).map(price).sum()), "a wrong sum");
    println!(
        "{records} records, {} bytes; the sum of their prices is {}",
        file.len(),
        total.expect("no line is broken")
    );

    // A closing brace is gone near the end, and another one nearer to the beginning.
    let mut broken = file;
    let first = records as usize / 3;
    for at in [records as usize * 9 / 10, first] {
        let line = broken.lines().nth(at).expect("there are so many");
        let end = line.as_ptr() as usize - broken.as_ptr() as usize + line.len();
        broken.replace_range(end - 1..end, " ");
    }
    let error = parallel(&broken).expect_err("two lines are broken");
    assert_eq!(error.line, first + 1, "not the first broken line");
    println!(
        "with two broken lines, the first of them is found: line {}: {}",
        error.line, error.message
    );
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

#[derive(Debug, PartialEq)]
struct Broken {
    line: usize,
    message: String,
}

/// The sum of all prices, or the first error.
fn sequential(file: &str) -> Result<u64, Broken> {
    file.lines().enumerate().map(parse).sum()
}

/// Lines have no numbers until all before them have been found, so this finds them first; then they are items like any others.
fn parallel(file: &str) -> Result<u64, Broken> {
    let lines: Vec<&str> = file.par_lines().collect();
    let numbered = || lines.par_iter().copied().enumerate();
    // Any error ends a sum, and which one comes first is a matter of luck. It is rare enough to be looked for in a pass of its own.
    let sum: Result<u64, Broken> = numbered().map(parse).sum();
    sum.map_err(|error| {
        let first = numbered().find_map_first(|line| parse(line).err());
        first.unwrap_or(error)
    })
}

/// The price in one line.
fn parse((index, text): (usize, &str)) -> Result<u64, Broken> {
    let broken = |message: String| Broken {
        line: index + 1,
        message,
    };
    let record: Value = serde_json::from_str(text).map_err(|error| broken(error.to_string()))?;
    record["order"]["price"]
        .as_u64()
        .ok_or_else(|| broken("no price".to_owned()))
}

/// The `i`th line of the file.
fn record(i: u64) -> String {
    format!(
        "{{\"id\": {i}, \"user\": \"user{}\", \"tags\": [\"new\", \"gift\"], \"order\": {{\"price\": {}, \"express\": {}}}}}\n",
        i % 977,
        price(i),
        i.is_multiple_of(3)
    )
}

fn price(i: u64) -> u64 {
    i.wrapping_mul(0x9e37_79b9) % 10_000
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
