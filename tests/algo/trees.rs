//! Trees folded bottom up, and walks of trees of the shapes that recursion cannot follow.

use crate::support::{
    Dice, Ledger, Muster, Place, Token, alone, caught, costly, force_everywhere, oracle, planted,
    same_everywhere, within,
};
use filch::algo::{for_each_spawn, for_each_spawn_by_level, tree_fold, tree_reduce};
use filch::iter::plumbing::Cuts;
use filch::iter::{walk_tree, walk_tree_postfix, walk_tree_prefix};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use proptest::prelude::*;
use std::sync::atomic::{AtomicIsize, AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// A tree in tables: the children of each node, which all have higher numbers.
pub type Tree = Vec<Vec<usize>>;

/// A tree of `n` nodes. A short reach makes deep trees, a long one makes flat ones.
pub fn grow(n: usize, seed: u64, reach: usize) -> Tree {
    let mut dice = Dice::new(seed);
    let mut children = vec![Vec::new(); n];
    for node in 1..n {
        let parent = node - 1 - dice.below(reach.min(node));
        children[parent].push(node);
    }
    children
}

pub fn trees() -> impl Strategy<Value = Tree> {
    (1..600usize, any::<u64>(), 1..20usize).prop_map(|(n, seed, reach)| grow(n, seed, reach))
}

/// The tree as text: neither commutative nor associative.
fn written(tree: &Tree) -> String {
    tree_fold(
        0,
        |&node: &usize| tree[node].iter().copied(),
        |node| {
            costly(node as i32);
            (node, Vec::new())
        },
        |(node, mut parts), part: String| {
            parts.push(part);
            (node, parts)
        },
        |(node, parts)| format!("{node}({})", parts.join(" ")),
    )
}

fn written_recursively(tree: &Tree, node: usize) -> String {
    let parts: Vec<String> = tree[node]
        .iter()
        .map(|&child| written_recursively(tree, child))
        .collect();
    format!("{node}({})", parts.join(" "))
}

/// Not associative: the shape counts.
fn mix(so_far: u64, child: u64) -> u64 {
    so_far.rotate_left(7).wrapping_mul(31) ^ child
}

fn mixed_recursively(tree: &Tree, node: usize) -> u64 {
    tree[node]
        .iter()
        .map(|&child| mixed_recursively(tree, child))
        .fold(node as u64, mix)
}

#[test]
fn folds_in_order() {
    oracle(trees(), written, |tree| written_recursively(tree, 0));
}

#[test]
fn reduces_in_order() {
    oracle(
        trees(),
        |tree| {
            let children = |&node: &usize| {
                costly(node as i32);
                tree[node].clone()
            };
            tree_reduce(0, children, |node| node as u64, mix)
        },
        |tree| mixed_recursively(tree, 0),
    );
}

fn same_under(cuts: Cuts) {
    force_everywhere(cuts);
    for (n, reach) in [
        (1, 1),
        (2, 1),
        (3, 1),
        (3, 3),
        (10, 1),
        (300, 1),
        (300, 4),
        (300, 300),
    ] {
        for seed in 0..10 {
            let tree = grow(n, seed, reach);
            assert_eq!(written(&tree), written_recursively(&tree, 0));
            let children = |&node: &usize| tree[node].clone();
            let reduced = tree_reduce(0, children, |node| node as u64, mix);
            assert_eq!(reduced, mixed_recursively(&tree, 0));
            let depths = tree_reduce(0, children, |_| 0, |depth, below: u32| depth.max(below + 1));
            let nodes: Vec<usize> = walk_tree_postfix(0, children).collect();
            let order = tree_fold(
                0,
                children,
                |node| (node, vec![]),
                |(node, mut all), below| {
                    all.extend::<Vec<usize>>(below);
                    (node, all)
                },
                |(node, mut all)| {
                    all.push(node);
                    all
                },
            );
            assert_eq!(nodes, order);
            let deepest = filch::algo::par_bfs(n, [0], |node| tree[node].iter().copied());
            assert_eq!(deepest.into_iter().max(), Some(depths));
            let spawned = AtomicUsize::new(0);
            for_each_spawn([0], |node: usize, list| {
                spawned.fetch_add(node + 1, Relaxed);
                list.extend(tree[node].iter().copied());
            });
            assert_eq!(spawned.into_inner(), n * (n + 1) / 2);
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

#[test]
fn the_same_if_never_cut() {
    alone(2, 60, || same_under(Cuts::Never));
}

/// A pool with small stacks.
fn small(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(1 << 20)
        .build()
        .unwrap()
}

/// Runs on small stacks: of a pool's threads, and of one outside.
fn on_small_stacks(check: fn()) {
    for threads in [1, 2] {
        small(threads).install(check);
    }
    let outside = thread::Builder::new().stack_size(1 << 20).spawn(check);
    outside.unwrap().join().unwrap();
}

const MANY: u64 = if cfg!(debug_assertions) {
    200_000
} else {
    1_000_000
};

fn all_ways(children: impl Fn(&u64) -> std::ops::Range<u64> + Send + Sync, height: u64) {
    let sum = MANY * (MANY - 1) / 2;
    assert_eq!(
        tree_reduce(0, &children, |node| node, |sum, child| sum + child),
        sum
    );
    let deepest = |height: u64, child: u64| height.max(child + 1);
    assert_eq!(tree_reduce(0, &children, |_| 0, deepest), height);
    assert_eq!(walk_tree(0, &children).sum::<u64>(), sum);
    assert_eq!(
        walk_tree_prefix(0, &children).find_first(|&node| node == MANY - 1),
        Some(MANY - 1)
    );
    assert_eq!(walk_tree_postfix(0, &children).sum::<u64>(), sum);
    assert_eq!(walk_tree_postfix(0, &children).find_last(|_| true), Some(0));
    let spawned = AtomicUsize::new(0);
    for_each_spawn([0], |node, list| {
        spawned.fetch_add(1, Relaxed);
        list.extend(children(&node));
    });
    assert_eq!(spawned.into_inner() as u64, MANY);
}

/// Searches from the right cut before they fold, and each piece that is taken is cut again: on a list, with most of it still to come.
#[test]
fn a_search_from_the_right_through_a_list() {
    const NODES: u64 = 300_000;
    let expensive = |_: &u64| {
        std::hint::black_box((0..300).fold(1u64, |x, y| std::hint::black_box(x ^ y)));
        false
    };
    within(120, move || {
        for threads in [2, 3] {
            small(threads).install(|| {
                let children = |&node: &u64| node + 1..(node + 2).min(NODES);
                assert_eq!(walk_tree_postfix(0, children).find_last(expensive), None);
                assert_eq!(walk_tree_prefix(0, children).find_last(expensive), None);
            });
        }
    });
}

/// A few items that take long are all there is to share, after others that do not.
#[test]
fn few_items_that_take_long_are_shared() {
    // Four may be one block: what is remembered as cheap is looked at after one step, then after four more.
    const EXPENSIVE: usize = 8;
    within(60, || {
        let pool = small(2);
        for way in 0..3 {
            for cheap in [0, 1, 3] {
                let muster = Muster::of(2);
                let visit = |item: usize, expensive: bool| {
                    if expensive && item < EXPENSIVE {
                        muster.stay(Duration::from_millis(250));
                    }
                    1
                };
                let all = EXPENSIVE + cheap;
                // The root of a tree, or the last item of a list, comes first.
                let children = |&node: &usize| if node == all { 0..all } else { 0..0 };
                let run = |expensive: bool| match way {
                    0 => tree_reduce(all, children, |node| visit(node, expensive), |n, m| n + m),
                    1 => {
                        for_each_spawn(0..all, |item, _| _ = visit(item, expensive));
                        all + 1
                    }
                    _ => {
                        let items = (0..all).map(|item| (0, item));
                        for_each_spawn_by_level(items, |item, _| _ = visit(item, expensive));
                        all + 1
                    }
                };
                pool.install(|| {
                    // Until it is remembered as soon over; what is expensive is not forgotten at once.
                    for _ in 0..40 {
                        assert_eq!(run(false), all + 1);
                    }
                    assert_eq!(run(true), all + 1);
                });
                assert_eq!(muster.seen(), 2, "way {way}, after {cheap} cheap items");
            }
        }
    });
}

/// The recursion is less deep where results are large.
#[test]
fn results_of_many_bytes_fit_on_small_stacks() {
    within(60, || {
        on_small_stacks(|| {
            let next = |&node: &usize| node + 1..(node + 2).min(500);
            let last = tree_fold(
                0,
                next,
                |node| (node, 0.0),
                |(node, _), child: [f64; 4096]| (node, child[7]),
                |(node, last)| [if node == 499 { 3.0 } else { last }; 4096],
            );
            assert_eq!(last[4095], 3.0);
        });
    });
}

#[test]
fn a_long_list() {
    within(120, || {
        on_small_stacks(|| all_ways(|&node| node + 1..(node + 2).min(MANY), MANY - 1));
    });
}

#[test]
fn a_wide_star() {
    within(120, || {
        on_small_stacks(|| all_ways(|&node| if node == 0 { 1..MANY } else { 0..0 }, 1));
    });
}

/// A long list, and at its end a thousand leaves, each of which takes a while until a second thread has come.
#[test]
fn demand_found_late_is_met() {
    const LATE: usize = 20_000;
    fn children(&node: &usize) -> std::ops::Range<usize> {
        match node {
            0..LATE => node + 1..node + 2,
            LATE => LATE + 1..LATE + 1000,
            _ => 0..0,
        }
    }
    within(60, || {
        for way in 0..4 {
            let pool = small(2);
            let muster = Muster::of(2);
            let visit = |node: usize| {
                if node > LATE {
                    muster.stay(Duration::from_millis(5));
                }
                1
            };
            let count = pool.install(|| match way {
                0 => walk_tree(0, children).map(visit).sum(),
                1 => walk_tree_postfix(0, children).map(visit).sum(),
                2 => tree_reduce(0, children, visit, |sum, child| sum + child),
                _ => {
                    let count = AtomicUsize::new(0);
                    for_each_spawn([0], |node, list| {
                        list.extend(children(&node));
                        count.fetch_add(visit(node), Relaxed);
                    });
                    count.into_inner()
                }
            });
            assert_eq!(count, LATE + 1000);
            assert_eq!(muster.seen(), 2, "way {way}");
        }
    });
}

/// Counts down to a panic, with some work for others at each call.
pub struct Fuse(AtomicIsize);

impl Fuse {
    pub fn of(calls: usize) -> Self {
        Fuse(AtomicIsize::new(calls as isize))
    }

    pub fn burn(&self) {
        costly(0);
        if self.0.fetch_sub(1, Relaxed) == 0 {
            planted(1);
        }
    }

    /// Whether the panic came.
    pub fn is_burnt(&self) -> bool {
        self.0.load(Relaxed) < 0
    }
}

#[test]
fn a_panic_at_each_call() {
    within(120, || {
        for (n, reach) in [(1, 1), (7, 1), (7, 7), (12, 3)] {
            let tree = grow(n, 5, reach);
            for place in Place::all() {
                for calls in 0.. {
                    let ledger = Ledger::new(n);
                    let fuse = Fuse::of(calls);
                    let outcome = caught(|| {
                        place.run(|| {
                            tree_fold(
                                ledger.token(0),
                                |node: &Token| {
                                    fuse.burn();
                                    tree[node.id()].iter().map(|&child| {
                                        fuse.burn();
                                        ledger.token(child)
                                    })
                                },
                                |node| {
                                    fuse.burn();
                                    vec![node]
                                },
                                |mut all, below: Vec<Token>| {
                                    fuse.burn();
                                    all.extend(below);
                                    all
                                },
                                |all| {
                                    fuse.burn();
                                    all
                                },
                            )
                        })
                    });
                    let over = outcome.is_ok();
                    assert_eq!(over, !fuse.is_burnt());
                    if let Ok(all) = outcome {
                        assert_eq!(all.len(), n);
                        ledger.assert_each_live(1);
                    }
                    ledger.assert_all_gone();
                    if over {
                        break;
                    }
                }
            }
        }
    });
}

#[test]
fn nodes_and_results_without_size() {
    same_everywhere(
        || {
            let left = AtomicIsize::new(999);
            let nodes = AtomicUsize::new(0);
            tree_reduce(
                (),
                |()| {
                    (0..3)
                        .filter(|_| left.fetch_sub(1, Relaxed) > 0)
                        .map(|_| ())
                },
                |()| {
                    nodes.fetch_add(1, Relaxed);
                },
                |(), ()| (),
            );
            nodes.into_inner()
        },
        || 1000,
    );
}
