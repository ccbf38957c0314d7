//! Too few threads, processors or memory.

use crate::child::{End, HAS_OTHER_USER, SKIPPED, child, child_after, work};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Barrier, Mutex, mpsc};
use std::time::Duration;
use std::{io, thread};

fn check(result: libc::c_int) -> io::Result<()> {
    match result {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Limits a resource of this process.
fn limit(resource: libc::c_int, most: u64) -> io::Result<()> {
    let limit = libc::rlimit {
        rlim_cur: most,
        rlim_max: most,
    };
    // SAFETY: a system call that reads `limit`.
    check(unsafe { libc::setrlimit(resource as _, &limit) })
}

/// Becomes `user`, who should have no other processes, and may have `threads` threads. False: that cannot be had here.
fn become_user(user: u32, threads: u64) -> bool {
    // SAFETY: a system call without arguments.
    if unsafe { libc::getuid() } != 0 {
        eprintln!("{SKIPPED}only root can become another user");
        return false;
    }
    let limited = limit(libc::RLIMIT_NPROC as _, threads);
    HAS_OTHER_USER.store(true, Relaxed);
    // SAFETY: a system call on plain numbers.
    let changed = limited.and_then(|()| check(unsafe { libc::setuid(user) }));
    if let Err(error) = changed {
        eprintln!("{SKIPPED}this root cannot become another user: {error}");
        return false;
    }
    let (end, ends) = mpsc::channel::<()>();
    let ends = Mutex::new(ends);
    let refused = thread::scope(|scope| {
        let wait = || ends.lock().unwrap().recv().is_ok();
        let start = || thread::Builder::new().spawn_scoped(scope, wait);
        let refused = (0..=threads).any(|_| start().is_err());
        drop(end);
        refused
    });
    if !refused {
        eprintln!("{SKIPPED}the system does not enforce the limit");
    }
    refused
}

// 29
#[test]
fn a_pool_of_which_only_some_threads_can_be_had() {
    child(2, || {
        // This thread, the one of the test harness, and three more.
        if !become_user(62_525, 5) {
            return;
        }
        for threads in [8, 100] {
            let error = ThreadPoolBuilder::new().num_threads(threads).build();
            assert!(error.is_err(), "{threads} threads");
        }
        // Those that were started are gone, so this many can be had again; the system may take a moment to see that.
        let mut built = 0;
        while built < 20 {
            let Ok(pool) = ThreadPoolBuilder::new().num_threads(2).build() else {
                std::thread::yield_now();
                continue;
            };
            assert_eq!(pool.install(|| (0..1000).into_par_iter().count()), 1000);
            pool.shutdown();
            built += 1;
        }
    })
    .is_well();
}

// 30
#[test]
fn a_global_pool_without_threads_is_sequential() {
    child(8, || {
        if !become_user(62_526, 1) {
            return;
        }
        let mut spawned = 0;
        filch::scope(|s| s.spawn(|_| spawned = 1));
        assert_eq!(spawned, 1);
        assert_eq!((0..1000u64).into_par_iter().sum::<u64>(), 499_500);
        let (left, right) = filch::join(|| 1, || 2);
        assert_eq!(left + right, 3);
        assert!(filch::missing_threads() > 0);
        let (sender, receiver) = std::sync::mpsc::channel();
        filch::spawn(move || sender.send(7).unwrap());
        assert_eq!(receiver.recv(), Ok(7));
    })
    .is_well();
}

// 30: some of its threads can be had. Which of them depends on how soon the system lets go of those that had to end; for each number by itself see
// `src::core::builder`.
#[test]
fn a_global_pool_with_some_of_its_threads() {
    child(8, || {
        // This thread, the one of the test harness, and three more.
        if !become_user(62_527, 5) {
            return;
        }
        for _ in 0..5 {
            work();
        }
        let missing = filch::missing_threads();
        assert!((5..=8).contains(&missing), "{missing}");
        // Without any thread, callers still have a right to run.
        assert_eq!(filch::current_num_threads(), (8 - missing).max(1));
    })
    .is_well();
}

// 24
#[cfg(target_os = "linux")]
#[test]
fn one_processor_for_many_threads() {
    child_after(
        8,
        || {
            // SAFETY: a set of processors is plain bits, all zero for the empty one.
            let mut one: libc::cpu_set_t = unsafe { std::mem::zeroed() };
            // SAFETY: it has no preconditions. Where this runs now is a processor that may be used.
            let here = unsafe { libc::sched_getcpu() };
            // SAFETY: as the system gives it, it is a valid place in the set.
            unsafe { libc::CPU_SET(here.max(0) as usize, &mut one) };
            // SAFETY: a system call that reads the set.
            check(unsafe { libc::sched_setaffinity(0, size_of_val(&one), &one) })
        },
        || {
            for _ in 0..20 {
                work();
            }
            for threads in [1, 2, 16] {
                let pool = ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .unwrap();
                pool.install(|| (0..20).for_each(|_| work()));
                // One thread that waits lets the others have the processor, all of them.
                let all = Barrier::new(threads);
                pool.broadcast(|_| all.wait());
            }
            // SAFETY: as above.
            let mut may: libc::cpu_set_t = unsafe { std::mem::zeroed() };
            // SAFETY: a system call that fills the set.
            check(unsafe { libc::sched_getaffinity(0, size_of_val(&may), &mut may) }).unwrap();
            // SAFETY: it has no preconditions.
            assert_eq!(unsafe { libc::CPU_COUNT(&may) }, 1);
        },
    )
    .is_well();
}

// 25
#[test]
fn an_idle_pool_uses_no_processor_time() {
    child(2, || {
        let pool = ThreadPoolBuilder::new().num_threads(8).build().unwrap();
        pool.install(work);
        work();
        while pool.load().asleep < 8 || filch::load().asleep < 2 {
            thread::sleep(Duration::from_millis(2));
        }
        let (before, asleep) = (processor_time(), waits());
        thread::sleep(Duration::from_secs(2));
        let (used, waited) = (processor_time() - before, waits() - asleep);
        // Ten sleepers that looked for work once in a millisecond would use more, and one that spins uses 2 s.
        assert!(used < Duration::from_millis(50), "{used:?}");
        // Two threads wake up: this one, and the test's watcher. Ten threads that looked ten times a second would do so 200 times.
        assert!(waited < 100, "threads fell asleep {waited} times");
        pool.install(work);
    })
    .is_well();
}

/// What all threads of this process did so far.
fn usage() -> libc::rusage {
    // SAFETY: plain numbers, for which all zero is valid.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: a system call that fills `usage`.
    check(unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) }).unwrap();
    usage
}

