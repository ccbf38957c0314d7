//! Pulling messages, and claiming what they speak of.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::message::Message;
use async_nats::{StatusCode, Subscriber};
use futures_util::StreamExt;

use super::change::{Step, decode_job, lock};
use super::link::failed;
use super::turns::EMPTY;
use super::{JetStream, Names};
use crate::broker::{Ask, Lease};
use crate::clock;
use crate::error::Error;
use crate::id::{Lane, random};
use crate::record::{Record, State, Tick};

/// How long a message may be on its way between delivery and being put off, before it is delivered again.
const ON_ITS_WAY: Duration = Duration::from_secs(2);
/// For how long the message of a running job is not put off: it may be over by then. Only under leases that are longer than the server waits; others could
/// be late to come back from a worker that is killed.
const UNHURRIED: Duration = Duration::from_secs(1);
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

/// How thoroughly to look for jobs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Sweep {
    /// Ask everywhere.
    All,
    /// Leave out what was empty a moment ago. Without it, each job of a lower lane would cost a question for each higher one.
    Hasty,
}

/// What a sweep brought.
#[derive(Default)]
pub(super) struct Swept {
    pub leases: Vec<Lease>,
    /// A class of which more jobs wait.
    pub more: Option<String>,
}

/// Where jobs of a lane, class and kind are pulled from.
pub(super) struct Source {
    /// Takes requests for the next message.
    subject: String,
    /// Where answers come in, for as many pulls at once as there were.
    inboxes: Mutex<Vec<Inbox>>,
    /// When it was empty last.
    empty: Mutex<Option<Instant>>,
}

struct Inbox {
    subject: String,
    answers: Subscriber,
}

fn lock_of<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|poison| poison.into_inner())
}

impl JetStream {
    /// Asks all lanes, each for all kinds, without waiting.
    pub(super) async fn sweep(&self, ask: &Ask, max: usize, how: Sweep) -> Result<Swept, Error> {
        let mut swept = Swept::default();
        'next: while swept.leases.len() < max {
            for lane in ask.aging.order() {
                if self.is_empty(ask, lane, how).await {
                    ask.aging.was_empty(lane);
                    continue;
                }
                let kinds = self.turns.order(lane, ask);
                for (place, (class, kind)) in kinds.into_iter().enumerate() {
                    if let Some((lease, pending)) = self.pull(ask, lane, class, kind, how).await? {
                        ask.aging.took(lane);
                        self.turns.took(lane, place);
                        swept.leases.push(lease);
                        swept.more = (pending > 0).then(|| class.clone());
                        continue 'next;
                    }
                }
                ask.aging.was_empty(lane);
            }
            break;
        }
        Ok(swept)
    }

    /// Whether a lane has no message at all: one question, instead of one for each kind and class. A lane that cannot be asked counts as one that has some.
    async fn is_empty(&self, ask: &Ask, lane: Lane, how: Sweep) -> bool {
        if ask.kinds.len() * ask.classes.len() < 2 {
            return false;
        }
        if how == Sweep::Hasty && self.turns.was_empty(lane) {
            return true;
        }
        let info = self.lanes[lane.index()].get_info().await;
        let empty = info.is_ok_and(|info| info.state.messages == 0);
        self.turns.note(lane, empty);
        empty
    }

    /// The first job of a kind that may be started, and how many messages wait behind it.
    async fn pull(
        &self,
        ask: &Ask,
        lane: Lane,
        class: &str,
        kind: &str,
        how: Sweep,
    ) -> Result<Option<(Lease, u64)>, Error> {
        let source = self.source(lane, class, kind).await?;
        let empty = *lock_of(&source.empty);
        if how == Sweep::Hasty && empty.is_some_and(|at| at.elapsed() < EMPTY) {
            return Ok(None);
        }
        loop {
            let message = match self.next_message(&source).await {
                Ok(Some(message)) => message,
                Ok(None) => {
                    *lock_of(&source.empty) = Some(Instant::now());
                    return Ok(None);
                }
                Err(error) => {
                    // It may be gone: made again, it delivers all again, and records sort that out.
                    lock_of(&self.sources).remove(&(lane, class.to_owned(), kind.to_owned()));
                    return Err(error);
                }
            };
            *lock_of(&source.empty) = None;
            let pending = message.info().map_or(0, |info| info.pending);
            if let Some(lease) = self.claim_message(ask, lane, &message).await? {
                return Ok(Some((lease, pending)));
            }
        }
    }

    /// A message, if one waits. Inboxes are kept, as each costs the server two words.
    async fn next_message(&self, source: &Source) -> Result<Option<Message>, Error> {
        let kept = lock_of(&source.inboxes).pop();
        let mut inbox = match kept {
            Some(inbox) => inbox,
            None => {
                let subject = self.link.client.new_inbox();
                let answers = self.link.client.subscribe(subject.clone()).await;
                Inbox {
                    answers: answers.map_err(|error| failed("a pull", error))?,
                    subject,
                }
            }
        };
        let (to, back) = (source.subject.clone(), inbox.subject.clone());
        let asked = self
            .link
            .client
            .publish_with_reply(to, back, r#"{"batch":1,"no_wait":true}"#.into())
            .await;
        asked.map_err(|error| failed("a pull", error))?;
        let Ok(answer) = tokio::time::timeout(PULL, inbox.answers.next()).await else {
            // A pull without an answer is one without a message: if there was one, it comes again. A late answer goes nowhere, with its inbox.
            return Ok(None);
        };
        let message = answer.ok_or_else(|| failed("a pull", "the connection is closed"))?;
        let status = message.status;
        let context = self.link.context.clone();
        match status {
            None => {}
            Some(StatusCode::NOT_FOUND | StatusCode::TIMEOUT) => {}
            Some(other) => return Err(failed("a pull", other)),
        }
        lock_of(&source.inboxes).push(inbox);
        Ok(status.is_none().then_some(Message { message, context }))
    }

    async fn source(&self, lane: Lane, class: &str, kind: &str) -> Result<Arc<Source>, Error> {
        let key = (lane, class.to_owned(), kind.to_owned());
        if let Some(source) = lock_of(&self.sources).get(&key) {
            return Ok(source.clone());
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
        self.link
            .again("a consumer", || async {
                stream.get_or_create_consumer(&name, config.clone()).await
            })
            .await?;
        let stream = self.names.lane_stream(lane);
        let source = Arc::new(Source {
            subject: format!("$JS.API.CONSUMER.MSG.NEXT.{stream}.{name}"),
            inboxes: Mutex::default(),
            empty: Mutex::default(),
        });
        lock_of(&self.sources).insert(key, source.clone());
        Ok(source)
    }

    /// Nothing was empty a moment ago any more: jobs were submitted here.
    pub(super) fn forget_empties(&self) {
        for source in lock_of(&self.sources).values() {
            *lock_of(&source.empty) = None;
        }
        for lane in Lane::ALL {
            self.turns.note(lane, false);
        }
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
