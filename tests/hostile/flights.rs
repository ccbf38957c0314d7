//! What a flight recorder writes when something goes wrong.

use crate::child::{child, file};
use filch::prelude::*;
use filch::trace::{Flight, Options};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, Mutex};
use std::thread;
use std::time::Duration;

const STALL: Duration = Duration::from_millis(100);

fn pool() -> filch::ThreadPool {
    filch::ThreadPoolBuilder::new()
        .num_threads(2)
        .build()
        .unwrap()
}

/// Waits until there is a whole dump, which ends with the table of sites, that has these words in its first line.
fn wait_for(path: &Path, words: &[&str]) {
    let is_there = |text: String| {
        let first = text.lines().next().unwrap_or_default();
        words.iter().all(|words| first.contains(words)) && text.contains(" in all; ")
    };
    while !fs::read_to_string(path).is_ok_and(is_there) {
        thread::sleep(Duration::from_millis(5));
    }
}

// 146
#[test]
fn a_panic_leaves_a_dump_that_names_thread_and_loop() {
    let path = file("panic.txt");
    let end = child(2, || {
        let _flight = Flight::start(Options::default())
            .unwrap()
            .on_panic(file("panic.txt"));
        let caught = std::panic::catch_unwind(|| {
            filch::region("parse", || {
                pool().install(|| {
                    (0..10_000u32).into_par_iter().for_each(|i| {
                        assert!(i != 9_999, "number {i} is bad");
                        std::hint::black_box((0..i).map(u64::from).sum::<u64>());
                    })
                })
            })
        });
        assert!(caught.is_err());
        // Only the first one.
        let _ = std::panic::catch_unwind(|| panic!("later"));
    });
    end.is_well();
    let dump = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let first = dump.lines().next().unwrap();
    assert!(
        first.contains(" of pool ") && first.contains(" panicked in "),
        "{dump}"
    );
    assert!(
        first.contains("range of u32") && first.contains("a_panic_leaves_a_dump"),
        "{dump}"
    );
    assert!(
        dump.contains("number 9999 is bad") && dump.contains(" ago  Cut"),
        "{dump}"
    );
    let told: Vec<_> = end
        .errors
        .lines()
        .filter(|line| line.starts_with("filch: "))
        .collect();
    assert_eq!(told.len(), 1, "{end:?}");
    assert!(
        told[0].contains(first) && told[0].contains("panic.txt"),
        "{end:?}"
    );
}

// 146
#[test]
fn a_long_item_is_named_with_its_thread_and_loop() {
    let path = file("stall.txt");
    let end = child(2, || {
        let path = file("stall.txt");
        let _flight = Flight::start(Options::default())
            .unwrap()
            .watchdog(STALL, &path);
        let pool = pool();
        pool.install(|| {
            filch::region("slow part", || {
                let items = (0..10u32).into_par_iter().with_max_len(1);
                items.for_each(|i| {
                    if i == 7 {
                        wait_for(&path, &[]);
                    }
                })
            })
        });
    });
    end.is_well();
    let dump = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let first = dump.lines().next().unwrap();
    assert!(
        first.contains("an item takes long or is blocked: worker "),
        "{dump}"
    );
    assert!(
        first.contains(" of pool ") && first.contains("a_long_item_is_named"),
        "{dump}"
    );
    assert!(
        dump.contains("free rights") && dump.contains("slow part"),
        "{dump}"
    );
    assert!(
        end.errors.contains("filch: watchdog: silent for 100ms"),
        "{end:?}"
    );
}

