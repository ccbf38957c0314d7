//! Work that is worth sharing gets shared, also where the site was known to be cheap.
//!
//! Each test waits until other threads come. If the driver took a shortcut and shared nothing, none would come. The limits are so generous that only a
//! thread that never comes can exceed them.

use crate::support::{Flag, Meeting, Muster, alone, planted, within};
use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

fn new_pool(threads: usize) -> ThreadPool {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
}

#[test]
fn two_items_from_outside_use_two_threads_at_the_first_call() {
    alone(2, 30, || {
        let both = Meeting::of(2);
        [5, 5].par_iter().for_each(|&ms| {
            both.attend();
            thread::sleep(Duration::from_millis(ms));
        });
    });
}

#[test]
fn two_closures_from_outside_use_two_threads_at_the_first_call() {
    alone(2, 30, || {
        let both = Meeting::of(2);
        filch::join(|| both.attend(), || both.attend());
    });
}

#[test]
fn two_items_in_a_pool_use_two_threads() {
    within(30, || {
        let both = Meeting::of(2);
        new_pool(2).install(|| [5, 5].par_iter().for_each(|_| both.attend()));
    });
}

/// The other thread is at work until the first of the two is begun, so it asks for nothing before. A thread that lost its processor amid the cheap items takes
/// them for what was expensive, so this is tried a few times.
#[test]
fn the_last_of_two_expensive_items_is_there_for_a_thread_that_is_free_while_the_first_is_folded() {
    const ITEMS: usize = 10_000;
    const CALLS: usize = 50;

    fn meet(begun: &Flag) -> bool {
        let both = Muster::of(2);
        (0..ITEMS).into_par_iter().for_each(|i| {
            if std::hint::black_box(i) >= ITEMS - 2 {
                begun.set();
                both.stay(Duration::from_millis(20));
            }
        });
        both.is_full()
    }

    within(120, || {
        let pool = new_pool(2);
        let try_once = || {
            let (busy, begun) = (Flag::new(), Flag::new());
            let call = || {
                busy.wait();
                meet(&begun)
            };
            let other = || {
                busy.set();
                begun.wait();
            };
            pool.install(|| filch::join(call, other).0)
        };
        // What they cost is not known before.
        try_once();
        assert!((1..CALLS).any(|_| try_once()));
    });
}

/// Jobs beside a loop that is not cut. They begin while it goes on, because it answers threads that ask at each look.
#[test]
fn a_loop_that_is_not_cut_gives_away_what_waits_beside_it() {
    const JOBS: usize = 64;

    fn beside(jobs: usize, begun: &AtomicUsize, run: &(dyn Fn() + Sync)) {
        if jobs == 0 {
            return run();
        }
        filch::join(
            || beside(jobs - 1, begun, run),
            || _ = begun.fetch_add(1, Relaxed),
        );
    }
    fn check(run: fn(&(dyn Fn() -> bool + Sync))) {
        within(30, move || {
            let begun = AtomicUsize::new(0);
            let all = || begun.load(Relaxed) == JOBS;
            new_pool(2).install(|| beside(JOBS, &begun, &|| run(&all)));
        });
    }
    check(|all| {
        const LEN: usize = usize::MAX / 2;
        let items = (0..LEN).into_par_iter().with_min_len(LEN);
        assert!(items.any(|_| all()));
    });
    // Calls that are too short to be cut, one after the other.
    check(|all| {
        while !all() {
            site(2, &Cost::Nothing);
        }
    });
}

/// Parts that have to be cut are on offer before the first item is folded, even where all were cheap: it may wait for an item of another part.
#[test]
fn parts_of_a_greatest_length_are_on_offer_at_a_cheap_site() {
    fn parts(attend: impl Fn() + Sync) {
        [(); 2].par_iter().with_max_len(1).for_each(|()| attend());
    }
    within(30, || {
        let pool = new_pool(2);
        let site = |both: Option<&Meeting>| {
            parts(|| _ = both.map(Meeting::attend));
        };
        pool.install(|| (0..1000).for_each(|_| site(None)));
        let (looks, met) = (Arc::new(Flag::new()), Arc::new(Flag::new()));
        // A thread that looks for work all the time, so it is not to be woken.
        pool.spawn({
            let (looks, met) = (Arc::clone(&looks), Arc::clone(&met));
            move || {
                looks.set();
                while !met.is_set() {
                    filch::yield_now();
                }
            }
        });
        looks.wait();
        pool.install(|| site(Some(&Meeting::of(2))));
        met.set();
    });
}

