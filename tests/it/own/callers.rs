//! Threads inside isolated calls that wait for a pool whose threads wait, and do their part there themselves.

use crate::support::{Flag, within};
use filch::{ThreadPool, ThreadPoolBuilder, isolate, join};
use std::thread;

fn pool() -> ThreadPool {
    let builder = ThreadPoolBuilder::new().num_threads(1);
    builder.build().unwrap()
}

/// Runs `f` with a pool whose only thread waits inside an isolated call until `done` is set.
fn with_a_stuck_pool(done: &Flag, f: impl FnOnce(&ThreadPool)) {
    let (stuck, other) = (pool(), pool());
    let is_inside = Flag::new();
    thread::scope(|threads| {
        threads.spawn(|| {
            let wait = || {
                is_inside.set();
                done.wait();
            };
            stuck.install(|| isolate(|| other.install(wait)));
        });
        is_inside.wait();
        f(&stuck);
    });
}

/// What that pool leaves to this thread is seen from a wait on top of the one for it, too.
#[test]
fn a_wait_on_top_of_the_one_for_a_stuck_pool() {
    within(60, || {
        let (here, third, done) = (pool(), pool(), Flag::new());
        with_a_stuck_pool(&done, |stuck| {
            let left = || stuck.install(|| done.set());
            // Runs on top of the wait for `stuck`.
            let right = || third.install(|| done.wait());
            here.install(|| isolate(|| join(left, right)));
        });
    });
}
