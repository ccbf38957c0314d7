//! What lies beside the records: large results, and bundles.

use std::time::Duration;

use filch_queue::{Limits, Opts, Queue, WaitError, Worker};

use super::jobs::*;
use super::support::Scratch;

const LONG: Duration = Duration::from_secs(60);

fn queue() -> Queue {
    Queue::mem("q", Limits::default())
}

#[test]
fn large_results_lie_beside_the_record() {
    let directory = Scratch::new();
    for queue in [
        queue(),
        Queue::local(directory.path().join("q.db"), Limits::default()).unwrap(),
    ] {
        for len in [0, 100, 256 << 10, 3 << 20] {
            let ticket = queue.submit(&Large(len), opts()).unwrap();
            Worker::new(&queue).accept::<Large>().run_until_empty();
            let bytes = ticket.wait(LONG).unwrap();
            assert!(bytes.len() == len && (0..len).all(|i| bytes[i] == i as u8));
        }
    }
    // One of four was longer than a record holds; a damaged one is not taken for a result.
    let blobs: Vec<_> = std::fs::read_dir(directory.path().join("q.db.blobs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    assert_eq!(
        blobs.len(),
        2,
        "with a number for its length, 256 KiB are more than a record holds"
    );
    let queue = Queue::local(directory.path().join("q.db"), Limits::default()).unwrap();
    let ticket = queue.submit(&Large(3 << 20), opts()).unwrap();
    Worker::new(&queue).accept::<Large>().run_until_empty();
    for entry in std::fs::read_dir(directory.path().join("q.db.blobs")).unwrap() {
        std::fs::write(entry.unwrap().path(), b"damaged").unwrap();
    }
    assert!(matches!(ticket.wait(LONG), Err(WaitError::Undecodable(_))));
}

#[test]
fn finished_bundles_are_skipped() {
    let directory = Scratch::new();
    let file = directory.path().join("q.db");
    for (round, queue) in [queue(), Queue::local(&file, Limits::default()).unwrap()]
        .into_iter()
        .enumerate()
    {
        // Few bundles, whose notes lie in the record, and so many that they lie beside it.
        for (count, each) in [(10, 3), (1500, 1), (0, 1)] {
            let marks = directory.path().join(format!("{round}-{count}"));
            std::fs::create_dir(&marks).unwrap();
            let job = Bundled {
                items: (0..count).collect(),
                each,
                directory: marks.clone(),
            };
            let ticket = queue.submit(&job, opts()).unwrap();
            Worker::new(&queue).accept::<Bundled>().run_until_empty();
            let blobs = ticket.wait(LONG).unwrap();
            let bytes: Vec<u8> = blobs
                .iter()
                .flat_map(|blob| queue.blob(blob).unwrap())
                .collect();
            let expected: Vec<u8> = (0..count).flat_map(|n| (n * n).to_le_bytes()).collect();
            assert_eq!(bytes, expected);
            assert_eq!(blobs.len(), (count as usize).div_ceil(each));
            let computed = std::fs::read_dir(&marks).unwrap().count();
            assert_eq!(computed, blobs.len(), "a bundle was computed twice");
        }
    }
}

#[test]
fn blobs_of_a_job_go_with_its_record() {
    let directory = Scratch::new();
    let queue = Queue::local(directory.path().join("q.db"), Limits::default()).unwrap();
    let marks = directory.path().join("marks");
    std::fs::create_dir(&marks).unwrap();
    let job = Bundled {
        items: (0..9).collect(),
        each: 2,
        directory: marks,
    };
    let brief = Opts {
        keep: Duration::from_millis(1),
        max_run: Duration::from_millis(1),
        ..opts()
    };
    let ticket = queue.submit(&job, brief).unwrap();
    // Its time to run is over at once, which the heart sees a sixth of a lease later; so it is done before.
    Worker::new(&queue).accept::<Bundled>().run_until_empty();
    while queue.broker().get(ticket.id()).unwrap().is_some() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let blobs = std::fs::read_dir(directory.path().join("q.db.blobs")).unwrap();
    assert_eq!(blobs.count(), 0);
}
