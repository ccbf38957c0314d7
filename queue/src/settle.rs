//! What became of an attempt: said to the queue until it is kept, and counted.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use crate::blob;
use crate::broker::{Broker, Lease, Outcome};
use crate::error::LeaseError;
use crate::heart::Heart;
use crate::opts::{Backoff, MAX_BLOB, MAX_INLINE};
use crate::record::{Output, Record, State};
use crate::stats::{Counters, Counts};

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Attempts that gave a result that was kept.
    pub done: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Attempts whose outcome changed nothing, as the lease was lost.
    pub stale: u64,
    /// Jobs handed back because the worker left.
    pub returned: u64,
}

/// What came of the attempts.
#[derive(Default)]
struct Tally {
    done: AtomicU64,
    failed: AtomicU64,
    stale: AtomicU64,
    returned: AtomicU64,
}

impl Tally {
    fn summary(&self) -> Summary {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Summary {
            done: read(&self.done),
            failed: read(&self.failed),
            stale: read(&self.stale),
            returned: read(&self.returned),
        }
    }
}

/// Where outcomes go: to the queue, and into the counts.
pub(crate) struct Outcomes {
    broker: Arc<dyn Broker>,
    counters: Arc<Counters>,
    heart: Arc<Heart>,
    tally: Tally,
}

impl Outcomes {
    pub fn new(broker: Arc<dyn Broker>, counters: Arc<Counters>, heart: Arc<Heart>) -> Self {
        Outcomes {
            broker,
            counters,
            heart,
            tally: Tally::default(),
        }
    }

    pub fn summary(&self) -> Summary {
        self.tally.summary()
    }

    /// A result where it belongs: in the record, or beside it.
    pub fn output(&self, lease: &Lease, bytes: Vec<u8>) -> Outcome {
        if bytes.len() <= MAX_INLINE {
            return Outcome::Done(Output::Inline(bytes));
        }
        if bytes.len() as u64 > MAX_BLOB {
            return Outcome::Dead(format!(
                "too large: the result has {} bytes, and {MAX_BLOB} are allowed",
                bytes.len()
            ));
        }
        // The holder's number: two attempts, or a copy of one, never write one blob.
        let name = format!(
            "{}.{}.{:x}",
            lease.id, lease.record.attempt, lease.record.holder
        );
        match self.broker.blobs().put(&name, &bytes) {
            Ok(()) => Outcome::Done(Output::Blob {
                name,
                hash: blob::hash(&bytes),
            }),
            Err(error) => Outcome::Retry {
                after: None,
                why: format!("the result could not be written: {error}"),
            },
        }
    }

    /// Says what came of it, again and again while the lease is ours, should the backend fail.
    pub fn settle(&self, lease: &Lease, outcome: Outcome) {
        let settled = self.broker.settle(lease, outcome.clone());
        self.settle_from(settled, lease, outcome);
    }

    /// The same, after a first try that went so.
    pub fn settle_from(
        &self,
        mut settled: Result<(), LeaseError>,
        lease: &Lease,
        mut outcome: Outcome,
    ) {
        let mut failures = 0;
        loop {
            match settled {
                Ok(()) => return self.count(lease, &outcome),
                Err(LeaseError::Broker(_)) if self.heart.holds(lease) => {
                    failures += 1;
                    let backoff = Backoff {
                        first: Duration::from_millis(20),
                        most: lease.lease / 3,
                    };
                    thread::sleep(backoff.pause(failures));
                }
                Err(LeaseError::TooLarge { len, max }) => {
                    outcome =
                        Outcome::Dead(format!("too large: {len} bytes, and {max} are allowed"));
                }
                Err(_) => {
                    self.tell(lease, |counts| counts.stale += 1);
                    self.tally.stale.fetch_add(1, Ordering::Relaxed);
                    self.remove_orphan(lease, &outcome);
                    return;
                }
            }
            settled = self.broker.settle(lease, outcome.clone());
        }
    }

    /// Removes the blob of a result that no record names. After an error that left open whether the record was written, one may.
    fn remove_orphan(&self, lease: &Lease, outcome: &Outcome) {
        let Outcome::Done(Output::Blob { name, .. }) = outcome else {
            return;
        };
        let named = |record: Record| matches!(record.state, State::Done(Output::Blob { name: kept, .. }) if kept == *name);
        let record = self.broker.get(lease.id);
        if record.is_ok_and(|record| !record.is_some_and(named)) {
            // One that stays costs space until its job is forgotten.
            let _ = self.broker.blobs().remove(name);
        }
    }

    pub fn tell(&self, lease: &Lease, change: impl FnOnce(&mut Counts)) {
        self.counters
            .count(lease.record.lane, &lease.record.kind, change);
    }

    fn count(&self, lease: &Lease, outcome: &Outcome) {
        let tally = match outcome {
            Outcome::Done(_) => &self.tally.done,
            Outcome::Retry { .. } | Outcome::Dead(_) => &self.tally.failed,
            Outcome::Return => &self.tally.returned,
        };
        tally.fetch_add(1, Ordering::Relaxed);
        self.tell(lease, |counts| match outcome {
            Outcome::Done(_) => counts.done += 1,
            // The last attempt's failure is the job's death.
            Outcome::Retry { .. } if lease.record.attempt >= lease.record.allowed => {
                counts.dead += 1
            }
            Outcome::Retry { .. } => counts.retried += 1,
            Outcome::Dead(_) => counts.dead += 1,
            Outcome::Return => counts.returned += 1,
        });
    }
}
