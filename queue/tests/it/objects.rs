//! Map-reduce over an object store: the same bytes as over a directory.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use filch_queue::map_reduce::object_store::local::LocalFileSystem;
use filch_queue::map_reduce::object_store::memory::InMemory;
use filch_queue::map_reduce::{MapReduce, Objects, RunError, Shuffle};
use filch_queue::{Cx, Fail, Limits, Opts, Queue, Worker};
use serde::{Deserialize, Serialize};

use super::jobs::opts;
use super::map_reduce::{Rests, expected, splits, work};
use super::support::Scratch;

const LONG: Duration = Duration::from_secs(120);

/// The store of a storm on this file, if it has one.
pub fn of(file: &Path) -> Option<Objects> {
    let directory = file.with_extension("objects");
    directory.is_dir().then(|| in_files(&directory))
}

fn in_files(directory: &Path) -> Objects {
    let store = LocalFileSystem::new_with_prefix(directory).unwrap();
    Objects::new("storm", Arc::new(store))
}

/// All files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| {
            if path.is_dir() {
                files(&path)
            } else {
                vec![path]
            }
        })
        .collect()
}

/// What the reduce job of a partition wrote.
fn written(directory: &Path, partition: usize) -> PathBuf {
    let name = format!("reduce{partition}.");
    let mut found = files(directory);
    found.retain(|path| path.to_str().unwrap().contains(&name));
    assert_eq!(found.len(), 1, "{found:?}");
    found.remove(0)
}

#[test]
fn the_bytes_are_those_of_a_directory() {
    let scratch = Scratch::new();
    let in_directory = scratch.path().join("objects");
    std::fs::create_dir(&in_directory).unwrap();
    let stores = [
        Objects::new("memory", Arc::new(InMemory::new())),
        in_files(&in_directory),
    ];
    let queue = Queue::mem("q", Limits::default());
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Rests>()
        .shuffle_store(&stores[0])
        .shuffle_store(&stores[1])
        .concurrency(3)
        .run();
    let input = splits(30, 200);
    for partitions in [1, 7] {
        let run = |shuffle: Shuffle| {
            let run = queue.map_reduce(work(997)).input(input.clone());
            run.partitions(partitions).shuffle(shuffle).start().unwrap()
        };
        let directory = scratch.path().join(format!("files-{partitions}"));
        let plain = run(Shuffle::Dir(directory.clone())).wait(LONG).unwrap();
        for objects in &stores {
            let run = run(Shuffle::Store(objects.clone()));
            let segments = run.wait(LONG).unwrap();
            assert_eq!(segments.len(), partitions);
            for partition in 0..partitions {
                let pairs = segments.segment(partition).unwrap();
                assert_eq!(pairs, plain.segment(partition).unwrap());
                if objects.name() == "storm" {
                    let bytes = |directory| std::fs::read(written(directory, partition)).unwrap();
                    assert_eq!(bytes(&in_directory), bytes(&directory));
                }
            }
            assert_eq!(segments.into_sorted_vec().unwrap(), expected(&input, 997));
            run.clean().unwrap();
            assert!(files(&in_directory).is_empty());
        }
    }
    worker.drain(LONG);
}

/// Long texts by number.
#[derive(Serialize, Deserialize)]
struct Texts;

impl MapReduce for Texts {
    const NAME: &'static str = "texts/1";
    type Split = u64;
    type Key = u64;
    type Value = String;

    fn map(&self, split: &u64, _: &Cx) -> Result<Vec<(u64, String)>, Fail> {
        let text = |n: u64| {
            char::from(b'a' + (n % 26) as u8)
                .to_string()
                .repeat(700_001)
        };
        Ok((0..13).map(|n| (n * 2 + split, text(n + split))).collect())
    }

    fn merge(&self, text: &mut String, later: String) {
        text.push_str(&later);
    }
}

#[test]
fn what_is_longer_than_a_part_or_a_range_is_whole() {
    let objects = Objects::new("memory", Arc::new(InMemory::new()));
    let queue = Queue::mem("q", Limits::default());
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Texts>()
        .shuffle_store(&objects)
        .run();
    // Each map job writes 9 MB, each reduce job as much as it finds: more than the 8 MiB of a part.
    let result = |shuffle: Shuffle| {
        let run = queue.map_reduce(Texts).input(vec![0, 1]).partitions(1);
        let run = run.shuffle(shuffle).start().unwrap();
        run.wait(LONG).unwrap().into_sorted_vec().unwrap()
    };
    let kept = result(Shuffle::Store(objects.clone()));
    assert_eq!(kept.len(), 26);
    assert!(kept == result(Shuffle::Broker), "texts differ");
    worker.drain(LONG);
}

