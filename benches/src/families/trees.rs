use std::hint::black_box;

use filch::algo::{par_bfs, tree_reduce};
use petgraph::{csr::Csr, visit::Bfs};

use crate::{
    case::{Case, Suite},
    graphs::{Graph, Tree, bfs_std, check, random, reduce_std, rotate, walk_std},
    twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    for n in suite.setting.lengths(1_000_000) {
        let tree = &Tree::grow(n as u32, |_| 2);
        let value = |node: u32| u64::from(node);
        Case::new("walk, sum", n)
            .by("std", || walk_std(black_box(tree), value))
            .par(twice!(|| par::iter::walk_tree(0, |&node| tree
                .children(node))
            .map(value)
            .sum::<u64>()))
            .put(suite);
        Case::new("fold bottom-up", n)
            .by("std", || reduce_std(black_box(tree), value))
            .by("filch", || {
                let children = |&node: &u32| tree.children(node);
                tree_reduce(0, children, value, rotate)
            })
            .put(suite);
    }
    let mut state = 88_172_645_463_325_252;
    for n in suite.setting.lengths(1_000_000) {
        let mut any = || random(&mut state) as u32 % n as u32;
        let edges = (0..4 * n).map(|_| (any(), any()));
        // One of them from the node that the search begins with.
        let graph = &Graph::new(n, edges.chain([(0, 1)]).collect());
        let all =
            (0..n as u32).flat_map(|a| graph.neighbours(a as usize).map(move |b| (a, b as u32)));
        let petgraph =
            Csr::<(), (), petgraph::Directed, u32>::from_sorted_edges(&all.collect::<Vec<_>>());
        let petgraph = petgraph.expect("a graph's edges are in order");
        let expected = bfs_std(graph, |_| ());
        Case::new("breadth-first search", n)
            .by("std", || bfs_std(black_box(graph), |_| ()))
            .by("filch", || {
                check(&par_bfs(n, [0], |node| graph.neighbours(node)))
            })
            .by("petgraph", move || {
                // It visits in the same order, and tells no distances.
                let mut bfs = Bfs::new(&petgraph, 0);
                while let Some(node) = bfs.next(&petgraph) {
                    black_box(node);
                }
                expected
            })
            .put(suite);
    }
}
