//! Folds in chunks and folds that may fail.

use crate::support::{Place, costly, ints, oracle};
use filch::ext::ParallelWhile;
use filch::prelude::*;

#[test]
fn fold_chunks() {
    oracle(
        (ints(), 1..100usize),
        |(v, n)| {
            let v = || v.par_iter().map(|&x| i64::from(costly(x)));
            let sums: Vec<i64> = v()
                .fold_chunks(*n, || 1, |sum, x| sum * 3 % 1009 + x)
                .collect();
            let back = v()
                .fold_chunks_with(*n, 1, |sum, x| sum * 3 % 1009 + x)
                .rev();
            (sums, back.collect::<Vec<_>>())
        },
        |(v, n)| {
            let fold = |c: &[i32]| c.iter().fold(1, |sum, &x| sum * 3 % 1009 + i64::from(x));
            (
                v.chunks(*n).map(fold).collect(),
                v.chunks(*n).rev().map(fold).collect(),
            )
        },
    );
}

#[test]
fn fold_with() {
    oracle(
        ints(),
        |v| {
            let pairs = v.par_iter().flat_map(|&x| [x, 1]);
            pairs
                .fold_with(0i64, |sum, x| sum + i64::from(x))
                .sum::<i64>()
        },
        |v| v.iter().map(|&x| i64::from(x) + 1).sum(),
    );
}

#[test]
fn try_fold_and_try_reduce() {
    oracle(
        ints(),
        |v| {
            let v = || v.par_iter().map(|&x| costly(x));
            let check = |sum: i64, x: i32| {
                if x == 321 {
                    Err(x)
                } else {
                    Ok(sum + i64::from(x))
                }
            };
            let by_fold: Result<i64, i32> =
                v().try_fold(|| 0, check).try_reduce(|| 0, |a, b| Ok(a + b));
            let with: Option<i64> = v()
                .try_fold_with(0, |sum, x| check(sum, x).ok())
                .try_reduce(|| 0, |a, b| Some(a + b));
            let reduced = v()
                .map(|x| (x != 321).then_some(vec![x]))
                .try_reduce_with(|mut a, b| {
                    a.extend(b);
                    Some(a)
                });
            (by_fold, with, reduced)
        },
        |v| {
            let sum = v.iter().map(|&x| i64::from(x)).sum();
            let all = (!v.is_empty()).then(|| Some(v.clone()));
            match v.contains(&321) {
                true => (Err(321), None, Some(None)),
                false => (Ok(sum), Some(sum), all),
            }
        },
    );
}

/// A fold ends at a failure, so on one thread the items after it are not seen.
#[test]
fn a_failed_fold_ends() {
    for place in Place::all() {
        let sum: Option<u64> = place.run(|| {
            (0..u64::MAX)
                .into_par_iter()
                .try_fold(
                    || 0u64,
                    |sum, x| if x > 1000 { None } else { Some(sum + x) },
                )
                .try_reduce(|| 0, |a, b| Some(a + b))
        });
        assert_eq!(sum, None, "{place:?}");
    }
}

/// Parts that are folded by themselves, because a folder may see only so many of their items, come behind a fold that has begun and has seen nothing. It passes nothing on.
#[test]
fn no_accumulator_without_items() {
    for place in Place::all() {
        place.run(|| {
            let part = || (0..1000).into_par_iter().with_min_len(10).with_max_len(50);
            let both = || part().chain(part());
            assert!(
                both().fold(|| 0, |n, _| n + 1).min() >= Some(10),
                "{place:?}"
            );
            let count = |n, _| (n < 50).then_some(n + 1);
            let counts = both().try_fold(|| 0, count);
            assert!(counts.min() >= Some(Some(10)), "{place:?}");
            let of_parts = || (0..9).into_par_iter().flat_map(|_| part());
            let vectors = || {
                of_parts().fold(Vec::new, |mut v, x| {
                    v.push(x);
                    v
                })
            };
            assert!(vectors().all(|v| v.len() >= 10), "{place:?}");
            assert_eq!(vectors().map(|v| v.len()).sum::<usize>(), 9000);
            let deep = (0..3)
                .into_par_iter()
                .flat_map(|_| of_parts().chain(part()));
            assert!(deep.fold(|| 0, |n, _| n + 1).min() >= Some(10), "{place:?}");
            let one_of_nothing = part().take(0).chain(part().take(0)).fold(|| 7, |n, _| n);
            assert!(one_of_nothing.count() > 0, "{place:?}");
        });
    }
}

/// What a fold held back comes to the fold behind it when a part is driven apart.
#[test]
fn folds_behind_folds_lose_nothing() {
    for place in Place::all() {
        place.run(|| {
            let bounded = || (0..1000u32).into_par_iter().with_max_len(50);
            let in_blocks = || (0..1000u32).into_par_iter().by_uniform_blocks(100);
            let few = || (0..10u32).into_par_iter();
            let want = 45 + 499_500;
            let add = |a: u32, x: u32| a + x;
            let folded = few().chain(bounded()).fold(|| 0, add);
            assert_eq!(folded.fold(|| 0, add).sum::<u32>(), want, "{place:?}");
            let folded = few().chain(in_blocks()).fold(|| 0, add);
            assert_eq!(folded.map(|x| x).fold(|| 0, add).sum::<u32>(), want);
            let folded = few().chain(bounded()).fold(|| 0, add);
            let tried = folded.try_fold(|| 0, |a, x| Some(add(a, x)));
            assert_eq!(tried.map(Option::unwrap).sum::<u32>(), want);
            let lists = few().chain(bounded()).fold(Vec::new, |mut v, x| {
                v.push(x);
                v
            });
            let sums = lists.flat_map_iter(|v| v).fold(|| 0, add);
            assert_eq!(sums.sum::<u32>(), want, "{place:?}");
            let lists = few().chain(in_blocks()).fold(|| 0, add);
            let sums = lists.flat_map(|x| [x]).fold(|| 0, add);
            assert_eq!(sums.sum::<u32>(), want, "{place:?}");
        });
    }
}

/// Nothing before the border: then there is still one accumulator.
#[test]
fn a_fold_before_a_border_has_an_accumulator() {
    for place in Place::all() {
        place.run(|| {
            let part = || (0..1000).into_par_iter().with_max_len(50);
            let nothing = part().chain(part()).take_while(|_| false);
            assert!(nothing.fold(|| 7, |n, _| n).count() > 0, "{place:?}");
            let inner = part().flat_map(|_| part()).take_while(|_| false);
            assert!(inner.fold(|| 7, |n, _| n).count() > 0, "{place:?}");
        });
    }
}
