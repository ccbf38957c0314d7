//! From how few cheap items on is a parallel loop no slower than a plain one?

mod common;

use common::{
    inputs::{numbers, unseen},
    ours, rayon, twice,
};
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const SIZES: [usize; 5] = [10, 100, 1_000, 10_000, 100_000];

fn sum_from_outside(c: &mut Criterion) {
    let mut group = c.benchmark_group("sum from outside");
    for n in SIZES {
        let data = &numbers(n)[..];
        let (mut ours, mut rayon) = twice!(|| unseen(data).par_iter().sum::<u64>());
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new("plain", n), |b| {
            b.iter(|| unseen(data).iter().sum::<u64>())
        });
        group.bench_function(BenchmarkId::new("filch", n), |b| b.iter(&mut ours));
        group.bench_function(BenchmarkId::new("rayon", n), |b| b.iter(&mut rayon));
    }
    group.finish();
}

fn sum_in_the_pool(c: &mut Criterion) {
    let threads = filch::current_num_threads();
    let (mine, theirs) = (ours::pool(threads), rayon::pool(threads));
    let mut group = c.benchmark_group("sum in the pool");
    for n in SIZES {
        let data = &numbers(n)[..];
        let (mut ours, mut rayon) = twice!(|| unseen(data).par_iter().sum::<u64>());
        group.throughput(Throughput::Elements(n as u64));
        group.bench_function(BenchmarkId::new("plain", n), |b| {
            b.iter(|| unseen(data).iter().sum::<u64>())
        });
        group.bench_function(BenchmarkId::new("filch", n), |b| {
            mine.install(|| b.iter(&mut ours))
        });
        group.bench_function(BenchmarkId::new("rayon", n), |b| {
            theirs.install(|| b.iter(&mut rayon))
        });
    }
    group.finish();
}

criterion_group!(benches, sum_from_outside, sum_in_the_pool);
criterion_main!(benches);
