//! How jobs end.

use std::thread;

use super::*;
use crate::broker::{Beat, Cancelled, Event, Happening, Submitted, Update};
use crate::error::LeaseError;
use crate::record::State;

pub(super) fn what_is_settled_stays(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(
        broker,
        &[job("k/1", opts()), job("k/1", opts()), job("k/1", opts())],
    );
    // Under short leases, so that their ends come while it is settled.
    let leases = [
        claim_and_settle(broker, "k/1", &done(b"r")),
        claim_and_settle(broker, "k/1", &Outcome::Dead("planned".into())),
    ];
    let third = claim(broker, &ask("k/1", LONG));
    assert_eq!(broker.cancel(third.id).unwrap(), Cancelled::Requested);
    broker.settle(&third, retry()).unwrap();
    let records =
        || [leases[0].id, leases[1].id, third.id].map(|id| broker.get(id).unwrap().unwrap());
    let before = records();
    assert_eq!(before[0].state, State::Done(Output::Inline(b"r".to_vec())));
    assert_eq!(before[1].state, State::Dead("planned".into()));
    assert_eq!(before[2].state, State::Cancelled);
    for id in [leases[0].id, leases[1].id, third.id] {
        assert_eq!(broker.cancel(id).unwrap(), Cancelled::TooLate);
        assert_eq!(
            broker.submit(&[NewJob {
                id,
                ..job("k/1", opts())
            }]),
            [Ok(Submitted::Known)]
        );
    }
    for lease in leases.iter().chain([&third]) {
        assert_eq!(broker.settle(lease, retry()), Err(LeaseError::Stale));
        assert_eq!(broker.renew(&[lease]).unwrap(), [Beat::Stale]);
    }
    assert!(!broker.requeue(leases[0].id).unwrap() && !broker.requeue(third.id).unwrap());
    claim_none(broker, &ask("k/1", LONG), LEASE + LEASE / 2);
    assert_eq!(records(), before);
}

pub(super) fn a_result_is_there_before_the_job_is_gone(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    for _ in 0..20 {
        submit(queue.broker(), &[job("k/1", opts())]);
        let lease = claim(queue.broker(), &ask("k/1", LONG));
        thread::scope(|scope| {
            scope.spawn(|| queue.broker().settle(&lease, done(b"r")).unwrap());
            while queue.depth().unwrap().open() > 0 {
                thread::yield_now();
            }
            let state = queue.broker().get(lease.id).unwrap().unwrap().state;
            assert!(
                matches!(state, State::Done(_)),
                "the job is gone, and its result is not there: {state:?}"
            );
        });
    }
}

pub(super) fn cancelled_before_the_start_is_never_started(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    // Cancels and claims race. Each job is cancelled before its start, or claimed, and never both.
    let jobs: Vec<NewJob> = (0..40).map(|_| job("k/1", opts())).collect();
    submit(broker, &jobs);
    let cancelled: Vec<JobId> = thread::scope(|scope| {
        let claimer = scope.spawn(|| {
            let ask = ask("k/1", LONG);
            let mut claimed = Vec::new();
            // Half of them at most, so that some are left for the cancels however fast this is.
            while claimed.len() < jobs.len() / 2
                && let Some(lease) = broker
                    .claim(&ask, 1, Duration::from_millis(100))
                    .unwrap()
                    .pop()
            {
                claimed.push(lease.id);
            }
            claimed
        });
        let cancelled: Vec<JobId> = jobs
            .iter()
            .rev()
            .map(|job| job.id)
            .filter(|&id| broker.cancel(id).unwrap() == Cancelled::BeforeStart)
            .collect();
        let claimed = claimer.join().unwrap();
        assert!(
            claimed.iter().all(|id| !cancelled.contains(id)),
            "started after the cancel"
        );
        assert_eq!(claimed.len() + cancelled.len(), jobs.len());
        cancelled
    });
    assert!(!cancelled.is_empty());
    let unknown = JobId::random();
    assert_eq!(broker.cancel(unknown).unwrap(), Cancelled::TooLate);
    assert_eq!(broker.get(unknown).unwrap(), None);
}

pub(super) fn cancelled_while_it_runs_is_told(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(broker, &[job("k/1", opts()), job("k/1", opts())]);
    // The short lease last: were it over by then, its job would be claimed twice.
    let two = claim(broker, &ask("k/1", LONG));
    let one = claim(broker, &ask("k/1", LEASE));
    assert_eq!(broker.cancel(one.id).unwrap(), Cancelled::Requested);
    assert_eq!(broker.cancel(two.id).unwrap(), Cancelled::Requested);
    assert_eq!(broker.renew(&[&two]).unwrap(), [Beat::Cancelled]);
    // It may still succeed. If it is lost, it is not tried again.
    broker.update(&two, Update::Part(b"x".to_vec())).unwrap();
    broker.settle(&two, done(b"r")).unwrap();
    until_none_is_open(broker, "k/1");
    assert_eq!(broker.get(one.id).unwrap().unwrap().state, State::Cancelled);
    assert!(matches!(
        broker.get(two.id).unwrap().unwrap().state,
        State::Done(_)
    ));
}

