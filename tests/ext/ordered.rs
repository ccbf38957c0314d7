//! `with_ordered_iter`, `into_ordered_iter`, `par_bridge_ordered`.

use crate::everywhere;
use crate::support::{Ledger, Place, caught, costly, planted, pool, within};
use either::Either;
use filch::ext::*;
use filch::iter::plumbing::{RoundsCallback, UnindexedConsumer};
use filch::iter::{repeat, repeat_n};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::collections::{BTreeSet, HashMap, LinkedList, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Mutex, mpsc};
use std::thread;
use std::time::Duration;

pub fn models() {
    for n in [0usize, 1, 2, 3, 10, 257, 1000] {
        let v: Vec<usize> = (0..n).collect();
        let work = |x: usize| costly(x as i32) as usize * 2;
        let want: Vec<usize> = v.iter().map(|&x| work(x)).collect();
        let even = |x: &usize| x.is_multiple_of(4);
        let want_even: Vec<usize> = want.iter().copied().filter(even).collect();
        for bound in [1, 2, 3, 64, usize::MAX] {
            let chain = v.par_iter().map(|&x| work(x));
            let got: Vec<usize> = chain
                .clone()
                .with_ordered_iter(bound, |items| items.collect());
            assert_eq!(got, want);
            let got = chain
                .clone()
                .filter(even)
                .with_ordered_iter(bound, |items| items.collect::<Vec<_>>());
            assert_eq!(got, want_even);
            let got = chain
                .clone()
                .with_ordered_iter(bound, |items| items.take(7).collect::<Vec<_>>());
            assert!(got.iter().eq(want.iter().take(7)));
            let doubled = chain
                .flat_map(|x| [x, x])
                .with_ordered_iter(bound, |items| items.collect::<Vec<_>>());
            assert_eq!(
                doubled,
                want.iter().flat_map(|&x| [x, x]).collect::<Vec<_>>()
            );
        }
        let bridged = v.iter().par_bridge_ordered().map(|&x| work(x));
        assert_eq!(bridged.clone().collect::<Vec<_>>(), want);
        assert_eq!(bridged.clone().filter(even).collect::<Vec<_>>(), want_even);
        assert_eq!(
            bridged
                .clone()
                .map(|x| x.to_string())
                .reduce(String::new, |a, b| a + &b),
            want.iter().map(|x| x.to_string()).collect::<String>()
        );
        assert_eq!(
            bridged.clone().find_first(|&x| x >= n),
            want.iter().copied().find(|&x| x >= n)
        );
        assert_eq!(
            bridged.clone().find_last(|&x| x <= n),
            want.iter().copied().rfind(|&x| x <= n)
        );
        assert_eq!(
            bridged.clone().take_while(|&x| x < n).collect::<Vec<_>>(),
            want.iter()
                .copied()
                .take_while(|&x| x < n)
                .collect::<Vec<_>>()
        );
        let again = bridged.with_ordered_iter(10, |items| items.collect::<Vec<_>>());
        assert_eq!(again, want);
    }
}

/// Those that start threads, on fewer inputs.
pub fn background() {
    for (n, bound) in [(0usize, 1), (1, 1), (100, 1), (100, 2), (3000, 50)] {
        let items = (0..n)
            .into_par_iter()
            .map(|x| costly(x as i32))
            .into_ordered_iter(bound);
        assert!(items.eq(0..n as i32));
    }
    let odd = (0..500u64)
        .into_par_iter()
        .filter(|x| x % 2 == 1)
        .into_ordered_iter(7);
    assert!(odd.eq((0..500).filter(|x| x % 2 == 1)));
    // One inside the other, and in parallel.
    let sums: Vec<u64> = (0..20u64)
        .into_par_iter()
        .map(|i| (0..i).into_par_iter().into_ordered_iter(4).sum::<u64>())
        .collect();
    assert!(
        sums.into_iter()
            .eq((0..20).map(|i: u64| (0..i).sum::<u64>()))
    );
    let outer = (0..20u64)
        .into_par_iter()
        .map(|i| (0..i).into_par_iter().sum::<u64>());
    assert_eq!(outer.into_ordered_iter(3).sum::<u64>(), 1140);
}

#[test]
fn as_std() {
    everywhere(models);
}

#[test]
fn in_the_background() {
    everywhere(background);
}

