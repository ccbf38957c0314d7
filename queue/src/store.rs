//! What the [`ledger`](crate::ledger) needs of memory or a file: rows, and transactions over them.

use std::time::Duration;

use crate::broker::{Blobs, Event, Happening, KindDepth, Seq};
use crate::error::Error;
use crate::id::{JobId, Lane};
use crate::record::Record;

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
    /// Runs `change` with nothing else in between. If it fails, nothing of it remains. What it has said is [kept](Store::keep).
    fn write<T>(&self, change: impl FnMut(&mut dyn Rows) -> Result<T, Error>) -> Result<T, Error>;
    /// The same, and it is kept soon: for what is not acknowledged yet.
    fn write_soon<T>(
        &self,
        change: impl FnMut(&mut dyn Rows) -> Result<T, Error>,
    ) -> Result<T, Error> {
        self.write(change)
    }
    /// Waits until all that was written or seen so far survives what the store is to survive.
    fn keep(&self) -> Result<(), Error> {
        Ok(())
    }
    /// The same as `write_soon` for what only reads.
    fn read<T>(&self, look: impl FnMut(&mut dyn Rows) -> Result<T, Error>) -> Result<T, Error> {
        self.write(look)
    }
    /// A mark of the present state, for `wait`.
    fn mark(&self) -> u64;
    /// Waits until something was written since the mark, here or in another process, or until `most` has passed.
    fn wait(&self, mark: u64, most: Duration);
    fn blobs(&self) -> &dyn Blobs;
}
