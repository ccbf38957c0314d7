//! A panic goes on only when what was offered to others is done, whichever thread runs it.

use super::deque::{Shared, forks};
use super::{Event, asleep, check, job, pool, stop};
use crate::core::deque::Worth;
use crate::core::fork::fork;
use crate::core::scope::scope;
use crate::core::unwind::{Planted, catch, resume};
use crate::core::worker::Worker;
use loom::cell::UnsafeCell;
use std::sync::Arc;

fn panic_with(number: u32) -> ! {
    resume(Box::new(Planted(number)))
}

/// A fork of which the left half panics, and perhaps the right one, too; a thief looks for the right one.
fn left_panics(worker: Worker<'_>, right_panics: bool) {
    let runs = UnsafeCell::new(0);
    let right = |runs: Shared| {
        runs.add_one();
        if right_panics {
            panic_with(2);
        }
    };
    let outcome = catch(|| fork(worker, Worth::Most, Shared(&runs), right, || panic_with(1)));
    let payload = outcome.err().expect("a panic was lost");
    assert_eq!(payload.downcast_ref(), Some(&Planted(1)), "the wrong panic");
    // SAFETY: checked by loom.
    let runs = runs.with(|runs| unsafe { *runs });
    assert_eq!(runs, 1, "a panic went on before what was offered had run");
}

#[test]
fn left_half_panics_while_a_thief_comes() {
    check("left half panics", 3, || {
        forks(pool(2), 1, |worker| left_panics(worker, false));
    });
}

#[test]
fn both_halves_panic() {
    check("both halves panic", 3, || {
        forks(pool(2), 1, |worker| left_panics(worker, true));
    });
}

/// What was offered further out is run, too, before the panic gets there.
#[test]
fn nested_left_halves_panic() {
    check("nested left halves panic", 1, || {
        forks(pool(2), 2, |worker| {
            let runs = UnsafeCell::new(0);
            let inner = || left_panics(worker, false);
            let outer = || {
                inner();
                panic_with(3);
            };
            let outcome =
                catch(|| fork(worker, Worth::Most, Shared(&runs), Shared::add_one, outer));
            assert!(outcome.is_err(), "a panic was lost");
            // SAFETY: checked by loom.
            let runs = runs.with(|runs| unsafe { *runs });
            assert_eq!(runs, 1, "a panic went on before what was offered had run");
        });
    });
}

/// What a panic carries, written by the thread that panics and read by the thread that catches it.
struct Said(UnsafeCell<u32>);

// SAFETY: the cell is loom's, which reports what is not synchronised.
unsafe impl Sync for Said {}

/// Two jobs of a scope panic at once: one panic comes out, with all that its thread wrote before.
#[test]
fn jobs_of_a_scope_panic() {
    check("scope whose jobs panic", 2, || {
        let (pool, threads) = asleep(2);
        let done = Event::new();
        let inner = done.clone();
        pool.inject(job(move || {
            let said = Arc::new([1, 2].map(|_| Said(UnsafeCell::new(0))));
            let outcome = catch(|| {
                scope(|s| {
                    for number in [1, 2] {
                        let said = &said;
                        s.spawn(move |_| {
                            let said = &said[number as usize - 1].0;
                            // SAFETY: checked by loom.
                            said.with_mut(|said| unsafe { *said = number });
                            panic_with(number);
                        });
                    }
                });
            });
            let payload = outcome.expect_err("a panic was lost");
            let Some(&Planted(number)) = payload.downcast_ref() else {
                panic!("the wrong panic");
            };
            // SAFETY: checked by loom.
            let said = said[number as usize - 1].0.with(|said| unsafe { *said });
            assert_eq!(said, number);
            inner.happen_at_last();
        }));
        done.wait();
        stop(&pool, threads);
    });
}
