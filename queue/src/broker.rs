//! What a backend has to do, and the words it is asked in.
//!
//! [`conformance`](mod@crate::conformance) says what all of this means, and tests it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::aging::Aging;
pub use crate::asked::{Cancelled, NewJob, Outcome};
pub use crate::depth::{Depth, KindDepth, LaneDepth, Seen};
use crate::error::{Error, LeaseError, SubmitError};
use crate::id::JobId;
use crate::record::Record;
pub use crate::turns::Turns;

/// That a job is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Submitted {
    /// It is new.
    New,
    /// A job of this id was there already; nothing changed.
    Known,
}

/// What a worker wants.
#[derive(Clone, Debug)]
pub struct Ask {
    /// Kinds it can run.
    pub kinds: Vec<String>,
    /// Classes it has.
    pub classes: Vec<String>,
    /// How long a lease lasts without renewal.
    pub lease: Duration,
    /// Which lane is next; shared by all that claim for one worker.
    pub aging: Arc<Aging>,
    /// Which kind is next, where a backend cannot tell by itself; shared likewise.
    pub turns: Arc<Turns>,
}

impl Ask {
    /// How many pairs of a class and a kind it is about.
    #[cfg(feature = "jetstream")]
    pub(crate) fn pairs(&self) -> u64 {
        (self.kinds.len() * self.classes.len()) as u64
    }

    /// The class and the kind of this number, which is gone through again and again. There has to be one.
    #[cfg(feature = "jetstream")]
    pub(crate) fn pair(&self, number: u64) -> (&str, &str) {
        let at = (number % self.pairs()) as usize;
        let (class, kind) = (at / self.kinds.len(), at % self.kinds.len());
        (&self.classes[class], &self.kinds[kind])
    }
}

/// A claim on a job, for as long as it is renewed.
#[derive(Debug)]
pub struct Lease {
    /// Which job.
    pub id: JobId,
    /// Its record when it was claimed.
    pub record: Record,
    /// The encoded job.
    pub body: Vec<u8>,
    /// A number that is greater for each later claim of the job. Hand it to foreign systems that can refuse a smaller one.
    pub fence: u64,
    /// How long it lasts without renewal.
    pub lease: Duration,
    /// What a backend has to remember: where the record was last seen, and how to reach the server about it.
    #[cfg_attr(
        not(feature = "jetstream"),
        expect(dead_code, reason = "only a server without transactions needs it")
    )]
    pub(crate) private: Arc<Mutex<Private>>,
}

#[derive(Debug, Default)]
pub(crate) struct Private {
    /// The record as this lease last wrote it, and the sequence of that write.
    #[cfg(feature = "jetstream")]
    pub seen: Option<(Record, u64)>,
    /// Where the server takes word about the message that the job came with.
    #[cfg(feature = "jetstream")]
    pub reply: Option<String>,
    /// The event of the claim, on its way.
    #[cfg(feature = "jetstream")]
    pub telling: Option<crate::jetstream::Telling>,
    /// The sequence of the last event that this lease told.
    #[cfg(feature = "jetstream")]
    pub told: Option<u64>,
    /// Puts the message off when the job takes longer than the server waits.
    #[cfg(feature = "jetstream")]
    pub putting_off: Option<tokio::task::AbortHandle>,
}

impl Lease {
    /// What a claim gives: the record as the claim left it.
    pub fn new(id: JobId, record: Record, body: Vec<u8>, fence: u64, lease: Duration) -> Self {
        Lease {
            id,
            record,
            body,
            fence,
            lease,
            private: Arc::default(),
        }
    }

    /// The same lease for another thread; with its body only if that outcome may need it.
    #[cfg(feature = "jetstream")]
    pub(crate) fn share(&self, outcome: &Outcome) -> Self {
        let body = match outcome {
            Outcome::Done(_) | Outcome::Return => Vec::new(),
            Outcome::Retry { .. } | Outcome::Dead(_) => self.body.clone(),
        };
        Lease {
            id: self.id,
            record: self.record.clone(),
            body,
            fence: self.fence,
            lease: self.lease,
            private: self.private.clone(),
        }
    }
}

/// What a renewal found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Beat {
    /// The lease goes on.
    Held,
    /// The lease goes on, and the job was cancelled: stop, and settle as a failure.
    Cancelled,
    /// The job belongs to a newer lease or is settled.
    Stale,
}

/// What a running job leaves on its way.
#[derive(Clone, Debug)]
pub enum Update {
    /// A partial result, for whatever watches the job.
    Part(Vec<u8>),
    /// Where the next attempt may go on.
    Checkpoint(Vec<u8>),
}

/// The place of an event among those of a job; the first has 1 or more.
pub type Seq = u64;

/// Something that happened to a job.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// Its place.
    pub seq: Seq,
    /// What happened.
    pub what: Happening,
}

/// What may happen to a job.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Happening {
    /// The first attempt began.
    Started,
    /// A later attempt began.
    Restarted {
        /// Its number.
        attempt: u32,
    },
    /// A partial result.
    Part(Vec<u8>),
    /// There is a result.
    Done,
    /// It was given up, for this reason.
    Dead(String),
    /// It was cancelled.
    Cancelled,
    /// It was dead and may run again.
    Requeued,
}

