//! Small sources, and sources made of functions.

use crate::support::{Place, ints, oracle, same_everywhere};
use filch::iter::{empty, once, repeat, repeat_n, split, walk_tree};
use filch::prelude::*;
use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

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

/// What is skipped is not cloned.
#[test]
fn repeats_in_steps() {
    struct Counted<'c>(&'c AtomicUsize);
    impl Clone for Counted<'_> {
        fn clone(&self) -> Self {
            self.0.fetch_add(1, Relaxed);
            Counted(self.0)
        }
    }
    for place in Place::all() {
        let clones = AtomicUsize::new(0);
        let steps = || {
            let all = repeat_n(Counted(&clones), 1_000_000);
            all.step_by(500_000).with_min_len(3)
        };
        assert_eq!(place.run(|| steps().count()), 2);
        assert_eq!(place.run(|| steps().rev().count()), 2);
        assert!(clones.into_inner() <= 4);
    }
}

/// A source that is not driven is no mistake: rayon has no `#[must_use]` on its sources, so that `v.par_drain(..);` empties a vector even
/// where warnings are errors.
#[test]
#[deny(unused_must_use)]
fn sources_may_be_left_undriven() {
    let mut v = vec![1, 2, 3];
    v.par_drain(1..);
    assert_eq!(v, [1]);
    let mut map = HashMap::from([(1, 2)]);
    map.par_drain();
    assert!(map.is_empty());
    let mut text = "split".to_owned();
    text.par_drain(..);
    assert!(text.is_empty());

    v.par_iter();
    v.par_iter_mut();
    v.par_chunks(1);
    v.par_chunks_exact_mut(1);
    v.par_rchunks(1);
    v.par_windows(1);
    v.par_split(|&x| x == 1);
    v.par_chunk_by(|a, b| a == b);
    v.into_par_iter();
    text.par_chars();
    text.par_lines();
    map.par_iter();
    VecDeque::from([1]).into_par_iter();
    (0..1).into_par_iter();
    Some(1).into_par_iter();
    [1].into_par_iter();
    [1].iter().par_bridge();
    empty::<u8>();
    once(1);
    repeat(1);
    split(1, |n| (n, None));
    walk_tree(1, |_| []);
}
