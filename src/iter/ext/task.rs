//! A job that two threads may run: a thread that looks for work, or the thread that wants the result. The first of the two runs it.

use super::board::Board;
use crate::core::stage::Stage;
use crate::core::unwind::{Payload, catch, resume};
use crate::core::worker::Worker;

pub(super) struct Task<J, R> {
    stage: Board<Stage<J, R>>,
}

impl<J, R> Task<J, R> {
    pub(super) fn new(job: J) -> Self {
        Task {
            stage: Board::new(Stage::Ready(job)),
        }
    }

    /// Changes the job, unless a thread has begun it.
    pub(super) fn amend(&self, change: impl FnOnce(&mut J)) {
        self.stage.change(|stage| {
            if let Stage::Ready(job) = stage {
                change(job);
            }
        });
    }

    /// Does the job, unless another thread has begun it.
    pub(super) fn run(&self, run: impl FnOnce(J) -> R) {
        if let Some(job) = self.stage.change(|stage| stage.begin(Stage::Running)) {
            let outcome = catch(|| run(job));
            self.stage.change(|stage| *stage = Stage::Done(outcome));
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
        let help = || Worker::current().map(Worker::help);
        let turn = self.stage.wait(help, |stage| match stage {
            Stage::Ready(_) => stage.begin(Stage::Gone).map(Settled::Mine),
            Stage::Done(_) => stage.take_result().map(Settled::Theirs),
            Stage::Running => None,
            Stage::Gone => unreachable!("settled once"),
        });
        match turn {
            Settled::Mine(job) => run(job),
            Settled::Theirs(outcome) => outcome.unwrap_or_else(|payload| resume(payload)),
        }
    }

    pub(super) fn is_done(&self) -> bool {
        self.stage.peek(|stage| matches!(stage, Stage::Done(_)))
    }

    /// Gives the job up if no thread has begun it.
    pub(super) fn discard(&self) {
        drop(self.stage.change(|stage| stage.begin(Stage::Gone)));
    }
}
