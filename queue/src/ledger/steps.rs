//! What happens inside a transaction: a claim, a change under a lease, what time does to overdue jobs.

use crate::broker::{Ask, Happening, Lease, Outcome};
use crate::bundles::names_blobs;
use crate::clock;
use crate::error::Error;
use crate::id::{JobId, Lane, random};
use crate::planted::planted;
use crate::record::{Output, Phase, Record, State, Tick};
use crate::store::Rows;

/// How many overdue jobs one transaction sees to: enough that none wait long, few enough that none wait for it.
const SWEEP: usize = 64;

/// What a lease does to its record.
pub(super) type Change<'a> = dyn FnMut(&mut dyn Rows, Record, u64) -> Result<(), Error> + 'a;

/// Changes a job if the lease is its current one; whether it is.
pub(super) fn held(
    rows: &mut dyn Rows,
    lease: &Lease,
    now: u64,
    change: &mut Change<'_>,
) -> Result<bool, Error> {
    match rows.get(lease.id)? {
        Some(record)
            if record.is_held(lease.record.attempt, lease.record.holder)
                || planted!("fence") && record.state == State::Running =>
        {
            change(rows, record, now)?;
            Ok(true)
        }
        _ => Ok(false),
    }
}

/// Gives up to `max` jobs to a worker.
pub(super) fn claim(
    rows: &mut dyn Rows,
    ask: &Ask,
    max: usize,
    now: u64,
    orphans: &mut Vec<String>,
) -> Result<Vec<Lease>, Error> {
    let holder = random();
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
    Ok(leases)
}

pub(super) fn sweep(rows: &mut dyn Rows, now: u64, orphans: &mut Vec<String>) -> Result<(), Error> {
    for id in rows.overdue(now, SWEEP)? {
        tick(rows, id, now, orphans)?;
    }
    Ok(())
}

/// Does to a job what time does; its record after that, unless it is forgotten.
pub(super) fn tick(
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
pub(super) fn put_changed(
    rows: &mut dyn Rows,
    id: JobId,
    record: &Record,
    now: u64,
) -> Result<(), Error> {
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

/// What watchers are told of a claim.
pub(crate) fn started(attempt: u32) -> Happening {
    match attempt {
        1 => Happening::Started,
        attempt => Happening::Restarted { attempt },
    }
}
