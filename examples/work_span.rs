//! Work, span and parallelism of the algorithms and of the kinds of iterator chains, measured on one thread, as if there were 64.
//!
//! ```sh
//! cargo run --release --features trace --example work_span                         # at 10,000 to 1,000,000 elements
//! cargo run --release --features trace --example work_span -- 100000               # at 100,000 and a tenth and a hundredth of that
//! cargo run --release --features trace --example work_span -- 1000000 curves.svg   # draws them, too
//! ```
//!
//! A row: the work, the span with loops as long as their most expensive item, the span with loops as filch cuts them, the quotient of work and the latter, and
//! what 64 threads should make of it. The last column says by which power of n the span as cut grows over the last step.

use filch::algo::{self, list_rank, merge};
use filch::ext::*;
use filch::prelude::*;
use filch::trace::{Scalability, measure_for};
use std::fmt::Write;
use std::{env, fs};

const THREADS: usize = 64;
const RUNS: usize = 3;

/// Something to measure at a size.
struct Case {
    name: &'static str,
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

/// Measures what is done to numbers; to copy them, and to free them, does not count.
fn changes(v: Vec<u64>, run: impl Fn(&mut Vec<u64>) + Sync) -> Scalability {
    let mut copies = vec![v.clone(), v];
    measure_for(THREADS, || {
        let mut v = copies.pop().expect("a copy for each of two runs");
        run(&mut v);
        v
    })
    .1
}

/// Two lists of neighbours for each node.
fn neighbours(n: usize) -> impl Fn(usize) -> [usize; 2] + Sync {
    move |node| [(node * 2 + 1) % n, (node * 2 + 2) % n]
}

const CASES: &[Case] = &[
    // Chains.
    Case {
        name: "range, map, sum",
        measure: |n| {
            measure_for(THREADS, || {
                (0..n as u64)
                    .into_par_iter()
                    .map(|i| i ^ i >> 3)
                    .sum::<u64>()
            })
            .1
        },
    },
    Case {
        name: "slice, reduce",
        measure: |n| reads(numbers(n), |v| v.par_iter().copied().reduce(|| 0, u64::max)),
    },
    Case {
        name: "map, collect",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().map(|i| i + 1).collect::<Vec<_>>()
            })
        },
    },
    Case {
        name: "filter, collect",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter()
                    .copied()
                    .filter(|i| i % 3 == 0)
                    .collect::<Vec<_>>()
            })
        },
    },
    Case {
        name: "zip, for_each",
        measure: |n| {
            changes(numbers(n), |v| {
                let others = 0..v.len();
                v.par_iter_mut()
                    .zip(others.into_par_iter())
                    .for_each(|(a, b)| *a += b as u64);
            })
        },
    },
    Case {
        name: "flat_map_iter, count",
        measure: |n| {
            reads(numbers(n / 8), |v| {
                v.par_iter().flat_map_iter(|&i| i..i + 8).count()
            })
        },
    },
    Case {
        name: "flat_map, sum",
        measure: |n| {
            reads(numbers(n / 64), |v| {
                v.par_iter().flat_map(|&i| i..i + 64).sum::<u64>()
            })
        },
    },
    Case {
        name: "chunks, map, max",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_chunks(64)
                    .map(|chunk| chunk.iter().sum::<u64>())
                    .max()
            })
        },
    },
    Case {
        name: "find_first, none",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().find_first(|&&i| i == u64::MAX).copied()
            })
        },
    },
    Case {
        name: "unequal items",
        measure: |n| {
            measure_for(THREADS, || {
                (0..n as u64 / 8)
                    .into_par_iter()
                    .map(|i| (0..16 * n as u64 / (i + 16)).sum::<u64>() & 1)
                    .sum::<u64>()
            })
            .1
        },
    },
    Case {
        name: "par_bridge, sum",
        measure: |n| measure_for(THREADS, || (0..n as u64).par_bridge().sum::<u64>()).1,
    },
    // Sorts.
    Case {
        name: "par_sort",
        measure: |n| changes(numbers(n), |v| v.par_sort()),
    },
    Case {
        name: "par_sort_unstable",
        measure: |n| changes(numbers(n), |v| v.par_sort_unstable()),
    },
    Case {
        name: "par_sort_by_cached_key",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_sort_by_cached_key(|i| i.reverse_bits())
            })
        },
    },
    Case {
        name: "par_radix_sort",
        measure: |n| changes(numbers(n), |v| v.par_radix_sort()),
    },
    Case {
        name: "par_argsort",
        measure: |n| reads(numbers(n), |v| v.par_argsort()),
    },
    Case {
        name: "par_sort_bytes",
        measure: |n| {
            let words: Vec<String> = numbers(n / 4).iter().map(u64::to_string).collect();
            let mut copies = vec![words.clone(), words];
            measure_for(THREADS, || {
                let mut words = copies.pop().expect("a copy for each of two runs");
                words.par_sort_bytes();
                words
            })
            .1
        },
    },
    Case {
        name: "par_select_nth_unstable",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_select_nth_unstable(n / 3);
            })
        },
    },
    Case {
        name: "top_k, k = 100",
        measure: |n| reads(numbers(n), |v| v.par_iter().copied().top_k(100)),
    },
    // Scans and packs.
    Case {
        name: "par_scan_inclusive",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_scan_inclusive(|a, b| a.wrapping_add(*b))
            })
        },
    },
    Case {
        name: "par_scan_segments",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_scan_segments(|i| i % 9 == 0, |a, b| a.wrapping_add(*b))
            })
        },
    },
    Case {
        name: "par_pack",
        measure: |n| reads(numbers(n), |v| v.par_pack(|i| i % 3 == 0)),
    },
    Case {
        name: "par_retain",
        measure: |n| changes(numbers(n), |v| v.par_retain(|i| i % 3 == 0)),
    },
    Case {
        name: "par_dedup",
        measure: |n| changes(ascending(n), |v| v.par_dedup()),
    },
    Case {
        name: "par_unique",
        measure: |n| changes(numbers(n), |v| v.par_unique()),
    },
    Case {
        name: "par_partition_in_place",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_partition_in_place(|i| i % 2 == 0);
            })
        },
    },
    // Groups and joins.
    Case {
        name: "count_by_key, 1,000 keys",
        measure: |n| reads(numbers(n), |v| v.par_iter().count_by_key(|i| *i % 1000)),
    },
    Case {
        name: "group_by_key",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().map(|i| (i % 1000, *i)).group_by_key()
            })
        },
    },
    Case {
        name: "histogram, 256 bins",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().histogram(256, |i| *i as usize % 256)
            })
        },
    },
    Case {
        name: "hash_join",
        measure: |n| reads(numbers(n), |v| algo::hash_join(v, v, |i| *i, |i| *i).len()),
    },
    Case {
        name: "merge_join",
        measure: |n| reads(ascending(n), |v| algo::merge_join(v, v, u64::cmp).len()),
    },
    // Sets, searches, moves.
    Case {
        name: "merge",
        measure: |n| reads(ascending(n), |v| merge(v, v)),
    },
    Case {
        name: "par_union",
        measure: |n| reads(ascending(n), |v| v.par_union(v)),
    },
    Case {
        name: "par_includes",
        measure: |n| reads(ascending(n), |v| v.par_includes(v)),
    },
    Case {
        name: "par_is_sorted",
        measure: |n| reads(ascending(n), |v| v.par_is_sorted()),
    },
    Case {
        name: "par_min_max",
        measure: |n| reads(numbers(n), |v| v.par_min_max().map(|(a, b)| b - a)),
    },
    Case {
        name: "par_mismatch",
        measure: |n| reads(numbers(n), |v| v.par_mismatch(v)),
    },
    Case {
        name: "par_reverse",
        measure: |n| changes(numbers(n), |v| v.par_reverse()),
    },
    Case {
        name: "par_rotate_left",
        measure: |n| changes(numbers(n), |v| v.par_rotate_left(n / 3)),
    },
    Case {
        name: "par_shuffle",
        measure: |n| changes(numbers(n), |v| v.par_shuffle(7)),
    },
    Case {
        name: "par_gather",
        measure: |n| {
            let order: Vec<usize> = (0..n).map(|i| i * 7 % n).collect();
            reads(numbers(n), |v| v.par_gather(&order))
        },
    },
    Case {
        name: "par_transpose",
        measure: |n| {
            reads(numbers(n / 100 * 100), |v| {
                v.par_transpose(100, v.len() / 100)
            })
        },
    },
    // Graphs and trees.
    Case {
        name: "par_bfs",
        measure: |n| measure_for(THREADS, || algo::par_bfs(n, [0], neighbours(n))).1,
    },
    Case {
        name: "par_components",
        measure: |n| {
            let edges: Vec<_> = (0..n).map(|node| (node, (node * 2 + 1) % n)).collect();
            measure_for(THREADS, || algo::par_components(n, &edges)).1
        },
    },
    Case {
        name: "list_rank",
        measure: |n| {
            let next: Vec<usize> = (1..n).chain([algo::NO_NEXT]).collect();
            measure_for(THREADS, || list_rank(&next)).1
        },
    },
    Case {
        name: "tree_reduce",
        measure: |n| {
            measure_for(THREADS, || {
                algo::tree_reduce(
                    1,
                    |&i| [2 * i, 2 * i + 1].into_iter().filter(|&i| i < n),
                    |i| i,
                    |a, b| a ^ b,
                )
            })
            .1
        },
    },
];

