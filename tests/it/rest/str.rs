//! Text by characters, bytes, words and separators.

use crate::support::{oracle, text};
use filch::prelude::*;
use std::fmt::Debug;

/// `par` gives what `seq` gives, on random texts.
#[track_caller]
fn same<R: PartialEq + Debug + Send + 'static>(par: fn(&str) -> R, seq: fn(&str) -> R) {
    oracle(text(), move |s| par(s), move |s| seq(s));
}

fn own<'a>(parts: impl Iterator<Item = &'a str>) -> Vec<String> {
    parts.map(str::to_owned).collect()
}

fn par_own<'a>(parts: impl ParallelIterator<Item = &'a str>) -> Vec<String> {
    parts.map(str::to_owned).collect()
}

#[test]
fn characters() {
    same(
        |s| s.par_chars().collect::<Vec<_>>(),
        |s| s.chars().collect(),
    );
    same(|s| s.par_chars().collect::<String>(), str::to_owned);
    same(
        |s| s.par_char_indices().collect::<Vec<_>>(),
        |s| s.char_indices().collect(),
    );
    same(
        |s| s.par_bytes().collect::<Vec<_>>(),
        |s| s.bytes().collect(),
    );
    same(
        |s| s.par_encode_utf16().collect::<Vec<_>>(),
        |s| s.encode_utf16().collect(),
    );
}

#[test]
fn words() {
    same(
        |s| par_own(s.par_split_whitespace()),
        |s| own(s.split_whitespace()),
    );
    same(
        |s| par_own(s.par_split_ascii_whitespace()),
        |s| own(s.split_ascii_whitespace()),
    );
}

#[test]
fn separators() {
    same(|s| par_own(s.par_split('a')), |s| own(s.split('a')));
    same(
        |s| par_own(s.par_split(['é', '\n'])),
        |s| own(s.split(['é', '\n'])),
    );
    same(
        |s| par_own(s.par_split(&['漢', ' '][..])),
        |s| own(s.split(&['漢', ' '][..])),
    );
    same(
        |s| par_own(s.par_split(char::is_whitespace)),
        |s| own(s.split(char::is_whitespace)),
    );
    same(
        |s| par_own(s.par_split_inclusive('🦀')),
        |s| own(s.split_inclusive('🦀')),
    );
    same(
        |s| par_own(s.par_split_terminator('\n')),
        |s| own(s.split_terminator('\n')),
    );
}

#[test]
fn matches() {
    same(
        |s| par_own(s.par_matches(char::is_alphabetic)),
        |s| own(s.matches(char::is_alphabetic)),
    );
    same(
        |s| {
            s.par_match_indices('0')
                .map(|(i, m)| (i, m.to_owned()))
                .collect::<Vec<_>>()
        },
        |s| {
            s.match_indices('0')
                .map(|(i, m)| (i, m.to_owned()))
                .collect()
        },
    );
}

#[test]
fn drained_strings() {
    oracle(
        text(),
        |s| {
            let mut rest = s.clone();
            // Two borders between characters.
            let at = |share: usize| {
                s.char_indices()
                    .map(|(i, _)| i)
                    .nth(s.chars().count() / share)
            };
            let (i, j) = (at(3).unwrap_or(0), at(2).unwrap_or(s.len()));
            let drained: String = rest.par_drain(i..j.max(i)).collect();
            assert_eq!(rest.par_drain(0..0).count(), 0);
            (drained, rest)
        },
        |s| {
            let mut rest = s.clone();
            let at = |share: usize| {
                s.char_indices()
                    .map(|(i, _)| i)
                    .nth(s.chars().count() / share)
            };
            let (i, j) = (at(3).unwrap_or(0), at(2).unwrap_or(s.len()));
            let drained = rest.drain(i..j.max(i)).collect();
            (drained, rest)
        },
    );
}
