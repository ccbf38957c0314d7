//! Searches: the exact position where an end promises one, any right one where it does not.

use crate::support::{Flag, Place, costly, ints, oracle, pool, same_everywhere, within};
use filch::ThreadPoolBuilder;
use filch::iter::once;
use filch::iter::plumbing::Cuts;
use filch::prelude::*;
use std::cmp::Ordering::{Equal, Greater, Less};
use std::iter::{once_with, repeat_with};
use std::mem::take;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{
    Arc, Mutex,
    mpsc::{self, RecvTimeoutError},
};
use std::thread;
use std::time::{Duration, Instant};

#[test]
fn first_and_last() {
    let good = |x: &i32| costly(*x) % 50 == 7;
    oracle(
        ints(),
        move |v| {
            let v = || v.par_iter().copied().enumerate();
            (
                v().find_first(|(_, x)| good(x)),
                v().find_last(|(_, x)| good(x)),
            )
        },
        move |v| {
            let mut v = v.iter().copied().enumerate();
            let first = v.clone().find(|(_, x)| good(x));
            (first, v.rfind(|(_, x)| good(x)))
        },
    );
}

#[test]
fn positions() {
    let good = |x: &i32| costly(*x) % 50 == 7;
    oracle(
        ints(),
        move |v| {
            (
                v.par_iter().position_first(good),
                v.par_iter().position_last(good),
            )
        },
        move |v| (v.iter().position(good), v.iter().rposition(good)),
    );
}

/// There is nothing to choose from when one item matches.
#[test]
fn any_position_of_the_only_one() {
    for place in Place::all() {
        for at in [0, 1, 499, 998, 999] {
            let (position, item) = place.run(|| {
                let n = || (0..1000).into_par_iter();
                (n().position_any(|x| x == at), n().find_any(|x| *x == at))
            });
            assert_eq!((position, item), (Some(at), Some(at)), "{place:?}");
        }
    }
}

#[test]
fn any_gives_a_right_one_or_none() {
    for place in Place::all() {
        place.run(|| {
            let n = || (0..1000usize).into_par_iter();
            assert!(n().find_any(|x| x % 10 == 3).is_some_and(|x| x % 10 == 3));
            assert!(
                n().position_any(|x| x % 10 == 3)
                    .is_some_and(|x| x % 10 == 3)
            );
            assert_eq!(n().find_any(|x| *x > 1000), None);
            assert_eq!(n().position_any(|x| x > 1000), None);
        });
    }
}

/// The first and the last of the matches in every short arrangement of two: what is found on the
/// right says nothing about the left, nor the other way round.
#[test]
fn first_and_last_of_two_anywhere() {
    same_everywhere(
        || {
            let mut found = Vec::new();
            for a in 0..24 {
                for b in a..24 {
                    let n = || (0..24).into_par_iter().with_max_len(1 + (a + b) % 5);
                    let hit = |x: usize| x == a || x == b;
                    found.push((n().position_first(hit), n().position_last(hit)));
                    found.push((n().find_first(|x| hit(*x)), n().find_last(|x| hit(*x))));
                }
            }
            found
        },
        || {
            let pairs = (0..24).flat_map(|a| (a..24).map(move |b| (Some(a), Some(b))));
            pairs.flat_map(|pair| [pair; 2]).collect()
        },
    );
}

/// Searches through iterators without positions.
#[test]
fn first_and_last_behind_filter_and_flat_map() {
    oracle(
        ints(),
        |v| {
            let v = || {
                v.par_iter()
                    .filter(|x| costly(**x) % 2 == 0)
                    .flat_map(|&x| [x, x + 1])
            };
            (
                v().find_first(|x| x % 31 == 0),
                v().find_last(|x| x % 31 == 0),
            )
        },
        |v| {
            let mut v = v.iter().filter(|x| **x % 2 == 0).flat_map(|&x| [x, x + 1]);
            (v.clone().find(|x| x % 31 == 0), v.rfind(|x| x % 31 == 0))
        },
    );
}

