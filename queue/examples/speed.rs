//! What does a job cost, that is submitted, claimed, run by one hand and settled, and does nothing?
//!
//! ```text
//! cargo run --release -p filch-queue --example speed
//! queue/tests/with-nats cargo run --release -p filch-queue --features jetstream --example speed -- --jetstream nats://127.0.0.1:4222
//! ```
//!
//! Backends take turns, and the least and the median of the rounds are printed. Beside JetStream stands the plain client without leases, fences, events and
//! attempts: publish, pull, write a result, acknowledge.

use std::error::Error;
use std::time::{Duration, Instant};

use filch_queue::{Cx, Fail, Job, Limits, Opts, Queue, Worker};
use lexopt::prelude::*;
use serde::{Deserialize, Serialize};

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

const ROUNDS: usize = 7;

/// Time for each of so many jobs, by one round.
type Contender<'a> = (
    &'a str,
    Box<dyn FnMut(u64) -> Result<Duration, Failure> + 'a>,
);

fn main() -> Result<(), Failure> {
    let (mut jobs, mut url) = (1000, None);
    let mut parser = lexopt::Parser::from_env();
    while let Some(arg) = parser.next()? {
        match arg {
            Long("jobs") => jobs = parser.value()?.parse()?,
            Long("jetstream") => url = Some(parser.value()?.string()?),
            other => return Err(other.unexpected().into()),
        }
    }
    let directory = std::env::temp_dir().join(format!("filch-queue-speed-{}", std::process::id()));
    std::fs::create_dir_all(&directory)?;
    let durable = Limits {
        survive_power_loss: true,
        ..Limits::default()
    };
    let memory = Queue::mem("speed", Limits::default());
    let local = Queue::local(directory.join("normal.db"), Limits::default())?;
    let synced = Queue::local(directory.join("full.db"), durable)?;
    let mut contenders: Vec<Contender<'_>> = vec![
        ("memory", Box::new(|jobs| ours(&memory, jobs))),
        ("local", Box::new(|jobs| ours(&local, jobs))),
        (
            "local, survives loss of power",
            Box::new(|jobs| ours(&synced, jobs)),
        ),
    ];
    if let Some(url) = &url {
        server(url, &mut contenders)?;
    }
    let mut times: Vec<Vec<Duration>> = vec![Vec::new(); contenders.len()];
    for _ in 0..ROUNDS {
        for ((_, round), times) in contenders.iter_mut().zip(&mut times) {
            times.push(round(jobs)? / u32::try_from(jobs)?);
        }
    }
    println!("{jobs} jobs, {ROUNDS} rounds          least      median of a job");
    for ((name, _), times) in contenders.iter().zip(&mut times) {
        times.sort();
        println!("{name:<32} {:>9.1?} {:>9.1?}", times[0], times[ROUNDS / 2]);
    }
    drop(contenders);
    drop((local, synced));
    std::fs::remove_dir_all(&directory)?;
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
fn server(_: &str, _: &mut Vec<Contender<'_>>) -> Result<(), Failure> {
    Err("this was built without the feature jetstream: add `--features jetstream`".into())
}

#[cfg(feature = "jetstream")]
fn server(url: &str, contenders: &mut Vec<Contender<'_>>) -> Result<(), Failure> {
    let name = format!("speed-{}", std::process::id());
    let queue = Queue::jetstream(url, filch_queue::Auth::default(), &name, Limits::default())?;
    contenders.push(("JetStream", Box::new(move |jobs| ours(&queue, jobs))));
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let plain = runtime.block_on(plain::Plain::open(url, &name))?;
    contenders.push((
        "plain client of JetStream",
        Box::new(move |jobs| runtime.block_on(plain.round(jobs))),
    ));
    Ok(())
}

#[cfg(feature = "jetstream")]
mod plain {
    use std::time::{Duration, Instant};

    use async_nats::jetstream::consumer::{PullConsumer, pull};
    use async_nats::jetstream::stream::{Config, RetentionPolicy};
    use async_nats::jetstream::{self, Context};
    use futures_util::StreamExt;

    pub struct Plain {
        context: Context,
        consumer: PullConsumer,
        name: String,
    }

    impl Plain {
        pub async fn open(url: &str, name: &str) -> Result<Self, async_nats::Error> {
            let context = jetstream::new(async_nats::connect(url).await?);
            let config = |what: &str, retention| Config {
                name: format!("{what}-{name}"),
                subjects: vec![format!("{what}.{name}.*")],
                retention,
                ..Config::default()
            };
            let jobs = context
                .create_stream(config("jobs", RetentionPolicy::WorkQueue))
                .await?;
            context
                .create_stream(config("results", RetentionPolicy::Limits))
                .await?;
            let consumer = jobs
                .create_consumer(pull::Config {
                    durable_name: Some("w".into()),
                    ..pull::Config::default()
                })
                .await?;
            Ok(Plain {
                context,
                consumer,
                name: name.to_owned(),
            })
        }

        pub async fn round(&self, jobs: u64) -> Result<Duration, async_nats::Error> {
            let begun = Instant::now();
            let mut sent = Vec::new();
            for job in 0..jobs {
                sent.push(
                    self.context
                        .publish(
                            format!("jobs.{}.{job}", self.name),
                            job.to_le_bytes().to_vec().into(),
                        )
                        .await?,
                );
            }
            for sent in sent {
                sent.await?;
            }
            for _ in 0..jobs {
                let message = self
                    .consumer
                    .fetch()
                    .max_messages(1)
                    .messages()
                    .await?
                    .next()
                    .await
                    .ok_or("no message")??;
                let subject = message.subject.replacen("jobs", "results", 1);
                self.context.publish(subject, "".into()).await?.await?;
                message.double_ack().await?;
            }
            Ok(begun.elapsed())
        }
    }
}
