//! What does it cost to count, and to group, by key?
//!
//! ```text
//! cargo bench --bench group                     # all rows
//! cargo bench --bench group -- 5000000 Zipf     # rows whose name has one of these in it
//! ```
//!
//! All contenders take turns in one process. A row shows the sequential time, and for each contender its time as a ratio to that: of the
//! fastest runs, and of the median ones.

use dashmap::DashMap;
use filch::ext::*;
use foldhash::fast::RandomState;
use std::collections::HashMap;
use std::time::Duration;
use suite::measure::{Contender, Pair, Patience, Pools, choose_calls, take_turns};

type Map<V> = HashMap<u64, V, RandomState>;

/// How the keys are drawn.
#[derive(Clone, Copy, Debug)]
enum Keys {
    /// Evenly from so many.
    Of(u64),
    /// From a million, the k-th of them with a frequency of about 1 / k.
    Zipf,
    Distinct,
}

impl Keys {
    fn draw(self, n: usize) -> Vec<u64> {
        let mut x = 0x9E37_79B9_7F4A_7C15u64;
        let mut roll = || {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
            x
        };
        let key = |_| match self {
            Keys::Of(kinds) => (roll() >> 8) % kinds,
            Keys::Zipf => 1e6f64.powf((roll() >> 11) as f64 / (1u64 << 53) as f64) as u64,
            Keys::Distinct => roll(),
        };
        (0..n).map(key).collect()
    }
}

type Run<'a> = (&'static str, Box<dyn Fn() -> usize + 'a>);

fn counting(keys: &[u64]) -> Vec<Run<'_>> {
    let sequential = move || {
        let mut counts: Map<usize> = HashMap::default();
        for &key in keys {
            *counts.entry(key).or_default() += 1;
        }
        counts.len()
    };
    let map = move || {
        use filch::prelude::*;
        keys.par_iter().count_by_key(|&key| key).len()
    };
    let vec = move || {
        use filch::prelude::*;
        keys.par_iter().by_key(|&&key| key).count().into_vec().len()
    };
    let fold = move || {
        use rayon::prelude::*;
        let counts: Map<usize> = keys
            .par_iter()
            .fold(Map::default, |mut counts, &key| {
                *counts.entry(key).or_default() += 1;
                counts
            })
            .reduce(Map::default, |mut a, b| {
                for (key, count) in b {
                    *a.entry(key).or_default() += count;
                }
                a
            });
        counts.len()
    };
    let dash = move || {
        use rayon::prelude::*;
        let counts: DashMap<u64, usize, RandomState> = DashMap::default();
        keys.par_iter()
            .for_each(|&key| *counts.entry(key).or_default() += 1);
        counts.len()
    };
    vec![
        ("sequential", Box::new(sequential)),
        ("map", Box::new(map)),
        ("vec", Box::new(vec)),
        ("rayon", Box::new(fold)),
        ("dashmap", Box::new(dash)),
    ]
}

fn grouping(keys: &[u64]) -> Vec<Run<'_>> {
    let sequential = move || {
        let mut groups: Map<Vec<u32>> = HashMap::default();
        for (&key, i) in keys.iter().zip(0..) {
            groups.entry(key).or_default().push(i);
        }
        groups.len()
    };
    let ours = move || {
        use filch::prelude::*;
        let pairs = keys.par_iter().enumerate().map(|(i, &key)| (key, i as u32));
        pairs.group_by_key().len()
    };
    let fold = move || {
        use rayon::prelude::*;
        let pairs = keys.par_iter().enumerate().map(|(i, &key)| (key, i as u32));
        let groups: Map<Vec<u32>> = pairs
            .fold(Map::default, |mut groups: Map<Vec<u32>>, (key, i)| {
                groups.entry(key).or_default().push(i);
                groups
            })
            .reduce(Map::default, |mut a, b| {
                for (key, mut values) in b {
                    a.entry(key).or_default().append(&mut values);
                }
                a
            });
        groups.len()
    };
    vec![
        ("sequential", Box::new(sequential)),
        ("filch", Box::new(ours)),
        ("rayon", Box::new(fold)),
    ]
}

fn measure(name: &str, contenders: Vec<Run<'_>>) {
    let expected = contenders[0].1();
    for (contender, run) in &contenders {
        assert_eq!(run(), expected, "{name}: {contender}");
    }
    let timed = contenders
        .into_iter()
        .map(|(name, run)| Contender::timed(name, run));
    let mut contenders: Vec<Contender> = timed.collect();
    let patience = Patience::of(Duration::from_millis(1500));
    choose_calls(&mut contenders, &patience);
    take_turns(&mut contenders, Pools::Awake, &patience);
    let sequential = &contenders[0];
    print!(
        "{name:<28} {:>9.1} us",
        Pair::of(&sequential.samples).min / 1e3
    );
    for contender in &contenders[1..] {
        let ratio = contender.over(sequential);
        print!("  {} {:.2} {:.2}", contender.name, ratio.min, ratio.median);
    }
    println!("  ({} rounds)", sequential.samples.len());
}

fn main() {
    let wanted: Vec<String> = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"))
        .collect();
    for n in [
        5_000_000, 1_000_000, 100_000, 30_000, 10_000, 1_000, 100, 10,
    ] {
        for keys in [
            Keys::Of(100),
            Keys::Of(10_000),
            Keys::Of(100_000),
            Keys::Of(1_000_000),
            Keys::Zipf,
            Keys::Distinct,
        ] {
            for (what, contenders) in [
                ("count", counting as fn(&[u64]) -> Vec<Run<'_>>),
                ("group", grouping),
            ] {
                let name = format!("{what} {n} {keys:?}");
                if wanted.is_empty() || wanted.iter().any(|part| name.contains(part)) {
                    let drawn = keys.draw(n);
                    measure(&name, contenders(&drawn));
                }
            }
        }
    }
}
