//! Files by what their names end in: counted by key.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsStr;

use filch::ext::*;
use filch::prelude::*;

use super::read::Content;

/// The files whose names end alike.
#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// Without the dot; empty for names without one.
    pub extension: Box<str>,
    pub files: usize,
}

/// Counts with std.
pub fn sequential(files: &[Content<'_>]) -> Vec<Kind> {
    let mut counts = HashMap::<_, usize>::new();
    for file in files {
        *counts.entry(extension(file)).or_default() += 1;
    }
    rank(counts)
}

/// Counts with all threads.
pub fn parallel(files: &[Content<'_>]) -> Vec<Kind> {
    rank(files.par_iter().count_by_key(|file| extension(file)))
}

fn extension<'f>(file: &'f Content<'_>) -> &'f OsStr {
    file.path.extension().unwrap_or_default()
}

/// The most frequent first. There are few, so one thread will do.
fn rank<'f>(counts: impl IntoIterator<Item = (&'f OsStr, usize)>) -> Vec<Kind> {
    let mut kinds: Vec<Kind> = counts
        .into_iter()
        .map(|(extension, files)| Kind {
            extension: extension.to_string_lossy().into(),
            files,
        })
        .collect();
    kinds.sort_unstable_by(|a, b| {
        let rank = |kind: &Kind| Reverse(kind.files);
        rank(a)
            .cmp(&rank(b))
            .then_with(|| a.extension.cmp(&b.extension))
    });
    kinds
}
