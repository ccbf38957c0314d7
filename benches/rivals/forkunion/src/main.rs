//! ForkUnion's indexed loops. They are not nested, and the threads of its pool never sleep unless they are told to.

use std::{
    cell::RefCell,
    hint::black_box,
    sync::atomic::{AtomicU64, Ordering::Relaxed},
};

use forkunion::{CacheAligned, IndexedSplit, ThreadPool, Topology};
use suite::{
    apart::Apart,
    case::Case,
    inputs::{Shape, numbers, spin, unseen},
};

fn main() {
    let apart = Apart::new(include_str!("../Cargo.lock"));
    let topology = Topology::new().expect("the machine says what it is made of");
    let pool = ThreadPool::try_spawn(&topology, apart.threads).expect("threads can be started");
    let pool = RefCell::new(pool);
    if apart.wants("latency") {
        latency(&apart, &pool);
    }
    if apart.wants("small_inputs") {
        sums(&apart, &pool);
    }
    if apart.wants("irregular") {
        irregular(&apart, &pool);
    }
    if apart.wants("collect") {
        maps(&apart, &pool);
    }
}

/// Two tasks as a loop of two, on threads that look for work all the time.
fn latency(apart: &Apart, pool: &RefCell<ThreadPool>) {
    for nanoseconds in [10, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let units = apart.spin.units(nanoseconds as f64);
        let task = move || spin(black_box(units));
        let case = Case::new("pool awake", nanoseconds)
            .by("std", move || task() ^ task())
            .by("forkunion", move || {
                let both = AtomicU64::new(0);
                pool.borrow_mut().for_n(2, |_| {
                    both.fetch_xor(task(), Relaxed);
                });
                both.into_inner()
            });
        apart.put("latency", case);
    }
}

fn sums(apart: &Apart, pool: &RefCell<ThreadPool>) {
    for n in apart.lengths(1_000_000) {
        let data = &numbers(n)[..];
        let case = Case::new("sum, from outside", n)
            .by("std", || unseen(data).iter().sum::<u64>())
            .by("forkunion", || {
                let (data, total) = (unseen(data), AtomicU64::new(0));
                pool.borrow_mut().for_slices(data.len(), |first, count| {
                    let part = &data[first.task_index..first.task_index + count];
                    total.fetch_add(part.iter().sum::<u64>(), Relaxed);
                });
                total.into_inner()
            });
        apart.put("small_inputs", case);
    }
}

fn irregular(apart: &Apart, pool: &RefCell<ThreadPool>) {
    let shapes = [
        ("even", Shape::Even),
        ("all cost in the first 1 %", Shape::FirstPercent),
        ("all cost in the last 1 %", Shape::LastPercent),
        ("item i costs 1/i", Shape::Falling),
    ];
    let work = |&cost: &u32| spin(cost) >> 32;
    // A sum for each thread, on a cache line of its own.
    let sums: &Vec<_> = &(0..apart.threads)
        .map(|_| CacheAligned(AtomicU64::new(0)))
        .collect();
    for (name, shape) in shapes {
        for n in apart.lengths(100_000) {
            let costs = &apart.spin.costs(shape, n, 100.0 * n as f64)[..];
            let case = Case::new(name, n)
                .by("std", || unseen(costs).iter().map(work).sum::<u64>())
                .by("forkunion", || {
                    let costs = unseen(costs);
                    pool.borrow_mut().for_n_dynamic(costs.len(), |item| {
                        let sum = &sums[item.thread_index].0;
                        sum.store(sum.load(Relaxed) + work(&costs[item.task_index]), Relaxed);
                    });
                    sums.iter().map(|sum| sum.0.swap(0, Relaxed)).sum::<u64>()
                });
            apart.put("irregular", case);
        }
    }
}

fn maps(apart: &Apart, pool: &RefCell<ThreadPool>) {
    for n in apart.lengths(1_000_000) {
        let data = &numbers(n)[..];
        let case = Case::new("map into Vec", n)
            .by("std", || {
                unseen(data).iter().map(|x| x * 3).collect::<Vec<_>>()
            })
            .by("forkunion", || {
                let (data, mut tripled) = (unseen(data), Vec::with_capacity(n));
                let parts = IndexedSplit::new(n, apart.threads);
                let (mut pool, places) =
                    (pool.borrow_mut(), &mut tripled.spare_capacity_mut()[..n]);
                pool.for_slices_mut(places, |thread, places| {
                    let items = &data[parts.get(thread)];
                    for (place, x) in places.iter_mut().zip(items) {
                        place.write(x * 3);
                    }
                });
                // SAFETY: there is room for `n` numbers, and each has been written: the parts are those of the items.
                unsafe { tripled.set_len(n) };
                tripled
            });
        apart.put("collect", case);
    }
}
