//! Workers and tickets in one process.

use std::sync::Arc;
use std::time::Duration;

use filch_queue::{Happening, Lane, Limits, Opts, Queue, Status, SubmitError, WaitError, Worker};

use super::jobs::*;

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