pub(super) fn a_retry_waits(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(broker, &[job("k/1", opts())]);
    let lease = claim(broker, &ask("k/1", LONG));
    let pause = Duration::from_millis(300);
    let before = Instant::now();
    broker
        .settle(
            &lease,
            Outcome::Retry {
                after: Some(pause),
                why: "planned".into(),
            },
        )
        .unwrap();
    let depth = broker.depth().unwrap().lanes[1];
    assert!(depth.delayed == 1 || before.elapsed() >= pause, "{depth:?}");
    claim(broker, &ask("k/1", LONG));
    // Clocks of records count whole milliseconds.
    assert!(
        before.elapsed() + Duration::from_millis(2) >= pause,
        "again after {:?}",
        before.elapsed()
    );
}

pub(super) fn the_last_attempt_is_the_last(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(
        broker,
        &[
            job(
                "fails/1",
                Opts {
                    attempts: 3,
                    ..opts()
                },
            ),
            job(
                "killed/1",
                Opts {
                    attempts: 2,
                    ..opts()
                },
            ),
        ],
    );
    let mut failing = None;
    for _ in 0..3 {
        let lease = claim(broker, &ask("fails/1", LONG));
        broker.settle(&lease, retry()).unwrap();
        failing = Some(lease.id);
    }
    claim_none(broker, &ask("fails/1", LONG), Duration::from_millis(20));
    assert_eq!(
        broker.get(failing.unwrap()).unwrap().unwrap().state,
        State::Dead("attempt 3, the last: planned".into())
    );
    // Attempts whose worker never speaks again count as well.
    let killed = claim(broker, &ask("killed/1", LEASE)).id;
    assert_eq!(claim(broker, &ask("killed/1", LEASE)).record.attempt, 2);
    until_none_is_open(broker, "killed/1");
    assert!(matches!(
        broker.get(killed).unwrap().unwrap().state,
        State::Dead(_)
    ));
    assert_eq!(broker.depth().unwrap().dead, 2);
}

pub(super) fn a_dead_job_may_be_requeued(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(
        broker,
        &[job(
            "k/1",
            Opts {
                attempts: 1,
                ..opts()
            },
        )],
    );
    let lease = claim(broker, &ask("k/1", LONG));
    broker.settle(&lease, retry()).unwrap();
    let dead: Vec<JobId> = broker
        .dead(10)
        .unwrap()
        .into_iter()
        .map(|(id, _)| id)
        .collect();
    assert_eq!(dead, [lease.id]);
    assert!(broker.requeue(lease.id).unwrap());
    assert!(!broker.requeue(lease.id).unwrap());
    assert_eq!(
        (broker.depth().unwrap().dead, broker.depth().unwrap().open()),
        (0, 1)
    );
    let again = claim(broker, &ask("k/1", LONG));
    assert_eq!(
        (again.id, again.body.as_slice(), again.record.attempt),
        (lease.id, &b"k/1"[..], 2)
    );
    broker.settle(&again, done(b"r")).unwrap();
    assert!(broker.dead(10).unwrap().is_empty());
}

pub(super) fn a_job_handed_back_spends_no_attempt(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(
        broker,
        &[job(
            "k/1",
            Opts {
                attempts: 2,
                ..opts()
            },
        )],
    );
    for _ in 0..5 {
        let lease = claim(broker, &ask("k/1", LONG));
        broker.settle(&lease, Outcome::Return).unwrap();
    }
    for _ in 0..2 {
        let lease = claim(broker, &ask("k/1", LONG));
        broker.settle(&lease, retry()).unwrap();
    }
    claim_none(broker, &ask("k/1", LONG), Duration::from_millis(20));
    assert_eq!(broker.depth().unwrap().dead, 1);
}

pub(super) fn events_are_neither_lost_nor_repeated(backend: &dyn Backend) {
    let name = fresh_name();
    let (queue, other) = (
        backend.open(&name, Limits::default()),
        backend.open(&name, Limits::default()),
    );
    let broker = queue.broker();
    let new = job("k/1", opts());
    submit(broker, std::slice::from_ref(&new));
    let seen: Vec<Event> = thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut seen: Vec<Event> = Vec::new();
            while !seen.iter().any(|event| event.what == Happening::Done) {
                let from = seen.last().map_or(0, |last| last.seq + 1);
                seen.extend(
                    other
                        .broker()
                        .watch(new.id, from, Duration::from_secs(10))
                        .unwrap(),
                );
            }
            seen
        });
        let lease = claim(broker, &ask("k/1", LONG));
        (0..10).for_each(|i| broker.update(&lease, Update::Part(vec![i])).unwrap());
        broker.settle(&lease, retry()).unwrap();
        let lease = claim(broker, &ask("k/1", LONG));
        (10..20).for_each(|i| broker.update(&lease, Update::Part(vec![i])).unwrap());
        broker.settle(&lease, done(b"r")).unwrap();
        watcher.join().unwrap()
    });
    let part = |i| Happening::Part(vec![i]);
    let mut want = vec![Happening::Started];
    want.extend((0..10).map(part));
    want.push(Happening::Restarted { attempt: 2 });
    want.extend((10..20).map(part));
    want.push(Happening::Done);
    assert_eq!(
        seen.iter()
            .map(|event| event.what.clone())
            .collect::<Vec<_>>(),
        want
    );
    assert!(seen[0].seq >= 1 && seen.windows(2).all(|pair| pair[0].seq < pair[1].seq));
    for (i, event) in seen.iter().enumerate() {
        assert_eq!(
            broker.watch(new.id, event.seq, Duration::ZERO).unwrap(),
            seen[i..]
        );
    }
    assert!(
        broker
            .watch(new.id, seen.last().unwrap().seq + 1, Duration::ZERO)
            .unwrap()
            .is_empty()
    );
}
