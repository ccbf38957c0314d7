//! Where do programs that people write first, nested loops, folds of lists, products of large numbers, lose against rayon or against plain code?
//!
//! `cargo bench --bench demo -- [--threads N] [--inside] [part of a row's name]...` prints, for each row and contender, the least time, the least and
//! the median of the ratios to the sequential one, and those of filch to rayon, measured in turns. With `--inside` the calls come from inside a pool.

use std::collections::{HashMap, LinkedList};
use std::hint::black_box;
use std::time::Duration;
use suite::graphs::{Tree, walk_std};
use suite::measure::{Contender, Pair, Patience, Pools, choose_calls, take_turns};
use suite::{ours, rayon, twice};

struct Options {
    names: Vec<String>,
    inside: bool,
    budget: Duration,
}

impl Options {
    /// Measures one row. Results must be equal.
    fn row<'a>(
        &self,
        name: &str,
        std: impl Fn() -> u64 + Send + Sync + 'a,
        (filch, rayon): (
            impl Fn() -> u64 + Send + Sync + 'a,
            impl Fn() -> u64 + Send + Sync + 'a,
        ),
    ) {
        if !self.names.is_empty() && !self.names.iter().any(|part| name.contains(part.as_str())) {
            return;
        }
        let expected = std();
        assert_eq!(filch(), expected, "{name}: filch");
        assert_eq!(rayon(), expected, "{name}: rayon");
        let mut contenders = vec![Contender::timed("std", std)];
        if self.inside {
            contenders.push(Contender::new("filch", |calls| {
                ours::scope(|_| time(calls, &filch))
            }));
            contenders.push(Contender::new("rayon", |calls| {
                rayon::scope(|_| time(calls, &rayon))
            }));
        } else {
            contenders.push(Contender::timed("filch", filch));
            contenders.push(Contender::timed("rayon", rayon));
        }
        let patience = Patience::of(self.budget);
        choose_calls(&mut contenders, &patience);
        take_turns(&mut contenders, Pools::Awake, &patience);
        let (base, rival) = (&contenders[0], &contenders[2]);
        let micros = Pair::of(&base.samples).min / 1e3;
        let [filch, rayon] = [1, 2].map(|at| contenders[at].over(base));
        let both = contenders[1].over(rival);
        println!(
            "{name:<44} {micros:>10.2} us {:>6.2} {:>6.2} {:>8.2} {:>6.2} {:>8.2} {:>6.2}",
            filch.min, filch.median, rayon.min, rayon.median, both.min, both.median
        );
    }
}

fn time(calls: u64, run: &impl Fn() -> u64) -> f64 {
    let start = std::time::Instant::now();
    for _ in 0..calls {
        black_box(run());
    }
    start.elapsed().as_nanos() as f64
}

fn is_triple(a: u32, b: u32, c: u32) -> bool {
    a * a + b * b == c * c
}

