//! Processes that are killed, frozen and started again, on one file.
//!
//! The processes are [`children`](super::children).

use std::collections::HashMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use filch_queue::{Limits, Queue, Status, Worker};

use super::children::{COUNT, DURABLE, FILE, LEASE, LEDGER, ROLE, child, child_of, open};
use super::jobs::{Gate, Marked, Marks, Patient, Square, opts};
use super::support::{Process, Random, Scratch, cases};

const LONG: Duration = Duration::from_secs(120);

fn signal(child: &Process, name: &str) {
    assert!(
        Command::new("kill")
            .args([name, &child.0.id().to_string()])
            .status()
            .unwrap()
            .success()
    );
}

/// The attempts of each job that began, by their fences.
pub fn fences(ledger: &Path) -> HashMap<u64, Vec<u64>> {
    let mut fences: HashMap<u64, Vec<u64>> = HashMap::new();
    for entry in std::fs::read_dir(ledger).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let (number, fence) = name.split_once('.').unwrap();
        fences
            .entry(number.parse().unwrap())
            .or_default()
            .push(fence.parse().unwrap());
    }
    fences
}

/// Whether `FILCH_QUEUE_STORM=full` asks for storms of two minutes and 10,000 jobs. They tell what happened: `--nocapture` shows it.
fn is_full() -> bool {
    std::env::var_os("FILCH_QUEUE_STORM").is_some_and(|size| size == "full")
}

/// How many jobs, and how many kills at most; half of those come in any case.
fn size(jobs: u64, kills: u32) -> (u64, u32) {
    if is_full() {
        // A kill every 175 ms on average: two minutes for half of them.
        (10_000, 2 * 686)
    } else {
        (jobs * u64::from(cases()), kills * cases())
    }
}

#[test]
fn totals_are_exact_in_a_storm_of_kills() {
    let directory = Scratch::new();
    let file = directory.path().join("storm.db");
    let (jobs, kills) = size(2500, 60);
    storm(&file, directory.path(), jobs, kills, || ());
}

/// The same, where what is told waits for the disk, and flushes are shared.
#[test]
fn totals_are_exact_where_jobs_run_ahead_of_the_disk() {
    let directory = Scratch::new();
    let file = directory.path().join(DURABLE);
    let (jobs, kills) = size(500, 30);
    storm(&file, directory.path(), jobs, kills, || ());
}

/// The same, and the server is killed as well, and loses its consumers once.
#[cfg(feature = "jetstream")]
#[test]
fn totals_are_exact_on_a_server_that_is_killed_as_well() {
    let Some(mut server) = super::support::Server::start() else {
        return;
    };
    let directory = Scratch::new();
    let (url, mut steps, mut kills, mut deleted) = (server.url(), 0, 0, 0);
    let (jobs, most) = size(600, 30);
    let of_server = if is_full() { 20 } else { 5 * cases() };
    storm(Path::new(&url), directory.path(), jobs, most, || {
        steps += 1;
        if steps % 4 == 0 && kills < of_server {
            server.kill_and_start();
            kills += 1;
        }
        if steps >= 6 && deleted == 0 {
            deleted = server.delete_consumers("storm");
        }
    });
    assert!(kills > 0 && deleted > 0, "no storm for the server");
}

