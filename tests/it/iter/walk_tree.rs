//! Trees walked in parallel.

use crate::support::{Dice, costly, oracle, planted, same_everywhere, within};
use filch::iter::{walk_tree, walk_tree_postfix, walk_tree_prefix};
use filch::prelude::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicIsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

/// A tree in tables: the children of each node, which all have higher numbers.
fn trees() -> impl Strategy<Value = Vec<Vec<usize>>> {
    (1..600usize, any::<u64>(), 1..20usize).prop_map(|(n, seed, reach)| {
        let mut dice = Dice::new(seed);
        let mut children = vec![Vec::new(); n];
        for node in 1..n {
            // A short reach makes deep trees, a long one makes flat ones.
            let parent = node - 1 - dice.below(reach.min(node));
            children[parent].push(node);
        }
        children
    })
}

fn prefix(tree: &[Vec<usize>], node: usize, all: &mut Vec<usize>) {
    all.push(node);
    tree[node]
        .iter()
        .for_each(|&child| prefix(tree, child, all));
}

fn postfix(tree: &[Vec<usize>], node: usize, all: &mut Vec<usize>) {
    tree[node]
        .iter()
        .for_each(|&child| postfix(tree, child, all));
    all.push(node);
}

#[test]
fn in_order() {
    oracle(
        trees(),
        |tree| {
            let children = |node: &usize| {
                costly(*node as i32);
                tree[*node].clone()
            };
            (
                walk_tree_prefix(0, children).collect::<Vec<_>>(),
                walk_tree_postfix(0, children).collect::<Vec<_>>(),
            )
        },
        |tree| {
            let (mut pre, mut post) = (Vec::new(), Vec::new());
            prefix(tree, 0, &mut pre);
            postfix(tree, 0, &mut post);
            (pre, post)
        },
    );
}

#[test]
fn in_any_order() {
    oracle(
        trees(),
        |tree| {
            let mut all: Vec<usize> = walk_tree(0, |&node| tree[node].iter().copied()).collect();
            all.sort_unstable();
            all
        },
        |tree| (0..tree.len()).collect(),
    );
}

#[test]
fn searches_and_sums() {
    oracle(
        trees(),
        |tree| {
            let pre = || walk_tree_prefix(0, |&node| tree[node].iter().copied());
            (
                pre().find_first(|n| n % 7 == 6),
                pre().find_last(|n| n % 7 == 6),
                pre().sum::<usize>(),
            )
        },
        |tree| {
            let mut all = Vec::new();
            prefix(tree, 0, &mut all);
            let mut nodes = all.iter().copied();
            (
                nodes.clone().find(|n| n % 7 == 6),
                nodes.rfind(|n| n % 7 == 6),
                all.iter().sum(),
            )
        },
    );
}

/// Children by an iterator that is too large to move about: such trees are walked by recursion.
fn large(tree: &[Vec<usize>]) -> impl Fn(&usize) -> Large + Sync {
    |&node| Large {
        children: tree[node].clone().into_iter(),
        _room: [0; 8],
    }
}

struct Large {
    children: std::vec::IntoIter<usize>,
    _room: [u64; 8],
}

impl Iterator for Large {
    type Item = usize;
    fn next(&mut self) -> Option<usize> {
        self.children.next()
    }
}

impl DoubleEndedIterator for Large {
    fn next_back(&mut self) -> Option<usize> {
        self.children.next_back()
    }
}