// 146
#[test]
fn threads_that_lock_each_other_out_are_named() {
    let path = file("locks.txt");
    let end = child(2, || {
        let path = file("locks.txt");
        let _flight = Flight::start(Options::default())
            .unwrap()
            .watchdog(STALL, &path);
        thread::spawn(|| {
            let (locks, both) = ([Mutex::new(()), Mutex::new(())], Barrier::new(2));
            pool().install(|| {
                (0..2usize).into_par_iter().with_max_len(1).for_each(|i| {
                    let _mine = locks[i].lock();
                    both.wait();
                    let _other = locks[1 - i].lock();
                })
            });
        });
        // They never end; this process does.
        // One of them may be noticed a little earlier.
        wait_for(&path, &["worker 0 of", "worker 1 of"]);
    });
    end.is_well();
    let dump = fs::read_to_string(&path).unwrap();
    fs::remove_file(&path).unwrap();
    let first = dump.lines().next().unwrap();
    for named in [
        "worker 0 of pool ",
        "worker 1 of pool ",
        "threads_that_lock_each_other_out",
        "filch::isolate",
    ] {
        assert!(first.contains(named), "{named}: {dump}");
    }
}

/// Takes so long to follow what is offered that a thread which was counted on falls asleep before it sees the offer.
struct Slow;

impl filch::Follow for Slow {
    fn leave(&self) -> u64 {
        thread::sleep(Duration::from_millis(2));
        0
    }

    fn arrive(&self, _: u64) {}

    fn done(&self, _: u64) {}
}

/// An item that waits for the next one, which another thread has to take. The other thread was looking for work a moment ago. The planted bug `rely`
/// (`verify/recordings`) lets it sleep.
// 146
#[test]
fn a_thread_that_is_counted_on_comes() {
    let path = file("left.txt");
    let end = child(2, || {
        let path = file("left.txt");
        let _flight = Flight::start(Options::default())
            .unwrap()
            .watchdog(STALL, &path);
        // On a machine that is busy with something else, an item may seem to be blocked.
        let ours = |text: String| text.contains("a bug of filch's") && text.contains(" in all; ");
        let is_reported = || fs::read_to_string(&path).is_ok_and(ours);
        let pool = filch::ThreadPoolBuilder::new().num_threads(2).follow(Slow);
        pool.build().unwrap().install(|| {
            for _ in 0..10 {
                let came = AtomicBool::new(false);
                [true, false].par_iter().with_max_len(1).for_each(|&waits| {
                    while waits && !came.load(Ordering::Acquire) && !is_reported() {
                        thread::sleep(Duration::from_millis(1));
                    }
                    came.store(true, Ordering::Release);
                });
            }
        });
    });
    end.is_well();
    if let Ok(dump) = fs::read_to_string(&path) {
        fs::remove_file(&path).unwrap();
        let first = dump.lines().next().unwrap_or_default();
        assert!(!first.contains("a bug of filch's"), "{first}");
    }
}

/// Slow but steady work, and pools at rest, are no stall.
// 146
#[test]
fn what_moves_is_not_reported() {
    let end = child(2, || {
        let _flight = Flight::start(Options::default())
            .unwrap()
            .watchdog(Duration::from_secs(2), file("never.txt"));
        let pool = pool();
        pool.install(|| {
            (0..200u32)
                .into_par_iter()
                .for_each(|_| thread::sleep(Duration::from_millis(5)))
        });
        thread::sleep(Duration::from_millis(2500));
    });
    end.is_well();
    assert_eq!(end.errors.matches("filch: ").count(), 0, "{end:?}");
    assert!(!file("never.txt").exists());
}

// 146
#[test]
fn dumps_that_cannot_be_written_are_told() {
    let end = child(2, || {
        let flight = Flight::start(Options::default()).unwrap();
        drop(
            flight
                .on_panic("/no/such/directory/panic.html")
                .watchdog(STALL, "stuck.doc"),
        );
        crate::child::work();
    });
    end.is_well();
    let told: Vec<_> = end
        .errors
        .lines()
        .filter(|line| line.starts_with("filch: "))
        .collect();
    assert_eq!(told.len(), 2, "{end:?}");
    assert!(
        told[0].contains("/no/such/directory/panic.html cannot be written"),
        "{end:?}"
    );
    assert!(
        told[1].contains("stuck.doc ends in none of .html"),
        "{end:?}"
    );
}
