//! Components, spanning forests, shortest paths and ranks in lists, against plain sequential code.

use crate::panics::Fuse;
use crate::support::{
    DISORDERS, Dice, Place, cases, caught, costly, message, oracle, same_everywhere,
};
use filch::algo::*;
use proptest::prelude::*;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

type Edge = (usize, usize, u32);

/// A graph of `n` nodes, with long ways, hubs, loops and doubles.
fn edges(n: usize, m: usize, seed: u64) -> Vec<Edge> {
    let mut dice = Dice::new(seed);
    let reach = 1 + dice.below(n);
    let edge = |_| {
        let from = dice.below(n);
        let to = match dice.below(8) {
            0 => 0,
            1 => dice.below(n),
            _ => (from + dice.below(reach)) % n,
        };
        (from, to, dice.below(50) as u32)
    };
    (0..m).map(edge).collect()
}

fn graphs() -> impl Strategy<Value = (usize, Vec<Edge>)> {
    (1..400usize, 0..3usize, any::<u64>())
        .prop_map(|(n, dense, seed)| (n, edges(n, n * dense + n / 2, seed)))
}

fn find(parents: &mut [usize], mut node: usize) -> usize {
    while parents[node] != node {
        parents[node] = parents[parents[node]];
        node = parents[node];
    }
    node
}

/// Components by Kruskal's algorithm, and which edges it takes.
fn kruskal(n: usize, edges: &[Edge]) -> (Vec<usize>, Vec<usize>) {
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by_key(|&i| (edges[i].2, i));
    let mut parents: Vec<usize> = (0..n).collect();
    let mut taken = Vec::new();
    for i in order {
        let (a, b) = (
            find(&mut parents, edges[i].0),
            find(&mut parents, edges[i].1),
        );
        if a != b {
            parents[a.max(b)] = a.min(b);
            taken.push(i);
        }
    }
    taken.sort();
    ((0..n).map(|node| find(&mut parents, node)).collect(), taken)
}

fn pairs(edges: &[Edge]) -> Vec<(usize, usize)> {
    edges.iter().map(|e| (e.0, e.1)).collect()
}

#[test]
fn components_and_forests() {
    oracle(
        graphs(),
        |(n, edges)| {
            let slow = |a: &u32, b: &u32| (costly(*a as i32) as u32).cmp(b);
            let taken = par_spanning_forest_by(*n, edges, slow);
            assert_eq!(par_spanning_forest(*n, edges), taken);
            (par_components(*n, &pairs(edges)), taken)
        },
        |(n, edges)| kruskal(*n, edges),
    );
}

#[test]
fn large_ones() {
    let sizes = [(30_000, 20_000), (3_000, 60_000), (60_000, 59_999)];
    for (round, (n, m)) in sizes.into_iter().enumerate() {
        let mut graph = edges(n, m, n as u64);
        if m + 1 == n {
            // A path, in an order of its own.
            let mut nodes: Vec<usize> = (0..n).collect();
            shuffle(&mut nodes, 5);
            graph = nodes
                .windows(2)
                .zip(0..)
                .map(|(w, i)| (w[0], w[1], i))
                .collect();
        }
        let model = kruskal(n, &graph);
        let both = || {
            (
                par_components(n, &pairs(&graph)),
                par_spanning_forest(n, &graph),
            )
        };
        for place in Place::some(round) {
            assert_eq!(place.run(both), model, "{place:?}");
        }
    }
}

/// A forest all the same.
/// Paths that are as long as can be, where threads that look for roots meet: a number that has its root must keep it.
#[test]
fn one_long_path_beside_a_lone_node() {
    let n = 50_000;
    let edges: Vec<_> = (2..n).rev().map(|i| (i, i - 1)).collect();
    let want: Vec<usize> = (0..n).map(|i| i.min(1)).collect();
    for threads in [2, 3] {
        Place::Pool(threads).run(|| {
            for round in 0..cases(20) {
                assert!(par_components(n, &edges) == want, "round {round}");
            }
        });
    }
}

