//! A pool for work in the background: its threads have names, and the operating system prefers all others to them.
//!
//! `cargo run --release --example background_pool -- [items]`

use std::time::{Duration, Instant};
use std::{env, io, thread};

use filch::prelude::*;
use filch::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

fn main() -> Result<(), ThreadPoolBuildError> {
    let items: u64 = env::args().nth(1).map_or(20_000, |n| {
        n.parse().expect("usage: background_pool [items]")
    });
    let pool = background_pool()?;

    // `broadcast` runs once on each thread: here it looks how they are.
    for (index, (name, niceness)) in pool.broadcast(|_| describe()).into_iter().enumerate() {
        match niceness {
            Some(niceness) => println!("{name} has niceness {niceness}"),
            None => println!("{name} has no priority of its own on this system"),
        }
        assert_eq!(name, format!("background-{index}"));
        assert!(niceness.is_none_or(|it| it >= NICENESS), "not made nicer");
    }

    let (expected, one) = timed(|| (0..items).map(work).fold(0, u64::wrapping_add));
    // All parallel calls inside `install` use this pool, and the other threads are left alone.
    let (found, all) = timed(|| {
        pool.install(|| {
            (0..items)
                .into_par_iter()
                .map(work)
                .reduce(|| 0, u64::wrapping_add)
        })
    });

    assert_eq!(found, expected, "the two ways disagree");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        pool.current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
    // All threads are gone when this returns; only dropping the pool would not wait for them.
    pool.shutdown();
    Ok(())
}

fn background_pool() -> Result<ThreadPool, ThreadPoolBuildError> {
    ThreadPoolBuilder::new()
        .thread_name(|index| format!("background-{index}"))
        // Starts the threads: the place for whatever std's builder cannot do. `thread.run()` returns when the pool is shut down.
        .spawn_handler(|thread| {
            let mut builder = thread::Builder::new();
            if let Some(name) = thread.name() {
                builder = builder.name(name.to_owned());
            }
            builder.spawn(|| {
                if let Err(error) = lower_priority() {
                    eprintln!("goes on with the usual priority: {error}");
                }
                thread.run();
            })?;
            Ok(())
        })
        .build()
}

/// 0 is what a thread begins with, 19 the most modest.
const NICENESS: i32 = 10;

/// Lowers the priority of the calling thread. Linux has one for each thread; where priorities belong to whole processes it is left alone.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn lower_priority() -> io::Result<()> {
    // SAFETY: takes and returns integers. 0 stands for the calling thread.
    if unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) } >= NICENESS {
        // Only the system's administrator may raise a priority.
        return Ok(());
    }
    // SAFETY: as above.
    match unsafe { libc::setpriority(libc::PRIO_PROCESS, 0, NICENESS) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn lower_priority() -> io::Result<()> {
    Ok(())
}

/// Name and niceness of the calling thread, if it has one of its own.
fn describe() -> (String, Option<i32>) {
    let name = thread::current().name().unwrap_or_default().to_owned();
    #[cfg(any(target_os = "linux", target_os = "android"))]
    // SAFETY: takes and returns integers. 0 stands for the calling thread.
    let niceness = Some(unsafe { libc::getpriority(libc::PRIO_PROCESS, 0) });
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let niceness = None;
    (name, niceness)
}

/// About 20 microseconds of work.
fn work(item: u64) -> u64 {
    (0..10_000).fold(item, |hash, i| {
        (hash ^ i)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(29)
    })
}

fn timed<R>(work: impl FnOnce() -> R) -> (R, Duration) {
    let start = Instant::now();
    (work(), start.elapsed())
}