/// The item that ends a search, in the first of two sequential iterators. The second has no end; the first waits until another thread has begun it.
const HIT: u64 = 7;

fn hit_and_endless() -> Vec<Box<dyn Iterator<Item = u64> + Send>> {
    let begun = Arc::new(Flag::new());
    let waits = Arc::clone(&begun);
    let hit = once_with(move || {
        waits.wait();
        HIT
    });
    let mut is_first = true;
    let endless = repeat_with(move || {
        if take(&mut is_first) {
            begun.set();
        }
        0
    });
    vec![Box::new(hit), Box::new(endless)]
}

/// Runs an end on both kinds of iterators over sequential ones, on two threads of which each takes one.
macro_rules! ends_the_other {
    ($($want:expr, |$items:ident| $end:expr;)*) => { $(
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.force_cuts(Cuts::Always);
        pool.install(|| {
            let $items = hit_and_endless().into_par_iter().flatten_iter();
            assert_eq!($end, $want);
            let $items = hit_and_endless().into_par_iter().flat_map_iter(|items| items);
            assert_eq!($end, $want);
        });
    )* };
}

/// A hit in one sequential iterator ends another one that is never over by itself.
#[test]
fn a_hit_ends_a_sequential_iterator_without_an_end() {
    within(60, || {
        let is_hit = |n: &u64| *n == HIT;
        let fails = |n: u64| if n == HIT { Err(n) } else { Ok(()) };
        let passes = |n: u64| if n == HIT { None } else { Some(n) };
        ends_the_other! {
            Some(HIT), |items| items.find_any(is_hit);
            Some(HIT), |items| items.find_first(is_hit);
            true, |items| items.map(|n| n + 1).any(|n| n == HIT + 1);
            [HIT], |items| items.filter(is_hit).take_any(1).collect::<Vec<_>>();
            Err(HIT), |items| items.try_for_each(fails);
            None, |items| items.map(passes).try_reduce(|| 0, |a, b| Some(a | b));
            None, |items| items.map(passes).sum::<Option<u64>>();
            0, |items| items.map(passes).while_some().reduce(|| 0, |a, b| a | b);
            Err(HIT), |items| items.filter(is_hit).map(fails).collect::<Result<Vec<_>, _>>();
        }
    });
}

/// Two sequential iterators. The first has a hit; the second has so few items that they are folded in one go, unless they take long.
#[derive(Default)]
struct HitAndSlow {
    begun: Flag,
    hit: Flag,
    seen: AtomicUsize,
}

impl HitAndSlow {
    const SLOW: usize = 1000;

    fn of(n: usize) -> std::ops::Range<usize> {
        match n {
            0 => 0..1,
            _ => 1..Self::SLOW + 1,
        }
    }

    /// The hit comes when the other iterator is begun.
    fn is_hit(&self, n: usize) -> bool {
        if n == 0 {
            self.begun.wait();
            self.hit.set();
            return true;
        }
        self.begun.set();
        self.hit.wait();
        self.seen.fetch_add(1, Relaxed);
        thread::sleep(Duration::from_millis(1));
        false
    }
}

/// A hit ends a short iterator of slow items, too.
#[test]
fn a_hit_soon_ends_a_short_iterator_of_slow_items() {
    let searches: [fn(&HitAndSlow) -> bool; 3] = [
        |two| {
            let items = (0..2).into_par_iter().flat_map_iter(HitAndSlow::of);
            items.any(|n| two.is_hit(n))
        },
        |two| {
            let iters = (0..2).into_par_iter().map(HitAndSlow::of);
            iters.flatten_iter().any(|n| two.is_hit(n))
        },
        |two| {
            let inner = |n| once(n).flat_map_iter(HitAndSlow::of);
            let items = (0..2).into_par_iter().flat_map(inner);
            items.find_first(|n| two.is_hit(*n)).is_some()
        },
    ];
    within(60, move || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.force_cuts(Cuts::Always);
        for search in searches {
            let two = HitAndSlow::default();
            assert!(pool.install(|| search(&two)));
            let seen = two.seen.into_inner();
            assert!(seen < HitAndSlow::SLOW, "{seen}");
        }
    });
}

