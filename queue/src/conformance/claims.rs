//! Claims, leases and lanes.

use std::collections::BTreeSet;
use std::thread;

use super::*;
use crate::broker::{Beat, Update};
use crate::error::LeaseError;
use crate::id::Lane;

pub(super) fn attempts_rise(backend: &dyn Backend) {
    let name = fresh_name();
    let mut queue = backend.open(&name, Limits::default());
    submit(
        queue.broker(),
        &[job(
            "k/1",
            Opts {
                attempts: 3,
                ..opts()
            },
        )],
    );
    let mut last = (0, 0);
    let mut next = |queue: &Queue, lease: Duration| {
        let lease = claim(queue.broker(), &ask("k/1", lease));
        assert!(
            lease.record.attempt > last.0 && lease.fence > last.1,
            "attempt {}, fence {} after {last:?}",
            lease.record.attempt,
            lease.fence
        );
        last = (lease.record.attempt, lease.fence);
        lease
    };
    let lease = next(&queue, LONG);
    queue.broker().settle(&lease, Outcome::Return).unwrap();
    let lease = next(&queue, LONG);
    queue.broker().settle(&lease, retry()).unwrap();
    // A lost lease, and another handle that takes over.
    let _lost = next(&queue, LEASE);
    if backend.is_durable() {
        drop(queue);
        queue = backend.open(&name, Limits::default());
    }
    let lease = next(&queue, LONG);
    queue
        .broker()
        .update(&lease, Update::Checkpoint(b"x".to_vec()))
        .unwrap();
    queue.broker().settle(&lease, retry()).unwrap();
    assert!(
        queue.broker().requeue(lease.id).unwrap(),
        "three attempts and one handed back are spent"
    );
    let lease = next(&queue, LONG);
    queue.broker().settle(&lease, done(b"")).unwrap();
}

pub(super) fn a_stale_lease_changes_nothing(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(broker, &[job("k/1", opts())]);
    let old = claim(broker, &ask("k/1", LEASE));
    let new = claim(broker, &ask("k/1", LONG));
    assert_eq!((old.id, new.record.attempt), (new.id, 2));
    let before = (
        broker.get(new.id).unwrap(),
        broker.watch(new.id, 0, Duration::ZERO).unwrap(),
        broker.depth().unwrap(),
    );
    assert_eq!(
        broker.update(&old, Update::Part(b"late".to_vec())),
        Err(LeaseError::Stale),
        "a lease that ended was not refused: a part"
    );
    assert_eq!(
        broker.update(&old, Update::Checkpoint(b"late".to_vec())),
        Err(LeaseError::Stale),
        "a lease that ended was not refused: a checkpoint"
    );
    assert_eq!(
        broker.renew(&[&old]).unwrap(),
        [Beat::Stale],
        "a lease that ended was renewed"
    );
    for outcome in [
        done(b"late"),
        retry(),
        Outcome::Dead("late".into()),
        Outcome::Return,
    ] {
        let what = format!("a lease that ended was not refused: {outcome:?}");
        assert_eq!(
            broker.settle(&old, outcome),
            Err(LeaseError::Stale),
            "{what}"
        );
    }
    assert_eq!(
        before,
        (
            broker.get(new.id).unwrap(),
            broker.watch(new.id, 0, Duration::ZERO).unwrap(),
            broker.depth().unwrap()
        )
    );
    claim_none(broker, &ask("k/1", LONG), Duration::from_millis(50));
    assert_eq!(
        broker.renew(&[&new, &old]).unwrap(),
        [Beat::Held, Beat::Stale]
    );
    broker.settle(&new, done(b"new")).unwrap();
    // Nor when the job is settled; and the new one cannot settle twice.
    assert_eq!(broker.settle(&old, done(b"late")), Err(LeaseError::Stale));
    assert_eq!(broker.settle(&new, done(b"twice")), Err(LeaseError::Stale));
    assert_eq!(
        queue.ticket::<()>(new.id).status().unwrap(),
        crate::Status::Done
    );
    assert_eq!(broker.depth().unwrap().open(), 0);
}