#[test]
fn by_recursion() {
    oracle(
        trees(),
        |tree| {
            let children = |node: &usize| {
                costly(*node as i32);
                large(tree)(node)
            };
            let pre = || walk_tree_prefix(0, children);
            let post = || walk_tree_postfix(0, children);
            // Numbers from 0 and in no order, so the first few may be any.
            let some = post().take_any(5).collect::<BTreeSet<_>>();
            (
                pre().collect::<Vec<_>>(),
                post().collect::<Vec<_>>(),
                walk_tree(0, children).sum::<usize>(),
                post()
                    .map(|n| (n, 1))
                    .reduce(|| (0, 0), |a, b| (a.0 ^ b.0, a.1 + b.1)),
                pre().find_first(|n| n % 7 == 6),
                post().find_first(|n| n % 7 == 6),
                post().find_last(|n| n % 7 == 6),
                some.len() == 5.min(tree.len()) && some.iter().all(|&n| n < tree.len()),
            )
        },
        |tree| {
            let (mut pre, mut post) = (Vec::new(), Vec::new());
            prefix(tree, 0, &mut pre);
            postfix(tree, 0, &mut post);
            let searched = |&&n: &&usize| n % 7 == 6;
            let sums = pre.iter().fold((0, 0), |a, n| (a.0 ^ n, a.1 + 1));
            (
                pre.clone(),
                post.clone(),
                pre.iter().sum(),
                sums,
                pre.iter().find(searched).copied(),
                post.iter().find(searched).copied(),
                post.iter().rev().find(searched).copied(),
                true,
            )
        },
    );
}

/// Each node that was made is dropped, whichever call panics: of the children, or of the fold.
#[test]
fn a_panic_amid_a_recursion_drops_all_nodes() {
    struct Node<'a>(usize, &'a AtomicIsize);
    impl<'a> Node<'a> {
        fn new(node: usize, alive: &'a AtomicIsize) -> Self {
            alive.fetch_add(1, Relaxed);
            Node(node, alive)
        }
    }
    impl Drop for Node<'_> {
        fn drop(&mut self) {
            self.1.fetch_sub(1, Relaxed);
        }
    }
    const NODES: usize = 200;
    for panics_at in (0..2 * NODES as isize).step_by(7) {
        for postfix in [false, true] {
            let (alive, fuse) = (AtomicIsize::new(0), AtomicIsize::new(panics_at));
            let burn = || {
                if fuse.fetch_sub(1, Relaxed) == 0 {
                    planted(1);
                }
            };
            let children = |node: &Node<'_>| {
                burn();
                let (first, alive) = (3 * node.0 + 1, &alive);
                let children = [first, first + 1, first + 2, NODES, NODES];
                let children = children.into_iter().filter(|&n| n < NODES);
                children.map(move |n| Node::new(n, alive))
            };
            let visit = |_| burn();
            let root = Node::new(0, &alive);
            let walked = catch_unwind(AssertUnwindSafe(|| match postfix {
                false => walk_tree_prefix(root, children).for_each(visit),
                true => walk_tree_postfix(root, children).for_each(visit),
            }));
            assert!(walked.is_err());
            assert_eq!(alive.into_inner(), 0);
        }
    }
}

/// A tree without branches, deeper than a stack could follow.
#[test]
fn a_list() {
    within(60, || {
        same_everywhere(
            || {
                walk_tree(0u32, |&n| (n < 100_000).then_some(n + 1))
                    .map(u64::from)
                    .sum::<u64>()
            },
            || 100_000 * 100_001 / 2,
        );
    });
}

/// One node with very many children.
#[test]
fn a_star() {
    same_everywhere(
        || {
            let children = |&n: &u32| if n == 0 { 1..50_000 } else { 0..0 };
            walk_tree(0u32, children).map(u64::from).sum::<u64>()
        },
        || 49_999 * 50_000 / 2,
    );
}

/// A walk that was always short is done without the driver; one that is suddenly long is shared all the same.
#[test]
fn a_walk_that_was_short_and_is_long_is_shared() {
    fn threads(nodes: usize, rest: Duration) -> usize {
        let seen = Mutex::new(BTreeSet::new());
        let children = |&n: &usize| 2 * n..nodes.min(2 * n + 2).max(2 * n);
        let visited = walk_tree(1, children).map(|_| {
            if !rest.is_zero() {
                thread::sleep(rest);
                seen.lock().unwrap().insert(filch::current_thread_index());
            }
            1
        });
        assert_eq!(visited.sum::<usize>(), nodes - 1);
        seen.into_inner().unwrap().len()
    }
    within(60, || {
        let pool = filch::ThreadPoolBuilder::new().num_threads(2).build();
        pool.unwrap().install(|| {
            loop {
                for _ in 0..50 {
                    threads(11, Duration::ZERO);
                }
                if threads(500, Duration::from_micros(50)) == 2 {
                    break;
                }
            }
        })
    });
}