fn loops(options: &Options) {
    for n in [60u32, 200] {
        let triples = move || {
            (1..n)
                .flat_map(move |a| {
                    (a..n).flat_map(move |b| (b..n).filter(move |&c| is_triple(a, b, c)))
                })
                .count() as u64
        };
        options.row(
            &format!("triples, flat_map, {n}"),
            triples,
            twice!(move || (1..n)
                .into_par_iter()
                .flat_map(move |a| (a..n)
                    .into_par_iter()
                    .flat_map(move |b| (b..n).into_par_iter().filter(move |&c| is_triple(a, b, c))))
                .count() as u64),
        );
        options.row(
            &format!("triples, map and sum, {n}"),
            triples,
            twice!(move || (1..n)
                .into_par_iter()
                .map(|a| (a..n)
                    .into_par_iter()
                    .map(|b| (b..n)
                        .into_par_iter()
                        .filter(|&c| is_triple(a, b, c))
                        .count() as u64)
                    .sum::<u64>())
                .sum::<u64>()),
        );
    }
    for n in [60u64, 200] {
        let is_triple = |a: u64, b: u64, c: u64| a * a + b * b == c * c;
        let triples = move || {
            let below = move |a| (a..=n).flat_map(move |b| (b..=n).map(move |c| (a, b, c)));
            (1..=n)
                .flat_map(below)
                .filter(|&(a, b, c)| is_triple(a, b, c))
                .count() as u64
        };
        options.row(
            &format!("triples, flat_map, inclusive u64, {n}"),
            triples,
            twice!(move || (1..=n)
                .into_par_iter()
                .flat_map(move |a| (a..=n).into_par_iter().flat_map(move |b| (b..=n)
                    .into_par_iter()
                    .filter(move |&c| is_triple(a, b, c))
                    .map(move |c| (a, b, c))))
                .count() as u64),
        );
        options.row(
            &format!("triples, flat_map, collect, {n}"),
            triples,
            twice!(move || (1..=n)
                .into_par_iter()
                .flat_map(move |a| (a..=n).into_par_iter().flat_map(move |b| (b..=n)
                    .into_par_iter()
                    .filter(move |&c| is_triple(a, b, c))
                    .map(move |c| (a, b, c))))
                .collect::<Vec<_>>()
                .len() as u64),
        );
        options.row(
            &format!("triples, map and sum, inclusive u64, {n}"),
            triples,
            twice!(move || (1..=n)
                .into_par_iter()
                .map(|a| (a..=n)
                    .into_par_iter()
                    .map(|b| (b..=n)
                        .into_par_iter()
                        .filter(|&c| is_triple(a, b, c))
                        .map(|_| 1)
                        .sum::<u64>())
                    .sum::<u64>())
                .sum::<u64>()),
        );
    }
    // Euclid's formula, with a greatest common divisor an item.
    let n = 1000;
    let weigh = move |m: u32, n: u32| u64::from(2_000_000 / (2 * m * (m + n)));
    let first = move |m: u32, n: u32| (m - n) % 2 == 1 && gcd(m, n) == 1;
    options.row(
        "euclid, map and sum",
        move || {
            (1..n)
                .map(|m| {
                    (1..m)
                        .filter(|&n| first(m, n))
                        .map(|n| weigh(m, n))
                        .sum::<u64>()
                })
                .sum()
        },
        twice!(move || (1..n)
            .into_par_iter()
            .map(|m| (1..m)
                .into_par_iter()
                .filter(|&n| first(m, n))
                .map(|n| weigh(m, n))
                .sum::<u64>())
            .sum()),
    );
}

