//! Graphs, lists and trees.

use super::*;
use filch::algo::list_rank;

pub const CASES: &[Case] = &[
    Case {
        name: "par_bfs",
        of: "{n} nodes with two edges each",
        measure: |n| measure_for(THREADS, || algo::par_bfs(n, [0], neighbours(n))).1,
    },
    Case {
        name: "par_components",
        of: "{n} nodes and as many edges",
        measure: |n| {
            let edges: Vec<_> = (0..n).map(|node| (node, (node * 2 + 1) % n)).collect();
            measure_for(THREADS, || algo::par_components(n, &edges)).1
        },
    },
    Case {
        name: "list_rank",
        of: "a list of {n} nodes",
        measure: |n| {
            let next: Vec<usize> = (1..n).chain([algo::NO_NEXT]).collect();
            measure_for(THREADS, || list_rank(&next)).1
        },
    },
    Case {
        name: "tree_reduce",
        of: "a balanced tree of {n} nodes",
        measure: |n| {
            measure_for(THREADS, || {
                algo::tree_reduce(
                    1,
                    |&i| [2 * i, 2 * i + 1].into_iter().filter(|&i| i < n),
                    |i| i,
                    |a, b| a ^ b,
                )
            })
            .1
        },
    },
    Case {
        name: "par_shortest_paths",
        of: "{n} nodes with two edges of length 1 to 100 each",
        measure: |n| {
            let next = neighbours(n);
            let length = |node: usize| (node * 31 % 100 + 1) as u64;
            let edges = |node| next(node).map(|to| (to, length(to)));
            measure_for(THREADS, || algo::par_shortest_paths(n, [0], 100, edges)).1
        },
    },
    Case {
        name: "par_spanning_forest",
        of: "{n} nodes and as many edges",
        measure: |n| {
            let edge = |node: usize| (node, (node * 2 + 1) % n, node * 7919 % 1009);
            let edges: Vec<_> = (0..n).map(edge).collect();
            measure_for(THREADS, || algo::par_spanning_forest(n, &edges)).1
        },
    },
    Case {
        name: "euler_tour",
        of: "a balanced tree of {n} nodes",
        measure: |n| {
            let edges: Vec<_> = (1..n).map(|node| (node, (node - 1) / 2)).collect();
            measure_for(THREADS, || algo::euler_tour(n, &edges)).1
        },
    },
    Case {
        name: "tree_fold",
        of: "a balanced tree of {n} nodes",
        measure: |n| {
            let children = |&i: &usize| [2 * i, 2 * i + 1].into_iter().filter(move |&i| i < n);
            let fold = || algo::tree_fold(1, children, |i| i, |a, b: usize| a ^ b, |a| a);
            measure_for(THREADS, fold).1
        },
    },
];
