//! The record of a job: what decides everything, on every backend.
//!
//! All changes of a job's state are functions in this file, from a record and an event to the next record. A backend reads a record, applies one of them and
//! writes the record back, in one step that no other writer can come between: a lock, a transaction, or a write that names the sequence it read.
//!
//! ```text
//!   submit ─▶ Queued ──claim──▶ Running ──done──▶ Done
//!               ▲ │  ◀─retry, return,─┤ ──dead──▶ Dead ──requeue──▶ Queued
//!               │ │     lease lost    │
//!               │ └─cancel──▶ Cancelled ◀─retry after cancel
//!               └─ waits until `ready_at`
//! ```

use serde::{Deserialize, Serialize};

pub use crate::asked::Output;
use crate::asked::{Cancelled, NewJob, Outcome};
use crate::clock;
use crate::id::Lane;
use crate::opts::Backoff;

/// Where a job stands.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum State {
    /// It waits for a worker, or for the end of a pause.
    Queued,
    /// A worker holds a lease on it.
    Running,
    /// It has a result.
    Done(Output),
    /// It was given up, for this reason. Its body is kept, and it may be requeued.
    Dead(String),
    /// It was cancelled before it had a result.
    Cancelled,
}

impl State {
    /// Whether it never changes again, but by a requeue.
    pub fn is_settled(&self) -> bool {
        !matches!(self, State::Queued | State::Running)
    }
}

impl std::fmt::Debug for Output {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Output::Inline(bytes) => write!(f, "{} bytes", bytes.len()),
            Output::Blob { name, .. } => write!(f, "blob {name}"),
        }
    }
}

/// All that is known of a job, but for its body and its events.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    /// What kind of job, with the number of its layout.
    pub kind: String,
    /// What a worker must be capable of.
    pub class: String,
    /// Where it waits.
    pub lane: Lane,
    /// Where it stands.
    pub state: State,
    /// How often it was claimed. Rises for ever, whatever happens to the broker.
    pub attempt: u32,
    /// The attempt that is the last. A requeue and a job handed back raise it.
    pub allowed: u32,
    /// Attempts that a requeue grants.
    pub attempts: u32,
    /// The latest claim, as a random number: only the worker with this number holds the job.
    pub holder: u64,
    /// When the lease of a running job ends, unless it is renewed. In milliseconds since 1970, as all times here.
    pub lease_until: u64,
    /// Before this it is not started.
    pub ready_at: u64,
    /// From this on it is not started any more.
    pub deadline: Option<u64>,
    /// When it was accepted.
    pub submitted: u64,
    /// When its latest attempt began; 0, if none did.
    pub started: u64,
    /// When its state last changed.
    pub changed: u64,
    /// How long an attempt may run, in milliseconds.
    pub max_run: u64,
    /// How long it is kept once settled, in milliseconds.
    pub keep: u64,
    /// Bytes of its body.
    pub len: u64,
    /// The pause between attempts.
    pub backoff: Backoff,
    /// Whether it was cancelled while it ran.
    pub cancel: bool,
    /// What an attempt left for the next.
    pub checkpoint: Option<Vec<u8>>,
    /// The trace that it belongs to.
    pub traceparent: Option<String>,
}

/// What a job waits for, which is what a backend needs for its indexes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Phase {
    Ready,
    Delayed,
    Running,
    Settled,
}

/// What time did to a record.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Tick {
    Nothing,
    Changed,
    /// It was kept as long as asked for.
    Forget,
}

impl Record {
    pub(crate) fn new(job: &NewJob, now: u64) -> Self {
        let attempts = job.opts.attempts.max(1);
        let max_run = clock::millis(job.opts.max_run);
        Record {
            kind: job.kind.clone(),
            class: job.class.clone(),
            lane: job.opts.lane,
            state: State::Queued,
            attempt: 0,
            allowed: attempts,
            attempts,
            holder: 0,
            lease_until: 0,
            ready_at: now,
            deadline: job
                .opts
                .deadline
                .map(|deadline| clock::after(now, deadline)),
            submitted: now,
            started: 0,
            changed: now,
            max_run,
            // A record must outlive every copy of its job that a lost worker or a slow network may still hold.
            keep: clock::millis(job.opts.keep).max(max_run.saturating_mul(2)),
            len: job.body.len() as u64,
            backoff: job.opts.backoff,
            cancel: false,
            checkpoint: None,
            traceparent: job.opts.traceparent.clone(),
        }
    }

    /// Whether this claim of the job is the current one.
    pub(crate) fn is_held(&self, attempt: u32, holder: u64) -> bool {
        self.state == State::Running && self.attempt == attempt && self.holder == holder
    }

    pub(crate) fn phase(&self, now: u64) -> Phase {
        match self.state {
            State::Queued if self.ready_at <= now => Phase::Ready,
            State::Queued => Phase::Delayed,
            State::Running => Phase::Running,
            _ => Phase::Settled,
        }
    }

    /// When time changes it next, seen from `now`.
    pub(crate) fn due(&self, now: u64) -> Option<u64> {
        match self.state {
            State::Queued if self.ready_at > now => Some(
                self.deadline
                    .map_or(self.ready_at, |end| end.min(self.ready_at)),
            ),
            State::Queued => self.deadline,
            State::Running => Some(self.lease_until),
            _ => Some(self.changed.saturating_add(self.keep)),
        }
    }

