//! Ends of all parallel iterators, and of indexed ones.

use crate::row::{Nested, Row, Takes, row};

/// Where the forms of an end differ, that on std's iterators is often all items.
const ITEMS: &str = "{p}.all_items()";

pub static ROWS: &[Row] = &[
    row("ParallelIterator::for_each", "{ let bag = Bag::default(); {p}.for_each(|x| bag.add(x)); bag }")
        .std(ITEMS)
        .check("Bag"),
    row(
        "ParallelIterator::for_each_with",
        "{ let bag = Bag::default(); {p}.for_each_with(token({s}), |state, x| { look(state); bag.add(x) }); bag }",
    )
    .std(ITEMS)
    .check("Bag"),
    row(
        "ParallelIterator::for_each_init",
        "{ let bag = Bag::default(); {p}.for_each_init(|| token({s}), |state, x| { look(state); bag.add(x) }); bag }",
    )
    .std(ITEMS)
    .check("Bag"),
    row("ParallelIterator::try_for_each", "{p}.try_for_each(|x| ok_most(x, {s}, {m}).map(drop))")
        .std("{p}.failures(|x| ok_most(x, {s}, {m}))")
        .check("Fails")
        .early()
        .weight(10),
    row(
        "ParallelIterator::try_for_each_with",
        "{p}.try_for_each_with(token({s}), |state, x| { look(state); ok_most(x, {s}, {m}).map(drop) })",
    )
    .std("{p}.failures(|x| ok_most(x, {s}, {m}))")
    .check("Fails")
    .early(),
    row(
        "ParallelIterator::try_for_each_init",
        "{p}.try_for_each_init(|| token({s}), |state, x| { look(state); ok_most(x, {s}, {m}).map(drop) })",
    )
    .std("{p}.failures(|x| ok_most(x, {s}, {m}))")
    .check("Fails")
    .early(),
    row("ParallelIterator::count", "{p}.count()").weight(6),
    row("ParallelIterator::reduce", "{p}.map(map_of).reduce(|| SAME, affine)")
        .std("{p}.map(map_of).fold(SAME, affine)")
        .by_order(),
    row("ParallelIterator::reduce", "{p}.map(|x| vec![x]).reduce(Vec::new, appended)")
        .std(ITEMS)
        .check("Items"),
    row("ParallelIterator::reduce_with", "{p}.map(map_of).reduce_with(affine)")
        .std("{p}.map(map_of).reduce(affine)")
        .by_order(),
    row(
        "ParallelIterator::try_reduce",
        "{p}.map(|x| some_most(x.value(), {s}, {m})).try_reduce(|| 0, |a, b| Some(a.wrapping_add(b)))",
    )
    .std("{p}.map(|x| some_most(x.value(), {s}, {m})).try_fold(0, |a: u64, b| Some(a.wrapping_add(b?)))")
    .early()
    .weight(6),
    row(
        "ParallelIterator::try_reduce_with",
        "{p}.map(|x| some_most(map_of(x), {s}, {m})).try_reduce_with(|a, b| Some(affine(a, b))).map(|x| x.unwrap_or(7))",
    )
    .std("{p}.map(|x| some_most(map_of(x), {s}, {m})).reduce(|a, b| Some(affine(a?, b?))).map(|x| x.unwrap_or(7))")
    .by_order()
    .early()
    .weight(6),
    row("ParallelIterator::sum", "{p}.map(|x| Wrapping(x.value())).sum::<Wrapping<u64>>()").weight(6),
    row("ParallelIterator::product", "{p}.map(|x| Wrapping(x.value())).product::<Wrapping<u64>>()"),
    row("ParallelIterator::min", "{p}.min()").takes(Takes::Plain),
    row("ParallelIterator::min_by", "{p}.min_by(|a, b| (a.value() % 50).cmp(&(b.value() % 50)))").by_order(),
    row("ParallelIterator::min_by_key", "{p}.min_by_key(|x| x.value() % 50)").by_order(),
    row("ParallelIterator::max", "{p}.max()").takes(Takes::Plain),
    row("ParallelIterator::max_by", "{p}.max_by(|a, b| (a.value() % 50).cmp(&(b.value() % 50)))").by_order(),
    row("ParallelIterator::max_by_key", "{p}.max_by_key(|x| x.value() % 50)").by_order(),
    // searches
    row("ParallelIterator::find_any", "{p}.find_any(|x| rare(x, {s}, {m}))")
        .std("{p}.filter(|x| rare(x, {s}, {m})).all_items()")
        .check("OneOf")
        .early()
        .weight(8),
    row("ParallelIterator::find_map_any", "{p}.find_map_any(|x| mix_most(x, {s}, 2))")
        .std("{p}.filter_map(|x| mix_most(x, {s}, 2)).all_items()")
        .check("OneOf")
        .early(),
    row("ParallelIterator::find_first", "{p}.find_first(|x| rare(x, {s}, {m}))")
        .std("{p}.find(|x| rare(x, {s}, {m}))")
        .by_order()
        .early()
        .weight(40),
    row("ParallelIterator::find_map_first", "{p}.find_map_first(|x| mix_most(x, {s}, 2))")
        .std("{p}.find_map(|x| mix_most(x, {s}, 2))")
        .by_order()
        .early()
        .weight(6),
    row("ParallelIterator::find_last", "{p}.find_last(|x| rare(x, {s}, {m}))")
        .std("{p}.filter(|x| rare(x, {s}, {m})).last()")
        .by_order()
        .early()
        .weight(30),
    row("ParallelIterator::find_map_last", "{p}.find_map_last(|x| mix_most(x, {s}, 2))")
        .std("{p}.filter_map(|x| mix_most(x, {s}, 2)).last()")
        .by_order()
        .early()
        .weight(6),
    row("ParallelIterator::any", "{p}.any(|x| rare(&x, {s}, {m}))")
        .std("{p}.fold(false, |any, x| any | rare(&x, {s}, {m}))")
        .early()
        .weight(6),
    row("ParallelIterator::all", "{p}.all(|x| most(&x, {s}, {m}))")
        .std("{p}.fold(true, |all, x| all & most(&x, {s}, {m}))")
        .early()
        .weight(6),
    // collections
    row("ParallelIterator::collect", "{p}.collect::<Vec<_>>()").check("Items").weight(30),
    row("ParallelIterator::collect", "{p}.collect::<VecDeque<_>>()").check("Items"),
    row("ParallelIterator::collect", "{p}.collect::<LinkedList<_>>()").check("Items"),
    row("ParallelIterator::collect", "{p}.collect::<Box<[_]>>()").check("Items").weight(2),
    row("ParallelIterator::collect", "{p}.collect::<HashSet<_>>()").takes(Takes::Plain),
    row("ParallelIterator::collect", "{p}.collect::<BTreeSet<_>>()").takes(Takes::Plain),
    row("ParallelIterator::collect", "{p}.collect::<BinaryHeap<_>>()").takes(Takes::Plain),
    row("ParallelIterator::collect", "{p}.map(|x| (x.value() % 50, x)).collect::<HashMap<_, _>>()").by_order(),
    row("ParallelIterator::collect", "{p}.map(|x| (x.value() % 50, x)).collect::<BTreeMap<_, _>>()").by_order(),
    row("ParallelIterator::collect", "{p}.map(|x| char::from(x.value() as u8)).collect::<String>()").check("Items"),
    row("ParallelIterator::collect", "{p}.map(|x| ok_most(x, {s}, {m})).collect::<Result<Vec<_>, u64>>()")
        .std("{p}.tried(|x| ok_most(x, {s}, {m}))")
        .check("Fails")
        .by_order()
        .early()
        .weight(10),
    row("ParallelIterator::collect", "{p}.map(|x| some_most(x, {s}, {m})).collect::<Option<Vec<_>>>()")
        .by_order()
        .early()
        .weight(10),
    row("ParallelIterator::collect_vec_list", "{p}.collect_vec_list().into_iter().flatten().collect::<Vec<_>>()")
        .std(ITEMS)
        .check("Items"),
    row("ParallelExtend::par_extend", "{ let mut v = Vec::new(); v.par_extend({p}); v }")
        .takes(Takes::Plain)
        .std(ITEMS)
        .check("Items"),
    // References are copied, or kept: the type of the vector says which.
    row("ParallelExtend::par_extend", "{ let mut v: Vec<u64> = Vec::new(); v.par_extend({p}); v }")
        .takes(Takes::Ref)
        .std(ITEMS)
        .check("Items")
        .weight(10),
    row("FromParallelIterator::from_par_iter", "Vec::from_par_iter({p})")
        .std(ITEMS)
        .check("Items")
        .weight(2),
    row("ParallelIterator::unzip", "{p}.unzip::<_, _, Vec<_>, Vec<_>>()")
        .takes(Takes::Pair)
        .by_order(),
    row("ParallelIterator::unzip", "{p}.map(|x| (x.value(), x)).unzip::<_, _, Vec<_>, HashSet<u64>>()")
        .takes(Takes::Number)
        .by_order()
        .weight(2),
    row("ParallelIterator::partition", "{p}.partition::<Vec<_>, Vec<_>, _>(|x| keep(x, {s}))")
        .std("{p}.partition::<Vec<_>, _>(|x| keep(x, {s}))")
        // Of references, a vector could be of values as well.
        .takes(Takes::Plain)
        .by_order(),
    row(
        "ParallelIterator::partition_map",
        "{p}.partition_map::<Vec<_>, Vec<_>, _, _, _>(|x| either(x, {s}))",
    )
    .std("{ let (a, b) = {p}.partition::<Vec<_>, _>(|x| keep(x, {s})); (a, b.into_iter().map(number).collect::<Vec<_>>()) }")
    .takes(Takes::Plain)
    .by_order(),
    // of what is indexed
    row(
        "IndexedParallelIterator::collect_into_vec",
        "{ let mut v = Vec::new(); {p}.collect_into_vec(&mut v); v }",
    )
    .std(ITEMS)
    .check("Items")
    .needs(),
    row(
        "IndexedParallelIterator::unzip_into_vecs",
        "{ let (mut a, mut b) = (Vec::new(), Vec::new()); {p}.unzip_into_vecs(&mut a, &mut b); (a, b) }",
    )
    .std("{p}.unzip::<_, _, Vec<_>, Vec<_>>()")
    .takes(Takes::Pair)
    .needs(),
    row("IndexedParallelIterator::position_any", "{p}.position_any(|x| rare(&x, {s}, {m}))")
        .std("{p}.places(|x| rare(&x, {s}, {m})).all_items()")
        .check("OneOf")
        .needs()
        .early(),
    row("IndexedParallelIterator::position_first", "{p}.position_first(|x| rare(&x, {s}, {m}))")
        .std("{p}.places(|x| rare(&x, {s}, {m})).next()")
        .needs()
        .early()
        .weight(10),
    row("IndexedParallelIterator::position_last", "{p}.position_last(|x| rare(&x, {s}, {m}))")
        .std("{p}.places(|x| rare(&x, {s}, {m})).last()")
        .needs()
        .early()
        .weight(10),
    row("IndexedParallelIterator::cmp", "{p}.cmp({a})").takes(Takes::Plain).nested(Nested::SameIndexed).needs().early(),
    row("IndexedParallelIterator::partial_cmp", "{p}.partial_cmp({a})")
        .takes(Takes::Plain)
        .nested(Nested::SameIndexed)
        .needs()
        .early(),
    row("IndexedParallelIterator::eq", "{p}.eq({a})").takes(Takes::Plain).nested(Nested::SameIndexed).needs().early(),
    row("IndexedParallelIterator::ne", "{p}.ne({a})").takes(Takes::Plain).nested(Nested::SameIndexed).needs().early(),
    row("IndexedParallelIterator::lt", "{p}.lt({a})").takes(Takes::Plain).nested(Nested::SameIndexed).needs().early(),
    row("IndexedParallelIterator::le", "{p}.le({a})").takes(Takes::Plain).nested(Nested::SameIndexed).needs().early(),
    row("IndexedParallelIterator::gt", "{p}.gt({a})").takes(Takes::Plain).nested(Nested::SameIndexed).needs().early(),
    row("IndexedParallelIterator::ge", "{p}.ge({a})").takes(Takes::Plain).nested(Nested::SameIndexed).needs().early(),
];
