//! Changes of a record, and the events that follow from them.

use std::sync::MutexGuard;

use async_nats::jetstream::stream::DirectGetErrorKind;
use bytes::Bytes;
use serde::Serialize;

use super::link::{Written, failed};
use super::{JetStream, is_forgotten};
use crate::broker::{Event, Happening, Lease, Private, Seq};
use crate::error::{Error, LeaseError};
use crate::id::JobId;
use crate::opts::{MAX_BODY, MAX_INLINE, MAX_PART};
use crate::record::{Record, State};

/// What to do with a record.
pub(super) enum Step<T> {
    Write(Box<Record>, T),
    /// Takes the record back, as if it had never been.
    Erase(T),
    Leave(T),
}

/// What this client knows of a lease.
pub(super) fn lock(lease: &Lease) -> MutexGuard<'_, Private> {
    lease
        .private
        .lock()
        .unwrap_or_else(|poison| poison.into_inner())
}

pub(super) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(value).map_err(|error| Error::new(format!("cannot be encoded: {error}")))
}

/// What a record may have beside an inline result and a checkpoint: names and numbers.
const MAX_RECORD: usize = MAX_INLINE + MAX_PART + (64 << 10);

/// A message of a lane: the record as it was when the message was written, the sequence of that record (0, if that is not known), and the body. Refused before decoding if it is larger than any of ours.
pub(super) fn decode_job(bytes: &[u8]) -> Result<(Record, u64, Vec<u8>), Error> {
    if bytes.len() > MAX_BODY + (64 << 10) {
        return Err(Error::new(format!(
            "a job's message has {} bytes",
            bytes.len()
        )));
    }
    postcard::from_bytes(bytes)
        .map_err(|error| Error::new(format!("a job's message cannot be read: {error}")))
}

impl JetStream {
    /// The record of a job, and the sequence that the next change has to name. Records that were kept long enough are none.
    pub(super) async fn read(&self, id: JobId) -> Result<(Option<Record>, u64), Error> {
        let Some(last) = self.link.last(&self.state, &self.names.state(id)).await? else {
            return Ok((None, 0));
        };
        if last.payload.is_empty() {
            return Ok((None, last.sequence));
        }
        if last.payload.len() > MAX_RECORD {
            return Err(Error::new(format!(
                "the record of job {id} has {} bytes, and {MAX_RECORD} are allowed",
                last.payload.len()
            )));
        }
        let record: Record = postcard::from_bytes(&last.payload).map_err(|error| {
            Error::new(format!("the record of job {id} cannot be read: {error}"))
        })?;
        Ok((
            Some(record).filter(|record| !is_forgotten(record, self.now())),
            last.sequence,
        ))
    }

    /// Changes a record, again and again until no other change comes between. Gives the sequence of the write too.
    ///
    /// `guess` is what the record may be: if it is, a read is saved. The body is kept if the record dies.
    pub(super) async fn change<T>(
        &self,
        id: JobId,
        mut guess: Option<(Option<Record>, u64)>,
        body: Option<&[u8]>,
        step: impl Fn(Option<Record>, u64) -> Step<T>,
    ) -> Result<(T, u64), Error> {
        let subject = self.names.state(id);
        loop {
            let (record, sequence) = match guess.take() {
                Some(guess) => guess,
                None => self.read(id).await?,
            };
            let is_new = record.is_none() && sequence > 0;
            let (bytes, result) = match step(record, self.now()) {
                Step::Leave(result) => return Ok((result, sequence)),
                Step::Erase(result) => (Vec::new(), result),
                Step::Write(record, result) => {
                    if let (State::Dead(_), Some(body)) = (&record.state, body) {
                        // Before the record says so: a dead job can be requeued.
                        self.link
                            .write(&self.names.dead(id), Bytes::copy_from_slice(body), None)
                            .await?;
                    }
                    (encode(&*record)?, result)
                }
            };
            match self
                .link
                .write(&subject, bytes.into(), Some(sequence))
                .await?
            {
                Written::At(sequence) => {
                    if is_new {
                        // The name of a job that was forgotten: its events are not those of the new one.
                        let part = self.names.part(id);
                        self.link
                            .again("a purge", || async {
                                self.events.purge().filter(part.clone()).await
                            })
                            .await?;
                    }
                    return Ok((result, sequence));
                }
                Written::Conflict => {}
                Written::Refused(why) => return Err(failed("a record", why)),
            }
        }
    }

