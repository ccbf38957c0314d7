//! What is wrong with a process that does not move, from what its threads are at.

use crate::core::track::{Identity, Track};
use crate::trace::whereabouts::{Activity, Whereabouts};
use std::time::Duration;

/// What is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Finding {
    /// A pool has work and threads that sleep, and no thread of it looks for work: filch's own fault.
    Left { pool: u64 },
    /// These threads are silent, and others may wait for them; whether one of them runs on top of a wait.
    Silent {
        threads: Vec<Identity>,
        nested: bool,
    },
    /// These threads wait, and none of their pools does anything.
    Circle { threads: Vec<Identity> },
}

/// What is wrong with a process of whose threads these have been silent.
pub(super) fn judge(whereabouts: &Whereabouts<'_>, silent: &[Identity]) -> Option<Finding> {
    let tracks = &whereabouts.trace.tracks;
    let (mut working, mut waiting, mut moving) = (Vec::new(), Vec::new(), Vec::new());
    for (number, &Track { of, .. }) in tracks.iter().enumerate() {
        // A thread that is at no desk is in no pool.
        if of.desk == 0 {
            continue;
        }
        let is_silent = silent.contains(&of);
        match whereabouts.at(number) {
            Activity::Work { in_call, in_wait } if is_silent => {
                working.push((of, in_call, in_wait))
            }
            Activity::Wait => waiting.push((of, is_silent)),
            Activity::Work { .. } => moving.push(of),
            Activity::Nothing => {}
        }
    }
    let awaited = waiting.iter().any(|&(_, silent)| silent)
        || working
            .iter()
            .any(|&(_, in_call, in_wait)| in_call || in_wait);
    if !working.is_empty() {
        return awaited.then(|| Finding::Silent {
            nested: working.iter().any(|&(_, _, in_wait)| in_wait),
            threads: working.into_iter().map(|(of, ..)| of).collect(),
        });
    }
    let all_wait =
        !waiting.is_empty() && moving.is_empty() && waiting.iter().all(|&(_, silent)| silent);
    all_wait.then(|| Finding::Circle {
        threads: waiting.into_iter().map(|(of, _)| of).collect(),
    })
}

impl Finding {
    /// What is wrong, in a line.
    pub(super) fn in_words(&self, whereabouts: &Whereabouts<'_>, stall: Duration) -> String {
        /// How many threads are named.
        const MOST: usize = 8;
        let named = |threads: &[Identity]| {
            let named: Vec<_> = threads
                .iter()
                .take(MOST)
                .filter_map(|&of| {
                    let place = whereabouts.place(whereabouts.track(of)?);
                    Some(format!("{} is in {place}", whereabouts.name(of)))
                })
                .collect();
            let more = threads.len().saturating_sub(MOST);
            let more = if more > 0 {
                format!("; and {more} more")
            } else {
                String::new()
            };
            named.join("; ") + &more
        };
        match self {
            Finding::Left { pool } => format!(
                "for {stall:?} there has been work in pool {pool}, threads sleep, and none looks for it: this is a bug of filch's, please report it"
            ),
            Finding::Silent { threads, nested } => {
                let lock = match *nested || threads.len() > 1 {
                    true => {
                        "; perhaps they wait for a lock that is held across a parallel call, see filch::isolate"
                    }
                    false => "",
                };
                format!(
                    "silent for {stall:?}, an item takes long or is blocked: {}{lock}",
                    named(threads)
                )
            }
            Finding::Circle { threads } => format!(
                "for {stall:?} all threads have waited for each other, and there is no work: {}",
                named(threads)
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::event::Kind;
    use crate::core::slots::Event;
    use crate::trace::recording::Trace;

    fn desk(worker: u64) -> Identity {
        Identity {
            pool: 3,
            desk: worker + 1,
            worker: Some(worker),
        }
    }

    /// A recording of threads with these events, one after the other.
    fn trace(threads: &[&[Kind]]) -> Trace {
        let ((), mut trace) = crate::trace::record(|| ());
        trace.begin = 1000;
        trace.ticks = 100;
        let event = |at: usize, &kind: &Kind| Event {
            ticks: 1001 + at as u64,
            kind,
            small: 0,
            number: 7,
            more: [10, 7],
        };
        let track = |(worker, kinds): (usize, &&[Kind])| Track {
            of: desk(worker as u64),
            events: kinds
                .iter()
                .enumerate()
                .map(|(at, kind)| event(at, kind))
                .collect(),
            lost: 0,
        };
        trace.tracks = threads.iter().enumerate().map(track).collect();
        trace
    }

    fn judged(threads: &[&[Kind]], silent: &[u64]) -> (Option<Finding>, String) {
        let trace = trace(threads);
        let whereabouts = Whereabouts::of(&trace);
        let silent: Vec<_> = silent.iter().map(|&worker| desk(worker)).collect();
        let finding = judge(&whereabouts, &silent);
        let words = finding
            .as_ref()
            .map(|finding| finding.in_words(&whereabouts, Duration::from_secs(1)));
        (finding, words.unwrap_or_default())
    }

    #[test]
    fn what_is_wrong_is_told_from_what_is_not() {
        use Kind::{Call, CallEnd, Done, Found, Piece, Rise, Run, Search, Sit, Sleep, Up, Wait};
        let threads = |workers: &[u64]| {
            workers
                .iter()
                .map(|&worker| desk(worker))
                .collect::<Vec<_>>()
        };
        // A loop whose owner waits for the piece of another thread.
        let (owner, thief): (&[Kind], &[Kind]) = (
            &[Sit, Call, Wait, Search, Found, Sleep],
            &[Search, Found, Run, Piece],
        );
        let silent = Finding::Silent {
            threads: threads(&[1]),
            nested: false,
        };
        let (finding, words) = judged(&[owner, thief], &[0, 1]);
        assert_eq!(finding, Some(silent));
        assert!(words.contains("worker 1 of pool 3 is in a piece of the loop `call`, 10 items from number 7 on, in a job"), "{words}");
        // Its thief still moves.
        assert_eq!(judged(&[owner, thief], &[0]).0, None);
        // A job on top of a wait.
        let (finding, words) = judged(&[&[Call, Wait, Run], &[Sleep]], &[0, 1]);
        let nested = Finding::Silent {
            threads: threads(&[0]),
            nested: true,
        };
        assert_eq!(finding, Some(nested));
        assert!(words.contains("filch::isolate"), "{words}");
        // Both wait.
        let circle = Finding::Circle {
            threads: threads(&[0, 1]),
        };
        let (finding, words) = judged(&[owner, &[Run, Wait, Sleep]], &[0, 1]);
        assert_eq!(finding, Some(circle));
        assert!(words.contains("have waited for each other"), "{words}");
        // A long job that no thread waits for; a caller's own long work; nothing at all; what is over.
        for fine in [
            &[&[Run] as &[Kind], &[Sleep]],
            &[&[Sit], &[Search]],
            &[&[Sleep], &[Sleep]],
            &[
                &[Sit, Call, CallEnd, Rise],
                &[Run, Done, Search, Found, Sleep, Up, Search],
            ],
        ] {
            assert_eq!(judged(fine, &[0, 1]).0, None, "{fine:?}");
        }
    }

    #[test]
    fn work_that_is_left_is_said_to_be_ours() {
        let trace = trace(&[]);
        let left = Finding::Left { pool: 3 };
        let words = left.in_words(&Whereabouts::of(&trace), Duration::from_millis(200));
        assert!(
            words.contains("pool 3") && words.contains("a bug of filch's"),
            "{words}"
        );
    }
}
