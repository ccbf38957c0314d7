//! Parallel calls inside the closures of parallel calls.

use crate::support::{Place, same_everywhere, within};
use filch::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn loops_over_a_triangle() {
    same_everywhere(
        || {
            let rows = (0..100u64).into_par_iter();
            rows.map(|i| (0..i).into_par_iter().map(|j| i * j).sum::<u64>())
                .collect::<Vec<_>>()
        },
        || (0..100).map(|i| (0..i).map(|j| i * j).sum()).collect(),
    );
}

#[test]
fn three_levels() {
    same_everywhere(
        || {
            let sum =
                |i: usize, j: usize| (0..20).into_par_iter().map(|k| i ^ j ^ k).sum::<usize>();
            let row = |i: usize| (0..20).into_par_iter().map(move |j| sum(i, j)).max();
            (0..20).into_par_iter().map(row).collect::<Vec<_>>()
        },
        || {
            let sum = |i: usize, j: usize| (0..20).map(|k| i ^ j ^ k).sum::<usize>();
            (0..20).map(|i| (0..20).map(|j| sum(i, j)).max()).collect()
        },
    );
}

#[test]
fn everything_inside_a_closure() {
    same_everywhere(
        || {
            (0..50u64)
                .into_par_iter()
                .map(|i| {
                    let count = AtomicUsize::new(0);
                    let (a, b) = filch::join(
                        || (0..i).into_par_iter().filter(|x| x % 2 == 0).count(),
                        || {
                            let mut v: Vec<u64> = (0..i).rev().collect();
                            v.par_sort();
                            v.first().copied()
                        },
                    );
                    filch::scope(|s| {
                        for _ in 0..i {
                            s.spawn(|_| {
                                count.fetch_add(1, Relaxed);
                            });
                        }
                    });
                    (a, b, count.into_inner())
                })
                .collect::<Vec<_>>()
        },
        || {
            let each = |i: u64| (i.div_ceil(2) as usize, (i > 0).then_some(0), i as usize);
            (0..50).map(each).collect()
        },
    );
}

/// A comparison and a reduction that call the pool.
#[test]
fn operators_that_call_the_pool() {
    same_everywhere(
        || {
            let mut v: Vec<u32> = (0..300).map(|x| x * 7919 % 300).collect();
            v.par_sort_by(|a, b| filch::join(|| a, || b).0.cmp(b));
            let sum = (0..300u32).into_par_iter().reduce(
                || 0,
                |a, b| {
                    let (a, b) = filch::join(|| a, || b);
                    a + b
                },
            );
            (v, sum)
        },
        || ((0..300).collect(), 299 * 150),
    );
}

/// A lock taken inside closures that do not call the pool while they hold it.
#[test]
fn locks_inside_closures() {
    for place in Place::all() {
        let sum = within(60, move || {
            let sum = Mutex::new(0usize);
            place.run(|| {
                (0..200usize).into_par_iter().for_each(|i| {
                    let part = (0..i).into_par_iter().sum::<usize>();
                    *sum.lock().unwrap() += part;
                });
            });
            sum.into_inner().unwrap()
        });
        assert_eq!(
            sum,
            (0..200)
                .map(|i: usize| i * i.saturating_sub(1) / 2)
                .sum::<usize>()
        );
    }
}
