//! What do walks and folds of trees, searches of graphs and work lists take beside sequential code, rayon and petgraph?
//!
//! `cargo bench --bench trees -- [--threads N] [part of a row's name]...` prints, for each row and contender, the least time, and the least
//! and the median of the ratios to the sequential one, measured in turns.

use filch::algo::{for_each_spawn, for_each_spawn_by_level, par_bfs, par_bfs_levels, tree_reduce};
use petgraph::csr::Csr;
use petgraph::visit::Bfs;
use std::hint::black_box;
use std::ops::ControlFlow::{self, Continue};
use std::time::Duration;
use suite::graphs::{Graph, Tree, bfs_std, check, random, reduce_std, rotate, walk_std};
use suite::inputs::{Shape, Spin, spin};
use suite::measure::{Contender, Pair, Patience, Pools, choose_calls, take_turns};
use suite::{ours, rayon, twice};

type Run<'a> = (&'static str, Box<dyn Fn() -> u64 + 'a>);

fn run<'a>(name: &'static str, run: impl Fn() -> u64 + 'a) -> Run<'a> {
    (name, Box::new(run))
}

struct Options {
    names: Vec<String>,
    budget: Duration,
}

impl Options {
    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|part| name.contains(part.as_str()))
    }

    /// Measures one row: the first contender is what the others are compared with, in time and in result.
    fn row(&self, name: &str, contenders: Vec<Run<'_>>) {
        if !self.wants(name) {
            return;
        }
        let expected = contenders[0].1();
        for (contender, run) in &contenders {
            assert_eq!(run(), expected, "{name}: {contender}");
        }
        let timed = contenders
            .into_iter()
            .map(|(name, run)| Contender::timed(name, run));
        let mut contenders: Vec<Contender> = timed.collect();
        let patience = Patience::of(self.budget);
        choose_calls(&mut contenders, &patience);
        take_turns(&mut contenders, Pools::Awake, &patience);
        for contender in &contenders {
            let ratio = contender.over(&contenders[0]);
            let micros = Pair::of(&contender.samples).min / 1e3;
            println!(
                "{name:<36} {:<14} {micros:>11.2} us   {:>5.2} {:>5.2}",
                contender.name, ratio.min, ratio.median
            );
        }
    }
}

