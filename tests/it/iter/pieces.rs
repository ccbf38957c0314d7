//! `with_min_len` and `with_max_len`: how many items a fold may see.

use crate::support::{
    Place, caught, costly, oracle_few, planted, pool, same_everywhere, small_ints,
};
use filch::iter::plumbing::{Consumer, Folder, UnindexedConsumer};
use filch::prelude::*;

/// The number of items in each fold of `items`.
fn counts(items: impl ParallelIterator) -> Vec<usize> {
    items.fold(|| 0, |count, _| count + 1).collect()
}

/// What a fold over `len` items may see: no fewer than the minimum, and no more than the maximum
/// unless the minimum stands against a cut there.
fn bounds(len: usize, min: usize, max: usize) -> std::ops::RangeInclusive<usize> {
    let min = min.clamp(1, len);
    min..=max.max(min.saturating_add(min - 1))
}

#[track_caller]
fn check(counts: &[usize], len: usize, min: usize, max: usize, place: Place) {
    let bounds = bounds(len, min, max);
    assert_eq!(counts.iter().sum::<usize>(), len);
    for count in counts {
        assert!(
            bounds.contains(count),
            "{place:?}: {count} of {len} is not in {bounds:?}"
        );
    }
}

const LIMITS: [usize; 7] = [0, 1, 7, 100, 1000, 9000, usize::MAX];

#[test]
fn folds_keep_both_bounds() {
    const N: usize = 8000;
    for (round, min) in LIMITS.into_iter().enumerate() {
        for place in Place::some(round) {
            for max in LIMITS {
                let all = place
                    .run(|| counts((0..N).into_par_iter().with_min_len(min).with_max_len(max)));
                check(&all, N, min, max, place);
                let all = place.run(|| {
                    let costs = (0..N as i32).into_par_iter().map(costly);
                    counts(costs.with_max_len(max).with_min_len(min))
                });
                check(&all, N, min, max, place);
            }
        }
    }
}

#[test]
fn bounds_reach_through_adaptors() {
    const N: usize = 5000;
    for place in Place::all() {
        for (min, max) in [(1, 1), (1, 10), (30, 100), (400, usize::MAX), (N, 1)] {
            let n = || (0..N).into_par_iter().with_min_len(min).with_max_len(max);
            place.run(|| {
                let check = |counts: Vec<usize>, len| check(&counts, len, min, max, place);
                check(counts(n().map(|x| x + 1)), N);
                check(counts(n().rev().enumerate()), N);
                check(counts(n().zip(0..N)), N);
                check(counts((0..N).into_par_iter().zip(n())), N);
                check(counts(n().inspect(|_| ()).panic_fuse()), N);
                check(counts(n().map_init(|| (), |(), x| x)), N);
            });
        }
    }
}

/// The narrower of two bounds counts.
#[test]
fn bounds_add_up() {
    for place in Place::all() {
        place.run(|| {
            let n = || (0..5000).into_par_iter();
            let all = counts(n().with_max_len(10).map(|x| x).with_max_len(100));
            check(&all, 5000, 1, 10, place);
            let all = counts(n().with_min_len(500).rev().with_min_len(50));
            check(&all, 5000, 500, usize::MAX, place);
        });
    }
}

#[test]
fn one_item_a_fold() {
    same_everywhere(
        || counts((0..777).into_par_iter().with_max_len(1)),
        || vec![1; 777],
    );
}

#[test]
fn one_fold_for_everything() {
    same_everywhere(
        || counts((0..777).into_par_iter().with_min_len(777)),
        || vec![777],
    );
}

/// The fold of the first part goes on into the second, if no other thread takes that.
#[test]
fn a_chain_is_one_fold() {
    pool(1).install(|| {
        let n = |n: usize| (0..n).into_par_iter();
        let some = |len| n(len).filter(|_| true);
        assert_eq!(counts(n(400).chain(n(377))), [777]);
        assert_eq!(counts(some(400).chain(n(377))), [777]);
        assert_eq!(counts(n(400).chain(some(377))), [777]);
        assert_eq!(counts(n(1).chain(n(400)).chain(n(376))), [777]);
        assert_eq!(counts(n(7).flat_map(|_| n(100).chain(n(11)))), [777]);
    });
}

