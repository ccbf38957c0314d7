//! Pulling messages, and claiming what they speak of.

use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::message::Message;
use futures_util::StreamExt;

use super::change::{Step, decode_job, lock};
use super::link::failed;
use super::{JetStream, Names};
use crate::broker::{Ask, Lease};
use crate::clock;
use crate::error::Error;
use crate::id::{Lane, random};
use crate::ledger::started;
use crate::record::{Record, State, Tick};

/// How long a message may be on its way between delivery and being put off, before it is delivered again.
const ON_ITS_WAY: Duration = Duration::from_secs(2);
/// How long a pull may take that does not wait for messages.
const PULL: Duration = Duration::from_secs(1);
/// Jobs that may be under a lease or put off at once, for each class and kind of a lane.
const MAX_PENDING: i64 = 10_000;

/// What a claim made of a record.
enum Found {
    Claimed(Box<Record>),
    /// Settled now, or before.
    Settled(Box<Record>),
    /// Not to be started before this.
    Later(u64),
    /// The message is a copy, in a lane that is not the job's.
    Copy,
}

impl JetStream {
    /// Asks all lanes, each for all kinds, without waiting.
    pub(super) async fn sweep(&self, ask: &Ask, max: usize) -> Result<Vec<Lease>, Error> {
        let mut leases = Vec::new();
        'next: while leases.len() < max {
            for lane in ask.aging.order() {
                for class in &ask.classes {
                    for kind in &ask.kinds {
                        if let Some(lease) = self.pull(ask, lane, class, kind).await? {
                            ask.aging.took(lane);
                            leases.push(lease);
                            continue 'next;
                        }
                    }
                }
                ask.aging.was_empty(lane);
            }
            break;
        }
        Ok(leases)
    }

    /// The first job of a kind that may be started.
    async fn pull(
        &self,
        ask: &Ask,
        lane: Lane,
        class: &str,
        kind: &str,
    ) -> Result<Option<Lease>, Error> {
        loop {
            let consumer = self.consumer(lane, class, kind).await?;
            let pulled = tokio::time::timeout(PULL, async {
                let mut messages = consumer
                    .fetch()
                    .max_messages(1)
                    .messages()
                    .await
                    .map_err(|error| failed("a pull", error))?;
                messages
                    .next()
                    .await
                    .transpose()
                    .map_err(|error| failed("a pull", error))
            });
            // A pull without an answer is one without a message: if there was one, it comes again.
            let pulled = pulled.await.unwrap_or(Ok(None));
            let message = match pulled {
                Ok(None) => return Ok(None),
                Ok(Some(message)) => message,
                Err(error) => {
                    // It may be gone: made again, it delivers all again, and records sort that out.
                    self.consumers
                        .lock()
                        .unwrap_or_else(|poison| poison.into_inner())
                        .remove(&(lane, class.to_owned(), kind.to_owned()));
                    return Err(error);
                }
            };
            if let Some(lease) = self.claim_message(ask, lane, &message).await? {
                return Ok(Some(lease));
            }
        }
    }

    async fn consumer(&self, lane: Lane, class: &str, kind: &str) -> Result<PullConsumer, Error> {
        let key = (lane, class.to_owned(), kind.to_owned());
        if let Some(consumer) = self
            .consumers
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
            .get(&key)
        {
            return Ok(consumer.clone());
        }
        let name = self.names.consumer(class, kind);
        let config = pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: self.names.kind(lane, class, kind),
            ack_policy: AckPolicy::Explicit,
            ack_wait: ON_ITS_WAY,
            max_deliver: -1,
            max_ack_pending: MAX_PENDING,
            ..pull::Config::default()
        };
        let stream = &self.lanes[lane.index()];
        let consumer = self
            .link
            .again("a consumer", || async {
                stream.get_or_create_consumer(&name, config.clone()).await
            })
            .await?;
        self.consumers
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
            .insert(key, consumer.clone());
        Ok(consumer)
    }

    async fn claim_message(
        &self,
        ask: &Ask,
        lane: Lane,
        message: &Message,
    ) -> Result<Option<Lease>, Error> {
        let reply = message
            .reply
            .as_ref()
            .map(|reply| reply.to_string())
            .unwrap_or_default();
        let id = Names::id_of(&message.subject);
        let job = decode_job(&message.payload).ok();
        let (Some(id), Some((first, at, body))) = (id, job) else {
            // No job of ours: not even its submitter can be told.
            self.acknowledge(&reply).await?;
            return Ok(None);
        };
        let (holder, length) = (random(), clock::millis(ask.lease));
        let claim = |record: Option<Record>, now| {
            // A submitter that took its record back lost a race against one that got the message in.
            let mut record = record.unwrap_or_else(|| first.as_submitted());
            // Who writes a message chooses its subject. What lies in another lane, or under another kind or class than its record has, is no job's.
            if record.lane != lane || self.names.job(id, &record) != *message.subject {
                return Step::Leave(Found::Copy);
            }
            let ticked = record.tick(now) != Tick::Nothing;
            if record.state.is_settled() {
                let found = Found::Settled(Box::new(record.clone()));
                return if ticked {
                    Step::Write(Box::new(record), found)
                } else {
                    Step::Leave(found)
                };
            }
            if record.claim(holder, length, now) {
                return Step::Write(Box::new(record.clone()), Found::Claimed(Box::new(record)));
            }
            // A lease that just ended and a job that is put off: looked at again when it is time.
            Step::Leave(Found::Later(match record.state {
                State::Running => record.lease_until,
                _ => record.due(now).unwrap_or(now),
            }))
        };
        // Of a first claim, the record is as it was when the message was written.
        let guess = (at > 0).then(|| (Some(first.clone()), at));
        let (found, sequence) = self.change(id, guess, Some(&body), claim).await?;
        match found {
            Found::Claimed(record) => {
                let start = started(record.attempt);
                let lease = Lease::new(id, (*record).clone(), body, sequence, ask.lease);
                {
                    let mut private = lock(&lease);
                    private.seen = Some((*record, sequence));
                    private.reply = Some(reply);
                }
                self.tell_start(&lease, &start)?;
                self.put_off(&lease, ask.lease).await;
                Ok(Some(lease))
            }
            Found::Settled(record) => {
                self.tell_end(id, &record).await?;
                self.acknowledge(&reply).await?;
                Ok(None)
            }
            Found::Copy => {
                self.acknowledge(&reply).await?;
                Ok(None)
            }
            Found::Later(at) => {
                self.delay(
                    &reply,
                    Duration::from_millis(at.saturating_sub(self.now()).max(1)),
                )
                .await;
                Ok(None)
            }
        }
    }

    /// Drops a message for good, and waits until the server says so.
    async fn acknowledge(&self, reply: &str) -> Result<(), Error> {
        self.link
            .again("an acknowledgement", || async {
                self.link
                    .client
                    .request(reply.to_owned(), "+ACK".into())
                    .await
            })
            .await?;
        Ok(())
    }

    /// Drops the message of a lease whose job is settled.
    pub(super) async fn finish(&self, lease: &Lease) -> Result<(), Error> {
        let reply = lock(lease).reply.clone();
        match reply {
            Some(reply) => self.acknowledge(&reply).await,
            None => Ok(()),
        }
    }

    /// Has the message of a lease delivered again after so long.
    pub(super) async fn put_off(&self, lease: &Lease, delay: Duration) {
        let reply = lock(lease).reply.clone();
        if let Some(reply) = reply {
            self.delay(&reply, delay).await;
        }
    }

    /// Lost, the message comes again as one that was on its way, and is put off then.
    async fn delay(&self, reply: &str, delay: Duration) {
        let word = format!("-NAK {{\"delay\": {}}}", delay.as_nanos().max(1));
        let _ = self
            .link
            .client
            .publish(reply.to_owned(), word.into())
            .await;
    }
}
