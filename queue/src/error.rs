//! What can go wrong, each with the value that was wrong.

use std::fmt;
use std::time::Duration;

/// The broker could not do what was asked: its file, its server or its data is the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    what: String,
}

impl Error {
    /// An error with a sentence that says what was wrong and what to do.
    pub fn new(what: impl Into<String>) -> Self {
        Error { what: what.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Error {}

/// Why a job was not accepted. Nothing of it is kept then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SubmitError {
    /// The lane has as many jobs, or bytes, as its limit allows, or takes no more in this second.
    Full {
        /// When it is worth trying again.
        retry_after: Duration,
    },
    /// The encoded job is larger than a body may be. Put the data in a file or a blob and submit its name.
    TooLarge {
        /// Bytes of the encoded job.
        len: usize,
        /// Bytes that a body may have.
        max: usize,
    },
    /// The broker failed. The job may or may not have been accepted; with a key it is safe to submit it again.
    Broker(Error),
}

impl fmt::Display for SubmitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SubmitError::Full { retry_after } => {
                write!(
                    f,
                    "the lane is full: try again in {} ms",
                    retry_after.as_millis()
                )
            }
            SubmitError::TooLarge { len, max } => write!(
                f,
                "the job has {len} bytes, and {max} are allowed: submit the name of its data"
            ),
            SubmitError::Broker(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SubmitError {}

impl From<Error> for SubmitError {
    fn from(error: Error) -> Self {
        SubmitError::Broker(error)
    }
}

/// Why a write under a lease did not happen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LeaseError {
    /// The lease ended, and the job belongs to a newer one or is settled. Nothing was changed.
    Stale,
    /// A part, checkpoint or result is larger than allowed.
    TooLarge {
        /// Its bytes.
        len: usize,
        /// Bytes that are allowed.
        max: usize,
    },
    /// The broker failed. The write may or may not have happened.
    Broker(Error),
}

impl fmt::Display for LeaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LeaseError::Stale => f.write_str(
                "the lease ended, and the job belongs to a newer one: stop working on it",
            ),
            LeaseError::TooLarge { len, max } => {
                write!(
                    f,
                    "{len} bytes, and {max} are allowed: write a file and hand on its name"
                )
            }
            LeaseError::Broker(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LeaseError {}

impl From<Error> for LeaseError {
    fn from(error: Error) -> Self {
        LeaseError::Broker(error)
    }
}

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WaitError {
    /// The job is not settled yet. Waiting again is fine.
    Timeout,
    /// The job was given up; the text says why.
    Dead(String),
    /// The job was cancelled.
    Cancelled,
    /// There is no such job: it was never accepted, or was kept as long as asked for.
    Unknown,
    /// The result is of another type than the ticket's, or was damaged.
    Undecodable(String),
    /// The broker failed. Waiting again is fine.
    Broker(Error),
}

impl fmt::Display for WaitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WaitError::Timeout => f.write_str("the job is not settled yet"),
            WaitError::Dead(why) => write!(f, "the job was given up: {why}"),
            WaitError::Cancelled => f.write_str("the job was cancelled"),
            WaitError::Unknown => f.write_str("there is no such job, or no longer"),
            WaitError::Undecodable(why) => write!(f, "the result cannot be read: {why}"),
            WaitError::Broker(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for WaitError {}

impl From<Error> for WaitError {
    fn from(error: Error) -> Self {
        WaitError::Broker(error)
    }
}
