//! The state of a job that two threads may run: a thread of the pool that takes it from a queue, or the thread that wants its result. The
//! first of the two runs it. Job handles and ordered iterators use this.

use super::unwind::Payload;
use std::mem;

pub(crate) enum Stage<J, R> {
    Ready(J),
    Running,
    Done(Result<R, Payload>),
    /// The result was taken; or the job was, to be dropped, or to be done by the thread that wants the result.
    Gone,
}

impl<J, R> Stage<J, R> {
    /// Takes a job that no thread has begun.
    pub(crate) fn begin(&mut self, next: Self) -> Option<J> {
        match mem::replace(self, next) {
            Stage::Ready(job) => Some(job),
            other => {
                *self = other;
                None
            }
        }
    }

    /// Takes the result, if it is there.
    pub(crate) fn take_result(&mut self) -> Option<Result<R, Payload>> {
        match mem::replace(self, Stage::Gone) {
            Stage::Done(result) => Some(result),
            other => {
                *self = other;
                None
            }
        }
    }
}