/// Bytes beside the records, by name. A name is written once.
pub trait Blobs: Send + Sync {
    /// Keeps the bytes. They are whole or not there, whatever happens meanwhile.
    ///
    /// # Errors
    ///
    /// If the backend cannot, or there are more than [`MAX_BLOB`](crate::MAX_BLOB).
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), Error>;

    /// The bytes of that name, if there are any.
    ///
    /// # Errors
    ///
    /// If the backend cannot.
    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, Error>;

    /// Forgets them.
    ///
    /// # Errors
    ///
    /// If the backend cannot.
    fn remove(&self, name: &str) -> Result<(), Error>;

    /// Forgets all whose names begin so. May have to look at all names there are.
    ///
    /// # Errors
    ///
    /// If the backend cannot.
    fn remove_all(&self, prefix: &str) -> Result<(), Error>;
}

/// What came of the end of a lease, and of the claim with it.
pub type Exchanged = (Result<(), LeaseError>, Result<Vec<Lease>, Error>);

/// A backend: where jobs are kept.
///
/// Every method is one step: it happens whole or not at all. An [`Error`] leaves open which of the two.
pub trait Broker: Send + Sync {
    /// Keeps the jobs. What it says is kept survives every process, unless the backend is this process's memory.
    fn submit(&self, jobs: &[NewJob]) -> Vec<Result<Submitted, SubmitError>>;

    /// Gives up to `max` jobs, and waits up to `wait` for the first.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn claim(&self, ask: &Ask, max: usize, wait: Duration) -> Result<Vec<Lease>, Error>;

    /// Lets leases go on for their whole length from now.
    ///
    /// # Errors
    ///
    /// If the backend fails; then no lease may be taken as renewed.
    fn renew(&self, leases: &[&Lease]) -> Result<Vec<Beat>, Error>;

    /// Writes what a running job leaves on its way.
    ///
    /// # Errors
    ///
    /// [`LeaseError::Stale`], if the job has a newer lease or is settled: nothing was changed.
    fn update(&self, lease: &Lease, update: Update) -> Result<(), LeaseError>;

    /// Ends a lease.
    ///
    /// # Errors
    ///
    /// [`LeaseError::Stale`], if the job has a newer lease or is settled: nothing was changed.
    fn settle(&self, lease: &Lease, outcome: Outcome) -> Result<(), LeaseError>;

    /// Ends a lease, and claims the next job without waiting. One does not depend on the other.
    ///
    /// The default does one after the other; a backend that can do both with one write, or at the same time, halves what lies between two jobs.
    fn exchange(&self, lease: &Lease, outcome: Outcome, ask: &Ask) -> Exchanged {
        let settled = self.settle(lease, outcome);
        (settled, self.claim(ask, 1, Duration::ZERO))
    }

    /// Keeps a job from starting, or asks a running one to stop.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn cancel(&self, id: JobId) -> Result<Cancelled, Error>;

    /// Waits until all that was done so far survives whatever the queue is to survive.
    ///
    /// What the other methods report has survived by the time they return, except for the step between two jobs: after [`claim`](Self::claim), [`exchange`](Self::exchange) and
    /// [`renew`](Self::renew) the disk may still take in what they did. A job may begin meanwhile. But neither the job nor any caller may be told of its number,
    /// its fence, or the result of the job before it, until this has returned. The default has nothing to wait for.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn keep(&self) -> Result<(), Error> {
        Ok(())
    }

    /// The record of a job, if it is known.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn get(&self, id: JobId) -> Result<Option<Record>, Error>;

    /// The events of a job from a place on, in order; waits up to `wait` for the first.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn watch(&self, id: JobId, from: Seq, wait: Duration) -> Result<Vec<Event>, Error>;

    /// Lets a dead job be tried again. False, if it is not dead.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn requeue(&self, id: JobId) -> Result<bool, Error>;

    /// The dead jobs, oldest first, at most so many.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn dead(&self, max: usize) -> Result<Vec<(JobId, Record)>, Error>;

    /// What the queue holds. Exact while nothing happens.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn depth(&self) -> Result<Depth, Error>;

    /// A sign of life of a worker. True, if it was asked to leave.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn attend(&self, worker: &str) -> Result<bool, Error>;

    /// Asks a worker to leave. False, if no such worker was heard of.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn drain(&self, worker: &str) -> Result<bool, Error>;

    /// The workers that were heard of within the last minute, by name.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn workers(&self) -> Result<Vec<Seen>, Error>;

    /// What waits and runs, by lane and kind, in their order. None, if the backend does not tell.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    fn kinds(&self) -> Result<Vec<KindDepth>, Error> {
        Ok(Vec::new())
    }

    /// Whether only the owner of this process can submit. Where others can, workers take nothing for granted that lies in a job, such as directories.
    fn is_private(&self) -> bool {
        true
    }

    /// Takes the queue away with all that it keeps. Handles that are open fail from then on, or make it anew, empty.
    ///
    /// # Errors
    ///
    /// If the backend fails, or cannot do so: a file is removed as any other.
    fn erase(&self) -> Result<(), Error> {
        Err(Error::new("this backend cannot take a queue away"))
    }

    /// Where large results lie.
    fn blobs(&self) -> &dyn Blobs;
}
