//! How long a job stays with its worker: heartbeats, limits of time, draining and cancelling.

use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use filch_queue::{Cancelled, Limits, Opts, Queue, Status, WaitError, Worker};

use super::jobs::*;
use super::support::Scratch;

const LONG: Duration = Duration::from_secs(60);

fn queue() -> Queue {
    Queue::mem("q", Limits::default())
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
