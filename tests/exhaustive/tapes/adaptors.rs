//! Adaptors that treat items one by one, drop some, or make more of them.

use super::{cases, ids, numbers, pass, stepped, unless_2};
use crate::support::Token;
use filch::prelude::*;

/// Numbers that rise, and none of them is 2.
fn rise_without_2(tokens: Vec<Token>) -> Vec<usize> {
    let ids = ids(tokens);
    assert!(
        ids.is_sorted_by(|a, b| a < b) && !ids.contains(&2),
        "{ids:?}"
    );
    vec![]
}

/// How many there are; their numbers rise.
fn some(tokens: Vec<Token>) -> Vec<usize> {
    let ids = ids(tokens);
    assert!(ids.is_sorted_by(|a, b| a < b), "{ids:?}");
    vec![ids.len()]
}

cases! {
    map(5): |v, s| ids(v.into_par_iter().map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    filter(5): |v, s| ids(v.into_par_iter().filter(|t| { s.step(); t.id() != 1 }).collect::<Vec<_>>()); |n| (0..n).filter(|&i| i != 1).collect();
    filter_map(5): |v, s| ids(v.into_par_iter().filter_map(|t| { s.step(); (t.id() != 1).then_some(t) }).collect::<Vec<_>>());
        |n| (0..n).filter(|&i| i != 1).collect();
    cloned(5): |v, s| ids(v.par_iter().inspect(|_| _ = s.step()).cloned().collect::<Vec<_>>()); |n| (0..n).collect();
    cloned_with_a_step(5): |v, s| {
        let states: Vec<_> = v.into_iter().map(|t| s.state().keep(t)).collect();
        ids(states.par_iter().cloned().collect::<Vec<_>>().into_iter().flat_map(|state| state.seen()))
    }; |n| (0..n).collect();
    copied(5): |v, s| {
        let numbers: Vec<usize> = ids(v);
        numbers.par_iter().inspect(|_| _ = s.step()).copied().collect()
    }; |n| (0..n).collect();
    inspect(5): |v, s| ids(v.into_par_iter().inspect(|_| _ = s.step()).collect::<Vec<_>>()); |n| (0..n).collect();
    update(5): |v, s| ids(v.into_par_iter().update(|t| { s.step(); *t = t.clone() }).collect::<Vec<_>>()); |n| (0..n).collect();
    flat_map(4): |v, s| v.into_par_iter().flat_map(|t| (0..t.id()).into_par_iter().map(move |i| { s.step(); t.id() * 10 + i })).collect();
        |n| (0..n).flat_map(|t| (0..t).map(move |i| t * 10 + i)).collect();
    flat_map_few(5): |v, s| ids(stepped(v, s).flat_map(|t| (t.id() % 2 == 1).then_some(t)).collect::<Vec<_>>());
        |n| (0..n).filter(|i| i % 2 == 1).collect();
    flat_map_iter(5): |v, s| ids(v.into_par_iter().flat_map_iter(|t| { s.step(); [t] }).collect::<Vec<_>>()); |n| (0..n).collect();
    flat_map_iter_many(5): |v, s| {
        ids(v.into_par_iter().flat_map_iter(|t| { s.step(); (0..t.id()).map(move |_| { s.step(); t.clone() }) }).collect::<Vec<_>>())
    }; |n| (0..n).flat_map(|i| std::iter::repeat_n(i, i)).collect();
    flatten(5): |v, s| ids(v.into_par_iter().map(|t| Some(pass(s, t))).flatten().collect::<Vec<_>>()); |n| (0..n).collect();
    flatten_vecs(3): |v, s| ids(stepped(v, s).map(|t| vec![t.clone(), t]).flatten().collect::<Vec<_>>()); |n| (0..n).flat_map(|i| [i, i]).collect();
    flatten_iter(5): |v, s| ids(stepped(v, s).map(|t| vec![t.clone(), t]).flatten_iter().collect::<Vec<_>>()); |n| (0..n).flat_map(|i| [i, i]).collect();
    while_some(5): |v, s| ids(stepped(v, s).map(Some).while_some().collect::<Vec<_>>()); |n| (0..n).collect();
    while_some_ends(5): |v, s| rise_without_2(stepped(v, s).map(|t| unless_2(t).ok()).while_some().collect()); |_n| vec![];
    panic_fuse(5): |v, s| ids(stepped(v, s).panic_fuse().collect::<Vec<_>>()); |n| (0..n).collect();
    panic_fuse_first(5): |v, s| ids(v.into_par_iter().panic_fuse().map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    intersperse(5): |v, s| numbers(v, s).filter(|&i| i != 1).intersperse(9).collect();
        |n| (0..n).filter(|&i| i != 1).flat_map(|i| [9, i]).skip(1).collect();
    intersperse_tokens(5): |v, s| {
        let element = s.tokens(1).remove(0);
        ids(stepped(v, s).intersperse(element).collect::<Vec<_>>())
    }; |n| (0..n).flat_map(|i| [0, i]).skip(1).collect();
    intersperse_states(5): |v, s| {
        let states = v.into_par_iter().map(|t| s.state().keep(t)).intersperse(s.state());
        ids(states.collect::<Vec<_>>().into_iter().flat_map(|state| state.seen()))
    }; |n| (0..n).collect();
    intersperse_placed(5): |v, s| numbers(v, s).intersperse(9).chain([7usize, 8]).collect();
        |n| (0..n).flat_map(|i| [9, i]).skip(1).chain([7, 8]).collect();
    intersperse_second(5): |v, s| [7usize].into_par_iter().chain(numbers(v, s).intersperse(9)).collect();
        |n| std::iter::once(7).chain((0..n).flat_map(|i| [9, i]).skip(1)).collect();
    take_any(5): |v, s| some(stepped(v, s).take_any(2).collect()); |n| vec![n.min(2)];
    take_any_filtered(5): |v, s| some(stepped(v, s).filter(|t| t.id() != 1).take_any(2).collect()); |n| vec![[0, 1, 1, 2, 2, 2][n]];
    skip_any(5): |v, s| some(stepped(v, s).skip_any(2).collect()); |n| vec![n.saturating_sub(2)];
    take_any_while(5): |v, s| rise_without_2(v.into_par_iter().take_any_while(|t| { s.step(); t.id() != 2 }).collect()); |_n| vec![];
    skip_any_while(5): |v, s| {
        let kept = ids(v.into_par_iter().skip_any_while(|t| { s.step(); t.id() < 2 }).collect::<Vec<_>>());
        assert!(kept.is_sorted_by(|a, b| a < b));
        kept.into_iter().filter(|&i| i >= 2).collect()
    }; |n| (2..n.max(2)).collect();
    chain(5): |v, s| {
        let more = (10..12usize).into_par_iter().map(|i| { s.step(); i });
        numbers(v, s).filter(|_| true).chain(more).collect()
    }; |n| (0..n).chain(10..12).collect();
    chain_indexed(5): |v, s| numbers(v, s).chain(10..12usize).collect(); |n| (0..n).chain(10..12).collect();
    chain_tokens(5): |v, s| ids(stepped(v, s).chain(s.tokens(2)).collect::<Vec<_>>()); |n| (0..n).chain(0..2).collect();
    chain_of_unindexed(5): |v, s| ids(stepped(v, s).filter(|_| true).chain(s.tokens(2).into_par_iter().filter(|t| t.id() == 1)).collect::<Vec<_>>());
        |n| (0..n).chain([1]).collect();
    chain_find_first(5): |v, s| {
        let more = [7usize, 8].into_par_iter().filter(|_| { s.step(); true });
        let all = v.into_par_iter().map(|t| t.id()).flat_map(|i| [i]).chain(more);
        all.find_first(|&i| i == 1 || i > 6).into_iter().collect()
    }; |n| vec![if n > 1 { 1 } else { 7 }];
}
