//! Work lists against loops over a stack or a heap.

use crate::support::{
    Ledger, Muster, Place, Token, alone, caught, costly, force_everywhere, oracle, same_everywhere,
    within,
};
use crate::trees::{Fuse, Tree, grow, trees};
use filch::algo::{for_each_spawn, for_each_spawn_by_level};
use filch::iter::plumbing::Cuts;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

/// How often each node of a tree is visited.
fn visits(tree: &Tree) -> Vec<usize> {
    let visits: Vec<AtomicUsize> = tree.iter().map(|_| AtomicUsize::new(0)).collect();
    for_each_spawn([0], |node: usize, list| {
        costly(node as i32);
        visits[node].fetch_add(1, Relaxed);
        for &child in &tree[node] {
            list.spawn(child);
        }
    });
    visits.into_iter().map(AtomicUsize::into_inner).collect()
}

#[test]
fn each_item_once() {
    oracle(trees(), visits, |tree| vec![1; tree.len()]);
}

#[test]
fn nothing_to_do() {
    for_each_spawn([], |(): (), _| panic!("an item from nowhere"));
    for_each_spawn_by_level([], |(): (), _| panic!("an item from nowhere"));
}

/// The levels in the order in which they were worked on, and how many items each had.
fn rounds(tree: &Tree, step: impl Fn(usize) -> usize + Sync) -> Vec<(usize, usize)> {
    let log = Mutex::new(Vec::new());
    for_each_spawn_by_level([(3, 0)], |node: usize, list| {
        costly(node as i32);
        let level = list.level();
        log.lock().unwrap().push(level);
        for &child in &tree[node] {
            list.spawn(level + step(child), child);
        }
    });
    let log = log.into_inner().unwrap();
    log.chunk_by(|a, b| a == b)
        .map(|run| (run[0], run.len()))
        .collect()
}

fn rounds_by_table(tree: &Tree, step: impl Fn(usize) -> usize) -> Vec<(usize, usize)> {
    let mut levels = vec![3; tree.len()];
    for node in 0..tree.len() {
        for &child in &tree[node] {
            levels[child] = levels[node] + step(child);
        }
    }
    levels.sort_unstable();
    levels
        .chunk_by(|a, b| a == b)
        .map(|run| (run[0], run.len()))
        .collect()
}

#[test]
fn levels_one_after_the_other() {
    oracle(
        trees(),
        |tree| rounds(tree, |_| 1),
        |tree| rounds_by_table(tree, |_| 1),
    );
}

#[test]
fn levels_with_gaps() {
    // Some children are for the level of their parents.
    let step = |node: usize| node % 5 * 1000;
    oracle(
        trees(),
        move |tree| rounds(tree, step),
        move |tree| rounds_by_table(tree, step),
    );
}

#[test]
fn a_level_that_is_over_is_the_current_one() {
    let levels = Mutex::new(Vec::new());
    for_each_spawn_by_level([(5, true), (9, false)], |again, list| {
        levels.lock().unwrap().push(list.level());
        if again {
            list.spawn(2, false);
            list.spawn(usize::MAX, false);
        }
    });
    assert_eq!(levels.into_inner().unwrap(), [5, 5, 9, usize::MAX]);
}

/// Shortest paths by levels: the work that one level leaves behind is visible to the next.
#[test]
fn shortest_paths() {
    oracle(
        trees(),
        |tree| {
            let n = tree.len();
            let nearest: Vec<AtomicU64> = (0..n).map(|_| AtomicU64::new(u64::MAX)).collect();
            for_each_spawn_by_level([(0, 0)], |node: usize, list| {
                let here = list.level();
                if nearest[node].fetch_min(here as u64, Relaxed) > here as u64 {
                    let further = tree[node].iter().map(|&next| (next, 3));
                    for (next, length) in further.chain([((node * 7 + 1) % n, 5)]) {
                        list.spawn(here + length, next);
                    }
                }
            });
            nearest
                .into_iter()
                .map(AtomicU64::into_inner)
                .collect::<Vec<_>>()
        },
        |tree| {
            let n = tree.len();
            let mut nearest = vec![u64::MAX; n];
            nearest[0] = 0;
            loop {
                let before = nearest.clone();
                for node in (0..n).filter(|&node| before[node] < u64::MAX) {
                    let further = tree[node].iter().map(|&next| (next, 3));
                    for (next, length) in further.chain([((node * 7 + 1) % n, 5)]) {
                        nearest[next] = nearest[next].min(before[node] + length);
                    }
                }
                if nearest == before {
                    return nearest;
                }
            }
        },
    );
}

