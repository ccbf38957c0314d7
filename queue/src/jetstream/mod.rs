//! A queue on a NATS server with JetStream, for machines.
//!
//! One record a job decides everything. It is the last message of the subject `st.<id>`; every change of it names the sequence of the one before, and fails if
//! another change came between. That sequence is the fence. The messages in the lanes only say that there may be something to do: a message that comes twice,
//! late, or for a job that is done, meets a record that says so, and is dropped.
//!
//! 1. *Submit*: the record, if there is none; then the message, of which a lane takes one a job. What is not accepted takes its record back.
//! 2. *Claim*: a message is pulled; the record says whether it may be started; the claim is a change of the record. Then the message is put off for the length
//!    of the lease, by a negative acknowledgement with a delay. Delivered again, it meets a record whose lease goes on, and is put off again, or whose lease is
//!    over, and the job is claimed anew.
//! 3. *Renew, checkpoint, settle*: changes of the record, which fail as stale if the claim is no longer the current one. Only after a terminal change has
//!    succeeded is the message acknowledged. The other order loses jobs: the server takes an acknowledgement from a lease that ended for one from the newer.
//! 4. *Time* is the server's: each process measures how far its own clock is off.
//!
//! The server's own delivery counts and timers are never trusted with more than when to look again.

mod auth;
mod blobs;
mod change;
mod claim;
mod link;
mod names;
mod setup;

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::stream::Stream;
use futures_util::{StreamExt, stream};

use crate::broker::{
    Ask, Beat, Blobs, Broker, Cancelled, Depth, Event, Happening, KindDepth, Lease, NewJob,
    Outcome, Seen, Seq, Submitted, Update,
};
use crate::clock;
use crate::error::{Error, LeaseError, SubmitError};
use crate::id::{JobId, Lane};
use crate::ledger::{LaneRow, check_outcome, check_part, count_kind, take_token};
use crate::opts::{Limits, MAX_BODY};
use crate::record::{Record, State, Tick};

pub use auth::Auth;
use blobs::ObjectBlobs;
use change::Step;
use link::{Link, Written};
use names::Names;

/// Reads and writes under way at once.
const AT_ONCE: usize = 64;
/// How many jobs of a lane are looked at one by one for the depth. Of more, those that are put off count as leased.
const EXACT: u64 = 1000;
/// How often those who watch look for events.
const LOOK: Duration = Duration::from_millis(25);

pub(crate) struct JetStream {
    link: Arc<Link>,
    names: Names,
    limits: Limits,
    /// Milliseconds by which the server's clock is ahead.
    ahead: i64,
    lanes: [Stream; 3],
    state: Stream,
    events: Stream,
    dead: Stream,
    consumers: Mutex<HashMap<(Lane, String, String), PullConsumer>>,
    buckets: Mutex<[LaneRow; 3]>,
    blobs: ObjectBlobs,
}

impl JetStream {
    fn now(&self) -> u64 {
        clock::now().saturating_add_signed(self.ahead)
    }

