//! Workers and tickets in one process.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use filch_queue::{
    Cancelled, Happening, Lane, Limits, Opts, Queue, Status, SubmitError, WaitError, Worker,
};

use super::jobs::*;
use super::support::Scratch;

const LONG: Duration = Duration::from_secs(60);

fn queue() -> Queue {
    Queue::mem("q", Limits::default())
}

#[test]
fn results_are_those_of_the_jobs_with_many_hands() {
    let queue = queue();
    let jobs: Vec<Square> = (0..500).map(Square).collect();
    let tickets = queue.submit_all(jobs.iter().map(|job| (job, opts())));
    let summary = Worker::new(&queue)
        .accept::<Square>()
        .concurrency(4)
        .run_until_empty();
    assert_eq!((summary.done, summary.failed), (500, 0));
    for (i, ticket) in (0..).zip(tickets) {
        assert_eq!(ticket.unwrap().wait(LONG), Ok(i * i));
    }
    assert_eq!(queue.depth().unwrap().open(), 0);
    let stats = queue.stats().all;
    assert_eq!(
        (stats.accepted, stats.claimed, stats.done, stats.reclaimed),
        (500, 500, 500, 0)
    );
}

#[test]
fn a_pool_runs_the_jobs() {
    let queue = queue();
    let pool = Arc::new(
        filch::ThreadPoolBuilder::new()
            .num_threads(2)
            .build()
            .unwrap(),
    );
    let ticket = queue.submit(&Square(9), opts()).unwrap();
    Worker::new(&queue)
        .accept::<Square>()
        .pool(pool)
        .run_until_empty();
    assert_eq!(ticket.wait(LONG), Ok(81));
}

#[test]
fn failures_and_panics_are_tried_again_and_at_last_given_up() {
    let queue = queue();
    for panics in [false, true] {
        let well = queue
            .submit(&Stubborn { until: 4, panics }, opts())
            .unwrap();
        let never = queue
            .submit(&Stubborn { until: 9, panics }, opts())
            .unwrap();
        let summary = Worker::new(&queue).accept::<Stubborn>().run_until_empty();
        assert_eq!((summary.done, summary.failed), (1, 8));
        assert_eq!(well.wait(LONG), Ok(4));
        let why = if panics {
            "panicked: planned"
        } else {
            "planned"
        };
        assert_eq!(
            never.wait(LONG),
            Err(WaitError::Dead(format!("attempt 5, the last: {why}")))
        );
    }
}

#[test]
fn a_body_of_another_layout_is_dead_at_once_and_the_worker_goes_on() {
    let queue = queue();
    let hostile = queue
        .submit(&Impostor("\u{ff}".repeat(40), String::new()), opts())
        .unwrap();
    // What decodes is run: a body says nothing of its layout. The number in the kind does.
    let good = queue.submit(&Square(3), opts()).unwrap();
    Worker::new(&queue).accept::<Square>().run_until_empty();
    assert_eq!(good.wait(LONG), Ok(9));
    assert!(!matches!(
        hostile.status().unwrap(),
        Status::Queued { .. } | Status::Running { .. }
    ));
    let cut = queue
        .submit(&Impostor(String::new(), String::new()), opts())
        .unwrap();
    let record = queue.broker().get(cut.id()).unwrap().unwrap();
    assert_eq!(record.len, 2);
    let nothing = filch_queue::broker::NewJob {
        id: "00000000000000000000000000000001".parse().unwrap(),
        kind: "square/1".into(),
        class: "cpu".into(),
        body: vec![],
        opts: opts(),
    };
    queue.broker().submit(std::slice::from_ref(&nothing))[0]
        .clone()
        .unwrap();
    Worker::new(&queue).accept::<Square>().run_until_empty();
    let Status::Dead(why) = queue.ticket::<u64>(nothing.id).status().unwrap() else {
        panic!("an empty body is no number")
    };
    assert!(why.contains("square/1"), "{why}");
}

