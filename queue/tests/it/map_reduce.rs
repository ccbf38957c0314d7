//! Map-reduce: the same bytes, whatever happens.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use filch_queue::map_reduce::{MapReduce, RunError, Shuffle};
use filch_queue::{Cx, Fail, Limits, Opts, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::jobs::{Gate, opts};
use super::support::{Process, Random, Scratch};

const LONG: Duration = Duration::from_secs(120);

/// Puts numbers that have the same rest side by side, in the order they come in: associative, and does not commute.
#[derive(Serialize, Deserialize)]
pub struct Rests {
    pub of: u64,
    /// Where a storm counts its kills. The work waits for them, so it cannot end before they have happened.
    pub kills: Option<PathBuf>,
}

/// Kills that some of the map jobs wait for, up to this many.
const MAP_KILLS: u64 = 6;

/// Kills that reduce jobs wait for.
const ALL_KILLS: u64 = 10;

/// A list of this many is seen by reduce jobs only.
const MERGED: usize = 10;

impl Rests {
    fn wait_for_kill(&self, number: u64) {
        if let (Some(kills), 1..) = (&self.kills, number) {
            Gate::new(kills, &number.to_string()).wait(|| false);
        }
    }
}

impl MapReduce for Rests {
    const NAME: &'static str = "rests/1";
    type Split = Vec<u64>;
    type Key = String;
    type Value = Vec<u64>;

    fn map(&self, split: &Vec<u64>, cx: &Cx) -> Result<Vec<(String, Vec<u64>)>, Fail> {
        assert!(cx.attempt() >= 1);
        self.wait_for_kill(split.first().map_or(0, |n| n % (MAP_KILLS + 1)));
        Ok(split
            .iter()
            .map(|n| (format!("{:04}", n % self.of), vec![*n]))
            .collect())
    }

    fn merge(&self, value: &mut Vec<u64>, later: Vec<u64>) {
        value.extend(later);
        if value.len() == MERGED {
            self.wait_for_kill(ALL_KILLS);
        }
    }
}

pub fn splits(count: u64, each: u64) -> Vec<Vec<u64>> {
    (0..count)
        .map(|split| {
            (0..each)
                .map(|i| (split * each + i).wrapping_mul(0x9E37_79B9) % 100_000)
                .collect()
        })
        .collect()
}

pub fn expected(splits: &[Vec<u64>], of: u64) -> Vec<(String, Vec<u64>)> {
    let mut all: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    for n in splits.iter().flatten() {
        all.entry(format!("{:04}", n % of)).or_default().push(*n);
    }
    all.into_iter().collect()
}

pub fn work(of: u64) -> Rests {
    Rests { of, kills: None }
}

#[test]
fn one_result_for_all_partitions_backends_and_shuffles() {
    let directory = Scratch::new();
    let input = splits(30, 200);
    for (backend, queue) in [
        Queue::mem("q", Limits::default()),
        Queue::local(directory.path().join("q.db"), Limits::default()).unwrap(),
    ]
    .iter()
    .enumerate()
    {
        let worker = Worker::new(queue)
            .accept_map_reduce::<Rests>()
            .concurrency(3)
            .run();
        for partitions in [1, 7, 64] {
            for shuffle in [
                Shuffle::Broker,
                Shuffle::Dir(directory.path().join(format!("{backend}-{partitions}"))),
            ] {
                let run = queue
                    .map_reduce(work(997))
                    .input(input.clone())
                    .partitions(partitions)
                    .shuffle(shuffle)
                    .start()
                    .unwrap();
                let segments = run.wait(LONG).unwrap();
                assert_eq!(segments.len(), partitions);
                let keys: Vec<_> = (0..partitions)
                    .flat_map(|i| segments.segment(i).unwrap())
                    .map(|(key, _)| key)
                    .collect();
                assert_eq!(keys.len(), 997);
                assert_eq!(segments.into_sorted_vec().unwrap(), expected(&input, 997));
                run.clean().unwrap();
            }
        }
        worker.drain(LONG);
    }
}

#[test]
fn more_runs_than_are_merged_at_once() {
    let directory = Scratch::new();
    let queue = Queue::mem("q", Limits::default());
    let input = splits(1100, 3);
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Rests>()
        .concurrency(2)
        .run();
    let run = queue
        .map_reduce(work(5))
        .input(input.clone())
        .partitions(2)
        .shuffle(Shuffle::Dir(directory.path().into()))
        .start()
        .unwrap();
    assert_eq!(
        run.wait(LONG).unwrap().into_sorted_vec().unwrap(),
        expected(&input, 5)
    );
    worker.drain(LONG);
}

#[test]
fn a_run_goes_on_where_it_was_and_refuses_another_input() {
    let directory = Scratch::new();
    for shuffle in [Shuffle::Broker, Shuffle::Dir(directory.path().into())] {
        let queue = Queue::mem("q", Limits::default());
        let start = |of, input: Vec<Vec<u64>>, partitions| {
            queue
                .map_reduce(work(of))
                .input(input)
                .partitions(partitions)
                .shuffle(shuffle.clone())
                .run_id("r")
                .start()
        };
        let run = start(10, splits(9, 10), 3).unwrap();
        assert_eq!(run.wait(Duration::ZERO).err(), Some(RunError::Timeout));
        let worker = Worker::new(&queue).accept_map_reduce::<Rests>().run();
        let first = run.wait(LONG).unwrap().into_sorted_vec().unwrap();
        let claimed = queue.stats().all.claimed;
        assert_eq!(claimed, 9 + 3);
        // Another driver, the same run: nothing is done again.
        assert_eq!(
            start(10, splits(9, 10), 3)
                .unwrap()
                .wait(LONG)
                .unwrap()
                .into_sorted_vec()
                .unwrap(),
            first
        );
        assert_eq!(queue.stats().all.claimed, claimed);
        for changed in [
            start(11, splits(9, 10), 3),
            start(10, splits(8, 10), 3),
            start(10, splits(9, 10), 4),
        ] {
            assert_eq!(changed.err(), Some(RunError::InputChanged));
        }
        for wrong in ["", "a b", "../x", &"x".repeat(101)] {
            assert!(queue.map_reduce(work(1)).run_id(wrong).start().is_err());
        }
        worker.drain(LONG);
    }
}

#[test]
fn no_input_gives_no_pairs() {
    let queue = Queue::mem("q", Limits::default());
    let worker = Worker::new(&queue).accept_map_reduce::<Rests>().run();
    let run = queue
        .map_reduce(work(1))
        .input(Vec::new())
        .partitions(2)
        .start()
        .unwrap();
    assert_eq!(run.wait(LONG).unwrap().into_sorted_vec().unwrap(), []);
    worker.drain(LONG);
}

#[test]
fn damage_is_noticed() {
    let directory = Scratch::new();
    let queue = Queue::mem("q", Limits::default());
    let worker = Worker::new(&queue).accept_map_reduce::<Rests>().run();
    let run = queue
        .map_reduce(work(50))
        .input(splits(3, 100))
        .partitions(1)
        .shuffle(Shuffle::Dir(directory.path().into()))
        .start()
        .unwrap();
    let segments = run.wait(LONG).unwrap();
    worker.drain(LONG);
    let segment = std::fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .find(|path| path.to_str().unwrap().contains("reduce0"))
        .unwrap();
    let good = std::fs::read(&segment).unwrap();
    for at in [0, 3, 10, good.len() / 2, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&segment, bytes).unwrap();
        assert!(segments.segment(0).is_err(), "byte {at}");
    }
    std::fs::write(&segment, &good[..good.len() - 5]).unwrap();
    assert!(segments.segment(0).is_err());
    std::fs::write(&segment, good).unwrap();
    assert!(segments.segment(0).is_ok());
}

