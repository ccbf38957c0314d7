//! A storm of signals: system calls return early, and nothing else changes.

use crate::child::{child, work};
use std::cell::Cell;
use std::mem;
use std::ptr;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

const THREADS: usize = 4;
/// How many signals each thread gets at the least.
const ENOUGH: usize = 100;

thread_local! {
    /// How many signals this thread has had. Nothing is initialized or dropped, so a handler may use it.
    static HAD: Cell<usize> = const { Cell::new(0) };
}

extern "C" fn count(_: libc::c_int) {
    HAD.set(HAD.get() + 1);
}

// 27
/// The threads of the global pool and their caller each get a signal every 200 us, asleep or at work. A signal to the process would always go to the main thread.
#[test]
fn a_storm_of_signals() {
    child(THREADS, || {
        // SAFETY: all zero is a valid action: no flags (so system calls are not restarted), nothing masked.
        let mut action: libc::sigaction = unsafe { mem::zeroed() };
        action.sa_sigaction = count as extern "C" fn(libc::c_int) as usize;
        // SAFETY: the handler changes a number of its own thread, which is safe at any time.
        let set = unsafe { libc::sigaction(libc::SIGALRM, &action, ptr::null_mut()) };
        assert_eq!(set, 0);
        // SAFETY: a call without arguments.
        let this_thread = || unsafe { libc::pthread_self() };
        let mut targets = filch::broadcast(|_| this_thread());
        targets.push(this_thread());
        let over = AtomicBool::new(false);
        thread::scope(|storm| {
            storm.spawn(|| {
                while !over.load(Relaxed) {
                    for &thread in &targets {
                        // SAFETY: the threads of the global pool stay, and the caller waits for this thread.
                        assert_eq!(unsafe { libc::pthread_kill(thread, libc::SIGALRM) }, 0);
                    }
                    thread::sleep(Duration::from_micros(200));
                }
            });
            let start = Instant::now();
            let mut had = Vec::new();
            // However busy the machine is, each thread has its signals; the child ends if one has none.
            while start.elapsed() < Duration::from_secs(1) || had.iter().any(|&had| had < ENOUGH) {
                work();
                // Long enough for the pool to fall asleep.
                let until = Instant::now() + Duration::from_millis(3);
                while Instant::now() < until {
                    thread::yield_now();
                }
                let all_at_once = Barrier::new(THREADS);
                had = filch::broadcast(|_| (all_at_once.wait(), HAD.get()).1);
                had.push(HAD.get());
            }
            over.store(true, Relaxed);
        });
    })
    .is_well();
}
