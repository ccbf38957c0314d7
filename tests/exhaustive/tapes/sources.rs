//! Sources: vectors by value are those of the other cases. Bridges from ordinary iterators are not here: they go by the clock, whatever a script says, or are one
//! fold on one thread.

use super::plumbing::second_half;
use super::{cases, ids, pass, sorted_ids};
use crate::support::Token;
use filch::iter::{Either, once, repeat_n, split, walk_tree, walk_tree_postfix, walk_tree_prefix};
use filch::prelude::*;
use std::collections::{BTreeMap, VecDeque};

/// What is under a node of a tree of `n` nodes, whose root is 0.
fn under(node: usize, n: usize) -> impl DoubleEndedIterator<Item = usize> + Send {
    (2 * node + 1..2 * node + 3).filter(move |&child| child < n)
}

/// The root, or nothing if the tree has no node.
fn root(tokens: &[Token]) -> Vec<Token> {
    tokens.iter().take(1).cloned().collect()
}

cases! {
    walk(5): |v, s| {
        let children = |t: &Token| { s.step(); under(t.id(), v.len()).map(|i| v[i].clone()).collect::<Vec<_>>() };
        sorted_ids(root(&v).into_iter().flat_map(|root| walk_tree(root, children).collect::<Vec<_>>()))
    }; |n| (0..n).collect();
    walk_prefix(5): |v, s| {
        let children = |t: &Token| { s.step(); under(t.id(), v.len()).map(|i| v[i].clone()).collect::<Vec<_>>() };
        ids(root(&v).into_iter().flat_map(|root| walk_tree_prefix(root, children).collect::<Vec<_>>()))
    }; |n| [0, 1, 3, 4, 2].into_iter().filter(|&i| i < n).collect();
    walk_postfix(4): |v, s| {
        let children = |t: &Token| { s.step(); under(t.id(), v.len()).map(|i| v[i].clone()).collect::<Vec<_>>() };
        ids(root(&v).into_iter().flat_map(|root| walk_tree_postfix(root, children).collect::<Vec<_>>()))
    }; |n| [3, 4, 1, 2, 0].into_iter().filter(|&i| i < n).collect();
    walk_prefix_find_first(5): |v, s| {
        let children = |t: &Token| { s.step(); under(t.id(), v.len()).map(|i| v[i].clone()).collect::<Vec<_>>() };
        ids(root(&v).into_iter().flat_map(|root| walk_tree_prefix(root, children).find_first(|t| t.id() > 1)))
    }; |n| (0..n).filter(|_| n > 2).take(1).map(|_| if n > 3 { 3 } else { 2 }).collect();
    splits(5): |v, s| {
        let split = split(v, |mut part| { let right = second_half(&mut part, s); (part, right) });
        ids(split.flat_map_iter(|part| part).collect::<Vec<_>>())
    }; |n| (0..n).collect();
    splits_find_last(5): |v, s| {
        let split = split(v, |mut part| { let right = second_half(&mut part, s); (part, right) });
        ids(split.find_map_last(|part| part.into_iter().rfind(|t| t.id() < 3)))
    }; |n| (0..n.min(3)).last().into_iter().collect();
    repeated(5): |v, s| {
        let n = v.len();
        let state = v.into_iter().fold(s.state(), |state, t| state.keep(t));
        repeat_n(state, n).flat_map_iter(|state| ids(state.seen())).collect()
    }; |n| (0..n).flat_map(|_| 0..n).collect();
    one(5): |v, s| ids(once(v).flat_map(|v| v).map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    either(5): |v, s| {
        let all = if v.len() % 2 == 0 { Either::Left(v.into_par_iter()) } else { Either::Right(VecDeque::from(v).into_par_iter()) };
        ids(all.map(|t| pass(s, t)).collect::<Vec<_>>())
    }; |n| (0..n).collect();
    drain(5): |v, s| {
        let mut all = v;
        let drained: Vec<Token> = all.par_drain(1.min(all.len())..).map(|t| pass(s, t)).collect();
        ids(all.into_iter().chain(drained))
    }; |n| (0..n).collect();
    deque(5): |v, s| ids(VecDeque::from(v).into_par_iter().map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    map_of_tokens(5): |v, s| { let map: BTreeMap<usize, Token> = v.into_iter().enumerate().collect(); ids(map.into_par_iter().map(|(_, t)| pass(s, t)).collect::<Vec<_>>()) };
        |n| (0..n).collect();
    inclusive(5): |v, s| (1..=v.len() as u64).into_par_iter().map(|i| { s.step(); i as usize }).collect(); |n| (1..=n).collect();
}
