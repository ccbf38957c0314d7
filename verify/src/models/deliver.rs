//! Mail for a worker that works under another number than its own, because a caller from outside had that.

use super::{Event, asleep, check, job, stop, until};
use crate::core::broadcast::broadcast_in;
use crate::core::pool::Pool;
use crate::core::worker::Worker;
use loom::thread;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Worker 0 works under number 1, because number 0 is taken, and looks for something to do until that is over: so it does not wait, and never puts its
/// right down.
fn works_elsewhere(pool: &Pool) -> Arc<AtomicBool> {
    let began = Event::new();
    // It orders nothing, as far as loom knows.
    let over = Arc::new(AtomicBool::new(false));
    pool.inject(job({
        let (began, over) = (began.clone(), Arc::clone(&over));
        move || {
            let worker = Worker::current().unwrap();
            assert_eq!(
                (worker.desk().worker_number(), worker.index()),
                (Some(0), 1)
            );
            began.happen();
            until(|| {
                worker.run_one(false);
                over.load(Ordering::SeqCst)
            });
        }
    }));
    began.wait();
    over
}

/// Worker 0 works under number 1 until the broadcast is over. The other worker sleeps. Number 0 is put down while the mail for it comes; in a `narrow` pool
/// it is then held back, or number 1 is, as soon as the worker takes turns.
fn broadcast_meets_a_worker_elsewhere(narrow: bool) {
    let (pool, threads) = asleep(2);
    loom::stop_exploring();
    assert!(pool.rights.take_this(0));
    let over = works_elsewhere(&pool);
    loom::explore();
    if narrow {
        pool.set_active(1);
    }
    pool.put_down(0);
    assert_eq!(broadcast_in(&pool, |context| context.index()), [0, 1]);
    over.store(true, Ordering::SeqCst);
    stop(&pool, threads);
}

#[test]
fn broadcast_meets_a_worker_that_works_elsewhere() {
    check("a worker elsewhere", 2, || {
        broadcast_meets_a_worker_elsewhere(false);
    });
}

#[test]
fn broadcast_in_a_narrow_pool_meets_a_worker_that_works_elsewhere() {
    check("a worker elsewhere in a narrow pool", 2, || {
        broadcast_meets_a_worker_elsewhere(true);
    });
}

/// Worker 0 works under number 1, while a caller from outside has number 0 and leaves. The mail for both numbers comes where worker 0 has seen that there is none. Its
/// shares wait for each other, so if worker 0 ran that of number 1, no thread would run its own.
#[test]
fn shares_that_wait_for_each_other_come_to_a_worker_elsewhere() {
    check("shares for a worker elsewhere", 2, || {
        let (pool, threads) = asleep(2);
        loom::stop_exploring();
        assert!(pool.rights.take_this(0));
        let seat = &pool.seats[0];
        seat.sit_down(pool.guest_desk(seat));
        let over = works_elsewhere(&pool);
        loom::explore();
        let caller = thread::spawn({
            let pool = Arc::clone(&pool);
            move || pool.put_down(0)
        });
        let here = [Event::new(), Event::new()];
        broadcast_in(&pool, |context| {
            here[context.index()].happen();
            here[1 - context.index()].wait();
        });
        over.store(true, Ordering::SeqCst);
        caller.join().unwrap();
        stop(&pool, threads);
    });
}
