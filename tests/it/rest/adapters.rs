//! Adaptors and ends.

use crate::support::{
    Place, caught, costly, cuts, ints, oracle, planted, same_everywhere, small_ints,
};
use filch::iter::Either;
use filch::prelude::*;
use std::collections::LinkedList;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn update() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| costly(x))
                .update(|x| *x *= 2)
                .rev()
                .collect::<Vec<_>>()
        },
        |v| v.iter().map(|x| x * 2).rev().collect(),
    );
}

#[test]
fn flatten_iter() {
    oracle(
        ints(),
        |v| {
            v.par_chunks(5)
                .map(|c| c.iter().rev())
                .flatten_iter()
                .copied()
                .collect::<Vec<_>>()
        },
        |v| v.chunks(5).flat_map(|c| c.iter().rev()).copied().collect(),
    );
}

#[test]
fn interleave() {
    oracle(
        (ints(), ints()),
        |(a, b)| {
            let a = || a.par_iter().copied();
            let all: Vec<i32> = a().interleave(b.clone()).collect();
            (
                all,
                a().interleave_shortest(b.clone()).rev().collect::<Vec<_>>(),
            )
        },
        |(a, b)| {
            let (mut all, mut short) = (Vec::new(), Vec::new());
            for i in 0..a.len().max(b.len()) {
                all.extend(a.get(i).into_iter().chain(b.get(i)));
            }
            // Until one is asked in vain.
            for i in 0.. {
                let Some(x) = a.get(i) else { break };
                short.push(*x);
                let Some(y) = b.get(i) else { break };
                short.push(*y);
            }
            short.reverse();
            (all, short)
        },
    );
}

#[test]
fn intersperse() {
    oracle(
        ints(),
        |v| v.par_iter().copied().intersperse(-1).collect::<Vec<_>>(),
        |v| between(v.iter().copied()),
    );
    oracle(
        ints(),
        |v| {
            let some = v.par_iter().copied().filter(|x| x % 3 == 0);
            let mut all: Vec<i32> = some.intersperse(-1).collect();
            // rayon puts one before the first item where nothing was left of the first piece.
            if all.first() == Some(&-1) {
                all.remove(0);
            }
            all
        },
        |v| between(v.iter().copied().filter(|x| x % 3 == 0)),
    );
}

/// Into what only one thread can fill, from an iterator that does not know its length.
#[test]
fn intersperse_into_one() {
    let text: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
    let (commas, semicolons) = (text.join(","), text.join(";"));
    same_everywhere(
        || {
            let words = || commas.par_split(',').intersperse(";");
            let list: LinkedList<&str> = words().filter(|word| *word != ";").collect();
            let twice: String = words().intersperse("").collect();
            (words().collect::<String>(), list.len(), twice)
        },
        || (semicolons.clone(), 1000, semicolons.clone()),
    );
}

#[test]
fn intersperse_in_pieces() {
    // Through a producer: its pieces may end with a separator.
    same_everywhere(
        || {
            let all = (0..1000).into_par_iter().intersperse(-1).with_max_len(10);
            all.fold(Vec::new, |mut part, x| {
                part.push(x);
                part
            })
            .collect::<Vec<_>>()
            .concat()
        },
        || between(0..1000),
    );
}

/// The items with -1 between them.
fn between(v: impl Iterator<Item = i32>) -> Vec<i32> {
    v.flat_map(|x| [-1, x]).skip(1).collect()
}

#[test]
fn step_by() {
    oracle(
        (ints(), 1..50usize),
        |(v, n)| {
            let v = || v.par_iter().copied();
            let back: Vec<i32> = v().rev().step_by(*n).rev().collect();
            (v().step_by(*n).collect::<Vec<_>>(), back)
        },
        |(v, n)| {
            let v = || v.iter().copied();
            (
                v().step_by(*n).collect(),
                v().rev().step_by(*n).rev().collect(),
            )
        },
    );
}

#[test]
fn positions() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .positions(|x| costly(*x) % 5 == 0)
                .collect::<Vec<_>>()
        },
        |v| (0..v.len()).filter(|&i| v[i] % 5 == 0).collect(),
    );
}

