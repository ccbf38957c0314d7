//! Sums and products of `Option`s and `Result`s: a failure ends the pieces of other threads, too, and the error that comes out is the first.

use crate::support::{Flag, Place, costly, within};
use filch::ThreadPoolBuilder;
use filch::ext::*;
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList};
use std::iter::Sum;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// How many items each of the two pieces has.
const N: usize = 20_000;

/// More items than there can be between two looks before anything has taken time.
const FEW: usize = 16;

/// Where two pieces meet: the failure in one waits for the other one's first item, whose second item waits until what is left of the first piece
/// is dropped, so that all know of the failure.
#[derive(Default)]
struct Meet {
    begun: Flag,
    known: Flag,
    folded: AtomicUsize,
}

/// An item of one of the pieces.
struct Item<'m> {
    meet: &'m Meet,
    /// It is in the piece that fails.
    fails: bool,
    /// Its place in its piece.
    at: usize,
}

impl Item<'_> {
    fn look(&self) -> Option<u64> {
        let Meet {
            begun,
            known,
            folded,
        } = self.meet;
        match (self.fails, self.at) {
            (true, 0) => {
                begun.wait();
                return None;
            }
            (true, _) => {}
            (false, at) => {
                begun.set();
                folded.fetch_add(1, Relaxed);
                if at > 0 {
                    known.wait();
                }
            }
        }
        Some(1)
    }
}

impl Drop for Item<'_> {
    fn drop(&mut self) {
        if self.fails && self.at == N - 1 {
            self.meet.known.set();
        }
    }
}

/// Runs `total` on two pieces, the first or the second of which fails; the other one has to end soon after that.
fn ends_in_time(first_fails: bool, total: impl Fn(Vec<Item>) + Send + Sync) {
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    pool.force_cuts(Cuts::Always);
    let meet = Meet::default();
    let piece = |fails| {
        let meet = &meet;
        (0..N).map(move |at| Item { meet, fails, at })
    };
    let items = piece(first_fails).chain(piece(!first_fails)).collect();
    pool.install(|| total(items));
    let folded = meet.folded.into_inner();
    assert!(
        (1..=FEW).contains(&folded),
        "{folded} items were folded although the rest had failed"
    );
}

fn pieces(items: Vec<Item>) -> impl IndexedParallelIterator<Item = Item> {
    items.into_par_iter().with_min_len(N)
}

#[test]
fn none_ends_all_other_pieces() {
    within(120, || {
        for first_fails in [true, false] {
            ends_in_time(first_fails, |items| {
                assert_eq!(
                    pieces(items).map(|item| item.look()).sum::<Option<u64>>(),
                    None
                );
            });
            ends_in_time(first_fails, |items| {
                let product = pieces(items).map(|item| item.look());
                assert_eq!(product.product::<Option<u64>>(), None);
            });
            ends_in_time(first_fails, |items| {
                let looks = pieces(items).filter(|_| true).map(|item| item.look());
                assert_eq!(looks.sum::<Option<u64>>(), None);
            });
        }
    });
}

#[test]
fn an_error_ends_the_pieces_behind_it() {
    within(120, || {
        ends_in_time(true, |items| {
            let sum = pieces(items).map(|item| item.look().ok_or(item.at));
            assert_eq!(sum.sum::<Result<u64, _>>(), Err(0));
        });
        ends_in_time(true, |items| {
            let product = pieces(items).map(|item| item.look().ok_or("none"));
            assert_eq!(product.product::<Result<u64, _>>(), Err("none"));
        });
        ends_in_time(true, |items| {
            let looks = pieces(items).flat_map_iter(|item| [item.look().ok_or(()), Ok(1)]);
            assert_eq!(looks.sum::<Result<u64, ()>>(), Err(()));
        });
    });
}

/// As with std, and whichever was found first: what stops others stops those behind it only.
#[test]
fn the_first_error_comes_out() {
    for place in Place::all() {
        for few in [1, 7, 500] {
            let outcome = |at: usize| match costly(at as i32) % few {
                0 if at > 300 => Err(at),
                _ => Ok(at),
            };
            let n = || (0..1000).into_par_iter();
            let first = (0..1000).find_map(|at| outcome(at).err()).ok_or(());
            let (sum, product, parts) = place.run(|| {
                let sum = n().map(outcome).sum::<Result<usize, usize>>();
                let small = n().map(|at| outcome(at).map(|at| (at % 2) as f64));
                let parts = n().flat_map(|at| [Ok(1), outcome(at), Ok(2)]);
                (
                    sum,
                    small.product::<Result<f64, usize>>(),
                    parts.sum::<Result<usize, usize>>(),
                )
            });
            assert_eq!(sum.err().ok_or(()), first, "{place:?}");
            assert_eq!(product.err().ok_or(()), first, "{place:?}");
            assert_eq!(parts.err().ok_or(()), first, "{place:?}");
        }
    }
}

