//! A lock for which a child process after `fork` does not wait.
//!
//! At the moment of the fork another thread of the parent may hold it. That thread is not in the child, so there the lock is held for ever.

use super::child;
use crate::sync::{AtomicU64, Mutex, MutexGuard, Ordering, lock, try_lock, yield_now};

pub(crate) struct ProcessLock<T> {
    value: Mutex<T>,
    /// The [generation](child::generation) of the process that made it.
    generation: u32,
    /// Whether a thread held it at the fork with which a process began: the generation of that process, and [`UNKNOWN`], [`FREE`] or [`HELD`].
    at_fork: AtomicU64,
}

/// A thread is finding out.
const UNKNOWN: u64 = 0;
const FREE: u64 = 1;
const HELD: u64 = 2;
const ANSWER_BITS: u32 = 2;

impl<T> ProcessLock<T> {
    pub(crate) fn new(value: T) -> Self {
        ProcessLock {
            value: Mutex::new(value),
            generation: child::generation(),
            at_fork: AtomicU64::new(0),
        }
    }

    /// Locks it. `None`: this process is a child of the one that made it, or a child of a child, and another thread held it at the last fork.
    pub(crate) fn lock(&self) -> Option<MutexGuard<'_, T>> {
        let generation = child::generation();
        (generation == self.generation || self.was_free(generation)).then(|| lock(&self.value))
    }

    /// Whether no thread held it when this process began, as a child. All threads of the child ask this first, so none of them holds it before that is known.
    ///
    /// The word hands nothing over but the answer, and the mutex does the rest: relaxed.
    #[cold]
    fn was_free(&self, generation: u32) -> bool {
        let of_this_process = u64::from(generation) << ANSWER_BITS;
        loop {
            let before = self.at_fork.load(Ordering::Relaxed);
            match before.wrapping_sub(of_this_process) {
                UNKNOWN => yield_now(),
                FREE => return true,
                HELD => return false,
                // What is here is of an older process.
                _ => {
                    let [order, failed] = [Ordering::Relaxed; 2];
                    let begin =
                        self.at_fork
                            .compare_exchange(before, of_this_process, order, failed);
                    if begin.is_ok() {
                        let answer = match try_lock(&self.value) {
                            Some(_) => FREE,
                            None => HELD,
                        };
                        let known = of_this_process | answer;
                        self.at_fork.store(known, Ordering::Relaxed);
                    }
                }
            }
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
        let counts = counts.lock().expect("it comes");
        assert!(counts[0] == counts[1] && counts[0].is_multiple_of(2000) && counts[0] > 0);
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
            assert_well_in_child(|| {
                take_turns(&value);
                true
            });
            true
        });
    }
}
