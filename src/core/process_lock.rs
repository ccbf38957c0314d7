//! A lock for which a child process after `fork` does not wait.
//!
//! At the moment of the fork another thread of the parent may hold it. That thread is not in the child, so there the lock is held for ever.

use super::child;
use crate::sync::{Mutex, MutexGuard, OnceLock, lock, try_lock};

pub(crate) struct ProcessLock<T> {
    value: Mutex<T>,
    /// The [generation](child::generation) of the process that made it.
    generation: u32,
    /// In a child of that process: whether a thread held it at the fork.
    lost: OnceLock<bool>,
}

impl<T> ProcessLock<T> {
    pub(crate) fn new(value: T) -> Self {
        ProcessLock {
            value: Mutex::new(value),
            generation: child::generation(),
            lost: OnceLock::new(),
        }
    }

    /// Locks it. `None`: this is a child of the process that made it, and a thread held it at the fork. In a child of such a child, where only the thread that forked
    /// twice comes here, it may also be one of the first child's threads.
    pub(crate) fn lock(&self) -> Option<MutexGuard<'_, T>> {
        match child::generation().wrapping_sub(self.generation) {
            0 => Some(lock(&self.value)),
            1 => {
                // All threads of the child ask this first, so none of them holds it before that is known.
                let lost = self.lost.get_or_init(|| try_lock(&self.value).is_none());
                (!lost).then(|| lock(&self.value))
            }
            _ => try_lock(&self.value),
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    #[cfg(all(unix, not(miri)))]
    use crate::core::global_pointer::assert_well_in_child;
    use std::sync::Barrier;
    use std::thread;

    /// A thread waits until the other one is done.
    #[test]
    fn threads_of_one_process_take_turns() {
        take_turns(&ProcessLock::new([0; 2]));
    }

    fn take_turns(counts: &ProcessLock<[u32; 2]>) {
        let begin = &Barrier::new(2);
        let count = || {
            begin.wait();
            for _ in 0..1000 {
                let mut counts = counts.lock().expect("it comes");
                counts[0] += 1;
                thread::yield_now();
                counts[1] += 1;
            }
        };
        thread::scope(|threads| (0..2).for_each(|_| _ = threads.spawn(count)));
        assert_eq!(counts.lock().as_deref(), Some(&[2000; 2]));
    }

    #[cfg(all(unix, not(miri)))]
    #[test]
    fn a_child_waits_for_no_lock() {
        let value = ProcessLock::new([0; 2]);
        let locked = value.lock();
        assert_well_in_child(|| value.lock().is_none() && value.lock().is_none());
        drop(locked);
        assert_well_in_child(|| {
            take_turns(&value);
            // A child of this child.
            let locked = value.lock();
            assert_well_in_child(|| value.lock().is_none());
            drop(locked);
            assert_well_in_child(|| value.lock().is_some());
            true
        });
    }
}
