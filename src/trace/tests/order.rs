//! Tests: what may come after what, on one thread and between threads.

use super::{alone, count, recorded};
use crate::core::event::Kind;
use crate::core::track::Track;
use crate::trace::spans::Span;
use crate::trace::what::What;
use std::collections::BTreeSet;

/// The automaton of a desk: what may come after what.
fn check_order(track: &Track) {
    let (mut running, mut calls, mut asleep, mut searching) =
        (Vec::new(), Vec::new(), false, false);
    for (event, after) in track.events.iter().zip(track.events.iter().skip(1)) {
        assert!(event.ticks <= after.ticks, "time goes on");
    }
    for event in &track.events {
        let job = event.number;
        match event.kind {
            Kind::Sleep => assert!(!std::mem::replace(&mut asleep, true)),
            Kind::Up => assert!(std::mem::replace(&mut asleep, false)),
            _ => assert!(!asleep, "{event:?} while asleep"),
        }
        match event.kind {
            Kind::Search => assert!(!std::mem::replace(&mut searching, true)),
            Kind::Found => assert!(std::mem::replace(&mut searching, false)),
            Kind::Run => {
                assert!(!searching);
                running.push(job);
            }
            Kind::Done => assert_eq!(running.pop(), Some(job)),
            Kind::Call => calls.push(event.more[1]),
            Kind::Piece => calls.push(job),
            Kind::CallEnd | Kind::PieceEnd => assert_eq!(calls.pop(), Some(job)),
            Kind::Cut | Kind::Back | Kind::Blocks => assert!(!calls.is_empty() && !searching),
            _ => {}
        }
    }
    assert!(
        running.is_empty() && calls.is_empty(),
        "something began and did not end: {running:x?} {calls:?}"
    );
}

#[test]
fn each_thread_does_one_thing_after_the_other() {
    let _alone = alone();
    for threads in [1, 2, 8] {
        let (mut trace, _) = recorded(threads, threads == 8);
        for track in &mut trace.tracks {
            // All slept when the recording began, and sleep again.
            if track.of.worker.is_some() {
                assert_eq!(track.events.first().map(|event| event.kind), Some(Kind::Up));
                assert_eq!(
                    track.events.pop().map(|event| event.kind),
                    Some(Kind::Sleep)
                );
                track.events.remove(0);
            }
            check_order(track);
        }
    }
}

/// Each job that is taken was made public before, or came from outside, and is run next on the thread that took it, once.
#[test]
fn each_steal_has_one_origin() {
    let _alone = alone();
    for threads in [2, 8] {
        let (trace, _) = recorded(threads, threads == 2);
        let takes = count(&trace, Kind::Take);
        let [steals, wakes] = trace.arrows();
        assert_eq!(steals.len() as u64, takes);
        assert!(takes > 0 && wakes.len() as u64 <= count(&trace, Kind::Wake));
        let from: BTreeSet<_> = steals.iter().map(|arrow| (arrow.from, arrow.job)).collect();
        assert_eq!(from.len(), steals.len());
        assert!(
            steals
                .iter()
                .chain(&wakes)
                .all(|arrow| arrow.from.1 <= arrow.to.1)
        );
        for track in &trace.tracks {
            for (at, event) in track.events.iter().enumerate() {
                if event.kind == Kind::Take {
                    let (job, _) = event.taken();
                    let mut next = track.events[at + 1..].iter();
                    let next =
                        next.find(|event| event.kind == Kind::Run || event.kind == Kind::Handed);
                    assert_eq!(next.map(|event| event.number), Some(job));
                }
            }
        }
    }
}

pub(super) fn check_nesting(spans: &[Span]) {
    let mut around: Vec<Span> = Vec::new();
    for span in spans {
        assert!(span.from <= span.to);
        while around
            .last()
            .is_some_and(|outer| outer.to <= span.from && span.to > outer.to)
        {
            around.pop();
        }
        if let Some(outer) = around.last() {
            assert!(span.to <= outer.to, "{span:?} in {outer:?}");
        }
        around.push(*span);
    }
}

#[test]
fn spans_nest() {
    let _alone = alone();
    for threads in [1, 2, 8] {
        let (trace, stats) = recorded(threads, threads == 2);
        let mut jobs = 0;
        for track in &trace.tracks {
            let spans = trace.spans(track);
            check_nesting(&spans);
            jobs += spans
                .iter()
                .filter(|span| matches!(span.what, What::Job(_)))
                .count();
        }
        assert_eq!(jobs as u64, stats.jobs);
    }
}