/// The second piece fails before the first has come to its own failure.
#[test]
fn a_later_error_does_not_hide_an_earlier_one() {
    within(60, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.force_cuts(Cuts::Always);
        let sum = |nested: bool| {
            let failed = Flag::new();
            let items: Vec<_> = (0..N).chain([N]).collect();
            let outcome = |at: usize| {
                if at == N / 4 {
                    failed.wait();
                }
                if at > N / 2 {
                    failed.set();
                }
                match at {
                    at if at == N / 4 || at > N / 2 => Err(at),
                    _ => Ok(Some(1)),
                }
            };
            let n = items.into_par_iter().with_min_len(N / 2);
            pool.install(|| match nested {
                true => n
                    .map(|at| Some(outcome(at).map(|_| 1)))
                    .sum::<Option<Result<usize, usize>>>(),
                false => Some(
                    n.map(|at| outcome(at).map(|_| 1))
                        .sum::<Result<usize, usize>>(),
                ),
            })
        };
        assert_eq!(sum(false), Some(Err(N / 4)));
        assert_eq!(sum(true), Some(Err(N / 4)));
    });
}

/// A total of a user's type around std's, which leaves the items behind a failure.
#[derive(Debug, PartialEq)]
struct Checked(Result<u64, u64>);

impl Sum<u64> for Checked {
    fn sum<I: Iterator<Item = u64>>(items: I) -> Self {
        let outcomes = items.map(|n| if n < 1_000 { Ok(n) } else { Err(n) });
        Checked(outcomes.sum())
    }
}

impl Sum for Checked {
    fn sum<I: Iterator<Item = Self>>(totals: I) -> Self {
        Checked(totals.map(|total| total.0).sum())
    }
}

/// A total that is not interested in items.
#[derive(Debug, PartialEq)]
struct Nothing;

impl<T> Sum<T> for Nothing {
    fn sum<I: Iterator<Item = T>>(_: I) -> Self {
        Nothing
    }
}

/// Each fold leaves items at its first failure, and then it takes no others.
#[test]
fn a_total_of_a_users_type_may_leave_items() {
    within(60, || {
        for cuts in [Cuts::Never, Cuts::Always, Cuts::Adaptive] {
            let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
            pool.force_cuts(cuts);
            pool.install(|| {
                let endless = || filch::iter::walk_tree(0u64, |&n| [n + 1, n + 2]);
                // In the order of the walk, the first failure is 1000.
                assert_eq!(endless().sum::<Checked>(), Checked(Err(1_000)));
                assert_eq!(endless().sum::<Nothing>(), Nothing);
                let few = (0..1_000_000u64).into_par_iter().take_while(|&n| n < 1_005);
                assert_eq!(few.sum::<Checked>(), Checked(Err(1_000)));
                let taken = AtomicUsize::new(0);
                let all = (0..100_000u64).into_par_iter().inspect(|_| {
                    taken.fetch_add(1, Relaxed);
                });
                assert_eq!(all.sum::<Checked>(), Checked(Err(1_000)));
                if matches!(cuts, Cuts::Never) {
                    assert_eq!(taken.into_inner(), 1_001);
                }
            });
        }
    });
}

/// Sources that count how far they came by what their folds took.
#[test]
fn a_total_that_takes_nothing_ends_over_every_source() {
    fn ends<I: ParallelIterator>(items: I) {
        assert_eq!(items.map(|_| Nothing).sum::<Nothing>(), Nothing);
    }
    within(60, || {
        for threads in [1, 2] {
            let pool = ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| {
                let n = || 0..3_000u64;
                ends(n().collect::<HashSet<_>>().into_par_iter());
                ends(n().collect::<BTreeSet<_>>().par_iter());
                ends(n().map(|n| (n, n)).collect::<HashMap<_, _>>().par_iter());
                ends(
                    n().map(|n| (n, n))
                        .collect::<BTreeMap<_, _>>()
                        .into_par_iter(),
                );
                ends(n().collect::<LinkedList<_>>().into_par_iter());
                ends(n().collect::<BinaryHeap<_>>().into_par_iter());
                let sets = |n: u64| (0..n % 50).collect::<HashSet<u64>>();
                ends(n().into_par_iter().flat_map(sets));
                ends(filch::iter::walk_tree(0, |&n| (n < 3_000).then_some(n + 1)));
                ends(filch::iter::walk_tree_postfix(0, |&n| {
                    (n < 3_000).then_some(n + 1)
                }));
                (0..20).for_each(|_| ends(n().par_bridge()));
                ends(n().par_bridge_ordered());
                ends(
                    (0..3_000u32)
                        .into_par_iter()
                        .by_uniform_blocks(7)
                        .chain(0..9),
                );
            });
        }
    });
}