/// In front of an end that stops early, a fold hands accumulators on before its piece is over. Not so if there is a least length, whatever
/// lies between it and the fold.
#[test]
fn no_end_makes_folds_shorter_than_the_minimum() {
    const N: usize = 200;
    let n = || (0..N).into_par_iter().with_min_len(N);
    for place in Place::all() {
        place.run(|| {
            let whole =
                |folds: Vec<bool>| assert!(folds.iter().all(|&long| long), "{place:?}: {folds:?}");
            whole(vec![
                are_long(n()),
                are_long(n().flat_map_iter(|x| [x])),
                are_long(n().map(|x| [x]).flatten_iter()),
                are_long(n().flat_map(|x| [x])),
                are_long(n().filter(|_| true).chain(n().filter(|_| true))),
                are_long((0..3).into_par_iter().flat_map(|_| n())),
                are_long(
                    (0..3)
                        .into_par_iter()
                        .flat_map(|_| n().filter(|_| true).chain(n())),
                ),
                are_long(n().flat_map(|x| [x]).chain(n().flat_map_iter(|x| [x]))),
                are_long(Plainly(n()).filter(|_| true)),
                are_long((0..N).into_par_iter().chain(n()).rev()),
            ]);
            // Soon known to cost nothing.
            for _ in 0..300 {
                let nested = (0..4).into_par_iter().map(|_| are_long(n()));
                whole(nested.collect());
                let nested = (0..4)
                    .into_par_iter()
                    .map(|_| are_long(n().flat_map_iter(|x| [x])));
                whole(nested.collect());
            }
        });
    }

    /// Whether each fold sees `N` items at least.
    fn are_long(items: impl ParallelIterator) -> bool {
        items
            .fold(|| 0, |count, _| count + 1)
            .all(|count| count >= N)
    }
}

/// Drives as an iterator written for rayon does: what follows is wrapped in a consumer that has only what rayon's has.
struct Plainly<I>(I);

impl<I: ParallelIterator> ParallelIterator for Plainly<I> {
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        self.0.drive_unindexed(Plain(consumer))
    }
}

struct Plain<B>(B);

impl<T, C: Consumer<T>> Consumer<T> for Plain<C> {
    type Folder = Plain<C::Folder>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    fn split_at(self, index: usize) -> (Self, Self, C::Reducer) {
        let (left, right, reducer) = self.0.split_at(index);
        (Plain(left), Plain(right), reducer)
    }

    fn into_folder(self) -> Self::Folder {
        Plain(self.0.into_folder())
    }

    fn full(&self) -> bool {
        self.0.full()
    }
}

impl<T, C: UnindexedConsumer<T>> UnindexedConsumer<T> for Plain<C> {
    fn split_off_left(&self) -> Self {
        Plain(self.0.split_off_left())
    }

    fn to_reducer(&self) -> C::Reducer {
        self.0.to_reducer()
    }
}

impl<T, F: Folder<T>> Folder<T> for Plain<F> {
    type Result = F::Result;

    fn consume(self, item: T) -> Self {
        Plain(self.0.consume(item))
    }

    fn complete(self) -> F::Result {
        self.0.complete()
    }

    fn full(&self) -> bool {
        self.0.full()
    }
}

/// Inside `flat_map` the bounds of the inner iterator hold for the folds outside.
#[test]
fn folds_keep_the_bound_of_an_inner_iterator() {
    for place in Place::all() {
        for (outer, inner, max) in [(1, 1000, 10), (7, 100, 3), (300, 20, 1), (40, 64, 64)] {
            let all = place.run(|| {
                let parts = (0..outer).into_par_iter();
                counts(parts.flat_map(|_| (0..inner).into_par_iter().with_max_len(max)))
            });
            assert_eq!(all.iter().sum::<usize>(), outer * inner);
            assert!(
                all.iter().all(|&c| c <= max),
                "{place:?}: {all:?} above {max}"
            );
        }
    }
}

