//! Finding the files of a tree.
//!
//! The tree is that of `walk_tree`: a node is a directory, a file or a failure, and the children of
//! a directory are its entries, so a directory is listed by whichever thread gets there.
//! Links to files count as files; links to directories are not followed, which rules out loops.

use std::fs;
use std::io;
use std::path::PathBuf;

use filch::prelude::*;

use super::input::Root;

/// A file to read, and its size when it was found.
#[derive(Debug)]
pub struct Found {
    pub path: PathBuf,
    pub size: u64,
}

/// Something that could not be read, and why.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Unreadable {
    pub path: PathBuf,
    pub reason: String,
}

impl Unreadable {
    pub fn new(path: PathBuf, error: &io::Error) -> Self {
        Unreadable {
            path,
            reason: error.to_string(),
        }
    }
}

/// Lists the trees with a stack of nodes.
pub fn sequential(roots: &[Root]) -> Vec<Result<Found, Unreadable>> {
    let mut stack: Vec<Node> = roots.iter().map(Node::root).collect();
    std::iter::from_fn(|| {
        let node = stack.pop()?;
        stack.extend(children(&node));
        Some(node)
    })
    .filter_map(inspect)
    .collect()
}

/// Lists the trees with all threads.
pub fn parallel(roots: &[Root]) -> Vec<Result<Found, Unreadable>> {
    roots
        .par_iter()
        .flat_map(|root| filch::iter::walk_tree(Node::root(root), children))
        .filter_map(inspect)
        .collect()
}

enum Node {
    Directory(PathBuf),
    /// Anything else: what it is, `inspect` finds out.
    Leaf(PathBuf),
    Failed(Unreadable),
}

impl Node {
    fn root(root: &Root) -> Node {
        let path = root.path.clone();
        if root.is_dir {
            Node::Directory(path)
        } else {
            Node::Leaf(path)
        }
    }
}

/// The entries of a directory, among them those that it failed to give.
fn children(node: &Node) -> Vec<Node> {
    let Node::Directory(path) = node else {
        return Vec::new();
    };
    let failed = |error: io::Error| Node::Failed(Unreadable::new(path.clone(), &error));
    let entries = match fs::read_dir(path) {
        Ok(entries) => entries,
        Err(error) => return vec![failed(error)],
    };
    entries
        .map(|entry| match entry {
            Ok(entry) if entry.file_type().is_ok_and(|kind| kind.is_dir()) => {
                Node::Directory(entry.path())
            }
            Ok(entry) => Node::Leaf(entry.path()),
            Err(error) => failed(error),
        })
        .collect()
}

/// Asks for the size of a file; passes over directories, sockets, pipes and devices.
fn inspect(node: Node) -> Option<Result<Found, Unreadable>> {
    match node {
        Node::Directory(_) => None,
        Node::Failed(unreadable) => Some(Err(unreadable)),
        Node::Leaf(path) => match fs::metadata(&path) {
            Ok(metadata) if metadata.is_file() => Some(Ok(Found {
                path,
                size: metadata.len(),
            })),
            Ok(_) => None,
            Err(error) => Some(Err(Unreadable::new(path, &error))),
        },
    }
}
