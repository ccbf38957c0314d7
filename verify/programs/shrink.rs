//! Makes a failing program smaller.
//!
//! A step replaces one node by something smaller. The steps of a program are in an order, so that a path of their numbers leads from a seed
//! to the small program again.

use super::program::{Kind, Limits, Node};

/// All programs that are one step smaller; first those that lose the most.
pub fn steps(program: &Node) -> Vec<Node> {
    let mut all = own_steps(program);
    let count = program.children().len();
    for at in 0..count {
        for smaller in steps(program.children()[at]) {
            let mut whole = program.clone();
            *whole.children_mut()[at] = smaller;
            all.push(whole);
        }
    }
    all
}

/// The steps at the root.
fn own_steps(program: &Node) -> Vec<Node> {
    let mut all: Vec<Node> = program.children().into_iter().cloned().collect();
    let mut add = |kind| all.push(Node::new(kind));
    match &program.kind {
        Kind::Leaf(0) | Kind::Panic => {}
        // Not a step for a panic, without which there is nothing to catch.
        _ => add(Kind::Leaf(0)),
    }
    match &program.kind {
        Kind::Scope(jobs, flavour) => {
            without_one(jobs).for_each(|jobs| add(Kind::Scope(jobs, *flavour)));
        }
        Kind::CancelScope(jobs, cancels) if jobs.len() > 1 => {
            without_one(jobs).for_each(|jobs| {
                let cancels = (*cancels).min(jobs.len() - 1);
                add(Kind::CancelScope(jobs, cancels));
            });
        }
        Kind::Chain(chain, len, inner) => {
            for less in [len / 2, len - len.min(&1)] {
                if less < *len {
                    add(Kind::Chain(*chain, less, inner.clone()));
                }
            }
        }
        Kind::Sort(len, seed) if *len > 0 => add(Kind::Sort(len / 2, *seed)),
        Kind::OwnPool(threads, inner) if *threads > 1 => add(Kind::OwnPool(1, inner.clone())),
        _ => {}
    }
    all
}

fn without_one(jobs: &[Node]) -> impl Iterator<Item = Vec<Node>> {
    (0..jobs.len()).map(|at| {
        let mut jobs = jobs.to_vec();
        jobs.remove(at);
        jobs
    })
}

/// The smallest program that still `fails`, as far as steps lead, and the path to it. `fails` is told a
/// program and the path to that. Gives up when `is_enough`.
pub fn shrink(
    mut program: Node,
    mut fails: impl FnMut(&Node, &[usize]) -> bool,
    is_enough: impl Fn() -> bool,
) -> (Node, Vec<usize>) {
    let mut path = Vec::new();
    'again: loop {
        for (i, mut smaller) in steps(&program).into_iter().enumerate() {
            if is_enough() {
                return (program, path);
            }
            smaller.number();
            path.push(i);
            if fails(&smaller, &path) {
                program = smaller;
                continue 'again;
            }
            path.pop();
        }
        return (program, path);
    }
}

/// The program to which `path` leads from the one of `seed`.
pub fn follow(seed: u64, path: &[usize], limits: Limits) -> Option<Node> {
    let mut program = Node::of_seed(seed, limits);
    for &step in path {
        program = steps(&program).into_iter().nth(step)?;
    }
    program.number();
    Some(program)
}
