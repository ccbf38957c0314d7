//! All that threads do to each other here, over and over, for ThreadSanitizer and AddressSanitizer to watch (`verify/sanitize.sh`).
//!
//! ```text
//! cargo run --release -p verify --bin stress -- [SECONDS]
//! ```
//!
//! It uses no lock or channel of std's, because ThreadSanitizer does not see into those and would report what they protect. A run in which nothing
//! was stolen shows nothing, so at the end it asserts that much was.
#![cfg_attr(filch_loom, allow(unused))]

#[cfg(filch_loom)]
fn main() {}

#[cfg(not(filch_loom))]
fn main() {
    use std::time::{Duration, Instant};

    let seconds = std::env::args()
        .nth(1)
        .map_or(10, |seconds| seconds.parse().expect("a number of seconds"));
    filch::ThreadPoolBuilder::new()
        .num_threads(4)
        .build_global()
        .expect("the global pool");
    let (start, mut rounds) = (Instant::now(), 0);
    let stolen = |stats: &filch::Stats| stats.steals - stats.failed_steals > 100;
    // Longer on a busy machine, where few threads meet.
    while start.elapsed() < Duration::from_secs(seconds)
        || !stolen(&filch::stats()) && start.elapsed() < Duration::from_secs(10 * seconds)
    {
        stress::round(rounds);
        rounds += 1;
    }
    let stats = filch::stats();
    println!("stress: {rounds} rounds\n{stats}");
    assert!(stolen(&stats), "nothing was stolen, so nothing was tested");
}

#[cfg(not(filch_loom))]
mod stress {
    use filch::ThreadPoolBuilder;
    use filch::prelude::*;
    use std::collections::{BTreeMap, HashMap};
    use std::hint::black_box;
    use std::panic::catch_unwind;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;

    pub fn round(round: u64) {
        joins();
        scopes();
        chains(round);
        collections();
        sorts(round);
        guests();
        if round.is_multiple_of(8) {
            pools();
            panics();
        }
    }

    fn fib(n: u64) -> u64 {
        if n < 2 {
            return n;
        }
        let (a, b) = filch::join(|| fib(n - 1), || fib(n - 2));
        a + b
    }

    fn joins() {
        assert_eq!(fib(16), 987);
        // Both sides write to the caller's frame.
        let mut halves = [0u64; 2];
        let (left, right) = halves.split_at_mut(1);
        filch::join(
            || (0..2000).for_each(|i| left[0] += black_box(i)),
            || (0..2000).for_each(|i| right[0] += black_box(i)),
        );
        assert_eq!(halves, [1_999_000; 2]);
    }

    fn scopes() {
        let mut slots = [0u64; 64];
        filch::scope(|s| {
            for (i, slot) in slots.iter_mut().enumerate() {
                s.spawn(move |s| {
                    s.spawn(move |_| *slot = i as u64);
                });
            }
        });
        assert!(slots.iter().enumerate().all(|(i, &slot)| slot == i as u64));
        filch::in_place_scope_fifo(|s| {
            slots
                .chunks_mut(4)
                .for_each(|few| s.spawn_fifo(|_| few.fill(7)));
        });
        assert_eq!(slots, [7; 64]);
        assert_eq!(filch::isolate(|| fib(10)), 55);
    }