/// The bounds of the outer iterator count its own items: a fold sees no more than `max` parts.
#[test]
fn folds_keep_the_bound_of_an_outer_iterator() {
    for place in Place::all() {
        for max in [1, 2, 10] {
            let folds: Vec<Vec<usize>> = place.run(|| {
                (0..300usize)
                    .into_par_iter()
                    .with_max_len(max)
                    .flat_map(|i| [i; 5])
                    .fold(Vec::new, |mut parts, i| {
                        parts.push(i);
                        parts
                    })
                    .collect()
            });
            let want: Vec<usize> = (0..300).flat_map(|i| [i; 5]).collect();
            assert_eq!(folds.concat(), want, "{place:?}");
            for mut parts in folds {
                parts.dedup();
                assert!(
                    parts.len() <= max,
                    "{place:?}: {} parts above {max}",
                    parts.len()
                );
            }
        }
    }
}

/// Bounds change the pieces and never the result.
#[test]
fn bounds_keep_the_result() {
    oracle_few(
        (small_ints(), 0..50usize, 0..50usize),
        |(v, min, max)| {
            let v = || v.par_iter().copied().with_min_len(*min).with_max_len(*max);
            let first = (v().position_first(|x| x > 100), v().find_last(|x| *x < -50));
            let text = v()
                .map(|x| x.to_string())
                .reduce(String::new, |a, b| a + &b);
            (
                v().collect::<Vec<_>>(),
                v().filter(|x| x % 2 == 0).collect::<Vec<_>>(),
                first,
                text,
            )
        },
        |(v, ..)| {
            let even = v.iter().copied().filter(|x| x % 2 == 0).collect();
            let mut items = v.iter().copied();
            let first = (
                items.clone().position(|x| x > 100),
                items.rfind(|x| *x < -50),
            );
            (
                v.clone(),
                even,
                first,
                v.iter().map(i32::to_string).collect(),
            )
        },
    );
}

/// Where no other thread would come for a part, parts of a greatest length are folded one after the other, each by a folder of its own. What comes out
/// is the same.
#[test]
fn parts_of_a_greatest_length_that_are_not_on_offer() {
    let n = 10_000usize;
    for threads in [1, 2, 4] {
        let pool = filch::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let items = || (0..n).into_par_iter().with_max_len(3);
        // The first round teaches what an item costs.
        for _ in 0..4 {
            pool.install(|| {
                assert!(
                    items()
                        .map(|i| 2 * i)
                        .collect::<Vec<_>>()
                        .into_iter()
                        .eq((0..n).map(|i| 2 * i))
                );
                assert_eq!(
                    items().filter(|i| i % 7 == 0).collect::<Vec<_>>().len(),
                    n.div_ceil(7)
                );
                let counts: Vec<usize> = items().fold(|| 0, |count, _| count + 1).collect();
                assert!(counts.iter().all(|&count| (1..=3).contains(&count)));
                assert_eq!(counts.into_iter().sum::<usize>(), n);
                assert_eq!(items().find_first(|i| i % 1000 == 777), Some(777));
                assert_eq!(items().find_last(|i| i % 1000 == 777), Some(n - 223));
                assert_eq!(items().find_last(|&i| i <= 777), Some(777));
                assert!(items().find_any(|i| i % 1000 == 777).is_some());
                assert_eq!(
                    items().rev().chain(items()).position_first(|i| i == 5),
                    Some(n - 6)
                );
                assert_eq!(items().reduce(|| 0, |a, b| a.max(b)), n - 1);
                let failed: Result<Vec<usize>, usize> = items()
                    .map(|i| if i % 2000 == 1999 { Err(i) } else { Ok(i) })
                    .collect();
                assert!(failed.unwrap_err() % 2000 == 1999);
            });
            let run = || {
                pool.install(|| {
                    items().for_each(|i| {
                        if i == 5000 {
                            planted(i)
                        }
                    })
                })
            };
            assert_eq!(caught(run), Err(5000));
        }
    }
}
