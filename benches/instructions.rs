//! How many instructions do the fast paths cost?
//!
//! Runs one case under callgrind, which counts what `counted` does, on the thread that calls it and no other; `.ci/instructions` runs all
//! cases and compares with `instructions.tsv` beside this file.

// With the feature there are fewer cases.
#![cfg_attr(feature = "trace", allow(dead_code, unused_imports))]

use std::{env, hint::black_box, process::ExitCode};

use suite::{
    chili_fib, chili_pool, fib,
    inputs::{numbers, text, unseen},
    joins_in_fib, ours, rayon,
};

const FIB: u32 = 24;
/// Few, for under callgrind everything takes fifty times as long, and a loop that takes long is cut.
const SMALL: usize = 10;
const LARGE: usize = 1_000_000;
/// How often each of the lengths is gone over.
const SMALL_LOOPS: usize = 20_000;
const LARGE_LOOPS: usize = 5;
/// Lines of a square of numbers, and how often it is gone over.
const LINES: usize = 50;
const SQUARES: usize = 100;
const OFFERS: usize = 1_024;
#[cfg(feature = "trace")]
/// Blocks of an irregular loop, and how many items each has.
const BLOCKS: usize = 1_024;
#[cfg(feature = "trace")]
const BLOCK: usize = 16;

/// A path, which library takes it, and the work. What `plain` takes is not counted for the others of its path.
struct Case {
    path: &'static str,
    contender: &'static str,
    /// In how many parts the work is divided.
    parts: usize,
    run: fn(),
}

const fn case(path: &'static str, contender: &'static str, parts: usize, run: fn()) -> Case {
    Case {
        path,
        contender,
        parts,
        run,
    }
}

/// With the feature `trace`: a join that no thread takes costs what it costs without, also while all is recorded.
#[cfg(feature = "trace")]
fn cases() -> Vec<Case> {
    let joins = joins_in_fib(FIB) as usize;
    fn join() {
        repeat(1, || ours::fib(black_box(FIB)));
    }
    vec![
        case("join", "plain", joins, || repeat(1, || fib(black_box(FIB)))),
        case("join", "filch with trace", joins, || inside(join)),
        case("join", "filch with trace, recorded", joins, || {
            inside(|| {
                let ((), trace) = ours::trace::record(join);
                assert_eq!(trace.lost(), 0);
            });
        }),
        case("kept offer", "filch with trace", OFFERS - 1, || {
            offers(|f| f())
        }),
        case(
            "kept offer",
            "filch with trace, recorded",
            OFFERS - 1,
            || {
                offers(|f| drop(ours::trace::record(f)));
            },
        ),
        case("irregular block", "plain", BLOCKS, || {
            repeat(1, || (0..BLOCKS * BLOCK).map(item).sum())
        }),
        case("irregular block", "filch with trace", BLOCKS, || {
            blocks(|f| f())
        }),
        case(
            "irregular block",
            "filch with trace, recorded",
            BLOCKS,
            || {
                blocks(|f| drop(ours::trace::record(f)));
            },
        ),
    ]
}

/// All run on one thread: no other thread interferes.
#[cfg(not(feature = "trace"))]
fn cases() -> Vec<Case> {
    let joins = joins_in_fib(FIB) as usize;
    vec![
        case("join", "plain", joins, || repeat(1, || fib(black_box(FIB)))),
        case("join", "filch", joins, || {
            inside(|| repeat(1, || ours::fib(black_box(FIB))))
        }),
        case("join", "rayon", joins, || {
            rayon::pool(1).install(|| repeat(1, || rayon::fib(black_box(FIB))))
        }),
        case("join", "chili", joins, || {
            let pool = chili_pool(1);
            let mut scope = pool.scope();
            repeat(1, || chili_fib(&mut scope, black_box(FIB)));
        }),
        case("sum of 10", "std", SMALL_LOOPS, || {
            sums(|data| data.iter().sum())
        }),
        case("sum of 10", "filch", SMALL_LOOPS, || {
            inside(|| sums(sum_ours))
        }),
        case("sum of 10", "rayon", SMALL_LOOPS, || {
            rayon::pool(1).install(|| sums(sum_rayon))
        }),
        case("sum of 10, from outside", "filch", SMALL_LOOPS, || {
            ours::set_global(1);
            sums(sum_ours);
        }),
        case(
            "zip, enumerate and sum of 10, from outside",
            "filch",
            SMALL_LOOPS,
            || {
                use ours::prelude::*;
                ours::set_global(1);
                sums(|data| {
                    let pairs = data.par_iter().zip(unseen(data)).enumerate();
                    pairs.map(|(i, (a, b))| i as u64 ^ a ^ b).sum()
                });
            },
        ),
        case(
            "lone chunk of 10, from outside",
            "filch",
            SMALL_LOOPS,
            || {
                use ours::prelude::*;
                ours::set_global(1);
                sums(|data| {
                    let chunks = data.par_chunks(2 * SMALL);
                    chunks.map(|chunk| chunk.iter().sum::<u64>()).sum()
                });
            },
        ),
        // No length is known, and next to no work.
        case(
            "lines of 100 bytes, from outside",
            "filch",
            SMALL_LOOPS,
            || {
                use ours::prelude::*;
                ours::set_global(1);
                let text = text(100);
                let lines = || black_box(&text).par_lines().count() as u64;
                repeat(SMALL_LOOPS, lines);
            },
        ),
        case("line of 50, nested", "filch", SQUARES * LINES, || {
            let data = numbers(LINES * LINES);
            inside(|| repeat(SQUARES, || sum_of_lines(unseen(&data))));
        }),
        // If the fold over all arrays owns memory, this takes twenty times as long.
        case("flat_map of 10,000 arrays", "filch", LARGE_LOOPS, || {
            use ours::prelude::*;
            let data = numbers(LARGE / 100);
            let all = || {
                unseen(&data)
                    .par_iter()
                    .flat_map(|&x| [x, x + 1, x + 2, x + 3])
            };
            inside(|| repeat(LARGE_LOOPS, || all().sum::<u64>()))
        }),
        case("sum of a million", "filch", LARGE_LOOPS, || {
            let data = numbers(LARGE);
            inside(|| repeat(LARGE_LOOPS, || sum_ours(unseen(&data))))
        }),
        case("map and collect of a million", "filch", LARGE_LOOPS, || {
            use ours::prelude::*;
            let data = numbers(LARGE);
            let collect = || unseen(&data).par_iter().map(|x| x * 3).collect::<Vec<_>>();
            inside(|| repeat(LARGE_LOOPS, || collect().len() as u64))
        }),
        case("kept offer", "filch", OFFERS - 1, || offers(|f| f())),
    ]
}