#[test]
fn a_worker_writes_only_where_it_is_allowed_to() {
    let directory = Scratch::new();
    let queue = Queue::mem("q", Limits::default());
    let allowed = directory.path().join("allowed");
    let once = Opts {
        attempts: 1,
        ..opts()
    };
    let start = |place: PathBuf| {
        let run = queue.map_reduce(work(5)).input(splits(2, 9));
        run.shuffle(Shuffle::Dir(place)).opts(once.clone()).start()
    };
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Rests>()
        .shuffle_in(&allowed)
        .run();
    assert!(start(allowed.join("below")).unwrap().wait(LONG).is_ok());
    for place in [directory.path().join("other"), allowed.join("../other")] {
        let Err(RunError::Failed { why, .. }) = start(place).unwrap().wait(LONG) else {
            panic!("a job chose the directory")
        };
        assert!(why.to_string().contains("shuffle_in"), "{why}");
    }
    worker.drain(LONG);
    #[cfg(unix)]
    for entry in std::fs::read_dir(allowed.join("below")).unwrap() {
        use std::os::unix::fs::PermissionsExt;
        let entry = entry.unwrap();
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600, "{:?}", entry.path());
    }
}

#[cfg(unix)]
#[test]
fn a_storm_changes_nothing() {
    let directory = Scratch::new();
    let shuffle = |partitions| Shuffle::Dir(directory.path().join(format!("shuffle-{partitions}")));
    let file = directory.path().join("storm.db");
    storm(&file, &[1, 7, 64], shuffle, |worker| worker);
}

