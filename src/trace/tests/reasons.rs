//! Tests: a program for each reason not to cut, and the reason that its recording gives.

use super::{alone, pool, spin};
use crate::ThreadPool;
use crate::core::worker::Worker;
use crate::iter::plumbing::{Folder, UnindexedConsumer, UnindexedProducer, bridge_unindexed};
use crate::iter::walk_tree;
use crate::prelude::*;
use crate::trace::figures::times;
use crate::trace::why::{Few, in_single_items};
use crate::trace::{Reason, SiteReport, record};
use std::collections::LinkedList;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};
use std::time::Duration;

/// What the one site of a program says, whose calls are made in `pool`, and whose closures are in the test `name`.
fn explained(pool: &ThreadPool, name: &str, program: impl Fn() + Sync) -> SiteReport {
    let ((), trace) = record(|| pool.install(&program));
    let explain = trace.explain();
    let mut sites = explain
        .sites
        .into_iter()
        .filter(|site| site.name.contains(name));
    let mut site = sites.next().expect("a site of this file");
    // Another test may have a site in the same place of the memory; then the text goes on.
    if let Some(end) = site.why.find("; its memory was overwritten") {
        site.why.truncate(end);
    }
    site
}

/// The first report that is as it should be, of some: where the system takes the processor away amid a block, items seem expensive.
fn at_last(
    reason: Reason,
    mut report: impl FnMut() -> SiteReport,
    is_right: impl Fn(&SiteReport) -> bool,
) -> SiteReport {
    let mut last = None;
    for _ in 0..500 {
        let report = report();
        if report.refusal() == Some(reason) && is_right(&report) {
            return report;
        }
        last = Some(report);
    }
    panic!("{reason:?}: {last:#?}");
}