#[test]
fn never_more_than_the_bound() {
    everywhere(|| {
        for bound in [1, 2, 3, 10, 100] {
            let made = AtomicUsize::new(0);
            let mut taken = 0;
            let source = (0..500)
                .into_par_iter()
                .inspect(|_| _ = made.fetch_add(1, SeqCst));
            source.with_ordered_iter(bound, |items| {
                for _ in items {
                    taken += 1;
                    // The item that was just taken is not in the buffer.
                    assert!(made.load(SeqCst) - taken < bound.max(2), "{bound}");
                }
            });
            let made = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&made);
            let source = (0..500)
                .into_par_iter()
                .inspect(move |_| _ = counted.fetch_add(1, SeqCst));
            let mut taken = 0;
            for _ in source.into_ordered_iter(bound) {
                taken += 1;
                assert!(made.load(SeqCst) - taken <= bound, "{bound}");
            }
            assert_eq!(taken, 500);
        }
    });
}

#[test]
fn dropped_early() {
    everywhere(|| {
        let ledger = Ledger::new(1000);
        let first = ledger
            .tokens()
            .into_par_iter()
            .with_ordered_iter(10, |mut items| items.next().unwrap().id());
        assert_eq!(first, 0);
        ledger.assert_all_gone();
        // An endless iterator ends when it is dropped.
        (0..u64::MAX)
            .into_par_iter()
            .filter(|_| true)
            .with_ordered_iter(100, |items| drop(items));
        let n = (0..u64::MAX)
            .into_par_iter()
            .with_ordered_iter(100, |items| items.take(1000).count());
        assert_eq!(n, 1000);
        let endless = (0..u64::MAX).into_par_iter().into_ordered_iter(100);
        assert_eq!(endless.take(1000).count(), 1000);
    });
}

#[test]
fn the_background_stops_when_dropped() {
    let alive = Arc::new(());
    let held = Arc::clone(&alive);
    let mut items = (0..u64::MAX)
        .into_par_iter()
        .map(move |x| {
            let _ = &held;
            x
        })
        .into_ordered_iter(10);
    assert_eq!(items.next(), Some(0));
    drop(items);
    within(60, move || {
        while Arc::strong_count(&alive) > 1 {
            thread::sleep(Duration::from_millis(1));
        }
    });
}

#[test]
fn a_pool_outlives_its_handle_in_the_background() {
    let small = filch::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    let items = small.install(|| (0..1000).into_par_iter().into_ordered_iter(5));
    drop(small);
    within(60, move || assert!(items.eq(0..1000)));
}

#[test]
fn panics_come_out_of_next() {
    everywhere(|| {
        for at in [0usize, 1, 7, 200, 399] {
            let ledger = Ledger::new(400);
            let tokens = ledger.tokens();
            let strike = move |t: crate::support::Token| {
                if t.id() == at { planted(at) } else { t }
            };
            let outcome = caught(|| {
                tokens
                    .into_par_iter()
                    .map(strike)
                    .with_ordered_iter(20, |items| items.count())
            });
            assert_eq!(outcome, Err(at));
            ledger.assert_all_gone();
            let mut seen = 0;
            let outcome = caught(|| {
                let items = (0..400usize)
                    .into_par_iter()
                    .map(move |x| if x == at { planted(at) } else { x });
                for item in items.into_ordered_iter(20) {
                    assert_eq!(item, seen);
                    seen += 1;
                }
            });
            assert_eq!(outcome, Err(at));
            assert!(seen <= at);
            // A panic of the closure that takes the items.
            let outcome = caught(|| {
                (0..400usize)
                    .into_par_iter()
                    .with_ordered_iter(20, |items| {
                        for item in items {
                            if item == at {
                                planted(at)
                            }
                        }
                    })
            });
            assert_eq!(outcome, Err(at));
        }
    });
}

#[test]
fn an_iterator_that_panicked_is_over() {
    let mut items = (0..10)
        .into_par_iter()
        .map(|x| if x == 0 { planted(3) } else { x })
        .into_ordered_iter(2);
    assert_eq!(caught(|| items.next()), Err(3));
    assert_eq!(items.next(), None);
}

#[test]
#[should_panic(expected = "room for one item")]
fn a_bound_of_nothing() {
    (0..10)
        .into_par_iter()
        .with_ordered_iter(0, |items| drop(items));
}

