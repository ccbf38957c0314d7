use std::{
    collections::{HashMap, LinkedList},
    hint::black_box,
    ops::{Mul, Range},
};

use orx_parallel::{IterIntoParIter as _, Par as _};

use crate::{
    case::{Case, Suite},
    inputs::{numbers, spin, unseen},
    real, twice,
};

pub fn cases(suite: &mut Suite<'_>) {
    triples(suite);
    products(suite);
    lists(suite);
    maps(suite);
    shapes(suite);
    words(suite);
    walks(suite);
}

/// Those of the lengths that inputs have here.
fn lengths(suite: &Suite<'_>, all: &[usize]) -> Vec<usize> {
    let longest = suite.setting.longest;
    all.iter().copied().filter(|&n| n <= longest).collect()
}

/// Right triangles whose sides are whole numbers below n, by three loops.
fn triples(suite: &mut Suite<'_>) {
    let right = |a: u32, b: u32, c: u32| a * a + b * b == c * c;
    for n in [60, 200] {
        let std = move || {
            let end = black_box(n as u32);
            let two = (1..end).flat_map(|a| (a..end).map(move |b| (a, b)));
            two.flat_map(|(a, b)| (b..end).filter(move |&c| right(a, b, c)))
                .count()
        };
        Case::new("triples, flat_map in flat_map", n)
            .by("std", std)
            .par(twice!(|| {
                let end = black_box(n as u32);
                let third = move |a, b| {
                    let sides = (b..end).into_par_iter();
                    sides.filter(move |&c| right(a, b, c))
                };
                let second = move |a| (a..end).into_par_iter().flat_map(move |b| third(a, b));
                (1..end).into_par_iter().flat_map(second).count()
            }))
            .put(suite);
        let sums = move || {
            let end = black_box(n as u32);
            let third = |a, b| (b..end).filter(|&c| right(a, b, c)).count();
            let second = |a| (a..end).map(|b| third(a, b)).sum::<usize>();
            (1..end).map(second).sum::<usize>()
        };
        Case::new("triples, sums in sums", n)
            .by("std", sums)
            .par(twice!(|| {
                let end = black_box(n as u32);
                let third = |a, b| {
                    let sides = (b..end).into_par_iter();
                    sides.filter(|&c| right(a, b, c)).count()
                };
                let second = |a| (a..end).into_par_iter().map(|b| third(a, b)).sum::<usize>();
                (1..end).into_par_iter().map(second).sum()
            }))
            .put(suite);
    }
}

/// A number of many digits, the lowest first.
#[derive(Clone, PartialEq)]
struct Big(Vec<u32>);

impl Big {
    fn of(n: u32) -> Big {
        Big(vec![n])
    }
}

impl Mul for Big {
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
        iter.fold(Big::of(1), Big::mul)
    }
}

fn products(suite: &mut Suite<'_>) {
    for n in [1_000, 5_000] {
        let factors = move || 1..=black_box(n as u32);
        let std = move || factors().map(Big::of).product::<Big>();
        Case::new("factorial, product", n)
            .by("std", std)
            .par(twice!(|| factors().into_par_iter().map(Big::of).product()))
            .put(suite);
        Case::new("factorial, fold_with", n)
            .by("std", std)
            .par(twice!(|| {
                let factors = factors().into_par_iter().map(Big::of);
                let parts = factors.fold_with(Big::of(1), Big::mul);
                parts.reduce(|| Big::of(1), Big::mul)
            }))
            .put(suite);
    }
}

/// Vectors that are filled by folds.
fn lists(suite: &mut Suite<'_>) {
    let push = |mut list: Vec<u64>, &item: &u64| {
        list.push(item);
        list
    };
    for n in lengths(suite, &[100_000, 1_000_000]) {
        let data = &numbers(n)[..];
        let std = || unseen(data).iter().fold(Vec::new(), push);
        Case::new("fold into vectors, append", n)
            .by("std", std)
            .par(twice!(|| {
                let lists = unseen(data).par_iter().fold(Vec::new, push);
                lists.reduce(Vec::new, |mut a, mut b| {
                    a.append(&mut b);
                    a
                })
            }))
            .put(suite);
        Case::new("fold into vectors, linked list", n)
            .by("std", std)
            .par(twice!(|| {
                let lists = unseen(data).par_iter().fold(Vec::new, push);
                let lists = lists.map(|list| LinkedList::from([list]));
                let lists = lists.reduce(LinkedList::new, |mut a, mut b| {
                    a.append(&mut b);
                    a
                });
                let mut all = Vec::with_capacity(lists.iter().map(Vec::len).sum());
                lists.into_iter().for_each(|list| all.extend(list));
                all
            }))
            .put(suite);
    }
}

