//! What does a job cost that does nothing? How soon is one picked up, how much of its time does a worker work, and do equal workers get equal shares?
//!
//! ```text
//! cargo run --release -p filch-queue --example speed
//! cargo run --release -p filch-queue --features jetstream --example speed -- --jetstream nats://127.0.0.1:4222
//! cargo run --release -p filch-queue --example speed -- --jobs 100000 --rounds 1 handover
//! ```
//!
//! `--only NAME` leaves the other backends out. Without a word all five tables are printed: `handover`, `pickup`, `use`, `shares`, `recovery`. In the first, backends take turns, and the least and the median of the
//! rounds are told: a job is submitted with many others, claimed, run by one hand and settled. Beside JetStream stands the plain client without leases, fences,
//! events and attempts: publish, pull, write a result, acknowledge.

#[cfg(feature = "jetstream")]
mod plain;
mod recovery;
mod tables;

use std::error::Error;
use std::time::{Duration, Instant};

use filch_queue::{Cx, Fail, Job, Limits, Opts, Queue, Worker};
use lexopt::prelude::*;
use serde::{Deserialize, Serialize};

const DURABLE: &str = "local, survives loss of power";

/// What async-nats' own error is, too.
type Failure = Box<dyn Error + Send + Sync>;

#[derive(Serialize, Deserialize)]
struct Nothing(u64);

impl Job for Nothing {
    const KIND: &'static str = "nothing/1";
    type Out = ();
    fn run(&self, _: &Cx) -> Result<(), Fail> {
        Ok(())
    }
}

/// The time of so many jobs.
type Round<'a> = Box<dyn FnMut(u64) -> Result<Duration, Failure> + 'a>;
type Contender<'a> = (&'a str, Round<'a>);

fn main() -> Result<(), Failure> {
    let (mut jobs, mut rounds, mut url, mut tables) = (1000, 7, None, Vec::new());
    let mut only = None;
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Long("jobs") => jobs = parser.value()?.parse()?,
            Long("rounds") => rounds = parser.value()?.parse::<usize>()?.max(1),
            Long("only") => only = Some(parser.value()?.string()?),
            // A process of the last table, in place of all of them.
            Long("work") => return work(&parser.value()?.string()?),
            Long("jetstream") => url = Some(parser.value()?.string()?),
            Value(table) => tables.push(table.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let directory = std::env::temp_dir().join(format!("filch-queue-speed-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let file = |name: &str| directory.join(name).display().to_string();
    let mut places = vec![("local", file("normal.db")), (DURABLE, file("full.db"))];
    let mut queues = vec![
        ("memory", Queue::mem("speed", Limits::default())),
        ("local", open(&places[0].1)?),
        (DURABLE, open(&places[1].1)?),
    ];
    if let Some(url) = &url {
        let name = format!("speed-{}", std::process::id());
        places.push(("JetStream", format!("{url} {name}")));
        queues.push(("JetStream", open(&places[2].1)?));
    }
    if let Some(only) = only {
        queues.retain(|(name, _)| *name == only);
    }
    let wanted = |table: &str| tables.is_empty() || tables.iter().any(|of| of == table);
    if wanted("handover") {
        handover(&queues, url.as_deref(), jobs, rounds)?;
    }
    if wanted("pickup") {
        tables::pickup(&queues)?;
    }
    if wanted("use") {
        tables::use_of_time(&queues)?;
    }
    if wanted("shares") {
        tables::shares(&queues)?;
    }
    if wanted("recovery") {
        recovery::recovery(&queues, &places)?;
    }
    drop(queues);
    std::fs::remove_dir_all(&directory)?;
    Ok(())
}

/// The queue at a place: a file, durable by its name, or the URL of a server and a name.
fn open(place: &str) -> Result<Queue, Failure> {
    if let Some((url, name)) = place.split_once(' ') {
        return server(url, name);
    }
    let limits = Limits {
        survive_power_loss: place.ends_with("full.db"),
        ..Limits::default()
    };
    Ok(Queue::local(place, limits)?)
}

fn work(place: &str) -> Result<(), Failure> {
    recovery::work(&open(place)?);
    Ok(())
}

fn handover(
    queues: &[(&str, Queue)],
    url: Option<&str>,
    jobs: u64,
    rounds: usize,
) -> Result<(), Failure> {
    let ours = |(name, queue)| -> Contender<'_> { (name, Box::new(move |jobs| ours(queue, jobs))) };
    let mut contenders: Vec<Contender<'_>> = queues
        .iter()
        .map(|(name, queue)| ours((name, queue)))
        .collect();
    if let Some(url) = url {
        contenders.push(("plain client of JetStream", client(url)?));
    }
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); contenders.len()];
    for _ in 0..rounds {
        for ((_, round), times) in contenders.iter_mut().zip(&mut times) {
            times.push(round(jobs)? / u32::try_from(jobs)?);
        }
    }
    println!("{jobs} jobs, {rounds} rounds          least      median of a job");
    for ((name, _), times) in contenders.iter().zip(&mut times) {
        times.sort();
        println!("{name:<32} {:>9.1?} {:>9.1?}", times[0], times[rounds / 2]);
    }
    Ok(())
}

fn ours(queue: &Queue, jobs: u64) -> Result<Duration, Failure> {
    let work: Vec<Nothing> = (0..jobs).map(Nothing).collect();
    // Forgotten soon, so that rounds are alike.
    let brief = Duration::from_millis(1);
    let opts = Opts {
        keep: brief,
        max_run: Duration::from_secs(60),
        ..Opts::default()
    };
    let begun = Instant::now();
    for answer in queue.submit_all(work.iter().map(|job| (job, opts.clone()))) {
        answer?;
    }
    let summary = Worker::new(queue).accept::<Nothing>().run_until_empty();
    if summary.done != jobs {
        return Err(format!("{summary:?} of {jobs}").into());
    }
    Ok(begun.elapsed())
}

#[cfg(not(feature = "jetstream"))]
const WITHOUT: &str = "this was built without the feature jetstream: add `--features jetstream`";

#[cfg(not(feature = "jetstream"))]
fn server(_: &str, _: &str) -> Result<Queue, Failure> {
    Err(WITHOUT.into())
}

#[cfg(not(feature = "jetstream"))]
fn client(_: &str) -> Result<Round<'static>, Failure> {
    Err(WITHOUT.into())
}

#[cfg(feature = "jetstream")]
fn server(url: &str, name: &str) -> Result<Queue, Failure> {
    let auth = filch_queue::Auth::default();
    Ok(Queue::jetstream(url, auth, name, Limits::default())?)
}

#[cfg(feature = "jetstream")]
fn client(url: &str) -> Result<Round<'static>, Failure> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let plain = runtime.block_on(plain::Plain::open(
        url,
        &format!("speed-{}", std::process::id()),
    ))?;
    Ok(Box::new(move |jobs| runtime.block_on(plain.round(jobs))))
}
