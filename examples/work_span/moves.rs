//! Sets, searches, and elements in other places.

use super::*;
use filch::algo::merge;

pub const CASES: &[Case] = &[
    Case {
        name: "merge",
        of: "two sorted slices of {n} numbers",
        measure: |n| reads(ascending(n), |v| merge(v, v)),
    },
    Case {
        name: "par_union",
        of: "two sorted slices of {n} numbers",
        measure: |n| reads(ascending(n), |v| v.par_union(v)),
    },
    Case {
        name: "par_includes",
        of: "two sorted slices of {n} numbers",
        measure: |n| reads(ascending(n), |v| v.par_includes(v)),
    },
    Case {
        name: "par_is_sorted",
        of: "{n} numbers in order",
        measure: |n| reads(ascending(n), |v| v.par_is_sorted()),
    },
    Case {
        name: "par_min_max",
        of: "{n} numbers",
        measure: |n| reads(numbers(n), |v| v.par_min_max().map(|(a, b)| b - a)),
    },
    Case {
        name: "par_mismatch",
        of: "two equal slices of {n} numbers",
        measure: |n| reads(numbers(n), |v| v.par_mismatch(v)),
    },
    Case {
        name: "par_reverse",
        of: "{n} numbers",
        measure: |n| changes(numbers(n), |v| v.par_reverse()),
    },
    Case {
        name: "par_rotate_left",
        of: "{n} numbers, by a third",
        measure: |n| changes(numbers(n), |v| v.par_rotate_left(n / 3)),
    },
    Case {
        name: "par_shuffle",
        of: "{n} numbers",
        measure: |n| changes(numbers(n), |v| v.par_shuffle(7)),
    },
    Case {
        name: "par_gather",
        of: "{n} numbers",
        measure: |n| {
            let order: Vec<usize> = (0..n).map(|i| i * 7 % n).collect();
            reads(numbers(n), |v| v.par_gather(&order))
        },
    },
    Case {
        name: "par_transpose",
        of: "{n} numbers in 100 rows",
        measure: |n| {
            reads(numbers(n / 100 * 100), |v| {
                v.par_transpose(100, v.len() / 100)
            })
        },
    },
    Case {
        name: "par_search",
        of: "a pattern of 20 at the end of {n} numbers",
        measure: |n| reads(numbers(n), |v| v.par_search(&v[v.len() - 20..])),
    },
    Case {
        name: "par_intersection",
        of: "two sorted slices of {n} numbers",
        measure: |n| reads(ascending(n), |v| v.par_intersection(v)),
    },
    Case {
        name: "par_permute",
        of: "{n} numbers",
        measure: |n| {
            let order: Vec<usize> = scattered(n);
            changes(numbers(n), move |v| v.par_permute(&order))
        },
    },
    Case {
        name: "par_scatter",
        of: "{n} numbers",
        measure: |n| {
            let order = scattered(n);
            changes((numbers(n), ascending(n)), move |(v, out)| {
                v.par_scatter(&order, out)
            })
        },
    },
    Case {
        name: "par_sample",
        of: "a tenth of {n} numbers",
        measure: |n| reads(numbers(n), |v| v.par_sample(v.len() / 10, 7).len()),
    },
    Case {
        name: "par_fill",
        of: "{n} numbers",
        measure: |n| changes(numbers(n), |v| v.par_fill(7)),
    },
    Case {
        name: "par_fill_with",
        of: "{n} numbers",
        measure: |n| changes(numbers(n), |v| v.par_fill_with(|| 7)),
    },
    Case {
        name: "par_copy_from_slice",
        of: "{n} numbers",
        measure: |n| {
            let from = numbers(n);
            changes(ascending(n), move |v| v.par_copy_from_slice(&from))
        },
    },
    Case {
        name: "par_clone_from_slice",
        of: "{n} numbers",
        measure: |n| {
            let from = numbers(n);
            changes(ascending(n), move |v| v.par_clone_from_slice(&from))
        },
    },
];