/// How often they fell asleep.
fn waits() -> libc::c_long {
    usage().ru_nvcsw
}

/// What they have used.
fn processor_time() -> Duration {
    let usage = usage();
    let of = |time: libc::timeval| Duration::new(time.tv_sec as u64, time.tv_usec as u32 * 1000);
    of(usage.ru_utime) + of(usage.ru_stime)
}

// 42
#[cfg(target_os = "linux")]
#[test]
fn the_default_is_what_the_system_allows() {
    child(0, || {
        let allowed = std::thread::available_parallelism().unwrap().get();
        assert_eq!(filch::current_num_threads(), allowed);
    })
    .is_well();
}

// 40
#[test]
fn a_thousand_threads() {
    child(2, || {
        let builder = ThreadPoolBuilder::new().num_threads(1000);
        let Ok(pool) = builder.stack_size(1 << 20).build() else {
            eprintln!("{SKIPPED}the system refuses a thousand threads");
            return;
        };
        for _ in 0..5 {
            pool.install(work);
        }
        // All are there at the same time, each with an index of its own.
        let all = Barrier::new(1000);
        let indices = pool.broadcast(|context| {
            all.wait();
            (context.index(), filch::current_thread_index())
        });
        assert!(indices.into_iter().eq((0..1000).map(|i| (i, Some(i)))));
        pool.shutdown();
    })
    .is_well();
}

