//! States and splits that cost much are made once for each cut, not for each look at the clock.

use crate::support::{Flag, cases, costly, within};
use filch::algo::merge_by;
use filch::ext::*;
use filch::iter::plumbing::{Consumer, Producer, ProducerCallback, UnindexedConsumer, bridge};
use filch::prelude::*;
use filch::{Stats, ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const ITEMS: usize = 10_000;

fn pool_of(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().expect("threads for the test")
}

/// Makes a state, which takes as long as thousands of items.
fn make(states: &AtomicUsize) -> usize {
    let start = Instant::now();
    while start.elapsed() < Duration::from_micros(300) {
        std::hint::spin_loop();
    }
    states.fetch_add(1, Relaxed)
}

/// Runs a program some times in pools of several sizes; `check` gets what it counted, and the counters of the pool. Where there are several
/// threads, pieces have to be taken.
#[track_caller]
fn counted(program: impl Fn(&AtomicUsize) + Sync, check: impl Fn(usize, &Stats, usize)) {
    for threads in [1, 2, 3, 8] {
        let pool = pool_of(threads);
        let mut taken = 0;
        // On a busy machine another thread may come late; `within` ends what never gets one.
        for round in 0.. {
            let (count, before) = (AtomicUsize::new(0), pool.stats());
            pool.install(|| program(&count));
            let spent = pool.stats() - before;
            check(count.into_inner(), &spent, threads);
            taken += spent.taken;
            if round >= cases(2) && (taken > 0 || threads == 1) {
                break;
            }
        }
    }
}

/// There is a state for each piece; and a call is cut into a few pieces for each thread, as is a piece that another thread took.
#[track_caller]
fn a_state_a_piece(states: usize, spent: &Stats, threads: usize) {
    let (offered, taken) = (spent.offered as usize, spent.taken as usize);
    assert_eq!(states, 1 + offered, "{threads} threads\n{spent}");
    assert!(
        offered <= 8 * threads * (1 + taken),
        "{threads} threads\n{spent}"
    );
}

/// All numbers, with a state that is expensive to make.
fn items(states: &AtomicUsize) -> impl IndexedParallelIterator<Item = usize> {
    let all = (0..ITEMS).into_par_iter();
    all.map_init(|| make(states), |_, x| x)
}

const SUM: usize = ITEMS * (ITEMS - 1) / 2;

#[test]
fn states_below_an_adaptor_that_needs_positions() {
    within(300, || {
        counted(
            |states| {
                let v: Vec<(usize, usize)> = items(states).enumerate().collect();
                assert!(v.iter().enumerate().all(|(i, pair)| *pair == (i, i)));
            },
            a_state_a_piece,
        );
        counted(
            |states| assert_eq!(items(states).rev().sum::<usize>(), SUM),
            a_state_a_piece,
        );
        counted(
            |states| {
                let zipped = items(states).zip(0..ITEMS).filter(|(x, y)| x == y);
                assert_eq!(zipped.count(), ITEMS);
            },
            a_state_a_piece,
        );
        counted(
            |states| {
                let chunks = items(states).chunks(7).map(|chunk| chunk.len());
                assert_eq!(chunks.sum::<usize>(), ITEMS);
            },
            a_state_a_piece,
        );
        counted(
            |states| assert_eq!(items(states).with_min_len(2).sum::<usize>(), SUM),
            a_state_a_piece,
        );
        counted(
            |states| {
                let evens = items(states).step_by(2).filter(|x| x % 4 == 0);
                assert_eq!(evens.collect::<Vec<_>>().len(), ITEMS / 4);
            },
            a_state_a_piece,
        );
        counted(
            |states| {
                let last = ITEMS - 1;
                let found = items(states).enumerate().find_first(|(i, _)| *i == last);
                assert_eq!(found, Some((last, last)));
            },
            a_state_a_piece,
        );
    });
}

/// A search from the right cuts before it folds, and what follows its last cut is folded first.
#[test]
fn states_of_a_search_from_the_right() {
    within(300, || {
        let few = |states, spent: &Stats, threads: usize| {
            let most = 100 * (1 + spent.taken as usize);
            assert!(
                states <= most,
                "{states} states, {threads} threads\n{spent}"
            );
        };
        counted(
            |states| assert_eq!(items(states).find_last(|x| *x == 7), Some(7)),
            few,
        );
        counted(
            |states| {
                let found = items(states).enumerate().find_last(|(i, _)| *i == 7);
                assert_eq!(found, Some((7, 7)));
            },
            few,
        );
    });
}

/// Here the greatest length demands many pieces: halves of halves, 32 of 312 or 313 items. Only the cuts below that are the driver's own choice, and each of
/// those is offered.
#[test]
fn states_of_pieces_of_a_greatest_length() {
    const DEMANDED: usize = 32;
    within(300, || {
        counted(
            |states| assert_eq!(items(states).with_max_len(500).sum::<usize>(), SUM),
            |states, spent, threads| {
                let (offered, taken) = (spent.offered as usize, spent.taken as usize);
                // A demanded part that no other thread would come for is not on offer, and has a state all the same.
                assert!(
                    (DEMANDED.max(1 + offered)..=DEMANDED + offered).contains(&states),
                    "{states} states, {threads} threads\n{spent}"
                );
                assert!(
                    states <= DEMANDED + 8 * threads * (1 + taken),
                    "{states} states, {threads} threads\n{spent}"
                );
            },
        );
        // Halves of those would be too short.
        counted(
            |states| {
                let all = items(states).with_max_len(500).with_min_len(200);
                assert_eq!(all.sum::<usize>(), SUM);
            },
            |states, spent, threads| {
                assert_eq!(states, DEMANDED, "{threads} threads\n{spent}");
            },
        );
    });
}

/// Each inner iterator has a state, and one more for each time that it is cut.
#[test]
fn states_inside_a_flat_map() {
    within(300, || {
        counted(
            |states| {
                let outer = (0..10usize).into_par_iter();
                let inner = |_| {
                    let inner = (0..1000usize).into_par_iter();
                    inner.map_init(|| make(states), |_, x| x).enumerate()
                };
                let v: Vec<(usize, usize)> = outer.flat_map(inner).collect();
                let is_right = |(i, pair): (usize, &(usize, usize))| *pair == (i % 1000, i % 1000);
                assert!(v.len() == 10_000 && v.iter().enumerate().all(is_right));
            },
            |states, spent, threads| {
                let offered = spent.offered as usize;
                assert!(
                    (10..=10 + offered).contains(&states),
                    "{states} states, {threads} threads\n{spent}"
                );
                assert!(
                    states <= 10 * 8 * threads + 8 * threads * spent.taken as usize,
                    "{states} states, {threads} threads\n{spent}"
                );
            },
        );
    });
}

/// Counts its clones, which are expensive.
struct Counted<'c>(&'c AtomicUsize);

