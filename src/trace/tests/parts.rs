//! Tests: recordings of parts of a program: one inside another, and one that a panic ends.

use super::order::check_nesting;
use super::{alone, count, pool, spin};
use crate::core::event::Kind;
use crate::prelude::*;
use crate::trace::record;
use crate::trace::recording::Trace;
use std::time::Duration;

/// Two recordings at a time: each has its own part.
#[test]
fn recordings_may_overlap() {
    let _alone = alone();
    let pool = pool(2);
    let run = || {
        pool.install(|| {
            (0..100u32)
                .into_par_iter()
                .with_max_len(7)
                .for_each(|_| spin(Duration::from_micros(10)))
        })
    };
    let ((_, inner), outer) = record(|| {
        run();
        record(run)
    });
    let calls = |trace: &Trace| count(trace, Kind::Call);
    assert_eq!((calls(&inner), calls(&outer)), (1, 2));
    let sums = |trace: &Trace| {
        trace
            .explain()
            .sites
            .iter()
            .map(|site| site.items)
            .sum::<u64>()
    };
    assert_eq!((sums(&inner), sums(&outer)), (100, 200));
}

/// A panic leaves the recording whole.
#[test]
fn a_panic_ends_what_is_inside_of_it() {
    let _alone = alone();
    let pool = pool(2);
    let (caught, trace) = record(|| {
        std::panic::catch_unwind(|| {
            pool.install(|| {
                crate::region("outer", || {
                    (0..1000u32).into_par_iter().for_each(|i| {
                        if i == 500 {
                            std::panic::resume_unwind(Box::new("planned"));
                        }
                        spin(Duration::from_micros(1));
                    })
                })
            })
        })
    });
    assert!(caught.is_err());
    for track in &trace.tracks {
        check_nesting(&trace.spans(track));
    }
    assert_eq!(
        (count(&trace, Kind::Region), count(&trace, Kind::RegionEnd)),
        (1, 1)
    );
    trace.write_chrome(std::io::sink()).unwrap();
}
