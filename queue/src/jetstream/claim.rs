//! From a message to a lease: whether its job may be started, the claim, and when the server is to deliver the message again.

use std::time::Duration;

use async_nats::jetstream::message::Message;

use super::change::{Step, decode_job, lock};
use super::{JetStream, Names};
use crate::broker::{Ask, Lease};
use crate::clock;
use crate::error::Error;
use crate::id::{Lane, random};
use crate::record::{Record, State, Tick};

/// How long a message may be on its way between delivery and being put off, before it is delivered again.
pub(super) const ON_ITS_WAY: Duration = Duration::from_secs(2);
/// For how long the message of a running job is not put off: it may be over by then. Only under leases that are longer than the server waits; others could
/// be late to come back from a worker that is killed.
const UNHURRIED: Duration = Duration::from_secs(1);

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
    /// The lease on the job of a message, if it may be started.
    pub(super) async fn claim_message(
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
            // The submitter chooses the subject of its message. A message in another lane, or under another kind or class, than its record has is no job's.
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
                let lease = Lease::new(id, (*record).clone(), body, sequence, ask.lease);
                {
                    let mut private = lock(&lease);
                    private.seen = Some((*record, sequence));
                    private.reply = Some(reply);
                }
                self.tell_start(&lease)?;
                if ask.lease >= ON_ITS_WAY * 2 {
                    self.put_off_later(&lease);
                } else {
                    self.put_off(&lease, ask.lease).await;
                }
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

    /// Puts the message off for the length of the lease if the job is not over soon.
    fn put_off_later(&self, lease: &Lease) {
        let Some(reply) = lock(lease).reply.clone() else {
            return;
        };
        let (client, word) = (self.link.client.clone(), later(lease.lease));
        let task = self.link.handle.spawn(async move {
            tokio::time::sleep(UNHURRIED).await;
            let _ = client.publish(reply, word.into()).await;
        });
        lock(lease).putting_off = Some(task.abort_handle());
    }

    /// The message of a lease is not put off any more, as the job is over.
    pub(super) fn stay(&self, lease: &Lease) {
        if let Some(task) = lock(lease).putting_off.take() {
            task.abort();
        }
    }

    /// Lost, the message comes again as one that was on its way, and is put off then.
    async fn delay(&self, reply: &str, delay: Duration) {
        let word = later(delay);
        let _ = self
            .link
            .client
            .publish(reply.to_owned(), word.into())
            .await;
    }
}

/// The word that has a message delivered again after so long.
fn later(delay: Duration) -> String {
    format!("-NAK {{\"delay\": {}}}", delay.as_nanos().max(1))
}
