//! forte's joins and scopes, called from a thread outside its pool.

use std::{
    hint::black_box,
    sync::atomic::{AtomicUsize, Ordering::Relaxed},
};

use forte::{ThreadPool, Worker};
use suite::{Node, apart::Apart, case::Case, fib, inputs::spin, joins_in_fib, tree_sum};

static POOL: ThreadPool = ThreadPool::new();

fn main() {
    let apart = Apart::new(include_str!("../Cargo.lock"));
    // A thread that calls works too, as one of the pool.
    POOL.resize_to(apart.threads - 1);
    if apart.wants("fork_join") {
        joins(&apart);
    }
    if apart.wants("latency") {
        latency(&apart);
    }
    if apart.wants("spawn") {
        spawns(&apart);
    }
}

/// The Fibonacci number, with a join at every call.
#[inline]
fn forte_fib(worker: &Worker, n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    let (a, b) = worker.join(|w| forte_fib(w, n - 1), |w| forte_fib(w, n - 2));
    a + b
}

/// The sum over a tree, with a join at every node.
#[inline]
fn forte_tree_sum(worker: &Worker, node: &Node) -> u64 {
    let below = |worker: &Worker, child: &Option<Box<Node>>| {
        (child.as_deref()).map_or(0, |node| forte_tree_sum(worker, node))
    };
    let (left, right) = worker.join(|w| below(w, &node.left), |w| below(w, &node.right));
    node.value + left + right
}

fn joins(apart: &Apart) {
    for n in [4, 9, 14, 19, 24, 29] {
        let joins = joins_in_fib(n) as usize;
        if joins > apart.longest {
            continue;
        }
        let case = Case::new("fib, a join at every call", joins)
            .by("std", || fib(black_box(n)))
            .by("forte", || POOL.with_worker(|w| forte_fib(w, black_box(n))));
        apart.put("fork_join", case);
    }
    for layers in [3, 7, 10, 13, 17, 20] {
        let nodes = (1 << layers) - 1;
        if nodes > apart.longest.max(1 << 10) {
            continue;
        }
        let tree = Node::full(layers).expect("some layers have a root");
        let tree = &*tree;
        let case = Case::new("sum of a tree, a join at every node", nodes)
            .by("std", || tree_sum(black_box(tree)))
            .by("forte", || {
                POOL.with_worker(|w| forte_tree_sum(w, black_box(tree)))
            });
        apart.put("fork_join", case);
    }
}

fn latency(apart: &Apart) {
    for nanoseconds in [10, 100, 1_000, 10_000, 100_000, 1_000_000] {
        let units = apart.spin.units(nanoseconds as f64);
        let task = move || spin(black_box(units));
        for asleep in [false, true] {
            let case = match asleep {
                false => Case::new("pool awake", nanoseconds),
                true => Case::new("pool asleep", nanoseconds).asleep(),
            };
            let case = case
                .by("std", move || (task(), task()))
                .by("forte", move || POOL.join(|_| task(), |_| task()));
            apart.put("latency", case);
        }
    }
}

fn spawns(apart: &Apart) {
    for (name, nanoseconds) in [("tasks of 1 µs", 1_000.0), ("empty tasks", 0.0)] {
        let cost = apart.spin.units(nanoseconds);
        for n in apart.lengths(100_000) {
            // Counted, so that no task is forgotten.
            let done = &AtomicUsize::new(0);
            let count = move || {
                black_box(spin(black_box(cost)));
                done.fetch_add(1, Relaxed);
            };
            let case = Case::new(name, n)
                .by("std", move || {
                    (0..black_box(n)).for_each(|_| count());
                    done.swap(0, Relaxed)
                })
                .by("forte", move || {
                    POOL.scope(|scope| {
                        (0..black_box(n)).for_each(|_| scope.spawn(move |_: &Worker| count()))
                    });
                    done.swap(0, Relaxed)
                });
            apart.put("spawn", case);
        }
    }
}
