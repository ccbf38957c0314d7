//! Every decision of the driver: where it cuts, how much it folds before it looks again, and what becomes of what it offers. For a few items
//! there are so few sequences of decisions that all of them can be tried, each with a panic at each step, on every kind of consumer, reducer and
//! adaptor.

mod tape;

use crate::support::{Ledger, Token, within};
use filch::ext::*;
use filch::prelude::*;
use std::collections::{BTreeMap, HashMap, LinkedList};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tape::{Steps, every_tape};

/// Tries one chain, of `n` tokens, against the same chain on std. Says how many tapes there were.
fn try_all(
    n: usize,
    par: impl Fn(Vec<Token>, &Steps) -> Vec<usize> + Sync,
    want: Vec<usize>,
) -> usize {
    let ledger = Ledger::new(n);
    every_tape(
        &want,
        |steps| par(ledger.tokens(), steps),
        |_| ledger.assert_all_gone(),
    )
}

fn ids(tokens: impl IntoIterator<Item = Token>) -> Vec<usize> {
    tokens.into_iter().map(|token| token.id()).collect()
}

/// One case a line: a name, how many tokens there are at most, the chain, and what it gives for `n` tokens.
macro_rules! cases {
    ($($name:ident($most:literal): |$v:ident, $s:ident| $par:expr; |$n:ident| $want:expr;)*) => {$(
        #[test]
        fn $name() {
            within(120, || {
                let mut tapes = 0;
                for $n in 0..=$most {
                    tapes = try_all($n, |$v, $s| $par, $want);
                }
                assert!(tapes > 1, "the driver asked nothing");
            });
        }
    )*};
}

/// A step for each token that passes.
fn pass(steps: &Steps, token: Token) -> Token {
    steps.step();
    token
}