/// While the consumer is busy, the rest goes on elsewhere; and a consumer that uses the pool itself does not hang.
#[test]
fn the_consumer_may_use_the_pool() {
    everywhere(|| {
        let total = (0..200u64)
            .into_par_iter()
            .map(|x| x * 2)
            .with_ordered_iter(16, |items| {
                items
                    .map(|x| (0..x).into_par_iter().map(|y| y % 3).sum::<u64>())
                    .sum::<u64>()
            });
        let want = (0..200u64)
            .map(|x| (0..2 * x).map(|y| y % 3).sum::<u64>())
            .sum();
        assert_eq!(total, want);
    });
}

#[test]
fn a_bridge_whose_source_uses_the_pool() {
    everywhere(|| {
        let source = (0..100u64).map(|x| (0..x).into_par_iter().sum::<u64>());
        let want: Vec<u64> = source.clone().collect();
        assert_eq!(source.par_bridge_ordered().collect::<Vec<_>>(), want);
        let nested = (0..20u64).map(|x| (0..x).par_bridge_ordered().sum::<u64>());
        let want: Vec<u64> = (0..20u64).map(|x| (0..x).sum()).collect();
        let got: Vec<u64> = nested
            .par_bridge_ordered()
            .map(|x| [x].into_iter().par_bridge_ordered().sum::<u64>())
            .collect();
        assert_eq!(got, want);
    });
}

/// Only one thread can fill them, and the consumer that fills them directly may not be the consumer that gets the first item.
#[test]
fn a_bridge_into_collections_that_one_thread_fills() {
    everywhere(|| {
        for n in [0, 1, 2, 100] {
            let text = |x: u32| x.to_string();
            let items = || (0..n).par_bridge_ordered();
            let joined: String = items().map(text).collect();
            assert_eq!(joined, (0..n).map(text).collect::<String>());
            let map: HashMap<u32, String> = items().map(|x| (x, text(x))).collect();
            assert_eq!(map, (0..n).map(|x| (x, text(x))).collect());
            let (list, mut set): (LinkedList<u32>, BTreeSet<u32>) = items().map(|x| (x, x)).unzip();
            assert!(list.into_iter().eq(0..n));
            set.par_extend(items().map(|x| x + n));
            assert!(set.into_iter().eq(0..2 * n));
        }
    });
}

#[test]
fn a_bridge_whose_source_panics() {
    everywhere(|| {
        for at in [0usize, 1, 5, 100, 1999] {
            let ledger = Ledger::new(2000);
            let mut calls = 0;
            let outcome = caught(|| {
                let source = (0..2000).map(|id| {
                    calls += 1;
                    if id == at {
                        planted(at)
                    } else {
                        ledger.token(id)
                    }
                });
                source.par_bridge_ordered().for_each(drop)
            });
            assert_eq!(outcome, Err(at));
            assert_eq!(calls, at + 1);
            ledger.assert_all_gone();
            let outcome = caught(|| {
                (0..2000).par_bridge_ordered().for_each(|x| {
                    if x == at {
                        planted(at)
                    }
                })
            });
            assert_eq!(outcome, Err(at));
        }
    });
}

/// A source that waits for what becomes of the item before: every item goes out before the next is asked for.
#[test]
fn a_bridge_whose_source_waits_for_answers() {
    for threads in [1, 2, 3] {
        within(60, move || {
            pool(threads).install(|| {
                let (ask, answers) = mpsc::channel();
                let mut asked = 0;
                let source = std::iter::from_fn(move || {
                    if asked > 0 {
                        assert_eq!(answers.recv(), Ok(asked - 1));
                    }
                    asked += 1;
                    (asked <= 50).then_some(asked - 1)
                });
                let count = source
                    .par_bridge_ordered()
                    .map(|x| ask.send(x).unwrap())
                    .count();
                assert_eq!(count, 50);
            });
        });
    }
}

#[test]
fn an_endless_bridge_ends() {
    everywhere(|| {
        assert_eq!(
            (0..).par_bridge_ordered().find_any(|&x| x == 5000),
            Some(5000)
        );
        assert_eq!(
            (0..).par_bridge_ordered().find_first(|&x| x >= 5000),
            Some(5000)
        );
        assert_eq!(
            (0..).par_bridge_ordered().take_while(|&x| x < 5000).count(),
            5000
        );
        let found = (0..)
            .par_bridge_ordered()
            .skip_while(|&x| x < 5000)
            .find_first(|&x| x % 2 == 1);
        assert_eq!(found, Some(5001));
    });
}

