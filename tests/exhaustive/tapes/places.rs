//! Adaptors of iterators that know their length.

use super::{cases, ids, numbers, stepped};
use filch::prelude::*;

cases! {
    zip(5): |v, s| v.into_par_iter().zip(0..4usize).map(|(t, i)| { s.step(); assert_eq!(t.id(), i); i }).collect(); |n| (0..n.min(4)).collect();
    zip_tokens(5): |v, s| stepped(v, s).zip(s.tokens(4)).map(|(a, b)| { s.step(); assert_eq!(a, b); a.id() }).collect(); |n| (0..n.min(4)).collect();
    zip_eq(5): |v, s| { let more = s.tokens(v.len()); stepped(v, s).zip_eq(more).map(|(a, b)| { assert_eq!(a, b); a.id() }).collect() };
        |n| (0..n).collect();
    multi_zip(5): |v, s| { let more = s.tokens(5); (stepped(v, s), more, 0..4usize).into_par_iter().map(|(a, b, i)| { assert_eq!(a, b); i }).collect() };
        |n| (0..n.min(4)).collect();
    interleave(5): |v, s| ids(stepped(v, s).interleave(s.tokens(2)).collect::<Vec<_>>()); |n| {
        let (mut a, mut b, mut all) = (0..n, 0..2, vec![]);
        loop {
            let (x, y) = (a.next(), b.next());
            all.extend(x);
            all.extend(y);
            if x.is_none() && y.is_none() { break all }
        }
    };
    interleave_shortest(5): |v, s| ids(stepped(v, s).interleave_shortest(s.tokens(2)).collect::<Vec<_>>());
        |n| [0, 0, 1, 1, 2][..if n < 3 { 2 * n } else { 5 }].to_vec();
    rev(5): |v, s| ids(stepped(v, s).rev().collect::<Vec<_>>()); |n| (0..n).rev().collect();
    skip(5): |v, s| ids(stepped(v, s).skip(2).collect::<Vec<_>>()); |n| (0..n).skip(2).collect();
    take(5): |v, s| ids(stepped(v, s).take(3).collect::<Vec<_>>()); |n| (0..n).take(3).collect();
    rev_skip_take(5): |v, s| ids(stepped(v, s).rev().skip(1).take(3).collect::<Vec<_>>()); |n| (0..n).rev().skip(1).take(3).collect();
    step_by(5): |v, s| ids(stepped(v, s).step_by(2).collect::<Vec<_>>()); |n| (0..n).step_by(2).collect();
    enumerate(5): |v, s| stepped(v, s).enumerate().map(|(i, t)| { assert_eq!(t.id(), i); i }).collect(); |n| (0..n).collect();
    enumerate_rev(5): |v, s| stepped(v, s).enumerate().rev().map(|(i, t)| { assert_eq!(t.id(), i); i }).collect(); |n| (0..n).rev().collect();
    positions(5): |v, s| v.into_par_iter().positions(|t| { s.step(); t.id() % 2 == 1 }).collect(); |n| (1..n.max(1)).step_by(2).collect();
    chunks(5): |v, s| stepped(v, s).chunks(2).map(|c| { s.step(); ids(c).len() }).collect();
        |n| (0..n).collect::<Vec<_>>().chunks(2).map(|c| c.len()).collect();
    fold_chunks(5): |v, s| {
        let folds = v.into_par_iter().fold_chunks(2, || s.state(), |state, t| state.keep(t));
        folds.map(|state| ids(state.seen()).iter().sum()).collect()
    }; |n| (0..n).collect::<Vec<_>>().chunks(2).map(|c| c.iter().sum()).collect();
    fold_chunks_with(5): |v, s| {
        let folds = v.into_par_iter().fold_chunks_with(2, s.state(), |state, t| state.keep(t));
        folds.map(|state| ids(state.seen()).iter().sum()).collect()
    }; |n| (0..n).collect::<Vec<_>>().chunks(2).map(|c| c.iter().sum()).collect();
    with_min_len(5): |v, s| ids(stepped(v, s).with_min_len(2).collect::<Vec<_>>()); |n| (0..n).collect();
    with_max_len(5): |v, s| ids(stepped(v, s).with_max_len(2).collect::<Vec<_>>()); |n| (0..n).collect();
    by_uniform_blocks(5): |v, s| ids(stepped(v, s).by_uniform_blocks(2).collect::<Vec<_>>()); |n| (0..n).collect();
    by_exponential_blocks(5): |v, s| ids(stepped(v, s).by_exponential_blocks().collect::<Vec<_>>()); |n| (0..n).collect();
    blocks_find_first(5): |v, s| ids(v.into_par_iter().by_uniform_blocks(2).find_first(|t| { s.step(); t.id() == 2 })); |n| (2..n.clamp(2, 3)).collect();
    numbers_zip_rev(5): |v, s| { let len = v.len(); numbers(v, s).zip((0..len).into_par_iter().rev()).map(|(a, b)| a + b).collect() };
        |n| vec![n.saturating_sub(1); n];
}
