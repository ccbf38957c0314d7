//! The orders of jobs on one thread, which rayon documents: the newest first, or with `fifo` the
//! oldest first.

use crate::support::pool;
use filch::{ThreadPool, ThreadPoolBuilder};
use std::sync::Mutex;
use std::sync::mpsc;

const NEWEST_FIRST: [i32; 10] = [9, 8, 7, 6, 5, 4, 3, 2, 1, 0];
const OLDEST_FIRST: [i32; 10] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/// A pool of one thread, for free jobs: those of other tests would come between them.
fn only_worker() -> ThreadPool {
    let pool = ThreadPoolBuilder::new().num_threads(1).build();
    pool.unwrap()
}

/// The order in which ten jobs of a scope ran.
macro_rules! ran_in_scope {
    ($scope:ident, $spawn:ident) => {
        pool(1).install(|| {
            let ran = Mutex::new(Vec::new());
            filch::$scope(|s| {
                for i in 0..10 {
                    let ran = &ran;
                    s.$spawn(move |_| ran.lock().unwrap().push(i));
                }
            });
            ran.into_inner().unwrap()
        })
    };
}

/// The order in which the jobs of ten jobs ran.
macro_rules! ran_in_nested_scopes {
    ($outer:ident, $outer_spawn:ident, $inner:ident, $inner_spawn:ident) => {
        pool(1).install(|| {
            let ran = Mutex::new(Vec::new());
            filch::$outer(|s| {
                for i in 0..10 {
                    let ran = &ran;
                    s.$outer_spawn(move |_| {
                        filch::$inner(|s| {
                            for j in 0..10 {
                                s.$inner_spawn(move |_| ran.lock().unwrap().push(i * 10 + j));
                            }
                        });
                    });
                }
            });
            ran.into_inner().unwrap()
        })
    };
}

/// The order in which free jobs of free jobs ran.
macro_rules! ran_spawned {
    ($outer:ident, $inner:ident) => {{
        let (sender, receiver) = mpsc::channel();
        only_worker().install(move || {
            for i in 0..10 {
                let sender = sender.clone();
                filch::$outer(move || {
                    for j in 0..10 {
                        let sender = sender.clone();
                        filch::$inner(move || sender.send(i * 10 + j).unwrap());
                    }
                });
            }
        });
        receiver.iter().collect::<Vec<i32>>()
    }};
}

fn product(outer: [i32; 10], inner: [i32; 10]) -> Vec<i32> {
    outer
        .iter()
        .flat_map(|i| inner.map(|j| i * 10 + j))
        .collect()
}

#[test]
fn scopes() {
    assert_eq!(ran_in_scope!(scope, spawn), NEWEST_FIRST);
    assert_eq!(ran_in_scope!(scope_fifo, spawn_fifo), OLDEST_FIRST);
    assert_eq!(ran_in_scope!(in_place_scope, spawn), NEWEST_FIRST);
    assert_eq!(ran_in_scope!(in_place_scope_fifo, spawn_fifo), OLDEST_FIRST);
}

#[test]
fn nested_scopes() {
    assert_eq!(
        ran_in_nested_scopes!(scope, spawn, scope, spawn),
        product(NEWEST_FIRST, NEWEST_FIRST)
    );
    assert_eq!(
        ran_in_nested_scopes!(scope_fifo, spawn_fifo, scope_fifo, spawn_fifo),
        product(OLDEST_FIRST, OLDEST_FIRST)
    );
    assert_eq!(
        ran_in_nested_scopes!(scope, spawn, scope_fifo, spawn_fifo),
        product(NEWEST_FIRST, OLDEST_FIRST)
    );
    assert_eq!(
        ran_in_nested_scopes!(scope_fifo, spawn_fifo, scope, spawn),
        product(OLDEST_FIRST, NEWEST_FIRST)
    );
}

/// Jobs that spawn into their own scope: newest first goes deep, oldest first goes wide.
#[test]
fn jobs_of_jobs() {
    let ran = Mutex::new(Vec::new());
    let note = |x: i32| ran.lock().unwrap().push(x);
    pool(1).install(|| {
        filch::scope(|s| {
            for i in 1..=2 {
                s.spawn(move |s| {
                    note(i);
                    for j in 1..=2 {
                        s.spawn(move |_| note(i * 10 + j));
                    }
                });
            }
        });
    });
    assert_eq!(*ran.lock().unwrap(), [2, 22, 21, 1, 12, 11]);
    ran.lock().unwrap().clear();
    pool(1).install(|| {
        filch::scope_fifo(|s| {
            for i in 1..=2 {
                s.spawn_fifo(move |s| {
                    note(i);
                    for j in 1..=2 {
                        s.spawn_fifo(move |_| note(i * 10 + j));
                    }
                });
            }
        });
    });
    assert_eq!(*ran.lock().unwrap(), [1, 2, 11, 12, 21, 22]);
}

#[test]
fn free_jobs() {
    assert_eq!(
        ran_spawned!(spawn, spawn),
        product(NEWEST_FIRST, NEWEST_FIRST)
    );
    assert_eq!(
        ran_spawned!(spawn_fifo, spawn_fifo),
        product(OLDEST_FIRST, OLDEST_FIRST)
    );
    assert_eq!(
        ran_spawned!(spawn, spawn_fifo),
        product(NEWEST_FIRST, OLDEST_FIRST)
    );
    assert_eq!(
        ran_spawned!(spawn_fifo, spawn),
        product(OLDEST_FIRST, NEWEST_FIRST)
    );
}

/// A mixture: a place in the newest-first order that belongs to a `fifo` job goes to the oldest
/// of those.
#[test]
fn mixed_free_jobs() {
    let (sender, receiver) = mpsc::channel();
    only_worker().install(move || {
        let send = |x: i32| {
            let sender = sender.clone();
            move || sender.send(x).unwrap()
        };
        for i in 1..=3 {
            filch::spawn_fifo(send(-i));
            filch::spawn(send(i));
        }
    });
    assert_eq!(receiver.iter().collect::<Vec<i32>>(), [3, -1, 2, -2, 1, -3]);
}

/// The left side of a join runs first, then the right one, on one thread.
#[test]
fn joins() {
    let ran = Mutex::new(Vec::new());
    let note = |x: u32| ran.lock().unwrap().push(x);
    pool(1).install(|| {
        filch::join(
            || filch::join(|| note(1), || note(2)),
            || filch::join(|| note(3), || note(4)),
        )
    });
    assert_eq!(ran.into_inner().unwrap(), [1, 2, 3, 4]);
}

/// Jobs that are handed in from outside run in the order they came.
#[test]
fn jobs_from_outside() {
    let (sender, receiver) = mpsc::channel();
    let block = std::sync::Arc::new(crate::support::Flag::new());
    let blocked = block.clone();
    let pool = filch::ThreadPoolBuilder::new()
        .num_threads(1)
        .build()
        .unwrap();
    pool.spawn(move || blocked.wait());
    for i in 0..100 {
        let sender = sender.clone();
        pool.spawn_fifo(move || sender.send(i).unwrap());
    }
    drop(sender);
    block.set();
    assert!(receiver.iter().eq(0..100));
}
