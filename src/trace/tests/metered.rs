//! Tests: the meter of work and span, by a clock that only the closures move, against closed forms and an evaluator.

use super::alone;
use crate::core::meter::{BURDENED, KINDS, Measured, RULES, Rules, SPAN, WORST};
use crate::core::policy;
use crate::prelude::*;
use crate::trace::measure::{measure, measure_for, metered};
use crate::{ThreadPoolBuilder, join, scope, scope_fifo, spawn};
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

thread_local! {
    static NOW: Cell<u64> = const { Cell::new(1) };
}

/// Takes so long.
fn take(ticks: u64) {
    NOW.set(NOW.get() + ticks);
}

/// Both at the same time.
fn both(left: u64, right: u64) {
    join(|| take(left), || take(right));
}

const BURDEN: u64 = 1_000;
const SHARE: u64 = 100;

/// Work and paths of `f`.
fn figures<R: Send>(f: impl FnOnce() -> R + Send) -> Measured {
    let rules = Rules {
        clock: || NOW.get(),
        overhead: [0; KINDS],
        burden: BURDEN,
        share: SHARE,
        threads: 64,
    };
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| metered(rules, f)).1
}

fn work_and_span(f: impl FnOnce() + Send) -> (u64, u64) {
    let measured = figures(f);
    (measured.work, measured.paths[SPAN])
}

/// Each call takes 1 before its children, 2 after them, and 5 if it has none.
fn fib(n: u64) {
    if n < 2 {
        return take(5);
    }
    take(1);
    join(|| fib(n - 1), || fib(n - 2));
    take(2);
}

fn fib_work(n: u64) -> u64 {
    if n < 2 {
        5
    } else {
        3 + fib_work(n - 1) + fib_work(n - 2)
    }
}

#[test]
fn joins_match_the_closed_form() {
    let _alone = alone();
    for n in [0, 1, 2, 3, 8, 15] {
        let measured = figures(|| fib(n));
        let span = if n < 2 { 5 } else { 3 * (n - 1) + 5 };
        assert_eq!(measured.work, fib_work(n), "{n}");
        assert_eq!(measured.paths[..3], [span; 3], "{n}");
        // The right one is late: so the longest path goes through it as often as that is longer.
        fn late(n: u64) -> u64 {
            if n < 2 {
                5
            } else {
                3 + late(n - 1).max(BURDEN + late(n - 2))
            }
        }
        assert_eq!(measured.paths[BURDENED], late(n), "{n}");
    }
}

/// Halves are sorted at the same time and merged by one: the span is 2n − 1 if the work of a merge is its length.
#[test]
fn a_merge_sort_by_one_merger_has_a_span_of_2_n() {
    let _alone = alone();
    fn sort(n: u64) {
        if n == 1 {
            return take(1);
        }
        join(|| sort(n / 2), || sort(n / 2));
        take(n);
    }
    for n in [1u64, 2, 64, 1024] {
        let work = n * (u64::from(n.ilog2()) + 1);
        assert_eq!(work_and_span(|| sort(n)), (work, 2 * n - 1), "{n}");
    }
}

/// What is spawned late ends late.
#[test]
fn a_job_begins_where_it_is_spawned() {
    let _alone = alone();
    let late = || {
        scope(|s| {
            s.spawn(|_| take(50));
            take(100);
            s.spawn(|s| {
                take(30);
                s.spawn(|_| take(40));
                take(1);
            });
            take(5);
        });
        take(7);
    };
    assert_eq!(
        work_and_span(late),
        (50 + 100 + 30 + 40 + 1 + 5 + 7, 100 + 30 + 40 + 7)
    );
    let fifo = || {
        scope_fifo(|s| {
            for n in 1..=10 {
                take(10);
                s.spawn_fifo(move |_| take(20 * n));
            }
        });
    };
    assert_eq!(work_and_span(fifo), (100 + 20 * 55, 100 + 200));
    // The body may be longest; and scopes nest in joins.
    let nested = || {
        join(
            || scope(|s| (0..5).for_each(|_| s.spawn(|_| both(3, 4)))),
            || {
                scope(|s| {
                    s.spawn(|_| take(2));
                    take(60)
                })
            },
        );
    };
    assert_eq!(work_and_span(nested), (35 + 62, 60));
    // No thread waits for these, but they belong to it.
    let detached = || {
        take(10);
        spawn(|| take(100));
        take(20);
    };
    assert_eq!(work_and_span(detached), (130, 110));
}

