//! Depth: joins, scopes and trees that are as deep as they are large.

use crate::child::{child, child_alone};
use filch::ThreadPoolBuilder;
use filch::algo::tree_reduce;
use filch::iter::{walk_tree, walk_tree_postfix, walk_tree_prefix};
use filch::prelude::*;

/// One level a join, on the left or on the right.
fn descend(depth: usize, left: bool) -> usize {
    if depth == 0 {
        return 0;
    }
    let (a, b) = if left {
        filch::join(|| descend(depth - 1, left), || 1)
    } else {
        filch::join(|| 1, || descend(depth - 1, left))
    };
    a + b
}

// 44
#[test]
fn ten_thousand_joins_on_two_mebibytes() {
    child(2, || {
        let pool = ThreadPoolBuilder::new()
            .num_threads(2)
            .stack_size(if cfg!(debug_assertions) {
                32 << 20
            } else {
                2 << 20
            })
            .build()
            .unwrap();
        for _ in 0..5 {
            assert_eq!(pool.install(|| descend(10_000, true)), 10_000);
            assert_eq!(pool.install(|| descend(10_000, false)), 10_000);
        }
    })
    .is_well();
}

// 45
#[test]
fn a_million_jobs_each_spawned_by_the_last() {
    child(2, || {
        fn next(left: u32, done: std::sync::mpsc::Sender<()>) {
            match left {
                0 => done.send(()).unwrap(),
                _ => filch::spawn(move || next(left - 1, done)),
            }
        }
        let (sender, receiver) = std::sync::mpsc::channel();
        filch::spawn(move || next(1_000_000, sender));
        receiver.recv().unwrap();
    })
    .is_well();
}

// 47
#[test]
fn trees_that_are_lists_and_stars() {
    child(2, || {
        const NODES: usize = 1_000_000;
        let pool = ThreadPoolBuilder::new()
            .num_threads(2)
            .stack_size(1 << 20)
            .build()
            .unwrap();
        pool.install(|| {
            let list = |&n: &usize| (n + 1 < NODES).then_some(n + 1);
            let star = |&n: &usize| if n == 0 { 1..NODES } else { 0..0 };
            assert_eq!(walk_tree(0, list).count(), NODES);
            assert_eq!(walk_tree_prefix(0, list).count(), NODES);
            assert_eq!(walk_tree_postfix(0, list).count(), NODES);
            assert_eq!(walk_tree(0, star).count(), NODES);
            assert_eq!(walk_tree_prefix(0, star).count(), NODES);
            assert_eq!(walk_tree_postfix(0, star).count(), NODES);
        });
    })
    .is_well();
}

// 93: many threads, and alone, because two that take turns on a busy machine hardly ever wait for each other's pieces.
#[test]
fn a_spine_with_leaves() {
    child_alone(2, || {
        const NODES: u64 = 300_000;
        // Every tenth node has ten children; the spine goes on in the first or in the last of them.
        fn children(first: u64) -> impl Fn(&u64) -> std::ops::Range<u64> + Copy {
            move |&node| match node {
                0 => 1..11,
                _ if node % 10 == first => {
                    let from = node - first + if first == 0 { 1 } else { 11 };
                    from..(from + 10).min(NODES).max(from)
                }
                _ => 0..0,
            }
        }
        fn check() {
            for first in [0, 1] {
                let children = children(first);
                let (mut nodes, mut stack) = (0, vec![0]);
                while let Some(node) = stack.pop() {
                    nodes += 1;
                    stack.extend(children(&node));
                }
                assert!(nodes > NODES / 2);
                let reduced = tree_reduce(0, children, |_| 1, |sum, child| sum + child);
                assert_eq!(reduced, nodes);
                assert_eq!(walk_tree(0, children).count() as u64, nodes);
                assert_eq!(walk_tree_postfix(0, children).count() as u64, nodes);
            }
        }
        for threads in [1, 2, 8] {
            let builder = ThreadPoolBuilder::new().num_threads(threads);
            let pool = builder.stack_size(1 << 20).build().unwrap();
            pool.install(check);
            pool.shutdown();
        }
        let outside = std::thread::Builder::new().stack_size(1 << 20).spawn(check);
        outside.unwrap().join().unwrap();
    })
    .is_well();
}
