//! Ends that make one value of all items, and comparisons.

use super::{cases, ids, numbers, stepped, unless_2};
use crate::support::Token;
use filch::prelude::*;
use std::cmp::Ordering;

/// A total, or 100 and the number of the token that failed.
fn total(total: Result<usize, Token>) -> Vec<usize> {
    vec![total.unwrap_or_else(|token| 100 + token.id())]
}

/// The same for lists of tokens.
fn list(list: Result<Vec<Token>, Token>) -> Vec<usize> {
    list.map_or_else(|token| vec![100 + token.id()], ids)
}

/// 0 for less, 1 for equal, and 2 for greater.
fn order(order: Ordering) -> Vec<usize> {
    vec![(order as i8 + 1) as usize]
}

fn flag(flag: bool) -> Vec<usize> {
    vec![flag.into()]
}

cases! {
    count(5): |v, s| vec![v.into_par_iter().filter(|_| { s.step(); true }).count()]; |n| vec![n];
    reduce(5): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { s.step(); a.extend(b); a };
        ids(v.into_par_iter().map(|t| vec![t]).reduce(|| { s.step(); vec![] }, both))
    }; |n| (0..n).collect();
    reduce_with(5): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { s.step(); a.extend(b); a };
        ids(v.into_par_iter().map(|t| vec![t]).reduce_with(both).unwrap_or_default())
    }; |n| (0..n).collect();
    try_reduce(5): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { s.step(); a.extend(b); Some(a) };
        ids(v.into_par_iter().map(|t| Some(vec![t])).try_reduce(Vec::new, both).unwrap())
    }; |n| (0..n).collect();
    try_reduce_fails(5): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { a.extend(b); Ok(a) };
        list(stepped(v, s).map(|t| unless_2(t).map(|t| vec![t])).try_reduce(Vec::new, both))
    }; |n| if n > 2 { vec![102] } else { (0..n).collect() };
    try_reduce_with(5): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { s.step(); a.extend(b); Some(a) };
        ids(v.into_par_iter().map(|t| Some(vec![t])).try_reduce_with(both).flatten().unwrap_or_default())
    }; |n| (0..n).collect();
    try_reduce_with_fails(5): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { a.extend(b); Ok(a) };
        list(stepped(v, s).map(|t| unless_2(t).map(|t| vec![t])).try_reduce_with(both).unwrap_or(Ok(vec![])))
    }; |n| if n > 2 { vec![102] } else { (0..n).collect() };
    sum(5): |v, s| vec![numbers(v, s).sum()]; |n| vec![(0..n).sum()];
    sum_unindexed(5): |v, s| vec![numbers(v, s).filter(|&i| i != 1).sum()]; |n| vec![(0..n).filter(|&i| i != 1).sum()];
    sum_of_options(5): |v, s| vec![numbers(v, s).map(|i| (i != 2).then_some(i)).sum::<Option<usize>>().unwrap_or(100)];
        |n| vec![if n > 2 { 100 } else { (0..n).sum() }];
    sum_of_results(5): |v, s| total(stepped(v, s).map(|t| if t.id() > 1 { Err(t) } else { Ok(t.id()) }).sum());
        |n| vec![if n > 2 { 102 } else { (0..n).sum() }];
    product(5): |v, s| vec![numbers(v, s).map(|i| i + 1).product()]; |n| vec![(1..=n).product()];
    product_of_options(5): |v, s| vec![numbers(v, s).map(|i| (i != 2).then_some(i + 1)).product::<Option<usize>>().unwrap_or(100)];
        |n| vec![if n > 2 { 100 } else { (1..=n).product() }];
    product_of_results(5): |v, s| total(stepped(v, s).map(|t| if t.id() > 1 { Err(t) } else { Ok(t.id() + 1) }).product());
        |n| vec![if n > 2 { 102 } else { (1..=n).product() }];
    max(5): |v, s| ids(stepped(v, s).max()); |n| (0..n).max().into_iter().collect();
    max_by(5): |v, s| ids(v.into_par_iter().max_by(|a, b| { s.step(); (a.id() % 3).cmp(&(b.id() % 3)) }));
        |n| (0..n).max_by_key(|i| i % 3).into_iter().collect();
    max_by_key(5): |v, s| ids(v.into_par_iter().max_by_key(|t| { s.step(); t.id() % 3 })); |n| (0..n).max_by_key(|i| i % 3).into_iter().collect();
    min(5): |v, s| ids(stepped(v, s).rev().min()); |n| (0..n).min().into_iter().collect();
    min_by(5): |v, s| ids(v.into_par_iter().min_by(|a, b| { s.step(); (a.id() % 3).cmp(&(b.id() % 3)) }));
        |n| (0..n).min_by_key(|i| i % 3).into_iter().collect();
    min_by_key(5): |v, s| ids(v.into_par_iter().min_by_key(|t| { s.step(); t.id() % 3 })); |n| (0..n).min_by_key(|i| i % 3).into_iter().collect();
    cmp(5): |v, s| order(stepped(v, s).cmp(s.tokens(4))); |n| order((0..n).cmp(0..4));
    partial_cmp(5): |v, s| order(stepped(v, s).rev().partial_cmp(s.tokens(4)).unwrap()); |n| order((0..n).rev().cmp(0..4));
    eq(5): |v, s| flag(stepped(v, s).eq(s.tokens(4))); |n| flag(n == 4);
    ne(5): |v, s| flag(stepped(v, s).ne(s.tokens(4))); |n| flag(n != 4);
    lt(5): |v, s| flag(stepped(v, s).lt(s.tokens(4))); |n| flag(n < 4);
    le(5): |v, s| flag(stepped(v, s).le(s.tokens(4))); |n| flag(n <= 4);
    gt(5): |v, s| flag(stepped(v, s).gt(s.tokens(4))); |n| flag(n > 4);
    ge(5): |v, s| flag(stepped(v, s).ge(s.tokens(4))); |n| flag(n >= 4);
}
