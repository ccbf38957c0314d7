//! Closures with a state, whose tokens are those of a ledger of its own.

use super::steps::State;
use super::{cases, ids, sorted_ids, stepped, unless_2};
use crate::support::Token;
use filch::ext::*;
use filch::prelude::*;

/// The items that some states saw, in the order of the states.
fn seen(states: Vec<State<'_>>) -> Vec<usize> {
    ids(states.into_iter().flat_map(|state| state.seen()))
}

/// A step, and a failure if it is token 2.
fn check(state: &mut State<'_>, token: Token) -> Result<(), Token> {
    unless_2(state.see(token)).map(drop)
}

cases! {
    map_with(5): |v, s| ids(v.into_par_iter().map_with(s.state(), |state, t| state.see(t)).collect::<Vec<_>>()); |n| (0..n).collect();
    map_with_unindexed(5): |v, s| ids(v.into_par_iter().filter(|t| t.id() != 1).map_with(s.state(), |state, t| state.see(t)).collect::<Vec<_>>());
        |n| (0..n).filter(|&i| i != 1).collect();
    map_with_placed(5): |v, s| ids(v.into_par_iter().map_with(s.state(), |state, t| state.see(t)).rev().skip(1).collect::<Vec<_>>());
        |n| (0..n).rev().skip(1).collect();
    map_init(5): |v, s| ids(v.into_par_iter().map_init(|| s.state(), |state, t| state.see(t)).collect::<Vec<_>>()); |n| (0..n).collect();
    map_init_unindexed(5): |v, s| ids(v.into_par_iter().filter(|t| t.id() != 1).map_init(|| s.state(), |state, t| state.see(t)).collect::<Vec<_>>());
        |n| (0..n).filter(|&i| i != 1).collect();
    map_init_placed(5): |v, s| ids(v.into_par_iter().map_init(|| s.state(), |state, t| state.see(t)).rev().skip(1).collect::<Vec<_>>());
        |n| (0..n).rev().skip(1).collect();
    map_init_find_first(5): |v, s| ids(v.into_par_iter().map_init(|| s.state(), |state, t| state.see(t)).find_first(|t| t.id() > 0));
        |n| (1..n.clamp(1, 2)).collect();
    for_each_with(5): |v, s| { v.into_par_iter().for_each_with(s.state(), |state, t| drop(state.see(t))); vec![] }; |_n| vec![];
    for_each_init(5): |v, s| { v.into_par_iter().for_each_init(|| s.state(), |state, t| drop(state.see(t))); vec![] }; |_n| vec![];
    try_for_each_with(5): |v, s| ids(v.into_par_iter().try_for_each_with(s.state(), check).err()); |n| (2..n.clamp(2, 3)).collect();
    try_for_each_init(5): |v, s| ids(v.into_par_iter().try_for_each_init(|| s.state(), check).err()); |n| (2..n.clamp(2, 3)).collect();
    fold(5): |v, s| seen(v.into_par_iter().fold(|| s.state(), State::keep).collect()); |n| (0..n).collect();
    fold_unindexed(5): |v, s| seen(v.into_par_iter().filter(|t| t.id() != 1).fold(|| s.state(), State::keep).collect());
        |n| (0..n).filter(|&i| i != 1).collect();
    fold_with(5): |v, s| seen(v.into_par_iter().fold_with(s.state(), State::keep).collect()); |n| (0..n).collect();
    fold_reduce(5): |v, s| {
        let both = |a, b: State<'_>| b.seen().into_iter().fold(a, State::keep);
        ids(v.into_par_iter().fold(|| s.state(), |state, t| state.keep(t)).reduce(|| s.state(), both).seen())
    }; |n| (0..n).collect();
    try_fold(5): |v, s| {
        let folds = v.into_par_iter().try_fold(|| s.state(), |state, t| Some(state.keep(t)));
        seen(folds.collect::<Option<Vec<_>>>().unwrap())
    }; |n| (0..n).collect();
    try_fold_fails(5): |v, s| {
        let folds = v.into_par_iter().try_fold(|| s.state(), |state, t| unless_2(t).map(|t| state.keep(t)));
        folds.collect::<Result<Vec<_>, _>>().map_or_else(|t| vec![100 + t.id()], seen)
    }; |n| if n > 2 { vec![102] } else { (0..n).collect() };
    try_fold_with(5): |v, s| {
        let folds = v.into_par_iter().try_fold_with(s.state(), |state, t| Some(state.keep(t)));
        seen(folds.collect::<Option<Vec<_>>>().unwrap())
    }; |n| (0..n).collect();
    try_fold_with_fails(5): |v, s| {
        let folds = v.into_par_iter().try_fold_with(s.state(), |state, t| unless_2(t).map(|t| state.keep(t)));
        folds.collect::<Result<Vec<_>, _>>().map_or_else(|t| vec![100 + t.id()], seen)
    }; |n| if n > 2 { vec![102] } else { (0..n).collect() };
    using(5): |v, s| ids(v.into_par_iter().using(|| s.state()).map(|state, t| state.see(t)).collect::<Vec<_>>()); |n| (0..n).collect();
    using_unindexed(5): |v, s| {
        let some = v.into_par_iter().filter(|t| t.id() != 1).using(|| s.state()).filter_map(|state, t| Some(state.see(t)));
        ids(some.collect::<Vec<_>>())
    }; |n| (0..n).filter(|&i| i != 1).collect();
    using_for_each(5): |v, s| { v.into_par_iter().using(|| s.state()).for_each(|state, t| drop(state.see(t))); vec![] }; |_n| vec![];
    using_into_states(5): |v, s| {
        let states = v.into_par_iter().using(|| s.state()).into_states(|state, t| drop(state.see(t)));
        sorted_ids(states.into_iter().flat_map(|state| state.seen()))
    }; |n| (0..n).collect();
    using_states(5): |v, s| {
        let states = States::new(|| s.state());
        assert_eq!(stepped(v, s).using_states(&states).map(|state, t| state.see(t)).filter(|t| t.id() > 9).count(), 0);
        sorted_ids(states.into_vec().into_iter().flat_map(|state| state.seen()))
    }; |n| (0..n).collect();
}
