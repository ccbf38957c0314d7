//! What do the algorithms that users of such libraries expect take, beside sequential code and what one writes with rayon?
//!
//! Contenders take turns; printed are the minimum and the median of each, and their ratios to the first, which is sequential.
//!
//! ```text
//! cargo bench --bench library -- join shuffle
//! ```

use filch::algo::*;
use filch::ext::*;
use petgraph::graph::{NodeIndex, UnGraph};
use petgraph::unionfind::UnionFind;
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};
use std::hint::black_box;
use suite::graphs::random;
use suite::row::Row;

const N: usize = 2_000_000;

fn numbers(n: usize, below: u64) -> Vec<u64> {
    let mut state = 88_172_645_463_325_252;
    (0..n).map(|_| random(&mut state) % below).collect()
}

/// Sequentially, by Fisher and Yates.
fn shuffled(v: &mut [u64]) {
    let mut state = 88_172_645_463_325_252;
    for i in (1..v.len()).rev() {
        let below = (random(&mut state) >> 16) * (i as u64 + 1);
        v.swap(i, (below >> 32) as usize);
    }
}

fn orders() {
    let v = numbers(N, u64::MAX);
    let order = || (0..v.len()).collect::<Vec<usize>>();
    Row::new("argsort of 2M u64")
        .with("std", || {
            let mut order = order();
            order.sort_by_key(|&i| v[i]);
            order
        })
        .with("rayon, indices", || {
            let mut order = order();
            order.par_sort_by_key(|&i| v[i]);
            order
        })
        .with("rayon, pairs", || {
            let pairs = v.par_iter().copied().enumerate().map(|(i, x)| (x, i));
            let mut pairs: Vec<(u64, usize)> = pairs.collect();
            pairs.par_sort_unstable();
            pairs.par_iter().map(|p| p.1).collect::<Vec<_>>()
        })
        .with("argsort", || argsort(&v))
        .with("argsort_by_key", || argsort_by_key(&v, |x| *x))
        .run();
    Row::new("2M u64 sorted together with 2M u64")
        .with("std, pairs", || {
            let mut pairs: Vec<(u64, u64)> = v.iter().copied().zip(0..).collect();
            pairs.sort_by_key(|p| p.0);
            pairs.into_iter().unzip::<u64, u64, Vec<_>, Vec<_>>()
        })
        .with("rayon, pairs", || {
            let pairs = v.par_iter().enumerate().map(|(i, &x)| (x, i as u64));
            let mut pairs: Vec<(u64, u64)> = pairs.collect();
            pairs.par_sort_by_key(|p| p.0);
            pairs.into_par_iter().unzip::<u64, u64, Vec<_>, Vec<_>>()
        })
        .with("sort_together", || {
            let (mut keys, mut values) = (v.clone(), (0..v.len() as u64).collect::<Vec<_>>());
            sort_together(&mut keys, &mut values);
            (keys, values)
        })
        .run();
    let mut order = order();
    shuffle(&mut order, 1);
    Row::new("gather of 2M u64 from anywhere")
        .with("std", || order.iter().map(|&i| v[i]).collect::<Vec<_>>())
        .with("rayon", || {
            let all = order.par_iter().map(|&i| v[i]);
            all.collect::<Vec<_>>()
        })
        .with("gather", || gather(&v, &order))
        .run();
    let mut out = vec![0; N];
    Row::new("scatter of 2M u64 to anywhere")
        .with("std", || {
            v.iter().zip(&order).for_each(|(&x, &i)| out[i] = x);
            out[0]
        })
        .with("scatter", || {
            let mut out = vec![0; N];
            scatter(&v, &order, &mut out);
            out
        })
        .run();
    let mut moved = v.clone();
    Row::new("permutation of 2M u64 in place")
        .with("std, a clone", || {
            moved = order.iter().map(|&i| moved[i]).collect::<Vec<_>>();
            moved[0]
        })
        .with("permute", || {
            let mut moved = v.clone();
            permute(&mut moved, &order);
            moved
        })
        .run();
}

fn lots() {
    for n in [10_000, N, 5 * N] {
        let v = numbers(n, u64::MAX);
        Row::new(format!("shuffle of {n} u64"))
            .with("Fisher-Yates", || {
                let mut v = v.clone();
                shuffled(&mut v);
                v
            })
            .with("shuffle", || {
                let mut v = v.clone();
                shuffle(&mut v, 1);
                v
            })
            .run();
    }
    let v = numbers(N, u64::MAX);
    for k in [100, 1_000_000] {
        Row::new(format!("sample of {k} of 2M"))
            .with("Floyd-like, in a set", || {
                let mut state = 88_172_645_463_325_252;
                let mut seen = std::collections::HashSet::with_capacity(k);
                let mut drawn = Vec::with_capacity(k);
                while drawn.len() < k {
                    let i = random(&mut state) as usize % N;
                    if seen.insert(i) {
                        drawn.push(&v[i]);
                    }
                }
                drawn
            })
            .with("sample", || sample(&v, k, 1))
            .run();
    }
}

