//! The semantics of a queue on anything that has transactions: one code for memory and files.
//!
//! Every method of the broker is one transaction: time is let pass first (leases that ended, pauses that are over), then records change by the functions of
//! [`record`](crate::record), and rows follow.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::broker::{
    Ask, Beat, Blobs, Broker, Cancelled, Depth, Event, Happening, KindDepth, Lease, NewJob,
    Outcome, Seen, Seq, Submitted, Update,
};
use crate::bundles::names_blobs;
use crate::clock;
use crate::error::{Error, LeaseError, SubmitError};
use crate::id::{JobId, Lane, random};
use crate::opts::{LaneLimits, Limits, MAX_BODY, MAX_INLINE, MAX_PART};
use crate::record::{Output, Phase, Record, State, Tick};

/// How many overdue jobs one transaction sees to: enough that none wait long, few enough that none wait for it.
const SWEEP: usize = 64;

/// What is kept about a lane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct LaneRow {
    /// Jobs that are not settled.
    pub jobs: u64,
    /// Bytes of their bodies.
    pub bytes: u64,
    /// Of the bucket for `accept_per_s`: when it was last looked at, and what it held then in thousandths of a job.
    pub bucket_at: u64,
    pub bucket: u64,
}

/// The rows of a queue, seen from within a transaction.
pub(crate) trait Rows {
    fn get(&mut self, id: JobId) -> Result<Option<Record>, Error>;
    /// Writes a record and its places in the indexes. `order` is set once, for a new job.
    fn put(&mut self, id: JobId, record: &Record, now: u64) -> Result<(), Error>;
    fn put_body(&mut self, id: JobId, body: &[u8]) -> Result<(), Error>;
    fn body(&mut self, id: JobId) -> Result<Vec<u8>, Error>;
    fn forget_body(&mut self, id: JobId) -> Result<(), Error>;
    /// Forgets the job, its body and its events.
    fn forget(&mut self, id: JobId) -> Result<(), Error>;
    /// The ready job of the lane that was submitted first.
    fn first_ready(
        &mut self,
        lane: Lane,
        kinds: &[String],
        classes: &[String],
    ) -> Result<Option<JobId>, Error>;
    /// Jobs that time changes until `now`, the longest overdue first.
    fn overdue(&mut self, now: u64, max: usize) -> Result<Vec<JobId>, Error>;
    /// When time changes a job next.
    fn next_due(&mut self) -> Result<Option<u64>, Error>;
    fn lane(&mut self, lane: Lane) -> Result<LaneRow, Error>;
    fn put_lane(&mut self, lane: Lane, row: LaneRow) -> Result<(), Error>;
    fn push_event(&mut self, id: JobId, what: &Happening) -> Result<(), Error>;
    fn events(&mut self, id: JobId, from: Seq) -> Result<Vec<Event>, Error>;
    /// A number greater than all before.
    fn next_number(&mut self) -> Result<u64, Error>;
    /// Jobs of a lane by phase: ready, delayed, running.
    fn counts(&mut self, lane: Lane) -> Result<[u64; 3], Error>;
    /// What is not settled, by lane and kind.
    fn kinds(&mut self, now: u64) -> Result<Vec<KindDepth>, Error>;
    fn dead(&mut self, max: usize) -> Result<Vec<JobId>, Error>;
    fn count_dead(&mut self) -> Result<u64, Error>;
    /// Notes that a worker lives; whether it is to leave.
    fn attend(&mut self, worker: &str, now: u64) -> Result<bool, Error>;
    fn drain(&mut self, worker: &str) -> Result<bool, Error>;
    /// Name, when it was heard of, whether it is to leave.
    fn workers(&mut self) -> Result<Vec<(String, u64, bool)>, Error>;
}

