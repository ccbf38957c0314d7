//! What do scans, packs, partitions and rearrangements of slices take beside std's sequential code?
//!
//! `cargo bench --bench scan_pack -- [--csv] [--n N]... [part of a row's name]...` prints, for each row and length, the least and the
//! median of the ratios to the sequential time, measured in turns; `--csv` prints them as a table for a plotter.

use filch::ext::*;
use std::hint::black_box;
use std::time::{Duration, Instant};
use suite::inputs::{numbers, spin};
use suite::measure::{Contender, Pair, Patience, Pools, choose_calls, take_turns};
use suite::{ours, rayon, twice};

/// Times batches of calls on inputs made beforehand; the drops of inputs and results are not timed.
fn contender<'a, I, R>(
    name: &'static str,
    input: impl Fn() -> I + 'a,
    run: impl Fn(&mut I) -> R + 'a,
) -> Contender<'a> {
    Contender::new(name, move |calls| {
        let mut inputs: Vec<I> = (0..calls).map(|_| input()).collect();
        let mut results = Vec::with_capacity(inputs.len());
        let start = Instant::now();
        for input in &mut inputs {
            results.push(black_box(run(black_box(input))));
        }
        start.elapsed().as_nanos() as f64
    })
}

struct Options {
    csv: bool,
    lengths: Vec<usize>,
    names: Vec<String>,
}

impl Options {
    fn parse() -> Options {
        let mut options = Options {
            csv: false,
            lengths: Vec::new(),
            names: Vec::new(),
        };
        let mut args = std::env::args().skip(1);
        while let Some(arg) = args.next() {
            match arg.as_str() {
                "--bench" => {}
                "--csv" => options.csv = true,
                "--n" => options
                    .lengths
                    .extend(args.next().and_then(|n| n.parse::<usize>().ok())),
                _ => options.names.push(arg),
            }
        }
        if options.lengths.is_empty() {
            options.lengths = vec![1_000_000, 10_000_000];
        }
        options
    }

    /// Measures one row: the first contender is what the others are compared with.
    fn row(&self, name: &str, n: usize, mut contenders: Vec<Contender<'_>>) {
        let wanted = |part: &String| name.contains(part.as_str());
        if !(self.names.is_empty() || self.names.iter().any(wanted)) {
            return;
        }
        let patience = Patience::of(Duration::from_millis(500));
        choose_calls(&mut contenders, &patience);
        take_turns(&mut contenders, Pools::Awake, &patience);
        for contender in &contenders {
            let Pair { min: least, median } = contender.over(&contenders[0]);
            let micros = Pair::of(&contender.samples).min / 1e3;
            let name_ = contender.name;
            if self.csv {
                println!("{name},{n},{name_},{micros:.3},{least:.3},{median:.3}");
            } else {
                println!(
                    "{name:<34} {n:>9}  {name_:<8} {micros:>11.2} us   {least:>5.2} {median:>5.2}"
                );
            }
        }
    }
}

/// An associative operation that takes about 100 ns.
fn costly(a: &u64, b: &u64) -> u64 {
    black_box(spin(black_box(60)));
    a.wrapping_add(*b)
}

fn add(a: &u64, b: &u64) -> u64 {
    a.wrapping_add(*b)
}

fn scan_std(v: &[u64], op: impl Fn(&u64, &u64) -> u64) -> Vec<u64> {
    let mut running = 0;
    let step = |x| {
        running = op(&running, x);
        running
    };
    v.iter().map(step).collect()
}

fn scan_std_in_place(v: &mut [u64], op: impl Fn(&u64, &u64) -> u64) {
    let mut running = 0;
    for x in v {
        running = op(&running, x);
        *x = running;
    }
}

fn scans(options: &Options, n: usize) {
    let data = &numbers(n)[..];
    options.row(
        "scan, cheap, to a vector",
        n,
        vec![
            contender("std", || (), |()| scan_std(data, add)),
            contender("filch", || (), |()| data.par_scan_inclusive(add)),
        ],
    );
    options.row(
        "scan, cheap, in place",
        n,
        vec![
            contender("std", || data.to_vec(), |v| scan_std_in_place(v, add)),
            contender(
                "filch",
                || data.to_vec(),
                |v| v.par_scan_inclusive_in_place(add),
            ),
        ],
    );
    if n <= 1_000_000 {
        let few = &data[..n.div_ceil(10)];
        options.row(
            "scan, costly, to a vector",
            few.len(),
            vec![
                contender("std", || (), |()| scan_std(few, costly)),
                contender("filch", || (), |()| few.par_scan_inclusive(costly)),
            ],
        );
    }
}

