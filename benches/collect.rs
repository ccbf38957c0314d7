//! What does it cost to bring the results of many threads into one collection?

mod common;

use std::collections::HashMap;

use common::{
    inputs::{numbers, unseen},
    twice,
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

/// Measures one way to collect, for plain std and as `twice!` makes it.
fn compare<R>(
    c: &mut Criterion,
    name: &str,
    n: usize,
    plain: impl FnMut() -> R,
    (ours, rayon): (impl FnMut() -> R, impl FnMut() -> R),
) {
    let (mut plain, mut ours, mut rayon) = (plain, ours, rayon);
    let mut group = c.benchmark_group(name);
    group.throughput(Throughput::Elements(n as u64));
    group.bench_function(BenchmarkId::new("plain", n), |b| b.iter(&mut plain));
    group.bench_function(BenchmarkId::new("filch", n), |b| b.iter(&mut ours));
    group.bench_function(BenchmarkId::new("rayon", n), |b| b.iter(&mut rayon));
    group.finish();
}

fn odd(x: &&u64) -> bool {
    **x & 1 == 1
}

fn into_vec(c: &mut Criterion) {
    for n in [1_000, 10_000, 1_000_000] {
        let data = &numbers(n)[..];
        compare(
            c,
            "map into Vec",
            n,
            || unseen(data).iter().map(|x| x * 3).collect::<Vec<_>>(),
            twice!(|| unseen(data).par_iter().map(|x| x * 3).collect::<Vec<_>>()),
        );
        compare(
            c,
            "filter into Vec",
            n,
            || unseen(data).iter().filter(odd).copied().collect::<Vec<_>>(),
            twice!(|| unseen(data)
                .par_iter()
                .filter(odd)
                .copied()
                .collect::<Vec<_>>()),
        );
    }
}

fn into_hash_map(c: &mut Criterion) {
    let n = 100_000;
    let data = &numbers(n)[..];
    compare(
        c,
        "into HashMap",
        n,
        || {
            unseen(data)
                .iter()
                .map(|&x| (x, x + 1))
                .collect::<HashMap<_, _>>()
        },
        twice!(|| unseen(data)
            .par_iter()
            .map(|&x| (x, x + 1))
            .collect::<HashMap<_, _>>()),
    );
}

criterion_group!(benches, into_vec, into_hash_map);
criterion_main!(benches);