impl Clone for Counted<'_> {
    fn clone(&self) -> Self {
        make(self.0);
        Counted(self.0)
    }
}

/// One clone for each piece, and one for each cut.
#[test]
fn clones_below_an_adaptor_that_needs_positions() {
    within(300, || {
        counted(
            |clones| {
                let all = (0..ITEMS).into_par_iter();
                let all = all.map_with(Counted(clones), |_, x| x).enumerate();
                assert_eq!(all.map(|(i, _)| i).sum::<usize>(), SUM);
            },
            |clones, spent, threads| {
                let offered = spent.offered as usize;
                assert_eq!(clones, 1 + 2 * offered, "{threads} threads\n{spent}");
            },
        );
    });
}

/// States that are lent go from block to block: there is one for each thread.
#[test]
fn lent_states_below_an_adaptor_that_needs_positions() {
    within(300, || {
        counted(
            |states| {
                let all = (0..ITEMS).into_par_iter();
                let all = all.using(|| make(states)).map(|_, x| costly(x as i32));
                assert_eq!(
                    all.enumerate().filter(|(i, x)| *i as i32 == *x).count(),
                    ITEMS
                );
            },
            |states, spent, threads| {
                assert!((1..=threads).contains(&states), "{states} states\n{spent}");
            },
        );
    });
}

/// Numbers in a vector, as another crate would write them: a split moves what is behind it.
pub(super) struct Moved<'c> {
    pub(super) numbers: Vec<usize>,
    pub(super) splits: &'c AtomicUsize,
}

impl ParallelIterator for Moved<'_> {
    type Item = usize;

    fn drive_unindexed<C: UnindexedConsumer<usize>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn opt_len(&self) -> Option<usize> {
        Some(self.numbers.len())
    }
}

impl IndexedParallelIterator for Moved<'_> {
    fn len(&self) -> usize {
        self.numbers.len()
    }

    fn drive<C: Consumer<usize>>(self, consumer: C) -> C::Result {
        bridge(self, consumer)
    }

    fn with_producer<CB: ProducerCallback<usize>>(self, callback: CB) -> CB::Output {
        callback.callback(self)
    }
}

impl Producer for Moved<'_> {
    type Item = usize;
    type IntoIter = std::vec::IntoIter<usize>;

    fn into_iter(self) -> Self::IntoIter {
        self.numbers.into_iter()
    }

    fn split_at(mut self, index: usize) -> (Self, Self) {
        self.splits.fetch_add(1, Relaxed);
        let right = Moved {
            numbers: self.numbers.split_off(index),
            splits: self.splits,
        };
        (self, right)
    }
}

