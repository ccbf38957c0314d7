//! Tests: what was recorded against what was counted.

use super::{alone, count, recorded, spin};
use crate::core::event::Kind;
use crate::trace::record;
use std::time::{Duration, Instant};

#[test]
fn events_and_counters_agree() {
    let _alone = alone();
    for (threads, told) in [
        (1, false),
        (2, false),
        (8, false),
        (1, true),
        (2, true),
        (8, true),
    ] {
        let (trace, stats) = recorded(threads, told);
        for (kind, counted) in [
            (Kind::Run, stats.jobs),
            (Kind::Done, stats.jobs),
            (Kind::Promote, stats.promotions),
            (Kind::Sleep, stats.parks),
            (Kind::Up, stats.parks),
            (Kind::Wake, stats.wakes),
            (Kind::Cut, stats.offered),
            (Kind::Back, stats.kept + stats.taken),
            (Kind::Piece, stats.pieces),
            (Kind::PieceEnd, stats.pieces),
            (Kind::Inject, stats.injected),
            (Kind::Handed, stats.handed_back),
        ] {
            // A thread may be counted as woken, and record it a moment later.
            let seen = count(&trace, kind);
            assert_eq!(
                seen, counted,
                "{kind:?}, {threads} threads, told: {told}\n{stats}"
            );
        }
        assert!(
            stats.jobs >= 5 && (threads == 1 || told || stats.taken > 0),
            "{stats}"
        );
    }
}

/// Ticks are scaled by what the system's clock says at the begin and at the end.
#[test]
fn time_is_that_of_the_clock() {
    let _alone = alone();
    let begin = Instant::now();
    let (inside, trace) = record(|| {
        let begin = Instant::now();
        spin(Duration::from_millis(3));
        begin.elapsed()
    });
    let (outside, recorded) = (begin.elapsed(), trace.elapsed());
    assert!(
        recorded <= outside,
        "the recording took longer than the clock says: {recorded:?}, {outside:?}"
    );
    let rounding = Duration::from_nanos(1);
    assert!(
        recorded + rounding >= inside,
        "the recording took less than the clock says: {recorded:?}, {inside:?}"
    );
}
