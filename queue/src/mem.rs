//! A queue in memory, for the threads of one process.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::time::Duration;

use crate::admit::count_kind;
use crate::broker::{Blobs, Event, Happening, KindDepth, Seq};
use crate::error::Error;
use crate::id::{JobId, Lane};
use crate::opts::MAX_BLOB;
use crate::record::{Phase, Record, State};
use crate::store::{LaneRow, Rows, Store};

/// The rows of a queue in one process, behind one lock.
///
/// A change that panics leaves the lock poisoned, and may leave half a change: then every later call panics, too. Changes panic only for want of memory.
#[derive(Default)]
pub(crate) struct MemStore {
    rows: Mutex<MemRows>,
    written: Condvar,
    blobs: MemBlobs,
}

#[derive(Default)]
struct MemRows {
    jobs: HashMap<JobId, Job>,
    /// Ready jobs, in the order of their submission.
    ready: [BTreeSet<(u64, JobId)>; 3],
    due: BTreeSet<(u64, JobId)>,
    dead: BTreeSet<(u64, JobId)>,
    counts: [[u64; 3]; 3],
    lanes: [LaneRow; 3],
    workers: BTreeMap<String, (u64, bool)>,
    numbers: u64,
    /// How often a record or an event was written. Waiters wait for this to change. A look must not raise it, or waiters wake each other for ever.
    version: u64,
}

struct Job {
    record: Record,
    order: u64,
    body: Vec<u8>,
    events: Vec<Happening>,
    place: Place,
}

/// Where the indexes have a job, so that it can be taken out there.
#[derive(Clone, Copy)]
struct Place {
    lane: Lane,
    phase: Phase,
    due: Option<u64>,
    dead: Option<u64>,
}

impl MemRows {
    fn take_out(&mut self, id: JobId, order: u64, place: Place) {
        let lane = place.lane.index();
        if place.phase == Phase::Ready {
            self.ready[lane].remove(&(order, id));
        }
        if let Some(due) = place.due {
            self.due.remove(&(due, id));
        }
        if let Some(since) = place.dead {
            self.dead.remove(&(since, id));
        }
        if place.phase != Phase::Settled {
            self.counts[lane][place.phase as usize] -= 1;
        }
    }

    fn put_in(&mut self, id: JobId, order: u64, place: Place) {
        let lane = place.lane.index();
        if place.phase == Phase::Ready {
            self.ready[lane].insert((order, id));
        }
        if let Some(due) = place.due {
            self.due.insert((due, id));
        }
        if let Some(since) = place.dead {
            self.dead.insert((since, id));
        }
        if place.phase != Phase::Settled {
            self.counts[lane][place.phase as usize] += 1;
        }
    }
}

fn unknown(id: JobId) -> Error {
    Error::new(format!("job {id} is not in the queue"))
}

impl Rows for MemRows {
    fn get(&mut self, id: JobId) -> Result<Option<Record>, Error> {
        Ok(self.jobs.get(&id).map(|job| job.record.clone()))
    }

    fn put(&mut self, id: JobId, record: &Record, now: u64) -> Result<(), Error> {
        let place = Place {
            lane: record.lane,
            phase: record.phase(now),
            due: record.due(now),
            dead: matches!(record.state, State::Dead(_)).then_some(record.changed),
        };
        let (order, old) = match self.jobs.get_mut(&id) {
            Some(job) => {
                job.record = record.clone();
                (job.order, Some(std::mem::replace(&mut job.place, place)))
            }
            None => {
                let order = self.next_number()?;
                let job = Job {
                    record: record.clone(),
                    order,
                    body: Vec::new(),
                    events: Vec::new(),
                    place,
                };
                self.jobs.insert(id, job);
                (order, None)
            }
        };
        if let Some(old) = old {
            self.take_out(id, order, old);
        }
        self.put_in(id, order, place);
        self.version += 1;
        Ok(())
    }

    fn put_body(&mut self, id: JobId, body: &[u8]) -> Result<(), Error> {
        self.jobs.get_mut(&id).ok_or_else(|| unknown(id))?.body = body.to_vec();
        Ok(())
    }

    fn body(&mut self, id: JobId) -> Result<Vec<u8>, Error> {
        Ok(self.jobs.get(&id).ok_or_else(|| unknown(id))?.body.clone())
    }

    fn forget_body(&mut self, id: JobId) -> Result<(), Error> {
        self.put_body(id, &[])
    }

    fn forget(&mut self, id: JobId) -> Result<(), Error> {
        if let Some(job) = self.jobs.remove(&id) {
            self.take_out(id, job.order, job.place);
        }
        Ok(())
    }

    fn first_ready(
        &mut self,
        lane: Lane,
        kinds: &[String],
        classes: &[String],
    ) -> Result<Option<JobId>, Error> {
        let fits = |id: &JobId| {
            self.jobs.get(id).is_some_and(|job| {
                kinds.contains(&job.record.kind) && classes.contains(&job.record.class)
            })
        };
        Ok(self.ready[lane.index()]
            .iter()
            .map(|&(_, id)| id)
            .find(fits))
    }

    fn overdue(&mut self, now: u64, max: usize) -> Result<Vec<JobId>, Error> {
        Ok(self
            .due
            .iter()
            .take_while(|&&(due, _)| due <= now)
            .take(max)
            .map(|&(_, id)| id)
            .collect())
    }