/// A source that has yielded enough may let its next item wait for ever, or lose it.
#[test]
fn no_bridge_asks_its_source_for_more_than_is_taken() {
    pool(1).install(|| {
        for n in [0, 1, 3, 63, 64, 65, 128, 300, 1000] {
            let mut asked = 0;
            let mut source = || {
                asked += 1;
                Some(asked)
            };
            let in_order = std::iter::from_fn(&mut source).par_bridge_ordered();
            assert_eq!(in_order.take_any(n).count(), n);
            let in_any_order = std::iter::from_fn(&mut source).par_bridge();
            assert_eq!(in_any_order.take_any(n).count(), n);
            assert_eq!(asked, 2 * n);
        }
    });
}

/// The same where what is taken comes from iterators that the items make, or lies behind a border.
#[test]
fn no_bridge_asks_its_source_for_more_than_is_taken_of_what_its_items_make() {
    pool(1).install(|| {
        for n in [1, 3, 63, 64, 65, 100, 128, 300, 1000, 10_000] {
            let mut asked = 0;
            let mut source = || {
                asked += 1;
                Some(asked)
            };
            let in_order = std::iter::from_fn(&mut source).par_bridge_ordered();
            let both = in_order.flat_map_iter(|x| vec![x; 2]);
            assert_eq!(both.take_any(2 * n).count(), 2 * n);
            let in_any_order = std::iter::from_fn(&mut source).par_bridge();
            let both = in_any_order.flat_map_iter(|x| vec![x; 2]);
            assert_eq!(both.take_any(2 * n).count(), 2 * n);
            let in_order = std::iter::from_fn(&mut source).par_bridge_ordered();
            let last = in_order.skip_while(|&x| x < 2 * n + 3).take_any(n).max();
            assert_eq!(last, Some(3 * n + 2));
            assert_eq!(asked, 3 * n + 2);
        }
    });
}

/// When items were cheap, the thread that fetches them folds tens of thousands of them alone. On a busy machine it may take longer to notice that they are
/// expensive now.
#[test]
fn expensive_items_behind_cheap_ones_are_shared() {
    for threads in [2, 3, 8] {
        let expensive = 20_000..20_500;
        let elsewhere = || {
            pool(threads).install(|| {
                let this = thread::current().id();
                let items = (0..expensive.end).par_bridge_ordered().filter(|x| {
                    if expensive.contains(x) {
                        thread::sleep(Duration::from_millis(1));
                    }
                    expensive.contains(x) && thread::current().id() != this
                });
                items.count()
            })
        };
        let is_shared = (0..10).any(|_| elsewhere() > 0);
        assert!(is_shared, "all on one of {threads} threads");
    }
}

/// Of one of two iterators no more is computed than of the iterator by itself, and of copies without an end no more than is wanted.
#[test]
fn one_of_two_and_endless_copies_are_computed_bit_by_bit() {
    within(60, || {
        for place in Place::all() {
            place.run(|| {
                let made = AtomicUsize::new(0);
                let count = |x: usize| {
                    made.fetch_add(1, SeqCst);
                    x
                };
                let items = (0..100_000usize).into_par_iter().map(count);
                let items = match made.load(SeqCst) {
                    0 => Either::Left(items),
                    _ => Either::Right(repeat_n(1, 1)),
                };
                let first =
                    items.with_ordered_iter(10, |mut items| (items.next(), made.load(SeqCst)));
                assert_eq!(first.0, Some(0));
                assert!(first.1 <= 10, "{} made", first.1);
                let copies = repeat(()).with_ordered_iter(10, |copies| copies.take(1000).count());
                assert_eq!(copies, 1000);
                let none = repeat(()).skip_while(|()| true).take_any(0);
                assert_eq!(none.count(), 0);
            });
        }
    });
}