    fn chains(round: u64) {
        let n = 1 + (round % 7) * 3000;
        let items: Vec<u64> = (0..n)
            .into_par_iter()
            .map(|i| i.wrapping_mul(0x9E37))
            .collect();
        let even: Vec<u64> = items.par_iter().filter(|x| **x % 2 == 0).copied().collect();
        assert_eq!(even.len() as u64, n.div_ceil(2));
        let parts: Vec<u64> = items
            .par_iter()
            .fold(Vec::new, |mut part, x| {
                part.push(*x);
                part
            })
            .reduce(Vec::new, |mut left, mut right| {
                left.append(&mut right);
                left
            });
        assert_eq!(parts, items);
        let wanted = items[n as usize / 2];
        assert_eq!(
            items.par_iter().position_first(|x| *x == wanted),
            Some(n as usize / 2)
        );
        assert_eq!(items.par_iter().find_last(|x| **x == wanted), Some(&wanted));
        let flat = items.par_iter().flat_map(|x| (0..x % 4).into_par_iter());
        assert_eq!(
            flat.count() as u64,
            items.iter().map(|x| x % 4).sum::<u64>()
        );
        assert_eq!(
            (0..n).par_bridge().map(|i| black_box(i) + 1).sum::<u64>(),
            n * (n + 1) / 2
        );
        let mut drained = items.clone();
        let boxes: Vec<Box<u64>> = drained.par_drain(..).map(Box::new).collect();
        assert!(
            boxes
                .into_par_iter()
                .map(|x| *x)
                .eq(items.par_iter().copied())
        );
        let text: String = (0..n)
            .into_par_iter()
            .map(|i| char::from(b'a' + (i % 26) as u8))
            .collect();
        assert_eq!(
            text.par_chars().filter(|c| *c == 'c').count() as u64,
            (n + 23) / 26
        );
    }

    fn collections() {
        let map: HashMap<u64, u64> = (0..3000).into_par_iter().map(|i| (i, i * i)).collect();
        assert_eq!(map.par_iter().map(|(i, _)| i).sum::<u64>(), 4_498_500);
        let tree: BTreeMap<u64, u64> = map.into_par_iter().collect();
        assert!(tree.par_iter().all(|(i, square)| i * i == *square));
    }

    fn sorts(seed: u64) {
        let scramble = |i: u64| (i ^ seed).wrapping_mul(0x9E37_79B9_7F4A_7C15) % 5000;
        let mut items: Vec<u64> = (0..30_000).map(scramble).collect();
        let mut other = items.clone();
        items.par_sort();
        other.par_sort_unstable();
        assert_eq!(items, other);
    }

    /// Callers from outside, all at once.
    fn guests() {
        static TOTAL: AtomicU64 = AtomicU64::new(0);
        let callers: Vec<_> = (0..6)
            .map(|i| {
                thread::spawn(move || {
                    let sum: u64 = (0..4000u64).into_par_iter().map(|x| black_box(x ^ i)).sum();
                    TOTAL.fetch_add(sum + fib(8), Ordering::Relaxed);
                })
            })
            .collect();
        callers
            .into_iter()
            .for_each(|caller| caller.join().expect("no caller panics"));
        let wanted: u64 = (0..6).flat_map(|i| (0..4000).map(move |x| x ^ i)).sum();
        assert_eq!(TOTAL.swap(0, Ordering::Relaxed), wanted + 6 * 21);
    }

    fn pools() {
        let pool = ThreadPoolBuilder::new()
            .num_threads(3)
            .build()
            .expect("a pool");
        assert_eq!(pool.install(|| fib(12)), 144);
        let (here, there) = filch::join(
            || fib(10),
            || pool.install(|| filch::join(|| fib(10), || fib(9))),
        );
        assert_eq!((here, there), (55, (55, 34)));
        // Not in the global pool, which would have no guests after that.
        assert_eq!(pool.broadcast(|context| context.index()), [0, 1, 2]);
        static COUNT: AtomicU64 = AtomicU64::new(0);
        for _ in 0..20 {
            pool.spawn(|| {
                COUNT.fetch_add(1, Ordering::Relaxed);
            });
        }
        pool.shutdown();
        assert_eq!(COUNT.swap(0, Ordering::Relaxed), 20);
    }

    fn panics() {
        std::panic::set_hook(Box::new(|_| ()));
        let result = catch_unwind(|| {
            (0..5000u64)
                .into_par_iter()
                .map(|i| {
                    assert_ne!(i, 3333, "planned");
                    Box::new(i)
                })
                .collect::<Vec<_>>()
        });
        assert!(result.is_err());
        let _ = std::panic::take_hook();
    }
}