/// Something with transactions over rows.
pub(crate) trait Store: Send + Sync {
    /// Runs `change` with nothing else in between. If it fails, nothing of it remains.
    fn write<T>(&self, change: impl FnMut(&mut dyn Rows) -> Result<T, Error>) -> Result<T, Error>;
    /// The same for what only reads.
    fn read<T>(&self, look: impl FnMut(&mut dyn Rows) -> Result<T, Error>) -> Result<T, Error> {
        self.write(look)
    }
    /// A mark of the present state, for `wait`.
    fn mark(&self) -> u64;
    /// Waits until something was written since the mark, here or in another process, or until `most` has passed.
    fn wait(&self, mark: u64, most: Duration);
    fn blobs(&self) -> &dyn Blobs;
}

/// A queue on a store.
pub(crate) struct Ledger<S> {
    pub store: S,
    pub limits: Limits,
}

impl<S: Store> Ledger<S> {
    /// A transaction that first lets time pass. Blobs of forgotten jobs go after it.
    fn step<T>(
        &self,
        mut change: impl FnMut(&mut dyn Rows, u64) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.step_for(&[], |rows, now, _| change(rows, now))
    }

    /// A step in which time has passed for these jobs in any case, however many others are overdue.
    fn step_for<T>(
        &self,
        ids: &[JobId],
        mut change: impl FnMut(&mut dyn Rows, u64, &mut Vec<String>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut orphans = Vec::new();
        let result = self.store.write(|rows| {
            let now = clock::now();
            orphans.clear();
            sweep(rows, now, &mut orphans)?;
            for &id in ids {
                let due = rows.get(id)?.and_then(|record| record.due(now));
                if due.is_some_and(|due| due <= now) {
                    tick(rows, id, now, &mut orphans)?;
                }
            }
            change(rows, now, &mut orphans)
        })?;
        for name in orphans {
            // A blob that stays costs space, and its job is forgotten. An end of a point stands for all that begin so.
            let _ = if name.ends_with('.') {
                self.store.blobs().remove_all(&name)
            } else {
                self.store.blobs().remove(&name)
            };
        }
        Ok(result)
    }

    /// A change under a lease that may be stale.
    fn held(
        &self,
        lease: &Lease,
        mut change: impl FnMut(&mut dyn Rows, Record, u64) -> Result<(), Error>,
    ) -> Result<(), LeaseError> {
        let held = self.store.write(|rows| {
            let now = clock::now();
            match rows.get(lease.id)? {
                Some(record) if record.is_held(lease.record.attempt, lease.record.holder) => {
                    change(rows, record, now)?;
                    Ok(true)
                }
                _ => Ok(false),
            }
        })?;
        if held { Ok(()) } else { Err(LeaseError::Stale) }
    }
}

fn sweep(rows: &mut dyn Rows, now: u64, orphans: &mut Vec<String>) -> Result<(), Error> {
    for id in rows.overdue(now, SWEEP)? {
        tick(rows, id, now, orphans)?;
    }
    Ok(())
}

/// Does to a job what time does; its record after that, unless it is forgotten.
fn tick(
    rows: &mut dyn Rows,
    id: JobId,
    now: u64,
    orphans: &mut Vec<String>,
) -> Result<Option<Record>, Error> {
    let Some(mut record) = rows.get(id)? else {
        return Ok(None);
    };
    match record.tick(now) {
        Tick::Changed => put_changed(rows, id, &record, now)?,
        Tick::Nothing => rows.put(id, &record, now)?,
        Tick::Forget => {
            // Lost attempts may have left blobs, too, that no record names.
            if record.attempt > 1 || names_blobs(record.checkpoint.as_deref()) {
                orphans.push(format!("{id}."));
            } else if let State::Done(Output::Blob { name, .. }) = record.state {
                orphans.push(name);
            }
            rows.forget(id)?;
            return Ok(None);
        }
    }
    Ok(Some(record))
}

/// Writes a record after a change from an open state, with all that hangs on it when it is settled now.
fn put_changed(rows: &mut dyn Rows, id: JobId, record: &Record, now: u64) -> Result<(), Error> {
    rows.put(id, record, now)?;
    let what = match &record.state {
        State::Queued | State::Running => return Ok(()),
        State::Done(_) => Happening::Done,
        State::Dead(why) => Happening::Dead(why.clone()),
        State::Cancelled => Happening::Cancelled,
    };
    rows.push_event(id, &what)?;
    if !matches!(record.state, State::Dead(_)) {
        rows.forget_body(id)?;
    }
    let mut row = rows.lane(record.lane)?;
    row.jobs = row.jobs.saturating_sub(1);
    row.bytes = row.bytes.saturating_sub(record.len);
    rows.put_lane(record.lane, row)
}

/// Counts a job in, if its lane may take it.
fn admit(row: &mut LaneRow, limits: &LaneLimits, len: u64, now: u64) -> Result<(), SubmitError> {
    if row.jobs >= limits.max_jobs || row.bytes.saturating_add(len) > limits.max_bytes {
        // What makes room is a job that ends, and nobody knows when. A second is short beside the jobs this is for.
        return Err(SubmitError::Full {
            retry_after: Duration::from_secs(1),
        });
    }
    take_token(row, limits, now)?;
    row.jobs += 1;
    row.bytes += len;
    Ok(())
}

/// Takes a job's worth from the bucket, if the lane has one and that is in it.
pub(crate) fn take_token(
    row: &mut LaneRow,
    limits: &LaneLimits,
    now: u64,
) -> Result<(), SubmitError> {
    let Some(rate) = limits.accept_per_s.map(u64::from) else {
        return Ok(());
    };
    let gained = now.saturating_sub(row.bucket_at).saturating_mul(rate);
    row.bucket = row.bucket.saturating_add(gained).min(rate * 1000);
    row.bucket_at = now;
    if row.bucket < 1000 {
        let millis = if rate == 0 {
            1000
        } else {
            (1000 - row.bucket).div_ceil(rate)
        };
        return Err(SubmitError::Full {
            retry_after: Duration::from_millis(millis),
        });
    }
    row.bucket -= 1000;
    Ok(())
}

pub(crate) fn check_part(update: &Update) -> Result<(), LeaseError> {
    let (Update::Part(bytes) | Update::Checkpoint(bytes)) = update;
    check(bytes.len(), MAX_PART)
}

pub(crate) fn check_outcome(outcome: &Outcome) -> Result<(), LeaseError> {
    match outcome {
        Outcome::Done(Output::Inline(bytes)) => check(bytes.len(), MAX_INLINE),
        _ => Ok(()),
    }
}

fn check(len: usize, max: usize) -> Result<(), LeaseError> {
    if len <= max {
        Ok(())
    } else {
        Err(LeaseError::TooLarge { len, max })
    }
}

/// Counts an open job among those of its lane and kind.
pub(crate) fn count_kind(
    kinds: &mut BTreeMap<(Lane, String), KindDepth>,
    record: &Record,
    now: u64,
) {
    let phase = record.phase(now);
    if phase == Phase::Settled {
        return;
    }
    let kind = kinds
        .entry((record.lane, record.kind.clone()))
        .or_insert_with(|| KindDepth {
            lane: record.lane,
            kind: record.kind.clone(),
            queued: 0,
            delayed: 0,
            leased: 0,
            oldest: Duration::ZERO,
        });
    match phase {
        Phase::Ready => kind.queued += 1,
        Phase::Delayed => kind.delayed += 1,
        Phase::Running | Phase::Settled => kind.leased += 1,
    }
    let age = Duration::from_millis(now.saturating_sub(record.submitted));
    kind.oldest = kind.oldest.max(age);
}

/// What a claim says to those who watch.
pub(crate) fn started(attempt: u32) -> Happening {
    match attempt {
        1 => Happening::Started,
        attempt => Happening::Restarted { attempt },
    }
}

impl<S: Store> Broker for Ledger<S> {
    fn submit(&self, jobs: &[NewJob]) -> Vec<Result<Submitted, SubmitError>> {
        // A name whose job was kept long enough is free.
        let ids: Vec<JobId> = jobs.iter().map(|job| job.id).collect();
        let all = self.step_for(&ids, |rows, now, _| {
            jobs.iter()
                .map(|job| {
                    if job.body.len() > MAX_BODY {
                        return Ok(Err(SubmitError::TooLarge {
                            len: job.body.len(),
                            max: MAX_BODY,
                        }));
                    }
                    if rows.get(job.id)?.is_some() {
                        return Ok(Ok(Submitted::Known));
                    }
                    let lane = job.opts.lane;
                    let mut row = rows.lane(lane)?;
                    let record = Record::new(job, now);
                    if let Err(full) =
                        admit(&mut row, &self.limits.lanes[lane.index()], record.len, now)
                    {
                        return Ok(Err(full));
                    }
                    rows.put_lane(lane, row)?;
                    rows.put(job.id, &record, now)?;
                    rows.put_body(job.id, &job.body)?;
                    Ok(Ok(Submitted::New))
                })
                .collect::<Result<Vec<_>, Error>>()
        });
        all.unwrap_or_else(|error| {
            jobs.iter()
                .map(|_| Err(SubmitError::Broker(error.clone())))
                .collect()
        })
    }

