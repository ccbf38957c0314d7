//! What is kept, and how much.

use std::collections::BTreeSet;
use std::thread;

use super::*;
use crate::broker::{LaneDepth, Submitted, Update};
use crate::error::{LeaseError, SubmitError};
use crate::id::Lane;
use crate::opts::{LaneLimits, MAX_BODY, MAX_INLINE, MAX_PART};
use crate::record::State;

pub(super) fn accepted_jobs_outlive_all_handles(backend: &dyn Backend) {
    if !backend.is_durable() {
        return;
    }
    let name = fresh_name();
    let jobs: Vec<NewJob> = (0..20).map(|_| job("k/1", opts())).collect();
    let queue = backend.open(&name, Limits::default());
    submit(queue.broker(), &jobs);
    drop(queue);
    let queue = backend.open(&name, Limits::default());
    let claimed: BTreeSet<JobId> = (0..20)
        .map(|_| claim(queue.broker(), &ask("k/1", LONG)).id)
        .collect();
    assert_eq!(claimed, jobs.iter().map(|job| job.id).collect());
}

pub(super) fn a_lane_takes_exactly_as_many_as_it_may(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::jobs(20));
    let results: Vec<Result<Submitted, SubmitError>> = thread::scope(|scope| {
        let submitters: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    (0..5)
                        .flat_map(|_| queue.broker().submit(&[job("k/1", opts())]))
                        .collect::<Vec<_>>()
                })
            })
            .collect();
        submitters
            .into_iter()
            .flat_map(|submitter| submitter.join().unwrap())
            .collect()
    });
    assert_eq!(
        results
            .iter()
            .filter(|result| **result == Ok(Submitted::New))
            .count(),
        20
    );
    assert!(
        results
            .iter()
            .all(|result| matches!(result, Ok(_) | Err(SubmitError::Full { .. }))),
        "{results:?}"
    );
    // Another lane has its own limit, and a job that ends makes room.
    submit(
        queue.broker(),
        &[job(
            "k/1",
            Opts {
                lane: Lane::High,
                ..opts()
            },
        )],
    );
    let normal = claim(
        queue.broker(),
        &Ask {
            kinds: vec!["k/1".into()],
            ..ask("k/1", LONG)
        },
    );
    assert_eq!(normal.record.lane, Lane::High);
    let normal = claim(queue.broker(), &ask("k/1", LONG));
    assert!(
        matches!(
            queue.broker().submit(&[job("k/1", opts())])[0],
            Err(SubmitError::Full { .. })
        ),
        "a leased job counts"
    );
    queue.broker().settle(&normal, done(b"")).unwrap();
    submit(queue.broker(), &[job("k/1", opts())]);
}

pub(super) fn a_lane_takes_so_many_bytes_and_so_many_a_second(backend: &dyn Backend) {
    let mut limits = Limits::default();
    limits.lanes[Lane::Normal.index()] = LaneLimits {
        max_bytes: 100_000,
        ..LaneLimits::default()
    };
    limits.lanes[Lane::Low.index()] = LaneLimits {
        accept_per_s: Some(1),
        ..LaneLimits::default()
    };
    let queue = fresh(backend, limits);
    let large = || NewJob {
        body: vec![7; 30_000],
        ..job("k/1", opts())
    };
    let answers = queue.broker().submit(&[large(), large(), large(), large()]);
    assert!(answers[..3].iter().all(Result::is_ok), "{answers:?}");
    assert!(
        matches!(answers[3], Err(SubmitError::Full { .. })),
        "{answers:?}"
    );
    let low = || {
        job(
            "k/1",
            Opts {
                lane: Lane::Low,
                ..opts()
            },
        )
    };
    submit(queue.broker(), &[low()]);
    // Two in one second, unless the machine stands still between them.
    let full = |answers: Vec<Result<_, SubmitError>>| {
        answers.into_iter().find_map(|answer| match answer {
            Err(SubmitError::Full { retry_after }) => Some(retry_after),
            _ => None,
        })
    };
    let retry_after = (0..10)
        .find_map(|_| full(queue.broker().submit(&[low(), low()])))
        .expect("one a second is less than 20 at once");
    thread::sleep(retry_after);
    submit(queue.broker(), &[low()]);
}

