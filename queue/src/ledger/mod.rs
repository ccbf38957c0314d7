//! The semantics of a queue on anything that has transactions: one code for memory and files.
//!
//! Every method of the broker is one transaction: time is let pass first (leases that ended, pauses that are over), then records change by the functions of
//! [`record`](crate::record), and rows follow.

mod steps;

use std::time::{Duration, Instant};

use crate::admit::{admit, check_outcome, check_part};
use crate::broker::{
    Ask, Beat, Blobs, Broker, Cancelled, Depth, Event, Exchanged, Happening, KindDepth, Lease,
    NewJob, Outcome, Seen, Seq, Submitted, Update,
};
use crate::clock;
use crate::error::{Error, LeaseError, SubmitError};
use crate::id::{JobId, Lane};
use crate::opts::{Limits, MAX_BODY};
use crate::planted::planted;
use crate::record::{Record, State};
use crate::store::{Rows, Store};
#[cfg(feature = "jetstream")]
pub(crate) use steps::started;
use steps::{claim, held, put_changed, sweep, tick};

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
        self.clean(|rows, orphans| {
            let now = clock::now();
            sweep(rows, now, orphans)?;
            for &id in ids {
                let due = rows.get(id)?.and_then(|record| record.due(now));
                if due.is_some_and(|due| due <= now) {
                    tick(rows, id, now, orphans)?;
                }
            }
            change(rows, now, orphans)
        })
    }

    /// A transaction that tells which blobs nothing names any more. They are removed after it.
    fn clean<T>(
        &self,
        change: impl FnMut(&mut dyn Rows, &mut Vec<String>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let result = self.clean_soon(change)?;
        self.store.keep()?;
        Ok(result)
    }

    /// The same, and it is kept soon.
    fn clean_soon<T>(
        &self,
        mut change: impl FnMut(&mut dyn Rows, &mut Vec<String>) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut orphans = Vec::new();
        let result = self.store.write_soon(|rows| {
            orphans.clear();
            change(rows, &mut orphans)
        })?;
        if !orphans.is_empty() {
            // Or a record could come back whose blob is gone.
            self.store.keep()?;
        }
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

    /// A fault, planted to see that it is found: the job leaves the queue first, and its result comes after it.
    fn settle_too_soon(&self, lease: &Lease, outcome: &Outcome) -> Result<(), LeaseError> {
        self.held(lease, |rows, mut record, now| {
            record.state = State::Cancelled;
            put_changed(rows, lease.id, &record, now)
        })?;
        std::thread::sleep(Duration::from_millis(5));
        let late = self.store.write(|rows| {
            if let Some(mut record) = rows.get(lease.id)? {
                record.state = State::Running;
                record.settle(outcome, clock::now());
                rows.put(lease.id, &record, clock::now())?;
            }
            Ok(())
        });
        Ok(late?)
    }

    /// The record of a job, after time has passed for it. It may not be kept yet.
    fn look(&self, id: JobId) -> Result<Option<Record>, Error> {
        let record = self.store.read(|rows| rows.get(id))?;
        let due = record.as_ref().and_then(|record| record.due(clock::now()));
        if due.is_none_or(|due| due > clock::now()) {
            return Ok(record);
        }
        // The caller must see that a lease or a deadline is over even if no worker is left to write it.
        self.step_for(&[id], |rows, _, _| rows.get(id))
    }

    /// A change under a lease that may be stale.
    fn held(
        &self,
        lease: &Lease,
        mut change: impl FnMut(&mut dyn Rows, Record, u64) -> Result<(), Error>,
    ) -> Result<(), LeaseError> {
        let held = self
            .store
            .write(|rows| held(rows, lease, clock::now(), &mut change))?;
        if held { Ok(()) } else { Err(LeaseError::Stale) }
    }
}

impl<S: Store> Broker for Ledger<S> {
    fn submit(&self, jobs: &[NewJob]) -> Vec<Result<Submitted, SubmitError>> {
        // An id whose job was kept long enough is free.
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
            let (leases, due) = self.clean_soon(|rows, orphans| {
                let now = clock::now();
                sweep(rows, now, orphans)?;
                let leases = claim(rows, ask, max, now, orphans)?;
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
        self.store.write_soon(|rows| {
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
        if planted!("ack") && matches!(outcome, Outcome::Done(_)) {
            return self.settle_too_soon(lease, &outcome);
        }
        self.held(lease, |rows, mut record, now| {
            record.settle(&outcome, now);
            put_changed(rows, lease.id, &record, now)
        })
    }

    fn exchange(&self, lease: &Lease, outcome: Outcome, ask: &Ask) -> Exchanged {
        if let Err(error) = check_outcome(&outcome) {
            return (Err(error), Ok(Vec::new()));
        }
        let both = self.clean_soon(|rows, orphans| {
            let now = clock::now();
            let mut settle = |rows: &mut dyn Rows, mut record: Record, now| {
                record.settle(&outcome, now);
                put_changed(rows, lease.id, &record, now)
            };
            // Before time passes, as by itself.
            let held = held(rows, lease, now, &mut settle)?;
            sweep(rows, now, orphans)?;
            Ok((held, claim(rows, ask, 1, now, orphans)?))
        });
        match both {
            Ok((true, leases)) => (Ok(()), Ok(leases)),
            Ok((false, leases)) => (Err(LeaseError::Stale), Ok(leases)),
            Err(error) => (Err(error.clone().into()), Err(error)),
        }
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
        let record = self.look(id)?;
        self.store.keep()?;
        Ok(record)
    }

    fn keep(&self) -> Result<(), Error> {
        self.store.keep()
    }

    fn watch(&self, id: JobId, from: Seq, wait: Duration) -> Result<Vec<Event>, Error> {
        let end = Instant::now().checked_add(wait);
        loop {
            let mark = self.store.mark();
            // First the record, for what time has done to it.
            let due = self.look(id)?.and_then(|record| record.due(clock::now()));
            let events = self.store.read(|rows| rows.events(id, from))?;
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if !events.is_empty() || left.is_zero() {
                self.store.keep()?;
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
        self.store
            .write_soon(|rows| rows.attend(worker, clock::now()))
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
