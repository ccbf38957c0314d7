//! What does the same short region cost that a program calls again and again from outside, and what do threads burn between the calls?
//!
//! ```text
//! cargo bench -p suite --bench regions [-- --rounds N]
//! ```
//!
//! Two threads, one process, contenders that take turns. A sample is a batch of calls; its time is divided by that of the round's sequential batch (of
//! rayon's, for spawned tasks, which have no sequential counterpart). The table has the least and the median of these ratios, and the processor seconds that
//! all threads of the process used for each second of sequential work.

use std::env;
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::time::{Duration, Instant};
use suite::processor::processor_seconds;

/// Between two samples, so that the threads of the contender before are asleep.
const PAUSE: Duration = Duration::from_millis(2);
const TASKS: usize = 1000;

fn main() {
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    let rounds = match &args[..] {
        [] => 61,
        [flag, rounds] if flag == "--rounds" => rounds.parse().expect("a number of rounds"),
        _ => panic!("usage: cargo bench -p suite --bench regions [-- --rounds N]"),
    };
    let threads = 2;
    for variable in ["FILCH_NUM_THREADS", "RAYON_NUM_THREADS"] {
        // SAFETY: no other thread has been started.
        unsafe { env::set_var(variable, threads.to_string()) };
    }
    println!(
        "{rounds} rounds                                     least   median  processor seconds"
    );
    for (items, cost, calls) in [
        (512, 130, 50),
        (5_000, 130, 5),
        (512, 1, 5_000),
        (5_000, 1, 500),
    ] {
        let row = format!("{items} items of {cost} ns");
        // A step takes about 1.3 ns, for it needs the result of the one before.
        let steps = (cost * 3 / 4).max(1);
        let batches: [Contender<'_>; 3] = [
            ("sequential", Box::new(move || sequential(items, steps))),
            ("filch", Box::new(move || filch(items, steps))),
            ("rayon", Box::new(move || rayon(items, steps))),
        ];
        table(&row, rounds, calls, batches);
    }
    let done = AtomicUsize::new(0);
    let task = || _ = done.fetch_add(1, Relaxed);
    table(
        "1000 empty tasks in a scope",
        rounds,
        5,
        [
            (
                "rayon",
                Box::new(|| {
                    rayon::scope(|s| (0..TASKS).for_each(|_| s.spawn(|_| task())));
                }) as Box<dyn Fn() + '_>,
            ),
            (
                "filch",
                Box::new(|| {
                    filch::scope(|s| (0..TASKS).for_each(|_| s.spawn(|_| task())));
                }),
            ),
        ],
    );
}

type Contender<'a> = (&'static str, Box<dyn Fn() + 'a>);

/// Prints a row for each contender; ratios are over the first.
fn table<const N: usize>(row: &str, rounds: usize, calls: usize, contenders: [Contender<'_>; N]) {
    let mut ratios = [(); N].map(|()| Vec::new());
    let mut spent = [0.0; N];
    let mut base = 0.0;
    for round in 0..rounds + 1 {
        let mut times = [0.0; N];
        for turn in 0..N {
            let at = (turn + round) % N;
            std::thread::sleep(PAUSE);
            let (cpu, start) = (processor_seconds(), Instant::now());
            for _ in 0..calls {
                contenders[at].1();
            }
            times[at] = start.elapsed().as_secs_f64();
            // What its threads burn after the last call is its own.
            std::thread::sleep(PAUSE);
            if round > 0 {
                spent[at] += processor_seconds() - cpu;
            }
        }
        // The first round warms up.
        if round > 0 {
            base += times[0];
            for (ratios, time) in ratios.iter_mut().zip(times) {
                ratios.push(time / times[0]);
            }
        }
    }
    println!(
        "{row}: {:.2} us a call of {}",
        base / (rounds * calls) as f64 * 1e6,
        contenders[0].0
    );
    for ((name, _), (ratios, spent)) in contenders.iter().zip(ratios.iter_mut().zip(spent)) {
        ratios.sort_by(f64::total_cmp);
        let (least, median) = (ratios[0], ratios[ratios.len() / 2]);
        let spent = spent / base;
        println!("    {name:<38} {least:>8.2} {median:>8.2} {spent:>8.2}");
    }
}

fn item(i: u64, steps: u64) -> u64 {
    (0..steps).fold(i, |x, k| (x ^ k).wrapping_mul(6364136223846793005))
}

fn sequential(items: u64, steps: u64) {
    black_box((0..black_box(items)).fold(0, |sum: u64, i| sum.wrapping_add(item(i, steps))));
}

fn filch(items: u64, steps: u64) {
    use filch::prelude::*;
    let results = (0..black_box(items))
        .into_par_iter()
        .map(|i| item(i, steps));
    black_box(results.reduce(|| 0, u64::wrapping_add));
}

fn rayon(items: u64, steps: u64) {
    use rayon::prelude::*;
    let results = (0..black_box(items))
        .into_par_iter()
        .map(|i| item(i, steps));
    black_box(results.reduce(|| 0, u64::wrapping_add));
}