fn packs(options: &Options, n: usize) {
    let data = &numbers(n)[..];
    for (share, threshold) in [
        ("half", 1 << 39),
        ("1 %", (1 << 40) / 100),
        ("99 %", (1 << 40) / 100 * 99),
    ] {
        let keep = |x: &u64| *x < threshold;
        options.row(
            &format!("retain {share}"),
            n,
            vec![
                contender("std", || data.to_vec(), |v| v.retain(keep)),
                contender("filch", || data.to_vec(), |v| v.par_retain(keep)),
            ],
        );
        let (filch, rayon) = twice!(|| data.par_iter().copied().filter(keep).collect::<Vec<_>>());
        options.row(
            &format!("pack {share}"),
            n,
            vec![
                contender(
                    "std",
                    || (),
                    |()| data.iter().copied().filter(keep).collect::<Vec<_>>(),
                ),
                contender("filch", || (), |()| data.par_pack(keep)),
                contender("collect", || (), |()| filch()),
                contender("rayon", || (), |()| rayon()),
            ],
        );
    }
    let words = || -> Vec<String> { data.iter().take(n / 10).map(u64::to_string).collect() };
    let word = |w: &String| w.len().is_multiple_of(2) || w.ends_with('7');
    options.row(
        "retain strings",
        n / 10,
        vec![
            contender("std", words, |v| v.retain(word)),
            contender("filch", words, |v| v.par_retain(word)),
        ],
    );
    let keep = |x: &u64| *x < 1 << 39;
    options.row(
        "partition, stable",
        n,
        vec![
            contender(
                "std",
                || data.to_vec(),
                |v| {
                    let (mut first, others): (Vec<u64>, Vec<u64>) = v.iter().partition(|x| keep(x));
                    first.extend_from_slice(&others);
                    v.copy_from_slice(&first);
                },
            ),
            contender(
                "filch",
                || data.to_vec(),
                |v| v.par_partition_in_place(keep),
            ),
        ],
    );
    options.row(
        "partition, unstable",
        n,
        vec![
            contender("std", || data.to_vec(), |v| partition_std(v, keep)),
            contender(
                "filch",
                || data.to_vec(),
                |v| v.par_partition_in_place_unstable(keep),
            ),
        ],
    );
    for (name, run) in [("none", 1), ("pairs", 2), ("runs of 8", 8)] {
        let repeated: Vec<u64> = (0..n).map(|i| data[i / run]).collect();
        options.row(
            &format!("dedup, {name}"),
            n,
            vec![
                contender("std", || repeated.clone(), |v| v.dedup()),
                contender("filch", || repeated.clone(), |v| v.par_dedup()),
            ],
        );
    }
    for (name, kinds) in [("100", 100), ("n/5", n as u64 / 5 + 1), ("n", u64::MAX)] {
        let some: Vec<u64> = data.iter().map(|x| x % kinds).collect();
        options.row(
            &format!("unique, {name} kinds"),
            n,
            vec![
                contender(
                    "std",
                    || some.clone(),
                    |v| {
                        let mut seen =
                            hashbrown::HashSet::with_hasher(foldhash::fast::RandomState::default());
                        v.retain(|x| seen.insert(*x));
                    },
                ),
                contender("filch", || some.clone(), |v| v.par_unique()),
            ],
        );
    }
}

/// std's `partition_in_place` is not stable yet: its loop.
fn partition_std(v: &mut [u64], keep: impl Fn(&u64) -> bool) -> usize {
    let mut rest = v.iter_mut();
    let mut first = 0;
    while let Some(low) = rest.find(|x| {
        first += usize::from(keep(x));
        !keep(x)
    }) {
        let Some(high) = rest.rfind(|x| keep(x)) else {
            break;
        };
        std::mem::swap(low, high);
        first += 1;
    }
    first
}

/// What two threads of `memcpy` move, each a half.
fn memcpy(to: &mut [u64], from: &[u64]) {
    let half = to.len() / 2;
    let (a, b) = to.split_at_mut(half);
    let (c, d) = from.split_at(half);
    filch::join(|| a.copy_from_slice(c), || b.copy_from_slice(d));
}