/// A predicate that counts its calls.
type Look<'a> = dyn Fn(usize) -> bool + Sync + 'a;

/// A search for the only item that `look` likes, which ends the search.
type Search = fn(items: usize, look: &Look);

/// Every end, and every adaptor, that stops at a match.
const SEARCHES: [(&str, Search); 15] = {
    macro_rules! n {
        ($items:ident) => {
            (0..$items).into_par_iter().with_max_len($items / 256)
        };
    }
    fn not(look: &Look, x: usize) -> Option<usize> {
        (!look(x)).then_some(x)
    }
    [
        ("find_first", |items, look| {
            assert_eq!(n!(items).find_first(|x| look(*x)), Some(10));
        }),
        ("find_any", |items, look| {
            assert_eq!(n!(items).find_any(|x| look(*x)), Some(10));
        }),
        ("find_map_first", |items, look| {
            let found = n!(items).find_map_first(|x| look(x).then_some(x));
            assert_eq!(found, Some(10));
        }),
        ("find_map_any", |items, look| {
            let found = n!(items).find_map_any(|x| look(x).then_some(x));
            assert_eq!(found, Some(10));
        }),
        ("position_first", |items, look| {
            assert_eq!(n!(items).position_first(look), Some(10));
        }),
        ("position_any", |items, look| {
            assert_eq!(n!(items).position_any(look), Some(10));
        }),
        ("any", |items, look| assert!(n!(items).any(look))),
        ("all", |items, look| assert!(!n!(items).all(|x| !look(x)))),
        ("try_for_each", |items, look| {
            assert!(n!(items).try_for_each(|x| not(look, x).map(drop)).is_none());
        }),
        ("try_fold", |items, look| {
            let sum = n!(items).try_fold(|| 0, |sum, x| Some(sum + not(look, x)?));
            assert!(sum.try_reduce(|| 0, |a, b| Some(a + b)).is_none());
        }),
        ("try_reduce", |items, look| {
            let sum = n!(items).map(|x| not(look, x));
            assert!(sum.try_reduce(|| 0, |a, b| Some(a + b)).is_none());
        }),
        ("collect", |items, look| {
            let all: Option<Vec<usize>> = n!(items).map(|x| not(look, x)).collect();
            assert!(all.is_none());
        }),
        ("while_some", |items, look| {
            n!(items).map(|x| not(look, x)).while_some().for_each(drop);
        }),
        ("take_any_while", |items, look| {
            n!(items).take_any_while(|x| !look(*x)).for_each(drop);
        }),
        ("eq", |items, look| {
            let never = n!(items).map(|_| true);
            assert!(!n!(items).map(|x| !look(x)).eq(never));
        }),
    ]
};

/// One thread goes from left to right and looks at nothing behind the match.
#[test]
fn searches_of_one_thread_look_no_further() {
    for (name, search) in SEARCHES {
        let looks = AtomicUsize::new(0);
        pool(1).install(|| {
            search(50_000, &|x| {
                looks.fetch_add(1, Relaxed);
                x == 10
            });
        });
        assert_eq!(looks.into_inner(), 11, "{name}");
    }
}

/// The match waits until another thread looks at what is behind it, and that thread waits until the match was seen. From then on a look costs time: a search
/// that went on to the end would take seconds and see every item.
#[test]
fn searches_end_early() {
    const N: usize = 50_000;
    for threads in [2, 3, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.unwrap();
        for (name, search) in SEARCHES {
            let (looks, behind, seen) = (AtomicUsize::new(0), Flag::new(), Flag::new());
            let look = |x: usize| {
                looks.fetch_add(1, Relaxed);
                match x.cmp(&10) {
                    Less => {}
                    Equal => {
                        behind.wait();
                        seen.set();
                    }
                    Greater => {
                        behind.set();
                        seen.wait();
                        thread::sleep(Duration::from_micros(20));
                    }
                }
                x == 10
            };
            pool.install(|| search(N, &look));
            let looks = looks.into_inner();
            assert!(looks < N / 2, "{name} on {threads} threads: {looks} looks");
        }
    }
}