#[test]
fn weights_in_no_order() {
    let graph = edges(500, 2000, 1);
    let (components, taken) = kruskal(500, &graph);
    for disorder in DISORDERS {
        for place in [Place::Pool(1), Place::Pool(8), Place::CutAtRandom] {
            let calls = AtomicUsize::new(0);
            let compare = |a: &u32, b: &u32| disorder(calls.fetch_add(1, Relaxed), *a, *b);
            let forest = place.run(|| par_spanning_forest_by(500, &graph, compare));
            let tree: Vec<Edge> = forest.iter().map(|&i| graph[i]).collect();
            let spanned = kruskal(500, &tree);
            assert_eq!(
                (spanned.0, spanned.1.len()),
                (components.clone(), taken.len())
            );
            assert_eq!(tree.len(), taken.len());
        }
    }
}

fn lists(n: usize, edges: &[Edge]) -> Vec<Vec<(usize, u64)>> {
    let mut lists = vec![Vec::new(); n];
    for &(from, to, length) in edges {
        lists[from].push((to, u64::from(length)));
    }
    lists
}

fn dijkstra(lists: &[Vec<(usize, u64)>], sources: &[usize]) -> Vec<u64> {
    let mut far = vec![NO_PATH; lists.len()];
    let mut heap: BinaryHeap<_> = sources.iter().map(|&s| std::cmp::Reverse((0, s))).collect();
    while let Some(std::cmp::Reverse((distance, node))) = heap.pop() {
        if distance < far[node] {
            far[node] = distance;
            let next = lists[node].iter();
            heap.extend(next.map(|&(to, length)| std::cmp::Reverse((distance + length, to))));
        }
    }
    far
}

#[test]
fn shortest_paths() {
    oracle(
        (graphs(), prop::sample::select(vec![1, 7, 30, u64::MAX])),
        |((n, edges), delta)| {
            let lists = lists(*n, edges);
            par_shortest_paths(*n, [0, n / 2, 0], *delta, |node| {
                costly(node as i32);
                lists[node].iter().copied()
            })
        },
        |((n, edges), _)| dijkstra(&lists(*n, edges), &[0, n / 2]),
    );
    let lists = lists(20_000, &edges(20_000, 80_000, 8));
    let paths = || par_shortest_paths(20_000, [3], 20, |node| lists[node].iter().copied());
    same_everywhere(paths, || dijkstra(&lists, &[3]));
}

/// Each of these nodes but the last is left by a long edge to the one behind the next, and by way of the next for nothing: lengths halve, so that each way
/// is shorter than all that were found before if the long edges are followed first. There are 2^16 ways.
#[test]
fn ways_that_are_shorter_and_shorter() {
    let n = 33;
    for delta in [1 << 11, u64::MAX] {
        for place in Place::all() {
            let calls = AtomicUsize::new(0);
            let edges = |node: usize| {
                calls.fetch_add(1, Relaxed);
                let long = node
                    .is_multiple_of(2)
                    .then(|| (node + 2, 1 << (16 - node / 2)));
                let edges = [(node + 1, 0)].into_iter().chain(long);
                edges.filter(|(next, _)| *next < n)
            };
            let far = place.run(|| par_shortest_paths(n, [0], delta, edges));
            assert_eq!(far, [0; 33]);
            let calls = calls.into_inner();
            assert!(calls <= n * n, "{calls} calls");
        }
    }
}

#[test]
fn endless_paths_are_none() {
    let far = par_shortest_paths(3, [0], 5, |node| [((node + 1) % 3, u64::MAX / 2)]);
    assert_eq!(far, [0, u64::MAX / 2, u64::MAX / 2 * 2]);
    let far = par_shortest_paths(2, [0], 1, |_| [(1, u64::MAX)]);
    assert_eq!(far, [0, NO_PATH]);
}

