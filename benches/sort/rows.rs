//! The rows: what is sorted, merged or selected, and by which library.

use super::inputs::*;
use super::measure::{Bench, Contender};
use ::rayon::slice::ParallelSliceMut as Rayon;
use filch::{ext::*, prelude::ParallelSliceMut as Filch};
use rdst::RadixSort;
use std::{cmp::Ordering, collections::BinaryHeap, hint::black_box};
use voracious_radix_sort::RadixSort as Voracious;

pub fn all(bench: &Bench) {
    sorts(bench);
    own_orders(bench);
    cached_key(bench);
    radix(bench);
    merges(bench);
    selections(bench);
    is_sorted(bench);
}

/// Both kinds of sort, for one kind of input.
fn sort<T: Clone + Send>(
    bench: &Bench,
    name: &str,
    most: usize,
    input: fn(usize) -> Vec<T>,
    compare: impl Fn(&T, &T) -> Ordering + Sync + Copy,
) {
    let row = format!("stable {name}");
    if bench.wants(&row) {
        for n in bench.lengths(most) {
            bench.row(
                &row,
                &input(n),
                &[
                    ("std", &|v| v.sort_by(compare)),
                    ("filch", &|v| Filch::par_sort_by(&mut v[..], compare)),
                    ("rayon", &|v| Rayon::par_sort_by(&mut v[..], compare)),
                    ("glidesort", &|v| glidesort::sort_by(v, compare)),
                ],
            );
        }
    }
    let row = format!("unstable {name}");
    if bench.wants(&row) {
        for n in bench.lengths(most) {
            bench.row(
                &row,
                &input(n),
                &[
                    ("std", &|v| v.sort_unstable_by(compare)),
                    ("filch", &|v| {
                        Filch::par_sort_unstable_by(&mut v[..], compare)
                    }),
                    ("rayon", &|v| {
                        Rayon::par_sort_unstable_by(&mut v[..], compare)
                    }),
                ],
            );
        }
    }
}

fn sorts(bench: &Bench) {
    const ALL: usize = usize::MAX;
    sort(bench, "u64", ALL, random, u64::cmp);
    sort(bench, "u64 16 distinct", ALL, few_distinct, u64::cmp);
    sort(bench, "u64 95% sorted", ALL, mostly_sorted, u64::cmp);
    sort(bench, "u64 5% swapped", ALL, swapped, u64::cmp);
    sort(bench, "u64 5% appended", ALL, appended, u64::cmp);
    sort(bench, "u64 jittered", ALL, jittered, u64::cmp);
    sort(bench, "u64 ascending", ALL, ascending, u64::cmp);
    sort(bench, "u64 descending", ALL, descending, u64::cmp);
    sort(bench, "u64 saw-tooth", ALL, saw_tooth, u64::cmp);
    sort(bench, "u64 organ pipe", ALL, organ_pipe, u64::cmp);
    sort(bench, "u64 expensive", 100_000, random, expensive);
    sort(bench, "f64", ALL, floats, f64::total_cmp);
    sort(bench, "(u64, u64) by key", ALL, pairs, |a, b| a.0.cmp(&b.0));
    sort(bench, "String", 1_000_000, strings, String::cmp);
    sort(bench, "128 bytes", 1_000_000, records, |a, b| {
        a[0].cmp(&b[0])
    });
}

/// Both kinds of sort, by the order of the elements themselves.
fn own_order<T: Clone + Send + Ord>(bench: &Bench, name: &str, input: fn(usize) -> Vec<T>) {
    let row = format!("stable own {name}");
    if bench.wants(&row) {
        for n in bench.lengths(usize::MAX) {
            bench.row(
                &row,
                &input(n),
                &[
                    ("std", &|v| v.sort()),
                    ("filch", &|v| Filch::par_sort(&mut v[..])),
                    ("rayon", &|v| Rayon::par_sort(&mut v[..])),
                ],
            );
        }
    }
    let row = format!("unstable own {name}");
    if bench.wants(&row) {
        for n in bench.lengths(usize::MAX) {
            bench.row(
                &row,
                &input(n),
                &[
                    ("std", &|v| v.sort_unstable()),
                    ("filch", &|v| Filch::par_sort_unstable(&mut v[..])),
                    ("rayon", &|v| Rayon::par_sort_unstable(&mut v[..])),
                ],
            );
        }
    }
}

fn own_orders(bench: &Bench) {
    own_order(bench, "u8", |n| {
        random(n).iter().map(|x| (x >> 56) as u8).collect()
    });
    own_order(bench, "i16", |n| {
        random(n).iter().map(|x| (x >> 48) as i16).collect()
    });
    own_order(bench, "u32", |n| {
        random(n).iter().map(|x| (x >> 32) as u32).collect()
    });
    own_order(bench, "u64", random);
    own_order(bench, "u64 95% sorted", mostly_sorted);
    own_order(bench, "u128", |n| {
        random(n).iter().map(|&x| u128::from(x) * 3).collect()
    });
}

