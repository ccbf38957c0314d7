//! Work, span and parallelism of the algorithms and of the kinds of iterator chains, measured on one thread, as if there were 64.
//!
//! ```sh
//! cargo run --release --features trace --example work_span                         # at 10,000 to 1,000,000 elements
//! cargo run --release --features trace --example work_span -- 100000               # at 100,000 and a tenth and a hundredth of that
//! cargo run --release --features trace --example work_span -- 1000000 curves.svg   # draws them, too
//! cargo run --release --features trace --example work_span -- 1000000 docs/benchmarks/work_span.tsv
//! ```
//!
//! The last one writes the figures at the largest size, which `cargo run -p report -- --draw` puts into the documentation of the algorithms.
//!
//! A row: the work, the span with loops as long as their most expensive item, the span with loops as filch cuts them, the quotient of work and the latter, and
//! what 64 threads should make of it. The last column says by which power of n the span as cut grows over the last step.

mod chains;
mod graphs;
mod groups;
mod moves;
mod scans;
mod sorts;
mod streams;

use filch::algo;
use filch::ext::*;
use filch::prelude::*;
use filch::trace::{Scalability, measure_for};
use std::fmt::Write;
use std::time::Duration;
use std::{env, fs};

const THREADS: usize = 64;
const RUNS: usize = 5;

/// Something to measure at a size.
struct Case {
    name: &'static str,
    /// Of what; `{n}` stands for the size.
    of: &'static str,
    measure: fn(usize) -> Scalability,
}

/// Numbers in no order, with few that are equal.
fn numbers(n: usize) -> Vec<u64> {
    let mut state = 1u64;
    let next = |_| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        state >> 33
    };
    (0..n).map(next).collect()
}

fn ascending(n: usize) -> Vec<u64> {
    (0..n as u64).collect()
}

/// Measures what is read from numbers.
fn reads<R: Send>(v: Vec<u64>, run: impl Fn(&[u64]) -> R + Sync) -> Scalability {
    measure_for(THREADS, || run(&v)).1
}

/// Measures what is done to elements; to copy them, and to free them, does not count.
fn changes<T: Clone + Send>(v: T, run: impl Fn(&mut T) + Sync) -> Scalability {
    let mut copies = vec![v.clone(), v];
    measure_for(THREADS, || {
        let mut v = copies.pop().expect("a copy for each of two runs");
        run(&mut v);
        v
    })
    .1
}

/// Each index below `n`, far from its neighbors. `n` has no factor 7,919, or that is 1.
fn scattered(n: usize) -> Vec<usize> {
    let step = if n.is_multiple_of(7919) { 1 } else { 7919 };
    (0..n).map(|i| i * step % n).collect()
}

/// Two neighbors of each node.
fn neighbours(n: usize) -> impl Fn(usize) -> [usize; 2] + Sync {
    move |node| [(node * 2 + 1) % n, (node * 2 + 2) % n]
}

/// All cases: the kind, which is a chain of iterators or an algorithm, and the cases.
const CASES: [(&str, &[Case]); 7] = [
    ("chain", chains::CASES),
    ("algorithm", sorts::CASES),
    ("algorithm", scans::CASES),
    ("algorithm", groups::CASES),
    ("algorithm", moves::CASES),
    ("algorithm", graphs::CASES),
    ("algorithm", streams::CASES),
];

/// What was found, at the largest size.
struct Found {
    kind: &'static str,
    case: &'static Case,
    n: usize,
    figures: Scalability,
    /// The least work, and the least span as filch cuts it, of all runs.
    least: [Duration; 2],
}

/// The clock goes on while other programs have the processor: the shortest of some runs is the truest.
fn measured(case: &Case, n: usize) -> (Scalability, [Duration; 2]) {
    let all: Vec<_> = (0..RUNS).map(|_| (case.measure)(n)).collect();
    let least = |of: fn(&Scalability) -> Duration| all.iter().map(of).min().unwrap_or_default();
    let least = [least(Scalability::work), least(Scalability::span_of_rules)];
    let shortest = all.into_iter().min_by_key(Scalability::span_of_rules);
    (shortest.expect("there are some runs"), least)
}

