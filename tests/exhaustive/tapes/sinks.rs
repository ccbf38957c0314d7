//! Ends that keep the items, or hand them to a closure.

use super::{cases, ids, numbers, pass, sorted_ids, stepped, unless_2};
use crate::support::Token;
use filch::iter::Either;
use filch::prelude::*;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::sync::Mutex;

/// Two vectors that were filled before.
fn used(steps: &super::Steps) -> (Vec<Token>, Vec<Token>) {
    (steps.tokens(2), steps.tokens(8))
}

fn even(token: Token) -> Either<Token, Token> {
    if token.id().is_multiple_of(2) {
        Either::Left(token)
    } else {
        Either::Right(token)
    }
}

cases! {
    collect(5): |v, s| ids(stepped(v, s).collect::<Vec<_>>()); |n| (0..n).collect();
    collect_unindexed(5): |v, s| ids(stepped(v, s).filter(|t| t.id() != 1).collect::<Vec<_>>()); |n| (0..n).filter(|&i| i != 1).collect();
    collect_boxed(5): |v, s| ids(stepped(v, s).collect::<Box<[_]>>()); |n| (0..n).collect();
    collect_deque(5): |v, s| ids(stepped(v, s).collect::<VecDeque<_>>()); |n| (0..n).collect();
    collect_list(5): |v, s| ids(stepped(v, s).collect::<LinkedList<_>>()); |n| (0..n).collect();
    collect_heap(5): |v, s| ids(stepped(v, s).collect::<BinaryHeap<_>>().into_sorted_vec()); |n| (0..n).collect();
    collect_map(5): |v, s| v.into_par_iter().map(|t| (t.id(), pass(s, t))).collect::<BTreeMap<_, _>>().into_keys().collect(); |n| (0..n).collect();
    collect_set(5): |v, s| ids(stepped(v, s).collect::<BTreeSet<_>>()); |n| (0..n).collect();
    collect_hash_map(5): |v, s| sorted_ids(v.into_par_iter().map(|t| (t.id(), pass(s, t))).collect::<HashMap<_, _>>().into_values());
        |n| (0..n).collect();
    collect_hash_set(5): |v, s| sorted_ids(stepped(v, s).collect::<HashSet<_>>()); |n| (0..n).collect();
    collect_text(5): |v, s| numbers(v, s).map(|i| (b'0' + i as u8) as char).collect::<String>().bytes().map(|c| (c - b'0').into()).collect();
        |n| (0..n).collect();
    collect_unit(5): |v, s| { stepped(v, s).map(drop).collect::<()>(); vec![] }; |_n| vec![];
    collect_option(5): |v, s| stepped(v, s).map(Some).collect::<Option<Vec<_>>>().map(ids).unwrap(); |n| (0..n).collect();
    collect_option_none(5): |v, s| stepped(v, s).map(|t| unless_2(t).ok()).collect::<Option<Vec<_>>>().map_or(vec![100], ids);
        |n| if n > 2 { vec![100] } else { (0..n).collect() };
    collect_result(5): |v, s| stepped(v, s).map(unless_2).collect::<Result<Vec<_>, _>>().map_or_else(|t| vec![100 + t.id()], ids);
        |n| if n > 2 { vec![102] } else { (0..n).collect() };
    collect_result_map(5): |v, s| {
        let map = stepped(v, s).map(|t| unless_2(t).map(|t| (t.id(), t))).collect::<Result<BTreeMap<_, _>, _>>();
        map.map_or_else(|t| vec![100 + t.id()], |map| ids(map.into_values()))
    }; |n| if n > 2 { vec![102] } else { (0..n).collect() };
    collect_vec_list(5): |v, s| ids(stepped(v, s).collect_vec_list().into_iter().flatten()); |n| (0..n).collect();
    collect_into_vec(5): |v, s| { let mut target = s.tokens(3); stepped(v, s).collect_into_vec(&mut target); ids(target) }; |n| (0..n).collect();
    collect_into_vec_roomy(5): |v, s| { let mut target = s.tokens(8); stepped(v, s).collect_into_vec(&mut target); ids(target) }; |n| (0..n).collect();
    par_extend(5): |v, s| { let mut target = s.tokens(2); target.par_extend(stepped(v, s)); ids(target) }; |n| (0..2).chain(0..n).collect();
    par_extend_unindexed(5): |v, s| { let mut target = s.tokens(2); target.par_extend(stepped(v, s).filter(|_| true)); ids(target) };
        |n| (0..2).chain(0..n).collect();
    par_extend_list(5): |v, s| { let mut target = LinkedList::from_iter(s.tokens(2)); target.par_extend(stepped(v, s)); ids(target) };
        |n| (0..2).chain(0..n).collect();
    par_extend_map(5): |v, s| {
        let mut target: BTreeMap<usize, Token> = s.tokens(2).into_iter().enumerate().collect();
        target.par_extend(stepped(v, s).map(|t| (t.id(), t)));
        ids(target.into_values())
    }; |n| (0..n.max(2)).collect();
    unzip(5): |v, s| {
        let (a, b): (Vec<usize>, Vec<Token>) = v.into_par_iter().map(|t| (t.id(), pass(s, t))).unzip();
        assert_eq!(a, ids(b));
        a
    }; |n| (0..n).collect();
    unzip_unindexed(5): |v, s| {
        let (a, b): (Vec<usize>, Vec<Token>) = v.into_par_iter().filter(|_| true).map(|t| (t.id(), pass(s, t))).unzip();
        assert_eq!(a, ids(b));
        a
    }; |n| (0..n).collect();
    unzip_mixed(5): |v, s| {
        let (a, b): (Vec<Token>, BTreeSet<Token>) = stepped(v, s).map(|t| (t.clone(), t)).unzip();
        let a = ids(a);
        assert_eq!(a, ids(b));
        a
    }; |n| (0..n).collect();
    unzip_into_vecs(5): |v, s| {
        let (mut a, mut b) = used(s);
        stepped(v, s).map(|t| (t.clone(), t)).unzip_into_vecs(&mut a, &mut b);
        let a = ids(a);
        assert_eq!(a, ids(b));
        a
    }; |n| (0..n).collect();
    partition(5): |v, s| {
        let (a, b): (Vec<Token>, Vec<Token>) = v.into_par_iter().partition(|t| { s.step(); t.id() % 2 == 0 });
        [ids(a), ids(b)].concat()
    }; |n| (0..n).step_by(2).chain((1..n.max(1)).step_by(2)).collect();
    partition_map(5): |v, s| {
        let (a, b): (Vec<Token>, LinkedList<Token>) = v.into_par_iter().partition_map(|t| even(pass(s, t)));
        [ids(a), ids(b)].concat()
    }; |n| (0..n).step_by(2).chain((1..n.max(1)).step_by(2)).collect();
    for_each(5): |v, s| {
        let seen = Mutex::new(vec![]);
        stepped(v, s).for_each(|t| seen.lock().unwrap().push(t));
        sorted_ids(seen.into_inner().unwrap())
    }; |n| (0..n).collect();
    try_for_each(5): |v, s| {
        let seen = Mutex::new(vec![]);
        stepped(v, s).try_for_each(|t| { seen.lock().unwrap().push(t); Some(()) }).unwrap();
        sorted_ids(seen.into_inner().unwrap())
    }; |n| (0..n).collect();
    try_for_each_fails(5): |v, s| ids(stepped(v, s).try_for_each(|t| unless_2(t).map(drop)).err()); |n| (2..n.clamp(2, 3)).collect();
}