cases! {
    collect(5): |v, s| ids(v.into_par_iter().map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    collect_unindexed(5): |v, s| ids(v.into_par_iter().map(|t| pass(s, t)).filter(|t| t.id() != 1).collect::<Vec<_>>());
        |n| (0..n).filter(|&i| i != 1).collect();
    collect_list(5): |v, s| ids(v.into_par_iter().map(|t| pass(s, t)).collect::<LinkedList<_>>()); |n| (0..n).collect();
    collect_map(5): |v, s| v.into_par_iter().map(|t| (t.id(), pass(s, t))).collect::<BTreeMap<_, _>>().into_keys().collect();
        |n| (0..n).collect();
    collect_hash_map(5): |v, s| {
        let mut keys: Vec<usize> = v.into_par_iter().map(|t| (t.id(), pass(s, t))).collect::<HashMap<_, _>>().into_keys().collect();
        keys.sort();
        keys
    }; |n| (0..n).collect();
    collect_option(5): |v, s| v.into_par_iter().map(|t| Some(pass(s, t))).collect::<Option<Vec<_>>>().map(ids).unwrap();
        |n| (0..n).collect();
    unzip(5): |v, s| {
        let (a, b): (Vec<usize>, Vec<Token>) = v.into_par_iter().map(|t| (t.id(), pass(s, t))).unzip();
        assert_eq!(a, b.iter().map(Token::id).collect::<Vec<_>>());
        a
    }; |n| (0..n).collect();
    unzip_unindexed(4): |v, s| {
        let (a, b): (Vec<usize>, Vec<Token>) = v.into_par_iter().filter(|_| true).map(|t| (t.id(), pass(s, t))).unzip();
        assert_eq!(a, b.iter().map(Token::id).collect::<Vec<_>>());
        a
    }; |n| (0..n).collect();
    partition(5): |v, s| {
        let (a, b): (Vec<Token>, Vec<Token>) = v.into_par_iter().partition(|t| { s.step(); t.id() % 2 == 0 });
        [ids(a), ids(b)].concat()
    }; |n| (0..n).step_by(2).chain((1..n).step_by(2)).collect();
    reduce(5): |v, s| {
        let one = |t: Token| vec![t];
        let both = |mut a: Vec<Token>, b: Vec<Token>| { s.step(); a.extend(b); a };
        ids(v.into_par_iter().map(one).reduce(Vec::new, both))
    }; |n| (0..n).collect();
    reduce_with(5): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { s.step(); a.extend(b); a };
        ids(v.into_par_iter().map(|t| vec![t]).reduce_with(both).unwrap_or_default())
    }; |n| (0..n).collect();
    try_reduce(4): |v, s| {
        let both = |mut a: Vec<Token>, b: Vec<Token>| { s.step(); a.extend(b); Some(a) };
        ids(v.into_par_iter().map(|t| Some(vec![t])).try_reduce(Vec::new, both).unwrap())
    }; |n| (0..n).collect();
    fold(5): |v, s| {
        let folds = v.into_par_iter().fold(Vec::new, |mut v, t| { s.step(); v.push(t); v });
        ids(folds.collect::<Vec<_>>().into_iter().flatten())
    }; |n| (0..n).collect();
    try_fold(4): |v, s| {
        let folds = v.into_par_iter().try_fold(Vec::new, |mut v, t| { s.step(); v.push(t); Some(v) });
        ids(folds.collect::<Vec<_>>().into_iter().flatten().flatten())
    }; |n| (0..n).collect();
    sum(5): |v, s| vec![v.into_par_iter().map(|t| pass(s, t).id()).sum()]; |n| vec![(0..n).sum()];
    count(5): |v, s| vec![v.into_par_iter().filter(|_| { s.step(); true }).count()]; |n| vec![n];
    max_by_key(5): |v, s| ids(v.into_par_iter().max_by_key(|t| { s.step(); t.id() % 3 }));
        |n| (0..n).max_by_key(|i| i % 3).into_iter().collect();
    min_by_key(5): |v, s| ids(v.into_par_iter().min_by_key(|t| { s.step(); t.id() % 3 }));
        |n| (0..n).min_by_key(|i| i % 3).into_iter().collect();
    map_init(5): |v, s| ids(v.into_par_iter().map_init(|| s.step(), |_, t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    map_with(4): |v, s| ids(v.into_par_iter().map_with(0u8, |_, t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    flat_map(3): |v, s| v.into_par_iter().flat_map(|t| (0..t.id()).into_par_iter().map(move |i| { s.step(); t.id() * 10 + i })).collect();
        |n| (0..n).flat_map(|t| (0..t).map(move |i| t * 10 + i)).collect();
    flat_map_iter(5): |v, s| ids(v.into_par_iter().flat_map_iter(|t| { s.step(); [t] }).collect::<Vec<_>>()); |n| (0..n).collect();
    flatten(4): |v, s| ids(v.into_par_iter().map(|t| Some(pass(s, t))).flatten().collect::<Vec<_>>()); |n| (0..n).collect();
    chain(2): |v, s| {
        let more = (10..12usize).into_par_iter().map(|i| { s.step(); i });
        v.into_par_iter().map(|t| pass(s, t).id()).filter(|_| true).chain(more).collect()
    }; |n| (0..n).chain(10..12).collect();
    chain_indexed(3): |v, s| {
        let more = (10..12usize).into_par_iter();
        v.into_par_iter().map(|t| pass(s, t).id()).chain(more).collect()
    }; |n| (0..n).chain(10..12).collect();
    chain_find_first(2): |v, s| {
        let more = [7usize, 8].into_par_iter().filter(|_| { s.step(); true });
        let all = v.into_par_iter().map(|t| t.id()).flat_map(|i| [i]).chain(more);
        all.find_first(|&i| i == 1 || i > 6).into_iter().collect()
    }; |n| vec![if n > 1 { 1 } else { 7 }];
    interleave(4): |v, s| v.into_par_iter().map(|t| pass(s, t).id()).interleave([10usize, 11]).collect();
        |n| {
            let (mut a, mut b, mut all) = (0..n, 10..12, vec![]);
            loop {
                let (x, y) = (a.next(), b.next());
                all.extend(x);
                all.extend(y);
                if x.is_none() && y.is_none() { break all }
            }
        };
    zip(5): |v, s| v.into_par_iter().zip(0..4usize).map(|(t, i)| { s.step(); assert_eq!(t.id(), i); i }).collect();
        |n| (0..n.min(4)).collect();
    rev_skip_take(5): |v, s| ids(v.into_par_iter().map(|t| pass(s, t)).rev().skip(1).take(3).collect::<Vec<_>>());
        |n| (0..n).rev().skip(1).take(3).collect();
    chunks(5): |v, s| v.into_par_iter().map(|t| pass(s, t)).chunks(2).map(|c| ids(c).len()).collect();
        |n| (0..n).collect::<Vec<_>>().chunks(2).map(|c| c.len()).collect();
    with_max_len(5): |v, s| ids(v.into_par_iter().with_max_len(2).map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    blocks(4): |v, s| ids(v.into_par_iter().map(|t| pass(s, t)).by_uniform_blocks(2).collect::<Vec<_>>()); |n| (0..n).collect();
    intersperse(3): |v, s| v.into_par_iter().map(|t| pass(s, t).id()).filter(|&i| i != 1).intersperse(9).collect();
        |n| (0..n).filter(|&i| i != 1).flat_map(|i| [9, i]).skip(1).collect();
    intersperse_placed(3): |v, s| {
        let first = v.into_par_iter().map(|t| pass(s, t).id()).intersperse(9);
        first.chain([7usize, 8]).collect()
    }; |n| (0..n).flat_map(|i| [9, i]).skip(1).chain([7, 8]).collect();
    intersperse_second(3): |v, s| {
        let second = v.into_par_iter().map(|t| pass(s, t).id()).intersperse(9);
        [7usize].into_par_iter().chain(second).collect()
    }; |n| std::iter::once(7).chain((0..n).flat_map(|i| [9, i]).skip(1)).collect();
    panic_fuse(4): |v, _s| ids(v.into_par_iter().panic_fuse().collect::<Vec<_>>()); |n| (0..n).collect();
    reproducible(5): |v, s| ids(v.into_par_iter().with_max_len(2).reproducible().map(|t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
    find_first(5): |v, s| ids(v.into_par_iter().find_first(|t| { s.step(); t.id() > 0 }));
        |n| (0..n).find(|&i| i > 0).into_iter().collect();
    find_last(5): |v, s| ids(v.into_par_iter().find_last(|t| { s.step(); t.id() < 3 }));
        |n| (0..n).rfind(|&i| i < 3).into_iter().collect();
    find_any(5): |v, s| vec![v.into_par_iter().find_any(|t| { s.step(); t.id() > 0 }).is_some().into()]; |n| vec![(n > 1).into()];
    position_first(5): |v, s| v.into_par_iter().position_first(|t| { s.step(); t.id() > 1 }).into_iter().collect();
        |n| (0..n).position(|i| i > 1).into_iter().collect();
    take_while(4): |v, s| ids(v.into_par_iter().take_while(|t| { s.step(); t.id() < 2 }).collect::<Vec<_>>());
        |n| (0..n.min(2)).collect();
    skip_while(4): |v, s| ids(v.into_par_iter().skip_while(|t| { s.step(); t.id() < 2 }).collect::<Vec<_>>());
        |n| (2..n.max(2)).collect();
    map_while(4): |v, s| ids(v.into_par_iter().map_while(|t| { s.step(); (t.id() < 2).then_some(t) }).collect::<Vec<_>>());
        |n| (0..n.min(2)).collect();
    array_chunks(5): |v, s| v.into_par_iter().map(|t| pass(s, t)).array_chunks::<2>().map(|[a, b]| a.id() + b.id()).collect();
        |n| (0..n / 2).map(|i| 4 * i + 1).collect();
    using(4): |v, s| ids(v.into_par_iter().using(|| s.step()).map(|_, t| pass(s, t)).collect::<Vec<_>>()); |n| (0..n).collect();
}

/// A state for the first fold, one for each offer that was taken, and at most one for an offer that came back to a fold that was closed: a younger
/// offer of it was taken.
#[test]
fn as_many_states_as_folds() {
    within(120, || {
        let made = AtomicUsize::new(0);
        every_tape(
            &vec![0, 1, 2, 3, 4],
            |_| {
                made.store(0, Relaxed);
                let n = (0..5usize).into_par_iter();
                n.map_init(|| made.fetch_add(1, Relaxed), |_, i| i)
                    .collect()
            },
            |report| {
                if let Some(report) = report {
                    let made = made.load(Relaxed);
                    assert!((1 + report.taken..=1 + report.offers).contains(&made));
                }
            },
        );
    });
}
