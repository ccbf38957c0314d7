//! Bells that wake idle workers: `fq.<queue>.bell.<class>`.
//!
//! A bell is a hint. All processes that listen are in one queue group, so a ring wakes one process, however many are idle. If that process finds more jobs than
//! it takes, it rings for the next one. A process listens while it has an idle hand, and stops when a hand has got a job, so that no ring goes to a busy
//! process. A ring that is lost anyway delays a job by the pause between two looks.

use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use futures_util::StreamExt;
use tokio::task::AbortHandle;

use super::link::{Link, failed};
use super::names::Names;
use crate::error::Error;

/// The queue group of the processes that listen.
const GROUP: &str = "idle";

/// Rings when jobs come.
#[derive(Default)]
pub(super) struct Bell {
    state: Mutex<State>,
    rang: Condvar,
}

#[derive(Default)]
struct State {
    rings: u64,
    /// Hands that wait for a ring now.
    waiting: usize,
    /// By class, what takes the rings in.
    listening: HashMap<String, AbortHandle>,
}

impl Bell {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    pub fn mark(&self) -> u64 {
        self.lock().rings
    }

    fn ring(&self) {
        self.lock().rings += 1;
        self.rang.notify_all();
    }

    /// Listens to the bells of these classes. Whether that is new for any: what was rung before was not heard then.
    pub fn listen(
        self: &Arc<Self>,
        link: &Link,
        names: &Names,
        classes: &[String],
    ) -> Result<bool, Error> {
        let mut new = false;
        for class in classes {
            if self.lock().listening.contains_key(class) {
                continue;
            }
            let rings = link.handle.block_on(
                link.client
                    .queue_subscribe(names.bell(class), GROUP.to_owned()),
            );
            let mut rings = rings.map_err(|error| failed("subscribing", error))?;
            let bell = self.clone();
            let task = link.handle.spawn(async move {
                while rings.next().await.is_some() {
                    bell.ring();
                }
            });
            let other = self
                .lock()
                .listening
                .insert(class.clone(), task.abort_handle());
            // Two hands may have come here at once.
            if let Some(other) = other {
                other.abort();
            }
            new = true;
        }
        Ok(new)
    }

    /// Leaves the rings to others, unless a hand waits.
    pub fn be_busy(&self) {
        let mut state = self.lock();
        if state.waiting == 0 {
            state.listening.drain().for_each(|(_, task)| task.abort());
        }
    }

    /// Waits for a ring since the mark, at most so long. Whether there was one.
    pub fn wait(&self, mark: u64, most: Duration) -> bool {
        let mut state = self.lock();
        state.waiting += 1;
        let waited = self
            .rang
            .wait_timeout_while(state, most, |state| state.rings == mark);
        let mut state = waited.unwrap_or_else(|poison| poison.into_inner()).0;
        state.waiting -= 1;
        state.rings != mark
    }
}
