//! Trees walked in parallel.

use crate::support::{
    Dice, Ledger, Place, Token, caught, costly, oracle, planted, pool, same_everywhere, within,
};
use filch::iter::{walk_tree, walk_tree_postfix, walk_tree_prefix};
use filch::prelude::*;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
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

/// A spine whose nodes have many leaves besides: the spine goes on in the first child.
fn spine(levels: usize, leaves: usize) -> Vec<Vec<usize>> {
    let node = |node| match node % leaves == 0 && node < levels * leaves {
        true => (node + leaves..node + 2 * leaves).collect(),
        false => Vec::new(),
    };
    (0..(levels + 1) * leaves).map(node).collect()
}

#[test]
fn a_spine_of_many_leaves() {
    let tree = &spine(40, 500);
    let below = |node: &usize| tree[*node].iter().copied();
    let (mut pre, mut post) = (Vec::new(), Vec::new());
    prefix(tree, 0, &mut pre);
    postfix(tree, 0, &mut post);
    same_everywhere(
        || {
            let nodes = || walk_tree_prefix(0, below);
            let some = |&node: &usize| node % 501 == 7;
            let found = (nodes().find_first(some), nodes().find_last(some));
            (nodes().collect::<Vec<_>>(), found)
        },
        || {
            let some = |&&node: &&usize| node % 501 == 7;
            let found = (pre.iter().find(some), pre.iter().rfind(some));
            (pre.clone(), (found.0.copied(), found.1.copied()))
        },
    );
    same_everywhere(|| walk_tree_postfix(0, below).collect(), || post.clone());
}

#[test]
fn a_panic_in_a_spine_of_many_leaves_drops_each_node_once() {
    const NODES: usize = 11 * 40;
    let tree = &spine(10, 40);
    for place in Place::all() {
        for at in (40..NODES).step_by(29) {
            let ledger = Ledger::new(NODES);
            let of = |node: &Token| {
                let below = tree[node.id()].iter();
                below.map(|&child| ledger.token(child)).collect::<Vec<_>>()
            };
            let take = |node: Token| {
                costly(node.id() as i32);
                if node.id() == at {
                    planted(at);
                }
            };
            let root = || ledger.token(0);
            let pre = place.run(|| caught(|| walk_tree_prefix(root(), of).for_each(take)));
            assert_eq!(pre, Err(at), "{place:?}");
            let post = place.run(|| caught(|| walk_tree_postfix(root(), of).for_each(take)));
            assert_eq!(post, Err(at), "{place:?}");
            ledger.assert_all_gone();
        }
    }
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

/// A search that is over asks for no more children.
#[test]
fn postfix_children_are_left_alone_when_a_search_is_over() {
    let asked = AtomicUsize::new(0);
    let children = |&n: &usize| {
        let count = if n == 0 { 1_000_000 } else { 0 };
        (1..=count).inspect(|_| _ = asked.fetch_add(1, SeqCst))
    };
    let found = pool(1).install(|| walk_tree_postfix(0, children).find_any(|&n| n == 1));
    assert_eq!(found, Some(1));
    assert!(asked.load(SeqCst) < 1000, "{}", asked.load(SeqCst));
}
