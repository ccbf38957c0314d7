//! What time does to jobs.

use std::thread;

use super::*;
use crate::broker::{Happening, Submitted};
use crate::record::State;

pub(super) fn a_deadline_keeps_from_starting(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let late = job(
        "k/1",
        Opts {
            deadline: Some(Duration::from_millis(30)),
            ..opts()
        },
    );
    let long = job(
        "k/1",
        Opts {
            deadline: Some(LONG),
            ..opts()
        },
    );
    submit(broker, &[late.clone(), long.clone()]);
    thread::sleep(Duration::from_millis(50));
    let lease = claim(broker, &ask("k/1", LONG));
    assert_eq!(lease.id, long.id);
    claim_none(broker, &ask("k/1", LONG), Duration::from_millis(20));
    assert!(
        matches!(broker.get(late.id).unwrap().unwrap().state, State::Dead(why) if why.contains("deadline"))
    );
    broker.settle(&lease, done(b"")).unwrap();
    // Nor is a pause waited for that ends after it; but what runs may go on.
    let short = job(
        "k/2",
        Opts {
            deadline: Some(LEASE),
            ..opts()
        },
    );
    // A machine that stands still may miss the start; it gets another job.
    let (short, lease) = loop {
        let short = NewJob {
            id: JobId::random(),
            ..short.clone()
        };
        submit(broker, std::slice::from_ref(&short));
        let claimed = broker.claim(&ask("k/2", LONG), 1, LEASE).unwrap().pop();
        match claimed {
            Some(lease) if lease.id == short.id => break (short, lease),
            _ => {}
        }
    };
    broker
        .settle(
            &lease,
            Outcome::Retry {
                after: Some(LEASE),
                why: "planned".into(),
            },
        )
        .unwrap();
    until_none_is_open(broker, "k/2");
    assert!(matches!(
        broker.get(short.id).unwrap().unwrap().state,
        State::Dead(_)
    ));
}

pub(super) fn many_deadlines_pass_at_once(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let late = Opts {
        deadline: Some(Duration::from_millis(1)),
        ..opts()
    };
    let mut jobs: Vec<NewJob> = (0..150).map(|_| job("k/1", late.clone())).collect();
    jobs.push(job("k/1", opts()));
    submit(broker, &jobs);
    thread::sleep(Duration::from_millis(5));
    // Before anything else looks at the queue: more are overdue than one step may see to.
    assert_eq!(claim(broker, &ask("k/1", LONG)).id, jobs[150].id);
    claim_none(broker, &ask("k/1", LONG), Duration::ZERO);
    let dead = |id| matches!(broker.get(id).unwrap().unwrap().state, State::Dead(_));
    assert!(jobs[..150].iter().all(|job| dead(job.id)));
}

/// Without a worker that could see what time does.
pub(super) fn who_waits_sees_deadlines_and_lost_leases(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let late = Opts {
        deadline: Some(Duration::from_millis(50)),
        ..opts()
    };
    let once = Opts {
        attempts: 1,
        ..opts()
    };
    let (late, lost) = (job("k/1", late), job("k/2", once));
    submit(broker, &[late.clone(), lost.clone()]);
    claim(broker, &ask("k/2", LEASE));
    for id in [late.id, lost.id] {
        let ticket = queue.ticket::<()>(id);
        let waited = ticket.wait(LONG);
        assert!(
            matches!(waited, Err(crate::error::WaitError::Dead(_))),
            "{waited:?}"
        );
        let events = ticket.subscribe(0).until_settled(LONG).unwrap();
        assert!(
            matches!(events.last(), Some(Happening::Dead(_))),
            "{events:?}"
        );
    }
    assert_eq!(broker.depth().unwrap().open(), 0);
}

pub(super) fn what_was_kept_long_enough_is_forgotten(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let short = Opts {
        keep: Duration::from_millis(50),
        max_run: Duration::from_millis(50),
        ..opts()
    };
    let new = job("k/1", short);
    submit(broker, std::slice::from_ref(&new));
    let lease = claim(broker, &ask("k/1", LONG));
    broker.settle(&lease, done(b"r")).unwrap();
    let begun = Instant::now();
    while broker.get(new.id).unwrap().is_some() {
        assert!(begun.elapsed() < LONG, "still there");
        thread::sleep(Duration::from_millis(20));
        broker.depth().unwrap();
    }
    // Its name is free again.
    assert_eq!(broker.submit(&[new]), [Ok(Submitted::New)]);
}
