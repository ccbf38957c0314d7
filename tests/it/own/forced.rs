//! Any sequence of cuts gives the same answer: never, always, or by the toss of a coin. In a process of its own, because all of
//! its pools are told how to cut; see `support::alone`.

use crate::support::{alone, caught, force_everywhere, planted, pool};
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use std::collections::{BTreeMap, HashMap};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

fn same_under(cuts: Cuts) {
    force_everywhere(cuts);
    let n = 700usize;
    let all: Vec<usize> = (0..n).collect();
    for _ in 0..5 {
        assert_eq!(
            all.par_iter().map(|i| i * 2).collect::<Vec<_>>(),
            all.iter().map(|i| i * 2).collect::<Vec<_>>()
        );
        assert_eq!(
            all.par_iter()
                .copied()
                .filter(|i| i % 3 == 0)
                .collect::<Vec<_>>(),
            (0..n).step_by(3).collect::<Vec<_>>()
        );
        let text = |i: &usize| i.to_string();
        let joined = all.par_iter().map(text).reduce(String::new, |a, b| a + &b);
        assert_eq!(joined, all.iter().map(text).collect::<String>());
        assert_eq!(all.par_iter().map(text).collect::<String>(), joined);
        let folded: Vec<usize> = all
            .par_iter()
            .fold(Vec::new, |mut v, &i| {
                v.push(i);
                v
            })
            .flatten()
            .collect();
        assert_eq!(folded, all);
        for target in [0, 1, n / 2, n - 1, n] {
            let fits = |&&i: &&usize| i >= target;
            assert_eq!(all.par_iter().find_first(fits), all.iter().find(fits));
            assert_eq!(
                all.par_iter().position_first(|&i| i >= target),
                all.iter().position(|&i| i >= target)
            );
            let below = |&&i: &&usize| i < target;
            assert_eq!(all.par_iter().find_last(below), all.iter().rfind(below));
            assert_eq!(
                all.par_iter().position_last(|&i| i < target),
                all.iter().rposition(|&i| i < target)
            );
            assert_eq!(
                all.par_iter().find_any(|&&i| i == target).copied(),
                (target < n).then_some(target)
            );
        }
        let nested: Vec<usize> = (0..40usize)
            .into_par_iter()
            .flat_map(|i| (0..i).into_par_iter().filter(|j| j % 2 == 0))
            .collect();
        assert_eq!(
            nested,
            (0..40)
                .flat_map(|i| (0..i).filter(|j| j % 2 == 0))
                .collect::<Vec<usize>>()
        );
        let first = (0..40usize)
            .into_par_iter()
            .flat_map(|i| (0..i).into_par_iter())
            .find_first(|&j| j == 7);
        assert_eq!(first, Some(7));
        let zipped: Vec<(usize, char)> = (0..5usize)
            .into_par_iter()
            .chain(9..30)
            .zip("abcdefghijklmnopqrstuvwxyz".par_chars().collect::<Vec<_>>())
            .collect();
        assert_eq!(
            zipped,
            (0..5).chain(9..30).zip('a'..='z').collect::<Vec<_>>()
        );
        let map: HashMap<usize, usize> = all.par_iter().map(|&i| (i % 50, i)).collect();
        assert_eq!(map, all.iter().map(|&i| (i % 50, i)).collect());
        let tree: BTreeMap<usize, usize> = map.par_iter().map(|(&k, &v)| (k, v)).collect();
        assert_eq!(
            tree.par_iter().map(|(&k, _)| k).collect::<Vec<_>>(),
            (0..50).collect::<Vec<_>>()
        );
        let (even, odd): (Vec<usize>, Vec<usize>) = all.par_iter().partition(|&&i| i % 2 == 0);
        assert_eq!((even.len(), odd.len()), (n / 2, n / 2));
        let bounded: Vec<usize> = (0..n)
            .into_par_iter()
            .with_max_len(7)
            .fold(|| 0, |count, _| count + 1)
            .collect();
        assert!(bounded.iter().all(|&count| count <= 7));
        assert_eq!(bounded.iter().sum::<usize>(), n);
    }
}

#[test]
fn never() {
    alone(4, 60, || same_under(Cuts::Never));
}

#[test]
fn always() {
    alone(4, 60, || same_under(Cuts::Always));
}

#[test]
fn by_the_toss_of_a_coin() {
    alone(4, 60, || same_under(Cuts::Random(1)));
}

/// Counts how often it is cloned, and panics at the third time.
struct State(AtomicUsize);

impl Clone for State {
    fn clone(&self) -> Self {
        if self.0.fetch_add(1, Relaxed) == 2 {
            planted(1);
        }
        State(AtomicUsize::new(3))
    }
}

/// The first cuts are fine, so the right half is on offer when the next one panics.
#[test]
fn panic_fuse_notices_a_cut_that_panics() {
    alone(2, 60, || {
        force_everywhere(Cuts::Always);
        let (looks, state) = (AtomicUsize::new(0), State(AtomicUsize::new(0)));
        let outcome = pool(2).install(|| {
            let n = (0..64).into_par_iter().panic_fuse();
            caught(|| {
                n.map_with(state, |_, x| x).for_each(|_| {
                    looks.fetch_add(1, Relaxed);
                    thread::sleep(Duration::from_millis(20));
                });
            })
        });
        assert_eq!(outcome, Err(1));
        assert!(looks.into_inner() < 16, "the right half has 32");
    });
}