#[test]
fn nodes_that_there_are_not() {
    let graph = "filch: node 5 in a graph of 3 nodes";
    assert_eq!(
        message(|| drop(par_components(3, &[(0, 1), (5, 2)]))),
        graph
    );
    assert_eq!(
        message(|| drop(par_spanning_forest(3, &[(0, 5, 1)]))),
        graph
    );
    let none = |_| [(0, 0); 0];
    assert_eq!(message(|| drop(par_shortest_paths(3, [5], 1, none))), graph);
    let there = |_| [(5, 1)];
    assert_eq!(
        message(|| drop(par_shortest_paths(3, [0], 1, there))),
        graph
    );
    let text = message(|| drop(par_shortest_paths(3, [0], 0, none)));
    assert!(text.contains("delta is 0"), "{text}");
    assert!(par_components(0, &[]).is_empty() && par_spanning_forest::<u8>(0, &[]).is_empty());
    assert!(par_shortest_paths(0, [], 1, none).is_empty());
}

#[test]
fn a_panic_at_each_call() {
    let graph = edges(30, 60, 2);
    let lists = lists(30, &graph);
    for place in Place::all() {
        for calls in 0..150 {
            let fuse = Fuse::of(calls);
            let compare = |a: &u32, b: &u32| {
                fuse.burn();
                a.cmp(b)
            };
            let _ = place.run(|| caught(|| par_spanning_forest_by(30, &graph, compare)));
            let fuse = Fuse::of(calls);
            let edges = |node: usize| {
                fuse.burn();
                lists[node].iter().copied()
            };
            let _ = place.run(|| caught(|| par_shortest_paths(30, [0], 9, edges)));
        }
    }
}

/// Lists through all nodes, each of up to `longest` ones, and the rank of each node.
fn linked(n: usize, longest: usize, seed: u64, in_order: bool) -> (Vec<usize>, Vec<usize>) {
    let mut nodes: Vec<usize> = (0..n).collect();
    if !in_order {
        shuffle(&mut nodes, seed);
    }
    let mut dice = Dice::new(seed);
    let (mut next, mut ranks) = (vec![NO_NEXT; n], vec![0; n]);
    let mut rest = &nodes[..];
    while !rest.is_empty() {
        let (list, others) = rest.split_at(rest.len().min(1 + dice.below(longest)));
        for (at, pair) in list.windows(2).enumerate() {
            next[pair[0]] = pair[1];
            ranks[pair[0]] = list.len() - 1 - at;
        }
        rest = others;
    }
    (next, ranks)
}

#[test]
fn ranks_in_lists() {
    let input = (0..20_000usize, 0..5u32, any::<u64>(), any::<bool>());
    oracle(
        input,
        |&(n, length, seed, in_order)| list_rank(&linked(n, 20usize.pow(length), seed, in_order).0),
        |&(n, length, seed, in_order)| linked(n, 20usize.pow(length), seed, in_order).1,
    );
}

/// Long enough for stops of stops.
#[test]
fn long_lists() {
    for (longest, in_order) in [(1, false), (2, true), (400_000, false), (400_000, true)] {
        let (next, ranks) = linked(400_000, longest, 1, in_order);
        let places = [Place::Pool(1), Place::Pool(3), Place::CutAtRandom];
        assert!(
            places
                .iter()
                .all(|place| place.run(|| list_rank(&next)) == ranks)
        );
    }
}

#[test]
fn lists_that_are_none() {
    assert!(message(|| drop(list_rank(&[1, 2]))).contains("node 1 is followed by 2, of 2 nodes"));
    assert!(message(|| drop(list_rank(&[2, 2, NO_NEXT]))).contains("two nodes are followed by 2"));
    assert!(message(|| drop(list_rank(&[0]))).contains("node 0 is in a circle"));
    assert!(message(|| drop(list_rank(&[NO_NEXT, 2, 1]))).contains("node 1 is in a circle"));
    // Circles with stops, without one, and of all nodes, where stops are used.
    for (start, len) in [(100, 5000), (7, 2), (0, 9000), (50, 1)] {
        let (mut next, _) = linked(9000, 1, 1, true);
        for i in 0..len {
            next[start + i] = start + (i + 1) % len;
        }
        let text = message(|| drop(list_rank(&next)));
        assert!(
            text.contains(&format!("node {start} is in a circle")),
            "{text}"
        );
    }
}

