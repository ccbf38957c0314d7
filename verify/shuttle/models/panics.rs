//! Panics on one thread, and what they leave to the others.
//!
//! Raised without the panic hook, in which shuttle takes each panic for a failure of the model.

use crate::{Pool, bump, check};
use shuttle::thread;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Counts when it is dropped.
struct Counted<'a>(&'a AtomicUsize);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        bump(self.0);
    }
}

fn fail(payload: u32) -> ! {
    thread::yield_now();
    resume_unwind(Box::new(payload))
}

/// What `f` panics with.
fn caught<R>(f: impl FnOnce() -> R) -> Option<u32> {
    catch_unwind(AssertUnwindSafe(f))
        .err()
        .map(|payload| *payload.downcast().expect("a planned panic"))
}

#[test]
fn left_half_panics() {
    check(|| {
        let pool = Pool::new(2);
        let (runs, drops) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let held = Counted(&drops);
        let payload = caught(|| {
            pool.pool.install(|| {
                let right = || {
                    let _held = held;
                    filch::join(|| bump(&runs), || bump(&runs));
                };
                filch::join(|| fail(1), right)
            })
        });
        assert_eq!(payload, Some(1));
        assert_eq!(runs.load(Ordering::Relaxed), 2);
        assert_eq!(drops.load(Ordering::Relaxed), 1);
        pool.stop();
    });
}

#[test]
fn both_halves_panic() {
    check(|| {
        let pool = Pool::new(2);
        let payload = caught(|| {
            pool.pool.install(|| {
                filch::join(
                    || filch::join(|| fail(1), || fail(2)),
                    || filch::join(|| fail(3), || fail(4)),
                )
            })
        });
        assert_eq!(payload, Some(1));
        assert_eq!(pool.pool.install(|| filch::join(|| 5, || 6)), (5, 6));
        pool.stop();
    });
}

#[test]
fn jobs_of_a_scope_panic() {
    check(|| {
        let pool = Pool::new(2);
        let drops = AtomicUsize::new(0);
        let payload = caught(|| {
            pool.pool.scope(|scope| {
                for i in 0..4 {
                    let held = Counted(&drops);
                    scope.spawn(move |_| {
                        let _held = held;
                        if i % 2 == 0 {
                            fail(i);
                        }
                    });
                }
            })
        });
        assert!(matches!(payload, Some(0 | 2)));
        assert_eq!(drops.load(Ordering::Relaxed), 4);
        pool.stop();
    });
}