fn main() {
    let mut args = env::args().skip(1);
    let most: usize = args
        .next()
        .map_or(1_000_000, |n| n.parse().expect("the most elements"));
    let picture = args.next();
    let sizes = [most / 100, most / 10, most].map(|n| n.max(100));
    println!(
        "{:26} {:>10} {:>11} {:>11} {:>11} {:>11} {:>15} {:>6}",
        "", "n", "work", "span", "span as cut", "parallelism", "64 threads", "power"
    );
    let mut drawn = Vec::new();
    for case in CASES {
        let mut before = None;
        for n in sizes {
            // The clock goes on while other programs have the processor: the shortest of some is the truest.
            let found = (0..RUNS).map(|_| (case.measure)(n));
            let found = found
                .min_by_key(Scalability::span_of_rules)
                .expect("there are some runs");
            assert!(
                found.span() <= found.work(),
                "{}: a span longer than the work",
                case.name
            );
            let cut = found.span_of_rules().as_secs_f64().max(1e-9);
            let (least, up_to) = found.predicted(THREADS);
            let power = before
                .map(|(m, span): (usize, f64)| (cut / span).ln() / (n as f64 / m as f64).ln());
            println!(
                "{:26} {n:>10} {:>11} {:>11} {:>11} {:>11.1} {:>15} {:>6}",
                case.name,
                format!("{:.1?}", found.work()),
                format!("{:.1?}", found.span()),
                format!("{:.1?}", found.span_of_rules()),
                found.work().as_secs_f64() / cut,
                format!("{least:.1} to {up_to:.1}"),
                power
                    .filter(|power| power.is_finite())
                    .map_or(String::new(), |power| format!("{power:.2}")),
            );
            before = Some((n, cut));
            if n == most {
                drawn.push((case.name, found));
            }
        }
    }
    if let Some(path) = picture {
        fs::write(&path, draw(&drawn)).expect("a file to write to");
        println!("drawn to {path}");
    }
}

/// All curves, two beside each other.
fn draw(curves: &[(&str, Scalability)]) -> String {
    let height = curves.len().div_ceil(2) * 400;
    let mut all = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 1280 {height}\" width=\"1280\" height=\"{height}\">\n"
    );
    for (at, (name, scalability)) in curves.iter().enumerate() {
        let mut svg = Vec::new();
        scalability
            .write_svg(&mut svg, name, THREADS)
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