fn cached_key(bench: &Bench) {
    if bench.wants("cached key String") {
        for n in bench.lengths(1_000_000) {
            bench.row(
                "cached key String",
                &random(n),
                &[
                    ("std", &|v| v.sort_by_cached_key(u64::to_string)),
                    ("filch", &|v| {
                        Filch::par_sort_by_cached_key(&mut v[..], u64::to_string)
                    }),
                    ("rayon", &|v| {
                        Rayon::par_sort_by_cached_key(&mut v[..], u64::to_string)
                    }),
                ],
            );
        }
    }
}

fn radix(bench: &Bench) {
    let threads = bench.threads;
    macro_rules! keys {
        ($name:literal, $input:expr, $compare:expr $(, $more:expr)*) => {
            if bench.wants($name) {
                for n in bench.lengths(usize::MAX) {
                    bench.row(
                        $name,
                        &$input(n),
                        &[
                            ("std", &|v| v.sort_unstable_by($compare)),
                            ("filch", &|v| v.par_radix_sort()),
                            ("filch unstable", &|v| Filch::par_sort_unstable_by(&mut v[..], $compare)),
                            ("rdst", &|v| v.radix_sort_unstable()),
                            $($more,)*
                        ],
                    );
                }
            }
        };
    }
    keys!(
        "radix u64",
        random,
        u64::cmp,
        ("voracious", &|v| v.voracious_mt_sort(threads))
    );
    keys!(
        "radix u64 below 2^20",
        |n| random(n).iter().map(|x| x >> 44).collect::<Vec<_>>(),
        u64::cmp,
        ("voracious", &|v| v.voracious_mt_sort(threads))
    );
    keys!(
        "radix u64 skewed",
        |n| random(n).iter().map(|x| x >> (x % 64)).collect::<Vec<_>>(),
        u64::cmp,
        ("voracious", &|v| v.voracious_mt_sort(threads))
    );
    keys!(
        "radix u32",
        |n| random(n)
            .iter()
            .map(|x| (x >> 32) as u32)
            .collect::<Vec<_>>(),
        u32::cmp,
        ("voracious", &|v| v.voracious_mt_sort(threads))
    );
    keys!(
        "radix f64",
        floats,
        f64::total_cmp,
        ("voracious", &|v| v.voracious_mt_sort(threads))
    );
    keys!(
        "radix [u8; 16]",
        |n| random(n)
            .iter()
            .map(|&x| (u128::from(x) << 64 | u128::from(x)).to_be_bytes())
            .collect::<Vec<_>>(),
        Ord::cmp
    );
    if bench.wants("radix (u64, u64) by key") {
        for n in bench.lengths(usize::MAX) {
            bench.row(
                "radix (u64, u64) by key",
                &pairs(n),
                &[
                    ("std stable", &|v| v.sort_by_key(|x| x.0)),
                    ("filch", &|v| v.par_radix_sort_by_key(|x| x.0)),
                    ("std unstable", &|v| v.sort_unstable_by_key(|x| x.0)),
                ],
            );
        }
    }
}

/// The merge that everyone writes.
fn plain_merge<T: Clone + Ord>(left: &[T], right: &[T]) -> Vec<T> {
    let mut merged = Vec::with_capacity(left.len() + right.len());
    let (mut i, mut j) = (0, 0);
    while i < left.len() && j < right.len() {
        if right[j] < left[i] {
            merged.push(right[j].clone());
            j += 1;
        } else {
            merged.push(left[i].clone());
            i += 1;
        }
    }
    merged.extend_from_slice(&left[i..]);
    merged.extend_from_slice(&right[j..]);
    merged
}

/// The merge of many runs by a heap of their first elements.
fn heap_merge(runs: &[&[u64]]) -> Vec<u64> {
    use std::cmp::Reverse;
    let mut heap: BinaryHeap<_> = (0..runs.len())
        .filter(|&run| !runs[run].is_empty())
        .map(|run| Reverse((runs[run][0], run, 1)))
        .collect();
    let mut merged = Vec::with_capacity(runs.iter().map(|run| run.len()).sum());
    while let Some(mut top) = heap.peek_mut() {
        let Reverse((x, run, next)) = *top;
        merged.push(x);
        match runs[run].get(next) {
            Some(&x) => *top = Reverse((x, run, next + 1)),
            None => drop(std::collections::binary_heap::PeekMut::pop(top)),
        }
    }
    merged
}

fn runs(v: &[u64], count: usize) -> Vec<&[u64]> {
    v.chunks(v.len().div_ceil(count)).collect()
}