fn texts() {
    let v = numbers(1_000_000, 50_000);
    let words: Vec<String> = v.iter().map(|x| format!("{:x}", x * 0x9E37_79B9)).collect();
    let paths: Vec<String> = numbers(1_000_000, u64::MAX)
        .iter()
        .map(|x| format!("/home/user/src/{}/{}/{x:x}.rs", x % 20, x / 20 % 50))
        .collect();
    for (name, v) in [("words", &words), ("paths", &paths)] {
        let refs: Vec<&str> = v.iter().map(String::as_str).collect();
        Row::new(format!("sort of 1M {name}, &str"))
            .with("std, unstable", || {
                let mut v = refs.clone();
                v.sort_unstable();
                v
            })
            .with("rayon, unstable", || {
                let mut v = refs.clone();
                v.par_sort_unstable();
                v
            })
            .with("filch, unstable", || {
                let mut v = refs.clone();
                filch::slice::ParallelSliceMut::par_sort_unstable(&mut v[..]);
                v
            })
            .with("sort_bytes", || {
                let mut v = refs.clone();
                v.par_sort_bytes();
                v
            })
            .run();
    }
}

fn segments() {
    let v = numbers(N, 1000);
    for runs in [10, N as u64 / 4] {
        let mut keys = numbers(N, runs);
        keys.sort();
        Row::new(format!("running sums of 2M u64 by {runs} keys"))
            .with("std", || {
                let (mut sum, mut before) = (0, keys[0]);
                let each = keys.iter().zip(&v).map(|(&key, x)| {
                    sum = if key == before { sum + x } else { *x };
                    before = key;
                    sum
                });
                each.collect::<Vec<u64>>()
            })
            .with("scan_inclusive_by_key", || {
                scan_inclusive_by_key(&keys, &v, |a, b| a + b)
            })
            .run();
        Row::new(format!("sums of 2M u64 in runs of {runs} keys"))
            .with("std", || {
                let mut at = 0;
                let run = |run: &[u64]| {
                    at += run.len();
                    (run[0], v[at - run.len()..at].iter().sum::<u64>())
                };
                keys.chunk_by(u64::eq).map(run).collect::<Vec<_>>()
            })
            .with("reduce_runs", || reduce_runs(&keys, &v, |a, b| a + b))
            .run();
        Row::new(format!("lengths of runs of {runs} keys, 2M u64"))
            .with("std", || {
                let runs = keys.chunk_by(u64::eq).map(|run| (run[0], run.len()));
                runs.collect::<Vec<_>>()
            })
            .with("run_lengths", || run_lengths(&keys))
            .run();
    }
    Row::new("differences of 2M neighbours")
        .with("std", || {
            let pairs = v.windows(2).map(|w| w[1].wrapping_sub(w[0]));
            pairs.collect::<Vec<_>>()
        })
        .with("rayon", || {
            let pairs = v.par_windows(2).map(|w| w[1].wrapping_sub(w[0]));
            pairs.collect::<Vec<_>>()
        })
        .with("adjacent_difference", || {
            adjacent_difference(&v, |b, a| b.wrapping_sub(*a))
        })
        .run();
}

