//! PageRank of a graph: of this crate's own modules, of a file with an edge (`from to`) a line, or of a made-up graph.
//!
//! `cargo run --release --example pagerank -- [edges.txt | nodes]`
//!
//! S. Brin, L. Page, "The anatomy of a large-scale hypertextual web search engine", Computer Networks 30 (1998).

use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, io};

use filch::prelude::*;

/// The share of a node's rank that it hands on to what it points to.
const DAMPING: f64 = 0.85;

fn main() -> Result<(), Box<dyn Error>> {
    let edges = match env::args().nth(1) {
        None => modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"))?,
        Some(arg) => match arg.parse() {
            Ok(nodes) => made_up(nodes),
            Err(_) => from_file(&fs::read_to_string(&arg).map_err(|error| {
                format!("{arg} is no number of nodes, and cannot be read: {error}")
            })?),
        },
    };
    assert!(!edges.is_empty(), "a graph without edges has no ranks");
    let graph = Graph::new(&edges);

    let ((expected, _), one) = timed(|| ranks(&graph, sequential));
    let ((ranks, rounds), all) = timed(|| ranks(&graph, parallel));

    // To the last bit: each node adds up its own sources, in their order.
    assert!(ranks == expected, "the two ways disagree");
    let sum: f64 = ranks.iter().sum();
    assert!((sum - 1.0).abs() < 1e-6, "the ranks add up to {sum}, not 1");
    println!(
        "{} nodes, {} edges, settled after {rounds} rounds",
        ranks.len(),
        edges.len()
    );
    let mut order: Vec<usize> = (0..ranks.len()).collect();
    order.par_sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]));
    for &node in order.iter().take(8) {
        println!("{:8.5} {}", ranks[node], graph.names[node]);
    }
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    Ok(())
}

struct Graph<'e> {
    names: Vec<&'e str>,
    /// For each node those that point to it.
    sources: Vec<Vec<usize>>,
    /// For each node how many it points to.
    targets: Vec<usize>,
}

impl<'e> Graph<'e> {
    fn new(edges: &'e BTreeSet<(String, String)>) -> Graph<'e> {
        let ends = edges.iter().flat_map(|(from, to)| [from, to]);
        let names: BTreeSet<&str> = ends.map(String::as_str).collect();
        let names: Vec<&str> = names.into_iter().collect();
        let numbers: HashMap<&str, usize> = names.iter().copied().zip(0..).collect();
        let mut sources = vec![Vec::new(); names.len()];
        let mut targets = vec![0; names.len()];
        for (from, to) in edges {
            let (from, to) = (numbers[from.as_str()], numbers[to.as_str()]);
            sources[to].push(from);
            targets[from] += 1;
        }
        Graph {
            names,
            sources,
            targets,
        }
    }

    /// The next rank of a node.
    fn rank(&self, node: usize, handed_on: &[f64], everywhere: f64) -> f64 {
        let received: f64 = self.sources[node].iter().map(|&from| handed_on[from]).sum();
        everywhere + DAMPING * received
    }
}

type Step = fn(&Graph<'_>, handed_on: &[f64], everywhere: f64) -> Vec<f64>;

fn sequential(graph: &Graph<'_>, handed_on: &[f64], everywhere: f64) -> Vec<f64> {
    (0..graph.names.len())
        .map(|node| graph.rank(node, handed_on, everywhere))
        .collect()
}

/// Each node pulls from its sources instead of pushing to its targets: then no two threads write to the same place.
fn parallel(graph: &Graph<'_>, handed_on: &[f64], everywhere: f64) -> Vec<f64> {
    (0..graph.names.len())
        .into_par_iter()
        .map(|node| graph.rank(node, handed_on, everywhere))
        .collect()
}

/// Repeats `step` until the ranks hardly change.
fn ranks(graph: &Graph<'_>, step: Step) -> (Vec<f64>, usize) {
    let count = graph.names.len() as f64;
    let mut ranks = vec![1.0 / count; graph.names.len()];
    for round in 1.. {
        // What a node without targets holds is spread over all.
        let (mut stranded, mut handed_on) = (0.0, Vec::with_capacity(ranks.len()));
        for (&rank, &targets) in ranks.iter().zip(&graph.targets) {
            if targets == 0 {
                stranded += rank;
            }
            handed_on.push(rank / targets.max(1) as f64);
        }
        let everywhere = (1.0 - DAMPING + DAMPING * stranded) / count;
        let next = step(graph, &handed_on, everywhere);
        let change: f64 = ranks.iter().zip(&next).map(|(a, b)| (a - b).abs()).sum();
        ranks = next;
        if change < 1e-9 || round == 200 {
            return (ranks, round);
        }
    }
    unreachable!("it returns in some round")
}

/// The graph of a source tree: a file points to what it names in `mod name;` and `use crate::name::...`.
fn modules(dir: &Path) -> io::Result<BTreeSet<(String, String)>> {
    let mut files = Vec::new();
    list(dir, "crate", &mut files)?;
    let known: BTreeSet<&str> = files.iter().map(|(module, _)| module.as_str()).collect();
    let edges = files.par_iter().flat_map_iter(|(module, text)| {
        let known = &known;
        text.lines().filter_map(move |line| {
            let line = line
                .trim_start_matches("pub ")
                .trim_start_matches("pub(crate) ");
            let path = match line.strip_prefix("use ") {
                Some(path) if path.starts_with("crate::") => path.to_owned(),
                // `super` is one floor up.
                Some(path) => {
                    let (above, _) = module.rsplit_once("::")?;
                    format!("{above}::{}", path.strip_prefix("super::")?)
                }
                None => format!("{module}::{}", line.strip_prefix("mod ")?),
            };
            // The longest known module that the path begins with.
            let end = |c: char| !(c.is_alphanumeric() || c == '_' || c == ':');
            let mut target = path.split(end).next()?.trim_end_matches(':');
            while !known.contains(target) {
                target = target.rsplit_once("::")?.0;
            }
            (target != module).then(|| (module.clone(), target.to_owned()))
        })
    });
    Ok(edges.collect())
}

/// Adds the modules below `dir`, each with its source.
fn list(dir: &Path, module: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let path = entry?.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if path.is_dir() {
            list(&path, &format!("{module}::{stem}"), files)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let module = match &*stem {
                "lib" | "mod" => module.to_owned(),
                stem => format!("{module}::{stem}"),
            };
            files.push((module, fs::read_to_string(path)?));
        }
    }
    Ok(())
}

fn from_file(text: &str) -> BTreeSet<(String, String)> {
    text.par_lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut words = line.split_whitespace().map(str::to_owned);
            match (words.next(), words.next()) {
                (Some(from), Some(to)) => (from, to),
                _ => panic!("not an edge: {line}"),
            }
        })
        .collect()
}

/// Ten edges a node, half of them to a few favourites.
fn made_up(nodes: u64) -> BTreeSet<(String, String)> {
    (0..nodes * 10)
        .into_par_iter()
        .map(|i| {
            let random = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20;
            let among = if i.is_multiple_of(2) {
                nodes
            } else {
                nodes.isqrt()
            };
            ((i / 10).to_string(), (random % among).to_string())
        })
        .collect()
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
