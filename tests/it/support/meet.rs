//! Ways for closures that should run at the same time to find out that they do. They wait for an
//! event with a generous limit and never judge by the time that something took.

use std::collections::HashSet;
use std::sync::{Condvar, Mutex};
use std::thread::{self, ThreadId};
use std::time::Duration;

/// How long to wait for what must happen: far longer than it takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// Something that happens once.
#[derive(Default)]
pub struct Flag {
    set: Mutex<bool>,
    changed: Condvar,
}

impl Flag {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn set(&self) {
        *self.set.lock().unwrap() = true;
        self.changed.notify_all();
    }

    pub fn is_set(&self) -> bool {
        *self.set.lock().unwrap()
    }

    /// Blocks this thread until the flag is set.
    #[track_caller]
    pub fn wait(&self) {
        let set = self.set.lock().unwrap();
        let waited = self.changed.wait_timeout_while(set, PATIENCE, |set| !*set);
        let timed_out = waited.unwrap().1.timed_out();
        assert!(!timed_out, "no thread set the flag");
    }
}

/// A meeting that no thread leaves before all have come, so all must run at the same time.
pub struct Meeting {
    wanted: usize,
    came: Mutex<usize>,
    changed: Condvar,
}

impl Meeting {
    pub fn of(wanted: usize) -> Self {
        Meeting {
            wanted,
            came: Mutex::new(0),
            changed: Condvar::new(),
        }
    }

    /// Blocks this thread until all are here.
    #[track_caller]
    pub fn attend(&self) {
        let mut came = self.came.lock().unwrap();
        *came += 1;
        self.changed.notify_all();
        let waited = self
            .changed
            .wait_timeout_while(came, PATIENCE, |came| *came < self.wanted);
        let (came, timeout) = waited.unwrap();
        let came = *came;
        assert!(!timeout.timed_out(), "{came} came of {}", self.wanted);
    }
}

/// Counts the threads that come by, and keeps each for a while until all have come.
pub struct Muster {
    wanted: usize,
    seen: Mutex<HashSet<ThreadId>>,
    changed: Condvar,
}

impl Muster {
    pub fn of(wanted: usize) -> Self {
        Muster {
            wanted,
            seen: Mutex::new(HashSet::new()),
            changed: Condvar::new(),
        }
    }

    /// Stays until all threads have been here, but no longer than `most`.
    pub fn stay(&self, most: Duration) {
        let mut seen = self.seen.lock().unwrap();
        seen.insert(thread::current().id());
        self.changed.notify_all();
        let waited = self
            .changed
            .wait_timeout_while(seen, most, |seen| seen.len() < self.wanted);
        drop(waited.unwrap());
    }

    /// Whether all threads have been here.
    pub fn is_full(&self) -> bool {
        self.seen() >= self.wanted
    }

    /// How many threads have been here.
    pub fn seen(&self) -> usize {
        self.seen.lock().unwrap().len()
    }
}
