//! `FILCH_SCHEDTRACE=1000`: a line on standard error each second for each pool, without a change to the program. 0, or nothing, is off.

use super::pool::Pool;
use super::pools;
use super::stats::Stats;
use super::thread_builder::begin_thread;
use crate::sync::Arc;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

const VARIABLE: &str = "FILCH_SCHEDTRACE";
/// The longest period, in milliseconds: a day.
const LONGEST: u64 = 86_400_000;

/// Begins to tell, if the environment asks for it. Called when a pool was built; only the first call does anything.
pub(crate) fn begin() {
    static ONCE: Once = Once::new();
    // A model has no environment, and a child process no threads.
    if !cfg!(filch_shuttle) && !super::child::is_child() {
        ONCE.call_once(|| {
            let value = std::env::var_os(VARIABLE);
            match period(value.as_deref().map(OsStr::to_string_lossy).as_deref()) {
                Ok(None) => {}
                Ok(Some(period)) => start(period),
                Err(complaint) => say(&complaint),
            }
        });
    }
}

/// The period that `value` asks for, if it asks for one.
fn period(value: Option<&str>) -> Result<Option<Duration>, String> {
    let Some(value) = value.filter(|value| !value.is_empty()) else {
        return Ok(None);
    };
    match value.trim().parse() {
        Ok(0) => Ok(None),
        Ok(ms) if ms <= LONGEST => Ok(Some(Duration::from_millis(ms))),
        _ => Err(format!(
            "filch: {VARIABLE}={value} is no period in milliseconds from 1 to {LONGEST}, nor 0 for none, so nothing is traced"
        )),
    }
}

fn start(period: Duration) {
    let tell = move || {
        let (began, mut before) = (Instant::now(), Vec::<(u64, Stats)>::new());
        loop {
            thread::sleep(period);
            let mut after = Vec::new();
            for (name, pool) in pools::all() {
                let now = pool.stats();
                let last = before.iter().find(|(number, _)| *number == pool.number);
                let last = last.map_or_else(Stats::default, |&(_, stats)| stats);
                after.push((pool.number, now));
                say(&line(began.elapsed(), &name, &pool, now - last));
            }
            // Of pools that are gone, nothing is kept.
            before = after;
        }
    };
    let thread = thread::Builder::new().name("filch-schedtrace".into());
    if let Err(error) = begin_thread(thread, Box::new(tell)) {
        say(&format!(
            "filch: {VARIABLE} traces nothing, because its thread could not be started: {error}"
        ));
    }
}

/// A line on standard error, if that can be written: no reason to panic if not.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// What a pool does now, the lengths of its queues, and what it did since the last line.
fn line(time: Duration, name: &str, pool: &Arc<Pool>, spent: Stats) -> String {
    const MOST: usize = 64;
    let load = pool.load();
    let mut line = format!(
        "filch {}ms: pool={name} threads={} searching={} asleep={} waiting={} injected={} public={} [",
        time.as_millis() as u64,
        pool.num_threads(),
        load.searching,
        load.asleep,
        load.waiting,
        load.injected,
        load.public,
    );
    // Those of the pool's own threads, then those of callers from outside.
    for (at, jobs) in pool.queues().enumerate() {
        if at == MOST {
            line += " ...";
            break;
        }
        let space = if at > 0 { " " } else { "" };
        let _ = write!(line, "{space}{jobs}");
    }
    line += "]";
    let Stats {
        jobs,
        offered,
        taken,
        steals,
        failed_steals,
        promotions,
        parks,
        wakes,
        ..
    } = spent;
    let counts = [
        ("jobs", jobs),
        ("offered", offered),
        ("taken", taken),
        ("steals", steals),
        ("failed", failed_steals),
        ("promoted", promotions),
        ("parks", parks),
        ("wakes", wakes),
    ];
    for (name, count) in counts {
        let _ = write!(line, " {name}+{count}");
    }
    line
}

#[cfg(all(test, not(filch_shuttle)))]
mod tests {
    use super::*;

    #[test]
    fn nonsense_is_refused_with_its_value() {
        for nothing in [None, Some(""), Some("0")] {
            assert_eq!(period(nothing), Ok(None));
        }
        let ms = Duration::from_millis;
        assert_eq!(period(Some("1000")), Ok(Some(ms(1000))));
        assert_eq!(period(Some(" 5 ")), Ok(Some(ms(5))));
        for nonsense in ["fast", "-1", "1.5", "86400001", "99999999999999999999999"] {
            let complaint = period(Some(nonsense)).unwrap_err();
            assert!(complaint.contains(nonsense) && !complaint.contains('\n'));
        }
    }
}
