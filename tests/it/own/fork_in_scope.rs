//! A child process after `fork` that goes on inside a scope of its parent's: its caller runs what is spawned there.

use super::fork::{assert_ended_well, end_child, fork};
use crate::support::alone;
use filch::{Scope, ThreadPoolBuilder};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};
use std::thread;

/// The sum of what has run. Each test has a process of its own.
static RAN: AtomicUsize = AtomicUsize::new(0);

fn ran(n: usize) {
    RAN.fetch_add(n, SeqCst);
}

/// Forks inside scopes of pools of 1, 2 and 8 threads, and of the global pool. In the child, `spawn` spawns what adds up to `total`.
fn in_scopes_of_children(total: usize, spawn: for<'s> fn(&Scope<'s>)) {
    let mut pid = -1;
    let within = |s: &Scope<'_>, pid: &mut libc::pid_t| {
        *pid = fork(20);
        if *pid == 0 {
            spawn(s);
        }
    };
    let end = |pid| match pid {
        0 => end_child(RAN.load(SeqCst) == total),
        _ => assert_ended_well(pid),
    };
    for threads in [1, 2, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        // The child is a copy of the thread that forks, so it has to end there.
        pool.install(|| {
            filch::scope(|s| within(s, &mut pid));
            end(pid);
        });
        pool.in_place_scope(|s| within(s, &mut pid));
        end(pid);
    }
    let inside = || {
        filch::scope(|s| within(s, &mut pid));
        end(pid);
    };
    filch::join(inside, || ());
    filch::in_place_scope(|s| within(s, &mut pid));
    end(pid);
}

#[test]
fn a_job_runs() {
    alone(3, 200, || {
        in_scopes_of_children(11, |s| {
            s.spawn(|s| {
                ran(1);
                s.spawn(|_| ran(10));
            });
        });
    });
}

#[test]
fn a_broadcast_runs_once() {
    alone(3, 200, || {
        in_scopes_of_children(111, |s| {
            s.spawn_broadcast(|s, context| {
                assert_eq!((context.index(), context.num_threads()), (0, 1));
                assert_eq!(
                    filch::join(|| ran(1), filch::current_thread_index).1,
                    Some(0)
                );
                s.spawn_broadcast(|_, _| ran(10));
                s.spawn(|_| ran(100));
            });
        });
    });
}

/// The same from a thread that the child has started, and from a call of the child's.
#[test]
fn a_broadcast_from_elsewhere_runs_once() {
    alone(3, 200, || {
        in_scopes_of_children(11, |s| {
            thread::scope(|threads| {
                threads.spawn(|| s.spawn_broadcast(|_, _| ran(1)));
            });
            filch::join(|| s.spawn_broadcast(|_, _| ran(10)), || ());
        });
    });
}

/// Broadcasts that belong to no scope: they are over when the call returns.
#[test]
fn other_broadcasts_run_once_and_at_once() {
    alone(3, 200, || {
        in_scopes_of_children(11, |_| {
            assert_eq!(filch::broadcast(|context| context.index()), [0]);
            filch::spawn_broadcast(|_| ran(1));
            filch::scope(|s| s.spawn_broadcast(|_, _| ran(10)));
            assert_eq!(RAN.load(SeqCst), 11);
        });
    });
}