/// The two slices of a queue are cut like one.
#[test]
fn a_queue_is_computed_bit_by_bit() {
    let mut queue: VecDeque<usize> = (10..100).collect();
    (0..10).rev().for_each(|x| queue.push_front(x));
    assert!(!queue.as_slices().1.is_empty());
    for place in Place::all() {
        place.run(|| {
            let made = AtomicUsize::new(0);
            let count = |x| {
                made.fetch_add(1, SeqCst);
                x
            };
            let first = |x: Option<usize>| (x, made.swap(0, SeqCst));
            let refs = queue.par_iter().map(|&x| count(x));
            let refs = refs.with_ordered_iter(10, |mut items| first(items.next()));
            let mut owned = queue.clone();
            let muts = owned.par_iter_mut().map(|x| count(*x));
            let muts = muts.with_ordered_iter(10, |mut items| first(items.next()));
            for (item, made) in [refs, muts] {
                assert_eq!(item, Some(0));
                assert!((1..=10).contains(&made), "{made} made");
            }
            let head: Vec<_> = queue.par_iter().copied().take_while(|&x| x < 20).collect();
            assert!(head.into_iter().eq(0..20));
        });
    }
}

/// One that no other test uses.
fn own_pool(threads: usize) -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(threads);
    builder.build().expect("threads for the tests")
}

#[test]
fn next_runs_nothing_foreign() {
    within(60, || {
        own_pool(1).install(|| {
            let ran = Arc::new(AtomicBool::new(false));
            let flag = Arc::clone(&ran);
            let mut items = (0..10).into_par_iter().into_ordered_iter(2);
            filch::spawn(move || flag.store(true, SeqCst));
            assert_eq!(items.next(), Some(0));
            assert!(!ran.load(SeqCst), "a job that may want a lock");
            let next = items.next();
            assert_eq!(next, Some(1));
            assert_eq!(filch::isolate(move || items.sum::<i32>()), 44);
            assert!(!ran.load(SeqCst), "a job that may want a lock");
        });
    });
}

/// The round waits for another pool; a job that consumes the same iterator must not begin on top of it.
#[test]
fn no_consumer_begins_on_top_of_its_round() {
    within(60, || {
        let (here, there) = (own_pool(1), own_pool(1));
        let step = Arc::new(AtomicUsize::new(0));
        let steps = Arc::clone(&step);
        let item = move |x| {
            if x == 0 {
                steps.store(1, SeqCst);
                while steps.load(SeqCst) < 2 {
                    thread::yield_now();
                }
                there.install(|| thread::sleep(Duration::from_millis(50)));
            }
            x
        };
        let items = here.install(move || (0..2).into_par_iter().map(item).into_ordered_iter(2));
        while step.load(SeqCst) < 1 {
            thread::yield_now();
        }
        let (sender, receiver) = mpsc::channel();
        here.spawn(move || sender.send(items.sum::<i32>()).unwrap());
        step.store(2, SeqCst);
        assert_eq!(receiver.recv(), Ok(1));
    });
}

/// Several consumers in one pool, each waiting for its own rounds only.
#[test]
fn consumers_that_wait_leave_each_other_alone() {
    within(60, || {
        for threads in [1, 2, 3] {
            pool(threads).install(|| {
                (0..8).into_par_iter().with_max_len(1).for_each(|i: usize| {
                    let outer = (0..100).into_par_iter().map(move |x| {
                        let inner = (0..5).into_par_iter().map(move |y| x + y);
                        i + inner.into_ordered_iter(2).sum::<usize>()
                    });
                    let want: usize = (0..100).map(|x| 5 * (i + x) + 10 - 4 * i).sum();
                    assert_eq!(outer.into_ordered_iter(4).sum::<usize>(), want);
                });
            });
        }
    });
}

#[test]
fn items_that_leave_for_another_pool_and_come_back() {
    within(60, || {
        for threads in [1, 2] {
            let (here, there) = (Arc::new(own_pool(threads)), Arc::new(own_pool(1)));
            let (home, away) = (Arc::clone(&here), Arc::clone(&there));
            let trip = move |x: usize| away.install(|| home.install(|| x));
            let chain = (0..1000).into_par_iter().map(trip);
            let items = here.install(|| chain.clone().into_ordered_iter(1000));
            assert_eq!(items.sum::<usize>(), 499_500);
            // An isolated thread helps with items that come back to it.
            let items = here.install(|| chain.clone().into_ordered_iter(1000));
            let sum = there.install(|| filch::isolate(move || items.sum::<usize>()));
            assert_eq!(sum, 499_500);
            let sum = here.install(|| chain.into_ordered_iter(1000).sum::<usize>());
            assert_eq!(sum, 499_500);
        }
    });
}

