//! What a job is, and what it sees while it runs.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use filch::ext::CancelToken;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::broker::{Broker, Lease, Update};
use crate::error::{Error, LeaseError};
use crate::id::JobId;
use crate::notes::Bundles;
use crate::places::Places;
use crate::planted::planted;

/// A unit of work that may run in any process: 50 ms to hours.
///
/// The value is what travels, so it holds names of data rather than data. An attempt that was lost is run again, elsewhere, so `run` must bear to be run twice;
/// what must not happen twice outside goes with [`Cx::fence`].
///
/// ```
/// use filch_queue::{Cx, Fail, Job};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct Sum(Vec<u64>);
///
/// impl Job for Sum {
///     const KIND: &'static str = "sum/1";
///     type Out = u64;
///     fn run(&self, _: &Cx) -> Result<u64, Fail> {
///         use filch::prelude::*;
///         Ok(self.0.par_iter().sum())
///     }
/// }
/// ```
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// The name of the kind, with the number of its layout: `"thumbnail/1"`. Another layout needs another number, as old jobs may still wait.
    const KIND: &'static str;
    /// What a worker must be capable of, such as `"gpu"`. Workers have `"cpu"` unless told otherwise.
    const CLASS: &'static str = "cpu";
    /// The result.
    type Out: Serialize + DeserializeOwned + Send;

    /// Does it.
    ///
    /// # Errors
    ///
    /// [`Fail`] says whether it is worth another attempt. A panic is taken as [`Fail::Retry`].
    fn run(&self, cx: &Cx) -> Result<Self::Out, Fail>;
}

/// Why an attempt gave no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fail {
    /// It may go better next time. The pause is by the job's back-off.
    Retry(String),
    /// It may go better after this pause.
    RetryAfter(Duration, String),
    /// It will never work. The job is dead at once, and kept for inspection.
    Dead(String),
}

impl Fail {
    /// A failure that may pass, from any error.
    pub fn retry(error: impl std::fmt::Display) -> Self {
        Fail::Retry(error.to_string())
    }

    /// A failure that stays, from any error.
    pub fn dead(error: impl std::fmt::Display) -> Self {
        Fail::Dead(error.to_string())
    }
}

/// A job whose lease was lost writes nothing any more: it is for a newer attempt to do so.
impl From<LeaseError> for Fail {
    fn from(error: LeaseError) -> Self {
        match error {
            LeaseError::TooLarge { .. } => Fail::dead(error),
            _ => Fail::retry(error),
        }
    }
}

impl From<Error> for Fail {
    fn from(error: Error) -> Self {
        Fail::retry(error)
    }
}

/// What a running job knows about itself.
pub struct Cx {
    pub(crate) lease: Arc<Lease>,
    pub(crate) cancel: CancelToken,
    pub(crate) broker: Arc<dyn Broker>,
    /// Where a shuffle may lie.
    pub(crate) places: Arc<Places>,
    pub(crate) bundles: Bundles,
    /// Set once the claim is known to be kept.
    pub(crate) kept: OnceLock<()>,
}

impl Cx {
    /// The job's id.
    pub fn id(&self) -> JobId {
        self.lease.id
    }

    /// Which attempt this is; the first has 1. Never smaller than an earlier one's.
    ///
    /// # Panics
    ///
    /// If the backend cannot keep the claim, which is the end of the attempt.
    pub fn attempt(&self) -> u32 {
        self.be_kept();
        self.lease.record.attempt
    }

    /// A number that is greater for each later attempt. A foreign system that remembers the greatest it saw, and refuses smaller ones, is safe from
    /// attempts that were given up but still run.
    ///
    /// # Panics
    ///
    /// If the backend cannot keep the claim, which is the end of the attempt.
    pub fn fence(&self) -> u64 {
        self.be_kept();
        self.lease.fence
    }

    /// A job begins before the disk has its claim. Once the number of the claim is told, no later claim may have it, also after a loss of power.
    fn be_kept(&self) {
        if self.kept.get().is_none() && !planted!("told") {
            if let Err(error) = self.broker.keep() {
                panic!("the claim was not kept: {error}");
            }
            let _ = self.kept.set(());
        }
    }

    /// The trace that the submitter said the job belongs to: the parent of the spans of this attempt.
    pub fn traceparent(&self) -> Option<&str> {
        self.lease.record.traceparent.as_deref()
    }

    /// Cancelled when the lease is lost, when the job is cancelled, and after its `max_run`. Hand it to `with_cancel` or `cancellable` of `filch::ext`, or ask it now and then.
    pub fn cancel(&self) -> &CancelToken {
        &self.cancel
    }

    /// Sends a partial result to all that watch the job: up to 64 KiB. One transaction or write.
    ///
    /// # Errors
    ///
    /// [`LeaseError::Stale`], if the lease was lost.
    pub fn emit(&self, part: &[u8]) -> Result<(), LeaseError> {
        self.broker.update(&self.lease, Update::Part(part.to_vec()))
    }

    /// Leaves up to 64 KiB for the next attempt, should this one be lost. Replaces what was left before.
    ///
    /// # Errors
    ///
    /// [`LeaseError::Stale`], if the lease was lost.
    pub fn checkpoint(&self, state: &[u8]) -> Result<(), LeaseError> {
        self.broker
            .update(&self.lease, Update::Checkpoint(state.to_vec()))
    }

    /// What an earlier attempt left.
    pub fn resume(&self) -> Option<&[u8]> {
        self.lease.record.checkpoint.as_deref()
    }

    /// Large bytes beside the record, by name. Put the fence or the attempt into the name, so that two attempts never write one blob.
    pub fn blobs(&self) -> &dyn crate::broker::Blobs {
        self.broker.blobs()
    }
}
