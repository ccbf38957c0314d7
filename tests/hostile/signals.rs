//! A storm of signals: system calls return early, and nothing else changes.

use crate::child::{child, work};
use std::mem;
use std::ptr;
use std::time::{Duration, Instant};

extern "C" fn ignore(_: libc::c_int) {}

// 27
#[test]
fn a_storm_of_signals() {
    child(4, || {
        // SAFETY: all zero is a valid action: no flags (so system calls are not restarted), nothing masked.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        action.sa_sigaction = ignore as extern "C" fn(libc::c_int) as usize;
        // SAFETY: the handler does nothing, which is safe at any time.
        let set = unsafe { libc::sigaction(libc::SIGALRM, &action, ptr::null_mut()) };
        assert_eq!(set, 0);
        let often = libc::timeval {
            tv_sec: 0,
            tv_usec: 200,
        };
        let timer = libc::itimerval {
            it_interval: often,
            it_value: often,
        };
        // SAFETY: a system call that reads the timer.
        let started = unsafe { libc::setitimer(libc::ITIMER_REAL, &timer, ptr::null_mut()) };
        assert_eq!(started, 0);
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(1) {
            work();
            // Long enough for the pool to fall asleep.
            let until = Instant::now() + Duration::from_millis(3);
            while Instant::now() < until {
                std::thread::yield_now();
            }
        }
    })
    .is_well();
}
