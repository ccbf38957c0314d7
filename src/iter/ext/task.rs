//! A job that two threads may run: a thread that looks for work, or the thread that wants the result. The first of the two runs it.

use super::board::Board;
use crate::core::job_state::JobState;
use crate::core::unwind::{Payload, catch, resume};
use crate::sync::Arc;

/// How many entries for tasks may be in the queues at a time.
///
/// If the thread that wants the results does the tasks itself, their entries stay until a thread has time for them. If no thread ever has, there would be more and more of
/// them. So a task gets an entry only if there are few.
pub(super) struct TaskEntries {
    queued: Arc<()>,
    most: usize,
}

impl TaskEntries {
    pub(super) fn up_to(most: usize) -> Self {
        TaskEntries {
            queued: Arc::new(()),
            most,
        }
    }

    /// To be kept by one more entry. `None`: there are too many.
    pub(super) fn one_more(&self) -> Option<Arc<()>> {
        (Arc::strong_count(&self.queued) <= self.most).then(|| Arc::clone(&self.queued))
    }
}

pub(super) struct Task<J, R> {
    state: Board<JobState<J, R>>,
}

impl<J, R> Task<J, R> {
    pub(super) fn new(job: J) -> Self {
        Task {
            state: Board::new(JobState::Ready(job)),
        }
    }

    /// Changes the job, unless a thread has begun it.
    pub(super) fn amend(&self, change: impl FnOnce(&mut J)) {
        self.state.change(|state| {
            if let JobState::Ready(job) = state {
                change(job);
            }
        });
    }

    /// Does the job, unless another thread has begun it.
    pub(super) fn run(&self, run: impl FnOnce(J) -> R) {
        if let Some(job) = self.state.change(|state| state.begin(JobState::Running)) {
            let outcome = catch(|| run(job));
            self.state.change(|state| *state = JobState::Done(outcome));
        }
    }

    /// The result: does the job here if no thread has begun it, else waits. To be called once.
    ///
    /// # Panics
    ///
    /// With the panic of the job.
    pub(super) fn settle(&self, run: impl FnOnce(J) -> R) -> R {
        enum Settled<J, R> {
            Mine(J),
            Theirs(Result<R, Payload>),
        }
        let turn = self.state.wait(|state| match state {
            JobState::Ready(_) => state.begin(JobState::Gone).map(Settled::Mine),
            JobState::Done(_) => state.take_result().map(Settled::Theirs),
            JobState::Running => None,
            JobState::Gone => unreachable!("settled once"),
        });
        match turn {
            Settled::Mine(job) => run(job),
            Settled::Theirs(outcome) => outcome.unwrap_or_else(|payload| resume(payload)),
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.state.peek(|state| matches!(state, JobState::Done(_)))
    }

    /// Gives the job up if no thread has begun it.
    pub(super) fn discard(&self) {
        drop(self.state.change(|state| state.begin(JobState::Gone)));
    }
}