#[test]
fn a_run_goes_on_where_it_was_and_refuses_another_input() {
    let objects = Objects::new("memory", Arc::new(InMemory::new()));
    let queue = Queue::mem("q", Limits::default());
    let start = |of, partitions| {
        let run = queue.map_reduce(work(of)).input(splits(9, 10)).run_id("r");
        let run = run.partitions(partitions);
        run.shuffle(Shuffle::Store(objects.clone())).start()
    };
    let run = start(10, 3).unwrap();
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Rests>()
        .shuffle_store(&objects)
        .run();
    let first = run.wait(LONG).unwrap().into_sorted_vec().unwrap();
    let again = start(10, 3).unwrap().wait(LONG).unwrap();
    assert_eq!(again.into_sorted_vec().unwrap(), first);
    assert_eq!(start(11, 3).err(), Some(RunError::InputChanged));
    assert_eq!(start(10, 4).err(), Some(RunError::InputChanged));
    // 9 map jobs and 3 partitions, each once.
    assert_eq!(worker.drain(LONG).done, 9 + 3);
    // Another store under this name, empty: the run is not there, and says so.
    let other = Objects::new("memory", Arc::new(InMemory::new()));
    let lost = queue.map_reduce(work(10)).input(splits(9, 10)).run_id("r");
    let lost = lost.partitions(3).shuffle(Shuffle::Store(other)).start();
    let segments = lost.unwrap().wait(LONG).unwrap();
    let told = segments.segment(0).unwrap_err().to_string();
    assert!(told.contains("memory/r/reduce0"), "{told}");
}

#[test]
fn damage_is_noticed() {
    let scratch = Scratch::new();
    let objects = in_files(scratch.path());
    let queue = Queue::mem("q", Limits::default());
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Rests>()
        .shuffle_store(&objects)
        .run();
    let run = queue.map_reduce(work(50)).input(splits(3, 100));
    let run = run.partitions(1).shuffle(Shuffle::Store(objects));
    let segments = run.start().unwrap().wait(LONG).unwrap();
    worker.drain(LONG);
    let path = written(scratch.path(), 0);
    let good = std::fs::read(&path).unwrap();
    for at in [0, 3, 10, good.len() / 2, good.len() - 1] {
        let mut bytes = good.clone();
        bytes[at] ^= 0x40;
        std::fs::write(&path, bytes).unwrap();
        assert!(segments.segment(0).is_err(), "byte {at}");
    }
    std::fs::write(&path, &good[..good.len() - 5]).unwrap();
    let short = segments.segment(0).unwrap_err().to_string();
    assert!(short.contains("shorter"), "{short}");
    std::fs::write(&path, good).unwrap();
    assert!(segments.segment(0).is_ok());
}

#[test]
fn a_worker_uses_only_stores_that_it_was_given() {
    let given = Objects::new("given", Arc::new(InMemory::new()));
    let queue = Queue::mem("q", Limits::default());
    let worker = Worker::new(&queue)
        .accept_map_reduce::<Rests>()
        .shuffle_store(&given)
        .run();
    let start = |objects: Objects| {
        let once = Opts {
            attempts: 1,
            ..opts()
        };
        let run = queue.map_reduce(work(5)).input(splits(2, 9)).opts(once);
        run.shuffle(Shuffle::Store(objects)).start()
    };
    let other = start(Objects::new("other", Arc::new(InMemory::new())));
    let Err(RunError::Failed { why, .. }) = other.unwrap().wait(LONG) else {
        panic!("a job chose the store")
    };
    assert!(why.to_string().contains("shuffle_store"), "{why}");
    assert!(start(Objects::new("../up", Arc::new(InMemory::new()))).is_err());
    assert!(start(given).unwrap().wait(LONG).is_ok());
    worker.drain(LONG);
}

#[cfg(unix)]
#[test]
fn a_storm_changes_nothing() {
    let scratch = Scratch::new();
    let file = scratch.path().join("storm.db");
    std::fs::create_dir(file.with_extension("objects")).unwrap();
    let objects = of(&file).unwrap();
    super::map_reduce::storm(
        &file,
        &[1, 7],
        |_| Shuffle::Store(objects.clone()),
        |worker| worker.shuffle_store(&objects),
    );
}