/// A forest of `n` nodes with names in no order: long paths, stars, and what is between.
fn forest(n: usize, seed: u64) -> Vec<(usize, usize)> {
    let mut dice = Dice::new(seed);
    let mut names: Vec<usize> = (0..n).collect();
    shuffle(&mut names, seed);
    let (reach, roots) = (1 + dice.below(n), 1 + dice.below(n));
    let mut edges = Vec::new();
    for node in 1..n {
        if dice.below(roots) > 0 {
            let above = node - 1 - dice.below(node.min(reach));
            let (a, b) = (names[node], names[above]);
            edges.push(if dice.below(2) == 0 { (a, b) } else { (b, a) });
        }
    }
    shuffle(&mut edges, seed);
    edges
}

/// By a search in depth from each least node.
fn searched(n: usize, edges: &[(usize, usize)]) -> Rooted {
    let mut neighbours = vec![Vec::new(); n];
    for (i, &(a, b)) in edges.iter().enumerate() {
        neighbours[a].push((i, b));
        neighbours[b].push((i, a));
    }
    let mut rooted = Rooted {
        parents: vec![NO_PARENT; n],
        depths: vec![0; n],
        preorder: vec![usize::MAX; n],
        sizes: vec![1; n],
    };
    let mut order = Vec::new();
    for root in 0..n {
        if rooted.preorder[root] < usize::MAX {
            continue;
        }
        let mut stack = vec![(root, None)];
        while let Some((node, came)) = stack.pop() {
            rooted.preorder[node] = order.len();
            order.push(node);
            let all = &mut neighbours[node];
            if let Some(came) = came {
                let at = all.iter().position(|&(i, _)| i == came).unwrap();
                all.rotate_left(at);
                all.remove(0);
            }
            for &(i, below) in all.iter().rev() {
                rooted.parents[below] = node;
                rooted.depths[below] = rooted.depths[node] + 1;
                stack.push((below, Some(i)));
            }
        }
    }
    for &node in order.iter().rev() {
        if let Some(&parent) = rooted.parents.get(node).filter(|&&p| p != NO_PARENT) {
            rooted.sizes[parent] += rooted.sizes[node];
        }
    }
    rooted
}

#[test]
fn rooted_forests() {
    let input = (1..600usize, any::<u64>());
    oracle(
        input,
        |&(n, seed)| euler_tour(n, &forest(n, seed)),
        |&(n, seed)| searched(n, &forest(n, seed)),
    );
    assert_eq!(euler_tour(0, &[]).sizes, []);
}

/// A path, a star, and forests between, long enough for stops among the edges.
#[test]
fn large_rooted_forests() {
    let n = 6_000;
    let path: Vec<_> = (1..n).map(|node| (node, node - 1)).collect();
    let star: Vec<_> = (0..n - 1).map(|node| (n - 1, node)).collect();
    for edges in [path, star, forest(n, 1), forest(n, 2), forest(n, 3)] {
        same_everywhere(|| euler_tour(n, &edges), || searched(n, &edges));
    }
}

#[test]
fn forests_that_are_none() {
    for edges in [
        &[(1, 1)][..],
        &[(0, 1), (1, 0)],
        &[(3, 4), (0, 1), (1, 2), (2, 0)],
    ] {
        let text = message(|| drop(euler_tour(5, edges)));
        assert!(text.contains("one of them is in a circle"), "{text}");
    }
    assert!(caught_text(&[(0, 5)]).contains('5'));
}

fn caught_text(edges: &[(usize, usize)]) -> String {
    message(|| drop(euler_tour(5, edges)))
}
