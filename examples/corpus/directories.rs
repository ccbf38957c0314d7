//! How much there is below each directory.
//!
//! The sequential version adds each file to all directories above it, in a table. The parallel one goes the other way: it folds the tree of
//! directories from the files up, so that no two threads ever add to the same number.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use filch::algo::tree_reduce;
use filch::prelude::*;

use super::input::Root;
use super::read::Content;

/// A directory, and what is anywhere below it.
#[derive(Debug, PartialEq, Eq)]
pub struct Directory {
    pub path: PathBuf,
    pub files: u64,
    pub bytes: u64,
}

impl Directory {
    /// The largest first.
    fn rank(&self) -> (Reverse<u64>, &Path) {
        (Reverse(self.bytes), &self.path)
    }
}

/// Adds up in a table with std.
pub fn sequential(roots: &[Root], files: &[Content<'_>]) -> Vec<Directory> {
    let mut all = Vec::new();
    for root in roots.iter().filter(|root| root.is_dir) {
        let mut table: HashMap<&Path, (u64, u64)> = HashMap::new();
        for file in files
            .iter()
            .filter(|file| file.path.starts_with(&root.path))
        {
            for above in file.path.ancestors().skip(1) {
                let (files, bytes) = table.entry(above).or_default();
                *files += 1;
                *bytes += file.bytes.len() as u64;
                if above == root.path {
                    break;
                }
            }
        }
        all.extend(table.into_iter().map(|(path, (files, bytes))| Directory {
            path: path.to_owned(),
            files,
            bytes,
        }));
    }
    all.sort_unstable_by(|a, b| a.rank().cmp(&b.rank()));
    all
}

/// Folds trees with all threads.
pub fn parallel(roots: &[Root], files: &[Content<'_>]) -> Vec<Directory> {
    let roots = roots.par_iter().filter(|root| root.is_dir);
    let mut all: Vec<Directory> = roots.flat_map_iter(|root| below(root, files)).collect();
    all.par_sort_unstable_by(|a, b| a.rank().cmp(&b.rank()));
    all
}

/// The root and all directories below it that have files.
fn below(root: &Root, files: &[Content<'_>]) -> Vec<Directory> {
    let mut entries: Vec<Entry<'_>> = files
        .par_iter()
        .filter_map(|file| {
            let relative = file.path.strip_prefix(&root.path).ok()?;
            Some(Entry {
                names: relative.iter().collect(),
                bytes: file.bytes.len() as u64,
            })
        })
        .collect();
    if entries.is_empty() {
        return Vec::new();
    }
    // So that what is in one directory stands side by side.
    entries.par_sort_unstable_by(|a, b| a.names.cmp(&b.names));
    let top = Node {
        entries: &entries,
        depth: 0,
    };
    let tree = tree_reduce(
        top,
        Node::children,
        |node| node.alone(&root.path),
        Subtree::plus,
    );
    let mut all = tree.below;
    all.push(tree.top);
    all
}

/// A file by the names that lead to it from the root.
struct Entry<'f> {
    names: Vec<&'f OsStr>,
    bytes: u64,
}

/// A directory: all entries that begin with the same `depth` names, at least one.
struct Node<'e, 'f> {
    entries: &'e [Entry<'f>],
    depth: usize,
}

impl<'e, 'f> Node<'e, 'f> {
    /// The directories in this one.
    fn children(&self) -> impl Iterator<Item = Node<'e, 'f>> + use<'e, 'f> {
        let depth = self.depth;
        self.entries
            .chunk_by(move |a, b| a.names[depth] == b.names[depth])
            .filter(move |run| run[0].names.len() > depth + 1)
            .map(move |entries| Node {
                entries,
                depth: depth + 1,
            })
    }

    /// The directory with the files that are in it, and in none of its directories.
    fn alone(self, root: &Path) -> Subtree {
        let names = &self.entries[0].names[..self.depth];
        let own = self.entries.iter();
        let own = own.filter(|entry| entry.names.len() == self.depth + 1);
        let (files, bytes) = own.fold((0, 0), |(files, bytes), entry| {
            (files + 1, bytes + entry.bytes)
        });
        let path = names
            .iter()
            .fold(root.to_owned(), |path, name| path.join(name));
        Subtree {
            top: Directory { path, files, bytes },
            below: Vec::new(),
        }
    }
}

/// A directory, and those below it.
struct Subtree {
    top: Directory,
    below: Vec<Directory>,
}

impl Subtree {
    fn plus(mut self, child: Subtree) -> Subtree {
        self.top.files += child.top.files;
        self.top.bytes += child.top.bytes;
        self.below.extend(child.below);
        self.below.push(child.top);
        self
    }
}
