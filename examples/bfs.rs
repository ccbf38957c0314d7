//! Breadth-first search over a million nodes, level by level, beside `par_bfs`: each level is a parallel loop over the nodes that the last
//! one found.
//!
//! `cargo run --release --example bfs -- [nodes]`

use std::collections::VecDeque;
use std::env;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use filch::algo::{UNREACHED, par_bfs};
use filch::prelude::*;

fn main() {
    let nodes: u32 = env::args()
        .nth(1)
        .map_or(1_000_000, |n| n.parse().expect("usage: bfs [nodes]"));
    assert!(nodes > 0, "nowhere to start from");

    let graph = Graph::random(nodes);
    let (expected, one) = timed(|| sequential(&graph));
    let (depths, all) = timed(|| parallel(&graph));
    let (by_library, library) = timed(|| {
        let next = |node| graph.next(node as u32).iter().map(|&next| next as usize);
        par_bfs(graph.nodes(), [0], next)
    });

    assert!(depths == expected, "the two ways disagree");
    assert!(by_library == expected, "par_bfs disagrees");
    let reached = depths.iter().filter(|&&depth| depth != UNSEEN);
    println!(
        "reached {} of {nodes} nodes, the last ones after {} steps",
        reached.clone().count(),
        reached.max().expect("the first node is reached")
    );
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    println!(
        "par_bfs {library:.2?}: speed-up {:.2}",
        one.as_secs_f64() / library.as_secs_f64()
    );
}

/// Depth of a node that has not been reached: `par_bfs` says it so, too.
const UNSEEN: u32 = UNREACHED;

/// The textbook's loop with a queue.
fn sequential(graph: &Graph) -> Vec<u32> {
    let mut depths = vec![UNSEEN; graph.nodes()];
    depths[0] = 0;
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        for &next in graph.next(node) {
            if depths[next as usize] == UNSEEN {
                depths[next as usize] = depths[node as usize] + 1;
                queue.push_back(next);
            }
        }
    }
    depths
}

fn parallel(graph: &Graph) -> Vec<u32> {
    let mut depths = Vec::new();
    depths.resize_with(graph.nodes(), || AtomicU32::new(UNSEEN));
    *depths[0].get_mut() = 0;
    let mut frontier = vec![0];
    for depth in 1.. {
        // Levels are tiny at first, then huge, then tiny again. Only the huge ones are worth sharing, and only those are shared: `fold` begins a
        // new vector where another thread takes over, and not before.
        frontier = frontier
            .par_iter()
            .fold(Vec::new, |mut found, &node| {
                let next = graph.next(node).iter().copied();
                found.extend(next.filter(|&next| claim(&depths[next as usize], depth)));
                found
            })
            .reduce(Vec::new, |mut left, mut right| {
                left.append(&mut right);
                left
            });
        if frontier.is_empty() {
            break;
        }
    }
    depths.into_iter().map(AtomicU32::into_inner).collect()
}

/// Sets the depth of a node unless it has one, and tells whether it did.
///
/// Two threads that come upon a node at the same moment may both be told so. Then the node is in the next frontier twice, which is rare, and
/// harmless, since both wrote the same depth. A `compare_exchange` would rule it out, but it makes the processor wait for the memory it
/// touches, and this program does little else than wait for memory.
fn claim(slot: &AtomicU32, depth: u32) -> bool {
    let unseen = slot.load(Ordering::Relaxed) == UNSEEN;
    if unseen {
        slot.store(depth, Ordering::Relaxed);
    }
    unseen
}

/// Edges in compressed rows: those of node `n` are `targets[starts[n]..starts[n + 1]]`.
struct Graph {
    starts: Vec<usize>,
    targets: Vec<u32>,
}

impl Graph {
    /// From 0 to 15 edges a node, to places that look random.
    fn random(nodes: u32) -> Graph {
        let degree = |node: u32| scrambled(node.into()) as usize % 16;
        let mut starts = vec![0];
        for node in 0..nodes {
            starts.push(starts[node as usize] + degree(node));
        }
        let edges = *starts.last().expect("starts with 0") as u64;
        let targets = (0..edges)
            .into_par_iter()
            .map(|edge| (scrambled(edge << 20) % u64::from(nodes)) as u32)
            .collect();
        Graph { starts, targets }
    }

    fn nodes(&self) -> usize {
        self.starts.len() - 1
    }

    fn next(&self, node: u32) -> &[u32] {
        let node = node as usize;
        &self.targets[self.starts[node]..self.starts[node + 1]]
    }
}

/// The `i`th of a sequence of numbers that look random (SplitMix64).
fn scrambled(i: u64) -> u64 {
    let z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
