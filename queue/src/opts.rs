//! What a submitter may say about a job, and what a queue allows.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::id::{Lane, random};

/// Bytes that an encoded job may have.
pub const MAX_BODY: usize = 256 << 10;
/// Bytes that a partial result or a checkpoint may have.
pub const MAX_PART: usize = 64 << 10;
/// Bytes of a result that lie in the job's record. Longer ones become a blob.
pub const MAX_INLINE: usize = 256 << 10;
/// Bytes that a blob may have: 1 GiB.
pub const MAX_BLOB: u64 = 1 << 30;

/// How a job is to be treated. `Opts::default()` suits most.
///
/// ```
/// use filch_queue::{Lane, Opts};
/// let opts = Opts { lane: Lane::High, key: Some("invoice 7".into()), ..Opts::default() };
/// assert_eq!(opts.attempts, 5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Opts {
    /// Which lane it waits in.
    pub lane: Lane,
    /// A second submission with the same kind and key yields the first one's ticket.
    pub key: Option<String>,
    /// After this long it is not started any more. `None`: it may wait for ever.
    pub deadline: Option<Duration>,
    /// After running this long an attempt is given up: its lease is renewed no more. One hour.
    pub max_run: Duration,
    /// How often it is tried before it is dead; a worker that dies spends an attempt. Five; 0 counts as 1.
    pub attempts: u32,
    /// How long it waits between attempts.
    pub backoff: Backoff,
    /// How long its record is kept once it is settled: seven days, and never less than two `max_run`.
    pub keep: Duration,
    /// The trace that the job belongs to, as in W3C's header of this name: `00-<32 hexadecimal digits>-<16>-<2>`. The job reads it by
    /// [`Cx::traceparent`](crate::Cx::traceparent).
    pub traceparent: Option<String>,
}

impl Default for Opts {
    fn default() -> Self {
        Opts {
            lane: Lane::Normal,
            key: None,
            deadline: None,
            max_run: Duration::from_secs(3600),
            attempts: 5,
            backoff: Backoff::default(),
            keep: Duration::from_secs(7 * 24 * 3600),
            traceparent: None,
        }
    }
}

/// The pause before an attempt: a random part of a bound that doubles, so that what failed together does not return together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Backoff {
    /// The bound after the first failure. One second.
    pub first: Duration,
    /// What the bound never exceeds. Five minutes.
    pub most: Duration,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff {
            first: Duration::from_secs(1),
            most: Duration::from_secs(300),
        }
    }
}

impl Backoff {
    /// No pause. For tests, and for what has its own rhythm.
    pub const NONE: Backoff = Backoff {
        first: Duration::ZERO,
        most: Duration::ZERO,
    };

    /// A pause after that many failures, drawn anew by each call.
    pub fn pause(&self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(31);
        let bound = self.first.saturating_mul(1 << doublings).min(self.most);
        let nanos = u64::try_from(bound.as_nanos()).unwrap_or(u64::MAX);
        Duration::from_nanos(((u128::from(random()) * (u128::from(nanos) + 1)) >> 64) as u64)
    }
}

/// What a lane takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaneLimits {
    /// Jobs that are not settled.
    pub max_jobs: u64,
    /// Bytes of the bodies of jobs that are not settled. No limit but that of the jobs. A server sets so much aside for the lane.
    pub max_bytes: u64,
    /// Jobs accepted in a second; a burst of one second's worth is let through. `None`: no such limit.
    pub accept_per_s: Option<u32>,
}

impl Default for LaneLimits {
    fn default() -> Self {
        LaneLimits {
            max_jobs: 1_000_000,
            max_bytes: u64::MAX,
            accept_per_s: None,
        }
    }
}

/// What a queue takes, lane by lane, and how durable it is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// For [`Lane::High`], [`Lane::Normal`] and [`Lane::Low`], in this order.
    pub lanes: [LaneLimits; 3],
    /// Whether what this process submits, or is told, has to survive a loss of power, too, on a queue in a file: both wait for the disk then. A process that is killed loses
    /// nothing either way.
    ///
    /// A worker does not wait: a job may begin, and give its result, while the disk still takes in the claim before it. No process that asked for this is told of the result, nor the job of its attempt's number or
    /// fence, before the disk has it; what a loss of power takes was never told, and runs again.
    pub survive_power_loss: bool,
}

impl Limits {
    /// The same limit of jobs for every lane.
    pub fn jobs(max_jobs: u64) -> Self {
        let lane = LaneLimits {
            max_jobs,
            ..LaneLimits::default()
        };
        Limits {
            lanes: [lane; 3],
            ..Limits::default()
        }
    }
}
