//! Sizes of directories, like `du`: a parallel loop over the entries of each, all the way down.
//!
//! `cargo run --release --example dir_sizes -- [directory]`

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, io};

use filch::prelude::*;

fn main() -> io::Result<()> {
    let root = env::args()
        .nth(1)
        .map_or_else(|| PathBuf::from("."), PathBuf::from);

    size(&root, &sequential)?; // so that both find the directories in the system's cache
    let (expected, one) = timed(|| size(&root, &sequential));
    let (found, all) = timed(|| size(&root, &parallel));

    let (expected, found) = (expected?, found?);
    assert!(
        found == expected,
        "the two ways disagree; do files change while they run?"
    );
    for directory in found.largest.iter().rev() {
        println!("{:>14} {}", directory.bytes, directory.path.display());
    }
    println!("{} bytes in {} files", found.bytes, found.files);
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    Ok(())
}

/// What a tree adds up to, and its largest directories.
#[derive(Default, PartialEq)]
struct Tree {
    bytes: u64,
    files: u64,
    largest: Vec<Directory>,
}

#[derive(PartialEq)]
struct Directory {
    bytes: u64,
    path: PathBuf,
}

impl Tree {
    fn plus(mut self, other: Tree) -> Tree {
        self.bytes += other.bytes;
        self.files += other.files;
        self.largest.extend(other.largest);
        self.keep_the_largest();
        self
    }

    /// The same ones in whatever order they came.
    fn keep_the_largest(&mut self) {
        self.largest
            .sort_by(|a, b| (b.bytes, &a.path).cmp(&(a.bytes, &b.path)));
        self.largest.truncate(5);
    }
}

/// How to go over the entries of a directory.
type Walk<'w> = &'w (dyn Fn(Vec<PathBuf>) -> io::Result<Tree> + Sync);

fn sequential(entries: Vec<PathBuf>) -> io::Result<Tree> {
    entries
        .into_iter()
        .map(|path| size(&path, &sequential))
        .try_fold(Tree::default(), |a, b| Ok(a.plus(b?)))
}

/// The first error ends it, as `try_fold` does above; and a tree that is all in one branch is walked by all threads, since the loops nest.
fn parallel(entries: Vec<PathBuf>) -> io::Result<Tree> {
    entries
        .into_par_iter()
        .map(|path| size(&path, &parallel))
        .try_reduce(Tree::default, |a, b| Ok(a.plus(b)))
}

fn size(path: &Path, walk: Walk<'_>) -> io::Result<Tree> {
    let metadata = fs::symlink_metadata(path)?;
    if !metadata.is_dir() {
        return Ok(Tree {
            bytes: metadata.len(),
            files: 1,
            largest: Vec::new(),
        });
    }
    let entries: io::Result<Vec<PathBuf>> = fs::read_dir(path)?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect();
    let mut tree = walk(entries?)?;
    tree.largest.push(Directory {
        bytes: tree.bytes,
        path: path.to_owned(),
    });
    tree.keep_the_largest();
    Ok(tree)
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
