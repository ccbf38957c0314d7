//! A thread inside an isolated call holds a lock, and all other threads of its pool want that lock. It does the work of another pool, and that work calls its own pool: what
//! comes home there is left to the thread with the lock.

use super::sub_roots::{pool, while_they_wait, with_a_lock};
use crate::support::{Flag, within};
use filch::{ThreadPool, isolate, join};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[test]
fn work_comes_home() {
    within(60, || {
        let there = pool(1);
        while_they_wait(&[&there], || {
            with_a_lock(|here| assert_eq!(there.install(|| here.install(|| 1)), 1));
        });
    });
}

/// What came home leaves again, and its parts come home.
#[test]
fn work_comes_home_again_and_again() {
    fn count(here: &ThreadPool, there: &ThreadPool, deep: usize) -> usize {
        if deep == 0 {
            return 1;
        }
        let inner = || there.install(|| here.install(|| count(here, there, deep - 1)));
        let (left, right) = join(inner, inner);
        left + right
    }
    within(60, || {
        let there = pool(1);
        while_they_wait(&[&there], || {
            with_a_lock(|here| assert_eq!(count(here, &there, 3), 8));
        });
    });
}

/// The thread has gone through two pools.
#[test]
fn work_comes_home_from_afar() {
    within(60, || {
        let (there, further) = (pool(1), pool(1));
        while_they_wait(&[&there, &further], || {
            with_a_lock(|here| {
                let home = || here.install(|| there.install(|| further.install(|| 1)));
                assert_eq!(there.install(|| further.install(home)), 1);
            });
        });
    });
}

/// A job that is spawned, and that no thread waits for but the scope.
#[test]
fn spawned_work_comes_home() {
    within(60, || {
        let there = pool(1);
        while_they_wait(&[&there], || {
            with_a_lock(|here| {
                let done = AtomicUsize::new(0);
                there.install(|| {
                    here.scope(|s| {
                        (0..10).for_each(|_| s.spawn(|_| _ = done.fetch_add(1, Relaxed)))
                    })
                });
                assert_eq!(done.into_inner(), 10);
            });
        });
    });
}

/// The thread with the lock is a worker of its pool. In the other tests it is a guest there.
#[test]
fn work_comes_home_to_a_worker() {
    within(60, || {
        let (here, there) = (pool(2), pool(1));
        let (lock, held, wants) = (Mutex::new(()), Flag::new(), Flag::new());
        let holds = || {
            isolate(|| {
                let _guard = lock.lock().unwrap();
                held.set();
                wants.wait();
                assert_eq!(there.install(|| here.install(|| 1)), 1);
            });
        };
        while_they_wait(&[&there], || {
            here.scope(|s| {
                s.spawn(|_| holds());
                filch::blocking(|| {
                    held.wait();
                    wants.set();
                    drop(lock.lock().unwrap());
                });
            });
        });
    });
}

/// What comes home panics.
#[test]
fn a_panic_comes_home() {
    within(60, || {
        let there = pool(1);
        while_they_wait(&[&there], || {
            with_a_lock(|here| {
                let home = || here.install(|| std::panic::resume_unwind(Box::new(7)));
                let call = std::panic::AssertUnwindSafe(|| there.install(home));
                let panic = std::panic::catch_unwind(call).expect_err("it panics");
                assert_eq!(panic.downcast_ref(), Some(&7));
                assert_eq!(there.install(|| here.install(|| 1)), 1);
            });
        });
    });
}