/// These are too long to be walked to the end.
#[test]
fn searches_in_very_long_ranges() {
    for place in Place::all() {
        place.run(|| {
            let long = || (0..u64::MAX).into_par_iter();
            assert_eq!(long().find_first(|x| *x >= 5), Some(5));
            assert!(long().any(|x| x > 100));
            assert!(!long().all(|x| x < 100));
            let stopped = long().try_for_each(|x| if x == 9 { Err(x) } else { Ok(()) });
            assert_eq!(stopped, Err(9));
        });
    }
}

/// A search from the left sends no thread to the middle: a thread that looks for work gets the positions that come next, behind a stretch of about
/// 100 us, or of a share of what is before it.
#[test]
fn nobody_is_sent_to_the_middle() {
    const N: usize = 50_000;
    for threads in [2, 3, 8] {
        let (furthest, too_far) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // Each takes 2 us at least, so a stretch has at most about 64 where few are before it.
        let look = |at: usize| {
            let before = furthest.fetch_max(at, Relaxed);
            // When no thread has looked at anything of its stretch yet, a thread can be as many stretches ahead as there are threads, each of
            // which adds a share of (1 + 1 / threads).
            if at > 3 * before + 2_000 {
                too_far.fetch_max(at, Relaxed);
            }
            let start = Instant::now();
            while start.elapsed() < Duration::from_micros(2) {}
            at
        };
        let check = |what: &str| {
            assert_eq!(furthest.swap(0, Relaxed), N - 1, "{what}");
            assert_eq!(too_far.load(Relaxed), 0, "{what}, {threads} threads");
        };
        pool(threads).install(|| {
            let n = || (0..N).into_par_iter().map(look);
            assert_eq!(n().find_first(|&at| at == N), None);
            check("find_first");
            assert_eq!(n().position_first(|at| at == N), None);
            check("position_first");
            let odd = n().filter(|at| at % 2 == 1);
            assert_eq!(odd.find_map_first(|at| (at == N).then_some(at)), None);
            check("find_map_first");
            assert_eq!(n().take_any_while(|&at| at < N).count(), N);
            check("take_any_while");
            let long = (0..u64::MAX).into_par_iter().map(|at| look(at as usize));
            assert_eq!(long.find_first(|&at| at >= N), Some(N));
            furthest.store(N - 1, Relaxed);
            check("find_first in 2^64");
        });
    }
}

/// The items that a search has no more use for are dropped before it waits for other threads: one of those may wait for that.
#[test]
fn what_is_left_is_dropped_before_a_wait() {
    const N: usize = 1_000;
    let (sender, receiver) = mpsc::channel::<()>();
    let receiver = Mutex::new(receiver);
    let (begun, ended) = (Flag::new(), AtomicUsize::new(0));
    let items: Vec<(usize, Option<mpsc::Sender<()>>)> = (0..N)
        .map(|i| (i, (0 < i && i < N / 2).then(|| sender.clone())))
        .collect();
    drop(sender);
    let found = pool(2).install(|| {
        items.into_par_iter().any(|(i, held)| {
            drop(held);
            if i == 0 {
                begun.wait();
            }
            if i == N / 2 {
                begun.set();
                let last = receiver
                    .lock()
                    .unwrap()
                    .recv_timeout(Duration::from_secs(20));
                ended.store(
                    usize::from(last == Err(RecvTimeoutError::Disconnected)),
                    Relaxed,
                );
            }
            i == 0
        })
    });
    assert!(found);
    assert_eq!(ended.into_inner(), 1, "they were not dropped in time");
}
