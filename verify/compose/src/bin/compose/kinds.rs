//! What kinds of chains a run has, and how many of each.

use crate::tree::{Tree, Whole};
use std::fmt;

/// What is known of one chain.
#[derive(Debug, Clone, Copy)]
pub struct Kinds {
    /// Whether there is a chain inside: not only a source, which is handed to `zip` or made in a `flat_map`, but one with adaptors or with chains inside.
    pub nested: bool,
    /// Whether an adaptor or the end stops early.
    pub early: bool,
    /// Whether there is something of `filch::ext`.
    pub ext: bool,
}

impl Kinds {
    pub fn of(whole: &Whole) -> Kinds {
        let is_chain = |tree: &Tree| !tree.steps.is_empty() || !tree.source.nested.is_empty();
        let rows = whole.rows();
        Kinds {
            nested: whole.nested().into_iter().any(is_chain),
            early: rows.iter().any(|row| row.early),
            ext: rows.iter().any(|row| row.ext),
        }
    }
}

/// How many chains are of each kind.
#[derive(Debug, Default)]
pub struct Counts {
    drawn: usize,
    nested: usize,
    early: usize,
    ext: usize,
}

impl Counts {
    pub fn of(chains: impl Iterator<Item = Kinds>) -> Counts {
        chains.fold(Counts::default(), |sum, kinds| Counts {
            drawn: sum.drawn + 1,
            nested: sum.nested + usize::from(kinds.nested),
            early: sum.early + usize::from(kinds.early),
            ext: sum.ext + usize::from(kinds.ext),
        })
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Counts {
            drawn,
            nested,
            early,
            ext,
        } = self;
        write!(
            f,
            "of {drawn} drawn chains {nested} have a chain inside, {early} have an adaptor or an end that stops early, {ext} have something of `filch::ext`"
        )
    }
}
