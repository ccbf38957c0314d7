//! The counters of all pools in the text format that Prometheus reads.

use super::histogram::Histogram;
use super::pool::Pool;
use super::pools;
use super::snapshot::{Load, SeatStats};
use super::stats::Stats;
use crate::sync::Arc;
use std::fmt::{self, Write};
use std::time::Duration;

/// A pool as it was a moment ago.
struct Snapshot {
    name: String,
    pool: Arc<Pool>,
    all: Stats,
    load: Load,
    threads: Vec<SeatStats>,
}

/// Writes what all pools of this process have done, and are doing, in [Prometheus's text format][format]. Not in rayon.
///
/// The global pool is called `global`, others by a number in the order in which they were built; `seat` is a thread of the pool, as in
/// [`seats`](crate::seats). Times are in seconds. Serve the text as `text/plain; version=0.0.4`.
///
/// ```
/// filch::join(|| (), || ());
/// let mut text = String::new();
/// filch::prometheus(&mut text).unwrap();
/// assert!(text.contains("# TYPE filch_jobs_total counter"));
/// assert!(text.contains("filch_threads{pool=\"global\"}"));
/// ```
///
/// # Errors
///
/// When `w` fails. Then part of the text was written.
///
/// [format]: https://prometheus.io/docs/instrumenting/exposition_formats/
pub fn prometheus(w: &mut impl Write) -> fmt::Result {
    let pools: Vec<_> = pools::all()
        .into_iter()
        .map(|(name, pool)| Snapshot {
            threads: pool.seat_stats(),
            all: pool.stats(),
            load: pool.load(),
            name,
            pool,
        })
        .collect();
    write(w, &pools)
}

fn write(w: &mut impl Write, pools: &[Snapshot]) -> fmt::Result {
    gauge(w, pools, "threads", "Threads of the pool", |pool| {
        pool.pool.num_threads()
    })?;
    for (name, help, value) in COUNTERS {
        per_thread(w, pools, name, help, |seat| value(seat).to_string())?;
    }
    for (name, help, value) in TIMES {
        per_thread(w, pools, name, help, |seat| {
            value(seat).as_secs_f64().to_string()
        })?;
    }
    for (name, help, value) in HISTOGRAMS {
        histograms(w, pools, name, help, *value)?;
    }
    for (name, help, value) in OF_ALL {
        head(w, name, help, "counter")?;
        for pool in pools {
            line(w, name, &pool.name, "", value(&pool.all))?;
        }
    }
    head(w, "queue_depth", "Jobs in the queue of a thread", "gauge")?;
    for pool in pools {
        for (seat, jobs) in pool.pool.queues().enumerate() {
            line(w, "queue_depth", &pool.name, &seat_label(seat), jobs)?;
        }
    }
    for (name, help, value) in LOADS {
        gauge(w, pools, name, help, |pool| value(&pool.load))?;
    }
    Ok(())
}

type Of<T, F = SeatStats> = fn(&F) -> T;

/// What threads without a desk count, too.
const OF_ALL: &[(&str, &str, Of<u64, Stats>)] = &[
    ("wakes_total", "Wake-ups sent", |all| all.wakes),
    ("injected_total", "Jobs from outside", |all| all.injected),
    (
        "guests_total",
        "Calls that ran on the thread of their caller",
        |all| all.guests,
    ),
];

const LOADS: &[(&str, &str, Of<usize, Load>)] = &[
    ("injected_jobs", "Jobs from outside that wait", |load| {
        load.injected
    }),
    ("searching_threads", "Threads that look for work", |load| {
        load.searching as usize
    }),
    (
        "sleeping_threads",
        "Threads that sleep for want of work",
        |load| load.asleep as usize,
    ),
    (
        "waiting_threads",
        "Threads that sleep inside a wait",
        |load| load.waiting as usize,
    ),
];

