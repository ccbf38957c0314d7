//! The kinds of chains of iterators.

use super::*;
use filch::iter::{split, walk_tree};
use std::collections::{BTreeMap, HashMap};

pub const CASES: &[Case] = &[
    Case {
        name: "range, map, sum",
        of: "{n} numbers",
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
        of: "{n} numbers",
        measure: |n| reads(numbers(n), |v| v.par_iter().copied().reduce(|| 0, u64::max)),
    },
    Case {
        name: "map, collect",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().map(|i| i + 1).collect::<Vec<_>>()
            })
        },
    },
    Case {
        name: "filter, collect",
        of: "{n} numbers, of which a third stays",
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
        of: "{n} numbers",
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
        of: "{n} numbers, eight for each item",
        measure: |n| {
            reads(numbers(n / 8), |v| {
                v.par_iter().flat_map_iter(|&i| i..i + 8).count()
            })
        },
    },
    Case {
        name: "flat_map, sum",
        of: "{n} numbers, 64 for each item",
        measure: |n| {
            reads(numbers(n / 64), |v| {
                v.par_iter().flat_map(|&i| i..i + 64).sum::<u64>()
            })
        },
    },
    Case {
        name: "chunks, map, max",
        of: "{n} numbers, 64 to a chunk",
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
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().find_first(|&&i| i == u64::MAX).copied()
            })
        },
    },
    Case {
        name: "unequal items",
        of: "an eighth of {n} items, the first of which is the longest",
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
        of: "{n} numbers",
        measure: |n| measure_for(THREADS, || (0..n as u64).par_bridge().sum::<u64>()).1,
    },
    Case {
        name: "rev, enumerate, sum",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                let all = v.par_iter().rev().enumerate();
                all.map(|(at, i)| at as u64 ^ i).sum::<u64>()
            })
        },
    },
    Case {
        name: "step_by, max",
        of: "every third of {n} numbers",
        measure: |n| reads(numbers(n), |v| v.par_iter().step_by(3).max().copied()),
    },
    Case {
        name: "chain, interleave, sum",
        of: "{n} numbers, three times",
        measure: |n| {
            reads(numbers(n), |v| {
                let both = v.par_iter().interleave(v);
                v.par_iter().chain(both).sum::<u64>()
            })
        },
    },
    Case {
        name: "skip_any_while, sum",
        of: "{n} numbers",
        measure: |n| {
            reads(ascending(n), |v| {
                let half = v.len() as u64 / 2;
                v.par_iter().skip_any_while(|i| **i < half).sum::<u64>()
            })
        },
    },
    Case {
        name: "map_init, sum",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                let add = |state: &mut u64, i: &u64| {
                    *state += 1;
                    *state & 1 ^ i
                };
                v.par_iter().map_init(|| 0, add).sum::<u64>()
            })
        },
    },
    Case {
        name: "fold, reduce",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter()
                    .fold(|| 0, |sum, i| sum ^ i)
                    .reduce(|| 0, |a, b| a ^ b)
            })
        },
    },
    Case {
        name: "with_max_len, for_each",
        of: "{n} numbers, 64 at most to a folder",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_iter_mut().with_max_len(64).for_each(|i| *i ^= 1);
            })
        },
    },
    Case {
        name: "unzip",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                let pairs = v.par_iter().map(|i| (i & 1, *i));
                pairs.unzip::<_, _, Vec<_>, Vec<_>>()
            })
        },
    },
    Case {
        name: "windows, filter, count",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_windows(3).filter(|w| w[0] < w[1]).count()
            })
        },
    },
    Case {
        name: "lines, parse, sum",
        of: "{n} lines of a text",
        measure: |n| {
            let text: String = (0..n).map(|i| format!("{i}\n")).collect();
            let sum = || {
                let lines = text.par_lines().map(|line| line.parse::<u64>());
                lines.map(|line| line.unwrap_or(0)).sum::<u64>()
            };
            measure_for(THREADS, sum).1
        },
    },
    Case {
        name: "hash map, sum",
        of: "a map of {n} numbers",
        measure: |n| {
            let map: HashMap<_, _> = numbers(n).into_iter().zip(0..).collect();
            let sum = || map.par_iter().map(|(k, v)| k ^ v).sum::<u64>();
            measure_for(THREADS, sum).1
        },
    },
    Case {
        name: "B-tree, sum",
        of: "a tree of {n} numbers",
        measure: |n| {
            let map: BTreeMap<_, _> = numbers(n).into_iter().zip(0..).collect();
            let sum = || map.par_iter().map(|(k, v)| k ^ v).sum::<u64>();
            measure_for(THREADS, sum).1
        },
    },
    Case {
        name: "walk_tree, count",
        of: "a balanced tree of {n} nodes",
        measure: |n| {
            let children = |&i: &usize| [2 * i, 2 * i + 1].into_iter().filter(move |&i| i < n);
            measure_for(THREADS, || walk_tree(1, children).count()).1
        },
    },
    Case {
        name: "split, map, sum",
        of: "{n} numbers, 64 to a part",
        measure: |n| {
            let halves = |range: std::ops::Range<u64>| match range.end - range.start {
                ..=64 => (range, None),
                len => {
                    let middle = range.start + len / 2;
                    (range.start..middle, Some(middle..range.end))
                }
            };
            let each = |part: std::ops::Range<u64>| part.map(|i| i ^ i >> 3).sum::<u64>();
            let sum = || split(0..n as u64, halves).map(each);
            measure_for(THREADS, || sum().sum::<u64>()).1
        },
    },
    Case {
        name: "collect into a hash map",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().map(|i| (*i, 1)).collect::<HashMap<_, _>>()
            })
        },
    },
    Case {
        name: "try_fold, try_reduce",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter()
                    .try_fold(|| 0, |sum: u64, i| Some(sum ^ i))
                    .try_reduce(|| 0, |a, b| Some(a ^ b))
            })
        },
    },
];
