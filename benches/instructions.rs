//! How many instructions does a join, or a call on a small slice, cost above
//! plain code?
//!
//! Runs one case a number of times, to be counted under callgrind; the script
//! `instructions.sh` beside this file runs all cases and does the subtraction.

mod common;

use std::{env, hint::black_box, process::ExitCode};

use common::{chili_fib, chili_pool, fib, inputs::numbers, inputs::unseen, ours, rayon};

const FIB: u32 = 24;
const ITEMS: usize = 1_000;
const SUMS: usize = 10_000;

type Case = (&'static str, fn(usize));

const CASES: [Case; 9] = [
    ("fib-plain", |times| repeat(times, || fib(black_box(FIB)))),
    ("fib-ours", |times| {
        ours::pool(1).install(|| repeat(times, || ours::fib(black_box(FIB))))
    }),
    ("fib-rayon", |times| {
        rayon::pool(1).install(|| repeat(times, || rayon::fib(black_box(FIB))))
    }),
    ("fib-chili", |times| {
        let pool = chili_pool(1);
        let mut scope = pool.scope();
        repeat(times, || chili_fib(&mut scope, black_box(FIB)));
    }),
    ("sum-plain", |times| sums(times, |data| data.iter().sum())),
    ("sum-ours", |times| {
        ours::pool(1).install(|| sums(times, sum_ours))
    }),
    ("sum-ours-outside", |times| {
        ours::set_global(1);
        sums(times, sum_ours);
    }),
    ("sum-rayon", |times| {
        rayon::pool(1).install(|| sums(times, sum_rayon))
    }),
    ("sum-rayon-outside", |times| {
        rayon::set_global(1);
        sums(times, sum_rayon);
    }),
];

fn sum_ours(data: &[u64]) -> u64 {
    use ours::prelude::*;
    data.par_iter().sum()
}

fn sum_rayon(data: &[u64]) -> u64 {
    use rayon::prelude::*;
    data.par_iter().sum()
}

fn repeat(times: usize, mut f: impl FnMut() -> u64) {
    for _ in 0..times {
        black_box(f());
    }
}

/// Sums a small slice, many times.
fn sums(times: usize, sum: impl Fn(&[u64]) -> u64) {
    let data = numbers(ITEMS);
    repeat(times * SUMS, || sum(unseen(&data)));
}

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let (name, times) = match &args[..] {
        // Nothing to count: `cargo bench` or `cargo test` on everything.
        [] => {
            println!("run benches/instructions.sh to count instructions");
            return ExitCode::SUCCESS;
        }
        [name] if name == "--per" => {
            println!("fib {}\nsum {SUMS}", common::joins_in_fib(FIB));
            return ExitCode::SUCCESS;
        }
        [name, times] => (name, times.parse().ok()),
        _ => (&args[0], None),
    };
    match (CASES.iter().find(|(case, _)| case == name), times) {
        (Some((_, case)), Some(times)) => {
            case(times);
            ExitCode::SUCCESS
        }
        _ => {
            eprintln!("usage: instructions --per | CASE TIMES, where CASE is one of");
            CASES.iter().for_each(|(case, _)| eprintln!("  {case}"));
            ExitCode::from(2)
        }
    }
}
