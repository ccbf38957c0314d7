//! Groups and joins.

use super::*;

pub const CASES: &[Case] = &[
    Case {
        name: "count_by_key, 1,000 keys",
        of: "{n} numbers with 1,000 keys",
        measure: |n| reads(numbers(n), |v| v.par_iter().count_by_key(|i| *i % 1000)),
    },
    Case {
        name: "group_by_key",
        of: "{n} numbers with 1,000 keys",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().map(|i| (i % 1000, *i)).group_by_key()
            })
        },
    },
    Case {
        name: "group_by_key, 64 folds",
        // What is measured runs on one thread, which makes one fold. Many threads make many folds, whose tables have to be merged.
        of: "{n} numbers with 1,000 keys, in 64 folds",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter()
                    .with_max_len(v.len().div_ceil(THREADS))
                    .map(|i| (i % 1000, *i))
                    .group_by_key()
            })
        },
    },
    Case {
        name: "histogram, 256 bins",
        of: "{n} numbers in 256 bins",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_iter().histogram(256, |i| *i as usize % 256)
            })
        },
    },
    Case {
        name: "hash_join",
        of: "two slices of {n} numbers",
        measure: |n| {
            let v = numbers(n);
            measure_for(THREADS, || algo::hash_join(&v, &v, |i| *i, |i| *i)).1
        },
    },
    Case {
        name: "merge_join",
        of: "two sorted slices of {n} numbers",
        measure: |n| {
            let v = ascending(n);
            measure_for(THREADS, || algo::merge_join(&v, &v, u64::cmp)).1
        },
    },
];
