//! Files of equal content: group by size, then by hash, then compare byte by byte.

use std::hash::{BuildHasher, Hasher};

use filch::ext::*;
use filch::prelude::*;
use foldhash::fast::FixedState;

use super::read::Content;

/// What makes two files candidates for being equal, and which file it is.
///
/// Ordered so that candidates for equality are neighbours.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    size: usize,
    hash: u64,
    file: usize,
}

impl Key {
    fn new(file: usize, size: usize) -> Key {
        Key {
            size,
            hash: 0,
            file,
        }
    }

    fn hashed(self, files: &[Content<'_>]) -> Key {
        let mut hasher = FixedState::default().build_hasher();
        hasher.write(files[self.file].bytes);
        Key {
            hash: hasher.finish(),
            ..self
        }
    }

    fn alike(&self, other: &Key) -> bool {
        (self.size, self.hash) == (other.size, other.hash)
    }
}

/// Groups of equal files with iterators of std.
///
/// A group lists its files in their order; the groups that waste most bytes come first.
pub fn sequential(files: &[Content<'_>]) -> Vec<Vec<usize>> {
    let mut keys: Vec<Key> = files
        .iter()
        .enumerate()
        .map(|(at, file)| Key::new(at, file.bytes.len()))
        .collect();
    keys.sort_unstable();
    let mut keys: Vec<Key> = runs(&keys)
        .into_iter()
        .flatten()
        .map(|key| key.hashed(files))
        .collect();
    keys.sort_unstable();
    let mut groups: Vec<Vec<usize>> = runs(&keys)
        .into_iter()
        .flat_map(|run| equal(files, run))
        .collect();
    groups.sort_unstable_by_key(|group| rank(files, group));
    groups
}

/// Groups of equal files with all threads, in the same order.
///
/// Sizes are few, so they are grouped; hashes are nearly all different, so they are sorted, which takes a tenth of the time.
pub fn parallel(files: &[Content<'_>]) -> Vec<Vec<usize>> {
    let by_size = (0..files.len())
        .into_par_iter()
        .map(|at| Key::new(at, files[at].bytes.len()))
        .by_key(|key| key.size)
        .group();
    let mut keys: Vec<Key> = by_size
        .par_iter()
        .filter(|(_, keys)| keys.len() > 1)
        .flat_map(|(_, keys)| keys)
        .map(|key| key.hashed(files))
        .collect();
    keys.par_sort_unstable();
    let mut groups: Vec<Vec<usize>> = runs(&keys)
        .into_par_iter()
        .flat_map_iter(|run| equal(files, run))
        .collect();
    groups.par_sort_by_cached_key(|group| rank(files, group));
    groups
}

/// How many bytes a group of equal files could do without.
pub fn wasted(size: u64, copies: usize) -> u64 {
    size * (copies as u64 - 1)
}

/// Runs of two or more sorted keys that are alike.
fn runs(keys: &[Key]) -> Vec<&[Key]> {
    keys.chunk_by(Key::alike)
        .filter(|run| run.len() > 1)
        .collect()
}

/// The groups of files that are equal byte by byte: nearly always one, unless hashes collide.
fn equal(files: &[Content<'_>], run: &[Key]) -> Vec<Vec<usize>> {
    let mut groups: Vec<Vec<usize>> = Vec::new();
    for key in run {
        let bytes = files[key.file].bytes;
        match groups
            .iter_mut()
            .find(|group| files[group[0]].bytes == bytes)
        {
            Some(group) => group.push(key.file),
            None => groups.push(vec![key.file]),
        }
    }
    groups.retain(|group| group.len() > 1);
    groups
}

fn rank(files: &[Content<'_>], group: &[usize]) -> (std::cmp::Reverse<u64>, usize) {
    let first = group[0];
    (
        std::cmp::Reverse(wasted(files[first].bytes.len() as u64, group.len())),
        first,
    )
}
