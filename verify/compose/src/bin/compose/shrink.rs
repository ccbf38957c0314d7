//! Makes a chain that fails smaller, as long as it fails.

use crate::program::{Compiler, Source};
use crate::table;
use crate::tree::{Node, Tree, Whole, Written, write};
use std::io;

/// Smaller chains that are tried at once.
const AT_ONCE: usize = 24;

/// A smaller chain that fails too with the settings of its turn, in both forms, with what is wrong with it.
pub fn shrink(
    compiler: &Compiler,
    name: &str,
    turn: usize,
    mut whole: Whole,
) -> io::Result<Option<(Written, Vec<String>)>> {
    let mut found = None;
    loop {
        let smaller: Vec<(Whole, Written)> = candidates(&whole)
            .into_iter()
            .filter_map(|whole| write(&whole).ok().map(|written| (whole, written)))
            .take(AT_ONCE)
            .collect();
        if smaller.is_empty() {
            return Ok(found);
        }
        let sources: Vec<Source> = smaller
            .iter()
            .enumerate()
            .map(|(at, (_, written))| Source::of(&format!("{name}_{at}"), turn, written))
            .collect();
        let outcome = compiler.run(&format!("{name}_shrunk"), &sources, 2)?;
        let failed = |source: &Source| {
            let failures = outcome.failures.iter();
            let own = failures.filter(|(name, what)| {
                *name == source.name && !what.starts_with("does not compile")
            });
            let own: Vec<String> = own.map(|(_, what)| what.clone()).collect();
            (!own.is_empty()).then_some(own)
        };
        let mut next = None;
        for (source, (whole, written)) in sources.iter().zip(smaller) {
            if let Some(what) = failed(source)
                && next
                    .as_ref()
                    .is_none_or(|(_, best, _): &(Whole, Written, _)| {
                        written.by_filch.len() < best.by_filch.len()
                    })
            {
                next = Some((whole, written, what));
            }
        }
        let Some((smaller, written, what)) = next else {
            return Ok(found);
        };
        whole = smaller;
        found = Some((written, what));
    }
}

/// The same chain with one thing less.
fn candidates(whole: &Whole) -> Vec<Whole> {
    let mut all: Vec<Whole> = smaller_trees(&whole.tree)
        .into_iter()
        .map(|tree| Whole {
            tree,
            end: whole.end.clone(),
        })
        .collect();
    all.extend(smaller_nodes(&whole.end).into_iter().map(|end| Whole {
        tree: whole.tree.clone(),
        end,
    }));
    let collect = table::ends().find(|row| row.by_filch == "{p}.collect::<Vec<_>>()");
    if let Some(row) = collect.filter(|row| row.by_filch != whole.end.row.by_filch) {
        let end = Node {
            row,
            letters: whole.end.letters,
            nested: Vec::new(),
        };
        let tree = whole.tree.clone();
        all.push(Whole { tree, end });
    }
    all
}

/// The tree with one thing less, and the trees that are nested in it.
fn smaller_trees(tree: &Tree) -> Vec<Tree> {
    let mut all = Vec::new();
    for node in tree.nodes() {
        all.extend(node.nested.iter().cloned());
    }
    for at in 0..tree.steps.len() {
        let mut steps = tree.steps.clone();
        steps.remove(at);
        let source = tree.source.clone();
        all.push(Tree { source, steps });
    }
    let simple =
        table::sources().find(|row| row.by_filch.starts_with("numbers({n}).into_par_iter()"));
    if let Some(row) = simple.filter(|row| row.name != tree.source.row.name) {
        let source = Node {
            row,
            letters: tree.source.letters,
            nested: Vec::new(),
        };
        let steps = tree.steps.clone();
        all.push(Tree { source, steps });
    }
    for source in smaller_nodes(&tree.source) {
        let steps = tree.steps.clone();
        all.push(Tree { source, steps });
    }
    for (at, step) in tree.steps.iter().enumerate() {
        for smaller in smaller_nodes(step) {
            let mut steps = tree.steps.clone();
            steps[at] = smaller;
            let source = tree.source.clone();
            all.push(Tree { source, steps });
        }
    }
    all
}

/// The node with one thing less in its nested chains.
fn smaller_nodes(node: &Node) -> Vec<Node> {
    let mut all = Vec::new();
    for (at, nested) in node.nested.iter().enumerate() {
        for smaller in smaller_trees(nested) {
            let mut node = node.clone();
            node.nested[at] = smaller;
            all.push(node);
        }
    }
    all
}
