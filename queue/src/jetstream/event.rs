//! What is told of a job, in the order in which it happened.
//!
//! The events of a job are the messages of one subject. A message holds one event or two: of a job that is over at once, start and end come together. The place
//! of an event is twice the sequence of its message, and one more for the second in it.

use std::time::Duration;

use async_nats::jetstream::stream::DirectGetErrorKind;
use bytes::Bytes;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use super::JetStream;
use super::change::{encode, lock};
use super::link::{Written, failed};
use crate::broker::{Event, Happening, Lease, Seq};
use crate::error::{Error, LeaseError};
use crate::id::JobId;
use crate::ledger::started;
use crate::opts::MAX_PART;
use crate::record::{Record, State};

/// How long the start of a first attempt may wait for the end, to be told with it.
const TOGETHER: Duration = Duration::from_millis(20);

/// The event of a claim, on its way.
#[derive(Debug)]
pub(crate) struct Telling {
    /// By which the task is told not to wait: true if the start is to be told at once, false if it is told with what follows.
    hurry: oneshot::Sender<bool>,
    task: JoinHandle<Start>,
}

/// What became of the event of a claim.
#[derive(Debug)]
enum Start {
    ToldAt(u64),
    /// It is to be told with what follows.
    Left,
    /// The server did not say, or it is too late.
    Unknown,
}

/// What a lease has told, and what it has still to tell.
#[derive(Default)]
struct Told {
    last: Option<u64>,
    start: Option<Happening>,
}

impl JetStream {
    /// The last event of a job, and the sequence of its message.
    async fn last_event(&self, id: JobId) -> Result<(Option<Happening>, u64), Error> {
        let Some(last) = self.link.last(&self.events, &self.names.part(id)).await? else {
            return Ok((None, 0));
        };
        Ok((decode(id, &last.payload)?.pop(), last.sequence))
    }

    /// Adds an event.
    pub(super) async fn tell(&self, id: JobId, what: &Happening) -> Result<(), Error> {
        match self
            .link
            .write(&self.names.part(id), encode_all(&[what])?.into(), None)
            .await?
        {
            Written::Refused(why) => Err(failed("an event", why)),
            _ => Ok(()),
        }
    }

    /// Tells of a claim, while the job runs already. What the lease tells next waits for it.
    pub(super) fn tell_start(&self, lease: &Lease) -> Result<(), Error> {
        let (link, subject) = (self.link.clone(), self.names.part(lease.id));
        let (events, id) = (self.events.clone(), lease.id);
        let first = lease.record.attempt == 1;
        let bytes: Bytes = encode_all(&[&started(lease.record.attempt)])?.into();
        let (hurry, hurried) = oneshot::channel();
        let task = self.link.handle.spawn(async move {
            if !first {
                return start_at(link.write(&subject, bytes, None).await);
            }
            if let Ok(Ok(false)) = tokio::time::timeout(TOGETHER, hurried).await {
                return Start::Left;
            }
            // Nothing was told before it, unless the job was dead before it was started, and requeued. If anything else was, this claim was lost long ago.
            let written = link.write(&subject, bytes.clone(), Some(0)).await;
            if !matches!(written, Ok(Written::Conflict)) {
                return start_at(written);
            }
            let Ok(Some(last)) = link.last(&events, &subject).await else {
                return Start::Unknown;
            };
            match decode(id, &last.payload).as_deref() {
                Ok([.., Happening::Requeued]) => {
                    start_at(link.write(&subject, bytes, Some(last.sequence)).await)
                }
                _ => Start::Unknown,
            }
        });
        lock(lease).telling = Some(Telling { hurry, task });
        Ok(())
    }

    /// The sequence of the last event that this lease told, if it told any. Before anything else is told of it, its start is, if `now`.
    pub(super) async fn told(&self, lease: &Lease, now: bool) -> Option<u64> {
        self.told_so_far(lease, now).await.last
    }

    async fn told_so_far(&self, lease: &Lease, now: bool) -> Told {
        let telling = lock(lease).telling.take();
        let mut told = Told::default();
        if let Some(Telling { hurry, task }) = telling {
            // It may be past waiting.
            let _ = hurry.send(now);
            match task.await {
                Ok(Start::ToldAt(sequence)) => lock(lease).told = Some(sequence),
                Ok(Start::Left) => {
                    told.start = Some(started(lease.record.attempt));
                    lock(lease).told = Some(0);
                }
                Ok(Start::Unknown) | Err(_) => {}
            }
        }
        told.last = lock(lease).told;
        told
    }

