//! Sample sort of strings: a sample tells where to cut, strings are dealt into buckets, and buckets are sorted at the same time.
//!
//! `cargo run --release --example sample_sort -- [strings]`
//!
//! W. D. Frazer and A. C. McKellar, "Samplesort: a sampling approach to minimal storage tree sorting", Journal of the ACM 17 (1970).

use std::env;
use std::time::{Duration, Instant};

use filch::ext::*;
use filch::prelude::*;

/// About so many strings in a bucket: they and their letters fit into a cache.
const BUCKET: usize = 4_096;
/// So many strings are looked at for each bucket. Fewer would make buckets of very different sizes.
const SAMPLES: usize = 16;

fn main() {
    let count: usize = env::args().nth(1).map_or(500_000, |n| {
        n.parse().expect("usage: sample_sort [strings]")
    });
    let strings: Vec<String> = (0..count).into_par_iter().map(string).collect();

    let mut expected = strings.clone();
    let ((), one) = timed(|| expected.sort_unstable());
    let mut plain = strings.clone();
    let ((), ours) = timed(|| plain.par_sort_unstable());
    let (sorted, all) = timed(|| sample_sort(strings));

    assert!(sorted == expected, "not sorted");
    assert!(plain == expected, "not sorted by par_sort_unstable");
    println!("{count} strings in {} buckets", count / BUCKET + 1);
    println!(
        "std's sort {one:.2?}, on {} threads {all:.2?} (par_sort_unstable {ours:.2?}): speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

fn sample_sort(strings: Vec<String>) -> Vec<String> {
    let limits = limits(&strings);
    // Buckets come out in their order, and the parallel `flat_map_iter` keeps it, whichever is sorted first.
    strings
        .into_par_iter()
        .map(|string| (limits.partition_point(|limit| *limit <= string), string))
        .group_by_key()
        .into_sorted_vec()
        .into_par_iter()
        .flat_map_iter(|(_, mut bucket)| {
            bucket.sort_unstable();
            bucket
        })
        .collect()
}

/// The first string of each bucket but the first bucket, in order.
fn limits(strings: &[String]) -> Vec<String> {
    let buckets = strings.len() / BUCKET + 1;
    let step = (strings.len() / (buckets * SAMPLES)).max(1);
    let mut sample: Vec<&String> = strings.iter().step_by(step).collect();
    sample.par_sort_unstable();
    let limits = (1..buckets).map(|i| sample[i * sample.len() / buckets].clone());
    limits.collect()
}

/// The `i`th string: words that are frequent or rare, so that many have long beginnings in common.
fn string(i: usize) -> String {
    let random = (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let host = 1u64 << (random >> 61);
    format!(
        "https://host{host}.example/{}/{:x}",
        random >> 8 & 15,
        random >> 20 & 0xff_ffff
    )
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