/// Maps that are filled by folds, and merged. Each key comes twice.
fn maps(suite: &mut Suite<'_>) {
    for n in lengths(suite, &[10_000, 300_000]) {
        let keys = [numbers(n), numbers(n)].concat();
        let count = |mut map: HashMap<u64, u64>, &key: &u64| {
            *map.entry(key).or_default() += 1;
            map
        };
        Case::new("fold into maps, merge", n)
            .by("std", || unseen(&keys).iter().fold(HashMap::new(), count))
            .par(twice!(|| {
                let maps = unseen(&keys).par_iter().fold(HashMap::new, count);
                maps.reduce(HashMap::new, |mut a, mut b| {
                    if a.len() < b.len() {
                        std::mem::swap(&mut a, &mut b);
                    }
                    for (key, n) in b {
                        *a.entry(key).or_default() += n;
                    }
                    a
                })
            }))
            .put(suite);
    }
}

/// Cheap items: one to a piece, in two parts of a chain, in front of a few that take a millisecond each.
fn shapes(suite: &mut Suite<'_>) {
    for n in [1_000, 100_000] {
        let data = &numbers(n)[..];
        let turn = |x: &u64| x.rotate_left(17) >> 24;
        Case::new("with_max_len(1), sum", n)
            .by("std", || {
                unseen(data).iter().map(|&x| black_box(x)).sum::<u64>()
            })
            .par(twice!(|| {
                let items = unseen(data).par_iter().with_max_len(1);
                items.map(|&x| black_box(x)).sum()
            }))
            .put(suite);
        Case::new("chain of two slices, sum", n)
            .by("std", || {
                let (front, back) = unseen(data).split_at(2 * n / 5);
                front.iter().chain(back).map(turn).sum::<u64>()
            })
            .par(twice!(|| {
                let (front, back) = unseen(data).split_at(2 * n / 5);
                front.par_iter().chain(back).map(turn).sum()
            }))
            .put(suite);
    }
    const N: usize = 10_000;
    let (cheap, giant) = {
        let spin = suite.setting.spin;
        (spin.units(10.0), spin.units(1e6))
    };
    for (name, giants) in [
        ("two giants after cheap items", 2),
        ("three giants after cheap items", 3),
    ] {
        let mut costs = vec![cheap; N];
        costs[N - giants..].fill(giant);
        let work = |&cost: &u32| spin(cost) >> 32;
        Case::new(name, N)
            .by("std", || unseen(&costs).iter().map(work).sum::<u64>())
            .par(twice!(|| unseen(&costs).par_iter().map(work).sum()))
            .put(suite);
    }
}

fn words(suite: &mut Suite<'_>) {
    let long = |word: &&str| word.len() > 3;
    for n in lengths(suite, &[1_000, 10_000, 1_000_000]) {
        let text = real::prefix(n);
        let threads = suite.setting.threads;
        Case::new("long words of a split", n)
            .by("std", || black_box(text).split(' ').filter(long).count())
            .par(twice!(|| black_box(text)
                .par_split(' ')
                .filter(long)
                .count()))
            .by("orx", || {
                let words = black_box(text).split(' ').iter_into_par();
                words.num_threads(threads).filter(long).count()
            })
            .put(suite);
    }
}

/// The two halves of what is below a node. A node says itself how the tree goes on.
fn below(nodes: &Range<u64>) -> impl DoubleEndedIterator<Item = Range<u64>> + use<> {
    let middle = (nodes.start + 1 + nodes.end) / 2;
    let halves = [nodes.start + 1..middle, middle..nodes.end];
    halves.into_iter().filter(|half| !half.is_empty())
}

/// Visits the nodes by recursion, each before or after those below it.
fn visit(nodes: Range<u64>, before: bool, op: &mut impl FnMut(u64)) {
    let node = nodes.start;
    if before {
        op(node);
    }
    below(&nodes).for_each(|half| visit(half, before, op));
    if !before {
        op(node);
    }
}

fn walks(suite: &mut Suite<'_>) {
    let sum = |n, before| {
        let mut sum = 0;
        visit(0..black_box(n), before, &mut |node| sum += node);
        sum
    };
    let list = |n, before| {
        let mut list = Vec::new();
        visit(0..black_box(n), before, &mut |node| list.push(node));
        list
    };
    let node = |nodes: Range<u64>| nodes.start;
    for n in [1_000, 100_000] {
        let root = move || 0..black_box(n as u64);
        Case::new("prefix walk of small nodes, sum", n)
            .by("std", move || sum(n as u64, true))
            .par(twice!(|| {
                let nodes = par::iter::walk_tree_prefix(root(), below);
                nodes.map(node).sum()
            }))
            .put(suite);
        Case::new("postfix walk of small nodes, sum", n)
            .by("std", move || sum(n as u64, false))
            .par(twice!(|| {
                let nodes = par::iter::walk_tree_postfix(root(), below);
                nodes.map(node).sum()
            }))
            .put(suite);
        Case::new("prefix walk of small nodes, collect", n)
            .by("std", move || list(n as u64, true))
            .par(twice!(|| {
                let nodes = par::iter::walk_tree_prefix(root(), below);
                nodes.map(node).collect()
            }))
            .put(suite);
        Case::new("postfix walk of small nodes, collect", n)
            .by("std", move || list(n as u64, false))
            .par(twice!(|| {
                let nodes = par::iter::walk_tree_postfix(root(), below);
                nodes.map(node).collect()
            }))
            .put(suite);
    }
}
