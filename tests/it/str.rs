//! Text by lines.

use crate::support::{Dice, oracle, pool, same_everywhere, text};
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn lines() {
    oracle(
        text(),
        |s| s.par_lines().map(str::to_owned).collect::<Vec<_>>(),
        |s| s.lines().map(str::to_owned).collect(),
    );
    oracle(
        text(),
        |s| {
            let first = s
                .par_lines()
                .find_first(|l| l.len() > 20)
                .map(str::to_owned);
            (
                s.par_lines().count(),
                s.par_lines().map(str::len).max(),
                first,
            )
        },
        |s| {
            let first = s.lines().find(|l| l.len() > 20).map(str::to_owned);
            (s.lines().count(), s.lines().map(str::len).max(), first)
        },
    );
}

#[test]
fn odd_ends_of_lines() {
    for s in [
        "",
        "\n",
        "\r\n",
        "\n\n",
        "a",
        "a\n",
        "a\r\n",
        "\na",
        "a\n\nb\r\n\r\nc",
        "a\rb\n",
    ] {
        same_everywhere(|| s.par_lines().collect::<Vec<_>>(), || s.lines().collect());
    }
}

/// A carriage return that no newline follows belongs to the line.
#[test]
fn a_carriage_return_at_the_end() {
    for s in ["\r", "a\r", "a\nb\r", "\r\r"] {
        same_everywhere(|| s.par_lines().collect::<Vec<_>>(), || s.lines().collect());
    }
}

/// Lines of very different lengths, and one that is nearly all of the text.
#[test]
fn uneven_lines() {
    let mut dice = Dice::new(3);
    let mut s: String = (0..300)
        .map(|_| "x".repeat(dice.below(90)) + "\n")
        .collect();
    s.push_str(&"é漢".repeat(20_000));
    s.push_str("\nend");
    same_everywhere(|| s.par_lines().collect::<Vec<_>>(), || s.lines().collect());
}

#[test]
fn a_text_is_folded_by_blocks() {
    // Blocks end with a word, so hardly any is a multiple of anything. Each costs a search for the next space, which shows how many there were.
    let text = "word wor ".repeat(20_000);
    let asked = AtomicUsize::new(0);
    let is_space = |c: char| {
        asked.fetch_add(1, Relaxed);
        c == ' '
    };
    let words = pool(1).install(|| text.par_split(is_space).count());
    assert_eq!(words, 40_001);
    let asked = asked.into_inner();
    assert!(asked < text.len() / 100 * 108, "{asked} of {}", text.len());
}
