//! What every backend has to do, as checks that panic with what was wrong.
//!
//! [`CHECKS`] holds them all by name; [`conformance!`](crate::conformance!) makes a test of them. `filch-queue conformance URL` runs them against a server.
//!
//! ```
//! use filch_queue::conformance::{CHECKS, InMemory};
//! let (name, check) = CHECKS[0];
//! println!("{name}");
//! check(&InMemory::default());
//! ```

mod claims;
mod kept;
mod settled;
mod timed;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::aging::Aging;
use crate::broker::{Ask, Broker, Lease, NewJob, Outcome};
use crate::id::{JobId, random};
use crate::opts::{Backoff, Limits, Opts};
use crate::queue::Queue;
use crate::record::Output;

/// A kind of queue that can be checked.
pub trait Backend: Sync {
    /// Opens the queue of this name, or makes it; the same name gives the same queue, as it would in another process.
    fn open(&self, name: &str, limits: Limits) -> Queue;

    /// Whether jobs outlive the last handle.
    fn is_durable(&self) -> bool {
        true
    }
}

/// [`Queue::mem`], by name.
#[derive(Default)]
pub struct InMemory(Mutex<HashMap<String, Queue>>);

impl Backend for InMemory {
    fn open(&self, name: &str, limits: Limits) -> Queue {
        let mut queues = self.0.lock().unwrap_or_else(|poison| poison.into_inner());
        queues
            .entry(name.to_owned())
            .or_insert_with(|| Queue::mem(name, limits))
            .clone()
    }

    fn is_durable(&self) -> bool {
        false
    }
}

/// A check of one promise.
pub type Check = fn(&dyn Backend);

/// All checks, by name.
pub const CHECKS: &[(&str, Check)] = &[
    (
        "accepted_jobs_outlive_all_handles",
        kept::accepted_jobs_outlive_all_handles,
    ),
    (
        "a_lane_takes_exactly_as_many_as_it_may",
        kept::a_lane_takes_exactly_as_many_as_it_may,
    ),
    (
        "a_lane_takes_so_many_bytes_and_so_many_a_second",
        kept::a_lane_takes_so_many_bytes_and_so_many_a_second,
    ),
    ("a_key_is_one_job", kept::a_key_is_one_job),
    (
        "large_things_are_refused_and_nothing_breaks",
        kept::large_things_are_refused_and_nothing_breaks,
    ),
    ("depth_is_exact", kept::depth_is_exact),
    ("blobs_are_kept_by_name", kept::blobs_are_kept_by_name),
    (
        "workers_are_seen_and_asked_to_leave",
        kept::workers_are_seen_and_asked_to_leave,
    ),
    ("attempts_rise", claims::attempts_rise),
    (
        "a_stale_lease_changes_nothing",
        claims::a_stale_lease_changes_nothing,
    ),
    (
        "a_lease_lasts_as_long_as_it_says",
        claims::a_lease_lasts_as_long_as_it_says,
    ),
    (
        "the_first_come_are_claimed_first",
        claims::the_first_come_are_claimed_first,
    ),
    (
        "low_lanes_are_passed_over_eight_times",
        claims::low_lanes_are_passed_over_eight_times,
    ),
    (
        "foreign_kinds_and_classes_are_left_alone",
        claims::foreign_kinds_and_classes_are_left_alone,
    ),
    (
        "a_job_is_claimed_by_one_of_many",
        claims::a_job_is_claimed_by_one_of_many,
    ),
    (
        "a_checkpoint_reaches_the_next_attempt",
        claims::a_checkpoint_reaches_the_next_attempt,
    ),
    ("a_claim_wakes_for_a_job", claims::a_claim_wakes_for_a_job),
    (
        "an_end_and_a_claim_go_together",
        claims::an_end_and_a_claim_go_together,
    ),
    ("what_is_settled_stays", settled::what_is_settled_stays),
    (
        "a_result_is_there_before_the_job_is_gone",
        settled::a_result_is_there_before_the_job_is_gone,
    ),
    (
        "cancelled_before_the_start_is_never_started",
        settled::cancelled_before_the_start_is_never_started,
    ),
    (
        "cancelled_while_it_runs_is_told",
        settled::cancelled_while_it_runs_is_told,
    ),
    ("a_retry_waits", settled::a_retry_waits),
    (
        "the_last_attempt_is_the_last",
        settled::the_last_attempt_is_the_last,
    ),
    (
        "a_dead_job_may_be_requeued",
        settled::a_dead_job_may_be_requeued,
    ),
    (
        "a_job_handed_back_spends_no_attempt",
        settled::a_job_handed_back_spends_no_attempt,
    ),
    (
        "events_are_neither_lost_nor_repeated",
        settled::events_are_neither_lost_nor_repeated,
    ),
    (
        "a_deadline_keeps_from_starting",
        timed::a_deadline_keeps_from_starting,
    ),
    (
        "many_deadlines_pass_at_once",
        timed::many_deadlines_pass_at_once,
    ),
    (
        "who_waits_sees_deadlines_and_lost_leases",
        timed::who_waits_sees_deadlines_and_lost_leases,
    ),
    (
        "what_was_kept_long_enough_is_forgotten",
        timed::what_was_kept_long_enough_is_forgotten,
    ),
];

