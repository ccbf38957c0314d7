//! Ends of `filch::ext`.

use crate::row::{Row, Takes, row};

pub static ROWS: &[Row] = &[
    row("ParallelLast::last", "{p}.last()").by_order().early().ext().weight(8),
    row("ParallelNth::nth", "{p}.nth({b})")
        .std("{p}.all_items().into_iter().nth({b})")
        .needs()
        .skips()
        .ext(),
    row("ParallelMinMax::min_max", "{p}.min_max()")
        .std("{ let v = {p}.all_items(); if v.len() < 2 { v } else { vec![v.iter().min().unwrap().clone(), v.iter().max().unwrap().clone()] } }")
        .takes(Takes::Plain)
        .ext(),
    row("ParallelMinMax::min_max_by", "{p}.min_max_by(|a, b| (a % 50).cmp(&(b % 50)))")
        .std("{ let v = {p}.all_items(); if v.len() < 2 { v } else { vec![*v.iter().min_by_key(|x| *x % 50).unwrap(), *v.iter().max_by_key(|x| *x % 50).unwrap()] } }")
        .takes(Takes::Number)
        .by_order()
        .ext()
        .weight(2),
    row("ParallelMinMax::min_max_by_key", "{p}.min_max_by_key(|x| x % 50)")
        .std("{ let v = {p}.all_items(); if v.len() < 2 { v } else { vec![*v.iter().min_by_key(|x| *x % 50).unwrap(), *v.iter().max_by_key(|x| *x % 50).unwrap()] } }")
        .takes(Takes::Number)
        .by_order()
        .ext()
        .weight(2),
    row("ParallelIsSorted::is_sorted", "{p}.is_sorted()")
        .takes(Takes::Plain)
        .by_order()
        .early()
        .ext(),
    row("ParallelIsSorted::is_sorted_by", "{p}.is_sorted_by(|a, b| most(a, b.value(), {m}))")
        .by_order()
        .early()
        .ext(),
    row("ParallelIsSorted::is_sorted_by_key", "{p}.is_sorted_by_key(|x| x.value() / 3)")
        .by_order()
        .early()
        .ext()
        .weight(2),
    row("ParallelSumCompensated::sum_compensated", "{p}.map(|x| (x.value() % 1000) as f64).sum_compensated() as u64")
        .std("{p}.map(|x| x.value() % 1000).sum::<u64>()")
        .ext()
        .weight(2),
    row("ParallelTopK::top_k", "{p}.top_k({k})")
        .std("{ let mut v = {p}.all_items(); v.sort_by(|a, b| b.cmp(a)); v.truncate({k}); v }")
        .takes(Takes::Plain)
        .ext(),
    row("ParallelTopK::top_k_by", "{p}.top_k_by({k}, |a, b| (a.value() % 50).cmp(&(b.value() % 50)))")
        .std("{ let mut v = {p}.all_items(); v.sort_by_key(|x| std::cmp::Reverse(x.value() % 50)); v.truncate({k}); v }")
        .by_order()
        .ext()
        .weight(2),
    row("ParallelTopK::top_k_by_key", "{p}.top_k_by_key({k}, |x| x.value() % 50)")
        .std("{ let mut v = {p}.all_items(); v.sort_by_key(|x| std::cmp::Reverse(x.value() % 50)); v.truncate({k}); v }")
        .by_order()
        .ext()
        .weight(2),
    row("ParallelTopK::bottom_k", "{p}.bottom_k({k})")
        .std("{ let mut v = {p}.all_items(); v.sort(); v.truncate({k}); v }")
        .takes(Takes::Plain)
        .ext()
        .weight(2),
    row("ParallelTopK::bottom_k_by", "{p}.bottom_k_by({k}, |a, b| (a.value() % 50).cmp(&(b.value() % 50)))")
        .std("{ let mut v = {p}.all_items(); v.sort_by_key(|x| x.value() % 50); v.truncate({k}); v }")
        .by_order()
        .ext()
        .weight(2),
    row("ParallelTopK::bottom_k_by_key", "{p}.bottom_k_by_key({k}, |x| x.value() % 50)")
        .std("{ let mut v = {p}.all_items(); v.sort_by_key(|x| x.value() % 50); v.truncate({k}); v }")
        .by_order()
        .ext()
        .weight(2),
    // ordinary iterators
    row("ParallelOrdered::with_ordered_iter", "{p}.with_ordered_iter({b}, |items| items.collect::<Vec<_>>())")
        .std("{p}.all_items()")
        .check("Items")
        .ext()
        .weight(8),
    row("ParallelOrdered::with_ordered_iter", "{p}.with_ordered_iter({b}, |items| items.take({k}).collect::<Vec<_>>())")
        .std("{p}.take({k}).all_items()")
        .by_order()
        .early()
        .ext()
        .weight(6),
    row("ParallelOrdered::into_ordered_iter", "{p}.into_ordered_iter({b}).collect::<Vec<_>>()")
        .std("{p}.all_items()")
        .owned()
        .check("Items")
        .ext()
        .weight(6),
    // states, tokens
    row("ParallelUsing::using", "{ let bag = Bag::default(); {p}.using(|| token({s})).for_each(|state, x| { look(state); bag.add(x) }); bag }")
        .std("{p}.all_items()")
        .check("Bag")
        .ext()
        .weight(2),
    row("Using::for_each", "{ let bag = Bag::default(); {p}.using(|| token({s})).for_each(|state, x| { look(state); bag.add(x) }); bag }")
        .std("{p}.all_items()")
        .check("Bag")
        .ext()
        .weight(2),
    row("Using::into_states", "{p}.using(Vec::new).into_states(|state, x| state.push(x)).into_iter().flatten().collect::<Vec<_>>()")
        .std("{p}.all_items()")
        .check("Bag")
        .ext(),
    row("ParallelCancel::with_cancel", "{p}.with_cancel(&d.calm, |items| items.collect::<Vec<_>>()).expect(\"the token is never cancelled\")")
        .std("{p}.all_items()")
        .check("Items")
        .ext(),
];
