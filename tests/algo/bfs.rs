//! Breadth-first searches against a queue.

use crate::support::{Dice, Place, caught, costly, oracle, planted, same_everywhere, within};
use filch::algo::{NO_PARENT, UNREACHED, par_bfs, par_bfs_levels, par_bfs_parents};
use proptest::prelude::*;
use std::collections::VecDeque;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A graph in tables, and where to begin.
#[derive(Clone, Debug)]
struct Case {
    edges: Vec<Vec<usize>>,
    sources: Vec<usize>,
}

impl Case {
    fn neighbours(&self, node: usize) -> impl Iterator<Item = usize> {
        costly(node as i32);
        self.edges[node].iter().copied()
    }

    fn distances(&self) -> Vec<u32> {
        par_bfs(self.edges.len(), self.sources.clone(), |node| {
            self.neighbours(node)
        })
    }
}

/// Directed graphs with loops and double edges; some are long, some wide.
fn cases() -> impl Strategy<Value = Case> {
    let sizes = (0..2000usize, 0..6000usize, 0..4usize, 1..2000usize);
    (sizes, any::<u64>()).prop_map(|((n, edges, sources, reach), seed)| {
        let mut dice = Dice::new(seed);
        let mut case = Case {
            edges: vec![Vec::new(); n],
            sources: Vec::new(),
        };
        if n > 0 {
            for _ in 0..edges {
                let from = dice.below(n);
                case.edges[from].push((from + dice.below(reach)) % n);
            }
            case.sources = (0..sources).map(|_| dice.below(n)).collect();
        }
        case
    })
}

fn by_queue(case: &Case) -> Vec<u32> {
    let mut distances = vec![UNREACHED; case.edges.len()];
    let mut queue: VecDeque<usize> = case.sources.iter().copied().collect();
    case.sources.iter().for_each(|&node| distances[node] = 0);
    while let Some(node) = queue.pop_front() {
        for &next in &case.edges[node] {
            if distances[next] == UNREACHED {
                distances[next] = distances[node] + 1;
                queue.push_back(next);
            }
        }
    }
    distances
}

#[test]
fn distances() {
    oracle(cases(), Case::distances, by_queue);
}

#[test]
fn parents_are_one_step_nearer() {
    oracle(
        cases(),
        |case| {
            let distances = by_queue(case);
            let parents = par_bfs_parents(case.edges.len(), case.sources.clone(), |node| {
                case.neighbours(node)
            });
            let fits = |(node, &parent): (usize, &usize)| match distances[node] {
                0 | UNREACHED => parent == NO_PARENT,
                far => distances[parent] == far - 1 && case.edges[parent].contains(&node),
            };
            parents.len() == distances.len() && parents.iter().enumerate().all(fits)
        },
        |_| true,
    );
}

#[test]
fn levels() {
    oracle(
        cases(),
        |case| {
            let mut levels: Vec<Vec<usize>> = Vec::new();
            let flow: ControlFlow<()> = par_bfs_levels(
                case.edges.len(),
                case.sources.clone(),
                |node| case.neighbours(node),
                |level, nodes| {
                    assert_eq!(level as usize, levels.len());
                    let mut nodes = nodes.to_vec();
                    nodes.sort_unstable();
                    levels.push(nodes);
                    Continue(())
                },
            );
            assert!(flow.is_continue());
            levels
        },
        |case| {
            let mut levels: Vec<Vec<usize>> = Vec::new();
            for (node, distance) in by_queue(case).into_iter().enumerate() {
                if distance != UNREACHED {
                    let least = levels.len().max(distance as usize + 1);
                    levels.resize(least, Vec::new());
                    levels[distance as usize].push(node);
                }
            }
            levels
        },
    );
}

#[test]
fn breaks_off() {
    same_everywhere(
        || {
            let asked = AtomicUsize::new(0);
            let neighbours = |node: usize| {
                asked.fetch_add(1, Relaxed);
                [2 * node + 1, 2 * node + 2]
                    .into_iter()
                    .filter(|&next| next < 1 << 20)
            };
            let flow = par_bfs_levels(1 << 20, [0], neighbours, |level, nodes| match level {
                10 => Break(nodes.len()),
                _ => Continue(()),
            });
            (flow, asked.into_inner())
        },
        || (Break(1024), 1023),
    );
}

/// Levels of one node, of all nodes, and of nodes that take long.
#[test]
fn extreme_shapes() {
    within(120, || {
        for place in Place::all() {
            place.run(|| {
                const N: usize = 100_000;
                let chain = par_bfs(N, [0], |node| (node + 1 < N).then_some(node + 1));
                assert!(
                    chain
                        .iter()
                        .enumerate()
                        .all(|(node, &far)| far as usize == node)
                );
                let star = par_bfs(N, [0], |node| if node == 0 { 0..N } else { 0..2 });
                assert!(star[1..].iter().all(|&far| far == 1));
                let all = par_bfs(N, 0..N, |node| Some(node / 2));
                assert!(all.iter().all(|&far| far == 0));
                let slow = par_bfs(300, [0], |node| {
                    (0..8).for_each(|_| _ = costly(0));
                    (1..4).map(move |i| 3 * node + i).filter(|&next| next < 300)
                });
                assert_eq!(slow[299], 5);
            });
        }
    });
}

#[test]
#[should_panic(expected = "node 70 in a graph of 70 nodes")]
fn a_neighbour_that_does_not_exist() {
    par_bfs(70, [0], |node| Some(node + 1));
}

#[test]
#[should_panic(expected = "node 5 in a graph of 5 nodes")]
fn a_source_that_does_not_exist() {
    par_bfs(5, [5], |_| None);
}

#[test]
fn a_panic_at_each_node() {
    within(60, || {
        for place in Place::all() {
            for n in [1, 2, 10, 300] {
                for at in (0..n).step_by(n / 10 + 1) {
                    let outcome = caught(|| {
                        place.run(|| {
                            par_bfs(n, [0], |node| {
                                if costly(node as i32) as usize == at {
                                    planted(at);
                                }
                                0..n
                            })
                        })
                    });
                    assert_eq!(outcome, Err(at));
                }
            }
        }
    });
}