/// Trees of `n` nodes by their shapes.
fn trees(n: u32) -> [(&'static str, Tree); 6] {
    let mut state = 88_172_645_463_325_252;
    [
        ("balanced", Tree::grow(n, |_| 2)),
        // A spine of every tenth node, whose other children are leaves; the spine goes on in the last child or in the first one.
        (
            "skewed, last",
            Tree::grow(n, |node| if node % 10 == 0 { 10 } else { 0 }),
        ),
        (
            "skewed, first",
            Tree::grow(n, |node| if node % 10 == 1 || node == 0 { 10 } else { 0 }),
        ),
        (
            "random",
            Tree::grow(n, move |_| random(&mut state) as u32 % 4),
        ),
        ("list", Tree::grow(n, |_| 1)),
        ("star", Tree::grow(n, |_| n)),
    ]
}

fn reduce_recursively(tree: &Tree, value: &impl Fn(u32) -> u64, node: u32) -> u64 {
    tree.children(node)
        .map(|child| reduce_recursively(tree, value, child))
        .fold(value(node), rotate)
}

fn walks(options: &Options, machine: Spin, n: u32) {
    // With the cost of a node, in nanoseconds.
    for cost in [0, 100] {
        if n > 100_000 && cost > 0 {
            continue;
        }
        let units = machine.costs(Shape::Even, 1, f64::from(cost))[0];
        let value = move |node: u32| {
            if cost > 0 {
                black_box(spin(black_box(units)));
            }
            u64::from(node)
        };
        for (shape, tree) in &trees(n) {
            let tree = black_box(tree);
            let (filch, rayon) = twice!(move || par::iter::walk_tree(0, |&n| tree.children(n))
                .map(value)
                .sum::<u64>());
            let (prefix, _) = twice!(
                move || par::iter::walk_tree_prefix(0, |&n| tree.children(n))
                    .map(value)
                    .sum::<u64>()
            );
            let (postfix, rayon_postfix) =
                twice!(
                    move || par::iter::walk_tree_postfix(0, |&n| tree.children(n))
                        .map(value)
                        .sum::<u64>()
                );
            let mut contenders = vec![
                run("std", move || walk_std(tree, value)),
                run("filch", filch),
                run("filch prefix", prefix),
                run("filch postfix", postfix),
            ];
            // Rayon's walks are recursive: those of deep trees overflow the stack.
            let deep = shape.starts_with("skewed") || *shape == "list";
            if !deep {
                contenders.push(run("rayon", rayon));
                contenders.push(run("rayon postfix", rayon_postfix));
            }
            options.row(&format!("walk, {n}, {cost} ns, {shape}"), contenders);
            let mut contenders = vec![
                run("std", move || rotate(0, reduce_std(tree, value))),
                run("filch", move || {
                    let children = |&node: &u32| tree.children(node);
                    rotate(0, tree_reduce(0, children, value, rotate))
                }),
            ];
            if !deep {
                contenders.push(run("recursive", move || {
                    rotate(0, reduce_recursively(tree, &value, 0))
                }));
            }
            options.row(&format!("reduce, {n}, {cost} ns, {shape}"), contenders);
            options.row(
                &format!("work list, {n}, {cost} ns, {shape}"),
                vec![
                    run("std", move || {
                        walk_std(tree, |node| {
                            black_box(value(node));
                            0
                        })
                    }),
                    run("filch", move || {
                        for_each_spawn([0], |node, list| {
                            list.extend(tree.children(node).rev());
                            black_box(value(node));
                        });
                        0
                    }),
                    run("filch by level", move || {
                        for_each_spawn_by_level([(0, 0)], |node, list| {
                            let level = list.level() + 1;
                            tree.children(node)
                                .for_each(|child| list.spawn(level, child));
                            black_box(value(node));
                        });
                        0
                    }),
                ],
            );
        }
    }
}

fn searches(options: &Options, machine: Spin) {
    let mut state = 88_172_645_463_325_252;
    let mut any = |n: u32| random(&mut state) as u32 % n;
    let grid = |width: u32, height: u32| {
        let all = 0..width * height;
        let right = all
            .clone()
            .filter(|i| (i + 1) % width != 0)
            .map(|i| (i, i + 1));
        let below = all
            .filter(|i| i / width + 1 < height)
            .map(|i| (i, i + width));
        Graph::new((width * height) as usize, right.chain(below).collect())
    };
    let million = 1_000_000;
    let graphs = [
        (
            "random, 1M, 8 edges",
            Graph::new(
                million as usize,
                (0..8 * million / 2)
                    .map(|_| (any(million), any(million)))
                    .chain([(0, 1)])
                    .collect(),
            ),
        ),
        (
            "random, 100k, 32 edges",
            Graph::new(
                100_000,
                (0..1_600_000)
                    .map(|_| (any(100_000), any(100_000)))
                    .collect(),
            ),
        ),
        ("grid, 1000 x 1000", grid(1000, 1000)),
        ("grid, 30 x 10000", grid(30, 10_000)),
        ("grid, 30 x 30", grid(30, 30)),
        ("grid, 3 x 3", grid(3, 3)),
        ("chain, 1M", grid(1, million)),
    ];
    for cost in [0, 200] {
        let units = machine.costs(Shape::Even, 1, f64::from(cost))[0];
        let value = move |_| {
            if cost > 0 {
                black_box(spin(black_box(units)));
            }
        };
        for (name, graph) in &graphs {
            if cost > 0 && graph.len() > 100_000 {
                continue;
            }
            let neighbours = |node| {
                value(node);
                graph.neighbours(node)
            };
            let expected = bfs_std(graph, |_| ());
            let mut contenders = vec![
                run("std", || bfs_std(graph, value)),
                run("filch", || check(&par_bfs(graph.len(), [0], neighbours))),
                run("filch levels", || {
                    let mut reached = 0;
                    let flow: ControlFlow<()> =
                        par_bfs_levels(graph.len(), [0], neighbours, |_, nodes| {
                            reached += nodes.len();
                            Continue(())
                        });
                    assert!(flow.is_continue());
                    black_box(reached);
                    expected
                }),
            ];
            let edges: Vec<(u32, u32)> = (0..graph.len())
                .flat_map(|a| graph.neighbours(a).map(move |b| (a as u32, b as u32)))
                .collect();
            let petgraph = Csr::<(), (), petgraph::Directed, u32>::from_sorted_edges(&edges)
                .expect("edges in order");
            if cost == 0 {
                contenders.push(run("petgraph", move || {
                    let mut bfs = Bfs::new(&petgraph, 0);
                    while let Some(node) = bfs.next(&petgraph) {
                        black_box(node);
                    }
                    expected
                }));
            }
            options.row(&format!("bfs, {cost} ns, {name}"), contenders);
        }
    }
}

fn main() {
    let mut threads = 2;
    let mut options = Options {
        names: Vec::new(),
        budget: Duration::from_millis(400),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--threads" => threads = args.next().and_then(|n| n.parse().ok()).unwrap_or(threads),
            _ => options.names.push(arg),
        }
    }
    ours::set_global(threads);
    rayon::set_global(threads);
    println!("{threads} threads: least time; least and median ratio to the first");
    let machine = Spin::calibrate();
    for n in [10, 100, 1000, 10_000, 100_000, 1_000_000] {
        walks(&options, machine, n);
    }
    if options.names.is_empty() || options.names.iter().any(|part| part.starts_with("bfs")) {
        searches(&options, machine);
    }
}
