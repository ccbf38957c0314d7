//! Backends with typical mistakes: the checks of the promises must find each. And calls that come between two steps.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use filch_queue::broker::{Beat, Lease, Outcome};
use filch_queue::conformance::{Backend, CHECKS};
use filch_queue::map_reduce::{RunError, Shuffle};
use filch_queue::{JobId, LeaseError, Limits, Queue, Status, Worker};

use super::jobs::*;
use super::support::Scratch;
use super::wrapped::Wrapped;

const LONG: Duration = Duration::from_secs(60);

/// A kind of backend whose queues are made wrong.
struct Wrong<F>(F);

impl<F: Fn(Queue) -> Wrapped + Sync> Backend for Wrong<F> {
    fn open(&self, name: &str, limits: Limits) -> Queue {
        (self.0)(Queue::mem(name, limits)).queue()
    }

    fn is_durable(&self) -> bool {
        false
    }
}

fn passes(check: &str, backend: &dyn Backend) -> bool {
    let (_, check) = CHECKS.iter().find(|(name, _)| *name == check).unwrap();
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(backend))).is_ok()
}

#[test]
fn a_backend_without_fences_is_found_out() {
    let without = Wrong(|queue| {
        // Each lease of a job is taken for its latest one.
        let latest: Arc<Mutex<HashMap<JobId, Lease>>> = Arc::default();
        let claimed = latest.clone();
        let mut wrapped = Wrapped::new(queue);
        wrapped.claim = Box::new(move |inner, ask, max, wait| {
            let leases = inner.claim(ask, max, wait)?;
            let mut latest = claimed.lock().unwrap();
            for lease in &leases {
                let (record, body) = (lease.record.clone(), lease.body.clone());
                let copy = Lease::new(lease.id, record, body, lease.fence, lease.lease);
                latest.insert(lease.id, copy);
            }
            Ok(leases)
        });
        wrapped.settle =
            Box::new(
                move |inner, lease, outcome| match latest.lock().unwrap().get(&lease.id) {
                    Some(holder) => inner.settle(holder, outcome),
                    None => Err(LeaseError::Stale),
                },
            );
        wrapped
    });
    assert!(passes(
        "a_stale_lease_changes_nothing",
        &Wrong(Wrapped::new)
    ));
    assert!(!passes("a_stale_lease_changes_nothing", &without));
}

#[test]
fn a_backend_that_drops_the_job_before_its_result_is_kept_is_found_out() {
    let hasty = Wrong(|queue| {
        let dropped = Arc::new(AtomicU64::new(0));
        let seen = dropped.clone();
        let mut wrapped = Wrapped::new(queue);
        wrapped.settle = Box::new(move |inner, lease, outcome| {
            let done = matches!(outcome, Outcome::Done(_));
            dropped.fetch_add(u64::from(done), Ordering::SeqCst);
            thread::sleep(Duration::from_millis(20));
            let settled = inner.settle(lease, outcome);
            dropped.fetch_sub(u64::from(done), Ordering::SeqCst);
            settled
        });
        wrapped.depth = Box::new(move |inner| {
            let mut depth = inner.depth()?;
            let gone = seen.load(Ordering::SeqCst);
            for lane in &mut depth.lanes {
                lane.leased = lane.leased.saturating_sub(gone);
            }
            Ok(depth)
        });
        wrapped
    });
    let check = "a_result_is_there_before_the_job_is_gone";
    assert!(passes(check, &Wrong(Wrapped::new)));
    assert!(!passes(check, &hasty));
}

#[test]
fn a_backend_whose_renewals_do_nothing_is_found_out() {
    let idle = Wrong(|queue| {
        let mut wrapped = Wrapped::new(queue);
        wrapped.renew = Box::new(|_, leases| Ok(vec![Beat::Held; leases.len()]));
        wrapped
    });
    assert!(!passes("a_lease_lasts_as_long_as_it_says", &idle));
}

#[test]
fn a_drain_hands_back_what_is_just_being_claimed() {
    let directory = Scratch::new();
    let gate = Gate::new(directory.path(), "gate");
    let (passed, memory) = (gate.clone(), Queue::mem("q", Limits::default()));
    let mut wrapped = Wrapped::new(memory.clone());
    wrapped.claim = Box::new(move |inner, ask, max, wait| {
        let leases = inner.claim(ask, max, wait)?;
        if !leases.is_empty() {
            passed.wait(|| false);
        }
        Ok(leases)
    });
    let queue = wrapped.queue();
    let never = Patient {
        gate: Gate::new(directory.path(), "never"),
        polite: true,
        through: u32::MAX,
    };
    let ticket = queue.submit(&never, opts()).unwrap();
    let worker = Worker::new(&queue).accept::<Patient>().run();
    while !matches!(ticket.status().unwrap(), Status::Running { .. }) {
        thread::yield_now();
    }
    // The job is the worker's, which has not heard of it yet.
    let drained = thread::scope(|scope| {
        let drain = scope.spawn(|| worker.drain(Duration::ZERO));
        thread::sleep(Duration::from_millis(50));
        gate.open();
        drain.join().unwrap()
    });
    assert_eq!((drained.done, drained.returned), (0, 1));
    assert_eq!(ticket.status().unwrap(), Status::Queued { attempts: 1 });
}

#[test]
fn where_others_may_submit_no_job_names_a_directory() {
    let directory = Scratch::new();
    // It says that it is not private.
    let queue = Wrapped::new(Queue::mem("q", Limits::default())).queue();
    let worker = Worker::new(&queue)
        .accept_map_reduce::<super::map_reduce::Rests>()
        .run();
    let work = super::map_reduce::work(3);
    let run = queue.map_reduce(work).input(vec![vec![1, 2]]);
    let run = run
        .shuffle(Shuffle::Dir(directory.path().into()))
        .start()
        .unwrap();
    assert!(matches!(run.wait(LONG), Err(RunError::Failed { .. })));
    worker.drain(LONG);
}
