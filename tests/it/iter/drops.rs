//! Every value dropped exactly once when nothing panics, however little of it was asked for.

use crate::support::{Ledger, Place, Token, same_everywhere};
use filch::prelude::*;

const N: usize = 500;

#[track_caller]
fn everywhere(test: impl Fn(Ledger, Vec<Token>) + Sync) {
    for place in Place::all() {
        let ledger = Ledger::new(N);
        place.run(|| test(ledger, ledger.tokens()));
        ledger.assert_all_gone();
    }
}

#[test]
fn by_value() {
    everywhere(|_, v| {
        assert_eq!(
            v.into_par_iter().map(|t| t.id()).sum::<usize>(),
            N * (N - 1) / 2
        )
    });
    everywhere(|_, v| v.into_par_iter().for_each(drop));
    everywhere(|ledger, v| {
        let v: Vec<Token> = v.into_par_iter().rev().collect();
        ledger.assert_each_live(1);
        assert!(v.iter().map(Token::id).eq((0..N).rev()));
    });
}

#[test]
fn never_started() {
    everywhere(|_, v| drop(v.into_par_iter()));
    everywhere(|_, v| drop(v.into_par_iter().map(|t| t).filter(|_| true)));
    everywhere(|_, mut v| drop(v.par_drain(..)));
}

#[test]
fn partly_wanted() {
    everywhere(|_, v| assert_eq!(v.into_par_iter().skip(100).count(), N - 100));
    everywhere(|_, v| assert_eq!(v.into_par_iter().take(100).count(), 100));
    everywhere(|_, v| assert_eq!(v.into_par_iter().zip(0..50).count(), 50));
    everywhere(|_, v| assert_eq!(v.into_par_iter().filter(|t| t.id() % 3 == 0).count(), 167));
    everywhere(|_, v| assert!(v.into_par_iter().any(|t| t.id() == 250)));
    everywhere(|_, v| {
        let found = v.into_par_iter().find_first(|t| t.id() >= 250);
        assert_eq!(found.map(|t| t.id()), Some(250));
    });
    everywhere(|_, v| {
        let found = v.into_par_iter().find_last(|t| t.id() <= 250);
        assert_eq!(found.map(|t| t.id()), Some(250));
    });
    everywhere(|_, v| assert_eq!(v.into_par_iter().max().map(|t| t.id()), Some(N - 1)));
}

#[test]
fn regrouped() {
    everywhere(|ledger, v| {
        let chunks: Vec<Vec<Token>> = v.into_par_iter().chunks(7).collect();
        ledger.assert_each_live(1);
        let tokens: Vec<Token> = chunks.into_par_iter().flatten().collect();
        ledger.assert_each_live(1);
        let (a, b): (Vec<Token>, Vec<Token>) = tokens.into_par_iter().partition(|t| t.id() < 99);
        ledger.assert_each_live(1);
        assert_eq!((a.len(), b.len()), (99, N - 99));
        let all: Vec<Token> = a.into_par_iter().chain(b).collect();
        ledger.assert_each_live(1);
        let (ids, tokens): (Vec<usize>, Vec<Token>) =
            all.into_par_iter().map(|t| (t.id(), t)).unzip();
        ledger.assert_each_live(1);
        assert!(ids.into_iter().eq(tokens.into_iter().map(|t| t.id())));
    });
}

#[test]
fn cloned_and_shared() {
    everywhere(|ledger, v| {
        let copies: Vec<Token> = v.par_iter().cloned().collect();
        ledger.assert_each_live(2);
        drop(v);
        assert_eq!(
            copies,
            copies.par_iter().map(Token::clone).collect::<Vec<_>>()
        );
        ledger.assert_each_live(1);
    });
}

#[test]
fn stopped_by_an_error() {
    everywhere(|ledger, v| {
        let check = |t: Token| if t.id() == 321 { Err(t) } else { Ok(t) };
        let result: Result<Vec<Token>, Token> = v.into_par_iter().map(check).collect();
        assert_eq!(result.map_err(|t| t.id()).err(), Some(321));
        ledger.assert_each_live(0);
    });
    everywhere(|_, v| {
        let result: Option<Vec<Token>> = v
            .into_par_iter()
            .map(|t| (t.id() != 5).then_some(t))
            .collect();
        assert_eq!(result, None);
    });
    everywhere(|_, v| {
        let result = v
            .into_par_iter()
            .try_for_each(|t| if t.id() == 9 { Err(t) } else { Ok(()) });
        assert_eq!(result.map_err(|t| t.id()), Err(9));
    });
}

#[test]
fn replaced_in_used_room() {
    everywhere(|ledger, mut v| {
        let more = Ledger::new(30);
        (0..30)
            .into_par_iter()
            .map(|id| more.token(id))
            .collect_into_vec(&mut v);
        ledger.assert_each_live(0);
        more.assert_each_live(1);
        drop(v);
        more.assert_all_gone();
    });
}

/// Captures are dropped with the iterator, once.
#[test]
fn closures() {
    everywhere(|ledger, v| {
        drop(v);
        let token = ledger.token(3);
        let sum = (0..N)
            .into_par_iter()
            .map(move |x| x + token.id())
            .sum::<usize>();
        assert_eq!(sum, N * (N - 1) / 2 + 3 * N);
    });
}

/// Not all that is dropped is small.
#[test]
fn big_and_aligned() {
    #[repr(align(128))]
    #[derive(Clone, Debug, PartialEq)]
    struct Aligned(u8);

    #[derive(Clone, Debug, PartialEq)]
    struct Big([u64; 700]);

    same_everywhere(
        || {
            let aligned: Vec<Aligned> = (0..250u8).into_par_iter().map(Aligned).collect();
            assert!(
                aligned
                    .iter()
                    .all(|a| (&raw const *a).addr().is_multiple_of(128))
            );
            let mut big: Vec<Big> = (0..50u64).into_par_iter().map(|x| Big([x; 700])).collect();
            let some: Vec<Big> = big.par_drain(10..20).rev().collect();
            let kept: Vec<Big> = big.into_par_iter().filter(|b| b.0[699] % 2 == 0).collect();
            let mut aligned: Vec<Aligned> = aligned.into_par_iter().rev().collect();
            aligned.par_sort_by_key(|a| a.0 % 16);
            (aligned, some, kept)
        },
        || {
            let mut aligned: Vec<Aligned> = (0..250).rev().map(Aligned).collect();
            aligned.sort_by_key(|a| a.0 % 16);
            let some = (10..20).rev().map(|x| Big([x; 700])).collect();
            let kept = (0..50).filter(|x| !(10..20).contains(x) && x % 2 == 0);
            (aligned, some, kept.map(|x| Big([x; 700])).collect())
        },
    );
}

/// What has no size still has a number.
#[test]
fn sizeless() {
    same_everywhere(
        || {
            let units = vec![(); 100_000];
            let counted = units.par_iter().map(|()| 1).sum::<usize>();
            let mut collected: Vec<()> = units.into_par_iter().collect();
            collected.par_sort();
            collected.par_extend((0..10).into_par_iter().map(|_| ()));
            let drained = collected.par_drain(5..1005).count();
            let many = vec![(); usize::MAX];
            let found = many.into_par_iter().position_first(|()| true);
            let long = vec![(); usize::MAX].par_iter().any(|()| true);
            (counted, collected.len(), drained, found, long)
        },
        || (100_000, 99_010, 1000, Some(0), true),
    );
}