/// An adaptor that needs all items before it can hand out the first.
struct Sorted<I>(I);

impl<I> ParallelIterator for Sorted<I>
where
    I: ParallelIterator<Item: Ord>,
{
    type Item = I::Item;

    fn drive_unindexed<C: UnindexedConsumer<I::Item>>(self, consumer: C) -> C::Result {
        let mut all: Vec<_> = self.0.collect();
        all.par_sort();
        all.into_par_iter().drive_unindexed(consumer)
    }

    fn with_rounds<CB: RoundsCallback<I::Item>>(self, callback: CB) -> CB::Output {
        let mut all: Vec<_> = self.0.collect();
        all.par_sort();
        all.into_par_iter().with_rounds(callback)
    }
}

#[test]
fn what_comes_before_the_first_round_is_done_in_the_pool_too() {
    within(60, || {
        own_pool(1).install(|| {
            let item = |x: u64| {
                assert_eq!(filch::current_num_threads(), 1);
                x * 7 % 1009
            };
            let items = (0..1009).into_par_iter().map(item);
            assert!(Sorted(items).into_ordered_iter(10).eq(0..1009));
        });
    });
}

#[test]
fn items_that_need_the_pool_of_who_waits_for_them() {
    within(60, || {
        let (here, there) = (own_pool(1), Arc::new(own_pool(1)));
        let needed = Arc::clone(&there);
        let item = move |x: usize| {
            let (sender, receiver) = mpsc::channel();
            needed.spawn(move || sender.send(x).unwrap());
            receiver.recv().unwrap()
        };
        let items = here.install(|| (0..100).into_par_iter().map(item).into_ordered_iter(10));
        assert_eq!(there.install(|| items.sum::<usize>()), 4950);
    });
}

/// The only thread of the pool that computes the items is inside an isolated call, and waits for a thread of another pool, which waits for the items. So that
/// thread computes them itself, also if they need its own pool.
#[test]
fn items_of_a_pool_whose_threads_wait_for_their_consumer() {
    within(60, || {
        let (here, there) = (own_pool(1), Arc::new(own_pool(1)));
        let needed = Arc::clone(&there);
        let plain = |x: usize| x;
        let there_and_back = move |x: usize| needed.install(|| x);
        let items = || (0..100).into_par_iter().map(plain).into_ordered_iter(10);
        let sum = here.install(|| {
            let items = items();
            filch::isolate(|| there.install(|| items.sum::<usize>()))
        });
        assert_eq!(sum, 4950);
        let begun = || {
            filch::isolate(|| {
                let items = items();
                there.install(|| items.sum::<usize>())
            })
        };
        assert_eq!(here.install(begun), 4950);
        let sum = here.install(|| {
            let items = (0..100).into_par_iter().map(there_and_back);
            let items = items.into_ordered_iter(10);
            filch::isolate(|| there.install(|| items.sum::<usize>()))
        });
        assert_eq!(sum, 4950);
    });
}

/// What an item sends to another pool comes back from there, to a pool whose threads wait: one inside that item, the other one for it. Both are bound to calls of their own.
fn comes_back(here: &Arc<ThreadPool>) -> impl Fn(i32) -> i32 + Clone + Send + Sync + use<> {
    let (home, away) = (Arc::clone(here), Arc::new(own_pool(1)));
    move |x| {
        thread::sleep(Duration::from_millis(5));
        filch::isolate(|| away.install(|| filch::isolate(|| home.install(|| x))))
    }
}

#[test]
fn items_that_come_back_to_a_pool_that_waits_for_them() {
    within(60, || {
        for threads in [1, 2, 3] {
            let here = Arc::new(own_pool(threads));
            let item = comes_back(&here);
            let job = move || {
                let items = (0..3).into_par_iter().map(item);
                items.into_ordered_iter(1).sum::<i32>()
            };
            assert_eq!(here.spawn_handle(job).join().unwrap(), 3);
        }
    });
}

#[test]
fn rounds_that_come_back_to_a_pool_that_waits_for_them() {
    within(60, || {
        let here = Arc::new(own_pool(2));
        let item = comes_back(&here);
        let job = move || {
            let items = (0..10).into_par_iter().map(item);
            // The other thread computes the next round meanwhile.
            let slowly = |_: &i32| thread::sleep(Duration::from_millis(2));
            items.with_ordered_iter(2, |items| items.inspect(slowly).sum::<i32>())
        };
        assert_eq!(here.spawn_handle(job).join().unwrap(), 45);
    });
}