#[test]
fn zip_eq() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .zip_eq(v)
                .map(|(a, b)| a + b)
                .collect::<Vec<_>>()
        },
        |v| v.iter().map(|x| x * 2).collect(),
    );
    let unequal = std::panic::catch_unwind(|| (0..5).into_par_iter().zip_eq(0..6).count());
    assert!(unequal.is_err());
}

#[test]
fn mapped_searches() {
    let good = |(i, x): (usize, &i32)| (costly(*x) % 50 == 7).then_some((i, -x));
    oracle(
        ints(),
        move |v| {
            let v = || v.par_iter().enumerate();
            let any = v().find_map_any(good).is_some();
            (any, v().find_map_first(good), v().find_map_last(good))
        },
        move |v| {
            let v = v.iter().enumerate();
            let first = v.clone().find_map(good);
            (first.is_some(), first, v.rev().find_map(good))
        },
    );
}

#[test]
fn partition_map() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .partition_map::<Vec<_>, Vec<_>, _, _, _>(|&x| match x % 2 {
                    0 => Either::Left(x),
                    _ => Either::Right(x.to_string()),
                })
        },
        |v| {
            let (even, odd): (Vec<i32>, Vec<i32>) = v.iter().partition(|x| **x % 2 == 0);
            (even, odd.iter().map(i32::to_string).collect())
        },
    );
}

/// One of two iterators, chosen at run time.
#[test]
fn either() {
    oracle(
        cuts(),
        |c| {
            let v = match c.at % 2 {
                0 => Either::Left(c.v.par_iter().rev()),
                _ => Either::Right(c.v.par_iter()),
            };
            v.copied().enumerate().collect::<Vec<_>>()
        },
        |c| match c.at % 2 {
            0 => c.v.iter().rev().copied().enumerate().collect(),
            _ => c.v.iter().copied().enumerate().collect(),
        },
    );
}

#[test]
fn state_for_each() {
    for place in Place::all() {
        let sum = AtomicUsize::new(0);
        let (all, some) = place.run(|| {
            let n = || (0..1000usize).into_par_iter();
            n().for_each_init(|| 1, |one, x| _ = sum.fetch_add(x + *one, Relaxed));
            let all = n().try_for_each_init(|| 2000, |limit, x| (x < *limit).then_some(()));
            let some = n().try_for_each_with(500, |limit, x| match x == *limit {
                true => Err(x),
                false => Ok(()),
            });
            (all, some)
        });
        assert_eq!(
            (sum.into_inner(), all, some),
            (500_500, Some(()), Err(500)),
            "{place:?}"
        );
    }
}

/// Tuples of iterators go in step, as far as the shortest.
#[test]
fn tuples() {
    oracle(
        (small_ints(), small_ints(), small_ints()),
        |(a, b, c)| {
            let three: Vec<(i32, i32, usize)> =
                (a.clone(), b.clone(), 0..c.len()).into_par_iter().collect();
            let both = (a.clone(), b.clone());
            let refs = both.par_iter().map(|(x, y)| x * y).sum::<i32>();
            let mut changed = (a.clone(), c.clone());
            changed.par_iter_mut().for_each(|(x, y)| *x += *y);
            (three, refs, changed.0)
        },
        |(a, b, c)| {
            let three = a
                .iter()
                .zip(b)
                .zip(0..c.len())
                .map(|((a, b), c)| (*a, *b, c));
            let mut changed = a.clone();
            changed.iter_mut().zip(c).for_each(|(x, y)| *x += *y);
            (
                three.collect(),
                a.iter().zip(b).map(|(x, y)| x * y).sum(),
                changed,
            )
        },
    );
}

#[test]
fn panics_in_the_rest_of_the_adaptors() {
    same_everywhere(
        || {
            let n = || (0..64usize).into_par_iter();
            let look = |at: usize| {
                move |x: &mut usize| {
                    if *x == at {
                        planted(at)
                    }
                }
            };
            (0..64)
                .map(|at| {
                    [
                        caught(|| n().update(look(at)).count()).err(),
                        caught(|| n().update(look(at)).interleave(n()).count()).err(),
                        caught(|| n().update(look(at)).intersperse(9).count()).err(),
                        caught(|| n().update(look(at)).zip_eq(n()).count()).err(),
                        caught(|| n().update(look(at)).map(Some).while_some().count()).err(),
                    ]
                })
                .collect::<Vec<_>>()
        },
        || (0..64).map(|at| [Some(at); 5]).collect(),
    );
}