/// All items of the inner loop cost the same, so blocks say all.
#[test]
fn loops_are_as_long_as_an_item() {
    let _alone = alone();
    let flat = || (0..1000u32).into_par_iter().for_each(|_| take(6));
    assert_eq!(work_and_span(flat), (6000, 6));
    let nested = || {
        take(1);
        (0..40u32).into_par_iter().for_each(|_| {
            take(2);
            (0..50u32).into_par_iter().for_each(|_| take(6));
            take(3);
        });
        take(4);
    };
    assert_eq!(work_and_span(nested), (5 + 40 * (5 + 50 * 6), 5 + 5 + 6));
    let joins = || (0..64u32).into_par_iter().for_each(|_| both(8, 5));
    assert_eq!(work_and_span(joins), (64 * 13, 8));
    assert_eq!(
        work_and_span(|| (0..0u32).into_par_iter().for_each(|_| take(6))),
        (0, 0)
    );
    // 64 items of 50: halved while a part costs 100, which leaves single ones.
    let measured = figures(|| (0..64u32).into_par_iter().for_each(|_| take(50)));
    assert_eq!(measured.paths[RULES], 50);
    assert_eq!(measured.paths[BURDENED], 50 + 6 * BURDEN);
    assert!(measured.paths[WORST] >= measured.paths[SPAN]);
    // 64 items of 10: parts of 80.
    let measured = figures(|| (0..64u32).into_par_iter().for_each(|_| take(10)));
    assert_eq!(measured.paths[RULES], 80);
}

/// A loop whose parts have to be cut runs them as jobs, each of which begins where it was offered: a part before it may be longer.
#[test]
fn loops_that_have_to_be_cut_are_as_long_as_an_item() {
    let _alone = alone();
    // As if nothing had to be cut: single items, since each two take as much as is handed over.
    for most in [1, 3, 8, 64] {
        let measured = figures(|| {
            (0..64u32)
                .into_par_iter()
                .with_max_len(most)
                .for_each(|_| take(50))
        });
        assert_eq!(measured.work, 64 * 50, "{most}");
        assert_eq!(measured.paths[SPAN], 50, "{most}");
        assert_eq!(measured.paths[RULES], 50, "{most}");
        assert_eq!(measured.paths[BURDENED], 50 + 6 * BURDEN, "{most}");
    }
    // The first items are the longest ones: paths of later parts end below those of earlier ones.
    let uneven = |most: usize| {
        let each = |n: u32| take(200 - 3 * u64::from(n));
        figures(move || (0..60u32).into_par_iter().with_max_len(most).for_each(each))
    };
    for most in [1, 2, 7] {
        let measured = uneven(most);
        assert_eq!(measured.work, (0..60).map(|n| 200 - 3 * n).sum::<u64>());
        assert_eq!(measured.paths[RULES], 200, "{most}");
        assert!((198..=200).contains(&measured.paths[SPAN]), "{most}");
        assert!(measured.paths[WORST] < 8 * 200, "{most}");
    }
    // One in another, where what is on offer is a part of either; and a join in an item.
    let nested = || {
        take(1);
        (0..40u32).into_par_iter().with_max_len(1).for_each(|_| {
            take(2);
            (0..50u32)
                .into_par_iter()
                .with_max_len(2)
                .for_each(|_| take(6));
            take(3);
        });
        take(4);
    };
    assert_eq!(work_and_span(nested), (5 + 40 * (5 + 50 * 6), 5 + 5 + 6));
    let joins = || {
        let items = (0..64u32).into_par_iter().with_max_len(1);
        items.for_each(|_| {
            join(|| both(8, 5), || both(3, 12));
        });
    };
    assert_eq!(work_and_span(joins), (64 * 28, 12));
    // A loop before a join's other side, which is as long; and after one.
    let sides = || {
        let short = || {
            (0..16u32)
                .into_par_iter()
                .with_max_len(1)
                .for_each(|_| take(7))
        };
        join(short, || {
            take(20);
            short();
        });
        short();
    };
    assert_eq!(work_and_span(sides), (3 * 16 * 7 + 20, 20 + 7 + 7));
}

