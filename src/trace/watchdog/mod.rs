//! The watchdog: a thread that looks whether the pools still move, and tells which thread in which loop is to blame if not.

mod finding;
mod watch;

use super::recording::Trace;
use crate::core::is_child;
use crate::core::recorder::Recording;
use crate::core::say;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use watch::{StallReport, Watch};

/// How often it looks, at least and at most.
const LOOKS: [Duration; 2] = [Duration::from_millis(1), Duration::from_secs(1)];
/// In how many looks a stall is seen, at least.
const TIMES: u32 = 5;

/// A watchdog, until it is dropped.
pub(super) struct Watchdog {
    stop: Arc<(Mutex<bool>, Condvar)>,
    thread: Option<JoinHandle<()>>,
}

/// Writes a recording with a report, and says where.
pub(super) type Dump = Box<dyn Fn(Trace, &str) -> Result<String, String> + Send>;

impl Watchdog {
    pub(super) fn start(
        recording: Arc<Recording>,
        stall: Duration,
        dump: Dump,
    ) -> Result<Watchdog, String> {
        let stop = Arc::new((Mutex::new(false), Condvar::new()));
        let stopped = Arc::clone(&stop);
        let stall = stall.max(LOOKS[0]);
        let watch = move || {
            let mut watch = Watch::default();
            let (stopped, bell) = &*stopped;
            let mut guard = stopped.lock().unwrap_or_else(PoisonError::into_inner);
            loop {
                let period = (stall / TIMES).clamp(LOOKS[0], LOOKS[1]);
                // It does not wait at all if it was stopped before this thread began.
                guard = match bell.wait_timeout_while(guard, period, |stopped| !*stopped) {
                    Ok((guard, _)) => guard,
                    Err(poisoned) => poisoned.into_inner().0,
                };
                if *guard || is_child() {
                    return;
                }
                if let Some(found) = watch.look(&recording, stall) {
                    let StallReport {
                        line,
                        trace,
                        report,
                    } = found;
                    say(&match dump(trace, &report) {
                        Ok(path) => format!("filch: watchdog: {line}; more is in {path}"),
                        Err(why) => format!("filch: watchdog: {line}; {why}"),
                    });
                }
            }
        };
        let thread = thread::Builder::new().name("filch-watchdog".into());
        match thread.spawn(watch) {
            Ok(thread) => Ok(Watchdog {
                stop,
                thread: Some(thread),
            }),
            Err(error) => Err(format!("its thread could not be started: {error}")),
        }
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        if is_child() {
            // Here is no such thread, and perhaps it had the lock. Nor may it be detached: a thread of the child may have its stack.
            mem::forget(self.thread.take());
            return;
        }
        let (stopped, bell) = &*self.stop;
        *stopped.lock().unwrap_or_else(PoisonError::into_inner) = true;
        bell.notify_all();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