fn gcd(mut a: u32, mut b: u32) -> u32 {
    while b > 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// A number of many digits, the lowest first.
#[derive(Clone)]
struct Big(Vec<u32>);

impl Big {
    fn one() -> Big {
        Big(vec![1])
    }

    fn of(n: u32) -> Big {
        Big(vec![n])
    }

    fn check(&self) -> u64 {
        self.0
            .iter()
            .fold(0u64, |sum, &digit| sum.rotate_left(5) ^ u64::from(digit))
    }
}

impl std::ops::Mul for Big {
    type Output = Big;

    fn mul(self, other: Big) -> Big {
        let mut digits = vec![0; self.0.len() + other.0.len()];
        for (i, &a) in self.0.iter().enumerate() {
            let mut carry = 0;
            for (j, &b) in other.0.iter().enumerate() {
                let sum = u64::from(a) * u64::from(b) + u64::from(digits[i + j]) + carry;
                digits[i + j] = sum as u32;
                carry = sum >> 32;
            }
            digits[i + other.0.len()] = carry as u32;
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        Big(digits)
    }
}

impl std::iter::Product for Big {
    fn product<I: Iterator<Item = Big>>(iter: I) -> Big {
        iter.fold(Big::one(), |a, b| a * b)
    }
}

fn folds(options: &Options) {
    for n in [1000u32, 5000] {
        options.row(
            &format!("factorial {n}, product"),
            move || (1..=n).map(Big::of).product::<Big>().check(),
            twice!(move || (1..=n)
                .into_par_iter()
                .map(Big::of)
                .product::<Big>()
                .check()),
        );
        options.row(
            &format!("factorial {n}, fold_with, reduce_with"),
            move || (1..=n).map(Big::of).product::<Big>().check(),
            twice!(move || (1..=n)
                .into_par_iter()
                .map(Big::of)
                .fold_with(Big::one(), |a, b| a * b)
                .reduce_with(|a, b| a * b)
                .map_or(0, |big| big.check())),
        );
    }
    let check = |items: &Vec<u32>| items.len() as u64 + u64::from(items[items.len() / 2]);
    for n in [100_000u32, 1_000_000] {
        let std = move || {
            check(&(0..n).fold(Vec::new(), |mut list, i| {
                list.push(i);
                list
            }))
        };
        options.row(
            &format!("fold(Vec, push), reduce(append), {n}"),
            std,
            twice!(move || check(
                &(0..n)
                    .into_par_iter()
                    .fold(Vec::new, |mut list, i| {
                        list.push(i);
                        list
                    })
                    .reduce(Vec::new, |mut a, mut b| {
                        a.append(&mut b);
                        a
                    })
            )),
        );
        options.row(
            &format!("fold(Vec, push), linked list, {n}"),
            std,
            twice!(move || {
                let lists: LinkedList<Vec<u32>> = (0..n)
                    .into_par_iter()
                    .fold(Vec::new, |mut list, i| {
                        list.push(i);
                        list
                    })
                    .map(|list| LinkedList::from([list]))
                    .reduce(LinkedList::new, |mut a, mut b| {
                        a.append(&mut b);
                        a
                    });
                let mut all = Vec::with_capacity(lists.iter().map(Vec::len).sum());
                lists.into_iter().for_each(|mut list| all.append(&mut list));
                check(&all)
            }),
        );
    }
    let letter = |i: u32| char::from(b'a' + (i % 26) as u8);
    let n = 100_000u32;
    options.row(
        &format!("fold(String, push), reduce(append), {n}"),
        move || (0..n).map(letter).collect::<String>().len() as u64,
        twice!(move || (0..n)
            .into_par_iter()
            .fold(String::new, |mut text, i| {
                text.push(letter(i));
                text
            })
            .reduce(String::new, |a, b| a + &b)
            .len() as u64),
    );
    options.row(
        &format!("try_reduce_with(checked_add), {n}"),
        move || {
            let sum = (0..n).try_fold(0u32, |a, i| a.checked_add(i % 8));
            u64::from(sum.unwrap_or(0))
        },
        twice!(move || {
            let sum = (0..n)
                .into_par_iter()
                .map(|i| Some(i % 8))
                .try_reduce_with(|a, b| a.checked_add(b));
            u64::from(sum.flatten().unwrap_or(0))
        }),
    );
    for keys in [100_000u64, 300_000] {
        let key = move |i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15) % keys;
        let items = 2 * keys;
        options.row(
            &format!("fold(HashMap), reduce(merge), {keys} keys"),
            move || {
                let mut map = HashMap::<u64, u64>::new();
                (0..items).for_each(|i| *map.entry(key(i)).or_default() += 1);
                map.len() as u64
            },
            twice!(move || (0..items as usize)
                .into_par_iter()
                .fold(HashMap::<u64, u64>::new, |mut map, i| {
                    *map.entry(key(i as u64)).or_default() += 1;
                    map
                })
                .reduce(HashMap::new, |mut a, mut b| {
                    if a.len() < b.len() {
                        std::mem::swap(&mut a, &mut b);
                    }
                    for (key, n) in b {
                        *a.entry(key).or_default() += n;
                    }
                    a
                })
                .len() as u64),
        );
    }
}

fn bounds(options: &Options) {
    let n = 100_000u64;
    options.row(
        "with_max_len(1), 100000 cheap items, sum",
        move || (0..n).map(black_box).sum(),
        twice!(move || (0..n as usize)
            .into_par_iter()
            .with_max_len(1)
            .map(|i| black_box(i as u64))
            .sum()),
    );
    let numbers: &[u64] = &(0..n).collect::<Vec<_>>();
    options.row(
        "with_max_len(1), 100000 cheap items, slice",
        move || numbers.iter().map(|&i| black_box(i)).sum(),
        twice!(move || numbers
            .par_iter()
            .with_max_len(1)
            .map(|&i| black_box(i))
            .sum()),
    );
    for len in [1000, 10_000, 1_000_000] {
        let numbers = &numbers
            .iter()
            .copied()
            .cycle()
            .take(len)
            .collect::<Vec<_>>();
        options.row(
            &format!("chunks(100), sums of 100 items, {len}"),
            move || {
                numbers
                    .chunks(100)
                    .map(|chunk| chunk.iter().sum::<u64>() & 1)
                    .sum()
            },
            twice!(move || numbers
                .par_chunks(100)
                .map(|chunk| chunk.iter().sum::<u64>() & 1)
                .sum()),
        );
        options.row(
            &format!("chunks(10), sums of 10 items, {len}"),
            move || {
                numbers
                    .chunks(10)
                    .map(|chunk| chunk.iter().sum::<u64>() & 1)
                    .sum()
            },
            twice!(move || numbers
                .par_chunks(10)
                .map(|chunk| chunk.iter().sum::<u64>() & 1)
                .sum()),
        );
        options.row(
            &format!("into_par_iter().chunks(100), sums, {len}"),
            move || {
                numbers
                    .chunks(100)
                    .map(|chunk| chunk.iter().sum::<u64>() & 1)
                    .sum()
            },
            twice!(move || numbers
                .par_iter()
                .chunks(100)
                .map(|chunk| chunk.into_iter().sum::<u64>() & 1)
                .sum()),
        );
    }
    let (front, back) = numbers.split_at(40_000);
    options.row(
        "chain of two slices, sum",
        move || front.iter().chain(back).map(|&i| i ^ 5).sum(),
        twice!(move || front.par_iter().chain(back).map(|&i| i ^ 5).sum()),
    );
    let (front, back) = numbers[..1000].split_at(400);
    options.row(
        "chain of two short slices, sum",
        move || front.iter().chain(back).map(|&i| i ^ 5).sum(),
        twice!(move || front.par_iter().chain(back).map(|&i| i ^ 5).sum()),
    );
    for giants in [2, 3] {
        let cost = move |i: u64| {
            let rounds = if i >= 10_000 - giants { 2_000_000 } else { 5 };
            (0..rounds).fold(i, |a, b| black_box(a ^ b))
        };
        options.row(
            &format!("{giants} giants after 10000 cheap items"),
            move || (0..10_000).map(cost).fold(0, u64::wrapping_add),
            twice!(move || (0..10_000usize)
                .into_par_iter()
                .map(|i| cost(i as u64))
                .reduce(|| 0, u64::wrapping_add)),
        );
    }
}

fn text(options: &Options) {
    let word = |i: usize| {
        [
            "the", "quick", "brown", "fox", "jumps", "over", "a", "lazy dog",
        ][i * i % 7]
    };
    for size in [1000, 10_000, 1_000_000] {
        let text: String = (0..)
            .map(word)
            .flat_map(|word| [word, " "])
            .take(size / 4)
            .collect();
        let text = &text;
        options.row(
            &format!("par_split(' '), {size} bytes"),
            move || text.split(' ').filter(|word| word.len() > 3).count() as u64,
            twice!(move || text.par_split(' ').filter(|word| word.len() > 3).count() as u64),
        );
        options.row(
            &format!("par_split(closure), {size} bytes"),
            move || {
                text.split(|c: char| !c.is_alphabetic())
                    .filter(|word| word.len() > 3)
                    .count() as u64
            },
            twice!(move || text
                .par_split(|c: char| !c.is_alphabetic())
                .filter(|word| word.len() > 3)
                .count() as u64),
        );
        options.row(
            &format!("par_split_whitespace, {size} bytes"),
            move || {
                text.split_whitespace()
                    .filter(|word| word.len() > 3)
                    .count() as u64
            },
            twice!(move || text
                .par_split_whitespace()
                .filter(|word| word.len() > 3)
                .count() as u64),
        );
        let lines: String = (0..)
            .map(word)
            .flat_map(|word| [word, " is so \n"])
            .take(size / 6)
            .collect();
        let lines = &lines;
        options.row(
            &format!("lines, {size} bytes"),
            move || lines.lines().map(|line| line.len() as u64).sum(),
            twice!(move || lines.par_lines().map(|line| line.len() as u64).sum()),
        );
        options.row(
            &format!("chars, {size} bytes"),
            move || lines.chars().filter(|c| c.is_alphabetic()).count() as u64,
            twice!(move || lines.par_chars().filter(|c| c.is_alphabetic()).count() as u64),
        );
    }
}

/// The nodes of a tree, each before its children.
fn list(tree: &Tree) -> Vec<u32> {
    let (mut stack, mut nodes) = (vec![0], Vec::new());
    while let Some(node) = stack.pop() {
        stack.extend(tree.children(node).rev());
        nodes.push(node);
    }
    nodes
}

fn trees(options: &Options) {
    for n in [1000, 100_000] {
        for children in [2, 10] {
            let tree = &Tree::grow(n, move |_| children);
            let name = |what: &str| format!("walk_tree {what}, {n} nodes of {children}");
            let std = move || walk_std(tree, u64::from);
            options.row(
                &name("sum"),
                std,
                twice!(move || par::iter::walk_tree(0, |&n| tree.children(n))
                    .map(u64::from)
                    .sum()),
            );
            options.row(
                &name("prefix sum"),
                std,
                twice!(
                    move || par::iter::walk_tree_prefix(0, |&n| tree.children(n))
                        .map(u64::from)
                        .sum()
                ),
            );
            options.row(
                &name("postfix sum"),
                std,
                twice!(
                    move || par::iter::walk_tree_postfix(0, |&n| tree.children(n))
                        .map(u64::from)
                        .sum()
                ),
            );
            options.row(
                &name("prefix collect"),
                move || list(tree).len() as u64,
                twice!(
                    move || par::iter::walk_tree_prefix(0, |&n| tree.children(n))
                        .collect::<Vec<_>>()
                        .len() as u64
                ),
            );
            options.row(
                &name("postfix collect"),
                move || list(tree).len() as u64,
                twice!(
                    move || par::iter::walk_tree_postfix(0, |&n| tree.children(n))
                        .collect::<Vec<_>>()
                        .len() as u64
                ),
            );
        }
    }
    // Nodes that say themselves how the tree goes on.
    const NODES: u64 = 100_000;
    fn of_range(nodes: std::ops::Range<u64>, before: bool, visit: &mut impl FnMut(u64)) {
        let middle = (nodes.start + 1 + nodes.end) / 2;
        if before {
            visit(nodes.start);
        }
        for below in [nodes.start + 1..middle, middle..nodes.end] {
            if !below.is_empty() {
                of_range(below, before, visit);
            }
        }
        if !before {
            visit(nodes.start);
        }
    }
    let std = |before| {
        move || {
            let mut sum = 0;
            of_range(0..NODES, before, &mut |node| sum += black_box(node));
            sum
        }
    };
    // Walks that collect, beside a loop that collects: a loop that only adds up does half of the work.
    let std_collect = |before| {
        move || {
            let mut nodes = Vec::new();
            of_range(0..NODES, before, &mut |node| nodes.push(node));
            nodes.iter().sum()
        }
    };
    let below = |nodes: &std::ops::Range<u64>| {
        let middle = (nodes.start + 1 + nodes.end) / 2;
        let (left, right) = (nodes.start + 1..middle, middle..nodes.end);
        std::iter::once(left)
            .chain(std::iter::once(right))
            .filter(|below| !below.is_empty())
    };
    options.row(
        "walk_tree prefix, ranges, sum",
        std(true),
        twice!(|| par::iter::walk_tree_prefix(0..NODES, below)
            .map(|nodes| nodes.start)
            .sum()),
    );
    options.row(
        "walk_tree postfix, ranges, sum",
        std(false),
        twice!(|| par::iter::walk_tree_postfix(0..NODES, below)
            .map(|nodes| nodes.start)
            .sum()),
    );
    let check = |nodes: Vec<u64>| nodes.iter().sum::<u64>();
    options.row(
        "walk_tree prefix, ranges, collect",
        std_collect(true),
        twice!(|| check(
            par::iter::walk_tree_prefix(0..NODES, below)
                .map(|nodes| nodes.start)
                .collect()
        )),
    );
    options.row(
        "walk_tree postfix, ranges, collect",
        std_collect(false),
        twice!(|| check(
            par::iter::walk_tree_postfix(0..NODES, below)
                .map(|nodes| nodes.start)
                .collect()
        )),
    );
}

fn bridges(options: &Options) {
    for (cost, n) in [(0, 1000u64), (0, 100_000), (20, 100_000), (100, 100_000)] {
        let value = move |i: u64| (0..cost).fold(i, |a, b| black_box(a ^ b));
        options.row(
            &format!("par_bridge, {n} items of {cost} steps"),
            move || (0..n).map(value).fold(0, u64::wrapping_add),
            twice!(move || (0..n)
                .par_bridge()
                .map(value)
                .reduce(|| 0, u64::wrapping_add)),
        );
    }
}

fn main() {
    let mut threads = 2;
    let mut options = Options {
        names: Vec::new(),
        inside: false,
        budget: Duration::from_millis(400),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--bench" => {}
            "--inside" => options.inside = true,
            "--threads" => threads = args.next().and_then(|n| n.parse().ok()).unwrap_or(threads),
            _ => options.names.push(arg),
        }
    }
    ours::set_global(threads);
    rayon::set_global(threads);
    println!(
        "{threads} threads: least time of std; least and median of filch to std, rayon to std, filch to rayon"
    );
    loops(&options);
    folds(&options);
    bounds(&options);
    text(&options);
    trees(&options);
    bridges(&options);
}