const COUNTERS: &[(&str, &str, Of<u64>)] = &[
    ("jobs_total", "Jobs run from a queue", |seat| {
        seat.stats.jobs
    }),
    (
        "pieces_total",
        "Of these, pieces of parallel iterators",
        |seat| seat.stats.pieces,
    ),
    ("offered_total", "Pieces offered to others", |seat| {
        seat.stats.offered
    }),
    ("taken_total", "Of these, taken by another thread", |seat| {
        seat.stats.taken
    }),
    (
        "looks_total",
        "Looks through the queues of other threads",
        |seat| seat.stats.looks,
    ),
    (
        "visits_total",
        "Queues of other threads that were looked at",
        |seat| seat.stats.visits,
    ),
    ("steals_total", "Attempts to steal", |seat| {
        seat.stats.steals
    }),
    ("failed_steals_total", "Of these, in vain", |seat| {
        seat.stats.failed_steals
    }),
    ("promotions_total", "Join jobs made public", |seat| {
        seat.stats.promotions
    }),
    ("parks_total", "Times a thread went to sleep", |seat| {
        seat.stats.parks
    }),
];

const TIMES: &[(&str, &str, Of<Duration>)] = &[
    (
        "searched_seconds_total",
        "Time spent looking for work",
        |seat| seat.searched,
    ),
    ("slept_seconds_total", "Time asleep", |seat| seat.slept),
];

const HISTOGRAMS: &[(&str, &str, Of<Histogram>)] = &[
    ("block_seconds", "Blocks of parallel iterators", |seat| {
        seat.block
    }),
    (
        "wake_seconds",
        "From a call for a sleeper until it goes on",
        |seat| seat.wake,
    ),
];

fn head(w: &mut impl Write, name: &str, help: &str, kind: &str) -> fmt::Result {
    writeln!(w, "# HELP filch_{name} {help}.\n# TYPE filch_{name} {kind}")
}

/// A sample; `more` are labels beside that of the pool, each with a comma before it.
fn line(
    w: &mut impl Write,
    name: &str,
    pool: &str,
    more: &str,
    value: impl fmt::Display,
) -> fmt::Result {
    writeln!(w, "filch_{name}{{pool=\"{pool}\"{more}}} {value}")
}

fn seat_label(seat: usize) -> String {
    format!(",seat=\"{seat}\"")
}

fn gauge(
    w: &mut impl Write,
    pools: &[Snapshot],
    name: &str,
    help: &str,
    value: impl Fn(&Snapshot) -> usize,
) -> fmt::Result {
    head(w, name, help, "gauge")?;
    for pool in pools {
        line(w, name, &pool.name, "", value(pool))?;
    }
    Ok(())
}

fn per_thread(
    w: &mut impl Write,
    pools: &[Snapshot],
    name: &str,
    help: &str,
    value: impl Fn(&SeatStats) -> String,
) -> fmt::Result {
    head(w, name, help, "counter")?;
    for pool in pools {
        for (seat, thread) in pool.threads.iter().enumerate() {
            line(w, name, &pool.name, &seat_label(seat), value(thread))?;
        }
    }
    Ok(())
}

/// One histogram for each pool, of all its threads.
fn histograms(
    w: &mut impl Write,
    pools: &[Snapshot],
    name: &str,
    help: &str,
    value: Of<Histogram>,
) -> fmt::Result {
    head(w, name, help, "histogram")?;
    for pool in pools {
        let mut all = Histogram::default();
        pool.threads.iter().for_each(|seat| all += value(seat));
        let bucket = format!("{name}_bucket");
        let mut below = 0;
        // The last bucket has no bound.
        let bounded = all.buckets().count() - 1;
        for (bound, count) in all.buckets().take(bounded) {
            below += count;
            let bound = format!(",le=\"{}\"", bound.as_secs_f64());
            line(w, &bucket, &pool.name, &bound, below)?;
        }
        line(w, &bucket, &pool.name, ",le=\"+Inf\"", all.count())?;
        let total = all.total().as_secs_f64();
        line(w, &format!("{name}_sum"), &pool.name, "", total)?;
        line(w, &format!("{name}_count"), &pool.name, "", all.count())?;
    }
    Ok(())
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests;
