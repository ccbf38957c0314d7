//! What a thread does when it stands in for another pool, step by step.

use crate::core::desk::Desk;
use crate::core::job::{HeapJob, JobRef};
use crate::core::pool::{Handlers, Pool};
use crate::core::root::Root;
use crate::core::visit::Visit;
use crate::core::worker::Worker;
use crate::sync::Arc;
use std::ptr;
use std::sync::Mutex;

pub(in crate::core) fn pools<const N: usize>() -> [Arc<Pool>; N] {
    [(); N].map(|()| Pool::new(1, 0, Handlers::default(), true, false))
}

/// # Safety
/// What `body` borrows is there until it has run.
pub(in crate::core) unsafe fn job(root: Root, body: impl FnOnce() + Send) -> JobRef {
    // SAFETY: by the caller.
    unsafe { HeapJob::boxed(root, body) }
}

/// Does `work` as worker 0.
pub(in crate::core) fn at_desk<R>(pool: &Pool, work: impl FnOnce(Worker<'_>) -> R) -> R {
    // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
    let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
    work(sitting.worker())
}

/// Runs what a thread has handed over.
pub(in crate::core) fn run_handed_over(pool: &Pool) -> usize {
    let jobs = std::iter::from_fn(|| pool.take_injected(None, false));
    // SAFETY: just taken out of a queue, and no other thread is there.
    jobs.map(|job| unsafe { pool.run(job, 0) }).count()
}

/// A thread waits for three pools: for two of them inside one call. It stands in for one, which leaves its desk. Meanwhile the other one may leave work to it, and
/// not the third. Afterwards all is as before.
#[test]
fn a_thread_that_stands_in_is_found_there_and_comes_back() {
    let [pool, stuck, same, different] = pools();
    let roots = [1, 2].map(Root::isolated);
    let callers = |pool: &Pool| pool.sleepers.lock().callers();
    let seen = Mutex::new(Vec::new());
    stuck.rights.put(0);
    let guest = || {
        let number = stuck.try_take(None).unwrap();
        let (visit, _) = Visit::sit_down(&stuck, (&stuck.seats[number], number), None);
        let own = visit.worker.own();
        (own.below.get(), own.depth.get())
    };
    let at_first = guest();
    at_desk(&pool, |worker| {
        let (desk, elsewhere) = (
            ptr::from_ref(worker.desk()).addr(),
            different.seats[0].own_desk(),
        );
        let depth = worker.own().depth.replace(5);
        let work = || {
            let there = Worker::current().unwrap();
            let at = ptr::from_ref(there.desk());
            let is_above = [desk, at.addr(), ptr::from_ref(elsewhere).addr()];
            let away = pool.sleepers.lock().away(0).map(ptr::from_ref::<Desk>);
            assert_eq!(is_above.map(|at| there.is_above(at)), [true, true, false]);
            assert_eq!(away, Some(at));
            // One more for the visit, and one for the job.
            assert_eq!((there.depth(), there.own().root.get()), (7, roots[0]));
            assert_eq!(
                [&stuck, &same, &different].map(|pool| callers(pool)),
                [1, 2, 1]
            );
            assert!(pool.has_brought(), "another thread may take it");
            seen.lock().unwrap().push(pool.rights.free());
        };
        worker.while_waiting_for(&different, Some(roots[1]), || {
            worker.while_waiting_for(&same, Some(roots[0]), || {
                worker.while_waiting_for(&stuck, Some(roots[0]), || {
                    let wanted = [Some(roots[0]), None];
                    assert!(
                        !worker.is_left_to_us(wanted),
                        "it is stuck, but there is no work"
                    );
                    // SAFETY: it borrows nothing.
                    worker.spawn(unsafe { job(Root::NONE, || ()) });
                    // SAFETY: it runs in this frame.
                    stuck.brought.push(&[unsafe { job(roots[0], work) }]);
                    assert!(worker.stand_in_for(wanted) && !worker.stand_in_for(wanted));
                });
            });
        });
        assert_eq!(worker.own().number(), Some(0));
        assert_eq!(
            (worker.depth(), worker.own().pool_waits.get()),
            (5, ptr::null())
        );
        worker.own().depth.set(depth);
    });
    assert_eq!(seen.into_inner().unwrap(), [1]);
    assert_eq!(
        [&stuck, &same, &different].map(|pool| callers(pool)),
        [0; 3]
    );
    assert!(pool.sleepers.lock().away(0).is_none());
    assert_eq!((stuck.rights.free(), run_handed_over(&pool)), (1, 1));
    assert_eq!(guest(), at_first, "at the same desk");
}

/// A pool leaves no work to a thread if it is not stuck, and none that is not of an isolated call.
#[test]
fn a_thread_stands_in_for_a_stuck_pool_only() {
    let ([pool, works], root) = (pools(), Root::isolated(1));
    at_desk(&pool, |worker| {
        // SAFETY: it borrows nothing.
        works.brought.push(&[unsafe { job(root, || ()) }]);
        worker.while_waiting_for(&works, Some(root), || {
            assert!(
                !worker.is_left_to_us([Some(root), None]),
                "its worker works"
            );
            let wait = worker.pool_waits().next().unwrap();
            assert!(!wait.stand_in(worker), "another thread took the right");
        });
        worker.while_waiting_for(&works, Some(Root::NONE), || {
            assert_eq!(works.sleepers.lock().callers(), 0);
        });
    });
    let job = works.brought.take(Some(root)).unwrap();
    // SAFETY: just taken out of a queue, and no other thread is there.
    unsafe { works.run(job, 0) };
}

/// Two pools leave work to a thread, which does one job of one pool. Both pools call other threads for the rest.
#[test]
fn a_thread_that_stands_in_has_others_called_for_the_rest() {
    let ([pool, other, sleeps, sleeps_too], roots) = (pools(), [1, 2].map(Root::isolated));
    let stuck = Pool::new(2, 0, Handlers::default(), true, false);
    let desks = [&sleeps, &sleeps_too].map(|pool| pool.seats[0].own_desk());
    let lists = || [&stuck, &other].map(|pool| pool.sleepers.lock());
    at_desk(&pool, |worker| {
        worker.while_waiting_for(&other, Some(roots[0]), || {
            worker.while_waiting_for(&stuck, Some(roots[0]), || {
                let work = || assert_eq!(desks.map(Desk::has_wake_up), [true; 2]);
                // SAFETY: it runs in this frame.
                stuck.brought.push(&[unsafe { job(roots[0], work) }]);
                for (mut lists, desk) in lists().into_iter().zip(desks) {
                    lists.add_caller(roots[1], desk);
                }
                for (pool, desk) in [(&sleeps, desks[0]), (&sleeps_too, desks[1])] {
                    pool.lie_down(desk, Some(roots[1]), false);
                }
                for (pool, number) in [(&stuck, 0), (&stuck, 1), (&other, 0)] {
                    pool.rights.put(number);
                }
                for pool in [&stuck, &other] {
                    // SAFETY: it borrows nothing.
                    pool.brought.push(&[unsafe { job(roots[1], || ()) }]);
                }
                assert!(worker.stand_in(Some(roots[0])));
                for (mut lists, desk) in lists().into_iter().zip(desks) {
                    lists.remove_caller(roots[1], desk);
                }
            });
        });
    });
    for pool in [&stuck, &other] {
        let job = pool.brought.take(Some(roots[1])).unwrap();
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { pool.run(job, 0) };
    }
}
