//! Words of a backend's operations: a job as it is submitted, what came of an attempt, what became of a wish to cancel, and a result.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::id::JobId;
use crate::opts::Opts;

/// A job as it is submitted, encoded.
#[derive(Clone, Debug)]
pub struct NewJob {
    /// Its name.
    pub id: JobId,
    /// Its kind, with the number of its layout.
    pub kind: String,
    /// What a worker must be capable of.
    pub class: String,
    /// The encoded job.
    pub body: Vec<u8>,
    /// How it is to be treated.
    pub opts: Opts,
}

/// What came of an attempt.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// A result.
    Done(Output),
    /// A failure that may pass. Dead, if this was the last attempt.
    Retry {
        /// The pause before the next attempt; `None`: by the job's back-off.
        after: Option<Duration>,
        /// Why.
        why: String,
    },
    /// A failure that stays.
    Dead(String),
    /// Not done, and no attempt spent: the worker leaves.
    Return,
}

/// What became of a wish to cancel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cancelled {
    /// It was never started, and will not be.
    BeforeStart,
    /// It has been started before. If it runs now, it is told to stop, and may still succeed; it is not tried again.
    Requested,
    /// It is settled already, or forgotten.
    TooLate,
}

/// A result: in the record, or beside it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Output {
    /// The bytes themselves.
    Inline(Vec<u8>),
    /// A blob, because the result is large.
    Blob {
        /// Its name in the broker's blobs.
        name: String,
        /// XXH3 of its bytes, by which damage is noticed.
        hash: u128,
    },
}