fn joins() {
    for keys in [1_000_000, 100_000_000u64] {
        let left: Vec<(u64, u64)> = numbers(N, keys).into_iter().zip(0..).collect();
        let right: Vec<(u64, u64)> = numbers(N + 7, keys)
            .into_iter()
            .zip(0..)
            .skip(N / 2)
            .collect();
        let table = || {
            let mut table: HashMap<u64, Vec<&(u64, u64)>, foldhash::fast::RandomState> =
                HashMap::default();
            right
                .iter()
                .for_each(|r| table.entry(r.0).or_default().push(r));
            table
        };
        Row::new(format!("hash join of 2M with 1M, {keys} keys"))
            .with("std", || {
                let table = table();
                let pairs = left.iter().flat_map(|l| {
                    let partners = table.get(&l.0).into_iter().flatten();
                    partners.map(move |r| (l, *r))
                });
                pairs.collect::<Vec<_>>()
            })
            .with("rayon, std's table", || {
                let table = table();
                let pairs = left.par_iter().flat_map_iter(|l| {
                    let partners = table.get(&l.0).into_iter().flatten();
                    partners.map(move |r| (l, *r))
                });
                pairs.collect::<Vec<_>>()
            })
            .with("hash_join", || hash_join(&left, &right, |l| l.0, |r| r.0))
            .run();
        let (mut left, mut right) = (left, right);
        left.sort();
        right.sort();
        Row::new(format!("merge join of 2M with 1M, {keys} keys"))
            .with("std", || {
                let (mut pairs, mut start) = (Vec::new(), 0);
                for l in &left {
                    while start < right.len() && right[start].0 < l.0 {
                        start += 1;
                    }
                    let partners = right[start..].iter().take_while(|r| r.0 == l.0);
                    pairs.extend(partners.map(|r| (l, r)));
                }
                pairs
            })
            .with("merge_join", || {
                merge_join(&left, &right, |l, r| l.0.cmp(&r.0))
            })
            .run();
    }
    let v: Vec<u64> = (0..N as u64).map(|x| 3 * x).collect();
    for k in [1000, 1_000_000] {
        let others: Vec<u64> = v.iter().copied().step_by(N / k).collect();
        Row::new(format!("includes: {k} in 2M"))
            .with("std", || {
                let mut rest = v.iter();
                others.iter().all(|x| rest.any(|y| x == y))
            })
            .with("includes", || includes(&v, &others))
            .run();
    }
    let text = vec![b'a'; N];
    Row::new("the last of 100 in 2M, at the beginning")
        .with("std", || text.windows(100).rposition(|w| w[0] != b'a'))
        .with("find_end", || find_end(&text, &[b'b'; 100]))
        .run();
}

fn graphs() {
    const NODES: usize = 500_000;
    let ends = numbers(4 * NODES, NODES as u64);
    let lengths = numbers(2 * NODES, 1000);
    let edges: Vec<(usize, usize)> = ends
        .chunks(2)
        .map(|e| (e[0] as usize, e[1] as usize))
        .collect();
    let weighted: Vec<(usize, usize, u64)> = edges
        .iter()
        .zip(&lengths)
        .map(|(e, &l)| (e.0, e.1, l))
        .collect();
    Row::new("components of 500k nodes, 1M edges")
        .with("petgraph's union-find", || {
            let mut sets = UnionFind::<usize>::new(NODES);
            edges.iter().for_each(|&(a, b)| _ = sets.union(a, b));
            sets.into_labeling()
        })
        .with("par_components", || par_components(NODES, &edges))
        .run();
    Row::new("spanning forest of 500k nodes, 1M edges")
        .with("Kruskal, petgraph's sets", || {
            let mut order: Vec<usize> = (0..weighted.len()).collect();
            order.sort_by_key(|&i| weighted[i].2);
            let mut sets = UnionFind::<usize>::new(NODES);
            order.retain(|&i| sets.union(weighted[i].0, weighted[i].1));
            order
        })
        .with("Kruskal, rayon's sort", || {
            let mut order: Vec<usize> = (0..weighted.len()).collect();
            order.par_sort_by_key(|&i| weighted[i].2);
            let mut sets = UnionFind::<usize>::new(NODES);
            order.retain(|&i| sets.union(weighted[i].0, weighted[i].1));
            order
        })
        .with("par_spanning_forest", || {
            par_spanning_forest(NODES, &weighted)
        })
        .run();
    let mut roads = vec![Vec::new(); NODES];
    for &(a, b, length) in &weighted {
        roads[a].push((b, length));
        roads[b].push((a, length));
    }
    let graph =
        UnGraph::<(), u64>::from_edges(weighted.iter().map(|&(a, b, l)| (a as u32, b as u32, l)));
    Row::new("shortest paths, 500k nodes, 1M roads")
        .with("Dijkstra, std's heap", || {
            let mut far = vec![u64::MAX; NODES];
            let mut heap = BinaryHeap::from([Reverse((0, 0))]);
            while let Some(Reverse((distance, node))) = heap.pop() {
                if distance < far[node] {
                    far[node] = distance;
                    let next = roads[node].iter();
                    heap.extend(next.map(|&(to, l)| Reverse((distance + l, to))));
                }
            }
            far
        })
        .with("petgraph's Dijkstra", || {
            petgraph::algo::dijkstra(&graph, NodeIndex::new(0), None, |e| *e.weight())
        })
        .with("delta 500", || {
            par_shortest_paths(NODES, [0], 500, |node| roads[node].iter().copied())
        })
        .with("delta 100", || {
            par_shortest_paths(NODES, [0], 100, |node| roads[node].iter().copied())
        })
        .run();
    let mut nodes: Vec<usize> = (0..N).collect();
    shuffle(&mut nodes, 1);
    let mut next = vec![NO_NEXT; N];
    nodes.windows(2).for_each(|pair| next[pair[0]] = pair[1]);
    Row::new("ranks in a list of 2M, in no order")
        .with("std", || {
            let (mut ranks, mut node, mut rank) = (vec![0; N], nodes[0], N);
            while node != NO_NEXT {
                rank -= 1;
                ranks[node] = rank;
                node = next[node];
            }
            ranks
        })
        .with("list_rank", || list_rank(&next))
        .run();
    let mut names: Vec<usize> = (0..N / 4).collect();
    shuffle(&mut names, 2);
    let mut state = 88_172_645_463_325_252;
    let branches = (1..N / 4).map(|i| {
        let above = i - 1 - random(&mut state) as usize % i.min(100);
        (names[i], names[above])
    });
    let branches: Vec<(usize, usize)> = branches.collect();
    Row::new("a forest of 500k nodes rooted")
        .with("std", || searched(N / 4, &branches))
        .with("euler_tour", || euler_tour(N / 4, &branches))
        .run();
}