/// Workers and drivers are killed while a run goes on; its result is as ever. Then it is started once more, and nothing is computed.
#[cfg(unix)]
pub fn storm(
    file: &Path,
    all: &[usize],
    shuffle: impl Fn(usize) -> Shuffle,
    equip: impl Fn(Worker) -> Worker,
) {
    let queue = Queue::local(file, Limits::default()).unwrap();
    let mut random = Random::new();
    let input = splits(40, 50);
    // The first six kills come while map jobs wait for them, the others while reduce jobs do.
    assert!(
        input
            .iter()
            .any(|split| split[0] % (MAP_KILLS + 1) == MAP_KILLS)
    );
    let longest = |splits| {
        expected(splits, 97)
            .iter()
            .map(|(_, list)| list.len())
            .max()
    };
    assert!(longest(&input) >= Some(MERGED));
    assert!(
        input
            .iter()
            .all(|split| longest(std::slice::from_ref(split)) < Some(MERGED))
    );
    for &partitions in all {
        let kills = file.with_file_name(format!("kills-{partitions}"));
        std::fs::create_dir(&kills).unwrap();
        let start = || {
            let work = Rests {
                of: 97,
                kills: Some(kills.clone()),
            };
            queue
                .map_reduce(work)
                .input(input.clone())
                .partitions(partitions)
                .shuffle(shuffle(partitions))
                .run_id(&format!("storm-{partitions}"))
                // More than a storm can kill, and than a machine that stands still can lose.
                .opts(Opts {
                    attempts: 1_000_000,
                    ..opts()
                })
                .start()
                .unwrap()
        };
        let mut workers: Vec<Process> = Vec::new();
        let mut killed = 0;
        let segments = loop {
            while workers.len() < 3 {
                workers.push(super::children::child("worker", file, 1));
            }
            // A driver that forgets all each time.
            match start().wait(Duration::from_millis(100 + random.below(200))) {
                Ok(segments) => break segments,
                Err(RunError::Timeout) if killed < ALL_KILLS => {
                    assert!(workers.remove(random.below(3) as usize).kill());
                    killed += 1;
                    Gate::new(&kills, &killed.to_string()).open();
                }
                Err(RunError::Timeout) => {}
                Err(error) => panic!("{error}"),
            }
        };
        assert_eq!(killed, ALL_KILLS, "the work ended before the storm");
        assert_eq!(segments.into_sorted_vec().unwrap(), expected(&input, 97));
        drop(workers);
        let worker = equip(Worker::new(&queue).accept_map_reduce::<Rests>()).run();
        let again = start().wait(LONG).unwrap().into_sorted_vec().unwrap();
        assert_eq!(again, expected(&input, 97));
        assert_eq!(worker.drain(LONG).done, 0, "finished bundles ran again");
    }
}