    fn claim(&self, ask: &Ask, max: usize, wait: Duration) -> Result<Vec<Lease>, Error> {
        let end = Instant::now().checked_add(wait);
        loop {
            // What does not wait needs no mark.
            let mark = if wait.is_zero() { 0 } else { self.store.mark() };
            let holder = random();
            let (leases, due) = self.step_for(&[], |rows, now, orphans| {
                let (mut leases, mut overdue) = (Vec::new(), 0);
                while leases.len() < max && overdue < SWEEP {
                    let mut firsts = [None; 3];
                    for lane in Lane::ALL {
                        firsts[lane.index()] = rows.first_ready(lane, &ask.kinds, &ask.classes)?;
                    }
                    let Some(lane) = ask.aging.next(firsts.map(|first| first.is_some())) else {
                        break;
                    };
                    let Some(id) = firsts[lane.index()] else {
                        break;
                    };
                    let Some(mut record) = rows.get(id)? else {
                        break;
                    };
                    if !record.claim(holder, clock::millis(ask.lease), now) {
                        // Overdue, and not swept yet. It must not stay in front of the others.
                        overdue += 1;
                        if let Some(mut record) = tick(rows, id, now, orphans)?
                            && record.phase(now) == Phase::Ready
                        {
                            let why = "its attempts cannot be counted any more".into();
                            record.settle(&Outcome::Dead(why), now);
                            put_changed(rows, id, &record, now)?;
                        }
                    } else {
                        rows.put(id, &record, now)?;
                        rows.push_event(id, &started(record.attempt))?;
                        let (body, fence) = (rows.body(id)?, rows.next_number()?);
                        leases.push(Lease::new(id, record, body, fence, ask.lease));
                    }
                }
                Ok((leases, rows.next_due()?.map(|due| due.saturating_sub(now))))
            })?;
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if !leases.is_empty() || left.is_zero() || max == 0 {
                return Ok(leases);
            }
            self.store.wait(
                mark,
                left.min(due.map_or(Duration::MAX, Duration::from_millis)),
            );
        }
    }

