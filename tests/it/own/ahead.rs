//! A pool without threads, as the global one is in a child of `fork`, runs what was queued before a call.

use super::fork::in_child;
use crate::support::alone;
use std::sync::{Barrier, mpsc};
use std::thread;
use std::time::Duration;

/// Does `call` on this thread, in a child, while another thread ends a call of its own. What `spawn` spawns is queued during that other call.
fn while_a_call_ends(spawn: impl FnOnce(), call: impl FnOnce()) {
    filch::join(|| (), || ());
    in_child(|| {
        let (in_call, is_in_call) = mpsc::channel();
        let (queued, are_queued) = mpsc::channel();
        thread::scope(|threads| {
            threads.spawn(move || {
                let other = move || {
                    in_call.send(()).unwrap();
                    are_queued.recv().unwrap();
                    // By then the other thread waits for the turn.
                    thread::sleep(Duration::from_millis(100));
                };
                filch::join(other, || ());
            });
            is_in_call.recv().unwrap();
            spawn();
            queued.send(()).unwrap();
            call();
        });
    });
}

#[test]
fn a_call_waits_for_a_job_that_was_spawned_before() {
    alone(3, 60, || {
        let (send, receive) = mpsc::channel();
        let other = send.clone();
        let spawn = move || {
            filch::spawn(|| ());
            filch::spawn(move || send.send(1).unwrap());
            // A job's own jobs are part of it.
            filch::spawn(move || filch::spawn(move || other.send(2).unwrap()));
        };
        while_a_call_ends(spawn, move || {
            let both = move || [receive.recv().unwrap(), receive.recv().unwrap()];
            assert_eq!(filch::join(both, || ()).0, [1, 2]);
        });
    });
}

#[test]
fn a_call_waits_for_a_broadcast_that_was_spawned_before() {
    alone(3, 60, || {
        let (send, receive) = mpsc::channel();
        let spawn = move || {
            filch::spawn_broadcast(|_| ());
            filch::spawn_broadcast(move |_| send.send(1).unwrap());
        };
        while_a_call_ends(spawn, move || {
            let shares = filch::broadcast(|_| 2);
            assert_eq!((shares, receive.recv()), (vec![2], Ok(1)));
        });
    });
}

/// All threads queue two jobs before each call, and each call waits for its second job.
#[test]
fn calls_that_spawn_more_than_one_job_leave_none_behind() {
    alone(3, 60, || {
        filch::join(|| (), || ());
        in_child(|| {
            let begin = Barrier::new(3);
            thread::scope(|threads| {
                for _ in 0..3 {
                    threads.spawn(|| {
                        begin.wait();
                        for n in 0..200 {
                            let (send, receive) = mpsc::channel();
                            filch::spawn(|| ());
                            filch::spawn(move || send.send(n).unwrap());
                            let wait = move || receive.recv();
                            assert_eq!(filch::join(wait, || ()).0, Ok(n));
                        }
                    });
                }
            });
        });
    });
}
