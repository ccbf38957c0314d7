//! A child process after `fork` has one thread: the global pool runs on the caller.

use crate::support::alone;
use filch::ext::ParallelOrdered;
use filch::prelude::*;
use std::sync::mpsc;

/// What the child does; everything that would hang if it waited for a thread of the parent's pool.
fn work() {
    assert_eq!(
        (0..1000u64).into_par_iter().map(|i| i + 1).sum::<u64>(),
        500_500
    );
    assert_eq!(filch::join(|| 1, || 2), (1, 2));
    let mut spawned = false;
    filch::scope(|s| s.spawn(|_| spawned = true));
    assert!(spawned);
    let mut in_place = false;
    filch::in_place_scope(|s| s.spawn(|_| in_place = true));
    assert!(in_place);
    let (sender, receiver) = mpsc::channel();
    filch::spawn(move || sender.send(7).unwrap());
    assert_eq!(receiver.recv(), Ok(7));
    let mut numbers: Vec<u32> = (0..100_000).rev().collect();
    numbers.par_sort();
    assert!(numbers.is_sorted());
    assert_eq!(filch::broadcast(|context| context.index()), [0]);
    assert_eq!(filch::current_num_threads(), 1);
    let items = || (0..100).into_par_iter().into_ordered_iter(10);
    assert_eq!(items().sum::<i32>(), 4950);
    // Whoever waits has the only seat.
    assert_eq!(filch::join(|| items().sum::<i32>(), || ()).0, 4950);
}

#[test]
fn a_child_runs_on_its_caller() {
    alone(3, 60, || {
        assert_eq!(
            (0..1_000_000u64).into_par_iter().sum::<u64>(),
            499_999_500_000
        );
        // SAFETY: the child is this one thread, and ends with `_exit`, so it runs nothing that belongs to the parent.
        let child = unsafe { libc::fork() };
        assert!(child >= 0, "fork failed");
        if child == 0 {
            let failed = std::panic::catch_unwind(work).is_err();
            // SAFETY: it has no preconditions.
            unsafe { libc::_exit(i32::from(failed)) };
        }
        let mut status = 0;
        // SAFETY: `status` is ours.
        let waited = unsafe { libc::waitpid(child, &mut status, 0) };
        assert_eq!((waited, status), (child, 0));
    });
}