/// Uses up the mappings that this process may have, but for `spare`. False: that cannot be had here.
#[cfg(target_os = "linux")]
fn leave_mappings(spare: usize) -> bool {
    let most = std::fs::read_to_string("/proc/sys/vm/max_map_count");
    let most = most.ok().and_then(|text| text.trim().parse::<usize>().ok());
    let there = std::fs::read_to_string("/proc/self/maps").map(|text| text.lines().count());
    let (Some(most), Ok(there)) = (most, there) else {
        return false;
    };
    let count = most.saturating_sub(there + spare);
    if count > 1 << 20 {
        return false;
    }
    const PAGE: usize = 4096;
    let (none, read) = (libc::PROT_NONE, libc::PROT_READ);
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
    // SAFETY: a new mapping, which nobody else knows of.
    let start = unsafe { libc::mmap(std::ptr::null_mut(), count * PAGE, none, flags, -1, 0) };
    let usable = start != libc::MAP_FAILED;
    // Each second page differs from its neighbours, so each page is a mapping.
    usable
        && (1..count).step_by(2).all(|at| {
            // SAFETY: pages of that mapping.
            unsafe { libc::mprotect(start.byte_add(at * PAGE), PAGE, read) == 0 }
        })
}

// 196
/// Threads whose stacks would take more mappings than there may be are an error, and do not end the process inside std.
#[cfg(target_os = "linux")]
#[test]
fn more_threads_than_the_system_has_mappings_for() {
    child(2000, || {
        if !leave_mappings(3000) {
            eprintln!("{SKIPPED}there is no such limit");
            return;
        }
        for _ in 0..3 {
            let builder = || ThreadPoolBuilder::new().num_threads(2000);
            let built = builder().build().map(drop);
            let scoped = builder().build_scoped(|thread| thread.run(), |_| ());
            for error in [built, scoped].map(Result::unwrap_err) {
                let text = error.to_string();
                assert!(
                    text.starts_with("none of 2000 threads was started: vm.max_map_count"),
                    "{text}"
                );
            }
        }
        // The global pool has half as many until there is room for them.
        work();
        let threads = filch::current_num_threads();
        assert!((100..500).contains(&threads), "{threads}");
        assert_eq!(filch::missing_threads(), 2000 - threads);
    })
    .is_well();
}

// 196
/// Half as many are counted too, however few they are by then.
#[cfg(target_os = "linux")]
#[test]
fn a_global_pool_with_hardly_any_mappings_left() {
    child(2000, || {
        if !leave_mappings(600) {
            eprintln!("{SKIPPED}there is no such limit");
            return;
        }
        work();
        assert!(filch::missing_threads() > 1900);
    })
    .is_well();
}

// 50
#[test]
fn a_capacity_that_overflows_panics() {
    child(2, || {
        let result = std::panic::catch_unwind(|| {
            (0..usize::MAX)
                .into_par_iter()
                .map(|i| i as u64)
                .collect::<Vec<u64>>()
        });
        assert!(result.is_err());
        work();
    })
    .is_well();
}

// 65: as std's sort does. What was there before is there, so it is the sort's own room that cannot be had.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_ends_during_a_sort() {
    let end = child_after(
        2,
        || limit(libc::RLIMIT_AS as _, 1 << 30),
        || {
            let mut numbers: Vec<u64> = (0..80_000_000)
                .map(|i: u64| i.wrapping_mul(0x9E37_79B9_7F4A_7C15))
                .collect();
            work();
            eprintln!("640 MB are there");
            numbers.par_sort();
            assert!(numbers.is_sorted());
        },
    );
    ends_for_want_of_memory(&end, "640 MB are there");
}

#[cfg(target_os = "linux")]
#[test]
fn memory_that_ends_during_a_collect() {
    let end = child_after(
        2,
        || limit(libc::RLIMIT_AS as _, 1 << 29),
        || {
            work();
            eprintln!("threads are there");
            let all: Vec<u64> = (0..400_000_000u64)
                .into_par_iter()
                .filter(|i| i % 3 > 0)
                .collect();
            assert!(all.is_sorted());
        },
    );
    ends_for_want_of_memory(&end, "threads are there");
}

/// It was the last thing that happened after `mark`, and it was much memory that could not be had.
#[cfg(target_os = "linux")]
#[track_caller]
fn ends_for_want_of_memory(end: &End, mark: &str) {
    end.is_abort("memory allocation");
    let (_, after) = end.errors.split_once(mark).expect("all before worked");
    let bytes = after
        .trim_start()
        .strip_prefix("memory allocation of ")
        .and_then(|rest| rest.split(' ').next()?.parse().ok());
    assert!(bytes.is_some_and(|bytes: u64| bytes > 1 << 20), "{end:?}");
}