/// What one item of the site costs.
enum Cost<'a> {
    Nothing,
    /// The first item takes a while, the others wait until another thread has come too.
    Company(&'a AtomicUsize, &'a Meeting),
    /// Each takes 10 ms or more, until all threads have come.
    Muster(&'a Muster),
}

impl Cost<'_> {
    fn pay(&self, x: usize) -> usize {
        match self {
            Cost::Nothing => {}
            Cost::Company(begun, both) => match begun.fetch_add(1, Relaxed) {
                0 => thread::sleep(Duration::from_millis(10)),
                1 | 2 => both.attend(),
                _ => {}
            },
            Cost::Muster(muster) => {
                if !muster.is_full() {
                    thread::sleep(Duration::from_millis(10));
                    muster.stay(Duration::from_millis(100));
                }
            }
        }
        x
    }
}

/// The site: one piece of code for cheap and for expensive items.
fn site(n: usize, cost: &Cost) -> usize {
    (0..n).into_par_iter().map(|x| cost.pay(x)).sum()
}

fn site_over_slice(v: &[usize], cost: &Cost) -> usize {
    v.par_iter().map(|&x| cost.pay(x)).sum()
}

fn teach_that_it_is_cheap() {
    let v: Vec<usize> = (0..100).collect();
    for _ in 0..1000 {
        assert_eq!(site(100, &Cost::Nothing), 4950);
        assert_eq!(site_over_slice(&v, &Cost::Nothing), 4950);
    }
}

/// From the second item on: while the second runs, another thread begins a third.
#[test]
fn expensive_items_at_a_cheap_site_are_shared_from_the_second_item_on() {
    fn check() {
        teach_that_it_is_cheap();
        let (begun, both) = (AtomicUsize::new(0), Meeting::of(2));
        assert_eq!(site(100, &Cost::Company(&begun, &both)), 4950);
        teach_that_it_is_cheap();
        let (begun, both) = (AtomicUsize::new(0), Meeting::of(2));
        let v: Vec<usize> = (0..100).collect();
        assert_eq!(site_over_slice(&v, &Cost::Company(&begun, &both)), 4950);
    }
    within(40, || new_pool(2).install(check));
    within(40, || new_pool(8).install(check));
    alone(2, 40, || {
        check();
    });
}

#[test]
fn expensive_items_at_a_cheap_site_use_all_threads() {
    fn check() {
        let threads = filch::current_num_threads();
        teach_that_it_is_cheap();
        let muster = Muster::of(threads);
        assert_eq!(site(100, &Cost::Muster(&muster)), 4950);
        assert_eq!(muster.seen(), threads);
        teach_that_it_is_cheap();
        let muster = Muster::of(threads);
        let v: Vec<usize> = (0..100).collect();
        assert_eq!(site_over_slice(&v, &Cost::Muster(&muster)), 4950);
        assert_eq!(muster.seen(), threads);
    }
    for threads in [2, 3, 8] {
        within(60, move || new_pool(threads).install(check));
    }
}

#[test]
fn expensive_items_at_a_cheap_site_use_all_threads_from_outside() {
    alone(8, 60, || {
        teach_that_it_is_cheap();
        let muster = Muster::of(8);
        assert_eq!(site(100, &Cost::Muster(&muster)), 4950);
        assert_eq!(muster.seen(), 8);
    });
}

/// All of the cost in one stretch of the items: each stays for a while, until all threads have
/// come. Other threads have to take most of the stretch while the thread that got it runs it.
fn check_stretch(threads: usize, stretch: Range<usize>) {
    within(60, move || {
        let muster = Muster::of(threads);
        let sum = new_pool(threads).install(|| {
            let n = (0..100_000usize).into_par_iter();
            n.map(|x| {
                if stretch.contains(&x) {
                    muster.stay(Duration::from_millis(2));
                }
                x
            })
            .sum::<usize>()
        });
        assert_eq!((sum, muster.seen()), (4_999_950_000, threads));
    });
}