    fn renew(&self, leases: &[&Lease]) -> Result<Vec<Beat>, Error> {
        self.store.write(|rows| {
            let now = clock::now();
            leases
                .iter()
                .map(|lease| match rows.get(lease.id)? {
                    Some(mut record)
                        if record.is_held(lease.record.attempt, lease.record.holder) =>
                    {
                        record.renew(clock::millis(lease.lease), now);
                        rows.put(lease.id, &record, now)?;
                        Ok(if record.cancel {
                            Beat::Cancelled
                        } else {
                            Beat::Held
                        })
                    }
                    _ => Ok(Beat::Stale),
                })
                .collect()
        })
    }

    fn update(&self, lease: &Lease, update: Update) -> Result<(), LeaseError> {
        check_part(&update)?;
        self.held(lease, |rows, mut record, now| match &update {
            Update::Part(bytes) => rows.push_event(lease.id, &Happening::Part(bytes.clone())),
            Update::Checkpoint(bytes) => {
                record.checkpoint = Some(bytes.clone());
                rows.put(lease.id, &record, now)
            }
        })
    }

    fn settle(&self, lease: &Lease, outcome: Outcome) -> Result<(), LeaseError> {
        check_outcome(&outcome)?;
        self.held(lease, |rows, mut record, now| {
            record.settle(&outcome, now);
            put_changed(rows, lease.id, &record, now)
        })
    }

