//! The families of cases, each named for its question.

mod bridge;
mod chains;
mod collect;
mod fork_join;
mod group;
mod irregular;
mod latency;
mod maps;
mod memory;
mod nested;
mod programs;
mod scaling;
mod scan_pack;
mod small_inputs;
mod sort;
mod spawn;
mod strings;
mod trees;

use crate::case::Suite;

/// Cases that answer one question.
pub struct Family {
    pub name: &'static str,
    pub question: &'static str,
    /// What a case consists of.
    pub shows: &'static str,
    /// What `n` counts, with its unit.
    pub n: &'static str,
    pub cases: fn(&mut Suite<'_>),
}

macro_rules! families {
    ($($name:ident: $question:literal, $n:literal, $shows:literal;)*) => {
        $(
            #[allow(non_upper_case_globals)] // named as its file
            pub const $name: Family = Family {
                name: stringify!($name),
                question: $question,
                n: $n,
                shows: $shows,
                cases: $name::cases,
            };
        )*
        pub const ALL: &[Family] = &[$($name),*];
    };
}

families! {
    fork_join: "What does a join at every step of a recursion cost, and what does it gain?", "joins",
        "Fibonacci numbers and the sum over a binary tree, without any cut-off, against plain recursion.";
    latency: "How long must two tasks be for a join to pay?", "nanoseconds a task",
        "A join of two equal tasks, from a thread outside the pool, which is looking for work or sleeps.";
    small_inputs: "From how few cheap items on is a parallel loop no slower than a plain one?", "items",
        "The sum of a slice of u64, called from a thread outside the pool and from one inside.";
    chains: "Does a chain of adaptors stay as fast as its loop?", "items",
        "Chains of cheap adaptors over slices of u64 that end in one value.";
    irregular: "Do all threads share the work where the cost sits in a few of the items?", "items",
        "A sum over items of 100 ns on average, spread evenly or not.";
    nested: "What do parallel loops inside parallel loops cost?", "items, or lines of the triangle",
        "flat_map of arrays of 4, and a triangle: for each of n lines, a loop over what is left of it.";
    collect: "What does it cost to bring the results of many threads into one collection?", "items",
        "A map, and a filter that keeps half, into a Vec, and pairs into a HashMap.";
    strings: "Does text split as well as slices do?", "bytes",
        "Lines, words and characters of real text, counted.";
    maps: "Do maps split as well as slices do?", "pairs",
        "The sum over a HashMap, a BTreeMap and a HashSet.";
    bridge: "What does a sequential iterator cost as the source of a parallel loop?", "items",
        "par_bridge over a range, with items that take 100 ns, and with items that take about one.";
    programs: "Are programs that people write first faster than their loops?", "numbers, items, keys, bytes or nodes",
        "Nested loops, folds into big numbers, vectors and maps, short pieces, walks of trees, on the slices, ranges and texts of std.";
    sort: "How long do sorts take?", "elements",
        "Random u64, stable, unstable and by radix, and the words of real text.";
    scan_pack: "What do scans, packs and rearrangements take?", "elements",
        "Prefix sums, retain and pack of half of the elements, distinct elements, on u64.";
    group: "What does it cost to count by key?", "items",
        "Counts of 100 and of n different keys, and of the words of real text.";
    trees: "What do walks and folds of trees and searches of graphs take?", "nodes",
        "A walk over a balanced tree, a fold of it bottom-up, and a breadth-first search in a random graph with 8 edges a node.";
    spawn: "What does a spawned task cost?", "tasks",
        "A scope that spawns n tasks of 1 microsecond, and a scope that spawns n empty ones.";
    scaling: "What do more threads gain?", "items",
        "The same work on pools of 1, 2, 4 and 8 threads.";
    memory: "What is asked of the allocator?", "items",
        "Allocations, and the most bytes held at once, while a million items are processed.";
}
