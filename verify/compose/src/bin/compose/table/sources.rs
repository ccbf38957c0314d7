//! Ranges, collections, options, and the functions of `filch::iter`.

use crate::row::{Gives, Nested, Row, row};
use Gives::{Lent, Number, Other, Pair, Ref, Slices, Token, Zipped};

pub static ROWS: &[Row] = &[
    // ranges
    row("range", "(0..{n} as u32).into_par_iter()")
        .std("(0..{n} as u32)")
        .gives(Other("u32"))
        .weight(8),
    row("range", "(0..{n}).into_par_iter()")
        .std("(0..{n})")
        .gives(Other("usize"))
        .weight(8),
    row("range", "(0..{n} as u64).into_par_iter()")
        .std("(0..{n} as u64)")
        .gives(Number)
        .loses()
        .weight(8),
    row("range", "(-5..{n} as i64).into_par_iter()")
        .std("(-5..{n} as i64)")
        .gives(Other("i64"))
        .loses(),
    row("range", "(0..{n} as i128).into_par_iter()")
        .std("(0..{n} as i128)")
        .gives(Other("i128"))
        .loses()
        .weight(2),
    row("range_inclusive", "(1..={n} as u32).into_par_iter()")
        .std("(1..={n} as u32)")
        .gives(Other("u32"))
        .loses(),
    row("range_inclusive", "(1..={n} as u16).into_par_iter()")
        .std("(1..={n} as u16)")
        .gives(Other("u16"))
        .weight(2),
    row(
        "range_inclusive",
        "('\\0'..=char::from({n} as u8)).into_par_iter()",
    )
    .std("('\\0'..=char::from({n} as u8))")
    .gives(Other("char"))
    .loses()
    .weight(2),
    // vectors, arrays, options
    row("vec", "numbers({n}).into_par_iter()")
        .std("numbers({n}).into_iter()")
        .gives(Number)
        .weight(10),
    row("vec", "tokens({n}).into_par_iter()")
        .std("tokens({n}).into_iter()")
        .gives(Token)
        .weight(10),
    row("vec", "tokens({n}).into_boxed_slice().into_par_iter()")
        .std("tokens({n}).into_iter()")
        .gives(Token)
        .weight(2),
    row(
        "IntoParallelRefIterator::par_iter",
        "d.numbers({n}).par_iter()",
    )
    .std("d.numbers({n}).iter()")
    .gives(Ref)
    .borrows()
    .weight(8),
    row(
        "IntoParallelRefIterator::par_iter",
        "d.tokens({n}).par_iter()",
    )
    .std("d.tokens({n}).iter()")
    .gives(Lent)
    .borrows()
    .weight(8),
    row(
        "IntoParallelRefMutIterator::par_iter_mut",
        "{v}.par_iter_mut()",
    )
    .std("{v}.iter_mut()")
    .variable("let mut {v} = tokens({n});")
    .gives(Other("&mut Token")),
    row(
        "IntoParallelIterator::into_par_iter",
        "(&mut {v}).into_par_iter()",
    )
    .std("(&mut {v}).into_iter()")
    .variable("let mut {v} = numbers({n});")
    .gives(Other("&mut u64")),
    row("ParallelDrainRange::par_drain", "{v}.par_drain(..)")
        .std("{v}.drain(..)")
        .variable("let mut {v} = tokens({n});")
        .gives(Token),
    row(
        "ParallelDrainRange::par_drain",
        "{v}.par_drain({n} / 3..{n} / 2)",
    )
    .std("{v}.drain({n} / 3..{n} / 2)")
    .variable("let mut {v} = tokens({n});")
    .gives(Token),
    row("ParallelDrainRange::par_drain", "{v}.par_drain({n} / 3..)")
        .std("{v}.drain({n} / 3..)")
        .variable("let mut {v} = deque({n});")
        .gives(Token),
    row("string", "{v}.par_drain(..)")
        .std("{v}.drain(..)")
        .variable("let mut {v} = d.text({n}).to_string();")
        .gives(Other("char"))
        .loses()
        .weight(2),
    row(
        "array",
        "[token({s}), token(2), token({k})].into_par_iter()",
    )
    .std("[token({s}), token(2), token({k})].into_iter()")
    .gives(Token),
    row("option", "({n} > 1).then_some({s}u64).into_par_iter()")
        .std("({n} > 1).then_some({s}u64).into_iter()")
        .gives(Number)
        .weight(2),
    row("result", "Ok::<_, ()>(token({s})).into_par_iter()")
        .std("Ok::<_, ()>(token({s})).into_iter()")
        .gives(Token)
        .weight(2),
    // collections
    row("collections::vec_deque", "deque({n}).into_par_iter()")
        .std("deque({n}).into_iter()")
        .gives(Token),
    row("collections::vec_deque", "{v}.par_iter()")
        .std("{v}.iter()")
        .variable("let {v} = deque({n});")
        .gives(Lent)
        .weight(2),
    row("collections::linked_list", "linked({n}).into_par_iter()")
        .std("linked({n}).into_iter()")
        .gives(Token)
        .loses()
        .weight(2),
    row("collections::linked_list", "{v}.par_iter_mut()")
        .std("{v}.iter_mut()")
        .variable("let mut {v} = linked({n});")
        .gives(Other("&mut Token"))
        .loses()
        .weight(2),
    row("collections::btree_map", "tree_map({n}).into_par_iter()")
        .std("tree_map({n}).into_iter()")
        .gives(Pair)
        .loses(),
    row("collections::btree_map", "{v}.par_iter()")
        .std("{v}.iter()")
        .variable("let {v} = tree_map({n});")
        .gives(Other("(&u64, &Token)"))
        .loses()
        .weight(2),
    row(
        "collections::btree_set",
        "numbers({n}).into_iter().collect::<BTreeSet<_>>().into_par_iter()",
    )
    .std("numbers({n}).into_iter()")
    .gives(Number)
    .loses()
    .weight(2),
    row("collections::hash_map", "hash_map({n}).into_par_iter()")
        .std("hash_map({n}).into_iter()")
        .gives(Pair)
        .loses()
        .unordered(),
    row("collections::hash_map", "{v}.par_iter_mut()")
        .std("{v}.iter_mut()")
        .variable("let mut {v} = hash_map({n});")
        .gives(Other("(&u64, &mut Token)"))
        .loses()
        .unordered()
        .weight(1),
    row(
        "collections::hash_set",
        "tokens({n}).into_iter().collect::<HashSet<_>>().into_par_iter()",
    )
    .std("tokens({n}).into_iter()")
    .gives(Token)
    .loses()
    .unordered()
    .weight(2),
    row("ParallelDrainFull::par_drain", "{v}.par_drain()")
        .std("{v}.drain()")
        .variable("let mut {v} = tokens({n}).into_iter().collect::<HashSet<_>>();")
        .gives(Token)
        .loses()
        .unordered()
        .weight(2),
    row(
        "collections::binary_heap",
        "tokens({n}).into_iter().collect::<BinaryHeap<_>>().into_par_iter()",
    )
    .std("tokens({n}).into_iter()")
    .gives(Token)
    .loses()
    .unordered()
    .weight(2),
    // functions
    row("iter::empty", "filch::iter::empty::<u64>()")
        .std("std::iter::empty::<u64>()")
        .gives(Number)
        .weight(2),
    row("iter::once", "filch::iter::once({s}u64)")
        .std("std::iter::once({s}u64)")
        .gives(Number)
        .weight(8),
    row("iter::once", "filch::iter::once(token({s}))")
        .std("std::iter::once(token({s}))")
        .gives(Token),
    row("iter::repeat_n", "filch::iter::repeat_n(token({s}), {n})")
        .std("std::iter::repeat_n(token({s}), {n})")
        .gives(Token),
    row("iter::repeat", "filch::iter::repeat({s}u64).take({n})")
        .std("std::iter::repeat({s}u64).take({n})")
        .gives(Number)
        .weight(2),
    row("Repeat::take", "filch::iter::repeat(token({s})).take({n})")
        .std("std::iter::repeat(token({s})).take({n})")
        .gives(Token)
        .weight(2),
    row(
        "Repeat::zip",
        "filch::iter::repeat({s}u64).zip(tokens({n}))",
    )
    .std("std::iter::repeat({s}u64).zip(tokens({n}))")
    .gives(Pair)
    .weight(2),
    row(
        "iter::split",
        "filch::iter::split(0..{n} as u64, halve).flat_map_iter(|range| range)",
    )
    .std("(0..{n} as u64)")
    .gives(Number)
    .loses(),
    row(
        "iter::walk_tree",
        "filch::iter::walk_tree(0u64, move |&node| children(node, {n}))",
    )
    .std("prefix({n}).into_iter()")
    .gives(Number)
    .loses()
    .unordered()
    .weight(2),
    row(
        "iter::walk_tree_prefix",
        "filch::iter::walk_tree_prefix(0u64, move |&node| children(node, {n}))",
    )
    .std("prefix({n}).into_iter()")
    .gives(Number)
    .loses(),
    row(
        "iter::walk_tree_postfix",
        "filch::iter::walk_tree_postfix(0u64, move |&node| children(node, {n}))",
    )
    .std("postfix({n}).into_iter()")
    .gives(Number)
    .loses(),
    row(
        "ParallelBridge::par_bridge",
        "tokens({n}).into_iter().par_bridge()",
    )
    .std("tokens({n}).into_iter()")
    .gives(Token)
    .loses()
    .unordered(),
    row(
        "ParallelBridgeOrdered::par_bridge_ordered",
        "tokens({n}).into_iter().par_bridge_ordered()",
    )
    .std("tokens({n}).into_iter()")
    .gives(Token)
    .loses()
    .ext(),
    // of two chains
    row(
        "either",
        "(if {n} % 2 == 0 { Either::Left({a}) } else { Either::Right({a2}) })",
    )
    .std("(if {n} % 2 == 0 { Either::Left({a}) } else { Either::Right({a2}) })")
    .nested(Nested::Two)
    .gives(Gives::Nested),
    row("multi_zip", "({a}, {a2}).into_par_iter()")
        .std("({a}).zip({a2})")
        .nested(Nested::TwoIndexed)
        .gives(Zipped)
        .skips(),
    row(
        "IndexedParallelIterator::zip_eq",
        "numbers({n}).into_par_iter().zip_eq(tokens({n}))",
    )
    .std("numbers({n}).into_iter().zip(tokens({n}))")
    .gives(Pair),
    // a slice that is borrowed is cut before it is walked
    row(
        "IntoParallelIterator::into_par_iter",
        "d.numbers({n}).into_par_iter().chunks(3)",
    )
    .std("d.numbers({n}).iter().chunks(3)")
    .borrows()
    .gives(Slices("Vec<&u64>"))
    .weight(2),
];