/// A program of joins and serial parts.
enum Tree {
    Take(u64),
    Serial(Vec<Tree>),
    Join(Box<[Tree; 2]>),
    Scope(Vec<Tree>),
}

impl Tree {
    fn random(state: &mut u64, depth: u32) -> Tree {
        let random = policy::random(state) >> 32;
        let parts = random % 4;
        let mut part = || Tree::random(state, depth.saturating_sub(1));
        match (random >> 8) % 4 {
            _ if depth == 0 => Tree::Take(random % 100),
            0 => Tree::Take(random % 100),
            1 => Tree::Serial((0..parts).map(|_| part()).collect()),
            2 => Tree::Scope((0..parts).map(|_| part()).collect()),
            _ => Tree::Join(Box::new([part(), part()])),
        }
    }

    fn run(&self) {
        match self {
            Tree::Take(ticks) => take(*ticks),
            Tree::Serial(parts) => parts.iter().for_each(Tree::run),
            Tree::Join(both) => {
                join(|| both[0].run(), || both[1].run());
            }
            Tree::Scope(parts) => scope(|s| parts.iter().for_each(|part| s.spawn(|_| part.run()))),
        }
    }

    /// Work and span, where `both` says how long two parts take that run at the same time.
    fn figures(&self, both: fn(u64, u64) -> u64) -> (u64, u64) {
        let all = |parts: &[Tree], span: fn(u64, u64) -> u64| {
            let figures = parts.iter().map(|part| part.figures(both));
            figures.fold((0, 0), |a, b| (a.0 + b.0, span(a.1, b.1)))
        };
        match self {
            Tree::Take(ticks) => (*ticks, *ticks),
            Tree::Serial(parts) => all(parts, |a, b| a + b),
            Tree::Scope(parts) => all(parts, both),
            Tree::Join(parts) => all(&**parts, both),
        }
    }
}

#[test]
fn random_trees_match_an_evaluator() {
    let _alone = alone();
    let (mut state, mut told_apart) = (1, 0);
    for _ in 0..200 {
        let tree = Tree::random(&mut state, 9);
        let found = work_and_span(|| tree.run());
        assert_eq!(
            found,
            tree.figures(u64::max),
            "the span is not that of the longest chain"
        );
        // A meter that adds where it has to take the longer one would be seen.
        told_apart += usize::from(found != tree.figures(|a, b| a + b));
    }
    assert!(told_apart > 50, "{told_apart}");
}

/// Spans in calls of the closure, while work grows by 16: far less than that for what is said to have a span of powers of log n, besides leaves.
#[test]
fn spans_grow_as_they_are_said_to() {
    let _alone = alone();
    let numbers = |n: usize| (0..n).map(|i| i * 48_271 % 65_537).collect::<Vec<_>>();
    let grown = |name: &str, most: f64, figures: &dyn Fn(Vec<usize>) -> Measured| {
        let [few, many] = [1 << 14, 1 << 18].map(|n| figures(numbers(n)));
        let [work, span] = [
            many.work as f64 / few.work as f64,
            many.paths[RULES] as f64 / few.paths[RULES] as f64,
        ];
        let parallelism = many.work as f64 / many.paths[RULES] as f64;
        assert!(work > 14.0, "{name}: work grew by {work}");
        assert!(
            span < most,
            "{name}: span grew by {span}, to 1/{parallelism} of the work"
        );
        assert!(parallelism > 16.0, "{name}: {parallelism}");
    };
    let sum = |v: Vec<usize>| {
        figures(|| {
            v.par_iter()
                .map(|i| {
                    take(1);
                    *i
                })
                .sum::<usize>()
        })
    };
    grown("sum", 1.5, &sum);
    let count = |v: Vec<usize>| {
        figures(|| {
            v.par_iter()
                .filter(|_| {
                    take(1);
                    true
                })
                .count()
        })
    };
    grown("filter", 1.5, &count);
    let sort = |mut v: Vec<usize>| {
        figures(|| {
            v.par_sort_by(|a, b| {
                take(1);
                a.cmp(b)
            })
        })
    };
    grown("par_sort_by", 12.0, &sort);
    let sort = |mut v: Vec<usize>| {
        figures(|| {
            v.par_sort_unstable_by(|a, b| {
                take(1);
                a.cmp(b)
            })
        })
    };
    grown("par_sort_unstable_by", 12.0, &sort);
}

