//! Scans, packs and partitions.

use super::*;

pub const CASES: &[Case] = &[
    Case {
        name: "par_scan_inclusive",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_scan_inclusive(|a, b| a.wrapping_add(*b))
            })
        },
    },
    Case {
        name: "par_scan_segments",
        of: "{n} numbers, about nine to a segment",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_scan_segments(|i| i % 9 == 0, |a, b| a.wrapping_add(*b))
            })
        },
    },
    Case {
        name: "par_pack",
        of: "{n} numbers, of which a third stays",
        measure: |n| reads(numbers(n), |v| v.par_pack(|i| i % 3 == 0)),
    },
    Case {
        name: "par_retain",
        of: "{n} numbers, of which a third stays",
        measure: |n| changes(numbers(n), |v| v.par_retain(|i| i % 3 == 0)),
    },
    Case {
        name: "par_dedup",
        of: "{n} numbers, none equal",
        measure: |n| changes(ascending(n), |v| v.par_dedup()),
    },
    Case {
        name: "par_unique",
        of: "{n} numbers, few equal",
        measure: |n| changes(numbers(n), |v| v.par_unique()),
    },
    Case {
        name: "par_partition_in_place",
        of: "{n} numbers, half on each side",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_partition_in_place(|i| i % 2 == 0);
            })
        },
    },
    Case {
        name: "par_scan_exclusive_in_place",
        of: "{n} numbers",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_scan_exclusive_in_place(0, |a, b| a.wrapping_add(*b));
            })
        },
    },
    Case {
        name: "reduce_runs",
        of: "{n} numbers, nine to a run",
        measure: |n| {
            let keys: Vec<u64> = (0..n as u64).map(|i| i / 9).collect();
            reads(keys, |v| {
                algo::reduce_runs(v, v, |a, b| a.wrapping_add(*b)).len()
            })
        },
    },
    Case {
        name: "par_adjacent_difference",
        of: "{n} numbers",
        measure: |n| {
            reads(numbers(n), |v| {
                v.par_adjacent_difference(|a, b| a.wrapping_sub(*b))
            })
        },
    },
    Case {
        name: "par_partition_in_place_unstable",
        of: "{n} numbers, half on each side",
        measure: |n| {
            changes(numbers(n), |v| {
                v.par_partition_in_place_unstable(|i| i % 2 == 0);
            })
        },
    },
];
