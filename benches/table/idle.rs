//! The CPU time that a pool takes while it has nothing to do.

use std::{hint::black_box, thread, time::Duration};

use suite::{chili_fib, chili_pool, ours, rayon, scheduler};

/// Starts and uses one contender's pool, lets it come to rest, and returns the
/// CPU time of its threads in the 5 seconds that follow, in milliseconds.
pub fn cpu_milliseconds(whose: &str, threads: usize, quick: bool) -> String {
    let chili;
    match whose {
        "ours" => {
            ours::set_global(threads);
            black_box(ours::fib(20));
        }
        "rayon" => {
            rayon::set_global(threads);
            black_box(rayon::fib(20));
        }
        "chili" => {
            chili = chili_pool(threads);
            black_box(chili_fib(&mut chili.scope(), 20));
        }
        _ => return format!("no pool of the name {whose}"),
    }
    thread::sleep(Duration::from_millis(200));
    let seconds = if quick { 1 } else { 5 };
    let before = scheduler::times(false);
    thread::sleep(Duration::from_secs(seconds));
    let after = scheduler::times(false);
    match before.zip(after) {
        Some((before, after)) => format!(
            "{:.3}",
            (after.ran - before.ran) as f64 / 1e6 * 5.0 / seconds as f64
        ),
        None => "not on this system".to_string(),
    }
}
