//! Counts the words of a text by `count_by_key`, beside a loop over a map.
//!
//! `cargo run --release --example word_count -- [file | words]`

use std::collections::HashMap;
use std::error::Error;
use std::time::{Duration, Instant};
use std::{env, fs};

use filch::algo::group::RandomState;
use filch::ext::*;
use filch::prelude::*;

/// As `count_by_key` returns it: std's map with a faster hasher. Both ways have it, so what is compared is the rest.
type Counts<'t> = HashMap<&'t str, usize, RandomState>;

fn main() -> Result<(), Box<dyn Error>> {
    let input = env::args().nth(1).unwrap_or_else(|| "3000000".into());
    let text = match input.parse() {
        Ok(words) => made_up(words),
        Err(_) => fs::read_to_string(&input).map_err(|error| {
            format!("{input} is no number of words, and cannot be read: {error}")
        })?,
    };

    let (expected, one) = timed(|| sequential(&text));
    let (counts, all) = timed(|| parallel(&text));

    assert!(counts == expected, "the two ways disagree");
    let mut ranked: Vec<(&str, usize)> = counts.into_iter().collect();
    // Most frequent first, and in alphabetical order among equals, so that the output is always the same.
    ranked.par_sort_unstable_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    println!("{} different words in {} bytes", ranked.len(), text.len());
    for (word, count) in ranked.iter().take(5) {
        println!("{count:>10} {word}");
    }
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    Ok(())
}

fn sequential(text: &str) -> Counts<'_> {
    let mut counts = Counts::default();
    for word in text.split_whitespace() {
        *counts.entry(word).or_default() += 1;
    }
    counts
}

/// No map a thread that has to be merged, no lock: words are counted in small tables, or dealt out by their hash if many are different.
fn parallel(text: &str) -> Counts<'_> {
    text.par_split_whitespace().count_by_key(|word| word)
}

/// A text in which, as in real ones, few words are frequent and many are rare.
fn made_up(words: u64) -> String {
    (0..words)
        .into_par_iter()
        .map(|i| {
            let random = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let rank = (1u64 << (random >> 60)) + random % 97;
            let space = if i % 12 == 11 { '\n' } else { ' ' };
            format!("word{rank}{space}")
        })
        .collect()
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
