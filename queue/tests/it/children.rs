//! Processes for tests to kill: this test binary, which runs `as_child` alone, in a role.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use filch_queue::{Limits, Opts, Queue, Worker};

use super::jobs::{Gate, Hold, Marked, Patient, Square, opts};
use super::support::Process;

pub const ROLE: &str = "FILCH_QUEUE_TEST_ROLE";
pub const FILE: &str = "FILCH_QUEUE_TEST_FILE";
pub const LEDGER: &str = "FILCH_QUEUE_TEST_LEDGER";
pub const COUNT: &str = "FILCH_QUEUE_TEST_COUNT";
pub const GOAL: &str = "FILCH_QUEUE_TEST_GOAL";

/// Short, so that what a killed worker held comes back soon.
pub const LEASE: Duration = Duration::from_millis(250);

/// Whether this process is one that a test has started.
pub fn is_child() -> bool {
    std::env::var_os(ROLE).is_some()
}

/// How the name of a file ends whose queue survives a loss of power.
pub const DURABLE: &str = "durable.db";

/// The queue of a file, or of a server's URL.
pub fn open(place: &Path) -> Queue {
    #[cfg(feature = "jetstream")]
    if let Some(url) = place.to_str().filter(|place| place.contains("://")) {
        return Queue::jetstream(
            url,
            filch_queue::Auth::default(),
            "storm",
            Limits::default(),
        )
        .unwrap();
    }
    let limits = Limits {
        survive_power_loss: place.ends_with(DURABLE),
        ..Limits::default()
    };
    Queue::local(place, limits).unwrap()
}

#[test]
fn as_child() {
    let Ok(role) = std::env::var(ROLE) else {
        return;
    };
    let place = PathBuf::from(std::env::var(FILE).unwrap());
    let ledger = PathBuf::from(std::env::var(LEDGER).unwrap());
    let count: u64 = std::env::var(COUNT).unwrap().parse().unwrap();
    let queue = open(&place);
    match role.as_str() {
        "worker" => {
            let worker = Worker::new(&queue)
                .accept::<Marked>()
                .accept::<Patient>()
                .accept::<Square>();
            let worker = worker
                .accept_map_reduce::<super::map_reduce::Rests>()
                .concurrency(2)
                .lease(LEASE);
            #[cfg(feature = "store")]
            let worker = match super::objects::of(&place) {
                Some(objects) => worker.shuffle_store(&objects),
                None => worker,
            };
            // With a count it stays, as a driver may have more for it.
            if count > 0 {
                worker.run().wait()
            } else {
                worker.run_until_empty()
            };
        }
        // Says of each job that it was accepted; from then on it may be killed. One that begins again gets past the jobs that are known by handing in many at once.
        "submitter" => {
            let goal = std::env::var(GOAL).map_or(0, |goal| goal.parse().unwrap());
            for first in (0..count).step_by(AT_ONCE) {
                let numbers = first..count.min(first + AT_ONCE as u64);
                submit(&queue, &ledger, numbers.clone(), count, goal);
                numbers.for_each(|number| println!("accepted {number}"));
            }
        }
        // As many jobs again and again, each forgotten soon.
        "rounds" => {
            let memory = Queue::mem("rounds", Limits::default());
            for _ in 0..10 {
                rounds(&memory, count);
                rounds(&queue, count);
                println!("resident {}", resident());
            }
        }
        other => panic!("no such role: {other}"),
    }
}

fn rounds(queue: &Queue, count: u64) {
    let brief = Opts {
        keep: Duration::from_millis(1),
        max_run: Duration::from_millis(100),
        ..opts()
    };
    let jobs: Vec<Square> = (0..count).map(Square).collect();
    let tickets = queue.submit_all(jobs.iter().map(|job| (job, brief.clone())));
    let worker = Worker::new(queue).accept::<Square>();
    assert_eq!(worker.run_until_empty().done, count);
    assert_eq!(queue.depth().unwrap().open(), 0);
    drop(tickets);
}

/// KiB of memory that this process has now; 0 where there is no telling.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let number = line.and_then(|line| line.split_ascii_whitespace().nth(1));
    number.map_or(0, |number| number.parse().unwrap())
}

/// How many jobs the submitter hands in at once.
const AT_ONCE: usize = 50;

/// Submits some jobs of `count`, spread over which are some that wait for kills, up to the goal. So jobs cannot end before the storm has raged.
fn submit(queue: &Queue, ledger: &Path, numbers: Range<u64>, count: u64, goal: u64) {
    let job = |number: u64| {
        let kill = (number + 1) * goal / count;
        let hold = if goal == 0 || kill == number * goal / count {
            Hold::Nothing
        } else if kill.is_multiple_of(5) {
            Hold::Loss
        } else {
            Hold::Gate(Gate::new(
                &ledger.with_extension("kills"),
                &kill.to_string(),
            ))
        };
        let steps = match hold {
            Hold::Nothing => (number % 4) as u32,
            _ => 3,
        };
        Marked {
            number,
            steps,
            ledger: ledger.to_owned(),
            hold,
        }
    };
    let jobs: Vec<Marked> = numbers.map(job).collect();
    // More attempts than a storm can kill.
    let opts = |job: &Marked| Opts {
        key: Some(job.number.to_string()),
        attempts: 1_000_000,
        ..opts()
    };
    for answer in queue.submit_all(jobs.iter().map(|job| (job, opts(job)))) {
        answer.unwrap();
    }
}

pub fn child(role: &str, file: &Path, count: u64) -> Process {
    child_of(role, file, &file.with_extension("ledger"), count, 0)
}

pub fn child_of(role: &str, place: &Path, ledger: &Path, count: u64, goal: u64) -> Process {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args([
        "--exact",
        "children::as_child",
        "--nocapture",
        "--test-threads=1",
    ]);
    command
        .env(ROLE, role)
        .env(FILE, place)
        .env(LEDGER, ledger)
        .env(COUNT, count.to_string())
        .env(GOAL, goal.to_string());
    command.stdout(Stdio::null()).stderr(Stdio::null());
    Process(command.spawn().unwrap())
}