/// Runs `program` in a pool of two threads of which the other one is at work all the time.
fn beside_work(pool: &ThreadPool, program: impl Fn() + Sync) {
    let (begun, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let wait = |flag: &AtomicBool| {
        while !flag.load(Relaxed) {
            std::hint::spin_loop();
        }
    };
    pool.join(
        || {
            wait(&begun);
            program();
            done.store(true, Relaxed);
        },
        || {
            begun.store(true, Relaxed);
            wait(&done);
        },
    );
}

#[test]
fn too_little() {
    let _alone = alone();
    let two = pool(2);
    let cheap = || {
        for _ in 0..100 {
            let sum: u32 = (0..20u32)
                .into_par_iter()
                .map(|i| std::hint::black_box(i ^ 1))
                .sum();
            assert_eq!(sum, 190);
        }
    };
    let report = || explained(&two, "too_little", cheap);
    let cheap = at_last(Reason::TooLittle, report, |cheap| {
        cheap.why.starts_with("20 items take ") && cheap.why.contains("below")
    });
    assert_eq!(cheap.calls, 100);
}

#[test]
fn one_thread() {
    let _alone = alone();
    let alone = explained(&pool(1), "one_thread", || {
        (0..1000u32)
            .into_par_iter()
            .for_each(|_| spin(Duration::from_micros(1)));
    });
    assert_eq!(alone.refusal(), Some(Reason::OneThread));
    assert!(
        alone.why.starts_with("the pool has one thread"),
        "{}",
        alone.why
    );
}

#[test]
fn least_length() {
    let _alone = alone();
    let two = pool(2);
    let least = explained(&two, "least_length", || {
        (0..8u32)
            .into_par_iter()
            .with_min_len(8)
            .for_each(|_| spin(Duration::from_micros(100)));
    });
    assert_eq!(least.refusal(), Some(Reason::MinLen), "{least:?}");
    assert_eq!(
        least.why,
        "a piece would be shorter than with_min_len allows; a call has 8 items"
    );
    let single = explained(&two, "least_length", || {
        (0..1u32)
            .into_par_iter()
            .for_each(|_| spin(Duration::from_micros(100)));
    });
    assert_eq!(single.refusal(), Some(Reason::MinLen), "{single:?}");
    assert_eq!(single.why, "a call has one item, and an item is never cut");
    let none = explained(&two, "least_length", || {
        (0..0u32)
            .into_par_iter()
            .for_each(|_| spin(Duration::from_micros(100)));
    });
    assert_eq!(none.refusal(), Some(Reason::MinLen), "{none:?}");
    assert_eq!(none.why, "a call has no items");
    // Calls of two items that were cut in two are not kept whole by their least length.
    let of = |items, cuts| {
        let report = SiteReport {
            calls: 7,
            items,
            cuts,
            ..least.clone()
        };
        Few::of(&report)
    };
    assert_eq!(
        (of(14, 1), of(14, 0), of(15, 1)),
        (Some(Few::Two), None, None)
    );
    assert_eq!(
        (of(7, 0), of(8, 0), of(0, 0)),
        (Some(Few::One), None, Some(Few::None))
    );
    // Three long items that were shared as far as that goes; a loop of many, of which few were cut off; and items that take no time.
    let shared = |items, cuts, time| {
        in_single_items(&SiteReport {
            calls: 1,
            items,
            cuts,
            taken: 1,
            time: Duration::from_millis(time),
            ..least.clone()
        })
    };
    assert_eq!(
        [shared(3, 2, 3), shared(400, 9, 400), shared(3, 2, 0)],
        [true, false, false]
    );
}

#[test]
fn told_so() {
    let _alone = alone();
    let told = pool(2);
    told.force_cuts(crate::iter::plumbing::Cuts::Never);
    let told = explained(&told, "told_so", || {
        (0..1000u32)
            .into_par_iter()
            .for_each(|_| spin(Duration::from_micros(1)));
    });
    assert_eq!(told.refusal(), Some(Reason::ForcedWhole));
    assert_eq!(told.why, "a test decided so");
}

/// An iterator as one writes it for rayon: it has no length, and cannot stop amid a fold. So it is cut before anything is known of it, but not for ever.
struct Foreign(Range<u32>);

impl UnindexedProducer for Foreign {
    type Item = u32;

    fn split(self) -> (Self, Option<Self>) {
        let Range { start, end } = self.0;
        let middle = start + (end - start) / 2;
        match start < middle {
            true => (Foreign(start..middle), Some(Foreign(middle..end))),
            false => (Foreign(start..end), None),
        }
    }

    fn fold_with<F: Folder<u32>>(self, folder: F) -> F {
        folder.consume_iter(self.0)
    }
}

impl ParallelIterator for Foreign {
    type Item = u32;

    fn drive_unindexed<C: UnindexedConsumer<u32>>(self, consumer: C) -> C::Result {
        bridge_unindexed(self, consumer)
    }
}

#[test]
fn too_deep() {
    let _alone = alone();
    let two = pool(2);
    let sum = AtomicU32::new(0);
    let report = explained(&two, "too_deep", || {
        beside_work(&two, || {
            Foreign(0..1000).for_each(|n| {
                sum.fetch_add(n, Relaxed);
            });
        });
    });
    assert_eq!(sum.into_inner(), 499_500);
    assert_eq!(report.refusal(), Some(Reason::TooDeep), "{report:?}");
    assert!(
        report.why.starts_with(
            "too many cuts of pieces without a length were under way, one inside the other"
        ) && report.why.contains("no thread took the 15 pieces"),
        "{}",
        report.why
    );
}

/// As if a trunk had been cut so often: what has no length, and is asked for each block.
#[test]
fn too_deep_amid_a_fold() {
    let _alone = alone();
    let two = pool(2);
    let report = explained(&two, "too_deep", || {
        let cuts = &Worker::current().expect("in a pool").own().driver.cuts;
        let before = cuts.replace(64);
        let nodes = walk_tree(100u32, |n| (*n > 1).then(|| n - 1));
        nodes.for_each(|_| spin(Duration::from_micros(1)));
        cuts.set(before);
    });
    assert_eq!(report.refusal(), Some(Reason::TooDeep), "{report:?}");
    assert_eq!(report.cuts, 0);
    assert_eq!(
        report.why,
        "too many cuts of pieces without a length were under way, one inside the other"
    );
}

/// After a cut, the items of a list are copied to a place of their own, or so: they are cheaper than that.
#[test]
fn cut_too_expensive() {
    let _alone = alone();
    let two = pool(2);
    let list: LinkedList<_> = (0..5000u64).map(|n| [n; 128]).collect();
    let report = || {
        explained(&two, "cut_too_expensive", || {
            // The other thread is at work, or it would take a part where items seem to take a little more.
            beside_work(&two, || {
                for _ in 0..10 {
                    let list = list.clone();
                    let sum = list.into_par_iter().map(|item| item[7]).sum::<u64>();
                    assert_eq!(sum, 2500 * 4999);
                }
            });
        })
    };
    at_last(Reason::CutTooExpensive, report, |report| {
        report.taken == 0
            && report
                .why
                .starts_with("a cut costs too much for items that take ")
            && report.why.contains(" ns each")
    });
}

/// Items for which two threads get in each other's way: while both are at it, each takes ten times as long.
#[test]
fn sharing_lost() {
    let _alone = alone();
    let two = pool(2);
    let inside = AtomicU32::new(0);
    let calls = || {
        for _ in 0..200 {
            (0..20u32).into_par_iter().for_each(|_| {
                let others = inside.fetch_add(1, Relaxed);
                spin(Duration::from_nanos(500) * (1 + 9 * others));
                inside.fetch_sub(1, Relaxed);
            });
        }
    };
    let report = || explained(&two, "sharing_lost", calls);
    let report = at_last(Reason::SharingLost, report, |report| {
        report.why.starts_with("alone ")
    });
    let (alone, shared) = report.why["alone ".len()..]
        .split_once(", shared ")
        .expect("both figures");
    assert!(
        alone.contains("µs") && shared.contains('s'),
        "{}",
        report.why
    );
}

#[test]
fn nobody_free() {
    let _alone = alone();
    let two = pool(2);
    let report = || {
        explained(&two, "nobody_free", || {
            beside_work(&two, || {
                for _ in 0..100 {
                    (0..30u32)
                        .into_par_iter()
                        .for_each(|_| spin(Duration::from_micros(1)));
                }
            });
        })
    };
    let report = at_last(Reason::NoThreadFree, report, |_| true);
    let times = times(report.reasons[0].1);
    assert!(
        report
            .why
            .starts_with(&format!("all threads were at work, {times}")),
        "{report:?}"
    );
}

/// Calls that are longer than it takes to hand a part over, and shorter than is worth a wake-up, with pauses.
#[test]
fn not_worth_waking() {
    let _alone = alone();
    let two = pool(2);
    let report = || {
        explained(&two, "not_worth_waking", || {
            for _ in 0..20 {
                (0..12u32)
                    .into_par_iter()
                    .for_each(|_| spin(Duration::from_micros(1)));
                std::thread::sleep(Duration::from_millis(1));
            }
        })
    };
    let report = at_last(Reason::NotWorthWaking, report, |report| {
        !report.why.starts_with("cut")
    });
    assert!(
        report.why.starts_with("the other threads slept, and what was left took less than the 100 µs that a wake-up should be worth; 12 items take "),
        "{}",
        report.why
    );
}

/// Inside of many joins, the second parts of most lie there for others; then comes an iterator of which nothing is known.
#[test]
fn already_offering() {
    fn inside(joins: u32, run: &(impl Fn() + Sync)) {
        match joins {
            0 => run(),
            _ => drop(crate::join(|| inside(joins - 1, run), || ())),
        }
    }
    let _alone = alone();
    let two = pool(2);
    let report = explained(&two, "already_offering", || {
        inside(100, &|| walk_tree((), |()| None).for_each(|()| ()));
    });
    assert_eq!(
        report.refusal(),
        Some(Reason::AlreadyOffering),
        "{report:?}"
    );
    assert_eq!(report.why, "what was offered before still lay there, once");
}

#[test]
fn shared() {
    let _alone = alone();
    let shared = explained(&pool(2), "shared", || {
        for _ in 0..100 {
            (0..3000u32)
                .into_par_iter()
                .for_each(|_| spin(Duration::from_micros(1)));
        }
    });
    assert!(
        shared.taken > 0 && shared.why.starts_with("cut "),
        "{shared:?}"
    );
    assert!(shared.p50 >= Duration::from_micros(100) && shared.p99 >= shared.p50);
}

/// What is expensive is folded item by item, what is cheap in blocks of many.
#[test]
fn grain() {
    let _alone = alone();
    let one = pool(1);
    let expensive = explained(&one, "grain", || {
        (0..100u32)
            .into_par_iter()
            .for_each(|_| spin(Duration::from_micros(30)));
    });
    assert_eq!((expensive.blocks, expensive.grain_items), (100, 1));
    assert!(
        expensive.grain >= Duration::from_micros(30),
        "{expensive:?}"
    );
    assert!(expensive.grain <= expensive.time, "{expensive:?}");
    let told = pool(2);
    told.force_cuts(crate::iter::plumbing::Cuts::Never);
    let items = 100_000u32;
    let cheap = explained(&told, "grain", || {
        (0..items).into_par_iter().for_each(|i| {
            std::hint::black_box(i);
        });
    });
    let all = cheap.blocks * cheap.grain_items;
    assert!(cheap.blocks > 0 && cheap.grain_items > 1, "{cheap:?}");
    assert!(all.abs_diff(items.into()) <= cheap.blocks, "{cheap:?}");
    assert!(
        cheap.grain * cheap.blocks as u32 <= 2 * cheap.time,
        "{cheap:?}"
    );
}

/// The table as text says where a loop was called, and what might be done.
#[test]
fn a_table_says_where_and_what_to_do() {
    let _alone = alone();
    let pool = pool(2);
    let loops = || {
        (0..100u32)
            .into_par_iter()
            .with_min_len(100)
            .for_each(|_| spin(Duration::from_micros(100)));
    };
    let ((), trace) = record(|| pool.install(|| crate::region("whole", loops)));
    let table = trace.explain().to_string();
    for says in [
        " in whole\n",
        "a call has 100 items. Remove with_min_len, or make it smaller.\n",
    ] {
        assert!(table.contains(says), "{table}");
    }
}