/// Three workers and a submitter, one of which is killed at every step, until all jobs are done; then all that can be counted is counted.
fn storm(place: &Path, scratch: &Path, count: u64, most: u32, mut step: impl FnMut()) {
    let ledger = scratch.join("ledger");
    std::fs::create_dir(&ledger).unwrap();
    let counted = ledger.with_extension("kills");
    std::fs::create_dir(&counted).unwrap();
    // Without so many kills the jobs cannot end.
    let goal = u64::from(most / 2);
    let mut random = Random::new();
    let mut children: Vec<(&str, Process)> = Vec::new();
    let (mut kills, mut steps) = (0, 0);
    let queue = open(place);
    let begun = Instant::now();
    // A submitter that gets to the end may stay away; one that was killed starts again, and its keys make it go on where it was.
    let mut submitted = false;
    loop {
        children.retain_mut(|(role, child)| match child.0.try_wait().unwrap() {
            Some(status) => {
                submitted |= *role == "submitter" && status.success();
                false
            }
            None => true,
        });
        while children
            .iter()
            .filter(|(role, _)| *role == "worker")
            .count()
            < 3
        {
            children.push(("worker", child_of("worker", place, &ledger, 0, 0)));
        }
        if !submitted && !children.iter().any(|(role, _)| *role == "submitter") {
            let submitter = child_of("submitter", place, &ledger, count, goal);
            children.push(("submitter", submitter));
        }
        thread::sleep(Duration::from_millis(50 + random.below(250)));
        step();
        steps += 1;
        if submitted && queue.depth().unwrap().open() == 0 {
            break;
        }
        assert!(
            begun.elapsed() < LONG * if is_full() { 15 } else { cases() },
            "{} jobs are still there after {kills} kills",
            queue.depth().unwrap().open()
        );
        // At last only now and then, so that it ends, but never none, as there are jobs that wait for their workers to be killed.
        if kills < most || steps % 8 == 0 {
            let victim = random.below(children.len() as u64) as usize;
            if children.remove(victim).1.kill() {
                kills += 1;
                Gate::new(&counted, &kills.to_string()).open();
            }
        }
    }
    drop(children);
    let took = begun.elapsed();
    let fences = fences(&ledger);
    let (mut restarted, mut resumed) = (0, 0);
    for number in 0..count {
        let ticket = queue.ticket::<Marks>(queue.id_of::<Marked>(&number.to_string()));
        let (square, fence, from) = ticket
            .wait(Duration::ZERO)
            .unwrap_or_else(|error| panic!("job {number}: {error}"));
        assert_eq!(square, number * number);
        let attempts = &fences[&number];
        assert_eq!(
            attempts.iter().max(),
            Some(&fence),
            "job {number}: its result is of an attempt that was given up: {attempts:?}"
        );
        restarted += u64::from(attempts.len() > 1);
        resumed += u64::from(from > 0);
    }
    assert_eq!(fences.len() as u64, count);
    let depth = queue.depth().unwrap();
    assert_eq!((depth.open(), depth.dead), (0, 0));
    assert!(
        u64::from(kills) >= goal - 1 && restarted > 0 && resumed > 0,
        "no storm: {kills} kills, {restarted} jobs restarted, {resumed} resumed"
    );
    if is_full() {
        let attempts: usize = fences.values().map(Vec::len).sum();
        println!(
            "{count} jobs, {kills} kills in {took:.1?}; {attempts} attempts, {restarted} jobs restarted, {resumed} resumed; each has one result"
        );
    }
}

