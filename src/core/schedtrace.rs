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
        let (began, mut told) = (Instant::now(), Told::default());
        loop {
            thread::sleep(period);
            for line in told.next(began.elapsed(), &pools::all()) {
                say(&line);
            }
        }
    };
    let thread = thread::Builder::new().name("filch-schedtrace".into());
    if let Err(error) = begin_thread(thread, Box::new(tell)) {
        say(&format!(
            "filch: {VARIABLE} traces nothing, because its thread could not be started: {error}"
        ));
    }
}

/// What each pool had done when it was told last, by its number.
#[derive(Default)]
struct Told(Vec<(u64, Stats)>);

impl Told {
    /// A line for each pool. Of pools that are gone, nothing is kept.
    fn next(&mut self, time: Duration, pools: &[(String, Arc<Pool>)]) -> Vec<String> {
        let stats = |(_, pool): &(String, Arc<Pool>)| (pool.number, pool.stats());
        let after: Vec<_> = pools.iter().map(stats).collect();
        let before = std::mem::replace(&mut self.0, after);
        let told = pools.iter().zip(&self.0);
        let lines = told.map(|((name, pool), &(number, now))| {
            let last = before.iter().find(|(other, _)| *other == number);
            let last = last.map_or_else(Stats::default, |&(_, stats)| stats);
            line(time, name, pool, now - last)
        });
        lines.collect()
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
    use crate::core::pool::Handlers;

    fn still(workers: usize) -> Arc<Pool> {
        Pool::new(workers, 0, Handlers::default(), true, false)
    }

    /// Each line has what was done since the last one of the same pool.
    #[test]
    fn lines_are_of_what_was_done_since_the_last_ones() {
        let ([one, other], mut told) = ([2, 1].map(still), Told::default());
        let named = |name: &str, pool: &Arc<Pool>| (name.to_owned(), Arc::clone(pool));
        let pools = [named("one", &one), named("other", &other)];
        let line = |ms: u64, [one, other]: [u64; 2]| {
            let of = |name, threads, queues, jobs| {
                format!(
                    "filch {ms}ms: pool={name} threads={threads} searching=0 asleep=0 waiting=0 injected=0 public=0 [{queues}] \
                    jobs+{jobs} offered+0 taken+0 steals+0 failed+0 promoted+0 parks+0 wakes+0"
                )
            };
            [of("one", 2, "0 0", one), of("other", 1, "0", other)]
        };
        let bump = |pool: &Pool, times| (0..times).for_each(|_| pool.outside.jobs.bump());
        let mut next = |ms, pools| told.next(Duration::from_millis(ms), pools);
        bump(&one, 5);
        assert_eq!(next(1500, &pools), line(1500, [5, 0]));
        bump(&one, 2);
        bump(&other, 3);
        assert_eq!(next(2000, &pools), line(2000, [2, 3]));
        assert_eq!(next(3000, &pools), line(3000, [0, 0]));
        // One that is not told is forgotten.
        assert_eq!(next(4000, &pools[..1]), line(4000, [0, 0])[..1]);
        assert_eq!(next(5000, &pools), line(5000, [0, 3]));
    }

    #[test]
    fn no_line_has_more_than_64_queues() {
        // Not of workers: if one pool has many, recordings of other tests have less room for the events of each.
        for (guests, more) in [(62, ""), (63, " ...")] {
            let pool = still(2);
            (0..guests)
                .for_each(|_| assert!(pool.guest_desk(&pool.seats[0]).worker_number().is_none()));
            let line = line(Duration::ZERO, "many", &pool, Stats::default());
            let queues = line.split(['[', ']']).nth(1).unwrap();
            assert_eq!(queues, format!("0{}{more}", " 0".repeat(63)));
        }
    }

    /// The environment is looked at once, and not in a child of the process.
    #[cfg(unix)]
    #[test]
    fn a_complaint_is_told_once_and_not_in_a_child() {
        use super::super::child::{self, in_a_process};
        let name = "core::schedtrace::tests::a_complaint_is_told_once_and_not_in_a_child";
        let told = |value| in_a_process(name, &[(VARIABLE, value)]);
        let Some(errors) = told("often") else {
            if std::env::var(VARIABLE).is_ok_and(|value| value == "child") {
                child::begin();
            }
            begin();
            begin();
            return;
        };
        let lines = |errors: &str| errors.matches(" is no period in milliseconds").count();
        assert_eq!(lines(&errors), 1, "{errors}");
        let errors = told("child").unwrap();
        assert_eq!(lines(&errors), 0, "{errors}");
    }

    /// A period of a day does not end while a test runs.
    #[cfg(unix)]
    #[test]
    fn nothing_is_told_before_a_period_is_over() {
        use super::super::child::in_a_process;
        let name = "core::schedtrace::tests::nothing_is_told_before_a_period_is_over";
        let Some(errors) = in_a_process(name, &[(VARIABLE, "86400000")]) else {
            begin();
            let pool = super::super::start::with_what_there_is(1);
            thread::sleep(Duration::from_millis(20));
            pool.release();
            return;
        };
        assert!(!errors.contains("filch "), "{errors}");
    }

    #[cfg(unix)]
    #[test]
    fn lines_are_written_again_and_again() {
        use super::super::child::in_a_process;
        use std::io::{BufRead, BufReader};
        use std::os::fd::FromRawFd;
        let name = "core::schedtrace::tests::lines_are_written_again_and_again";
        if in_a_process(name, &[(VARIABLE, "1")]).is_some() {
            return;
        }
        let mut ends = [0; 2];
        // SAFETY: there is room for two ends.
        assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
        // SAFETY: both are open, and what is written on standard error comes out of the pipe from now on.
        assert_eq!(unsafe { libc::dup2(ends[1], 2) }, 2);
        // SAFETY: it is open, and nothing else closes it.
        let errors = unsafe { std::fs::File::from_raw_fd(ends[0]) };
        let pool = super::super::start::with_what_there_is(1);
        begin();
        let lines = BufReader::new(errors).lines().map(Result::unwrap);
        let lines = lines.filter(|line| line.starts_with("filch ") && line.contains(" threads=1 "));
        assert_eq!(lines.take(3).count(), 3);
        pool.release();
    }

    #[cfg(unix)]
    #[test]
    fn a_thread_that_cannot_be_started_is_told() {
        use super::super::child::in_a_process;
        let name = "core::schedtrace::tests::a_thread_that_cannot_be_started_is_told";
        let Some(errors) = in_a_process(name, &[(VARIABLE, "1000")]) else {
            super::super::thread_builder::refusal::after(0, begin);
            return;
        };
        assert!(errors.contains(" traces nothing, because its thread could not be started: "));
    }

    #[test]
    fn nonsense_is_refused_with_its_value() {
        for nothing in [None, Some(""), Some("0")] {
            assert_eq!(period(nothing), Ok(None));
        }
        let ms = Duration::from_millis;
        assert_eq!(period(Some("1000")), Ok(Some(ms(1000))));
        assert_eq!(period(Some(" 5 ")), Ok(Some(ms(5))));
        assert_eq!(period(Some("86400000")), Ok(Some(ms(86_400_000))));
        for nonsense in ["fast", "-1", "1.5", "86400001", "99999999999999999999999"] {
            let complaint = period(Some(nonsense)).unwrap_err();
            assert!(complaint.contains(nonsense) && !complaint.contains('\n'));
        }
    }
}