    fn next_due(&mut self) -> Result<Option<u64>, Error> {
        Ok(self.due.first().map(|&(due, _)| due))
    }

    fn lane(&mut self, lane: Lane) -> Result<LaneRow, Error> {
        Ok(self.lanes[lane.index()])
    }

    fn put_lane(&mut self, lane: Lane, row: LaneRow) -> Result<(), Error> {
        self.lanes[lane.index()] = row;
        Ok(())
    }

    fn push_event(&mut self, id: JobId, what: &Happening) -> Result<(), Error> {
        self.jobs
            .get_mut(&id)
            .ok_or_else(|| unknown(id))?
            .events
            .push(what.clone());
        self.version += 1;
        Ok(())
    }

    fn events(&mut self, id: JobId, from: Seq) -> Result<Vec<Event>, Error> {
        let events = self.jobs.get(&id).map_or(&[][..], |job| &job.events);
        let numbered = (1..).zip(events).map(|(seq, what)| Event {
            seq,
            what: what.clone(),
        });
        Ok(numbered.skip_while(|event| event.seq < from).collect())
    }

    fn next_number(&mut self) -> Result<u64, Error> {
        self.numbers += 1;
        Ok(self.numbers)
    }

    fn counts(&mut self, lane: Lane) -> Result<[u64; 3], Error> {
        Ok(self.counts[lane.index()])
    }

    fn kinds(&mut self, now: u64) -> Result<Vec<KindDepth>, Error> {
        let mut kinds = BTreeMap::new();
        for job in self.jobs.values() {
            count_kind(&mut kinds, &job.record, now);
        }
        Ok(kinds.into_values().collect())
    }

    fn dead(&mut self, max: usize) -> Result<Vec<JobId>, Error> {
        Ok(self.dead.iter().take(max).map(|&(_, id)| id).collect())
    }

    fn count_dead(&mut self) -> Result<u64, Error> {
        Ok(self.dead.len() as u64)
    }

    fn attend(&mut self, worker: &str, now: u64) -> Result<bool, Error> {
        match self.workers.get_mut(worker) {
            Some((seen, drain)) => {
                *seen = now;
                Ok(*drain)
            }
            None => {
                self.workers.insert(worker.to_owned(), (now, false));
                Ok(false)
            }
        }
    }

    fn drain(&mut self, worker: &str) -> Result<bool, Error> {
        let known = self.workers.get_mut(worker);
        Ok(known.map(|(_, drain)| *drain = true).is_some())
    }

    fn workers(&mut self) -> Result<Vec<(String, u64, bool)>, Error> {
        Ok(self
            .workers
            .iter()
            .map(|(name, &(seen, drain))| (name.clone(), seen, drain))
            .collect())
    }
}

impl MemStore {
    fn lock(&self) -> MutexGuard<'_, MemRows> {
        self.rows
            .lock()
            .expect("a change of the queue panicked, and may be half done")
    }
}

impl Store for MemStore {
    fn write<T>(
        &self,
        mut change: impl FnMut(&mut dyn Rows) -> Result<T, Error>,
    ) -> Result<T, Error> {
        let mut rows = self.lock();
        let before = rows.version;
        let result = change(&mut *rows);
        let written = rows.version != before;
        drop(rows);
        if written {
            self.written.notify_all();
        }
        result
    }

    fn mark(&self) -> u64 {
        self.lock().version
    }

    fn wait(&self, mark: u64, most: Duration) {
        let rows = self.lock();
        let _unused = self
            .written
            .wait_timeout_while(rows, most, |rows| rows.version == mark);
    }

    fn blobs(&self) -> &dyn Blobs {
        &self.blobs
    }
}

#[derive(Default)]
struct MemBlobs(Mutex<HashMap<String, Vec<u8>>>);

impl MemBlobs {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Vec<u8>>> {
        self.0.lock().unwrap_or_else(|poison| poison.into_inner())
    }
}

impl Blobs for MemBlobs {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error> {
        check_blob(name, bytes)?;
        self.lock().insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error> {
        check_name(name)?;
        Ok(self.lock().get(name).cloned())
    }

    fn remove(&self, name: &str) -> Result<(), Error> {
        self.lock().remove(name);
        Ok(())
    }

    fn remove_all(&self, prefix: &str) -> Result<(), Error> {
        check_name(prefix)?;
        self.lock().retain(|name, _| !name.starts_with(prefix));
        Ok(())
    }
}

/// Refuses names that could leave a directory or a subject, and blobs that are too large.
pub(crate) fn check_blob(name: &str, bytes: &[u8]) -> Result<(), Error> {
    check_name(name)?;
    if bytes.len() as u64 > MAX_BLOB {
        return Err(Error::new(format!(
            "blob {name} has {} bytes, and {MAX_BLOB} are allowed",
            bytes.len()
        )));
    }
    Ok(())
}

pub(crate) fn check_name(name: &str) -> Result<(), Error> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    if name.is_empty() || name.len() > 200 || name.starts_with('.') || !name.bytes().all(plain) {
        return Err(Error::new(format!(
            "{name:?} cannot be a name: use up to 200 letters, digits, '-', '_' and '.'"
        )));
    }
    Ok(())
}