/// Makes a test that runs every check, and says which failed. The expression gives a [`Backend`](crate::conformance::Backend).
///
/// ```
/// filch_queue::conformance!(memory_does_what_it_should, filch_queue::conformance::InMemory::default());
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! conformance {
    ($test:ident, $backend:expr) => {
        #[test]
        fn $test() {
            let failed = $crate::conformance::run(&$backend, |_, _| ());
            assert!(failed.is_empty(), "failed: {failed:?}");
        }
    };
}

/// Runs every check, tells how each went, and returns the names of those that failed. What was wrong goes to standard error, as with any panic.
pub fn run(backend: &dyn Backend, mut tell: impl FnMut(&str, bool)) -> Vec<&'static str> {
    let mut failed = Vec::new();
    for &(name, check) in CHECKS {
        let well =
            std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(backend))).is_ok();
        tell(name, well);
        if !well {
            failed.push(name);
        }
    }
    failed
}

/// A queue of its own, under a name that no other check uses.
fn fresh(backend: &dyn Backend, limits: Limits) -> Queue {
    backend.open(&fresh_name(), limits)
}

fn fresh_name() -> String {
    format!("check-{:016x}", random())
}

/// Short, as tests wait for its end; long beside what a busy machine lets a thread wait.
const LEASE: Duration = Duration::from_millis(400);
/// Longer than any test takes.
const LONG: Duration = Duration::from_secs(60);

fn job(kind: &str, opts: Opts) -> NewJob {
    NewJob {
        id: JobId::random(),
        kind: kind.into(),
        class: "cpu".into(),
        body: kind.as_bytes().to_vec(),
        opts,
    }
}

fn opts() -> Opts {
    Opts {
        backoff: Backoff::NONE,
        ..Opts::default()
    }
}

fn ask(kind: &str, lease: Duration) -> Ask {
    Ask {
        kinds: vec![kind.into()],
        classes: vec!["cpu".into()],
        lease,
        aging: Arc::new(Aging::new(Aging::DEFAULT)),
        turns: Arc::default(),
    }
}

fn submit(broker: &dyn Broker, jobs: &[NewJob]) {
    for answer in broker.submit(jobs) {
        answer.expect("a submit into an empty queue");
    }
}

/// Claims one job, which has to come.
fn claim(broker: &dyn Broker, ask: &Ask) -> Lease {
    let begun = Instant::now();
    loop {
        if let Some(lease) = broker
            .claim(ask, 1, Duration::from_secs(2))
            .expect("claim")
            .pop()
        {
            return lease;
        }
        assert!(
            begun.elapsed() < LONG,
            "no job came in {LONG:?}: {:?}",
            broker.depth()
        );
    }
}

/// Claims one job, which must not come while so long is waited.
fn claim_none(broker: &dyn Broker, ask: &Ask, wait: Duration) {
    let got = broker.claim(ask, 1, wait).expect("claim");
    assert!(
        got.is_empty(),
        "a job was claimed that must not be: {got:?}"
    );
}

/// Claims a job under a short lease and settles it before that is over, which a machine that stands still may miss: then again.
fn claim_and_settle(broker: &dyn Broker, kind: &str, outcome: &Outcome) -> Lease {
    let begun = Instant::now();
    loop {
        let lease = claim(broker, &ask(kind, LEASE));
        match broker.settle(&lease, outcome.clone()) {
            Ok(()) => return lease,
            Err(error) => assert!(begun.elapsed() < LONG, "{error}"),
        }
    }
}

/// Waits until all jobs are settled, none of which may be claimed any more.
fn until_none_is_open(broker: &dyn Broker, kind: &str) {
    let begun = Instant::now();
    loop {
        claim_none(broker, &ask(kind, LONG), LEASE / 4);
        let depth = broker.depth().expect("depth");
        if depth.open() == 0 {
            return;
        }
        assert!(begun.elapsed() < LONG, "still there: {depth:?}");
    }
}

fn done(bytes: &[u8]) -> Outcome {
    Outcome::Done(Output::Inline(bytes.to_vec()))
}

fn retry() -> Outcome {
    Outcome::Retry {
        after: None,
        why: "planned".into(),
    }
}
