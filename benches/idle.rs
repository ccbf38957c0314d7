//! What do threads cost that have nothing to do? Processor seconds of a program whose parallel bursts are short and far between.
//!
//! ```text
//! cargo bench -p suite --bench idle [-- --rounds N]
//! ```
//!
//! A burst is 30 us of work in 64 items; 200 us of serial work follow, and after a dozen of those the program rests for 3 ms. Nothing is gained by other
//! threads here, so the best is to use as much processor time as the work takes. The row `busy` has work for all, all the time: there a pool that is slow
//! to wake loses. Each pool runs in a process of its own, which is given a number of threads, whatever the machine has. Contenders take turns; the table
//! has the median of processor seconds and of time over what the work takes on one thread.

use std::env;
use std::hint::black_box;
use std::process::Command;
use std::time::{Duration, Instant};
use suite::processor::processor_seconds;

const ITEMS: u64 = 64;
const BURSTS: usize = 12;
const RESTS: usize = 12;
const CONTENDERS: [&str; 3] = ["sequential", "filch", "rayon"];

fn main() {
    let args: Vec<String> = env::args().skip(1).filter(|arg| arg != "--bench").collect();
    if let [one, contender, place, threads] = &args[..]
        && one == "--one"
    {
        return one_process(
            contender,
            place,
            threads.parse().expect("a number of threads"),
        );
    }
    let rounds = match &args[..] {
        [] => 9,
        [flag, rounds] if flag == "--rounds" => rounds.parse().expect("a number of rounds"),
        _ => panic!("usage: cargo bench -p suite --bench idle [-- --rounds N]"),
    };
    println!("median of {rounds} rounds                    processor seconds     time");
    for place in ["inside", "outside", "busy"] {
        for threads in ["2", "16", "64"] {
            let mut results = [(); CONTENDERS.len()].map(|()| Vec::new());
            for _ in 0..rounds {
                for (contender, results) in CONTENDERS.iter().zip(&mut results) {
                    results.push(child(contender, place, threads));
                }
            }
            let [sequential, ..] = results.each_ref().map(|of| median(of, |(_, wall)| wall));
            for (contender, results) in CONTENDERS.iter().zip(&results) {
                let cpu = median(results, |(cpu, _)| cpu);
                let wall = median(results, |(_, wall)| wall) / sequential;
                println!(
                    "{place:<8} {threads:>3} threads  {contender:<12} {cpu:>18.3} {wall:>12.2}"
                );
            }
        }
    }
}

fn median(results: &[(f64, f64)], of: impl Fn((f64, f64)) -> f64) -> f64 {
    let mut values: Vec<f64> = results.iter().map(|&result| of(result)).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Processor seconds and seconds of one run in a process of its own.
fn child(contender: &str, place: &str, threads: &str) -> (f64, f64) {
    let output = Command::new(env::current_exe().expect("this program"))
        .args(["--one", contender, place, threads])
        .env("FILCH_NUM_THREADS", threads)
        .env("RAYON_NUM_THREADS", threads)
        .output()
        .expect("a process");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut numbers = text.split_whitespace().map(|word| word.parse());
    match (numbers.next(), numbers.next()) {
        (Some(Ok(cpu)), Some(Ok(wall))) => (cpu, wall),
        _ => panic!("{contender} {place} {threads}: {output:?}"),
    }
}

/// About 0.5 us.
fn item(i: u64) -> u64 {
    (0..400u64).fold(i, |x, k| {
        black_box(x)
            .wrapping_mul(6364136223846793005)
            .wrapping_add(k)
    })
}

fn serial(time: Duration) {
    let begun = Instant::now();
    while begun.elapsed() < time {
        black_box(item(1));
    }
}

/// What a burst does: all at once, or in parallel.
type Burst = fn(u64) -> u64;

fn burst_of(contender: &str) -> Burst {
    match contender {
        "sequential" => |items| (0..items).map(item).fold(0, u64::wrapping_add),
        "filch" => |items| {
            use filch::prelude::*;
            (0..items)
                .into_par_iter()
                .map(item)
                .reduce(|| 0, u64::wrapping_add)
        },
        "rayon" => |items| {
            use rayon::prelude::*;
            (0..items)
                .into_par_iter()
                .map(item)
                .reduce(|| 0, u64::wrapping_add)
        },
        other => panic!("there is no contender {other}"),
    }
}

fn one_process(contender: &str, place: &str, threads: usize) {
    let burst = burst_of(contender);
    let run = move || match place {
        "busy" => {
            black_box(burst(400_000));
        }
        _ => {
            for _ in 0..RESTS {
                for _ in 0..BURSTS {
                    black_box(burst(ITEMS));
                    serial(Duration::from_micros(200));
                }
                std::thread::sleep(Duration::from_millis(3));
            }
        }
    };
    let measured = move || {
        black_box(burst(ITEMS));
        std::thread::sleep(Duration::from_millis(20));
        let (cpu, wall) = (processor_seconds(), Instant::now());
        run();
        (processor_seconds() - cpu, wall.elapsed().as_secs_f64())
    };
    let (cpu, wall) = match (contender, place) {
        ("filch", "inside") => {
            let pool = filch::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(measured)
        }
        ("rayon", "inside") => {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            pool.expect("threads").install(measured)
        }
        _ => measured(),
    };
    println!("{cpu} {wall}");
}
