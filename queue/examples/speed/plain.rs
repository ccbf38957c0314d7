//! JetStream's client by itself: no leases, fences, events or attempts.

use std::pin::pin;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{PullConsumer, pull};
use async_nats::jetstream::stream::{Config, RetentionPolicy};
use async_nats::jetstream::{self, Context};
use futures_util::{StreamExt, stream};

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
        // As many under way at once as the queue has. The client takes 5000 at most, and more would wait for answers that are not read.
        let sent = stream::iter(0..jobs).map(|job| async move {
            let subject = format!("jobs.{}.{job}", self.name);
            let body = job.to_le_bytes().to_vec();
            self.context.publish(subject, body.into()).await?.await
        });
        let mut sent = pin!(sent.buffered(64));
        while let Some(sent) = sent.next().await {
            sent?;
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