    /// Whether time has ended its keeping.
    #[cfg(feature = "jetstream")]
    pub(crate) fn is_forgotten(&self, now: u64) -> bool {
        self.state.is_settled() && self.clone().tick(now) == Tick::Forget
    }

    /// What time does: a lease ends, a deadline passes, a settled job is forgotten.
    pub(crate) fn tick(&mut self, now: u64) -> Tick {
        match self.state {
            State::Running if self.lease_until <= now => {
                self.back_to_queue(now, now, || "its worker was lost".into());
                Tick::Changed
            }
            State::Queued if self.deadline.is_some_and(|end| end <= now) => {
                self.settle_as(
                    State::Dead("its deadline passed before it was started".into()),
                    now,
                );
                Tick::Changed
            }
            // Only its place in the index changes: the pause is over.
            State::Queued if self.ready_at <= now => Tick::Changed,
            _ if self.state.is_settled() && self.changed.saturating_add(self.keep) <= now => {
                Tick::Forget
            }
            _ => Tick::Nothing,
        }
    }

    /// As it was submitted, whatever else it says: for a record that comes from a message, which every submitter may write.
    #[cfg(feature = "jetstream")]
    pub(crate) fn as_submitted(&self) -> Self {
        Record {
            state: State::Queued,
            attempt: 0,
            allowed: self.attempts.max(1),
            holder: 0,
            lease_until: 0,
            started: 0,
            cancel: false,
            checkpoint: None,
            ..self.clone()
        }
    }

    /// Gives it to a holder, if it may be started. Spends an attempt.
    pub(crate) fn claim(&mut self, holder: u64, lease: u64, now: u64) -> bool {
        if self.phase(now) != Phase::Ready || self.deadline.is_some_and(|end| end <= now) {
            return false;
        }
        // Beyond it, an attempt would not be greater than the one before. No honest job gets there.
        let Some(attempt) = self.attempt.checked_add(1) else {
            return false;
        };
        self.state = State::Running;
        self.attempt = attempt;
        self.holder = holder;
        self.lease_until = now.saturating_add(lease);
        self.started = now;
        self.changed = now;
        true
    }

    /// Moves the end of the lease.
    pub(crate) fn renew(&mut self, lease: u64, now: u64) {
        self.lease_until = now.saturating_add(lease);
    }

    /// What the holder says came of it. The caller has checked that it holds the job.
    pub(crate) fn settle(&mut self, outcome: &Outcome, now: u64) {
        match outcome {
            Outcome::Done(output) => self.settle_as(State::Done(output.clone()), now),
            Outcome::Dead(why) => self.settle_as(State::Dead(why.clone()), now),
            Outcome::Retry { after, why } => {
                let pause = after.unwrap_or_else(|| self.backoff.pause(self.failures()));
                self.back_to_queue(clock::after(now, pause), now, || why.clone());
            }
            Outcome::Return => {
                self.allowed = self.allowed.saturating_add(1);
                self.back_to_queue(now, now, String::new);
            }
        }
    }

    /// Failures since it was submitted or requeued.
    fn failures(&self) -> u32 {
        let failures = u64::from(self.attempt) + u64::from(self.attempts);
        u32::try_from(failures.saturating_sub(u64::from(self.allowed))).unwrap_or(u32::MAX)
    }

    fn back_to_queue(&mut self, ready_at: u64, now: u64, why: impl FnOnce() -> String) {
        if self.cancel {
            self.settle_as(State::Cancelled, now);
        } else if self.attempt >= self.allowed {
            self.settle_as(
                State::Dead(format!("attempt {}, the last: {}", self.attempt, why())),
                now,
            );
        } else {
            self.state = State::Queued;
            self.ready_at = ready_at;
            self.changed = now;
        }
    }

    fn settle_as(&mut self, mut state: State, now: u64) {
        if let State::Dead(why) = &mut state {
            cut(why);
        }
        self.state = state;
        self.changed = now;
    }

    pub(crate) fn cancel(&mut self, now: u64) -> Cancelled {
        match self.state {
            State::Queued => {
                self.settle_as(State::Cancelled, now);
                if self.attempt == 0 {
                    Cancelled::BeforeStart
                } else {
                    Cancelled::Requested
                }
            }
            State::Running => {
                self.cancel = true;
                Cancelled::Requested
            }
            _ => Cancelled::TooLate,
        }
    }

    /// Gives a dead job as many attempts again as it had at first. The numbers of its attempts go on rising.
    pub(crate) fn requeue(&mut self, now: u64) -> bool {
        if !matches!(self.state, State::Dead(_)) {
            return false;
        }
        self.state = State::Queued;
        self.allowed = self.attempt.saturating_add(self.attempts);
        self.ready_at = now;
        // Its deadline killed it, or would.
        self.deadline = None;
        self.cancel = false;
        self.changed = now;
        true
    }
}

/// Bytes of a reason that are kept. It is in every copy of the record, and a panic's text may hold anything.
const MAX_WHY: usize = 1000;

fn cut(why: &mut String) {
    if why.len() > MAX_WHY {
        let end = (0..=MAX_WHY).rev().find(|&at| why.is_char_boundary(at));
        why.truncate(end.unwrap_or(0));
        why.push_str(" ...");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_reason_is_cut() {
        for (text, len) in [
            ("x".repeat(1000), 1000),
            ("x".repeat(1001), 1004),
            ("\u{e4}".repeat(9_000_001), 1004),
        ] {
            let mut why = text;
            cut(&mut why);
            assert_eq!(why.len(), len);
        }
    }
}