#[test]
fn what_is_longer_than_a_lease_keeps_it() {
    // Against a heartbeat in the job's thread: the job never pauses for the worker, and ends only after renewals for three leases.
    let directory = Scratch::new();
    let lease = Duration::from_millis(700);
    // A machine that stands still for a lease loses it, and rightly so; it gets several tries.
    for turn in 0..10 {
        let queue = queue();
        let gate = Gate::new(directory.path(), &turn.to_string());
        let ticket = queue
            .submit(
                &Patient {
                    gate: gate.clone(),
                    polite: false,
                    through: u32::MAX,
                },
                opts(),
            )
            .unwrap();
        let worker = || Worker::new(&queue).accept::<Patient>().lease(lease).run();
        let workers = [worker(), worker()];
        let begun = Instant::now();
        while queue.stats().all.renewed < 18 || begun.elapsed() < lease * 2 {
            assert!(begun.elapsed() < LONG, "{:?}", queue.stats());
            if matches!(ticket.status().unwrap(), Status::Running { attempt: 2.. }) {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        gate.open();
        let attempt = ticket.wait(LONG).unwrap();
        for worker in workers {
            worker.drain(LONG);
        }
        if attempt == 1 {
            return;
        }
    }
    panic!("ten times a lease was lost that was to be renewed");
}

#[test]
fn what_runs_for_too_long_is_given_to_another() {
    let directory = Scratch::new();
    let queue = queue();
    let gate = Gate::new(directory.path(), "gate");
    let max_run = Duration::from_millis(200);
    let before = PATIENTS.load(Ordering::Relaxed);
    let ticket = queue
        .submit(
            &Patient {
                gate: gate.clone(),
                polite: false,
                through: u32::MAX,
            },
            Opts {
                max_run,
                attempts: 2,
                ..opts()
            },
        )
        .unwrap();
    let worker = || {
        Worker::new(&queue)
            .accept::<Patient>()
            .lease(Duration::from_millis(200))
            .run()
    };
    let workers = [worker(), worker()];
    let Err(WaitError::Dead(why)) = ticket.wait(LONG) else {
        panic!("both attempts hang")
    };
    assert!(why.contains("attempt 2"), "{why}");
    assert!(PATIENTS.load(Ordering::Relaxed) >= before + 2);
    gate.open();
    for worker in workers {
        assert_eq!(
            worker.drain(LONG).done,
            0,
            "results of attempts that were given up are refused"
        );
    }
}

#[test]
fn drain_hands_back_what_is_not_done() {
    let directory = Scratch::new();
    let queue = queue();
    let gate = Gate::new(directory.path(), "gate");
    let ticket = queue
        .submit(
            &Patient {
                gate: gate.clone(),
                polite: false,
                through: 2,
            },
            Opts {
                attempts: 1,
                ..opts()
            },
        )
        .unwrap();
    let leaving = Worker::new(&queue).accept::<Patient>().run();
    while !matches!(ticket.status().unwrap(), Status::Running { .. }) {
        std::thread::yield_now();
    }
    let summary = leaving.drain(Duration::ZERO);
    assert_eq!((summary.done, summary.returned), (0, 1));
    assert_eq!(ticket.status().unwrap(), Status::Queued { attempts: 1 });
    // Its one attempt was not spent. The first, which still runs, changes nothing.
    Worker::new(&queue).accept::<Patient>().run_until_empty();
    assert_eq!(ticket.wait(LONG), Ok(2));
    gate.open();
}

#[test]
fn a_worker_leaves_when_asked_through_the_queue() {
    let queue = queue();
    let worker = Worker::new(&queue).accept::<Square>().name("one").run();
    while !queue.broker().drain("one").unwrap() {
        std::thread::yield_now();
    }
    worker.wait();
}

#[test]
fn large_results_lie_beside_the_record() {
    let directory = Scratch::new();
    for queue in [
        queue(),
        Queue::local(directory.path().join("q.db"), Limits::default()).unwrap(),
    ] {
        for len in [0, 100, 256 << 10, 3 << 20] {
            let ticket = queue.submit(&Large(len), opts()).unwrap();
            Worker::new(&queue).accept::<Large>().run_until_empty();
            let bytes = ticket.wait(LONG).unwrap();
            assert!(bytes.len() == len && (0..len).all(|i| bytes[i] == i as u8));
        }
    }
    // One of four was longer than a record holds; a damaged one is not taken for a result.
    let blobs: Vec<_> = std::fs::read_dir(directory.path().join("q.db.blobs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(
        blobs.len(),
        2,
        "with a number for its length, 256 KiB are more than a record holds"
    );
    let queue = Queue::local(directory.path().join("q.db"), Limits::default()).unwrap();
    let ticket = queue.submit(&Large(3 << 20), opts()).unwrap();
    Worker::new(&queue).accept::<Large>().run_until_empty();
    for entry in std::fs::read_dir(directory.path().join("q.db.blobs")).unwrap() {
        std::fs::write(entry.unwrap().path(), b"damaged").unwrap();
    }
    assert!(matches!(ticket.wait(LONG), Err(WaitError::Undecodable(_))));
}

#[test]
fn cancelling_stops_a_running_job() {
    let directory = Scratch::new();
    let queue = queue();
    let ticket = queue
        .submit(
            &Patient {
                gate: Gate::new(directory.path(), "never"),
                polite: true,
                through: u32::MAX,
            },
            opts(),
        )
        .unwrap();
    let worker = Worker::new(&queue)
        .accept::<Patient>()
        .lease(Duration::from_millis(300))
        .run();
    while !matches!(ticket.status().unwrap(), Status::Running { .. }) {
        std::thread::yield_now();
    }
    assert_eq!(ticket.cancel().unwrap(), Cancelled::Requested);
    assert_eq!(ticket.wait(LONG), Err(WaitError::Cancelled));
    worker.drain(LONG);
}

#[test]
fn a_key_gives_the_same_ticket_and_events_can_be_read_again() {
    let queue = queue();
    let keyed = || Opts {
        key: Some("a".into()),
        ..opts()
    };
    let (one, two) = (
        queue.submit(&Square(4), keyed()).unwrap(),
        queue.submit(&Square(5), keyed()).unwrap(),
    );
    assert_eq!(one.id(), two.id());
    assert_eq!(one.id(), queue.id_of::<Square>("a"));
    Worker::new(&queue).accept::<Square>().run_until_empty();
    assert_eq!(two.wait(LONG), Ok(16), "the first one's");
    for _ in 0..2 {
        let events = queue
            .ticket::<u64>(one.id())
            .subscribe(0)
            .until_settled(LONG)
            .unwrap();
        assert_eq!(events, [Happening::Started, Happening::Done]);
    }
    assert_eq!(queue.stats().all.known, 1);
    assert_eq!(
        queue
            .ticket::<u64>("0".repeat(32).parse().unwrap())
            .wait(LONG),
        Err(WaitError::Unknown)
    );
}

#[test]
fn a_full_lane_says_so() {
    let queue = Queue::mem("q", Limits::jobs(2));
    let jobs = [Square(1), Square(2), Square(3)];
    let answers = queue.submit_all(jobs.iter().map(|job| (job, opts())));
    assert!(answers[0].is_ok() && answers[1].is_ok());
    assert!(matches!(answers[2], Err(SubmitError::Full { .. })));
    assert_eq!(queue.stats().all.full, 1);
    queue
        .submit(
            &Square(1),
            Opts {
                lane: Lane::High,
                ..opts()
            },
        )
        .unwrap();
}

#[test]
fn finished_bundles_are_skipped() {
    let directory = Scratch::new();
    let file = directory.path().join("q.db");
    for (round, queue) in [queue(), Queue::local(&file, Limits::default()).unwrap()]
        .into_iter()
        .enumerate()
    {
        // Few bundles, whose notes lie in the record, and so many that they lie beside it.
        for (count, each) in [(10, 3), (1500, 1), (0, 1)] {
            let marks = directory.path().join(format!("{round}-{count}"));
            std::fs::create_dir(&marks).unwrap();
            let job = Bundled {
                items: (0..count).collect(),
                each,
                directory: marks.clone(),
            };
            let ticket = queue.submit(&job, opts()).unwrap();
            Worker::new(&queue).accept::<Bundled>().run_until_empty();
            let blobs = ticket.wait(LONG).unwrap();
            let bytes: Vec<u8> = blobs
                .iter()
                .flat_map(|blob| queue.blob(blob).unwrap())
                .collect();
            let expected: Vec<u8> = (0..count).flat_map(|n| (n * n).to_le_bytes()).collect();
            assert_eq!(bytes, expected);
            assert_eq!(blobs.len(), (count as usize).div_ceil(each));
            let computed = std::fs::read_dir(&marks).unwrap().count();
            assert_eq!(computed, blobs.len(), "a bundle was computed twice");
        }
    }
}

#[test]
fn blobs_of_a_job_go_with_its_record() {
    let directory = Scratch::new();
    let queue = Queue::local(directory.path().join("q.db"), Limits::default()).unwrap();
    let marks = directory.path().join("marks");
    std::fs::create_dir(&marks).unwrap();
    let job = Bundled {
        items: (0..9).collect(),
        each: 2,
        directory: marks,
    };
    let brief = Opts {
        keep: Duration::from_millis(1),
        max_run: Duration::from_millis(1),
        ..opts()
    };
    let ticket = queue.submit(&job, brief).unwrap();
    // Its time to run is over at once, which the heart sees a sixth of a lease later; so it is done before.
    Worker::new(&queue).accept::<Bundled>().run_until_empty();
    while queue.broker().get(ticket.id()).unwrap().is_some() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let blobs = std::fs::read_dir(directory.path().join("q.db.blobs")).unwrap();
    assert_eq!(blobs.count(), 0);
}

#[test]
fn statistics_tell_lanes_and_kinds_apart() {
    let queue = queue();
    let lane = |lane| Opts { lane, ..opts() };
    for n in 0..20 {
        queue.submit(&Square(n), lane(Lane::High)).unwrap();
    }
    queue.submit(&Square(1), lane(Lane::Low)).unwrap();
    let never = Stubborn {
        until: 9,
        panics: false,
    };
    queue.submit(&never, opts()).unwrap();
    let kinds = queue.broker().kinds().unwrap();
    let told: Vec<_> = kinds
        .iter()
        .map(|of| (of.lane, of.kind.as_str(), of.queued))
        .collect();
    assert_eq!(
        told,
        [
            (Lane::High, "square/1", 20),
            (Lane::Normal, "stubborn/1", 1),
            (Lane::Low, "square/1", 1)
        ]
    );
    Worker::new(&queue)
        .accept::<Square>()
        .accept::<Stubborn>()
        .run_until_empty();
    let stats = queue.stats();
    let of = |lane, kind| {
        let found = stats
            .kinds
            .iter()
            .find(|of| (of.0, of.1.as_str()) == (lane, kind));
        found.unwrap().2
    };
    assert_eq!(of(Lane::High, "square/1").done, 20);
    let stubborn = of(Lane::Normal, "stubborn/1");
    assert_eq!(
        (stubborn.retried, stubborn.dead, stubborn.reclaimed),
        (4, 1, 4)
    );
    assert_eq!((stubborn.run.count(), stubborn.wait.count()), (5, 5));
    assert_eq!((stats.all.accepted, stats.all.claimed), (22, 26));
    // 20 jobs of the highest lane, and a bound of eight for each of the others.
    assert!(
        stats.passed_over[1] >= 8 && stats.passed_over[2] >= 8,
        "{stats:?}"
    );
    let text = queue.to_prometheus().unwrap();
    for line in [
        "filch_queue_done_total{lane=\"high\",kind=\"square/1\"} 20",
        "filch_queue_dead_total{lane=\"normal\",kind=\"stubborn/1\"} 1",
        "filch_queue_run_seconds_count{lane=\"low\",kind=\"square/1\"} 1",
        "filch_queue_wait_seconds_bucket{lane=\"high\",kind=\"square/1\",le=\"+Inf\"} 20",
        "filch_queue_dead 1",
    ] {
        assert!(text.lines().any(|of| of == line), "no {line} in\n{text}");
    }
}

#[test]
fn a_job_knows_the_trace_it_belongs_to_and_bad_ones_are_refused() {
    let queue = Queue::mem("q", Limits::default());
    for (trace, good) in [
        (
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            true,
        ),
        (
            "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
            false,
        ),
        ("yesterday", false),
    ] {
        let traced = Opts {
            traceparent: Some(trace.into()),
            ..opts()
        };
        match queue.submit(&Square(3), traced) {
            Ok(ticket) => {
                assert!(good, "{trace}");
                let record = queue.broker().get(ticket.id()).unwrap().unwrap();
                assert_eq!(record.traceparent.as_deref(), Some(trace));
            }
            Err(error) => assert!(!good && error.to_string().contains(trace), "{error}"),
        }
    }
    assert_eq!(queue.depth().unwrap().open(), 1);
}