fn moved(splits: &AtomicUsize) -> Moved<'_> {
    Moved {
        numbers: (0..ITEMS).collect(),
        splits,
    }
}

/// Not for each block.
#[test]
fn splits_of_a_producer_that_is_expensive_to_split() {
    within(300, || {
        let check = |splits, spent: &Stats, threads: usize| {
            assert_eq!(splits, spent.offered as usize, "{threads} threads\n{spent}");
            let most = 8 * threads * (1 + spent.taken as usize);
            assert!(splits <= most, "{threads} threads\n{spent}");
        };
        counted(
            |splits| {
                let v: Vec<i32> = moved(splits).map(|x| costly(x as i32)).collect();
                assert!(v.into_iter().eq(0..ITEMS as i32));
            },
            check,
        );
        counted(
            |splits| {
                let kept = moved(splits)
                    .enumerate()
                    .filter(|(i, x)| i == x && costly(0) == 0);
                assert_eq!(kept.collect::<Vec<_>>().len(), ITEMS);
            },
            check,
        );
        counted(
            |splits| {
                let parts = (0..3).into_par_iter().flat_map(|_| moved(splits));
                assert_eq!(parts.map(|x| costly(x as i32)).count(), 3 * ITEMS);
            },
            |splits, spent, _| assert!(splits <= spent.offered as usize, "{spent}"),
        );
    });
}

/// What is folded whole is left all the same when another thread has found what is sought.
#[test]
fn a_piece_that_is_folded_whole_ends_with_the_search() {
    within(300, || {
        let pool = pool_of(2);
        let (splits, caller) = (AtomicUsize::new(0), OnceLock::new());
        let (others, found, late) = (Flag::new(), Flag::new(), AtomicUsize::new(0));
        let moved = Moved {
            numbers: (0..20_000).collect(),
            splits: &splits,
        };
        let hit = pool.install(|| {
            let _ = caller.set(thread::current().id());
            moved.find_any(|&x| {
                if x == 0 {
                    others.wait();
                    found.set();
                    return true;
                }
                if caller.get() != Some(&thread::current().id()) {
                    others.set();
                }
                if found.is_set() {
                    late.fetch_add(1, Relaxed);
                }
                (0..1000).for_each(|i| _ = costly(i));
                false
            })
        });
        assert_eq!(hit, Some(0));
        let late = late.into_inner();
        assert!(late < 500, "{late} items more were looked at");
    });
}

/// A thread that comes while a piece is folded whole gets what is on offer; it need not wait for the end of the piece.
#[test]
fn a_piece_that_is_folded_whole_gives_what_is_on_offer() {
    within(300, || {
        let pool = pool_of(2);
        let (splits, caller, others) = (AtomicUsize::new(0), OnceLock::new(), Flag::new());
        let numbers = 0..80_000;
        let (half, first_piece) = (numbers.len() / 2, numbers.len() / 8);
        let moved = Moved {
            numbers: numbers.collect(),
            splits: &splits,
        };
        pool.install(|| {
            let _ = caller.set(thread::current().id());
            moved.for_each(|x| {
                if caller.get() != Some(&thread::current().id()) {
                    // The right half was the first offer, and is soon folded.
                    if x < half {
                        others.set();
                    }
                    return;
                }
                if others.is_set() || x >= first_piece {
                    return;
                }
                // Asleep, so that the other thread has the processor if there is but one.
                thread::sleep(Duration::from_millis(1));
                assert!(
                    x + 1 < first_piece,
                    "no other thread took what was on offer"
                );
            });
        });
    });
}

/// A merge is cut by a search, which compares.
#[test]
fn comparisons_of_a_merge_are_about_as_many_as_elements() {
    within(300, || {
        let v: Vec<usize> = (0..1500).collect();
        counted(
            |comparisons| {
                let merged = merge_by(&v, &v, |a, b| {
                    comparisons.fetch_add(1, Relaxed);
                    (0..300).for_each(|i| _ = costly(i));
                    a.cmp(b)
                });
                assert_eq!(merged.len(), 2 * v.len());
            },
            |comparisons, spent, threads| {
                let most = 2 * v.len() + 40 * (spent.offered as usize + 1);
                assert!(
                    comparisons <= most,
                    "{comparisons}, {threads} threads\n{spent}"
                );
                let offered = spent.offered as usize;
                assert!(
                    offered <= 8 * threads * (1 + spent.taken as usize),
                    "{spent}"
                );
            },
        );
    });
}