/// Time is part of the promise here. The lower bound holds on any machine; for the upper one a busy machine gets several tries.
pub(super) fn a_lease_lasts_as_long_as_it_says(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let mut in_time = false;
    for _ in 0..10 {
        submit(
            broker,
            &[job(
                "k/1",
                Opts {
                    lane: Lane::High,
                    ..opts()
                },
            )],
        );
        let asked = Instant::now();
        let old = claim(broker, &ask("k/1", LEASE));
        // Renewed, it goes on; as many as need be for one lease to be over without them.
        let mut renewed = asked;
        while asked.elapsed() < LEASE + LEASE / 2 {
            thread::sleep(LEASE / 10);
            let began = Instant::now();
            match broker.renew(&[&old]).unwrap()[0] {
                Beat::Held => renewed = began,
                other => assert!(
                    renewed.elapsed() >= LEASE,
                    "{other:?} after {:?}",
                    renewed.elapsed()
                ),
            }
        }
        let new = claim(broker, &ask("k/1", LONG));
        // Clocks of records count whole milliseconds.
        let lasted = renewed.elapsed() + Duration::from_millis(2);
        assert_eq!(new.id, old.id);
        assert!(
            lasted >= LEASE,
            "a lease of {LEASE:?} ended after {lasted:?}"
        );
        broker.settle(&new, done(b"")).unwrap();
        in_time = lasted <= LEASE + LEASE / 2;
        if in_time {
            break;
        }
    }
    assert!(
        in_time,
        "ten times a lease of {LEASE:?} lasted longer than one and a half"
    );
}

pub(super) fn the_first_come_are_claimed_first(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let jobs: Vec<NewJob> = (0..30).map(|_| job("k/1", opts())).collect();
    submit(queue.broker(), &jobs[..10]);
    jobs[10..]
        .iter()
        .for_each(|job| submit(queue.broker(), std::slice::from_ref(job)));
    let order: Vec<JobId> = (0..30)
        .map(|_| claim(queue.broker(), &ask("k/1", LONG)).id)
        .collect();
    assert_eq!(order, jobs.iter().map(|job| job.id).collect::<Vec<_>>());
}

pub(super) fn low_lanes_are_passed_over_eight_times(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    for lane in [Lane::Low, Lane::High] {
        submit(
            broker,
            &(0..36)
                .map(|_| job("k/1", Opts { lane, ..opts() }))
                .collect::<Vec<_>>(),
        );
    }
    let ask = ask("k/1", LONG);
    let lanes: Vec<Lane> = (0..36).map(|_| claim(broker, &ask).record.lane).collect();
    let low = lanes.iter().filter(|lane| **lane == Lane::Low).count();
    assert_eq!(low, 4, "one in nine: {lanes:?}");
    assert!(
        lanes
            .split(|lane| *lane == Lane::Low)
            .all(|run| run.len() <= 8),
        "{lanes:?}"
    );
}

pub(super) fn foreign_kinds_and_classes_are_left_alone(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let gpu = NewJob {
        class: "gpu".into(),
        ..job("k/1", opts())
    };
    submit(
        broker,
        &[job("k/2", opts()), gpu.clone(), job("k/1", opts())],
    );
    let lease = claim(broker, &ask("k/1", LONG));
    assert_eq!(
        (lease.record.kind.as_str(), lease.record.class.as_str()),
        ("k/1", "cpu")
    );
    claim_none(broker, &ask("k/1", LONG), Duration::from_millis(50));
    claim_none(
        broker,
        &Ask {
            kinds: vec![],
            ..ask("k/1", LONG)
        },
        Duration::ZERO,
    );
    let both = Ask {
        classes: vec!["cpu".into(), "gpu".into()],
        ..ask("k/1", LONG)
    };
    assert_eq!(claim(broker, &both).id, gpu.id);
}