    /// Changes the record of a job under a lease, and gives what it is now.
    pub(super) async fn held(
        &self,
        lease: &Lease,
        body: Option<&[u8]>,
        change: impl Fn(&mut Record, u64),
    ) -> Result<Record, LeaseError> {
        let seen = lock(lease).seen.clone();
        let step = |record: Option<Record>, now| match record {
            Some(mut record) if record.is_held(lease.record.attempt, lease.record.holder) => {
                change(&mut record, now);
                Step::Write(Box::new(record.clone()), Some(record))
            }
            _ => Step::Leave(None),
        };
        let (record, sequence) = self
            .change(
                lease.id,
                seen.map(|(record, at)| (Some(record), at)),
                body,
                step,
            )
            .await?;
        let record = record.ok_or(LeaseError::Stale)?;
        lock(lease).seen = Some((record.clone(), sequence));
        Ok(record)
    }

    /// The last event of a job, and its sequence.
    async fn last_event(&self, id: JobId) -> Result<(Option<Happening>, u64), Error> {
        let Some(last) = self.link.last(&self.events, &self.names.part(id)).await? else {
            return Ok((None, 0));
        };
        Ok((Some(event(id, &last.payload)?), last.sequence))
    }

    /// Adds an event.
    pub(super) async fn tell(&self, id: JobId, what: &Happening) -> Result<(), Error> {
        match self
            .link
            .write(&self.names.part(id), encode(what)?.into(), None)
            .await?
        {
            Written::Refused(why) => Err(failed("an event", why)),
            _ => Ok(()),
        }
    }

    /// Tells of a claim, while the job runs already. What the lease tells next waits for it.
    pub(super) fn tell_start(&self, lease: &Lease, what: &Happening) -> Result<(), Error> {
        let (link, subject) = (self.link.clone(), self.names.part(lease.id));
        let bytes: Bytes = encode(what)?.into();
        let telling = self.link.handle.spawn(async move {
            match link.write(&subject, bytes, None).await? {
                Written::At(sequence) => Ok(sequence),
                Written::Refused(why) => Err(failed("an event", why)),
                Written::Conflict => Err(Error::new("a sequence was compared that was not given")),
            }
        });
        lock(lease).telling = Some(telling);
        Ok(())
    }

    /// The sequence of the last event that this lease told, if it told any.
    pub(super) async fn told(&self, lease: &Lease) -> Option<u64> {
        let telling = lock(lease).telling.take();
        if let Some(telling) = telling
            && let Ok(Ok(sequence)) = telling.await
        {
            lock(lease).told = Some(sequence);
        }
        lock(lease).told
    }

    /// Adds a partial result, if the lease is the current one, and no later claim or end has been told.
    pub(super) async fn tell_part(&self, lease: &Lease, bytes: Vec<u8>) -> Result<(), LeaseError> {
        let bytes = Bytes::from(encode(&Happening::Part(bytes))?);
        let mut guess = self.told(lease).await;
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
        let after = self.told(lease).await;
        self.tell_end_after(lease.id, record, after).await.map(drop)
    }

    /// Adds the event of a settled record, once, even if several processes do so. Whether it was missing.
    pub(super) async fn tell_end(&self, id: JobId, record: &Record) -> Result<bool, Error> {
        self.tell_end_after(id, record, None).await
    }

    /// The same; `guess` is what may be the sequence of the last event, which saves a read.
    async fn tell_end_after(
        &self,
        id: JobId,
        record: &Record,
        mut guess: Option<u64>,
    ) -> Result<bool, Error> {
        let what = match &record.state {
            State::Queued | State::Running => return Ok(false),
            State::Done(_) => Happening::Done,
            State::Dead(why) => Happening::Dead(why.clone()),
            State::Cancelled => Happening::Cancelled,
        };
        let bytes = Bytes::from(encode(&what)?);
        loop {
            let after = match guess.take() {
                Some(after) => after,
                None => {
                    let (last, after) = self.last_event(id).await?;
                    if last.as_ref() == Some(&what) {
                        return Ok(false);
                    }
                    after
                }
            };
            match self
                .link
                .write(&self.names.part(id), bytes.clone(), Some(after))
                .await?
            {
                Written::At(_) => return Ok(true),
                Written::Conflict => {}
                Written::Refused(why) => return Err(failed("an event", why)),
            }
        }
    }

    /// The events of a job from a sequence on.
    pub(super) async fn events_from(&self, id: JobId, from: Seq) -> Result<Vec<Event>, Error> {
        let subject = self.names.part(id);
        let (mut events, mut from) = (Vec::new(), from.max(1));
        loop {
            let next = self.link.again("an event", || async {
                match self
                    .events
                    .direct_get_next_for_subject(subject.clone(), Some(from))
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
            events.push(Event {
                seq: message.sequence,
                what: event(id, &message.payload)?,
            });
            from = message.sequence + 1;
        }
    }
}

fn event(id: JobId, bytes: &[u8]) -> Result<Happening, Error> {
    if bytes.len() > MAX_PART + 1024 {
        return Err(Error::new(format!(
            "an event of job {id} has {} bytes",
            bytes.len()
        )));
    }
    postcard::from_bytes(bytes)
        .map_err(|error| Error::new(format!("an event of job {id} cannot be read: {error}")))
}
