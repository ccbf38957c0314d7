//! A progress bar for a parallel loop: on a terminal it moves, and into a pipe nothing is written.
//!
//! `cargo run --release --example progress_bar -- [items]`

use std::env;
use std::time::{Duration, Instant};

use filch::ext::*;
use filch::prelude::*;
use indicatif::{ProgressBar, ProgressStyle};

fn main() {
    let items: u64 = env::args()
        .nth(1)
        .map_or(30_000, |n| n.parse().expect("usage: progress_bar [items]"));

    let bar = bar("sequential", items);
    let (expected, one) = timed(|| sequential(items, &bar));
    bar.finish_and_clear();
    let bar = self::bar("parallel", items);
    let (sum, all) = timed(|| parallel(items, &bar));
    bar.finish_and_clear();

    assert_eq!(sum, expected, "the two ways disagree");
    assert_eq!(bar.position(), items, "items that the bar missed");
    println!("{items} items, sum {sum:#x}");
    println!(
        "sequential {one:.2?}, on {} threads {all:.2?}: speed-up {:.2}",
        filch::current_num_threads(),
        one.as_secs_f64() / all.as_secs_f64()
    );
}

/// Draws on standard error, and only if that is a terminal; otherwise it counts and stays silent.
fn bar(name: &'static str, items: u64) -> ProgressBar {
    let style = ProgressStyle::with_template("{msg:<10} {wide_bar} {pos}/{len} {eta} left")
        .expect("a valid template");
    ProgressBar::new(items).with_style(style).with_message(name)
}

fn sequential(items: u64, bar: &ProgressBar) -> u64 {
    (0..items)
        .map(work)
        .inspect(|_| bar.inc(1))
        .fold(0, u64::wrapping_add)
}

/// `progress` is told how many items went by once a block of about 10 microseconds, so it costs nothing an item, however cheap items are.
/// (`inspect(|_| bar.inc(1))` takes 100 nanoseconds if all threads do it at once.)
///
/// With filch's feature `indicatif` the same is `.progress_with(bar.clone())`, which also sets the length of the bar.
fn parallel(items: u64, bar: &ProgressBar) -> u64 {
    let items = (0..items).into_par_iter();
    #[cfg(feature = "indicatif")]
    let items = items.progress_with(bar.clone());
    #[cfg(not(feature = "indicatif"))]
    let items = items.progress(|n| bar.inc(n as u64));
    items.map(work).reduce(|| 0, u64::wrapping_add)
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