    fn cancel(&self, id: JobId) -> Result<Cancelled, Error> {
        self.step_for(&[id], |rows, now, _| {
            let Some(mut record) = rows.get(id)? else {
                return Ok(Cancelled::TooLate);
            };
            let cancelled = record.cancel(now);
            if cancelled != Cancelled::TooLate {
                put_changed(rows, id, &record, now)?;
            }
            Ok(cancelled)
        })
    }

    fn get(&self, id: JobId) -> Result<Option<Record>, Error> {
        let record = self.store.read(|rows| rows.get(id))?;
        let due = record.as_ref().and_then(|record| record.due(clock::now()));
        if due.is_none_or(|due| due > clock::now()) {
            return Ok(record);
        }
        // Who asks must not depend on workers to see that a lease or a deadline is over: there may be none left.
        self.step_for(&[id], |rows, _, _| rows.get(id))
    }

    fn watch(&self, id: JobId, from: Seq, wait: Duration) -> Result<Vec<Event>, Error> {
        let end = Instant::now().checked_add(wait);
        loop {
            let mark = self.store.mark();
            // First the record, for what time has done to it.
            let due = self.get(id)?.and_then(|record| record.due(clock::now()));
            let events = self.store.read(|rows| rows.events(id, from))?;
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if !events.is_empty() || left.is_zero() {
                return Ok(events);
            }
            let due = due.map_or(Duration::MAX, |due| {
                Duration::from_millis(due.saturating_sub(clock::now()))
            });
            self.store.wait(mark, left.min(due));
        }
    }

    fn requeue(&self, id: JobId) -> Result<bool, Error> {
        self.step_for(&[id], |rows, now, _| {
            let Some(mut record) = rows.get(id)? else {
                return Ok(false);
            };
            if !record.requeue(now) {
                return Ok(false);
            }
            rows.put(id, &record, now)?;
            rows.push_event(id, &Happening::Requeued)?;
            let mut row = rows.lane(record.lane)?;
            row.jobs += 1;
            row.bytes += record.len;
            rows.put_lane(record.lane, row)?;
            Ok(true)
        })
    }

    fn dead(&self, max: usize) -> Result<Vec<(JobId, Record)>, Error> {
        self.step(|rows, _| {
            let ids = rows.dead(max)?;
            let records = ids
                .into_iter()
                .map(|id| Ok(rows.get(id)?.map(|record| (id, record))));
            Ok(records
                .collect::<Result<Vec<_>, Error>>()?
                .into_iter()
                .flatten()
                .collect())
        })
    }

    fn depth(&self) -> Result<Depth, Error> {
        self.step(|rows, _| {
            let mut depth = Depth {
                dead: rows.count_dead()?,
                ..Depth::default()
            };
            for lane in Lane::ALL {
                let [queued, delayed, leased] = rows.counts(lane)?;
                let of = &mut depth.lanes[lane.index()];
                (of.queued, of.delayed, of.leased, of.bytes) =
                    (queued, delayed, leased, rows.lane(lane)?.bytes);
            }
            Ok(depth)
        })
    }

    fn attend(&self, worker: &str) -> Result<bool, Error> {
        self.store.write(|rows| rows.attend(worker, clock::now()))
    }

    fn drain(&self, worker: &str) -> Result<bool, Error> {
        self.store.write(|rows| rows.drain(worker))
    }

    fn workers(&self) -> Result<Vec<Seen>, Error> {
        let now = clock::now();
        let all = self.store.read(|rows| rows.workers())?;
        let seen = all.into_iter().map(|(name, at, drain)| Seen {
            name,
            ago: Duration::from_millis(now.saturating_sub(at)),
            drain,
        });
        Ok(seen
            .filter(|seen| seen.ago < Duration::from_secs(60))
            .collect())
    }

    fn kinds(&self) -> Result<Vec<KindDepth>, Error> {
        self.step(|rows, now| rows.kinds(now))
    }

    fn blobs(&self) -> &dyn Blobs {
        self.store.blobs()
    }
}
