//! Finds for each misspelled word the nearest ones of a dictionary, with scratch rows that `using` lends to one word at a time.
//!
//! `cargo run --release --example spell_check -- [words]`
//!
//! The distance of two words takes a row of numbers to compute. An allocation for each pair would take longer than that. `using` makes such
//! a state for each thread that takes part, not for each piece that a thread takes, as `map_init` does.
//!
//! R. A. Wagner and M. J. Fischer, "The string-to-string correction problem", Journal of the ACM 21 (1974).

use std::env;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};

use filch::ext::*;
use filch::prelude::*;
use indicatif::ProgressBar;

/// Words of the dictionary.
const WORDS: u64 = 3_000;

fn main() {
    let count: u64 = env::args()
        .nth(1)
        .map_or(2_000, |n| n.parse().expect("usage: spell_check [words]"));
    let dictionary: Vec<String> = (0..WORDS).map(word).collect();
    let misspelled: Vec<String> = (0..count).map(misspelled).collect();

    // Shows itself on a terminal only.
    let bar = ProgressBar::new(2 * count);
    let mut row = Vec::new();
    let (expected, one) = timed(|| {
        let nearest = misspelled
            .iter()
            .map(|word| nearest(word, &dictionary, &mut row));
        nearest.inspect(|_| bar.inc(1)).collect::<Vec<_>>()
    });
    let made = AtomicUsize::new(0);
    let (found, all) = timed(|| {
        misspelled
            .par_iter()
            .progress(|words| bar.inc(words as u64))
            .using(|| {
                made.fetch_add(1, Relaxed);
                Vec::new()
            })
            .map(|row, word| nearest(word, &dictionary, row))
            .collect::<Vec<_>>()
    });
    bar.finish_and_clear();

    assert!(found == expected, "the two ways disagree");
    let (rows, threads) = (made.into_inner(), filch::current_num_threads());
    // The closure waits for nothing, so no thread needs a second one.
    assert!(rows <= threads, "{rows} rows for {threads} threads");
    // One letter was changed, so the word that it was is at a distance of 1, or the words are equal now.
    assert!(found.iter().all(|&(distance, _)| distance <= 1));
    let right = (0..count).filter(|&i| dictionary[found[i as usize].1] == word(i % WORDS));
    println!(
        "{count} words, {} of them put right, with {rows} rows of scratch space",
        right.count()
    );
    println!(
        "sequential {one:.2?}, on {threads} threads {all:.2?}: speed-up {:.2}",
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// The least distance, and the first word that is as near.
fn nearest(word: &str, dictionary: &[String], row: &mut Vec<usize>) -> (usize, usize) {
    let distances = dictionary.iter().map(|known| distance(word, known, row));
    let numbered = distances.zip(0..);
    numbered.min().expect("a dictionary has words")
}

/// How many letters have to be changed, added or left out.
fn distance(a: &str, b: &str, row: &mut Vec<usize>) -> usize {
    row.clear();
    row.extend(0..=b.len());
    for (i, x) in a.bytes().enumerate() {
        let mut diagonal = i;
        row[0] = i + 1;
        for (j, y) in b.bytes().enumerate() {
            let changed = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

/// The `i`th word of the dictionary: two to five syllables.
fn word(i: u64) -> String {
    let syllables = 2 + random(i, 0) % 4;
    let letters = (1..=syllables).flat_map(|n| {
        let consonant = b"bcdfghklmnprstvz"[(random(i, n) % 16) as usize];
        let vowel = b"aeiou"[(random(i, n + 10) % 5) as usize];
        [char::from(consonant), char::from(vowel)]
    });
    letters.collect()
}

/// A word of the dictionary with one letter changed.
fn misspelled(i: u64) -> String {
    let mut letters = word(i % WORDS).into_bytes();
    let at = random(i, 20) as usize % letters.len();
    letters[at] = b'a' + (random(i, 21) % 26) as u8;
    String::from_utf8(letters).expect("ASCII")
}

fn random(i: u64, n: u64) -> u64 {
    let z = (32 * i + n + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z ^ (z >> 32)
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