fn moves(options: &Options, n: usize) {
    let data = &numbers(n)[..];
    let copy = || data.to_vec();
    options.row(
        "copy",
        n,
        vec![
            contender("std", copy, |v| v.copy_from_slice(data)),
            contender("memcpy 2", copy, |v| memcpy(v, data)),
            contender("filch", copy, |v| v.par_copy_from_slice(data)),
        ],
    );
    options.row(
        "fill",
        n,
        vec![
            contender("std", copy, |v| v.fill(7)),
            contender("memcpy 2", copy, |v| {
                let (a, b) = v.split_at_mut(n / 2);
                filch::join(|| a.fill(7), || b.fill(7));
            }),
            contender("filch", copy, |v| v.par_fill(7)),
        ],
    );
    options.row(
        "reverse",
        n,
        vec![
            contender("std", copy, |v| v.reverse()),
            // As much as is read and written in a reversal.
            contender("memcpy 2", copy, |v| memcpy(v, data)),
            contender("filch", copy, |v| v.par_reverse()),
        ],
    );
    for (name, mid) in [
        ("1", 1),
        ("n/1000", n / 1000),
        ("n/3", n / 3),
        ("n/2", n / 2),
    ] {
        options.row(
            &format!("rotate by {name}"),
            n,
            vec![
                contender("std", copy, |v| v.rotate_left(mid)),
                contender("filch", copy, |v| v.par_rotate_left(mid)),
            ],
        );
    }
    let side = n.isqrt();
    let matrix = &data[..side * side];
    options.row(
        "transpose",
        side * side,
        vec![
            contender(
                "std",
                || (),
                |()| {
                    let at = |i: usize| matrix[i % side * side + i / side];
                    (0..side * side).map(at).collect::<Vec<_>>()
                },
            ),
            contender("filch", || (), |()| matrix.par_transpose(side, side)),
        ],
    );
    options.row(
        "transpose in place",
        side * side,
        vec![
            contender(
                "std",
                || matrix.to_vec(),
                |v| {
                    for r in 0..side {
                        for c in 0..r {
                            v.swap(r * side + c, c * side + r);
                        }
                    }
                },
            ),
            contender(
                "filch",
                || matrix.to_vec(),
                |v| v.par_transpose_in_place(side),
            ),
        ],
    );
}

/// The union by two pointers.
fn union_std(mut a: &[u64], mut b: &[u64]) -> Vec<u64> {
    let mut out = Vec::with_capacity(a.len() + b.len());
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        out.push(*x.min(y));
        if x <= y {
            a = a_rest;
        }
        if y <= x {
            b = b_rest;
        }
    }
    out.extend_from_slice(a);
    out.extend_from_slice(b);
    out
}

fn intersection_std(mut a: &[u64], mut b: &[u64]) -> Vec<u64> {
    let mut out = Vec::new();
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        if x == y {
            out.push(*x);
        }
        if x <= y {
            a = a_rest;
        }
        if y <= x {
            b = b_rest;
        }
    }
    out
}

fn searches(options: &Options, n: usize) {
    let data = &numbers(n)[..];
    let half = |skip: usize| -> Vec<u64> {
        let mut v: Vec<u64> = data
            .iter()
            .skip(skip)
            .step_by(3)
            .chain(&data[..n / 3])
            .copied()
            .collect();
        v.sort();
        v
    };
    let (a, b) = (&half(0)[..], &half(1)[..]);
    options.row(
        "union",
        a.len() + b.len(),
        vec![
            contender("std", || (), |()| union_std(a, b)),
            contender("filch", || (), |()| a.par_union(b)),
        ],
    );
    options.row(
        "intersection",
        a.len() + b.len(),
        vec![
            contender("std", || (), |()| intersection_std(a, b)),
            contender("filch", || (), |()| a.par_intersection(b)),
        ],
    );
    options.row(
        "min and max",
        n,
        vec![
            contender("std", || (), |()| (data.iter().min(), data.iter().max())),
            contender("filch", || (), |()| data.par_min_max()),
        ],
    );
    let other = &data.to_vec()[..];
    options.row(
        "mismatch, none",
        n,
        vec![
            contender(
                "std",
                || (),
                |()| data.iter().zip(other).position(|(a, b)| a != b),
            ),
            contender("filch", || (), |()| data.par_mismatch(other)),
        ],
    );
    let letters: Vec<u8> = data.iter().map(|x| b'a' + (x % 16) as u8).collect();
    options.row(
        "search 20 letters, none",
        n,
        vec![
            contender(
                "std",
                || (),
                |()| {
                    let wanted: &[u8] = black_box(b"abcdefghijklmnopabcd");
                    letters.windows(wanted.len()).position(|w| w == wanted)
                },
            ),
            contender(
                "filch",
                || (),
                |()| letters.par_search(b"abcdefghijklmnopabcd"),
            ),
        ],
    );
}

fn main() {
    ours::set_global(2);
    rayon::set_global(2);
    let options = Options::parse();
    if options.csv {
        println!("row,n,who,us,least,median");
    } else {
        println!(
            "{:<34} {:>9}  {:<8} {:>14}   least median (/ std)",
            "", "n", "", "least"
        );
    }
    for &n in &options.lengths {
        scans(&options, n);
        packs(&options, n);
        moves(&options, n);
        searches(&options, n);
    }
}
