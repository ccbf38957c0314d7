//! Reads and changes the record of a job on the server: a change fails if another client has changed the record meanwhile, and is then tried again.

use std::sync::MutexGuard;

use bytes::Bytes;
use serde::Serialize;

use super::JetStream;
use super::link::{Written, failed};
use crate::broker::{Lease, Private};
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
            Some(record).filter(|record| !record.is_forgotten(self.now())),
            last.sequence,
        ))
    }

    /// Changes a record, again and again until no other change comes between. Gives the sequence of the write too.
    ///
    /// `guess` is what the record may be: if it is, a read is saved. The body is kept if the record dies.
    pub(super) async fn change<T: Send>(
        &self,
        id: JobId,
        mut guess: Option<(Option<Record>, u64)>,
        body: Option<&[u8]>,
        step: impl Fn(Option<Record>, u64) -> Step<T> + Send + Sync,
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
                        // The id of a job that was forgotten: its events are not those of the new one.
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
        change: impl Fn(&mut Record, u64) + Send + Sync,
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
}
