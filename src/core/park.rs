//! A parker: one thread sleeps, and any thread wakes it. A wake-up that comes before the sleep is kept.
//!
//! It is not `std::thread::park`, because user code on the same thread could consume a wake-up that was sent through `std`.

use crate::sync::{Condvar, Mutex, lock, wait, wait_for};
use std::time::Duration;

/// A token that one thread waits for.
#[derive(Debug)]
pub(crate) struct Parker {
    token: Mutex<bool>,
    came: Condvar,
}

impl Parker {
    pub(crate) fn new() -> Self {
        Parker {
            token: Mutex::new(false),
            came: Condvar::new(),
        }
    }

    /// Sleeps until there is a token and takes it.
    pub(crate) fn park(&self) {
        let mut token = lock(&self.token);
        while !*token {
            token = wait(&self.came, token);
        }
        *token = false;
    }

    /// The same, for so long at most.
    pub(crate) fn park_for(&self, most: Duration) {
        let mut token = lock(&self.token);
        if !*token {
            token = wait_for(&self.came, token, most);
        }
        *token = false;
    }

    /// Leaves a token; wakes the sleeper if there is one.
    pub(crate) fn unpark(&self) {
        *lock(&self.token) = true;
        // After the unlock, so that the sleeper does not wake into a held lock. The parker outlives the call: it is part of a desk,
        // and a thread that wakes another one holds its pool.
        self.came.notify_one();
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;

    /// It keeps a wake-up that comes before the sleep, and uses it up. What does not, sleeps for ever here, or for an hour.
    #[test]
    fn a_wake_up_ends_one_sleep() {
        let parker = Parker::new();
        let is_awake = || *lock(&parker.token);
        assert!(!is_awake());
        for sleep in [Parker::park, |parker: &Parker| {
            parker.park_for(Duration::from_secs(3600))
        }] {
            parker.unpark();
            parker.unpark();
            assert!(is_awake());
            sleep(&parker);
            assert!(!is_awake());
        }
        parker.park_for(Duration::ZERO);
        assert!(!is_awake());
    }
}
