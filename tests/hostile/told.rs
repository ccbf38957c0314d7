//! Environment variables that make filch print what it does.

use crate::child::{child, work};
use std::thread;
use std::time::Duration;

/// Sets a variable of the child's.
fn set(name: &str, value: &str) {
    // SAFETY: only one test runs in this process, and no thread of it has looked at the environment yet.
    unsafe { std::env::set_var(name, value) };
}

// 132
#[test]
fn a_scheduler_trace_is_written_each_period() {
    let end = child(2, || {
        set("FILCH_SCHEDTRACE", "5");
        work();
        let pool = filch::ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .unwrap();
        pool.install(work);
        thread::sleep(Duration::from_millis(500));
    });
    end.is_well();
    let lines: Vec<_> = end
        .errors
        .lines()
        .filter(|line| line.starts_with("filch "))
        .collect();
    for (pool, queues) in [
        ("pool=global threads=2 ", "[0 0"), // and perhaps the caller's
        ("pool=1 threads=3 ", "[0 0 0"),
    ] {
        let of_pool = || lines.iter().filter(|line| line.contains(pool));
        assert!(of_pool().count() >= 2, "{end:?}");
        assert!(
            of_pool().any(|line| line.contains(queues) && line.ends_with(" wakes+0")),
            "{end:?}"
        );
        assert!(of_pool().any(|line| !line.contains(" jobs+0 ")), "{end:?}");
    }
}

// 132
#[test]
fn a_period_that_makes_no_sense_is_named() {
    let end = child(2, || {
        set("FILCH_SCHEDTRACE", "often");
        work();
    });
    end.is_well();
    let said: Vec<_> = end
        .errors
        .lines()
        .filter(|line| line.contains("FILCH_SCHEDTRACE"))
        .collect();
    assert_eq!(said.len(), 1, "{end:?}");
    assert!(
        said[0].contains("=often is no period in milliseconds"),
        "{end:?}"
    );
}
