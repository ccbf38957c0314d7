//! Do all threads share the work where the cost sits in a few of the items?

mod common;

use common::{
    inputs::{Shape, Spin, spin, unseen},
    twice,
};
use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};

fn uneven_loops(c: &mut Criterion) {
    let machine = Spin::calibrate();
    let loads = [
        ("300 of 100 ns", Shape::Even, 300, 30e3),
        ("first 1 %", Shape::FirstPercent, 1_000_000, 6e6),
        ("last 1 %", Shape::LastPercent, 1_000_000, 6e6),
        ("1/i", Shape::Falling, 1_000_000, 6e6),
        ("16 of 1 ms", Shape::Even, 16, 16e6),
    ];
    let mut group = c.benchmark_group("uneven loops");
    for (name, shape, items, nanoseconds) in loads {
        let costs = &machine.costs(shape, items, nanoseconds)[..];
        let plain = || {
            unseen(costs)
                .iter()
                .map(|&cost| spin(cost) >> 32)
                .sum::<u64>()
        };
        let (mut ours, mut rayon) = twice!(|| unseen(costs)
            .par_iter()
            .map(|&cost| spin(cost) >> 32)
            .sum::<u64>());
        group.bench_function(BenchmarkId::new("plain", name), |b| b.iter(plain));
        group.bench_function(BenchmarkId::new("filch", name), |b| b.iter(&mut ours));
        group.bench_function(BenchmarkId::new("rayon", name), |b| b.iter(&mut rayon));
    }
    group.finish();
}

criterion_group!(benches, uneven_loops);
criterion_main!(benches);
