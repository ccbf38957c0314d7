//! Taking jobs in, for the first time or again.

use std::time::Duration;

use async_nats::{HeaderMap, HeaderValue};

use super::JetStream;
use super::change::{self, Step};
use super::link::{self, Written};
use crate::broker::{Happening, NewJob, Submitted};
use crate::error::{Error, SubmitError};
use crate::id::JobId;
use crate::opts::MAX_BODY;
use crate::record::{Record, State};

/// Bytes of a key that are told in a header. Longer ones are not told.
const MAX_KEY: usize = 256;

impl JetStream {
    /// Takes a job for good, or says why not. `kept` has the record that is on the server. If the job was known, that record's lane counts, not this
    /// submitter's.
    pub(super) async fn submit_one(
        &self,
        job: &NewJob,
        kept: Result<(Submitted, Record, u64), SubmitError>,
    ) -> Result<Submitted, SubmitError> {
        let (fresh, record, at) = kept?;
        if record.state.is_settled() {
            return Ok(fresh);
        }
        let subject = self.names.job(job.id, &record);
        let lane = &self.lanes[record.lane.index()];
        if fresh == Submitted::Known && self.link.last(lane, &subject).await?.is_some() {
            return Ok(Submitted::Known);
        }
        let message = change::encode(&(&record, at, &job.body))?;
        let headers = headers(&record, job.opts.key.as_deref());
        let written = self
            .link
            .write_with(headers, &subject, message.into(), None);
        match written.await? {
            Written::At(_) => {
                self.forget_empties();
                Ok(fresh)
            }
            // It is there: another submitter's, or our own whose answer was lost.
            Written::Refused(why) if why.contains("per subject") => Ok(fresh),
            Written::Refused(why) if why.contains("maximum") => {
                let taken_back = |record: Option<Record>, _| match record {
                    Some(record)
                        if record.attempt == 0
                            && record.state == State::Queued
                            && fresh == Submitted::New =>
                    {
                        Step::Erase(())
                    }
                    _ => Step::Leave(()),
                };
                self.change(job.id, None, None, taken_back).await?;
                Err(SubmitError::Full {
                    retry_after: Duration::from_secs(1),
                })
            }
            Written::Refused(why) => Err(link::failed("a job", why).into()),
            Written::Conflict => {
                Err(Error::new("the server compared a sequence that was not given").into())
            }
        }
    }

    /// Makes the job's record, or finds that there is one. Settled jobs are known, too; those kept long enough are not.
    pub(super) async fn submit_record(
        &self,
        job: &NewJob,
    ) -> Result<(Submitted, Record, u64), SubmitError> {
        if job.body.len() > MAX_BODY {
            return Err(SubmitError::TooLarge {
                len: job.body.len(),
                max: MAX_BODY,
            });
        }
        let make = |record: Option<Record>, now| match record {
            Some(record) => Step::Leave((Submitted::Known, record)),
            None => {
                let record = Record::new(job, now);
                Step::Write(Box::new(record.clone()), (Submitted::New, record))
            }
        };
        // No record is the rule, so it is written at once, and read only if that fails.
        let guess = Some((None, 0));
        let ((submitted, record), at) = self.change(job.id, guess, None, make).await?;
        Ok((submitted, record, at))
    }

    /// Rings for a job of this class. Lost, it costs a worker's pause.
    pub(super) async fn ring(&self, class: &str) {
        let _ = self
            .link
            .client
            .publish(self.names.bell(class), bytes::Bytes::new())
            .await;
    }

    pub(super) async fn requeue_job(&self, id: JobId) -> Result<bool, Error> {
        let Some(body) = self.link.last(&self.dead, &self.names.dead(id)).await? else {
            return Ok(false);
        };
        let requeue = |record: Option<Record>, now| {
            let Some(mut record) = record else {
                return Step::Leave(None);
            };
            if record.requeue(now) {
                return Step::Write(Box::new(record.clone()), Some((record, true)));
            }
            // If it waits, an earlier call may have been killed before it could write the message, which is written again.
            Step::Leave((record.state == State::Queued).then_some((record, false)))
        };
        let (Some((record, requeued)), at) = self.change(id, None, None, requeue).await? else {
            return Ok(false);
        };
        if requeued {
            self.tell(id, &Happening::Requeued).await?;
        }
        let message = change::encode(&(&record, at, &body.payload[..]))?;
        let (headers, subject) = (headers(&record, None), self.names.job(id, &record));
        let written = self
            .link
            .write_with(headers, &subject, message.into(), None);
        match written.await? {
            Written::Refused(why) if !why.contains("per subject") => {
                return Err(link::failed(
                    "its lane takes no more, requeue it again later",
                    why,
                ));
            }
            _ => {}
        }
        self.forget_dead(id).await?;
        self.forget_empties();
        self.ring(&record.class).await;
        Ok(requeued)
    }

    pub(super) async fn forget_dead(&self, id: JobId) -> Result<(), Error> {
        let subject = self.names.dead(id);
        self.link
            .again("a purge", || async {
                self.dead.purge().filter(subject.clone()).await
            })
            .await?;
        Ok(())
    }
}

/// What the message of a job says about it to tools that look at the server. filch reads none of it back, as the record decides.
fn headers(record: &Record, key: Option<&str>) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("Fq-Attempts", record.allowed.to_string());
    if let Some(deadline) = record.deadline {
        headers.insert("Fq-Deadline", deadline.to_string());
    }
    let texts = [
        ("Fq-Key", key),
        ("traceparent", record.traceparent.as_deref()),
    ];
    for (name, text) in texts {
        // A key may hold what no header may.
        let plain = |text: &&str| {
            text.len() <= MAX_KEY && text.bytes().all(|byte| (b' '..=b'~').contains(&byte))
        };
        if let Some(value) = text
            .filter(plain)
            .and_then(|text| text.parse::<HeaderValue>().ok())
        {
            headers.insert(name, value);
        }
    }
    headers
}