#[test]
fn a_chain_of_a_million_items() {
    same_everywhere(
        || {
            let (sum, levels) = (AtomicU64::new(0), AtomicU64::new(0));
            for_each_spawn([1_000_000u64], |left, list| {
                sum.fetch_add(left, Relaxed);
                list.extend(left.checked_sub(1));
            });
            for_each_spawn_by_level([(0, ())], |(), list| {
                levels.fetch_add(1, Relaxed);
                let next = list.level() + 1;
                if next < 10_000 {
                    list.spawn(next, ());
                }
            });
            (sum.into_inner(), levels.into_inner())
        },
        || (1_000_000 * 1_000_001 / 2, 10_000),
    );
}

/// Some cheap items, and then long ones: of these a block swallows no more than it does between two looks.
#[test]
fn long_items_behind_cheap_ones_are_shared() {
    within(60, || {
        let pool = filch::ThreadPoolBuilder::new()
            .num_threads(2)
            .build()
            .unwrap();
        let muster = Muster::of(2);
        // The first calls are soon over, and known for it. The last items are taken first.
        for long in [0, 0, 0, 400] {
            pool.install(|| {
                for_each_spawn(0..600, |x, _| {
                    if x < long {
                        muster.stay(Duration::from_millis(2));
                    }
                });
            });
        }
        assert_eq!(muster.seen(), 2);
    });
}

/// Levels of so many items that they come from several threads in long vectors.
#[test]
fn long_levels() {
    same_everywhere(
        || {
            let sum = AtomicU64::new(0);
            for_each_spawn_by_level([(0, 1u64)], |item, list| {
                sum.fetch_add(item, Relaxed);
                if item < 1 << 14 {
                    let next = list.level() + 1;
                    list.spawn(next, 2 * item);
                    list.spawn(next, 2 * item + 1);
                }
            });
            sum.into_inner()
        },
        || (1..1 << 15).sum(),
    );
}

fn same_under(cuts: Cuts) {
    force_everywhere(cuts);
    for (n, reach) in [(1, 1), (10, 1), (300, 4), (300, 300)] {
        for seed in 0..10 {
            let tree = grow(n, seed, reach);
            assert_eq!(visits(&tree), vec![1; n]);
            assert_eq!(rounds(&tree, |_| 1), rounds_by_table(&tree, |_| 1));
        }
    }
}

#[test]
fn the_same_if_always_cut() {
    alone(3, 60, || same_under(Cuts::Always));
}

#[test]
fn the_same_if_cut_at_random() {
    alone(2, 60, || same_under(Cuts::Random(1)));
}

/// Each item is dropped once: by a body that got it, or because a body panicked.
#[test]
fn a_panic_at_each_item() {
    within(120, || {
        const N: usize = 15;
        for by_level in [false, true] {
            for place in Place::all() {
                for calls in 0..=N {
                    let ledger = Ledger::new(N);
                    let fuse = Fuse::of(calls);
                    let children = |token: &Token| {
                        fuse.burn();
                        let first = 2 * token.id() + 1;
                        (first..first + 2)
                            .filter(|&id| id < N)
                            .map(|id| ledger.token(id))
                    };
                    let outcome = caught(|| {
                        place.run(|| match by_level {
                            false => for_each_spawn([ledger.token(0)], |token, list| {
                                list.extend(children(&token));
                            }),
                            true => {
                                for_each_spawn_by_level([(0, ledger.token(0))], |token, list| {
                                    let level = list.level() + token.id() % 3;
                                    children(&token).for_each(|child| list.spawn(level, child));
                                })
                            }
                        })
                    });
                    assert_eq!(outcome, if calls < N { Err(1) } else { Ok(()) });
                    ledger.assert_all_gone();
                    assert!((0..N).all(|id| ledger.made(id) <= 1));
                    assert!(calls < N || (0..N).all(|id| ledger.made(id) == 1));
                }
            }
        }
    });
}