pub(super) fn a_key_is_one_job(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let id = JobId::of_key("q", "k/1", "the key");
    let new = thread::scope(|scope| {
        let submitters: Vec<_> = (0..8)
            .map(|_| {
                scope.spawn(|| {
                    queue
                        .broker()
                        .submit(&[NewJob {
                            id,
                            ..job("k/1", opts())
                        }])
                        .remove(0)
                        .unwrap()
                })
            })
            .collect();
        submitters
            .into_iter()
            .map(|submitter| submitter.join().unwrap())
            .filter(|answer| *answer == Submitted::New)
            .count()
    });
    assert_eq!(new, 1);
    assert_eq!(queue.depth().unwrap().open(), 1);
    let lease = claim(queue.broker(), &ask("k/1", LONG));
    queue.broker().settle(&lease, done(b"r")).unwrap();
    // Also once it is done.
    assert_eq!(
        queue.broker().submit(&[NewJob {
            id,
            ..job("k/1", opts())
        }]),
        [Ok(Submitted::Known)]
    );
    assert_eq!(queue.depth().unwrap().open(), 0);
    // The parts of a name cannot run into each other.
    assert_ne!(JobId::of_key("a", "bc", "d"), JobId::of_key("ab", "c", "d"));
    assert_ne!(JobId::of_key("a", "b", "cd"), JobId::of_key("a", "bc", "d"));
}

pub(super) fn large_things_are_refused_and_nothing_breaks(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let of = |len: usize| NewJob {
        body: vec![1; len],
        ..job("k/1", opts())
    };
    let answers = broker.submit(&[of(MAX_BODY), of(MAX_BODY + 1), of(0)]);
    assert_eq!(
        answers,
        [
            Ok(Submitted::New),
            Err(SubmitError::TooLarge {
                len: MAX_BODY + 1,
                max: MAX_BODY
            }),
            Ok(Submitted::New)
        ]
    );
    let lease = claim(broker, &ask("k/1", LONG));
    assert_eq!(lease.body.len(), MAX_BODY);
    let too_large = |len, max| Err(LeaseError::TooLarge { len, max });
    assert_eq!(
        broker.update(&lease, Update::Part(vec![0; MAX_PART + 1])),
        too_large(MAX_PART + 1, MAX_PART)
    );
    assert_eq!(
        broker.update(&lease, Update::Checkpoint(vec![0; MAX_PART + 1])),
        too_large(MAX_PART + 1, MAX_PART)
    );
    assert_eq!(
        broker.settle(&lease, done(&vec![0; MAX_INLINE + 1])),
        too_large(MAX_INLINE + 1, MAX_INLINE)
    );
    broker
        .update(&lease, Update::Part(vec![0; MAX_PART]))
        .unwrap();
    broker
        .update(&lease, Update::Checkpoint(vec![0; MAX_PART]))
        .unwrap();
    broker.settle(&lease, done(&vec![5; MAX_INLINE])).unwrap();
    let State::Done(Output::Inline(bytes)) = broker.get(lease.id).unwrap().unwrap().state else {
        panic!("not done")
    };
    assert!(bytes.len() == MAX_INLINE && bytes.iter().all(|&byte| byte == 5));
}

