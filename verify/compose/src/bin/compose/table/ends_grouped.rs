//! Ends of `filch::ext` that make one result for each key.

use crate::row::{Row, row};

/// How many items have each key, on std.
const COUNTED: &str = "{ let mut counts = BTreeMap::new(); for x in {p} { *counts.entry(x.value() % 50).or_insert(0usize) += 1; } counts }";

/// The items of each key, on std.
const GROUPED: &str = "{ let mut groups = BTreeMap::<u64, Vec<_>>::new(); for x in {p} { groups.entry(x.value() % 50).or_default().push(x.value()); } groups }";

/// The affine maps of each key, composed in order, on std.
const REDUCED: &str = "{ let mut maps = BTreeMap::new(); for x in {p} { let x = x.value(); let sum = maps.entry(x % 50).or_insert(SAME); *sum = affine(*sum, map_of(x)); } maps }";

pub static ROWS: &[Row] = &[
    row(
        "ParallelByKey::count_by_key",
        "{p}.count_by_key(|x| x.value() % 50).into_iter().collect::<BTreeMap<_, _>>()",
    )
    .std(COUNTED)
    .ext(),
    row(
        "ParallelByKey::by_key",
        "{p}.by_key(|x| x.value() % 50).count().into_sorted_vec()",
    )
    .std(COUNTED)
    .ext()
    .weight(2),
    row(
        "ByKey::reduce",
        "{p}.map(|x| { let x = x.value(); (x % 50, map_of(x)) }).by_key(|x| x.0).reduce(|a, b| a.1 = affine(a.1, b.1)).into_sorted_vec().into_iter().map(|(key, x)| (key, x.1)).collect::<Vec<_>>()",
    )
    .std(REDUCED)
    .by_order()
    .ext()
    .weight(2),
    row(
        "ByKey::aggregate",
        "{p}.by_key(|x| x.value() % 50).aggregate(Vec::new, |v, x| v.push(x.value()), |v, mut w| v.append(&mut w)).into_sorted_vec()",
    )
    .std(GROUPED)
    .by_order()
    .ext()
    .weight(2),
    row(
        "ByKey::group",
        "{p}.by_key(|x| x.value() % 50).group().into_sorted_vec()",
    )
    .std(GROUPED)
    .by_order()
    .ext()
    .weight(2),
    row(
        "ParallelByKey::reduce_by_key",
        "{p}.map(|x| { let x = x.value(); (x % 50, map_of(x)) }).reduce_by_key(|a, b| *a = affine(*a, b)).into_iter().collect::<BTreeMap<_, _>>()",
    )
    .std(REDUCED)
    .by_order()
    .ext(),
    row(
        "ParallelByKey::aggregate_by_key",
        "{p}.map(|x| (x.value() % 50, x.value())).aggregate_by_key(Vec::new, |v, x| v.push(x), |v, mut w| v.append(&mut w)).into_iter().collect::<BTreeMap<_, _>>()",
    )
    .std(GROUPED)
    .by_order()
    .ext()
    .weight(2),
    row(
        "ParallelByKey::group_by_key",
        "{p}.map(|x| (x.value() % 50, x)).group_by_key().into_sorted_vec()",
    )
    .std(GROUPED)
    .by_order()
    .ext(),
    row(
        "ParallelByKey::histogram",
        "{p}.histogram(50, |x| (x.value() % 50) as usize)",
    )
    .std("{ let mut bins = vec![0usize; 50]; for x in {p} { bins[(x.value() % 50) as usize] += 1; } bins }")
    .ext(),
    row(
        "ParallelByKey::top_k_by_count",
        "{p}.top_k_by_count({k}, |x| x.value() % 50)",
    )
    .std("{ let mut counts = BTreeMap::new(); for x in {p} { *counts.entry(x.value() % 50).or_insert(0usize) += 1; } let mut v: Vec<_> = counts.into_iter().collect(); v.sort_by_key(|x| std::cmp::Reverse(x.1)); v.truncate({k}); v }")
    .ext()
    .weight(2),
];
