//! Map jobs that take far longer than the others.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use filch_queue::map_reduce::{MapReduce, RunError};
use filch_queue::{Cx, Fail, Limits, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::jobs::Gate;
use super::support::Scratch;

const LONG: Duration = Duration::from_secs(120);

/// One of its map jobs hangs at its first call until it is told to stop.
#[derive(Serialize, Deserialize)]
struct Straggling(PathBuf);

impl MapReduce for Straggling {
    const NAME: &'static str = "straggling/1";
    type Split = u64;
    type Key = u64;
    type Value = u64;

    fn map(&self, split: &u64, cx: &Cx) -> Result<Vec<(u64, u64)>, Fail> {
        if *split == 7 && std::fs::File::create_new(&self.0).is_ok() {
            Gate::new(&self.0, "never").wait(|| cx.cancel().is_cancelled());
            return Err(Fail::Retry("told to stop".into()));
        }
        Ok(vec![(split % 3, *split)])
    }

    fn merge(&self, value: &mut u64, later: u64) {
        *value += later;
    }
}

#[test]
fn a_straggler_gets_a_twin_and_is_told_to_stop() {
    let directory = Scratch::new();
    for (round, queue) in [
        Queue::mem("q", Limits::default()),
        Queue::local(directory.path().join("q.db"), Limits::default()).unwrap(),
    ]
    .into_iter()
    .enumerate()
    {
        let worker = Worker::new(&queue)
            .accept_map_reduce::<Straggling>()
            .concurrency(2)
            .lease(Duration::from_secs(1))
            .run();
        let first = directory.path().join(format!("first-{round}"));
        let run = queue
            .map_reduce(Straggling(first.clone()))
            .input((0..20).collect())
            .partitions(2)
            .run_id("r")
            .start()
            .unwrap();
        // A driver that asks now and then, and is patient for less than a straggler takes to be one.
        let begun = Instant::now();
        let segments = loop {
            match run.wait(Duration::from_millis(50)) {
                Err(RunError::Timeout) => assert!(begun.elapsed() < LONG, "no twin was made"),
                segments => break segments.unwrap(),
            }
        };
        let sums = segments.into_sorted_vec().unwrap();
        assert_eq!(sums, [(0, 63), (1, 70), (2, 57)]);
        assert!(first.exists());
        // 20 map jobs, one twin, two partitions; and the hand of the straggler is free again.
        let drained = worker.drain(LONG);
        assert_eq!((drained.done, drained.returned), (23 - 1, 0), "{drained:?}");
        assert_eq!(queue.depth().unwrap().open(), 0);
        run.clean().unwrap();
    }
}