/// A forest rooted by a search in depth: parents, depths, preorder, and sizes.
fn searched(n: usize, edges: &[(usize, usize)]) -> [Vec<usize>; 4] {
    let mut first = vec![0; n + 2];
    for &(a, b) in edges {
        first[a + 2] += 1;
        first[b + 2] += 1;
    }
    for i in 2..n + 2 {
        first[i] += first[i - 1];
    }
    let mut neighbours = vec![0; 2 * edges.len()];
    for &(a, b) in edges {
        for (from, to) in [(a, b), (b, a)] {
            neighbours[first[from + 1]] = to;
            first[from + 1] += 1;
        }
    }
    let (mut parents, mut depths) = (vec![NO_PARENT; n], vec![0; n]);
    let (mut preorder, mut sizes) = (vec![usize::MAX; n], vec![1; n]);
    let (mut order, mut stack) = (Vec::with_capacity(n), Vec::new());
    for root in 0..n {
        if preorder[root] < usize::MAX {
            continue;
        }
        stack.push(root);
        while let Some(node) = stack.pop() {
            preorder[node] = order.len();
            order.push(node);
            for &below in neighbours[first[node]..first[node + 1]].iter().rev() {
                if below != parents[node] {
                    parents[below] = node;
                    depths[below] = depths[node] + 1;
                    stack.push(below);
                }
            }
        }
    }
    for &node in order.iter().rev() {
        if parents[node] != NO_PARENT {
            sizes[parents[node]] += sizes[node];
        }
    }
    [parents, depths, preorder, sizes]
}

/// About so many ns of work.
fn work(x: u64, ns: u64) -> u64 {
    (0..ns * 6 / 10).fold(x, |x, i| {
        black_box(x)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(i)
    })
}

fn streams() {
    for (n, ns) in [(10_000u64, 10_000), (100_000, 200)] {
        Row::new(format!("{n} items through two stages of {ns} ns each"))
            .with("std", || {
                (0..n).map(|x| work(work(x, ns), ns)).fold(0, |a, b| a ^ b)
            })
            .with("rayon, par_bridge", || {
                let items = (0..n).par_bridge().map(|x| work(work(x, ns), ns));
                items.reduce(|| 0, |a, b| a ^ b)
            })
            .with("par_bridge_ordered", || {
                use filch::iter::ParallelIterator;
                let items = (0..n).par_bridge_ordered().map(|x| work(work(x, ns), ns));
                items.reduce(|| 0, |a, b| a ^ b)
            })
            .with("pipeline", || {
                let mut sum = 0;
                pipeline(0..n)
                    .stage(usize::MAX, |x| work(x, ns))
                    .stage(usize::MAX, |x| work(x, ns))
                    .for_each(|x| sum ^= x);
                sum
            })
            .run();
    }
    for (n, ns) in [(1000usize, 10_000), (10_000, 200)] {
        Row::new(format!("{n} tasks of {ns} ns, each after two"))
            .with("std, a loop", || {
                (0..n).map(|i| work(i as u64, ns)).fold(0, |a, b| a ^ b)
            })
            .with("TaskGraph", || {
                let mut graph = TaskGraph::new();
                for i in 0..n {
                    let task = graph.task(move || _ = black_box(work(i as u64, ns)));
                    for other in [i / 2, i / 3] {
                        if other < i {
                            graph.after(task, TaskId(other));
                        }
                    }
                }
                graph.run()
            })
            .run();
    }
}

fn main() {
    filch::ThreadPoolBuilder::new()
        .num_threads(2)
        .build_global()
        .expect("the global pool is not built yet");
    rayon::ThreadPoolBuilder::new()
        .num_threads(2)
        .build_global()
        .expect("the global pool is not built yet");
    orders();
    lots();
    texts();
    segments();
    joins();
    graphs();
    streams();
}
