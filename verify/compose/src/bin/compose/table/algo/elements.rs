//! Some of the elements, elements in other places, runs and running values.

use crate::row::{Row, Takes};
use Takes::{Any, Number, Plain};

pub static ROWS: &[Row] = &[
    // some of them
    of!(
        "algo::dedup",
        Number,
        repeats!(),
        "algo::dedup(&mut v); v",
        "v.dedup(); v"
    ),
    of!(
        "algo::dedup_by",
        Any,
        "algo::dedup_by(&mut v, |a, b| a.value() % 3 == b.value() % 3); v",
        "v.dedup_by(|a, b| a.value() % 3 == b.value() % 3); v"
    ),
    of!(
        "algo::dedup_by_key",
        Any,
        "algo::dedup_by_key(&mut v, |x| x.value() % 3); v",
        "v.dedup_by_key(|x| x.value() % 3); v"
    ),
    of!(
        "algo::unique",
        Plain,
        "algo::unique(&mut v); v",
        "let mut seen = HashSet::new(); v.retain(|x| seen.insert(x.value())); v"
    ),
    of!(
        "algo::unique_by_key",
        Any,
        "algo::unique_by_key(&mut v, |x| x.value() % 50); v",
        "let mut seen = HashSet::new(); v.retain(|x| seen.insert(x.value() % 50)); v"
    ),
    of!(
        "algo::retain",
        Any,
        "algo::retain(&mut v, |x| keep(x, {s})); v",
        "v.retain(|x| keep(x, {s})); v"
    ),
    of!(
        "algo::retain_mut",
        Plain,
        "algo::retain_mut(&mut v, |x| { nudge(x, {s}); keep(x, {k}) }); v",
        "v.retain_mut(|x| { nudge(x, {s}); keep(x, {k}) }); v"
    ),
    of!(
        "algo::pack",
        Plain,
        "algo::pack(&v, |x| keep(x, {s}))",
        "v.retain(|x| keep(x, {s})); v"
    ),
    of!(
        "algo::pack_indices",
        Any,
        "algo::pack_indices(&v, |x| keep(x, {s}))",
        "v.iter().places(|x| keep(x, {s})).all_items()"
    ),
    // other places
    of!(
        "algo::partition_in_place",
        Any,
        "let at = algo::partition_in_place(&mut v, |x| keep(x, {s})); (v, at)",
        "let (mut a, mut b): (Vec<_>, Vec<_>) = v.into_iter().partition(|x| keep(x, {s})); let at = a.len(); a.append(&mut b); (a, at)"
    ),
    of!(
        "algo::partition_in_place_unstable",
        Plain,
        "let at = algo::partition_in_place_unstable(&mut v, |x| keep(x, {s})); v[..at].sort(); v[at..].sort(); (v, at)",
        "let (mut a, mut b): (Vec<_>, Vec<_>) = v.into_iter().partition(|x| keep(x, {s})); let at = a.len(); a.sort(); b.sort(); a.append(&mut b); (a, at)"
    ),
    of!(
        "algo::reverse",
        Any,
        "algo::reverse(&mut v); v",
        "v.reverse(); v"
    ),
    of!(
        "algo::rotate_left",
        Any,
        "let k = v.len().min({b}); ",
        "algo::rotate_left(&mut v, k); v",
        "v.rotate_left(k); v"
    ),
    of!(
        "algo::rotate_right",
        Any,
        "let k = v.len().min({b}); ",
        "algo::rotate_right(&mut v, k); v",
        "v.rotate_right(k); v"
    ),
    of!(
        "algo::shuffle",
        Plain,
        "algo::shuffle(&mut v, {s}); v.sort(); v",
        "v.sort(); v"
    ),
    of!(
        "algo::transpose",
        Number,
        "let columns = v.len() / 3; v.truncate(3 * columns); ",
        "algo::transpose(&v, 3, columns)",
        "(0..columns).flat_map(|at| [v[at], v[columns + at], v[2 * columns + at]]).collect::<Vec<_>>()"
    ),
    of!(
        "algo::fill",
        Plain,
        "if let Some(x) = v.pop() { algo::fill(&mut v, x); } v",
        "if let Some(x) = v.pop() { v.fill(x); } v"
    ),
    of!(
        "algo::fill_with",
        Number,
        "algo::fill_with(&mut v, || {k}); v",
        "v.fill({k}); v"
    ),
    of!(
        "algo::transpose_in_place",
        Number,
        "let size = v.len().isqrt(); v.truncate(size * size); ",
        "algo::transpose_in_place(&mut v, size); v",
        "(0..size * size).map(|at| v[at % size * size + at / size]).collect::<Vec<_>>()"
    ),
    of!(
        "algo::clone_from_slice",
        Plain,
        "let mut w = vec![{one}; v.len()]; algo::clone_from_slice(&mut w, &v); w",
        "v"
    ),
    of!(
        "algo::copy_from_slice",
        Number,
        "let mut w = vec![0; v.len()]; algo::copy_from_slice(&mut w, &v); w",
        "v"
    ),
    // runs and running values
    of!(
        "algo::scan_inclusive",
        Number,
        "algo::scan_inclusive(&v, |&a, &b| affine(a, b))",
        "v.into_iter().running().all_items()"
    ),
    of!(
        "algo::scan_exclusive",
        Number,
        "algo::scan_exclusive(&v, SAME, |&a, &b| affine(a, b))",
        "let total = v.iter().copied().fold(SAME, affine); (v.into_iter().running_before(SAME).all_items(), total)"
    ),
    of!(
        "algo::scan_inclusive_in_place",
        Number,
        "algo::scan_inclusive_in_place(&mut v, |&a, &b| affine(a, b)); v",
        "v.into_iter().running().all_items()"
    ),
    of!(
        "algo::scan_exclusive_in_place",
        Number,
        "let total = algo::scan_exclusive_in_place(&mut v, SAME, |&a, &b| affine(a, b)); (v, total)",
        "let total = v.iter().copied().fold(SAME, affine); (v.into_iter().running_before(SAME).all_items(), total)"
    ),
    of!(
        "algo::scan_segments",
        Number,
        "algo::scan_segments(&v, |at| at % 7 == 0, |&a, &b| affine(a, b))",
        "v.chunks(7).flat_map(|run| run.iter().copied().running()).collect::<Vec<_>>()"
    ),
    of!(
        "algo::scan_inclusive_by_key",
        Number,
        "let keys: Vec<u64> = v.iter().map(|x| x % 3).collect(); algo::scan_inclusive_by_key(&keys, &v, |&a, &b| affine(a, b))",
        "v.chunk_by(|a, b| a % 3 == b % 3).flat_map(|run| run.iter().copied().running()).collect::<Vec<_>>()"
    ),
    of!(
        "algo::scan_exclusive_by_key",
        Number,
        "let keys: Vec<u64> = v.iter().map(|x| x % 3).collect(); algo::scan_exclusive_by_key(&keys, &v, SAME, |&a, &b| affine(a, b))",
        "v.chunk_by(|a, b| a % 3 == b % 3).flat_map(|run| run.iter().copied().running_before(SAME)).collect::<Vec<_>>()"
    ),
    of!(
        "algo::reduce_runs",
        Number,
        "let keys: Vec<u64> = v.iter().map(|x| x % 3).collect(); algo::reduce_runs(&keys, &v, |&a, &b| affine(a, b))",
        "v.chunk_by(|a, b| a % 3 == b % 3).map(|run| (run[0] % 3, run.iter().copied().reduce(affine).unwrap())).collect::<Vec<_>>()"
    ),
    of!(
        "algo::run_lengths",
        Number,
        repeats!(),
        "algo::run_lengths(&v)",
        "v.chunk_by(|a, b| a == b).map(|run| (run[0], run.len())).collect::<Vec<_>>()"
    ),
    of!(
        "algo::adjacent_difference",
        Number,
        "algo::adjacent_difference(&v, |a, b| a.wrapping_sub(*b))",
        "(0..v.len()).map(|at| if at == 0 { v[0] } else { v[at].wrapping_sub(v[at - 1]) }).collect::<Vec<_>>()"
    ),
];
