//! Connected components of a graph: every node learns the least number in its component.
//!
//! A work list of nodes whose label went down: each tells its neighbours, and those that learn something new go on the list. Labels only
//! ever fall, so the order does not matter, and the result is the same on any number of threads. Beside it: `par_components` of `filch::algo`, and one thread
//! with a union-find forest.

use filch::algo::{for_each_spawn, par_components};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

type Graph = Vec<Vec<usize>>;

/// The least node of each node's component.
fn components(graph: &Graph) -> Vec<usize> {
    let labels: Vec<AtomicUsize> = (0..graph.len()).map(AtomicUsize::new).collect();
    for_each_spawn((0..graph.len()).rev(), |node, list| {
        let label = labels[node].load(Relaxed);
        for &neighbour in &graph[node] {
            if labels[neighbour].fetch_min(label, Relaxed) > label {
                list.spawn(neighbour);
            }
        }
    });
    labels.into_iter().map(AtomicUsize::into_inner).collect()
}

/// The same by a union-find forest, one edge after the other.
fn by_union(graph: &Graph) -> Vec<usize> {
    fn find(parents: &mut [usize], mut node: usize) -> usize {
        while parents[node] != node {
            parents[node] = parents[parents[node]];
            node = parents[node];
        }
        node
    }
    let mut parents: Vec<usize> = (0..graph.len()).collect();
    for (node, neighbours) in graph.iter().enumerate() {
        for &neighbour in neighbours {
            let (a, b) = (find(&mut parents, node), find(&mut parents, neighbour));
            parents[a.max(b)] = a.min(b);
        }
    }
    (0..graph.len())
        .map(|node| find(&mut parents, node))
        .collect()
}

/// A graph of `n` nodes and as many random edges, in both directions.
fn random_graph(n: usize) -> Graph {
    let mut state = 88_172_645_463_325_252u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 16) as usize % n
    };
    let mut graph = vec![Vec::new(); n];
    for _ in 0..n / 2 {
        let (a, b) = (random(), random());
        graph[a].push(b);
        graph[b].push(a);
    }
    graph
}

fn main() {
    let graph = random_graph(100_000);
    let edges: Vec<(usize, usize)> = (0..graph.len())
        .flat_map(|node| graph[node].iter().map(move |&neighbour| (node, neighbour)))
        .filter(|(node, neighbour)| node <= neighbour)
        .collect();

    let (expected, one) = timed(|| by_union(&graph));
    let (labels, all) = timed(|| components(&graph));
    let (of_algo, algo) = timed(|| par_components(graph.len(), &edges));

    assert_eq!(labels, expected);
    assert_eq!(of_algo, expected);
    let count = labels
        .iter()
        .enumerate()
        .filter(|&(node, &label)| node == label)
        .count();
    println!("{} nodes in {count} components", graph.len());
    println!(
        "union-find {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    println!(
        "par_components {algo:.2?}: speed-up {:.2}",
        one.as_secs_f64() / algo.as_secs_f64()
    );
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
