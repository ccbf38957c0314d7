//! What does a join cost where nobody steals, and what does it gain where
//! somebody does?

mod common;

use common::{Node, chili_fib, chili_pool, chili_tree_sum, fib, ours, rayon, tree_sum};
use criterion::{Criterion, criterion_group, criterion_main};
use std::hint::black_box;

fn fib_on_one_thread(c: &mut Criterion) {
    let (mine, theirs, chili) = (ours::pool(1), rayon::pool(1), chili_pool(1));
    let mut group = c.benchmark_group("fib(25), one thread");
    group.bench_function("plain", |b| b.iter(|| fib(black_box(25))));
    group.bench_function("filch", |b| {
        mine.install(|| b.iter(|| ours::fib(black_box(25))))
    });
    group.bench_function("rayon", |b| {
        theirs.install(|| b.iter(|| rayon::fib(black_box(25))))
    });
    let mut scope = chili.scope();
    group.bench_function("chili", |b| b.iter(|| chili_fib(&mut scope, black_box(25))));
    group.finish();
}

fn tree(c: &mut Criterion) {
    let chili = chili_pool(filch::current_num_threads());
    let tree = &*Node::full(18).expect("18 layers have a root");
    let mut group = c.benchmark_group("tree of 2^18 nodes, all threads");
    group.bench_function("plain", |b| b.iter(|| tree_sum(black_box(tree))));
    group.bench_function("filch", |b| b.iter(|| ours::tree_sum(black_box(tree))));
    group.bench_function("rayon", |b| b.iter(|| rayon::tree_sum(black_box(tree))));
    let mut scope = chili.scope();
    group.bench_function("chili", |b| {
        b.iter(|| chili_tree_sum(&mut scope, black_box(tree)))
    });
    group.finish();
}

fn round_trip(c: &mut Criterion) {
    let chili = chili_pool(filch::current_num_threads());
    let nothing = || black_box(());
    let mut group = c.benchmark_group("empty join from outside");
    group.bench_function("filch", |b| b.iter(|| filch::join(nothing, nothing)));
    group.bench_function("rayon", |b| b.iter(|| ::rayon::join(nothing, nothing)));
    group.bench_function("chili", |b| {
        b.iter(|| chili.scope().join(|_| nothing(), |_| nothing()))
    });
    group.finish();
}

criterion_group!(benches, fib_on_one_thread, tree, round_trip);
criterion_main!(benches);
