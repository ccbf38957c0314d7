//! Small sources, and sources made of functions.

use crate::support::{Place, ints, oracle, same_everywhere};
use filch::iter::{empty, once, repeat, repeat_n, split};
use filch::prelude::*;

#[test]
fn empty_and_once() {
    same_everywhere(|| empty::<u8>().collect::<Vec<_>>(), Vec::new);
    same_everywhere(|| once("x").collect::<Vec<_>>(), || vec!["x"]);
    same_everywhere(
        || {
            empty()
                .chain(once(1))
                .chain(empty())
                .chain(once(2))
                .rev()
                .collect::<Vec<_>>()
        },
        || vec![2, 1],
    );
}

#[test]
fn repeats() {
    same_everywhere(
        || {
            let some: Vec<String> = repeat_n("x".to_owned(), 100).collect();
            let taken: Vec<u8> = repeat(7).take(100).collect();
            let zipped: Vec<(u8, usize)> = repeat(7).zip(0..100usize).collect();
            let none: Vec<u8> = repeat_n(7, 0).collect();
            (some, taken, zipped, none, repeat(1).any(|x| x == 1))
        },
        || {
            let zipped = (0..100).map(|i| (7, i)).collect();
            (
                vec!["x".to_owned(); 100],
                vec![7; 100],
                zipped,
                vec![],
                true,
            )
        },
    );
}

#[test]
fn options_and_results() {
    same_everywhere(
        || {
            let mut some = Some(3);
            some.par_iter_mut().for_each(|x| *x += 1);
            let none: Option<i32> = None;
            let mut ok: Result<i32, ()> = Ok(5);
            ok.par_iter_mut().for_each(|x| *x += 1);
            let err: Result<i32, i32> = Err(1);
            let all = some.par_iter().chain(&none).chain(&ok).chain(&err).copied();
            let all: Vec<i32> = all.chain(some).chain(none).chain(ok).chain(err).collect();
            all
        },
        || vec![4, 6, 4, 6],
    );
}

/// A range of our own, cut by a function.
#[test]
fn splits_of_the_callers() {
    oracle(
        ints(),
        |v| {
            let halves = |s: &[i32]| match s.len() {
                0 | 1 => None,
                n => Some(n / 2),
            };
            let pieces = split(&v[..], |s| match halves(s) {
                None => (s, None),
                Some(at) => (&s[..at], Some(&s[at..])),
            });
            pieces.flat_map(|s| s.to_vec()).collect::<Vec<_>>()
        },
        |v| v.clone(),
    );
}

/// Sources that borrow from a place on the stack, or own one.
#[test]
fn boxed_and_nested_sources() {
    for place in Place::all() {
        place.run(|| {
            let boxed: Box<[u32]> = (0..1000).collect();
            assert_eq!(boxed.par_iter().sum::<u32>(), 499_500);
            let nested = vec![vec![1; 10]; 10];
            assert_eq!(
                nested
                    .par_iter()
                    .map(|v| v.par_iter().sum::<u32>())
                    .sum::<u32>(),
                100
            );
            assert_eq!(nested.into_par_iter().flatten().count(), 100);
        });
    }
}
