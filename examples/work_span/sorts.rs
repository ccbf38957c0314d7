//! Sorts and selections.

use super::*;

pub const CASES: &[Case] = &[
    Case {
        name: "par_sort",
        of: "{n} numbers in no order",
        measure: |n| changes(numbers(n), |v| v.par_sort()),
    },
    Case {
        name: "par_sort_unstable",
        of: "{n} numbers in no order",
        measure: |n| changes(numbers(n), |v| v.par_sort_unstable()),
    },
    Case {
        name: "par_sort_by_cached_key",
        of: "{n} numbers in no order",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_sort_by_cached_key(|i| i.reverse_bits())
            })
        },
    },
    Case {
        name: "par_radix_sort",
        of: "{n} numbers in no order",
        measure: |n| changes(numbers(n), |v| v.par_radix_sort()),
    },
    Case {
        name: "par_argsort",
        of: "{n} numbers in no order",
        measure: |n| reads(numbers(n), |v| v.par_argsort()),
    },
    Case {
        name: "par_sort_bytes",
        of: "a quarter of {n} strings of ten digits",
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
        of: "{n} numbers in no order",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_select_nth_unstable(n / 3);
            })
        },
    },
    Case {
        name: "top_k, k = 100",
        of: "{n} numbers in no order, the best 100",
        measure: |n| reads(numbers(n), |v| v.par_iter().copied().top_k(100)),
    },
    Case {
        name: "par_sort_together",
        of: "{n} keys in no order, and as many values",
        measure: |n| {
            let values: Vec<u32> = (0..n as u32).collect();
            changes((numbers(n), values), |(keys, values)| {
                keys.par_sort_together(values)
            })
        },
    },
    Case {
        name: "par_kmerge",
        of: "eight sorted slices, together {n} numbers",
        measure: |n| {
            let run = |first: u64| (0..n as u64 / 8).map(|i| 8 * i + first).collect();
            let runs: Vec<Vec<u64>> = (0..8).map(run).collect();
            measure_for(THREADS, || runs.par_kmerge()).1
        },
    },
    Case {
        name: "par_merge_in_place",
        of: "two halves of {n} numbers",
        measure: |n| {
            let halves = (0..n as u64).step_by(2).chain((1..n as u64).step_by(2));
            changes(halves.collect::<Vec<u64>>(), move |v| {
                v.par_merge_in_place(n.div_ceil(2))
            })
        },
    },
    Case {
        name: "par_partial_sort_unstable",
        of: "{n} numbers in no order, the first tenth in order",
        measure: |n| changes(numbers(n), |v| v.par_partial_sort_unstable(n / 10)),
    },
];
