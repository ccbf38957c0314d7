//! What rayon lacks: adaptors and ends of `filch::ext`.

use super::{cases, ids, numbers, pass, stepped};
use crate::support::Token;
use filch::ext::*;
use filch::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The least and the greatest.
fn pair(found: MinMax<Token>) -> Vec<usize> {
    found
        .into_pair()
        .map_or(vec![], |(min, max)| vec![min.id(), max.id()])
}

/// Groups by whether the number is odd, one after the other.
fn groups(groups: impl IntoIterator<Item = (bool, Vec<Token>)>) -> Vec<usize> {
    let sorted: BTreeMap<bool, Vec<Token>> = groups.into_iter().collect();
    sorted.into_values().flat_map(ids).collect()
}

/// Even numbers below `n`, and then the odd ones.
fn even_odd(n: usize) -> Vec<usize> {
    (0..n).step_by(2).chain((1..n.max(1)).step_by(2)).collect()
}

/// Lists that were put together.
fn concat(a: &[Token], b: &[Token]) -> Vec<Token> {
    [a, b].concat()
}

cases! {
    take_while(5): |v, s| ids(v.into_par_iter().take_while(|t| { s.step(); t.id() < 2 }).collect::<Vec<_>>()); |n| (0..n.min(2)).collect();
    skip_while(5): |v, s| ids(v.into_par_iter().skip_while(|t| { s.step(); t.id() < 2 }).collect::<Vec<_>>()); |n| (2..n.max(2)).collect();
    map_while(5): |v, s| ids(v.into_par_iter().map_while(|t| { s.step(); (t.id() < 2).then_some(t) }).collect::<Vec<_>>()); |n| (0..n.min(2)).collect();
    min_max(5): |v, s| pair(stepped(v, s).min_max()); |n| (0..n).take(1).chain((0..n).last()).collect();
    min_max_by(5): |v, s| pair(v.into_par_iter().min_max_by(|a, b| { s.step(); a.id().cmp(&b.id()) })); |n| (0..n).take(1).chain((0..n).last()).collect();
    min_max_by_key(5): |v, s| pair(v.into_par_iter().min_max_by_key(|t| { s.step(); t.id() % 2 }));
        |n| (0..n).take(1).chain((0..n).max_by_key(|i| i % 2)).collect();
    is_sorted(5): |v, s| vec![stepped(v, s).is_sorted().into()]; |_n| vec![1];
    is_sorted_by(5): |v, s| vec![v.into_par_iter().is_sorted_by(|a, b| { s.step(); a.id() < b.id() && b.id() != 3 }).into()]; |n| vec![(n <= 3).into()];
    is_sorted_by_key(5): |v, s| vec![v.into_par_iter().is_sorted_by_key(|t| { s.step(); t.id() / 4 }).into()]; |_n| vec![1];
    last(5): |v, s| ids(stepped(v, s).last()); |n| (0..n).last().into_iter().collect();
    sum_compensated(5): |v, s| vec![numbers(v, s).map(|i| i as f64).sum_compensated() as usize]; |n| vec![(0..n).sum()];
    array_chunks(5): |v, s| stepped(v, s).array_chunks::<2>().map(|[a, b]| a.id() + b.id()).collect(); |n| (0..n / 2).map(|i| 4 * i + 1).collect();
    reproducible(5): |v, s| ids(v.into_par_iter().with_max_len(2).reproducible().map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    cancellable(5): |v, s| { let token = CancelToken::new(); ids(stepped(v, s).cancellable(&token).collect::<Vec<_>>()) }; |n| (0..n).collect();
    cancellable_stops(5): |v, s| {
        let token = CancelToken::new();
        let items = stepped(v, s).inspect(|t| if t.id() == 2 { token.cancel() });
        let seen = ids(items.cancellable(&token).collect::<Vec<_>>());
        assert!(seen.is_sorted_by(|a, b| a < b));
        vec![]
    }; |_n| vec![];
    with_cancel(5): |v, s| { let token = CancelToken::new(); ids(v.into_par_iter().with_cancel(&token, |all| all.map(|t| pass(s, t)).collect::<Vec<_>>()).unwrap()) };
        |n| (0..n).collect();
    progress(5): |v, s| { let done = AtomicUsize::new(0); stepped(v, s).progress(|more| { s.step(); done.fetch_add(more, Relaxed); }).for_each(drop); vec![done.into_inner()] };
        |n| vec![n];
    scan_inclusive(4): |v, s| v.into_par_iter().map(|t| vec![t]).scan_inclusive(|a, b| { s.step(); concat(a, b) }).flat_map_iter(ids).collect();
        |n| (0..n).flat_map(|i| 0..=i).collect();
    scan_exclusive(4): |v, s| v.into_par_iter().map(|t| vec![t]).scan_exclusive(vec![], |a, b| { s.step(); concat(a, b) }).flat_map_iter(ids).collect();
        |n| (0..n).flat_map(|i| 0..i).collect();
    top_k(5): |v, s| ids(stepped(v, s).top_k(2)); |n| (0..n).rev().take(2).collect();
    top_k_by(5): |v, s| ids(v.into_par_iter().top_k_by(2, |a, b| { s.step(); a.cmp(b) })); |n| (0..n).rev().take(2).collect();
    top_k_by_key(5): |v, s| ids(v.into_par_iter().top_k_by_key(2, |t| { s.step(); t.id() })); |n| (0..n).rev().take(2).collect();
    bottom_k(5): |v, s| ids(stepped(v, s).bottom_k(2)); |n| (0..n).take(2).collect();
    bottom_k_by(5): |v, s| ids(v.into_par_iter().bottom_k_by(2, |a, b| { s.step(); a.cmp(b) })); |n| (0..n).take(2).collect();
    bottom_k_by_key(5): |v, s| ids(v.into_par_iter().bottom_k_by_key(2, |t| { s.step(); t.id() })); |n| (0..n).take(2).collect();
    by_key(5): |v, s| groups(v.into_par_iter().by_key(|t| { s.step(); t.id() % 2 == 1 }).group().into_map()); |n| even_odd(n);
    by_key_aggregate(5): |v, s| {
        let keyed = v.into_par_iter().by_key(|t| { s.step(); t.id() % 2 == 1 });
        groups(keyed.aggregate(Vec::new, |all, t| { s.step(); all.push(t) }, |all, more| { s.step(); all.extend(more) }).into_vec())
    }; |n| even_odd(n);
    by_key_first_seen(5): |v, s| ids(v.into_par_iter().by_key(|t| { s.step(); t.id() % 3 }).first_seen().reduce(|_, _| ()).into_iter().map(|(_, t)| t));
        |n| (0..n.min(3)).collect();
    count_by_key(5): |v, s| BTreeMap::from_iter(stepped(v, s).count_by_key(|t| t.id() % 2)).into_values().collect();
        |n| [n.div_ceil(2), n / 2].into_iter().filter(|&count| count > 0).collect();
    reduce_by_key(5): |v, s| groups(v.into_par_iter().map(|t| (t.id() % 2 == 1, vec![t])).reduce_by_key(|all, more| { s.step(); all.extend(more) }));
        |n| even_odd(n);
    aggregate_by_key(5): |v, s| {
        let keyed = stepped(v, s).map(|t| (t.id() % 2 == 1, t));
        groups(keyed.aggregate_by_key(Vec::new, |all, t| { s.step(); all.push(t) }, |all, more| { s.step(); all.extend(more) }))
    }; |n| even_odd(n);
    aggregate_by_key_states(5): |v, s| {
        let keyed = v.into_par_iter().map(|t| (t.id() % 2 == 1, t));
        let states = keyed.aggregate_by_key(|| s.state(), |state, t| drop(state.see(t)), |all, more| more.seen().into_iter().for_each(|t| drop(all.see(t))));
        groups(states.into_iter().map(|(odd, state)| (odd, state.seen())))
    }; |n| even_odd(n);
    group_by_key(5): |v, s| groups(stepped(v, s).map(|t| (t.id() % 2 == 1, t)).group_by_key().into_map()); |n| even_odd(n);
    histogram(5): |v, s| v.into_par_iter().histogram(3, |t| { s.step(); t.id() % 3 }); |n| (0..3).map(|rest| (0..n).filter(|i| i % 3 == rest).count()).collect();
    top_k_by_count(5): |v, s| v.into_par_iter().top_k_by_count(1, |t| { s.step(); t.id() / 2 }).into_iter().map(|(key, _)| key).collect();
        |n| (0..n.min(1)).collect();
}
