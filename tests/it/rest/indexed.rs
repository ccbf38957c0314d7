//! Adaptors that change the places of items: which items are computed and which are not. And the bounds of both parts of a chain.

use crate::support::{Place, message, oracle_few, small_ints};
use filch::iter::repeat;
use filch::prelude::*;
use std::collections::VecDeque;
use std::ops::Bound;
use std::sync::atomic::{AtomicU8, Ordering};

/// How often each of 100 items is made by `run`, which is given an iterator that makes them.
fn made(run: impl Fn(&(dyn Fn(usize) -> usize + Sync)) + Sync) -> Vec<u8> {
    let counts = [const { AtomicU8::new(0) }; 100];
    run(&|i: usize| {
        counts[i].fetch_add(1, Ordering::Relaxed);
        i
    });
    counts.into_iter().map(AtomicU8::into_inner).collect()
}

/// Once each, but for those from `n` on.
fn only(n: usize) -> Vec<u8> {
    (0..100).map(|i| u8::from(i < n)).collect()
}

#[test]
fn what_has_no_partner_is_never_made() {
    for place in Place::all() {
        place.run(|| {
            for n in [0, 1, 7, 99, 100, 200] {
                let pairs = |make: &(dyn Fn(usize) -> usize + Sync)| {
                    assert_eq!(
                        (0..100).into_par_iter().map(make).zip(0..n).count(),
                        n.min(100)
                    );
                };
                assert_eq!(made(pairs), only(n));
                let pairs = |make: &(dyn Fn(usize) -> usize + Sync)| {
                    let v = (0..100).into_par_iter().map(make);
                    let last = (0..n).into_par_iter().zip(v).rev().find_any(|_| false);
                    assert_eq!(last, None);
                };
                assert_eq!(made(pairs), only(n));
            }
        });
    }
}

#[test]
fn take_makes_no_more_and_skip_makes_all() {
    for place in Place::all() {
        place.run(|| {
            for n in [0, 1, 7, 99, 100, 200] {
                let taken = |make: &(dyn Fn(usize) -> usize + Sync)| {
                    let all: Vec<_> = (0..100).into_par_iter().map(make).take(n).collect();
                    assert!(all.into_iter().eq(0..n.min(100)));
                };
                assert_eq!(made(taken), only(n));
                let skipped = |make: &(dyn Fn(usize) -> usize + Sync)| {
                    let all: Vec<_> = (0..100).into_par_iter().map(make).skip(n).collect();
                    assert!(all.into_iter().eq(n..100));
                };
                assert_eq!(made(skipped), only(100));
            }
        });
    }
}

/// The items of each fold over a chain of `a` and `b`, as positions in the chain.
fn folds(
    a: impl IndexedParallelIterator<Item = usize>,
    b: impl IndexedParallelIterator<Item = usize>,
) -> Vec<Vec<usize>> {
    let fold = |mut part: Vec<usize>, i| {
        part.push(i);
        part
    };
    a.chain(b).rev().rev().fold(Vec::new, fold).collect()
}

#[test]
fn a_chain_keeps_the_bounds_of_its_parts() {
    let check = |folds: &[Vec<usize>]| assert!(folds.concat().into_iter().eq(0..3000));
    for place in Place::all() {
        place.run(|| {
            for seam in [10, 500, 801, 1000, 1490, 1600, 2201, 2500] {
                let a = || (0..seam).into_par_iter();
                let b = || (seam..3000).into_par_iter();
                let all = folds(a().with_max_len(10), b());
                check(&all);
                for part in all {
                    assert!(part.iter().filter(|i| **i < seam).count() <= 10);
                }
                let all = folds(a(), b().with_max_len(7));
                check(&all);
                for part in all {
                    assert!(part.iter().filter(|i| **i >= seam).count() <= 7);
                }
                let all = folds(a().with_min_len(400).with_max_len(1), b().with_max_len(5));
                check(&all);
                for part in all.iter().filter(|part| part.iter().any(|i| *i < seam)) {
                    assert!(part.len() >= seam.min(400), "{} of {seam}", part.len());
                }
                let all = folds(a().with_max_len(5), b().with_min_len(400).with_max_len(1));
                check(&all);
                for part in all.iter().filter(|part| part.iter().any(|i| *i >= seam)) {
                    assert!(part.len() >= (3000 - seam).min(400));
                }
            }
        });
    }
}

/// Chains of what knows its length and what does not.
#[test]
fn chains_of_all_kinds() {
    oracle_few(
        (small_ints(), small_ints()),
        |(v, w)| {
            let (v, w) = (|| v.par_iter().copied(), || w.par_iter().copied());
            let odd = |x: &i32| x % 2 != 0;
            let text = |x: i32| x.to_string();
            (
                v().filter(odd).chain(w()).chain(v()).collect::<Vec<_>>(),
                v().chain(w().filter(odd))
                    .map(text)
                    .reduce(String::new, |a, b| a + &b),
                v().filter(odd)
                    .chain(w().filter(odd))
                    .find_first(|x| x % 7 == 0),
                v().filter(odd)
                    .chain(w().filter(odd))
                    .find_last(|x| x % 7 == 0),
                w().flat_map(|x| one_item(x).chain(v().take(3)))
                    .collect::<Vec<_>>(),
                v().by_uniform_blocks(9)
                    .chain(w().by_exponential_blocks())
                    .collect::<Vec<_>>(),
            )
        },
        |(v, w)| {
            let (v, w) = (|| v.iter().copied(), || w.iter().copied());
            let odd = |x: &i32| x % 2 != 0;
            (
                v().filter(odd).chain(w()).chain(v()).collect(),
                v().chain(w().filter(odd)).map(|x| x.to_string()).collect(),
                v().filter(odd).chain(w().filter(odd)).find(|x| x % 7 == 0),
                v().filter(odd).chain(w().filter(odd)).rfind(|x| x % 7 == 0),
                w().flat_map(|x| std::iter::once(x).chain(v().take(3)))
                    .collect(),
                v().chain(w()).collect(),
            )
        },
    );
}