fn main() {
    let mut args = env::args().skip(1);
    let most: usize = args
        .next()
        .map_or(1_000_000, |n| n.parse().expect("the most elements"));
    let file = args.next();
    let sizes = [most / 100, most / 10, most].map(|n| n.max(100));
    println!(
        "{:32} {:>10} {:>11} {:>11} {:>11} {:>11} {:>15} {:>6}",
        "", "n", "work", "span", "span as cut", "parallelism", "64 threads", "power"
    );
    let mut all = Vec::new();
    let cases = CASES
        .iter()
        .flat_map(|(kind, cases)| cases.iter().map(move |case| (*kind, case)));
    for (kind, case) in cases {
        let mut before = None;
        for n in sizes {
            let (figures, least) = measured(case, n);
            assert!(
                figures.span() <= figures.work(),
                "{}: a span longer than the work",
                case.name
            );
            let cut = least[1].as_secs_f64().max(1e-9);
            let (low, high) = figures.predicted(THREADS);
            let power = before
                .map(|(m, span): (usize, f64)| (cut / span).ln() / (n as f64 / m as f64).ln());
            println!(
                "{:32} {n:>10} {:>11} {:>11} {:>11} {:>11.1} {:>15} {:>6}",
                case.name,
                format!("{:.1?}", least[0]),
                format!("{:.1?}", figures.span()),
                format!("{:.1?}", least[1]),
                least[0].as_secs_f64() / cut,
                format!("{low:.1} to {high:.1}"),
                power
                    .filter(|power| power.is_finite())
                    .map_or(String::new(), |power| format!("{power:.2}")),
            );
            before = Some((n, cut));
            if n == *sizes.last().expect("three of them") {
                all.push(Found {
                    kind,
                    case,
                    n,
                    figures,
                    least,
                });
            }
        }
    }
    if let Some(path) = file {
        let text = match path.ends_with(".tsv") {
            true => table(&all),
            false => draw(&all),
        };
        fs::write(&path, text).expect("a file to write to");
        println!("written to {path}");
    }
}

/// All figures in nanoseconds, a line for each case.
fn table(all: &[Found]) -> String {
    let mut text =
        "kind\tcase\tof\twork\tspan\tspan at most\tspan as cut\tburdened span\n".to_owned();
    for found in all {
        let figures = &found.figures;
        let n = grouped(found.n);
        let _ = write!(
            text,
            "{}\t{}\t{}",
            found.kind,
            found.case.name,
            found.case.of.replace("{n}", &n)
        );
        for time in [
            found.least[0],
            figures.span(),
            figures.span_at_most(),
            found.least[1],
            figures.burdened_span(),
        ] {
            let _ = write!(text, "\t{}", time.as_nanos());
        }
        text.push('\n');
    }
    text
}

/// A number with commas.
fn grouped(n: usize) -> String {
    match n {
        ..1000 => n.to_string(),
        _ => format!("{},{:03}", grouped(n / 1000), n % 1000),
    }
}

/// All curves, two beside each other.
fn draw(curves: &[Found]) -> String {
    let height = curves.len().div_ceil(2) * 400;
    let mut all = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1280 {height}\" width=\"1280\" height=\"{height}\">\n"
    );
    for (at, found) in curves.iter().enumerate() {
        let mut svg = Vec::new();
        found
            .figures
            .write_svg(&mut svg, found.case.name, THREADS)
            .expect("memory takes it");
        let place = format!(
            "<svg x=\"{}\" y=\"{}\" width=\"640\" height=\"400\" ",
            at % 2 * 640,
            at / 2 * 400
        );
        let svg = String::from_utf8(svg)
            .expect("SVG is text")
            .replacen("<svg ", &place, 1);
        let _ = write!(all, "{svg}");
    }
    all + "</svg>\n"
}