pub(super) fn a_job_is_claimed_by_one_of_many(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let jobs: Vec<NewJob> = (0..60).map(|_| job("k/1", opts())).collect();
    submit(queue.broker(), &jobs);
    let claimed: Vec<JobId> = thread::scope(|scope| {
        let workers: Vec<_> = (0..6)
            .map(|_| {
                scope.spawn(|| {
                    let (ask, mut mine) = (ask("k/1", LONG), Vec::new());
                    loop {
                        let leases = queue
                            .broker()
                            .claim(&ask, 3, Duration::from_millis(20))
                            .unwrap();
                        assert!(leases.len() <= 3);
                        if leases.is_empty() && queue.depth().unwrap().open() == 0 {
                            return mine;
                        }
                        for lease in leases {
                            queue.broker().settle(&lease, done(b"")).unwrap();
                            mine.push(lease.id);
                        }
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap())
            .collect()
    });
    assert_eq!(claimed.len(), 60);
    assert_eq!(
        claimed.into_iter().collect::<BTreeSet<_>>(),
        jobs.iter().map(|job| job.id).collect()
    );
}

pub(super) fn a_checkpoint_reaches_the_next_attempt(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    submit(broker, &[job("k/1", opts())]);
    let lease = claim(broker, &ask("k/1", LEASE));
    assert_eq!(lease.record.checkpoint, None);
    broker
        .update(&lease, Update::Checkpoint(b"one".to_vec()))
        .unwrap();
    broker
        .update(&lease, Update::Checkpoint(b"two".to_vec()))
        .unwrap();
    // Lost without a word.
    let lease = claim(broker, &ask("k/1", LONG));
    assert_eq!(lease.record.checkpoint.as_deref(), Some(&b"two"[..]));
    broker.settle(&lease, retry()).unwrap();
    assert_eq!(
        claim(broker, &ask("k/1", LONG))
            .record
            .checkpoint
            .as_deref(),
        Some(&b"two"[..])
    );
}

pub(super) fn a_claim_wakes_for_a_job(backend: &dyn Backend) {
    let name = fresh_name();
    let (worker, client) = (
        backend.open(&name, Limits::default()),
        backend.open(&name, Limits::default()),
    );
    thread::scope(|scope| {
        let claimed = scope.spawn(|| worker.broker().claim(&ask("k/1", LONG), 1, LONG).unwrap());
        thread::sleep(Duration::from_millis(100));
        submit(client.broker(), &[job("k/1", opts())]);
        assert_eq!(claimed.join().unwrap().len(), 1);
    });
}

/// Ends one lease and begins the next; a stale end changes nothing, and its worker gets the next job anyway.
pub(super) fn an_end_and_a_claim_go_together(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let jobs: Vec<NewJob> = (0..3).map(|_| job("a", opts())).collect();
    submit(broker, &jobs);
    let ask = ask("a", LONG);
    let first = claim(broker, &ask);
    let (settled, next) = broker.exchange(&first, done(b"1"), &ask);
    assert_eq!(settled, Ok(()));
    let second = next.unwrap().pop().expect("the second job");
    assert_eq!((first.id, second.id), (jobs[0].id, jobs[1].id));
    let (settled, next) = broker.exchange(&first, done(b"2"), &ask);
    assert_eq!(settled, Err(LeaseError::Stale));
    let third = next.unwrap().pop().expect("the third job");
    assert_eq!(third.id, jobs[2].id);
    let (settled, next) = broker.exchange(&third, done(b"3"), &ask);
    assert!(settled.is_ok() && next.unwrap().is_empty());
    assert_eq!(broker.settle(&second, done(b"2")), Ok(()));
    for (job, result) in jobs.iter().zip([b"1", b"2", b"3"]) {
        let record = broker.get(job.id).unwrap().expect("a record");
        let expected = crate::record::State::Done(crate::record::Output::Inline(result.to_vec()));
        assert_eq!(record.state, expected);
    }
    assert_eq!(broker.depth().unwrap().open(), 0);
}
