//! The state of a job that two threads may run: a thread of the pool that takes it from a queue, or the thread that wants its result. The
//! first of the two runs it. Job handles and ordered iterators use this.

use super::unwind::Payload;
use std::mem;

pub(crate) enum JobState<J, R> {
    Ready(J),
    Running,
    Done(Result<R, Payload>),
    /// The result was taken; or the job was, to be dropped, or to be done by the thread that wants the result.
    Gone,
}

impl<J, R> JobState<J, R> {
    /// Takes a job that no thread has begun.
    pub(crate) fn begin(&mut self, next: Self) -> Option<J> {
        match mem::replace(self, next) {
            JobState::Ready(job) => Some(job),
            other => {
                *self = other;
                None
            }
        }
    }

    /// Takes the result, if it is there.
    pub(crate) fn take_result(&mut self) -> Option<Result<R, Payload>> {
        match mem::replace(self, JobState::Gone) {
            JobState::Done(result) => Some(result),
            other => {
                *self = other;
                None
            }
        }
    }
}