/// A loop that is cut down to single items, each cut an offer that no thread takes; `around` has it run.
fn offers(around: impl FnOnce(&mut (dyn FnMut() + Send))) {
    use ours::iter::plumbing::Cuts;
    use ours::prelude::*;
    let pool = ours::pool(1);
    pool.force_cuts(Cuts::Always);
    let items = || (0..OFFERS).into_par_iter();
    let sum = || items().map(black_box).sum::<usize>() as u64;
    around(&mut || pool.install(|| repeat(1, sum)));
}

#[cfg(feature = "trace")]
/// An item of the even blocks takes ten times as long as one of the odd ones, so no block is like the one before.
fn item(at: usize) -> u64 {
    let rounds = if (at / BLOCK).is_multiple_of(2) {
        40
    } else {
        4
    };
    (0..rounds).fold(at as u64, |a, b| black_box(a ^ b))
}

#[cfg(feature = "trace")]
/// A loop that is folded in blocks, with a look at the clock after each; `around` has it run.
fn blocks(around: impl FnOnce(&mut (dyn FnMut() + Send))) {
    use ours::iter::plumbing::{Question, Script};
    use ours::prelude::*;
    struct Blocks;
    impl Script for Blocks {
        fn answer(&self, question: Question) -> usize {
            match question {
                Question::Block(_) => BLOCK - 1,
                _ => 0,
            }
        }
    }
    let pool = ours::pool(1);
    pool.follow(Box::new(Blocks));
    let sum = || (0..BLOCKS * BLOCK).into_par_iter().map(item).sum();
    around(&mut || pool.install(|| repeat(1, sum)));
}

fn inside(f: impl FnOnce() + Send) {
    ours::pool(1).install(f);
}

fn sum_ours(data: &[u64]) -> u64 {
    use ours::prelude::*;
    data.par_iter().sum()
}

/// The closure inside borrows, so the compiler has to see through the consumer to find out what stays the same.
fn sum_of_lines(square: &[u64]) -> u64 {
    use ours::prelude::*;
    let line = |i: usize| {
        let items = (0..LINES).into_par_iter();
        items.map(|j| square[i * LINES + j]).sum::<u64>()
    };
    (0..LINES).into_par_iter().map(line).sum()
}

fn sum_rayon(data: &[u64]) -> u64 {
    use rayon::prelude::*;
    data.par_iter().sum()
}

/// Once for all that is done only the first time, and once more to be counted.
fn repeat(times: usize, mut f: impl FnMut() -> u64) {
    let mut work = || {
        for _ in 0..times {
            black_box(f());
        }
    };
    work();
    counted(&mut work);
}

/// The function that callgrind is told of.
#[inline(never)]
fn counted(work: &mut dyn FnMut()) {
    work();
    black_box(());
}

/// Sums a small slice, many times.
fn sums(sum: impl Fn(&[u64]) -> u64) {
    let data = numbers(SMALL);
    repeat(SMALL_LOOPS, || sum(unseen(&data)));
}

fn main() -> ExitCode {
    let args: Vec<_> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let cases = cases();
    let chosen = match &args[..] {
        // Nothing to count: `cargo bench` or `cargo test` on everything.
        [] => {
            println!("run .ci/instructions to count instructions");
            return ExitCode::SUCCESS;
        }
        [list] if list == "--list" => {
            for case in cases {
                println!("{}\t{}\t{}", case.path, case.contender, case.parts);
            }
            return ExitCode::SUCCESS;
        }
        [path, contender] => {
            let find = |case: &&Case| case.path == path && case.contender == contender;
            cases.iter().find(find)
        }
        _ => None,
    };
    match chosen {
        Some(case) => {
            (case.run)();
            ExitCode::SUCCESS
        }
        None => {
            eprintln!("usage: instructions --list | PATH CONTENDER");
            ExitCode::from(2)
        }
    }
}