#[test]
fn an_expensive_head_is_shared() {
    check_stretch(2, 0..5000);
    check_stretch(8, 0..5000);
}

#[test]
fn an_expensive_tail_is_shared() {
    check_stretch(2, 95_000..100_000);
    check_stretch(8, 95_000..100_000);
}

/// Cheap items, and a few expensive ones at their end, so few that one block could hold them all. Once the site has been seen, they
/// are shared, at least in one of a few `calls`.
fn check_short_tail(items: usize, expensive: usize, calls: usize) {
    within(60, move || {
        let shared = new_pool(2).install(|| {
            let call = |_| {
                let muster = Muster::of(2);
                let n = (0..items).into_par_iter();
                let sum = n.map(|x| {
                    if x >= items - expensive {
                        muster.stay(Duration::from_millis(10));
                    }
                    x
                });
                assert_eq!(sum.sum::<usize>(), items * (items - 1) / 2);
                muster.seen() == 2
            };
            (0..calls).any(call)
        });
        assert!(shared, "{expensive} of {items}");
    });
}

#[test]
fn a_short_expensive_tail_is_shared_once_it_is_known() {
    check_short_tail(10_000, 40, 10);
    check_short_tail(100_000, 40, 10);
}

fn fib(n: u32) -> u32 {
    if n < 2 {
        return n;
    }
    let (a, b) = filch::join(|| fib(n - 1), || fib(n - 2));
    a + b
}

/// Eight leaves at the ends of a tree of joins, each of which waits for all others.
fn tree(depth: u32, leaf: &(dyn Fn() + Sync)) {
    match depth {
        0 => leaf(),
        _ => {
            filch::join(|| tree(depth - 1, leaf), || tree(depth - 1, leaf));
        }
    }
}

#[test]
fn no_leaf_is_hidden_after_a_warm_up() {
    within(60, || {
        let pool = new_pool(8);
        for _ in 0..20 {
            assert_eq!(pool.install(|| fib(16)), 987);
            let all = Meeting::of(8);
            pool.install(|| tree(3, &|| all.attend()));
        }
    });
}

/// The warm-up and the tree in one call.
#[test]
fn no_leaf_is_hidden_after_a_warm_up_in_the_same_call() {
    within(60, || {
        let pool = new_pool(8);
        for _ in 0..20 {
            let all = Meeting::of(8);
            pool.install(|| {
                assert_eq!(fib(16), 987);
                tree(3, &|| all.attend());
            });
        }
    });
}

/// A descent to one long leaf: what was left by the way is done meanwhile.
#[test]
fn a_long_leaf_hides_nothing() {
    fn descend(left: usize, done: &AtomicUsize, all_done: &Flag) {
        if left == 0 {
            return all_done.wait();
        }
        filch::join(
            || descend(left - 1, done, all_done),
            || {
                if done.fetch_add(1, Relaxed) + 1 == 5 {
                    all_done.set();
                }
            },
        );
    }
    within(60, || {
        let pool = new_pool(8);
        for _ in 0..20 {
            assert_eq!(pool.install(|| fib(16)), 987);
            let (done, all_done) = (AtomicUsize::new(0), Flag::new());
            pool.install(|| descend(5, &done, &all_done));
        }
    });
}

/// After a panic everything is as before.
#[test]
fn work_is_shared_after_a_panic() {
    within(60, || {
        let pool = new_pool(3);
        for round in 0..20 {
            let outcome = crate::support::caught(|| {
                pool.install(|| {
                    (0..50usize).into_par_iter().for_each(|x| {
                        if x == 7 {
                            planted(x)
                        }
                    })
                })
            });
            assert_eq!(outcome, Err(7), "round {round}");
            let all = Muster::of(3);
            let stay = |_| all.stay(Duration::from_millis(100));
            pool.install(|| (0..100).into_par_iter().for_each(stay));
            assert_eq!(all.seen(), 3, "round {round}");
        }
    });
}
