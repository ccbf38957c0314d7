//! Sorted orders, what merges them, and what searches.

use crate::row::{Row, Takes};
use Takes::{Any, Number, Plain};

pub static ROWS: &[Row] = &[
    // sorted orders
    of!(
        "ParallelSliceMut::par_sort",
        Plain,
        "v.par_sort(); v",
        "v.sort(); v"
    ),
    of!(
        "ParallelSliceMut::par_sort_by",
        Any,
        "v.par_sort_by(|a, b| (a.value() % 50).cmp(&(b.value() % 50))); v",
        "v.sort_by_key(|x| x.value() % 50); v"
    ),
    of!(
        "ParallelSliceMut::par_sort_by_key",
        Any,
        "v.par_sort_by_key(|x| x.value() % 50); v",
        "v.sort_by_key(|x| x.value() % 50); v"
    ),
    of!(
        "ParallelSliceMut::par_sort_by_cached_key",
        Any,
        "v.par_sort_by_cached_key(|x| x.value() % 50); v",
        "v.sort_by_key(|x| x.value() % 50); v"
    ),
    of!(
        "ParallelSliceMut::par_sort_unstable",
        Plain,
        "v.par_sort_unstable(); v",
        "v.sort(); v"
    ),
    of!(
        "ParallelSliceMut::par_sort_unstable_by",
        Plain,
        "v.par_sort_unstable_by(|a, b| b.cmp(a)); v",
        "v.sort_by(|a, b| b.cmp(a)); v"
    ),
    of!(
        "ParallelSliceMut::par_sort_unstable_by_key",
        Plain,
        "v.par_sort_unstable_by_key(|x| !x.value()); v",
        "v.sort_by_key(|x| !x.value()); v"
    ),
    of!(
        "algo::argsort",
        Plain,
        "algo::argsort(&v)",
        "let mut order: Vec<usize> = (0..v.len()).collect(); order.sort_by(|&a, &b| v[a].cmp(&v[b])); order"
    ),
    of!(
        "algo::argsort_by",
        Any,
        "algo::argsort_by(&v, |a, b| (a.value() % 50).cmp(&(b.value() % 50)))",
        "let mut order: Vec<usize> = (0..v.len()).collect(); order.sort_by_key(|&i| v[i].value() % 50); order"
    ),
    of!(
        "algo::argsort_by_key",
        Any,
        "algo::argsort_by_key(&v, |x| x.value() % 50)",
        "let mut order: Vec<usize> = (0..v.len()).collect(); order.sort_by_key(|&i| v[i].value() % 50); order"
    ),
    of!(
        "algo::permute",
        Plain,
        "let order = algo::argsort(&v); algo::permute(&mut v, &order); v",
        "v.sort(); v"
    ),
    of!(
        "algo::gather",
        Plain,
        "algo::gather(&v, &algo::argsort(&v))",
        "v.sort(); v"
    ),
    of!(
        "algo::scatter",
        Plain,
        "let places: Vec<usize> = (0..v.len()).rev().collect(); let mut w = v.clone(); algo::scatter(&v, &places, &mut w); w",
        "v.reverse(); v"
    ),
    of!(
        "algo::radix_sort",
        Number,
        "algo::radix_sort(&mut v); v",
        "v.sort(); v"
    ),
    of!(
        "algo::radix_sort_by_key",
        Any,
        "algo::radix_sort_by_key(&mut v, |x| x.value() % 50); v",
        "v.sort_by_key(|x| x.value() % 50); v"
    ),
    of!(
        "algo::sort_bytes",
        Number,
        "let mut v: Vec<[u8; 8]> = v.iter().map(|x| x.to_be_bytes()).collect(); ",
        "algo::sort_bytes(&mut v); v",
        "v.sort(); v"
    ),
    of!(
        "algo::sort_together",
        Any,
        "let mut keys: Vec<u64> = v.iter().map(|x| x.value() % 50).collect(); algo::sort_together(&mut keys, &mut v); v",
        "v.sort_by_key(|x| x.value() % 50); v"
    ),
    of!(
        "algo::is_sorted",
        Plain,
        "algo::is_sorted(&v)",
        "v.is_sorted()"
    ),
    of!(
        "algo::is_sorted_by",
        Any,
        "algo::is_sorted_by(&v, |a, b| most(a, b.value(), {m}))",
        "v.is_sorted_by(|a, b| most(a, b.value(), {m}))"
    ),
    of!(
        "algo::is_sorted_by_key",
        Any,
        "algo::is_sorted_by_key(&v, |x| x.value() / 3)",
        "v.is_sorted_by_key(|x| x.value() / 3)"
    ),
    of!(
        "algo::select_nth_unstable",
        Plain,
        "let k = {b} % v.len().max(1); (!v.is_empty()).then(|| algo::select_nth_unstable(&mut v, k).1.clone())",
        "v.sort(); let k = {b} % v.len().max(1); v.get(k).cloned()"
    ),
    of!(
        "algo::partial_sort_unstable",
        Plain,
        "let k = v.len().min({b}); algo::partial_sort_unstable(&mut v, k); v.truncate(k); v",
        "v.sort(); v.truncate({b}); v"
    ),
    of!(
        "algo::top_k",
        Plain,
        "algo::top_k(&v, {k}).into_iter().cloned().collect::<Vec<_>>()",
        "v.sort_by(|a, b| b.cmp(a)); v.truncate({k}); v"
    ),
    of!(
        "algo::bottom_k",
        Plain,
        "algo::bottom_k(&v, {k}).into_iter().cloned().collect::<Vec<_>>()",
        "v.sort(); v.truncate({k}); v"
    ),
    // of two
    of!(
        "algo::merge_by_key",
        Number,
        two_parts!(),
        "algo::merge_by_key(&v[..mid], &v[mid..], |x| x % 50)",
        "v.sort_by_key(|x| x % 50); v"
    ),
    of!(
        "algo::merge_in_place_by_key",
        Number,
        two_parts!(),
        "algo::merge_in_place_by_key(&mut v, mid, |x| x % 50); v",
        "v.sort_by_key(|x| x % 50); v"
    ),
    of!(
        "algo::kmerge_by_key",
        Number,
        two_parts!(),
        "algo::kmerge_by_key(&[&v[..mid], &v[mid..], &[]], |x| x % 50)",
        "v.sort_by_key(|x| x % 50); v"
    ),
    of!(
        "algo::union",
        Number,
        two_sets!(),
        "algo::union(&v, &w)",
        as_sets!("&a | &b")
    ),
    of!(
        "algo::intersection",
        Number,
        two_sets!(),
        "algo::intersection(&v, &w)",
        as_sets!("&a & &b")
    ),
    of!(
        "algo::difference",
        Number,
        two_sets!(),
        "algo::difference(&v, &w)",
        as_sets!("&a - &b")
    ),
    of!(
        "algo::symmetric_difference",
        Number,
        two_sets!(),
        "algo::symmetric_difference(&v, &w)",
        as_sets!("&a ^ &b")
    ),
    of!(
        "algo::includes",
        Number,
        two_sets!(),
        "w.retain(|x| most(x, 3, {m})); algo::includes(&v, &w)",
        as_sets!("b.iter().all(|x| !most(x, 3, {m}) || a.contains(x))")
    ),
    of!(
        "algo::mismatch",
        Number,
        "let mut w = v.clone(); if let Some(x) = w.get_mut({b}) { *x ^= 1; } ",
        "algo::mismatch(&v, &w)",
        "v.iter().zip(&w).position(|(a, b)| a != b)"
    ),
    of!(
        "algo::search",
        Number,
        repeats!(),
        "algo::search(&v, &[1, 2, 0])",
        "v.windows(3).position(|w| w == [1, 2, 0])"
    ),
    of!(
        "algo::find_end",
        Number,
        repeats!(),
        "algo::find_end(&v, &[1, 2, 0])",
        "v.windows(3).rposition(|w| w == [1, 2, 0])"
    ),
    of!(
        "algo::min_max",
        Plain,
        "algo::min_max(&v).map(|(a, b)| (a.clone(), b.clone()))",
        "v.sort(); v.first().cloned().zip(v.last().cloned())"
    ),
    of!(
        "algo::min_max_by_key",
        Plain,
        "algo::min_max_by_key(&v, |x| x.value() % 50).map(|(a, b)| (a.clone(), b.clone()))",
        "v.sort_by_key(|x| x.value() % 50); v.first().cloned().zip(v.last().cloned())"
    ),
];