#[test]
fn batches_that_come_back_to_a_pool_that_waits_for_them() {
    within(60, || {
        let here = Arc::new(own_pool(2));
        let item = comes_back(&here);
        for _ in 0..10 {
            let item = item.clone();
            // The other thread takes the only item.
            let end = || {
                thread::sleep(Duration::from_millis(20));
                None
            };
            let items = std::iter::once(1).chain(std::iter::from_fn(end));
            let job = move || items.par_bridge_ordered().map(item).sum::<i32>();
            assert_eq!(here.spawn_handle(job).join().unwrap(), 1);
        }
    });
}

#[test]
fn a_source_that_comes_back_to_a_pool_that_waits_for_it() {
    within(60, || {
        let here = Arc::new(own_pool(2));
        let item = comes_back(&here);
        let job = move || {
            let slowly = |_: &i32| thread::sleep(Duration::from_millis(2));
            let items = (0..10).map(item).par_bridge();
            items.inspect(slowly).sum::<i32>()
        };
        assert_eq!(here.spawn_handle(job).join().unwrap(), 45);
    });
}

/// Inside an isolated call a thread waits for items of another pool. While it sleeps, first its call and then an item need it.
#[test]
fn who_waits_elsewhere_is_called_for_either_work() {
    // The thread blocks until another one of its pool has run what it spawns.
    fn both() -> i32 {
        let (sender, receiver) = mpsc::channel();
        filch::in_place_scope(|scope| {
            scope.spawn(move |_| sender.send(1).unwrap());
            filch::blocking(|| receiver.recv().unwrap())
        })
    }
    within(60, || {
        let (here, there) = (own_pool(1), Arc::new(own_pool(2)));
        let away = Arc::clone(&there);
        let (go_on, may_go_on) = mpsc::channel();
        let item = move |_| {
            thread::sleep(Duration::from_millis(20));
            away.install(both)
        };
        let source = may_go_on.into_iter().par_bridge_ordered();
        let items = here.install(|| source.map(item).into_ordered_iter(1));
        let call = || {
            let second = move || {
                thread::sleep(Duration::from_millis(20));
                let done = both();
                go_on.send(()).unwrap();
                done
            };
            filch::join(|| items.sum::<i32>(), second)
        };
        assert_eq!(there.install(|| filch::isolate(call)), (1, 1));
    });
}

/// Both threads of a pool wait inside isolated calls for items of another pool. They leave their rights to callers whose work neither may run.
#[test]
fn consumers_leave_their_pool_to_its_callers() {
    within(60, || {
        let (here, there) = (own_pool(2), Arc::new(own_pool(2)));
        let callers: Vec<_> = (0..3).map(|_| own_pool(1)).collect();
        for round in 0..200 {
            let (ready, are_ready) = mpsc::channel();
            let (done, are_done) = mpsc::channel();
            let go_on = [(); 2].map(|()| {
                let (go_on, may_go_on) = mpsc::channel();
                let may_go_on = Mutex::new(may_go_on);
                let item = move |_| -> () { may_go_on.lock().unwrap().recv().unwrap() };
                let items = || (0..1).into_par_iter().map(item).into_ordered_iter(1);
                let mut items = there.install(items);
                let (ready, done) = (ready.clone(), done.clone());
                here.spawn(move || {
                    filch::isolate(move || {
                        ready.send(()).unwrap();
                        items.next().unwrap();
                    });
                    done.send(()).unwrap();
                });
                go_on
            });
            (0..2).for_each(|_| are_ready.recv().unwrap());
            // They have lain down, or are about to.
            thread::sleep(Duration::from_micros(round * 7 % 500));
            thread::scope(|scope| {
                for caller in &callers {
                    let call = || {
                        filch::isolate(|| here.install(|| filch::join(|| costly(0), || costly(1))))
                    };
                    scope.spawn(move || (0..4).for_each(|_| _ = caller.install(call)));
                }
            });
            go_on.iter().for_each(|it| it.send(()).unwrap());
            (0..2).for_each(|_| are_done.recv().unwrap());
        }
    });
}
