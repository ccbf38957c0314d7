//! Adaptors of all parallel iterators, `filch::ext` included.

use crate::row::{Counts, Gives, Nested, Row, Takes, row};

pub static ROWS: &[Row] = &[
    // item by item
    row("ParallelIterator::map", ".map(|x| mix(x, {s}))")
        .gives(Gives::Number)
        .weight(10),
    row("ParallelIterator::map", ".map(|x| token(mix(x, {s})))")
        .gives(Gives::Token)
        .weight(10),
    row("ParallelIterator::map", ".map(|x| pair(x, {s}))").gives(Gives::Pair),
    // a panic that is planned, see `closures::boom`
    row("ParallelIterator::map", ".map(|x| boom(x, {s}, {m}))").weight(3),
    row("ParallelIterator::map_with", ".map_with(token({s}), |state, x| mix_with(state, x, {s}))")
        .std(".map(|x| mix(x, {s}))")
        .gives(Gives::Number),
    row("ParallelIterator::map_init", ".map_init(|| token({s}), |state, x| mix_with(state, x, {s}))")
        .std(".map(|x| mix(x, {s}))")
        .gives(Gives::Number),
    row("ParallelIterator::cloned", ".cloned()")
        .takes(Takes::Lent)
        .gives(Gives::Owned)
        .weight(12),
    row("ParallelIterator::copied", ".copied()")
        .takes(Takes::Ref)
        .gives(Gives::Owned)
        .weight(12),
    row("ParallelIterator::inspect", ".inspect(|x| look(x))"),
    row("ParallelIterator::update", ".update(|x| nudge(x, {s}))")
        .std(".map(|mut x| { nudge(&mut x, {s}); x })")
        .takes(Takes::Plain),
    row("ParallelIterator::filter", ".filter(|x| keep(x, {s}))")
        .loses()
        .changes()
        .weight(10),
    row("ParallelIterator::filter", ".filter(|x| rare(x, {s}, {m}))").loses().changes(),
    row("ParallelIterator::filter_map", ".filter_map(|x| mix_most(x, {s}, 4))")
        .gives(Gives::Number)
        .loses()
        .changes(),
    row("ParallelIterator::panic_fuse", ".panic_fuse()").std("").weight(6),
    row("ParallelIterator::intersperse", ".intersperse({one})")
        .std(".between({one})")
        .takes(Takes::Plain)
        .grows(2)
        .by_order()
        .changes(),
    // nested
    row("ParallelIterator::flat_map", ".flat_map(move |x| { let n = few(&x, {s}); {a} })")
        .nested(Nested::Inner)
        .gives(Gives::Nested)
        .grows(3)
        .loses()
        .changes()
        .weight(36),
    row("ParallelIterator::flatten", ".map(move |x| { let n = few(&x, {s}); {a} }).flatten()")
        .nested(Nested::Inner)
        .gives(Gives::Nested)
        .grows(3)
        .loses()
        .changes()
        .weight(8),
    row("ParallelIterator::flatten", ".flatten()")
        .takes(Takes::List)
        .gives(Gives::Flat)
        .grows(3)
        .loses()
        .changes()
        .weight(6),
    row("ParallelIterator::flat_map_iter", ".flat_map_iter(|x| list(x, {s}))")
        .std(".flat_map(|x| list(x, {s}))")
        .gives(Gives::Token)
        .grows(3)
        .loses()
        .changes()
        .weight(6),
    row("ParallelIterator::flatten_iter", ".flatten_iter()")
        .std(".flatten()")
        .takes(Takes::List)
        .gives(Gives::Flat)
        .grows(3)
        .loses()
        .changes(),
    row("ParallelIterator::chain", ".chain({a})")
        .nested(Nested::Same)
        .changes()
        .weight(48),
    // the first part has its hits late, and the second one, which another thread may take, has them early
    row("ParallelIterator::chain", ".map(|x| quiet(x, {s})).chain({a})")
        .takes(Takes::Number)
        .nested(Nested::Same)
        .changes()
        .weight(36),
    row("ParallelIterator::map", ".map(|x| quiet(x, {s}))").gives(Gives::Number).weight(6),
    // folds, and what they gathered in one iterator again
    row("ParallelIterator::fold", ".fold(Vec::new, gathered).flatten()")
        .std("")
        .loses()
        .weight(5),
    row("ParallelIterator::fold_with", ".fold_with(Vec::new(), gathered).flatten_iter()")
        .std("")
        .takes(Takes::Plain)
        .loses()
        .weight(3),
    row(
        "ParallelIterator::try_fold",
        ".try_fold(Vec::new, |v, x| Some(gathered(v, x))).flatten().flatten()",
    )
    .std("")
    .loses()
    .weight(3),
    row(
        "ParallelIterator::try_fold",
        ".try_fold(Vec::new, |v, x| ok_most(x, {s}, {m}).map(|x| gathered(v, x))).flatten_iter().flatten_iter()",
    )
    .std("")
    .loses()
    .counts(Counts::Some)
    .early()
    .weight(3),
    row(
        "ParallelIterator::try_fold_with",
        ".try_fold_with(Vec::new(), |v, x| Some(gathered(v, x))).flatten_iter().flatten_iter()",
    )
    .std("")
    .takes(Takes::Plain)
    .loses()
    .weight(3),
    // some of them
    row("ParallelIterator::while_some", ".map(|x| some_most(x, {s}, {m})).while_some()")
        .std(".filter(|x| most(x, {s}, {m}))")
        .loses()
        .counts(Counts::Some)
        .early()
        .weight(6),
    row("ParallelIterator::while_some", ".map(Some).while_some()").std("").loses().early(),
    row("ParallelIterator::take_any", ".take_any({k})")
        .std("")
        .loses()
        .counts(Counts::AtMost)
        .early()
        .weight(6),
    row("ParallelIterator::skip_any", ".skip_any({k})")
        .std("")
        .loses()
        .counts(Counts::Without)
        .skips(),
    row("ParallelIterator::take_any_while", ".take_any_while(|x| most(x, {s}, {m}))")
        .std(".filter(|x| most(x, {s}, {m}))")
        .loses()
        .counts(Counts::Some)
        .early(),
    row("ParallelIterator::skip_any_while", ".skip_any_while(|x| most(x, {s}, {m}))")
        .std("")
        .loses()
        .counts(Counts::Some)
        .skips(),
    // ext
    row("ParallelWhile::take_while", ".take_while(|x| most(x, {s}, {m}))")
        .loses()
        .changes()
        .by_order()
        .early()
        .ext()
        .weight(10),
    row("ParallelWhile::map_while", ".map_while(|x| mix_most(x, {s}, {m}))")
        .gives(Gives::Number)
        .loses()
        .changes()
        .by_order()
        .early()
        .ext()
        .weight(6),
    row("ParallelWhile::skip_while", ".skip_while(|x| most(x, {s}, {m}))")
        .loses()
        .changes()
        .by_order()
        .ext()
        .weight(10),
    row("ParallelCancel::cancellable", ".cancellable(&d.calm)")
        .std("")
        .borrows()
        .loses()
        .ext(),
    row("ParallelCancel::cancellable", ".cancellable(&{v})")
        .std("")
        .variable("let {v} = filch::ext::CancelToken::new();")
        .loses()
        .ext()
        .weight(1),
    row("ParallelProgress::progress", ".progress(|_| ())").std("").ext(),
    row("ParallelUsing::using", ".using(|| token({s})).map(|state, x| mix_with(state, x, {s}))")
        .std(".map(|x| mix(x, {s}))")
        .gives(Gives::Number)
        .ext(),
    row("Using::map", ".using(|| token({s})).map(|state, x| token(mix_with(state, x, {s})))")
        .std(".map(|x| token(mix(x, {s})))")
        .gives(Gives::Token)
        .ext(),
    row(
        "Using::filter_map",
        ".using(|| token({s})).filter_map(|state, x| { look(state); mix_most(x, {s}, 3) })",
    )
    .std(".filter_map(|x| mix_most(x, {s}, 3))")
    .gives(Gives::Number)
    .loses()
    .changes()
    .ext(),
    row("ParallelUsing::using_states", ".using_states(&{v}).map(|state, x| mix_with(state, x, {s}))")
        .std(".map(|x| mix(x, {s}))")
        .variable("let {v} = filch::ext::States::new(|| token({s}));")
        .gives(Gives::Number)
        .ext()
        .weight(2),
];