fn merges(bench: &Bench) {
    for n in bench.lengths(usize::MAX) {
        let mut v = random(n);
        v[..n / 2].sort();
        v[n / 2..].sort();
        if bench.wants("merge u64") {
            bench.row(
                "merge u64",
                &v,
                &[
                    ("plain", &|v| {
                        let (left, right) = v.split_at(n / 2);
                        black_box(plain_merge(left, right));
                    }),
                    ("filch", &|v| {
                        let (left, right) = v.split_at(n / 2);
                        black_box(left.par_merge(right));
                    }),
                ],
            );
        }
        if bench.wants("merge in place u64") {
            bench.row(
                "merge in place u64",
                &v,
                &[
                    ("std sort", &|v| v.sort()),
                    ("filch", &|v| v.par_merge_in_place(n / 2)),
                ],
            );
        }
        if bench.wants("kmerge u64") {
            let part = n.div_ceil(16);
            v.chunks_mut(part).for_each(<[u64]>::sort);
            bench.row(
                "kmerge u64, 16 runs",
                &v,
                &[
                    ("heap", &|v| drop(black_box(heap_merge(&runs(v, 16))))),
                    ("filch", &|v| drop(black_box(runs(v, 16).par_kmerge()))),
                    ("std sort", &|v| {
                        let mut merged = v.clone();
                        merged.sort();
                        black_box(merged);
                    }),
                ],
            );
        }
    }
}

fn heap_top_k(v: &[u64], k: usize) -> Vec<u64> {
    use std::cmp::Reverse;
    let mut heap: BinaryHeap<Reverse<u64>> =
        v[..k.min(v.len())].iter().copied().map(Reverse).collect();
    for &x in &v[k.min(v.len())..] {
        let mut least = heap.peek_mut().unwrap();
        if x > least.0 {
            *least = Reverse(x);
        }
    }
    heap.into_sorted_vec().into_iter().map(|x| x.0).collect()
}

fn selections(bench: &Bench) {
    fn median<T: Ord + Clone + Send>(
        bench: &Bench,
        name: &str,
        most: usize,
        input: fn(usize) -> Vec<T>,
    ) {
        if bench.wants(name) {
            for n in bench.lengths(most) {
                let contenders: [Contender<T>; 2] = [
                    ("std", &|v| _ = black_box(v.select_nth_unstable(n / 2))),
                    ("filch", &|v| {
                        _ = black_box(v.par_select_nth_unstable(n / 2))
                    }),
                ];
                bench.row(name, &input(n), &contenders);
            }
        }
    }
    median(bench, "select u64", usize::MAX, random);
    median(bench, "select u64 16 distinct", usize::MAX, few_distinct);
    median(bench, "select String", 1_000_000, strings);
    median(bench, "select 128 bytes", 1_000_000, records);
    if bench.wants("partial sort u64, a tenth") {
        for n in bench.lengths(usize::MAX) {
            bench.row(
                "partial sort u64, a tenth",
                &random(n),
                &[
                    ("std", &|v| v.select_nth_unstable(n / 10).0.sort_unstable()),
                    ("filch", &|v| v.par_partial_sort_unstable(n / 10)),
                ],
            );
        }
    }
    for (name, k) in [("top 10 u64", 10), ("top 1000 u64", 1000)] {
        if bench.wants(name) {
            for n in bench.lengths(usize::MAX) {
                bench.row(
                    name,
                    &random(n),
                    &[
                        ("heap", &|v| drop(black_box(heap_top_k(v, k)))),
                        ("filch", &|v| drop(black_box(v.par_top_k(k)))),
                    ],
                );
            }
        }
    }
    if bench.wants("top 100000 u64") {
        let k = 100_000;
        for n in bench.lengths(usize::MAX).filter(|&n| n > k) {
            bench.row(
                "top 100000 u64",
                &random(n),
                &[
                    ("std select", &|v| drop(black_box(selected_top_k(v, k)))),
                    ("filch", &|v| drop(black_box(v.par_top_k(k)))),
                ],
            );
        }
    }
}

/// By selection among references, as [`par_top_k`](filch::ext::ParallelSliceTopK::par_top_k) gives them.
fn selected_top_k(v: &[u64], k: usize) -> Vec<&u64> {
    let mut all: Vec<&u64> = v.iter().collect();
    all.select_nth_unstable_by_key(k - 1, |&x| std::cmp::Reverse(x));
    all.truncate(k);
    all.sort_by_key(|&x| std::cmp::Reverse(x));
    all
}

fn is_sorted(bench: &Bench) {
    if bench.wants("is sorted u64") {
        for n in bench.lengths(usize::MAX) {
            bench.row(
                "is sorted u64",
                &ascending(n),
                &[
                    ("std", &|v| _ = black_box(v.is_sorted())),
                    ("filch", &|v| _ = black_box(v.par_is_sorted())),
                ],
            );
        }
    }
}
