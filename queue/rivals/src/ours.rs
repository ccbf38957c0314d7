//! filch-queue.

use std::path::Path;

use filch_queue::{Cx, Fail, Job, Limits, Opts, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::{Failure, Side, began};

#[derive(Serialize, Deserialize)]
struct Nothing(u64);

impl Job for Nothing {
    const KIND: &'static str = "nothing/1";
    type Out = ();
    fn run(&self, _: &Cx) -> Result<(), Fail> {
        began::tell();
        Ok(())
    }
}

pub struct Ours {
    queue: Queue,
    submitted: std::cell::Cell<u64>,
}

impl Ours {
    pub fn open(file: &Path, full: bool) -> Result<Self, Failure> {
        let limits = Limits {
            survive_power_loss: full,
            ..Limits::default()
        };
        Ok(Ours {
            queue: Queue::local(file, limits)?,
            submitted: Default::default(),
        })
    }
}

impl Side for Ours {
    fn submit(&self, jobs: u64) -> Result<(), Failure> {
        let work: Vec<Nothing> = (0..jobs).map(Nothing).collect();
        for answer in self
            .queue
            .submit_all(work.iter().map(|job| (job, Opts::default())))
        {
            answer?;
        }
        self.submitted.set(self.submitted.get() + jobs);
        Ok(())
    }

    fn done(&self) -> Result<u64, Failure> {
        Ok(self.submitted.get() - self.queue.depth()?.open())
    }
}

pub fn work(file: &Path, full: bool) -> Result<(), Failure> {
    let side = Ours::open(file, full)?;
    Worker::new(&side.queue).accept::<Nothing>().run().wait();
    Ok(())
}
