//! Counting words by key: map, shuffle, reduce.
//!
//! A word is a run of letters and digits, as written. Its key is a slice of the text it stands in,
//! so counting allocates for the table only; its hash is computed once and kept beside it, so growing
//! and merging tables hash nothing again.
//!
//! Text that is not UTF-8 is taken as `String::from_utf8_lossy` takes it. That puts U+FFFD, which is no
//! letter, for every broken sequence, so it is enough to end a word there; nothing is copied.

use std::hash::{BuildHasher, Hasher};

use filch::prelude::*;
use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::progress::Progress;
use super::read::Content;

/// A word, and how often it was seen.
pub struct Count<'a> {
    hash: u64,
    pub word: &'a str,
    pub times: u64,
}

/// Counts into one table.
pub fn sequential<'a>(files: &[Content<'a>], progress: &Progress) -> Vec<Count<'a>> {
    files
        .iter()
        .fold(Table::new(), |mut table, file| {
            count(&mut table, file.bytes);
            progress.advance(file.bytes.len() as u64);
            table
        })
        .into_iter()
        .collect()
}

/// Counts into a table a thread or so (map), deals the counts of each table into shards by hash
/// (shuffle), and merges the like shards of all tables (reduce).
///
/// A shard is merged apart from the others, so the threads stay busy to the end; merging whole tables in
/// pairs would leave the last merge, the largest, to one of them.
pub fn parallel<'a>(files: &[Content<'a>], progress: &Progress) -> Vec<Count<'a>> {
    let pieces: Vec<&[u8]> = files
        .iter()
        .flat_map(|file| Pieces { rest: file.bytes })
        .collect();
    let dealt: Vec<[Vec<Count<'a>>; SHARDS]> = pieces
        .par_iter()
        .fold(Table::new, |mut table, piece| {
            count(&mut table, piece);
            progress.advance(piece.len() as u64);
            table
        })
        .map(deal)
        .collect();

    let mut columns: Vec<Vec<Vec<Count<'a>>>> = Vec::new();
    columns.resize_with(SHARDS, || Vec::with_capacity(dealt.len()));
    for shards in dealt {
        for (column, shard) in columns.iter_mut().zip(shards) {
            column.push(shard);
        }
    }
    columns.into_par_iter().flat_map_iter(merge).collect()
}

/// The order of the ranking: frequent words first, and words of equal frequency by their text.
fn by_rank(a: &Count<'_>, b: &Count<'_>) -> std::cmp::Ordering {
    b.times.cmp(&a.times).then_with(|| a.word.cmp(b.word))
}

/// Ranks the words with std.
pub fn rank_sequential(counts: &mut [Count<'_>]) {
    counts.sort_unstable_by(by_rank);
}

/// Ranks the words with all threads.
pub fn rank_parallel(counts: &mut [Count<'_>]) {
    counts.par_sort_unstable_by(by_rank);
}

type Table<'a> = HashTable<Count<'a>>;

fn count<'a>(table: &mut Table<'a>, bytes: &'a [u8]) {
    // Checking a whole text at once is several times faster than chunk by chunk.
    if let Ok(text) = str::from_utf8(bytes) {
        count_text(table, text);
    } else {
        bytes
            .utf8_chunks()
            .for_each(|chunk| count_text(table, chunk.valid()));
    }
}

fn count_text<'a>(table: &mut Table<'a>, text: &'a str) {
    let hasher = FixedState::default();
    let mut end = 0;
    loop {
        let start = skip(text, end, Class::Gap);
        end = skip(text, start, Class::Word);
        if start == end {
            break;
        }
        let word = &text[start..end];
        let mut state = hasher.build_hasher();
        state.write(word.as_bytes());
        add(
            table,
            Count {
                hash: state.finish(),
                word,
                times: 1,
            },
        );
    }
}

/// Adds a count to that of the same word.
fn add<'a>(table: &mut Table<'a>, count: Count<'a>) {
    let same = |other: &Count<'_>| other.hash == count.hash && other.word == count.word;
    // Two look-ups for a new word, but a cheaper one than `entry` for all that come again.
    if let Some(known) = table.find_mut(count.hash, same) {
        known.times += count.times;
    } else {
        table.insert_unique(count.hash, count, |other| other.hash);
    }
}

/// More shards than most machines have threads, few enough that each is worth a table.
const SHARDS: usize = 32;

/// Deals the counts of a table into shards.
fn deal(table: Table<'_>) -> [Vec<Count<'_>>; SHARDS] {
    let mut shards = [const { Vec::new() }; SHARDS];
    for count in table {
        // Not by the low bits, which pick a bucket in the table that the shard becomes.
        shards[(count.hash >> 32) as usize % SHARDS].push(count);
    }
    shards
}

/// Merges one shard of all tables.
fn merge(shards: Vec<Vec<Count<'_>>>) -> Table<'_> {
    let largest = shards.iter().map(Vec::len).max().unwrap_or(0);
    let mut table = Table::with_capacity(largest);
    for count in shards.into_iter().flatten() {
        add(&mut table, count);
    }
    table
}

/// What a byte says about the character it belongs to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    /// ASCII, and part of a word.
    Word,
    /// ASCII, and between words.
    Gap,
    /// Beyond ASCII: the whole character decides.
    Wide,
}

static CLASS: [Class; 256] = {
    let mut table = [Class::Wide; 256];
    let mut byte = 0;
    while byte < 128 {
        table[byte] = if (byte as u8).is_ascii_alphanumeric() {
            Class::Word
        } else {
            Class::Gap
        };
        byte += 1;
    }
    table
};

/// Where the run of characters of one class, `Word` or `Gap`, that starts at `at` ends.
fn skip(text: &str, mut at: usize, class: Class) -> usize {
    while let Some(&byte) = text.as_bytes().get(at) {
        let found = CLASS[usize::from(byte)];
        if found == class {
            at += 1;
        } else if found != Class::Wide {
            break;
        } else {
            let Some(wide) = text[at..].chars().next() else {
                break;
            };
            if wide.is_alphanumeric() != (class == Class::Word) {
                break;
            }
            at += wide.len_utf8();
        }
    }
    at
}

/// A file in pieces, so that one huge file keeps all threads busy.
///
/// Cuts are made at ASCII bytes between words: no word and no UTF-8 sequence, whole or broken, spans one.
struct Pieces<'a> {
    rest: &'a [u8],
}

/// Takes about 0.2 ms to count: long beside handing it to another thread, short beside the whole.
const PIECE: usize = 64 << 10;

impl<'a> Iterator for Pieces<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        if self.rest.is_empty() {
            return None;
        }
        let cut = self
            .rest
            .iter()
            .skip(PIECE)
            .position(|&byte| CLASS[usize::from(byte)] == Class::Gap)
            .map_or(self.rest.len(), |at| PIECE + at);
        let (piece, rest) = self.rest.split_at(cut);
        self.rest = rest;
        Some(piece)
    }
}
