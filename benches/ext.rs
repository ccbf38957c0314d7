//! What do the methods of `filch::ext` cost beside std's on one thread, and beside what they stand on?
//!
//! Contenders take turns; printed are the minimum and the median of each, and their ratios to the first.

use filch::ext::*;
use filch::prelude::*;
use std::hint::black_box;
use std::time::Duration;
use suite::row::Row;

/// About 100 ns of work.
fn work(x: u64) -> u64 {
    (0..60).fold(x, |x, i| {
        black_box(x)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(i)
    })
}

fn small() {
    for n in [10usize, 100, 1000, 10_000] {
        let v: Vec<u64> = (0..n as u64).collect();
        let w = black_box(&v);
        Row::new(format!("min_max {n}"))
            .with("std min + max", || w.iter().min().zip(w.iter().max()))
            .with("filch", || w.par_iter().min_max().into_pair())
            .run();
        Row::new(format!("is_sorted {n}"))
            .with("std", || w.iter().is_sorted())
            .with("filch", || w.par_iter().is_sorted())
            .run();
        Row::new(format!("take_while {n}"))
            .with("std", || {
                w.iter().take_while(|x| **x != u64::MAX).sum::<u64>()
            })
            .with("filch", || {
                w.par_iter().take_while(|x| **x != u64::MAX).sum::<u64>()
            })
            .run();
        Row::new(format!("with_ordered_iter {n}"))
            .with("std", || w.iter().map(|&x| x * 3).fold(0, |a, b| a ^ b))
            .with("filch", || {
                w.par_iter()
                    .map(|&x| x * 3)
                    .with_ordered_iter(1000, |i| i.fold(0, |a, b| a ^ b))
            })
            .run();
    }
}

fn sums() {
    let v: Vec<f64> = (0..10_000_000).map(|i| 1.0 / (i + 1) as f64).collect();
    Row::new("sum of 10M f64")
        .with("std", || v.iter().sum::<f64>())
        .with("filch", || v.par_iter().sum::<f64>())
        .with("reproducible", || v.par_iter().reproducible().sum::<f64>())
        .with("sum_compensated", || v.par_iter().sum_compensated())
        .with("reproducible, comp.", || {
            v.par_iter().reproducible().sum_compensated()
        })
        .run();
    let v: Vec<u64> = (0..1_000_000).collect();
    Row::new("map and sum of 1M u64: does it vectorise?")
        .with("filch", || v.par_iter().map(|x| x * 3).sum::<u64>())
        .with("progress", || {
            v.par_iter()
                .progress(|n| _ = black_box(n))
                .map(|x| x * 3)
                .sum::<u64>()
        })
        .with("cancellable", || {
            v.par_iter()
                .cancellable(&CancelToken::new())
                .map(|x| x * 3)
                .sum::<u64>()
        })
        .with("with_cancel, deadline", || {
            let token = CancelToken::after(Duration::from_secs(100));
            v.par_iter()
                .with_cancel(&token, |v| v.map(|x| x * 3).sum::<u64>())
        })
        .run();
}

fn prefixes() {
    for (n, border) in [
        (1_000_000u64, 1000),
        (1_000_000, 500_000),
        (1_000_000, 1_000_000),
    ] {
        Row::new(format!("take_while, {border} of {n}, 100 ns an item"))
            .with("std", || {
                (0..n)
                    .map(work_pair)
                    .take_while(|x| x.0 < border)
                    .fold(0, |a, x| a ^ x.1)
            })
            .with("filch", || {
                (0..n)
                    .into_par_iter()
                    .map(work_pair)
                    .take_while(|x| x.0 < border)
                    .map(|x| x.1)
                    .reduce(|| 0, |a, b| a ^ b)
            })
            .run();
    }
    fn work_pair(x: u64) -> (u64, u64) {
        (x, work(x))
    }
}

fn streams() {
    let n = 100_000u64;
    Row::new("100k items of 100 ns, in order")
        .with("std", || (0..n).map(work).fold(0, |a, b| a ^ b))
        .with("with_ordered_iter", || {
            (0..n)
                .into_par_iter()
                .map(work)
                .with_ordered_iter(4096, |i| i.fold(0, |a, b| a ^ b))
        })
        .with("into_ordered_iter", || {
            (0..n)
                .into_par_iter()
                .map(work)
                .into_ordered_iter(4096)
                .fold(0, |a, b| a ^ b)
        })
        .with("par_bridge_ordered", || {
            (0..n)
                .par_bridge_ordered()
                .map(work)
                .reduce(|| 0, |a, b| a ^ b)
        })
        .with("par_bridge", || {
            (0..n).par_bridge().map(work).reduce(|| 0, |a, b| a ^ b)
        })
        .run();
    Row::new("100k items of 1 ns, in order")
        .with("std", || (0..n).map(black_box).fold(0, |a, b| a ^ b))
        .with("with_ordered_iter", || {
            (0..n)
                .into_par_iter()
                .map(black_box)
                .with_ordered_iter(4096, |i| i.fold(0, |a, b| a ^ b))
        })
        .with("into_ordered_iter", || {
            (0..n)
                .into_par_iter()
                .map(black_box)
                .into_ordered_iter(4096)
                .fold(0, |a, b| a ^ b)
        })
        .with("par_bridge_ordered", || {
            (0..n)
                .par_bridge_ordered()
                .map(black_box)
                .reduce(|| 0, |a, b| a ^ b)
        })
        .with("par_bridge", || {
            (0..n)
                .par_bridge()
                .map(black_box)
                .reduce(|| 0, |a, b| a ^ b)
        })
        .run();
    let v: Vec<u64> = (0..1_000_000).collect();
    Row::new("1M items with a state")
        .with("map_init", || {
            v.par_iter().map_init(|| 1, |s, x| *s ^ x).sum::<u64>()
        })
        .with("using", || {
            v.par_iter().using(|| 1).map(|s, x| *s ^ x).sum::<u64>()
        })
        .run();
    Row::new("1M u64 in arrays of 8")
        .with("chunks_exact", || {
            v.par_chunks_exact(8)
                .map(|c| c.iter().fold(1, |a, b| a ^ b))
                .sum::<u64>()
        })
        .with("par_array_chunks", || {
            v.par_array_chunks::<8>()
                .map(|c| c.iter().fold(1, |a, b| a ^ b))
                .sum::<u64>()
        })
        .with("array_chunks", || {
            v.par_iter()
                .copied()
                .array_chunks::<8>()
                .map(|c| c.iter().fold(1, |a, b| a ^ b))
                .sum::<u64>()
        })
        .run();
}

fn main() {
    filch::ThreadPoolBuilder::new()
        .num_threads(2)
        .build_global()
        .expect("the global pool is not built yet");
    small();
    sums();
    prefixes();
    streams();
}
