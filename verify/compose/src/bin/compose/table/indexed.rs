//! Adaptors of indexed parallel iterators, `filch::ext` included.

use crate::row::{Gives, Index, Nested, Row, Takes, row};

pub static ROWS: &[Row] = &[
    row(
        "IndexedParallelIterator::by_exponential_blocks",
        ".by_exponential_blocks()",
    )
    .std("")
    .index(Index::Ends)
    .weight(8),
    row(
        "IndexedParallelIterator::by_uniform_blocks",
        ".by_uniform_blocks({b})",
    )
    .std("")
    .index(Index::Ends)
    .weight(8),
    row(
        "IndexedParallelIterator::with_min_len",
        ".with_min_len({b})",
    )
    .std("")
    .needs()
    .weight(6),
    row(
        "IndexedParallelIterator::with_max_len",
        ".with_max_len({b})",
    )
    .std("")
    .needs()
    .weight(8),
    row("IndexedParallelIterator::zip", ".zip({a})")
        .nested(Nested::Indexed)
        .gives(Gives::Zipped)
        .needs()
        .skips()
        .weight(10),
    row("IndexedParallelIterator::interleave", ".interleave({a})")
        .std(".interleaved({a})")
        .nested(Nested::SameIndexed)
        .needs()
        .changes()
        .weight(6),
    row(
        "IndexedParallelIterator::interleave_shortest",
        ".interleave_shortest({a})",
    )
    .std(".interleaved_shortest({a})")
    .nested(Nested::SameIndexed)
    .needs()
    .changes()
    .skips()
    .weight(6),
    row("IndexedParallelIterator::chunks", ".chunks({k})")
        .gives(Gives::List)
        .needs()
        .changes(),
    row(
        "IndexedParallelIterator::fold_chunks",
        ".fold_chunks({k}, Vec::new, gathered)",
    )
    .std(".chunks({k})")
    .gives(Gives::List)
    .needs()
    .changes(),
    row(
        "IndexedParallelIterator::fold_chunks_with",
        ".fold_chunks_with({k}, Vec::new(), gathered)",
    )
    .std(".chunks({k})")
    .takes(Takes::Plain)
    .gives(Gives::List)
    .needs()
    .changes(),
    row("IndexedParallelIterator::enumerate", ".enumerate()")
        .gives(Gives::Numbered)
        .needs()
        .weight(6),
    row("IndexedParallelIterator::step_by", ".step_by({k})")
        .needs()
        .changes()
        .skips(),
    row("IndexedParallelIterator::skip", ".skip({b})")
        .needs()
        .changes()
        .skips(),
    row("IndexedParallelIterator::skip", ".skip({k})")
        .needs()
        .changes()
        .skips(),
    row("IndexedParallelIterator::take", ".take({b})")
        .needs()
        .changes()
        .skips()
        .weight(6),
    row("IndexedParallelIterator::rev", ".rev()")
        .std(".backwards()")
        .needs()
        .weight(6),
    row(
        "IndexedParallelIterator::positions",
        ".positions(|x| keep(&x, {s}))",
    )
    .std(".places(|x| keep(&x, {s}))")
    .gives(Gives::Other("usize"))
    .index(Index::Ends)
    .changes(),
    // ext
    row("ParallelArrayChunks::array_chunks", ".array_chunks::<3>()")
        .std(".arrays::<3>()")
        .gives(Gives::Array)
        .needs()
        .changes()
        .skips()
        .ext(),
    row("ParallelReproducible::reproducible", ".reproducible()")
        .std("")
        .needs()
        .ext()
        .weight(8),
    row(
        "IndexedScan::scan_inclusive",
        ".scan_inclusive(|&a, &b| affine(a, b))",
    )
    .std(".running()")
    .takes(Takes::Number)
    .needs()
    .ext()
    .weight(6),
    row(
        "IndexedScan::scan_exclusive",
        ".scan_exclusive(SAME, |&a, &b| affine(a, b))",
    )
    .std(".running_before(SAME)")
    .takes(Takes::Number)
    .needs()
    .ext(),
];