pub(super) fn depth_is_exact(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    let of = |lane| NewJob {
        body: vec![0; 10],
        ..job(
            "k/1",
            Opts {
                lane,
                attempts: 1,
                ..opts()
            },
        )
    };
    for (lane, n) in [(Lane::High, 4), (Lane::Normal, 2), (Lane::Low, 3)] {
        submit(broker, &(0..n).map(|_| of(lane)).collect::<Vec<_>>());
    }
    // High has four: one done, one dead, one under a lease, one queued.
    let leases: Vec<Lease> = (0..3).map(|_| claim(broker, &ask("k/1", LONG))).collect();
    broker.settle(&leases[0], done(b"")).unwrap();
    broker
        .settle(&leases[1], Outcome::Dead("planned".into()))
        .unwrap();
    let depth = queue.depth().unwrap();
    assert_eq!(
        depth.lane(Lane::High),
        LaneDepth {
            queued: 1,
            leased: 1,
            delayed: 0,
            bytes: 20
        }
    );
    assert_eq!(
        depth.lane(Lane::Normal),
        LaneDepth {
            queued: 2,
            leased: 0,
            delayed: 0,
            bytes: 20
        }
    );
    assert_eq!(
        depth.lane(Lane::Low),
        LaneDepth {
            queued: 3,
            leased: 0,
            delayed: 0,
            bytes: 30
        }
    );
    assert_eq!((depth.dead, depth.open()), (1, 7));
    // A backend need not tell of kinds.
    let kinds = broker.kinds().unwrap();
    if !kinds.is_empty() {
        let of = |of: &crate::broker::KindDepth| (of.lane, of.kind.clone(), of.queued, of.leased);
        let told: Vec<_> = kinds.iter().map(of).collect();
        let kind = || "k/1".to_owned();
        assert_eq!(
            told,
            [
                (Lane::High, kind(), 1, 1),
                (Lane::Normal, kind(), 2, 0),
                (Lane::Low, kind(), 3, 0)
            ]
        );
    }
}

pub(super) fn blobs_are_kept_by_name(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let blobs = queue.broker().blobs();
    let bytes: Vec<u8> = (0..3_000_000u32)
        .map(|i| (i.wrapping_mul(2_654_435_761) >> 24) as u8)
        .collect();
    blobs.put("one.1", &bytes).unwrap();
    blobs.put("empty", &[]).unwrap();
    assert!(blobs.get("one.1").unwrap().as_deref() == Some(&bytes[..]));
    assert_eq!(blobs.get("empty").unwrap().as_deref(), Some(&[][..]));
    assert_eq!(blobs.get("none").unwrap(), None);
    blobs.remove("one.1").unwrap();
    blobs.remove("one.1").unwrap();
    assert_eq!(blobs.get("one.1").unwrap(), None);
    for name in ["two.1", "two.2", "twofold", "three"] {
        blobs.put(name, b"x").unwrap();
    }
    blobs.remove_all("two.").unwrap();
    blobs.remove_all("none").unwrap();
    let kept =
        ["two.1", "two.2", "twofold", "three"].map(|name| blobs.get(name).unwrap().is_some());
    assert_eq!(kept, [false, false, true, true]);
    for hostile in [
        "",
        "../x",
        "a/b",
        ".hidden",
        "a\0b",
        "a b",
        "a>",
        &"x".repeat(201),
    ] {
        assert!(blobs.put(hostile, b"x").is_err(), "{hostile:?}");
        assert!(blobs.get(hostile).is_err(), "{hostile:?}");
        assert!(blobs.remove_all(hostile).is_err(), "{hostile:?}");
    }
}

pub(super) fn workers_are_seen_and_asked_to_leave(backend: &dyn Backend) {
    let queue = fresh(backend, Limits::default());
    let broker = queue.broker();
    assert!(!broker.drain("one").unwrap());
    assert!(!broker.attend("one").unwrap());
    assert!(!broker.attend("two").unwrap());
    let names: Vec<String> = broker
        .workers()
        .unwrap()
        .into_iter()
        .map(|seen| seen.name)
        .collect();
    assert_eq!(names, ["one", "two"]);
    assert!(broker.drain("one").unwrap());
    assert!(broker.attend("one").unwrap());
    assert!(!broker.attend("two").unwrap());
}