    /// Takes a job for good, or says why not. The record is the one that is kept: of a job that was known it names the lane, whatever this submitter says.
    async fn submit_one(
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
        match self.link.write(&subject, message.into(), None).await? {
            Written::At(_) => Ok(fresh),
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
    async fn submit_record(&self, job: &NewJob) -> Result<(Submitted, Record, u64), SubmitError> {
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

    /// Rings for a job in this lane. Lost, it costs a worker's pause.
    async fn ring(&self) {
        let _ = self
            .link
            .client
            .publish(self.names.bell(), bytes::Bytes::new())
            .await;
    }

    /// The jobs that a stream has a message of.
    async fn jobs_in(&self, stream: &Stream, subjects: &str) -> Result<Vec<JobId>, Error> {
        let list = self
            .link
            .again("a list", || async {
                stream.info_with_subjects(subjects).await
            })
            .await?;
        let mut ids = Vec::new();
        let mut list = std::pin::pin!(list);
        while let Some(entry) = list.next().await {
            let (subject, _) = entry.map_err(|error| link::failed("a list", error))?;
            ids.extend(Names::id_of(&subject));
        }
        Ok(ids)
    }

    async fn records(&self, ids: Vec<JobId>) -> Result<Vec<(JobId, Option<Record>)>, Error> {
        let reads = stream::iter(ids).map(|id| async move { Ok((id, self.read(id).await?.0)) });
        let all: Vec<Result<_, Error>> = reads.buffer_unordered(AT_ONCE).collect().await;
        all.into_iter().collect()
    }

    async fn lane_depth(&self, lane: Lane) -> Result<crate::broker::LaneDepth, Error> {
        let mut depth = crate::broker::LaneDepth::default();
        let stream = &self.lanes[lane.index()];
        let info = self
            .link
            .again("a state", || async { stream.get_info().await })
            .await?;
        if info.state.messages == 0 {
            return Ok(depth);
        }
        if info.state.messages > EXACT {
            let pending = self.pending(stream).await?;
            depth.leased = pending.min(info.state.messages);
            depth.queued = info.state.messages - depth.leased;
            depth.bytes = info.state.bytes;
            return Ok(depth);
        }
        let now = self.now();
        for (_, record) in self
            .records(self.jobs_in(stream, &self.names.lane(lane)).await?)
            .await?
        {
            // Without a record it is about to be claimed, and that makes one.
            let Some(record) = record else {
                depth.queued += 1;
                continue;
            };
            match record.state {
                State::Running if record.lease_until > now => depth.leased += 1,
                State::Queued if record.ready_at > now => depth.delayed += 1,
                State::Running | State::Queued => depth.queued += 1,
                _ => continue,
            }
            depth.bytes += record.len;
        }
        Ok(depth)
    }

    /// By the records, of the first jobs of each lane: what is told of more would take a read each.
    async fn kinds_of_all(&self) -> Result<Vec<KindDepth>, Error> {
        let now = self.now();
        let mut kinds = BTreeMap::<(Lane, String), KindDepth>::new();
        for lane in Lane::ALL {
            let stream = &self.lanes[lane.index()];
            let mut ids = self.jobs_in(stream, &self.names.lane(lane)).await?;
            ids.truncate(EXACT as usize);
            for (_, record) in self.records(ids).await? {
                if let Some(record) = record {
                    count_kind(&mut kinds, &record, now);
                }
            }
        }
        Ok(kinds.into_values().collect())
    }

    async fn pending(&self, stream: &Stream) -> Result<u64, Error> {
        let mut consumers = stream.consumers();
        let mut pending = 0;
        while let Some(consumer) = consumers.next().await {
            pending += consumer
                .map_err(|error| link::failed("a list of consumers", error))?
                .num_ack_pending as u64;
        }
        Ok(pending)
    }

    /// The record of a job, after what time has done to it: who asks must not depend on workers to see a lost lease or a deadline.
    async fn get_now(&self, id: JobId) -> Result<Option<Record>, Error> {
        let (Some(record), sequence) = self.read(id).await? else {
            return Ok(None);
        };
        let mut ticked = record.clone();
        let now = self.now();
        if record.state.is_settled() || record.due(now).is_none_or(|due| due > now) {
            return Ok(Some(record));
        }
        ticked.tick(now);
        if !ticked.state.is_settled() {
            // It waits again. Its next claim says so.
            return Ok(Some(ticked));
        }
        let lane = &self.lanes[record.lane.index()];
        let message = self.link.last(lane, &self.names.job(id, &record)).await?;
        let body = message.and_then(|message| Some(change::decode_job(&message.payload).ok()?.2));
        let tick = |record: Option<Record>, now| {
            let Some(mut record) = record.filter(|record| !record.state.is_settled()) else {
                return Step::Leave(None);
            };
            match record.tick(now) {
                Tick::Nothing => Step::Leave(Some(record)),
                _ => Step::Write(Box::new(record.clone()), Some(record)),
            }
        };
        let guess = Some((Some(record), sequence));
        match self.change(id, guess, body.as_deref(), tick).await?.0 {
            Some(record) => {
                self.tell_end(id, &record).await?;
                Ok(Some(record))
            }
            // Settled meanwhile, by another.
            None => Ok(self.read(id).await?.0),
        }
    }

    async fn watch_from(&self, id: JobId, from: Seq, wait: Duration) -> Result<Vec<Event>, Error> {
        let end = Instant::now().checked_add(wait);
        loop {
            let events = self.events_from(id, from).await?;
            if !events.is_empty() {
                return Ok(events);
            }
            // Its last event may be missing, if a process was killed before it could write it.
            if let Some(record) = self.get_now(id).await?
                && record.state.is_settled()
                && self.tell_end(id, &record).await?
            {
                continue;
            }
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return Ok(events);
            }
            tokio::time::sleep(LOOK.min(left)).await;
        }
    }

    async fn requeue_job(&self, id: JobId) -> Result<bool, Error> {
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
        match self
            .link
            .write(&self.names.job(id, &record), message.into(), None)
            .await?
        {
            Written::Refused(why) if !why.contains("per subject") => {
                return Err(link::failed(
                    "its lane takes no more, requeue it again later",
                    why,
                ));
            }
            _ => {}
        }
        self.forget_dead(id).await?;
        self.ring().await;
        Ok(requeued)
    }

    async fn forget_dead(&self, id: JobId) -> Result<(), Error> {
        let subject = self.names.dead(id);
        self.link
            .again("a purge", || async {
                self.dead.purge().filter(subject.clone()).await
            })
            .await?;
        Ok(())
    }

    async fn dead_jobs(&self) -> Result<Vec<(JobId, Record)>, Error> {
        let records = self
            .records(self.jobs_in(&self.dead, &self.names.all("dead")).await?)
            .await?;
        let dead = records
            .into_iter()
            .filter_map(|(id, record)| Some((id, record?)));
        let mut dead: Vec<_> = dead
            .filter(|(_, record)| matches!(record.state, State::Dead(_)))
            .collect();
        dead.sort_by_key(|(id, record)| (record.changed, *id));
        Ok(dead)
    }

    async fn attend_as(&self, worker: &str, drain: Option<bool>) -> Result<Option<bool>, Error> {
        let subject = self.names.worker(worker);
        loop {
            let last = self.link.last(&self.state, &subject).await?;
            let known = last
                .as_ref()
                .and_then(|last| postcard::from_bytes::<(u64, bool)>(&last.payload).ok());
            if known.is_none() && drain == Some(true) {
                return Ok(None);
            }
            let leaving = drain.or(known.map(|(_, drain)| drain)).unwrap_or(false);
            let bytes = change::encode(&(self.now(), leaving))?;
            let after = last.map_or(0, |last| last.sequence);
            if let Written::At(_) = self.link.write(&subject, bytes.into(), Some(after)).await? {
                return Ok(Some(leaving));
            }
        }
    }

    async fn list_workers(&self) -> Result<Vec<Seen>, Error> {
        let all = self.names.all("worker");
        let list = self
            .link
            .again("a list", || async {
                self.state.info_with_subjects(all.clone()).await
            })
            .await?;
        let (mut list, mut workers) = (std::pin::pin!(list), Vec::new());
        while let Some(entry) = list.next().await {
            let (subject, _) = entry.map_err(|error| link::failed("a list", error))?;
            let (Some(name), Some(last)) = (
                Names::worker_of(&subject),
                self.link.last(&self.state, &subject).await?,
            ) else {
                continue;
            };
            let Ok((at, drain)) = postcard::from_bytes::<(u64, bool)>(&last.payload) else {
                continue;
            };
            let ago = Duration::from_millis(self.now().saturating_sub(at));
            if ago < Duration::from_secs(60) {
                workers.push(Seen { name, ago, drain });
            } else {
                // Names have the number of a process, so they would pile up.
                self.link
                    .again("a purge", || async {
                        self.state.purge().filter(subject.clone()).await
                    })
                    .await?;
            }
        }
        workers.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(workers)
    }
}

impl Broker for JetStream {
    fn submit(&self, jobs: &[NewJob]) -> Vec<Result<Submitted, SubmitError>> {
        let admitted: Vec<Result<(), SubmitError>> = {
            let mut buckets = self
                .buckets
                .lock()
                .unwrap_or_else(|poison| poison.into_inner());
            let token = |job: &NewJob| {
                take_token(
                    &mut buckets[job.opts.lane.index()],
                    &self.limits.lanes[job.opts.lane.index()],
                    clock::now(),
                )
            };
            jobs.iter().map(token).collect()
        };
        self.link.handle.block_on(async {
            let make = |(job, admitted): (_, Result<(), SubmitError>)| async move {
                admitted?;
                self.submit_record(job).await
            };
            let records: Vec<_> = stream::iter(jobs.iter().zip(admitted))
                .map(make)
                .buffered(AT_ONCE)
                .collect()
                .await;
            let finish = |(job, record)| self.submit_one(job, record);
            // In order, as the first come are claimed first: a write is sent when the one before it was.
            let answers = stream::iter(jobs.iter().zip(records))
                .map(finish)
                .buffered(AT_ONCE)
                .collect()
                .await;
            self.ring().await;
            answers
        })
    }

    fn claim(&self, ask: &Ask, max: usize, wait: Duration) -> Result<Vec<Lease>, Error> {
        let end = Instant::now().checked_add(wait);
        let look = (ask.lease / 4).min(Duration::from_millis(250));
        loop {
            let mark = self.link.bell.mark();
            let leases = self.link.handle.block_on(self.sweep(ask, max))?;
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if !leases.is_empty() || left.is_zero() {
                return Ok(leases);
            }
            self.link.bell.wait(mark, left.min(look));
        }
    }

    fn renew(&self, leases: &[&Lease]) -> Result<Vec<Beat>, Error> {
        self.link.handle.block_on(async {
            let beats = stream::iter(leases).map(|lease| async move {
                let renewed = self
                    .held(lease, None, |record, now| {
                        record.renew(clock::millis(lease.lease), now)
                    })
                    .await;
                match renewed {
                    Ok(record) => Ok(if record.cancel {
                        Beat::Cancelled
                    } else {
                        Beat::Held
                    }),
                    Err(LeaseError::Broker(error)) => Err(error),
                    Err(_) => Ok(Beat::Stale),
                }
            });
            let beats: Vec<Result<Beat, Error>> = beats.buffered(AT_ONCE).collect().await;
            beats.into_iter().collect()
        })
    }

    fn update(&self, lease: &Lease, update: Update) -> Result<(), LeaseError> {
        check_part(&update)?;
        self.link.handle.block_on(async {
            match update {
                Update::Part(bytes) => self.tell_part(lease, bytes).await,
                Update::Checkpoint(bytes) => self
                    .held(lease, None, |record, _| {
                        record.checkpoint = Some(bytes.clone())
                    })
                    .await
                    .map(drop),
            }
        })
    }

    fn settle(&self, lease: &Lease, outcome: Outcome) -> Result<(), LeaseError> {
        check_outcome(&outcome)?;
        self.link.handle.block_on(async {
            let now = self.now();
            let record = self
                .held(lease, Some(&lease.body), |record, _| {
                    record.settle(&outcome, now)
                })
                .await?;
            if record.state.is_settled() {
                // The record has it; what fails from here on is not the settling. Who meets the message or the record again makes up for it.
                let told = self.tell_settled(lease, &record);
                let _ = futures_util::future::join(told, self.finish(lease)).await;
            } else {
                // Before another claim can tell of itself.
                self.told(lease).await;
                self.put_off(
                    lease,
                    Duration::from_millis(record.ready_at.saturating_sub(now)),
                )
                .await;
                self.ring().await;
            }
            Ok(())
        })
    }

    fn cancel(&self, id: JobId) -> Result<Cancelled, Error> {
        self.link.handle.block_on(async {
            let cancel = |record: Option<Record>, now| {
                let Some(mut record) = record else {
                    return Step::Leave((Cancelled::TooLate, None));
                };
                match record.cancel(now) {
                    Cancelled::TooLate => Step::Leave((Cancelled::TooLate, None)),
                    cancelled => Step::Write(Box::new(record.clone()), (cancelled, Some(record))),
                }
            };
            let ((cancelled, record), _) = self.change(id, None, None, cancel).await?;
            if let Some(record) = record.filter(|record| record.state.is_settled()) {
                // Its message stays until a worker meets it. Taken out here, with a consumer about to deliver it, it makes some servers leave a pull unanswered.
                self.tell_end(id, &record).await?;
            }
            Ok(cancelled)
        })
    }

    fn get(&self, id: JobId) -> Result<Option<Record>, Error> {
        self.link.handle.block_on(self.get_now(id))
    }

    fn watch(&self, id: JobId, from: Seq, wait: Duration) -> Result<Vec<Event>, Error> {
        self.link.handle.block_on(self.watch_from(id, from, wait))
    }

    fn requeue(&self, id: JobId) -> Result<bool, Error> {
        self.link.handle.block_on(self.requeue_job(id))
    }

    fn dead(&self, max: usize) -> Result<Vec<(JobId, Record)>, Error> {
        let mut dead = self.link.handle.block_on(self.dead_jobs())?;
        dead.truncate(max);
        Ok(dead)
    }

    fn depth(&self) -> Result<Depth, Error> {
        self.link.handle.block_on(async {
            let mut depth = Depth::default();
            for lane in Lane::ALL {
                depth.lanes[lane.index()] = self.lane_depth(lane).await?;
            }
            let dead = self
                .link
                .again("a state", || async { self.dead.get_info().await })
                .await?;
            if dead.state.messages > 0 {
                depth.dead = self.dead_jobs().await?.len() as u64;
            }
            Ok(depth)
        })
    }

    fn attend(&self, worker: &str) -> Result<bool, Error> {
        Ok(self
            .link
            .handle
            .block_on(self.attend_as(worker, None))?
            .unwrap_or(false))
    }

    fn drain(&self, worker: &str) -> Result<bool, Error> {
        Ok(self
            .link
            .handle
            .block_on(self.attend_as(worker, Some(true)))?
            .is_some())
    }

    fn workers(&self) -> Result<Vec<Seen>, Error> {
        self.link.handle.block_on(self.list_workers())
    }

    fn kinds(&self) -> Result<Vec<KindDepth>, Error> {
        self.link.handle.block_on(self.kinds_of_all())
    }

    fn is_private(&self) -> bool {
        false
    }

    fn blobs(&self) -> &dyn Blobs {
        &self.blobs
    }
}

/// Whether time has ended a record's keeping.
fn is_forgotten(record: &Record, now: u64) -> bool {
    record.state.is_settled() && record.clone().tick(now) == Tick::Forget
}
