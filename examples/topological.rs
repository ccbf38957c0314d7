//! A topological order of a graph without cycles: every node after all that it depends on.
//!
//! Kahn's algorithm on a work list by levels: a node that is done tells its dependents, and the last one to tell a node puts it on the list for
//! the next level. A node's level is the length of the longest path that leads to it, so levels, and the order by level and number, are
//! the same on any number of threads. A node on a cycle is never put on the list.

use filch::algo::for_each_spawn_by_level;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

type Graph = Vec<Vec<usize>>;

/// The nodes in an order in which every edge leads forward; `None` if there is a cycle.
fn topological_order(graph: &Graph) -> Option<Vec<usize>> {
    const NEVER: usize = usize::MAX;
    let counters =
        |value| -> Vec<AtomicUsize> { graph.iter().map(|_| AtomicUsize::new(value)).collect() };
    let (waits_for, levels) = (counters(0), counters(NEVER));
    graph.par_iter().flatten_iter().for_each(|&next| {
        waits_for[next].fetch_add(1, Relaxed);
    });
    let ready = |&node: &usize| waits_for[node].load(Relaxed) == 0;
    let first: Vec<usize> = (0..graph.len()).filter(ready).collect();
    for_each_spawn_by_level(first.into_iter().map(|node| (0, node)), |node, list| {
        let level = list.level();
        levels[node].store(level, Relaxed);
        for &next in &graph[node] {
            if waits_for[next].fetch_sub(1, Relaxed) == 1 {
                list.spawn(level + 1, next);
            }
        }
    });
    let levels: Vec<usize> = levels.into_iter().map(AtomicUsize::into_inner).collect();
    let mut order: Vec<usize> = (0..graph.len()).collect();
    order.par_sort_by_key(|&node| levels[node]);
    levels
        .par_iter()
        .all(|&level| level != NEVER)
        .then_some(order)
}

/// A graph of `n` nodes with four random edges each, all from lower to higher numbers, which are then shuffled.
fn random_graph(n: usize) -> Graph {
    let mut state = 88_172_645_463_325_252u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % below
    };
    let mut names: Vec<usize> = (0..n).collect();
    for i in (1..n).rev() {
        names.swap(i, random(i + 1));
    }
    let mut graph = vec![Vec::new(); n];
    for from in 0..n - 1 {
        for _ in 0..4 {
            let to = from + 1 + random(n - from - 1);
            graph[names[from]].push(names[to]);
        }
    }
    graph
}

fn main() {
    let mut graph = random_graph(100_000);
    let order = topological_order(&graph).expect("edges lead from lower to higher");
    let mut place = vec![0; order.len()];
    for (at, &node) in order.iter().enumerate() {
        place[node] = at;
    }
    for (node, dependents) in graph.iter().enumerate() {
        assert!(dependents.iter().all(|&next| place[node] < place[next]));
    }
    let (first, last) = (order[0], order[order.len() - 1]);
    println!(
        "{} nodes, each after all that it depends on: node {first} first, node {last} last",
        graph.len()
    );

    graph[last].push(first);
    graph[first].push(last);
    assert_eq!(topological_order(&graph), None);
    println!("with an edge from the last to the first there is a cycle, and so no order");
}
