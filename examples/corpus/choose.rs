//! Taking as many files as the limit allows, always the same ones.

use filch::prelude::*;

use super::walk::{Found, Unreadable};

/// What to read, and what not.
#[derive(Default)]
pub struct Choice {
    /// Ordered by path.
    pub files: Vec<Found>,
    pub unreadable: Vec<Unreadable>,
    pub left_out: LeftOut,
}

/// How much did not fit under the limit.
#[derive(Default, Debug, PartialEq, Eq)]
pub struct LeftOut {
    pub files: u64,
    pub bytes: u64,
}

/// Sorts with std, then applies the limit.
pub fn sequential(entries: Vec<Result<Found, Unreadable>>, max_bytes: u64) -> Choice {
    let (mut found, unreadable) = split(entries);
    found.sort_unstable_by(|a, b| a.path.as_os_str().cmp(b.path.as_os_str()));
    limit(found, unreadable, max_bytes)
}

/// Sorts with all threads, then applies the limit.
pub fn parallel(entries: Vec<Result<Found, Unreadable>>, max_bytes: u64) -> Choice {
    let (mut found, unreadable) = split(entries);
    found.par_sort_unstable_by(|a, b| a.path.as_os_str().cmp(b.path.as_os_str()));
    limit(found, unreadable, max_bytes)
}

fn split(entries: Vec<Result<Found, Unreadable>>) -> (Vec<Found>, Vec<Unreadable>) {
    let mut found = Vec::with_capacity(entries.len());
    let mut unreadable = Vec::new();
    for entry in entries {
        match entry {
            Ok(file) => found.push(file),
            Err(failure) => unreadable.push(failure),
        }
    }
    (found, unreadable)
}

/// Takes files in their order, and passes over each that is larger than what is left of the limit:
/// one huge file does not keep out all that follow it.
fn limit(mut files: Vec<Found>, unreadable: Vec<Unreadable>, max_bytes: u64) -> Choice {
    // Nor more than an address space has room for.
    let mut room = max_bytes.min(isize::MAX as u64);
    let mut left_out = LeftOut::default();
    files.retain(|file| {
        if file.size > room {
            left_out.files += 1;
            left_out.bytes += file.size;
            return false;
        }
        room -= file.size;
        true
    });
    Choice {
        files,
        unreadable,
        left_out,
    }
}
