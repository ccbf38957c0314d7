//! Tests: a recording counts each item of a call once, also where a call that should be short turns out expensive.

use super::{alone, pool, spin};
use crate::core::clock::mock;
use crate::iter::plumbing::Cuts;
use crate::prelude::*;
use crate::trace::record;
use std::panic::catch_unwind;
use std::sync::{Mutex, mpsc};
use std::thread;
use std::time::Duration;

const LEN: usize = 40;
const CALLS: usize = 400;

/// Calls of one loop, of which one in 20 turns expensive after some of its items; the others are so cheap that it is expected of no call.
fn turn_expensive(at: usize) -> u64 {
    let call = |number: usize| {
        (0..LEN).into_par_iter().for_each(|i| {
            if number % 20 == 19 && i >= at {
                spin(Duration::from_micros(5));
            }
            std::hint::black_box(i);
        });
    };
    let ((), trace) = record(|| (0..CALLS).for_each(call));
    let sites = trace.explain().sites.into_iter();
    let mut sites = sites.filter(|site| site.name.contains("turn_expensive"));
    let site = sites.next().expect("the loop is a site");
    assert_eq!((site.calls, sites.next().is_none()), (CALLS as u64, true));
    site.items
}

/// The loop in this file whose name has `name`, in a recording of `calls`.
fn recorded(name: &str, calls: impl FnOnce()) -> Option<(u64, u64)> {
    let ((), trace) = record(calls);
    let mut sites = trace.explain().sites.into_iter();
    let site = sites.find(|site| site.name.contains(name))?;
    Some((site.calls, site.items))
}

#[test]
fn a_short_call_that_panics_counts_as_whole() {
    fn strikes(number: usize) {
        let call = || {
            (0..LEN).into_par_iter().for_each(|i| {
                if number >= CALLS / 2 && i == LEN - 1 {
                    std::panic::resume_unwind(Box::new(()));
                }
                std::hint::black_box(i);
            });
        };
        assert_eq!(catch_unwind(call).is_err(), number >= CALLS / 2);
    }

    let _alone = alone();
    // The clock stands still: a call that the system interrupts would be no short one, and what its last block did would not count.
    let found =
        pool(2).install(|| mock::with(0, || recorded("strikes", || (0..CALLS).for_each(strikes))));
    assert_eq!(found, Some((CALLS as u64, (LEN * CALLS) as u64)));
}

#[test]
fn a_call_that_began_before_the_recording_is_not_in_it() {
    fn begun_before(last: impl Fn() + Sync) {
        (0..LEN).into_par_iter().for_each(|i| {
            if i == LEN - 1 {
                last();
            }
            std::hint::black_box(i);
        });
    }

    let _alone = alone();
    let pool = pool(2);
    pool.install(|| (0..CALLS).for_each(|_| begun_before(|| ())));
    // The recording begins and ends while the last item waits, but for the end of the call.
    let (at_last, is_at_last) = mpsc::sync_channel(0);
    let (go_on, may_go_on) = mpsc::sync_channel(0);
    let (may_go_on, pool) = (Mutex::new(may_go_on), &pool);
    let found = thread::scope(|scope| {
        let call = scope.spawn(move || {
            pool.install(|| {
                begun_before(|| {
                    at_last.send(()).unwrap();
                    may_go_on.lock().unwrap().recv().unwrap();
                });
            });
        });
        is_at_last.recv().unwrap();
        recorded("begun_before", || {
            go_on.send(()).unwrap();
            call.join().unwrap();
        })
    });
    assert_eq!(found, None);
}

#[test]
fn a_call_that_turns_expensive_has_its_items_once() {
    let _alone = alone();
    let told = [
        None,
        Some(Cuts::Random(7)),
        Some(Cuts::Always),
        Some(Cuts::Never),
    ];
    for threads in [1, 2, 8] {
        for cuts in told {
            let pool = pool(threads);
            if let Some(cuts) = cuts {
                pool.force_cuts(cuts);
            }
            // After the first item, before the middle, in the middle, and at the last item.
            for at in [1, LEN / 4, LEN / 2, LEN - 1] {
                let items = pool.install(|| turn_expensive(at));
                assert_eq!(
                    items,
                    (LEN * CALLS) as u64,
                    "{threads} threads, from item {at} on, {cuts:?}"
                );
            }
        }
    }
}
