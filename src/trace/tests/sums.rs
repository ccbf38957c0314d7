//! Tests: a recording counts each item of a call once, also where a call that should be short turns out expensive.

use super::{alone, pool, spin};
use crate::iter::plumbing::Cuts;
use crate::prelude::*;
use crate::trace::record;
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
