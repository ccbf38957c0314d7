//! `spawn` and `spawn_fifo`: jobs that no call waits for.

use crate::support::{Flag, Ledger, PATIENCE, Place, Planted, planted, within};
use filch::{ThreadPoolBuilder, spawn, spawn_fifo};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex};

/// All that comes, until the senders are gone.
fn sorted<T: Ord>(receiver: Receiver<T>) -> Vec<T> {
    let mut all = Vec::new();
    loop {
        match receiver.recv_timeout(PATIENCE) {
            Ok(item) => all.push(item),
            Err(mpsc::RecvTimeoutError::Disconnected) => break,
            Err(mpsc::RecvTimeoutError::Timeout) => panic!("a job did not run"),
        }
    }
    all.sort();
    all
}

#[test]
fn every_job_runs_once() {
    for place in Place::all() {
        let (sender, receiver) = mpsc::channel();
        place.run(move || {
            for i in 0..500 {
                let sender = sender.clone();
                let run = move || sender.send(i).unwrap();
                if i % 2 == 0 {
                    spawn(run)
                } else {
                    spawn_fifo(run)
                }
            }
        });
        assert!(sorted(receiver).into_iter().eq(0..500), "{place:?}");
    }
}

#[test]
fn jobs_spawn_jobs() {
    fn tree(depth: u32, id: u32, sender: mpsc::Sender<u32>) {
        sender.send(id).unwrap();
        if depth > 0 {
            for side in [1, 2] {
                let sender = sender.clone();
                spawn(move || tree(depth - 1, 2 * id + side, sender));
            }
        }
    }
    for place in Place::all() {
        let (sender, receiver) = mpsc::channel();
        place.run(move || spawn(move || tree(8, 0, sender)));
        assert!(sorted(receiver).into_iter().eq(0..511), "{place:?}");
    }
}

#[test]
fn captures_are_dropped_once() {
    for place in Place::all() {
        let ledger = Ledger::new(200);
        let (sender, receiver) = mpsc::channel::<()>();
        place.run(|| {
            for token in ledger.tokens() {
                let sender = sender.clone();
                spawn(move || {
                    drop(token);
                    drop(sender);
                });
            }
        });
        drop(sender);
        assert_eq!(sorted(receiver), []);
        ledger.assert_all_gone();
    }
}

/// A job runs though its spawner keeps its thread busy, where there is another thread.
#[test]
fn a_job_need_not_wait_for_its_spawner() {
    within(30, || {
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        pool.install(|| {
            let done = Arc::new(Flag::new());
            let set = done.clone();
            spawn(move || set.set());
            done.wait();
        });
    });
}

#[test]
fn panics_go_to_the_handler() {
    within(30, || {
        let (sender, receiver) = mpsc::channel();
        let sender = Mutex::new(sender);
        let pool = ThreadPoolBuilder::new()
            .num_threads(2)
            .panic_handler(move |payload| {
                let id = payload.downcast::<Planted>().unwrap().0;
                sender.lock().unwrap().send(id).unwrap();
            })
            .build()
            .unwrap();
        for i in 0..100 {
            match i % 3 {
                0 => pool.spawn(move || planted(i)),
                1 => pool.spawn_fifo(move || planted(i)),
                _ => pool.install(|| spawn(move || planted(i))),
            }
        }
        let mut all: Vec<usize> = (0..100)
            .map(|_| receiver.recv_timeout(PATIENCE).unwrap())
            .collect();
        all.sort_unstable();
        assert!(all.into_iter().eq(0..100));
        // No thread was lost to a panic.
        assert_eq!(pool.broadcast(|c| c.index()), [0, 1]);
        // A panic in a scope goes to the thread that waits for the scope, not to the handler.
        let outcome = crate::support::caught(|| pool.scope(|s| s.spawn(|_| planted(7))));
        assert_eq!(outcome, Err(7));
        drop(pool);
        assert!(receiver.recv_timeout(PATIENCE).is_err());
    });
}
