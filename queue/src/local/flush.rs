//! Waiting for the disk, apart from the steps.
//!
//! A step is in the log, and seen by all processes, before it is on the disk. So it does not wait for the disk under the lock of the file, many steps share one flush,
//! and a job may begin while its claim is on the way. A caller that acknowledges something first waits until all that was written or seen before is on the disk. The
//! log keeps its order, so what is on the disk is a first part of it.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard};

use crate::error::Error;

/// Has the disk keep all that was written before the call.
pub(super) type Flush = Box<dyn Fn() -> io::Result<()> + Send + Sync>;

/// The flush of a log that SQLite writes. The log stays as long as a connection is open.
pub(super) fn of_log(file: &Path) -> io::Result<Flush> {
    let mut log = file.as_os_str().to_owned();
    log.push("-wal");
    // SQLite's locks are on other files, so they outlast the end of this handle.
    let log = OpenOptions::new().read(true).write(true).open(&log)?;
    // SQLite would have its first flush do this: a log without a name is lost.
    #[cfg(unix)]
    if let Some(directory) = file.canonicalize()?.parent() {
        std::fs::File::open(directory)?.sync_all()?;
    }
    Ok(Box::new(move || log.sync_data()))
}

pub(super) struct Flusher {
    state: Mutex<State>,
    changed: Condvar,
    flush: Flush,
}

#[derive(Default)]
struct State {
    /// Steps that were written or seen, and how many of them the disk is known to keep.
    written: u64,
    kept: u64,
    /// SQLite's number of what other connections wrote, when it was last looked at.
    others: u32,
    under_way: bool,
    stop: bool,
    /// Why a flush failed. What was not kept then may look as if it were, so no later flush is believed.
    failed: Option<String>,
}

impl State {
    fn check(&self) -> Result<(), Error> {
        match &self.failed {
            Some(why) => Err(Error::new(format!(
                "the disk did not keep what was written ({why}): open the queue again"
            ))),
            None => Ok(()),
        }
    }
}

impl Flusher {
    pub fn new(flush: Flush) -> Self {
        Flusher {
            state: Mutex::default(),
            changed: Condvar::new(),
            flush,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// An error, if a flush has failed: what comes after it could not be kept either.
    pub fn check(&self) -> Result<(), Error> {
        self.lock().check()
    }

    /// A step was written. To be called before another thread of this process can see the step.
    pub fn wrote(&self) {
        self.lock().written += 1;
        self.changed.notify_all();
    }

    /// Waits until the disk keeps all that was written so far, by this process or others, whose writes SQLite gives a number.
    pub fn keep(&self, others: u32) -> Result<(), Error> {
        let mut state = self.lock();
        if state.others != others {
            state.others = others;
            state.written += 1;
        }
        let goal = state.written;
        loop {
            state.check()?;
            if state.kept >= goal {
                return Ok(());
            }
            state = self.flush_all(state);
        }
    }

    /// Flushes, or waits for a flush that is under way. What was written after that flush began needs another.
    fn flush_all<'a>(&'a self, mut state: MutexGuard<'a, State>) -> MutexGuard<'a, State> {
        if state.under_way {
            return self
                .changed
                .wait(state)
                .unwrap_or_else(|poison| poison.into_inner());
        }
        state.under_way = true;
        let goal = state.written;
        drop(state);
        let flushed = (self.flush)();
        let mut state = self.lock();
        state.under_way = false;
        match flushed {
            Ok(()) => state.kept = goal,
            Err(error) => state.failed = Some(error.to_string()),
        }
        self.changed.notify_all();
        state
    }

    /// Flushes the steps that no thread waits for, until `stop`; then all that is left.
    pub fn run(&self) {
        let mut state = self.lock();
        loop {
            if state.failed.is_some() || state.stop && state.kept == state.written {
                return;
            }
            state = if state.kept < state.written {
                self.flush_all(state)
            } else {
                self.changed
                    .wait(state)
                    .unwrap_or_else(|poison| poison.into_inner())
            };
        }
    }

    pub fn stop(&self) {
        self.lock().stop = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc;
    use std::thread;

    use super::*;

    #[test]
    fn what_is_written_while_a_flush_is_under_way_waits_for_the_next_one_and_shares_it() {
        let flushes = Arc::new(AtomicU64::new(0));
        let (began, begins) = mpsc::channel();
        let (go, wait) = mpsc::channel();
        let (counter, wait) = (flushes.clone(), Mutex::new(wait));
        let flusher = Flusher::new(Box::new(move || {
            began.send(()).unwrap();
            wait.lock().unwrap().recv().unwrap();
            counter.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }));
        thread::scope(|scope| {
            flusher.wrote();
            let first = scope.spawn(|| flusher.keep(0));
            begins.recv().unwrap();
            let (written, all_written) = mpsc::channel();
            let late: Vec<_> = (0..8)
                .map(|_| {
                    let (written, flusher, flushes) = (written.clone(), &flusher, &flushes);
                    scope.spawn(move || {
                        flusher.wrote();
                        written.send(()).unwrap();
                        flusher.keep(0).unwrap();
                        flushes.load(Ordering::SeqCst)
                    })
                })
                .collect();
            late.iter().for_each(|_| all_written.recv().unwrap());
            go.send(()).unwrap();
            assert_eq!(first.join().unwrap(), Ok(()));
            begins.recv().unwrap();
            go.send(()).unwrap();
            for late in late {
                assert_eq!(late.join().unwrap(), 2);
            }
            // Nothing new; and then something of another process.
            flusher.keep(0).unwrap();
            assert_eq!(flushes.load(Ordering::SeqCst), 2);
            go.send(()).unwrap();
            flusher.keep(7).unwrap();
            assert_eq!(flushes.load(Ordering::SeqCst), 3);
        });
    }

    #[test]
    fn a_flush_that_failed_is_not_forgotten() {
        let flusher = Flusher::new(Box::new(|| Err(io::Error::other("gone"))));
        flusher.keep(0).unwrap();
        for _ in 0..2 {
            flusher.wrote();
            let error = flusher.keep(0).unwrap_err().to_string();
            assert!(error.contains("gone"), "{error}");
        }
        assert!(flusher.check().is_err());
        flusher.run();
    }

    #[test]
    fn the_last_steps_are_flushed_although_nobody_waits() {
        let flushes = Arc::new(AtomicU64::new(0));
        let counter = flushes.clone();
        let flusher = Flusher::new(Box::new(move || {
            counter.fetch_add(1, Ordering::SeqCst);
            Ok(())
        }));
        flusher.wrote();
        flusher.stop();
        flusher.run();
        assert_eq!(flushes.load(Ordering::SeqCst), 1);
    }
}
