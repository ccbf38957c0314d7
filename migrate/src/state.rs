//! What the rules know of a place in the code, and what they note of it.

use std::collections::HashSet;

use proc_macro2::Span;
use syn::Expr;

use crate::advice::Kind;
use crate::code::Names;

/// A place to look at.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    pub kind: Kind,
    pub line: usize,
    pub column: usize,
    /// What is known of this place in particular.
    pub note: Option<String>,
}

/// A lock that is held.
#[derive(Clone)]
pub struct Guard {
    /// What it is bound to; nothing if it lives as long as a statement does.
    pub names: Vec<String>,
    pub line: usize,
}

impl Guard {
    pub fn description(&self) -> String {
        match self.names.first() {
            Some(name) => format!("`{name}` of line {} is held", self.line),
            None => format!(
                "the lock of line {} is held to the end of that statement",
                self.line
            ),
        }
    }
}

/// What is in force at the place that is looked at, and what was found so far.
pub struct Scan<'n> {
    pub names: &'n Names,
    pub here: Here,
    pub places: Vec<Place>,
}

/// What is in force at one place of a function.
#[derive(Default)]
pub struct Here {
    /// Locks that are held.
    pub guards: Vec<Guard>,
    /// Whether this is in a closure that a parallel call runs.
    pub in_call: bool,
    /// Locals that are parallel iterators.
    pub parallel: HashSet<String>,
    /// Locals that come from `current_thread_index`.
    pub indices: HashSet<String>,
    /// Locals that come from a number of threads.
    pub thread_counts: HashSet<String>,
}

impl Scan<'_> {
    pub fn note(&mut self, kind: Kind, at: Span, note: Option<String>) {
        let start = at.start();
        self.places.push(Place {
            kind,
            line: start.line,
            column: start.column + 1,
            note,
        });
    }

    pub fn is_parallel(&self, expr: &Expr) -> bool {
        self.names.is_parallel(expr, &self.here.parallel)
    }
}