    /// Adds a partial result, if the lease is the current one, and no later claim or end has been told.
    pub(super) async fn tell_part(&self, lease: &Lease, bytes: Vec<u8>) -> Result<(), LeaseError> {
        let bytes = Bytes::from(encode_all(&[&Happening::Part(bytes)])?);
        let mut guess = self.told(lease, true).await;
        loop {
            // The event first: a claim between this read and the next changes the record, and what is told after it comes after this sequence.
            let after = match guess.take() {
                Some(after) => after,
                None => self.last_event(lease.id).await?.1,
            };
            let (record, _) = self.read(lease.id).await?;
            if !record
                .is_some_and(|record| record.is_held(lease.record.attempt, lease.record.holder))
            {
                return Err(LeaseError::Stale);
            }
            match self
                .link
                .write(&self.names.part(lease.id), bytes.clone(), Some(after))
                .await?
            {
                Written::At(sequence) => {
                    lock(lease).told = Some(sequence);
                    return Ok(());
                }
                Written::Conflict => {}
                Written::Refused(why) => return Err(failed("a part", why).into()),
            }
        }
    }

    /// Adds the event of a record that its lease has settled.
    pub(super) async fn tell_settled(&self, lease: &Lease, record: &Record) -> Result<(), Error> {
        let told = self.told_so_far(lease, false).await;
        self.tell_end_after(lease.id, record, told).await.map(drop)
    }

    /// Adds the event of a settled record, once, even if several processes do so. Whether it was missing.
    pub(super) async fn tell_end(&self, id: JobId, record: &Record) -> Result<bool, Error> {
        self.tell_end_after(id, record, Told::default()).await
    }

    /// The same; what was told may be the last, which saves a read.
    async fn tell_end_after(
        &self,
        id: JobId,
        record: &Record,
        mut told: Told,
    ) -> Result<bool, Error> {
        let what = match &record.state {
            State::Queued | State::Running => return Ok(false),
            State::Done(_) => Happening::Done,
            State::Dead(why) => Happening::Dead(why.clone()),
            State::Cancelled => Happening::Cancelled,
        };
        loop {
            let after = match told.last.take() {
                Some(after) => after,
                None => {
                    let (last, after) = self.last_event(id).await?;
                    if last.as_ref() == Some(&what) {
                        return Ok(false);
                    }
                    after
                }
            };
            let events: Vec<&Happening> = told.start.iter().chain([&what]).collect();
            match self
                .link
                .write(
                    &self.names.part(id),
                    encode_all(&events)?.into(),
                    Some(after),
                )
                .await?
            {
                Written::At(_) => return Ok(true),
                Written::Conflict => {}
                Written::Refused(why) => return Err(failed("an event", why)),
            }
        }
    }

    /// The events of a job from a place on.
    pub(super) async fn events_from(&self, id: JobId, from: Seq) -> Result<Vec<Event>, Error> {
        let subject = self.names.part(id);
        let (mut events, mut sequence) = (Vec::new(), (from / 2).max(1));
        loop {
            let next = self.link.again("an event", || async {
                match self
                    .events
                    .direct_get_next_for_subject(subject.clone(), Some(sequence))
                    .await
                {
                    Ok(message) => Ok(Some(message)),
                    Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
                    Err(error) => Err(error),
                }
            });
            let Some(message) = next.await? else {
                return Ok(events);
            };
            let places = message.sequence * 2..;
            let all = places.zip(decode(id, &message.payload)?);
            let all = all.map(|(seq, what)| Event { seq, what });
            events.extend(all.filter(|event| event.seq >= from));
            sequence = message.sequence + 1;
        }
    }
}

fn start_at(written: Result<Written, Error>) -> Start {
    match written {
        Ok(Written::At(sequence)) => Start::ToldAt(sequence),
        _ => Start::Unknown,
    }
}

/// A slice, as an array is encoded without its length.
fn encode_all(events: &[&Happening]) -> Result<Vec<u8>, Error> {
    encode(&events)
}

/// Refused before decoding if it is larger than any of ours.
fn decode(id: JobId, bytes: &[u8]) -> Result<Vec<Happening>, Error> {
    if bytes.len() > MAX_PART + 4096 {
        return Err(Error::new(format!(
            "an event of job {id} has {} bytes",
            bytes.len()
        )));
    }
    let events: Vec<Happening> = postcard::from_bytes(bytes)
        .map_err(|error| Error::new(format!("an event of job {id} cannot be read: {error}")))?;
    // A place has room for two.
    if events.len() > 2 {
        return Err(Error::new(format!(
            "a message tells {} events of job {id}",
            events.len()
        )));
    }
    Ok(events)
}