/// Until each thread of a process that was sent a stop has stopped, or ended. A thread inside a call of the system ends that first, which may give it a lock.
/// Where there is no `/proc`, this does not wait.
fn until_stopped(child: &Process) {
    let runs = |thread: std::fs::DirEntry| {
        let stat = std::fs::read_to_string(thread.path().join("stat")).unwrap_or_default();
        // The name before it may have any characters.
        stat.rsplit_once(") ")
            .is_some_and(|(_, rest)| !rest.starts_with(['T', 'X', 'Z']))
    };
    let threads = || std::fs::read_dir(format!("/proc/{}/task", child.0.id()));
    while threads().is_ok_and(|mut all| all.any(|it| it.is_ok_and(&runs))) {
        thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn a_frozen_worker_changes_nothing_when_it_thaws() {
    let directory = Scratch::new();
    let file = directory.path().join("frozen.db");
    let queue = Queue::local(&file, Limits::default()).unwrap();
    let gate = Gate::new(directory.path(), "gate");
    let ticket = queue
        .submit(
            &Patient {
                gate: gate.clone(),
                polite: false,
                through: 2,
            },
            opts(),
        )
        .unwrap();
    let mut frozen = child("worker", &file, 0);
    let begun = Instant::now();
    while !matches!(ticket.status().unwrap(), Status::Running { .. }) {
        assert!(begun.elapsed() < LONG);
        thread::sleep(Duration::from_millis(1));
    }
    // A process that is stopped in a transaction stops all others with it, as in any database. It holds one for microseconds at a time; if it was hit
    // there, it is frozen again.
    loop {
        signal(&frozen, "-STOP");
        until_stopped(&frozen);
        if queue.broker().attend("probe").is_ok() {
            break;
        }
        signal(&frozen, "-CONT");
        thread::sleep(Duration::from_millis(10));
    }
    let summary = Worker::new(&queue)
        .accept::<Patient>()
        .lease(LEASE)
        .run_until_empty();
    let result = ticket.wait(LONG).unwrap();
    let record = queue.broker().get(ticket.id()).unwrap();
    let events = ticket.subscribe(0).until_settled(LONG).unwrap();
    assert!(
        summary.done == 1 && result >= 2,
        "the job was taken over: {summary:?}, attempt {result}"
    );
    gate.open();
    signal(&frozen, "-CONT");
    // It finishes its job, finds that the lease is stale, sees an empty queue, and leaves.
    assert!(frozen.0.wait().unwrap().success());
    assert_eq!(queue.broker().get(ticket.id()).unwrap(), record);
    assert_eq!(ticket.subscribe(0).until_settled(LONG).unwrap(), events);
}

#[test]
fn what_was_accepted_survives_the_kill_of_everything() {
    use std::io::{BufRead, BufReader};
    let directory = Scratch::new();
    let file = directory.path().join("kept.db");
    for round in 0..5 {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "children::as_child", "--nocapture"])
            .env(ROLE, "submitter")
            .env(FILE, &file)
            .env(LEDGER, &file)
            .env(COUNT, "100000");
        let mut submitter = Process(command.stdout(Stdio::piped()).spawn().unwrap());
        let mut accepted = Vec::new();
        for line in BufReader::new(submitter.0.stdout.take().unwrap()).lines() {
            // The harness writes into the same pipe.
            if let Some((_, number)) = line.unwrap().split_once("accepted ") {
                accepted.push(number.parse::<u64>().unwrap());
            }
            if accepted.len() == 200 * (round + 1) {
                submitter.0.kill().unwrap();
            }
        }
        submitter.0.wait().unwrap();
        let queue = Queue::local(&file, Limits::default()).unwrap();
        assert!(accepted.len() >= 200 * (round + 1));
        for number in accepted {
            let ticket = queue.ticket::<Marks>(queue.id_of::<Marked>(&number.to_string()));
            assert_ne!(
                ticket.status().unwrap(),
                Status::Unknown,
                "job {number} was accepted and is gone"
            );
        }
    }
}

#[test]
fn several_processes_share_the_work() {
    let directory = Scratch::new();
    let file = directory.path().join("shared.db");
    let queue = Queue::local(&file, Limits::default()).unwrap();
    let jobs: Vec<Square> = (0..2000).map(Square).collect();
    let tickets = queue.submit_all(jobs.iter().map(|job| (job, opts())));
    let mut workers: Vec<Process> = (0..3).map(|_| child("worker", &file, 0)).collect();
    for (i, ticket) in (0..).zip(tickets) {
        assert_eq!(ticket.unwrap().wait(LONG), Ok(i * i));
    }
    for worker in &mut workers {
        assert!(worker.0.wait().unwrap().success());
    }
}

#[test]
fn rounds_of_jobs_leave_memory_as_it_was() {
    use std::io::Read;
    // 100,000 in all, where storms are full.
    let count = if is_full() { 10_000 } else { 1000 * cases() };
    let directory = Scratch::new();
    let file = directory.path().join("rounds.db");
    let mut command = Command::new(std::env::current_exe().unwrap());
    command
        .args(["--exact", "children::as_child", "--nocapture"])
        .env(ROLE, "rounds")
        .env(FILE, &file)
        .env(LEDGER, &file)
        .env(COUNT, count.to_string());
    let mut child = Process(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut text = String::new();
    let mut out = child.0.stdout.take().unwrap();
    out.read_to_string(&mut text).unwrap();
    assert!(child.0.wait().unwrap().success());
    let words = text.split_ascii_whitespace();
    let resident: Vec<u64> = words
        .clone()
        .zip(words.skip(1))
        .filter(|(word, _)| word.ends_with("resident"))
        .map(|(_, number)| number.parse().unwrap())
        .collect();
    assert_eq!(resident.len(), 10, "{text}");
    // The first rounds fill caches, and tables that double. What leaked a record a job would have doubled since.
    assert!(
        resident[9] * 10 <= resident[3] * 12,
        "KiB after each round: {resident:?}"
    );
}
