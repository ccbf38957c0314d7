//! What a scope asks of the allocator.

use crate::support::{all_requests, alone};
use filch::{ThreadPoolBuilder, scope_fifo};

/// How many bytes 1,000 scopes ask for, in a pool of so many threads: scopes into which `jobs` jobs each are spawned, all by the thread that opened them.
fn asked_by_scopes(threads: usize, jobs: usize) -> usize {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    let pool = pool.unwrap();
    pool.broadcast(|_| ());
    let scopes = || {
        for _ in 0..1000 {
            scope_fifo(|s| (0..jobs).for_each(|_| s.spawn_fifo(|_| ())));
        }
    };
    let ((), asked) = pool.install(|| all_requests(scopes));
    asked
}

/// The threads themselves may ask for something, but not for a word at each scope.
#[test]
fn a_fifo_scope_makes_no_place_for_threads_that_spawn_nothing() {
    alone(1, 60, || {
        for jobs in [0, 1] {
            let [few, many] = [1, 64].map(|threads| asked_by_scopes(threads, jobs));
            eprintln!("{jobs} jobs each: {few} bytes, {many} with 64 threads");
            let most = few + 1000 * 64 * size_of::<usize>();
            assert!(
                many < most,
                "{jobs}: {many} bytes, and {few} with one thread"
            );
        }
    });
}