/// A panic goes on, what it interrupts is closed, and the thread has no meter any more.
#[test]
fn a_panic_ends_the_measurement() {
    let _alone = alone();
    for count in [1, 2] {
        let mut runs = 0;
        let panics = AssertUnwindSafe(|| {
            measure(|| {
                runs += 1;
                join(|| (), || assert!(runs != count, "wanted"));
            })
        });
        let payload = catch_unwind(panics).unwrap_err();
        let message = payload.downcast_ref::<&str>();
        assert_eq!(message.copied(), Some("wanted"));
    }
    // One that is caught inside leaves the rest as it is.
    let caught = || {
        for side in [0, 1, 2] {
            let both = AssertUnwindSafe(|| {
                join(
                    || {
                        take(10);
                        assert!(side != 0, "wanted")
                    },
                    || {
                        take(20);
                        assert!(side != 1, "wanted")
                    },
                );
                (0..10).into_par_iter().for_each(|n| {
                    take(2);
                    assert!(n != 5, "wanted")
                });
            });
            assert!(catch_unwind(both).is_err());
        }
        take(1);
    };
    let (work, span) = work_and_span(caught);
    assert_eq!(work, 3 * 30 + 12 + 1);
    assert!((3 * 20 + 1..=3 * 20 + 12 + 1).contains(&span), "{span}");
}

/// From inside a pool, and from inside another measurement; where no thread count fits, that is said.
#[test]
fn measurements_nest() {
    let _alone = alone();
    let pool = ThreadPoolBuilder::new().num_threads(3).build().unwrap();
    let (threads, outer) = pool.install(|| measure(crate::current_num_threads));
    assert_eq!(threads, 3);
    assert!(outer.span() <= outer.work());
    let wait = || std::thread::sleep(Duration::from_millis(5));
    let ((_, inner), outer) = measure_for(4, || measure(|| join(wait, wait)));
    assert!(inner.work() >= Duration::from_millis(10));
    assert!(inner.span() >= Duration::from_millis(5) && inner.span() < inner.work());
    assert!(
        outer.span() >= inner.work(),
        "all of the inner one is one strand of the outer one"
    );
    let zero = catch_unwind(|| measure_for(0, || ())).unwrap_err();
    assert!(
        zero.downcast_ref::<&str>()
            .is_some_and(|text| text.contains("at least 1"))
    );
}

/// What it says agrees with itself.
#[test]
fn figures_agree() {
    let _alone = alone();
    let (sorted, scalability) = measure_for(16, || {
        let mut numbers: Vec<u64> = (0..50_000).map(|n| n * 48_271 % 65_537).collect();
        numbers.par_sort_unstable();
        numbers.is_sorted()
    });
    assert!(sorted);
    assert!(scalability.span() <= scalability.span_at_most());
    assert!(scalability.span() <= scalability.work());
    assert!(scalability.span_of_rules() <= scalability.burdened_span());
    let mut before = (0.0, 0.0);
    for threads in 1..=64 {
        let (least, most) = scalability.predicted(threads);
        assert!(before.0 <= least && before.1 <= most && least <= most && most <= threads as f64);
        before = (least, most);
    }
    assert!(
        scalability.to_string().starts_with("Work "),
        "{scalability}"
    );
}