fn one_item(x: i32) -> impl ParallelIterator<Item = i32> {
    [x].into_par_iter()
}

#[test]
fn both_parts_of_a_chain_may_run_at_once() {
    use crate::support::Meeting;
    use filch::iter::once;
    let one = || once(()).filter(|()| true);
    // Of its own, lest another test's job keeps the second thread.
    let pool = filch::ThreadPoolBuilder::new().num_threads(2).build();
    pool.unwrap().install(|| {
        let meeting = Meeting::of(2);
        once(()).chain(once(())).for_each(|()| meeting.attend());
        let meeting = Meeting::of(2);
        one().chain(one()).for_each(|()| meeting.attend());
    });
}

#[test]
fn twelve_at_once() {
    for place in Place::all() {
        let mut v: [Vec<u16>; 3] = std::array::from_fn(|i| (0..2000 + i as u16).collect());
        place.run(|| {
            let [a, b, c] = &mut v;
            let r = 0..2000u16;
            let t = (
                a,
                b,
                c,
                &[1u16; 2000],
                r.clone(),
                r.clone(),
                r.clone(),
                r.clone(),
                r.clone(),
                r.clone(),
                r.clone(),
                r,
            );
            t.into_par_iter()
                .for_each(|(a, b, c, d, e, f, g, h, i, j, k, l)| {
                    assert!([*a, *b, *c, e, f, g, h, i, j, k].iter().all(|x| *x == l));
                    (*a, *b, *c) = (l + d, l + 2, l + 3);
                });
        });
        for (i, v) in v.iter().enumerate() {
            assert!(
                v[..2000]
                    .iter()
                    .copied()
                    .eq((0..2000).map(|x| x + i as u16 + 1))
            );
            assert!(v[2000..].iter().copied().eq(2000..2000 + i as u16));
        }
        let mut one = ([5, 6],);
        one.par_iter_mut().for_each(|(x,)| *x += 1);
        assert_eq!(one.par_iter().map(|(x,)| *x).collect::<Vec<_>>(), [6, 7]);
    }
}

#[test]
fn arguments_and_lengths_that_make_no_sense() {
    let v = || (0..10usize).into_par_iter();
    assert!(message(|| v().chunks(0)).contains("chunk_size must not be zero"));
    assert!(
        message(|| v().fold_chunks(0, || 0, |a, b| a + b)).contains("chunk_size must not be zero")
    );
    assert!(
        message(|| v().fold_chunks_with(0, 0, |a, b| a + b))
            .contains("chunk_size must not be zero")
    );
    assert!(message(|| v().by_uniform_blocks(0)).contains("block_size must not be zero"));
    assert!(message(|| v().step_by(0)).contains("step must not be zero"));
    assert!(message(|| v().zip_eq(0..11)).contains("iterators must have the same length"));
    let long = || (0..usize::MAX).into_par_iter();
    assert!(message(|| long().chain(v()).len()).contains("overflow"));
    assert!(message(|| long().interleave(v()).len()).contains("overflow"));
    assert!(message(|| long().intersperse(0).len()).contains("overflow"));
    assert_eq!(long().interleave_shortest(v()).len(), 21);
    assert_eq!(v().interleave_shortest(long()).len(), 20);
    assert_eq!(repeat(1).zip(v()).len(), 10);
}

#[test]
fn sizes_and_ranges_of_slices_that_make_no_sense() {
    let v = &mut [1, 2, 3];
    let zero = "chunk_size must not be zero";
    assert!(message(|| v.par_chunks(0)).contains(zero));
    assert!(message(|| v.par_chunks_exact(0)).contains(zero));
    assert!(message(|| v.par_rchunks(0)).contains(zero));
    assert!(message(|| v.par_rchunks_exact(0)).contains(zero));
    assert!(message(|| v.par_chunks_mut(0)).contains(zero));
    assert!(message(|| v.par_chunks_exact_mut(0)).contains(zero));
    assert!(message(|| v.par_rchunks_mut(0)).contains(zero));
    assert!(message(|| v.par_rchunks_exact_mut(0)).contains(zero));

    macro_rules! drains {
        ($make:expr) => {{
            let says = |(first, last), text: &str| {
                let said = message(|| drop($make.par_drain((first, last))));
                assert!(said.contains(text), "{said}: {text}");
            };
            let too_far = "range start Included(4) should be <= length 3";
            says((Bound::Included(4), Bound::Unbounded), too_far);
            let too_far = "range start Excluded(3) should be <= length 3";
            says((Bound::Excluded(3), Bound::Unbounded), too_far);
            let too_far = "range end Included(3) should be <= length 3";
            says((Bound::Unbounded, Bound::Included(3)), too_far);
            let too_far = "range end Excluded(4) should be <= length 3";
            says((Bound::Included(1), Bound::Excluded(4)), too_far);
            let backward = "range start Included(2) should be <= range end Excluded(1)";
            says((Bound::Included(2), Bound::Excluded(1)), backward);
        }};
    }
    drains!(vec![1, 2, 3]);
    drains!(VecDeque::from([1, 2, 3]));
    drains!("abc".to_string());
    let within = message(|| drop("äb".to_string().par_drain(1..)));
    assert!(within.contains("byte index 1 is not a char boundary"));
}
