//! Sources other than slices and ranges.

use std::hint::black_box;

use suite::{
    inputs::{pairs, spin, text},
    twice,
};

use crate::measure::Bench;

pub fn rows(bench: &Bench) {
    let text = &text(1_000_000)[..];
    bench
        .row("par_lines, count, 1 MB")
        .std(|| black_box(text).lines().count())
        .par(twice!(|| black_box(text).par_lines().count()))
        .run();
    bench
        .row("par_chars, count of one letter, 1 MB")
        .std(|| black_box(text).chars().filter(|&c| c == 'ü').count())
        .par(twice!(|| black_box(text)
            .par_chars()
            .filter(|&c| c == 'ü')
            .count()))
        .run();
    let map = &pairs(100_000);
    bench
        .row("HashMap, 100k pairs, sum")
        .std(|| black_box(map).iter().map(|(k, v)| k & v).sum::<u64>())
        .par(twice!(|| black_box(map)
            .par_iter()
            .map(|(k, v)| k & v)
            .sum::<u64>()))
        .run();
    let cost = bench.spin.units(100.0);
    let item = move |_| spin(black_box(cost)) >> 32;
    bench
        .row("par_bridge, 10k items of 100 ns")
        .std(|| (0..10_000).map(item).sum::<u64>())
        .par(twice!(|| (0..10_000).par_bridge().map(item).sum::<u64>()))
        .run();
}
