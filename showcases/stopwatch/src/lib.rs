//! Times for the programs beside this: a line for each case, which `showcases` reads.

use std::time::{Duration, Instant};

/// Runs a case `repeats` times after once for the caches, and prints `name`, the least and the median wall time, the mean processor time (all in
/// nanoseconds), and what `run` returned, which has to be the same each time.
///
/// # Panics
///
/// If a run returns something else than the first.
pub fn measure(name: &str, repeats: usize, mut run: impl FnMut() -> u64) {
    let expected = run();
    let mut walls = Vec::new();
    let before = processor_time();
    for _ in 0..repeats.max(1) {
        let start = Instant::now();
        let result = run();
        walls.push(start.elapsed());
        assert_eq!(result, expected, "{name}: runs differ");
    }
    let cpu = (processor_time() - before) / walls.len() as u32;
    walls.sort();
    let (least, median) = (walls[0], walls[walls.len() / 2]);
    println!(
        "{name}\t{}\t{}\t{}\t{expected:x}",
        least.as_nanos(),
        median.as_nanos(),
        cpu.as_nanos()
    );
}

/// What all threads of this process took so far.
#[cfg(unix)]
fn processor_time() -> Duration {
    // SAFETY: all bytes zero are a valid `rusage`, which is made of integers.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: the pointer is to a `rusage` of this function's own.
    let failed = unsafe { libc::getrusage(libc::RUSAGE_SELF, &mut usage) };
    assert_eq!(failed, 0, "getrusage");
    let time = |it: libc::timeval| {
        Duration::from_secs(it.tv_sec as u64) + Duration::from_micros(it.tv_usec as u64)
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Not known here.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    Duration::ZERO
}

/// Numbers that look random, the same each time (SplitMix64).
pub fn scrambled(i: u64) -> u64 {
    let z = (i + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
