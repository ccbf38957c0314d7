//! `Scalability`: work, span, and what they say about more threads.

use super::chart::chart;
use crate::core::meter::{BURDENED, Measured, RULES, Rules, SPAN, WORST};
use std::fmt;
use std::io::{self, Write};
use std::time::Duration;

/// The fewest threads that a chart goes up to.
const CHART: usize = 64;

/// How much of a program can run at the same time; from [`measure`](super::measure), or as bounds from [`Trace::scalability`](super::Trace::scalability).
///
/// The work is the time that the whole program takes on one thread. The span is the time of the longest chain of parts of which each has to
/// wait for the one before. No number of threads shortens it. Their quotient, the [`parallelism`](Scalability::parallelism), is how many
/// threads can be of use.
///
/// Other limits of a real machine are not seen: memory, caches, and threads that share a core.
///
/// ```
/// use filch::prelude::*;
/// let (sum, scalability) = filch::trace::measure(|| (0..10_000u64).into_par_iter().map(|n| n % 7).sum::<u64>());
/// assert_eq!(sum, 29_994);
/// let (least, most) = scalability.predicted(64);
/// assert!(least <= most && most <= 64.0);
/// ```
///
/// The ideas are those of Cilkview: He, Leiserson, Leiserson, "The Cilkview scalability analyzer" (2010).
#[derive(Debug, Clone, PartialEq)]
pub struct Scalability {
    work: Duration,
    /// As the meter's paths.
    paths: [Duration; 4],
    elapsed: Duration,
    forks: u64,
    loops: u64,
    /// What the meter itself took.
    overhead: Duration,
    /// If these are bounds that a recording gives: how many threads it is of.
    recorded: Option<u64>,
}

impl Scalability {
    pub(super) fn new(
        measured: Measured,
        rules: &Rules,
        per_ns: f64,
        elapsed: Duration,
    ) -> Scalability {
        let duration = |ticks: u64| Duration::from_nanos((ticks as f64 / per_ns) as u64);
        let overhead = rules
            .overhead
            .iter()
            .sum::<u64>()
            .saturating_mul(measured.forks);
        Scalability {
            work: duration(measured.work),
            paths: measured.paths.map(duration),
            elapsed,
            forks: measured.forks,
            loops: measured.loops,
            overhead: duration(overhead),
            recorded: None,
        }
    }

    /// What a recording of so many `threads` tells, see [`Trace::scalability`](super::Trace::scalability): the span is between `least` and `elapsed`.
    pub(super) fn of_recording(
        threads: u64,
        work: Duration,
        [least, elapsed]: [Duration; 2],
        [forks, loops]: [u64; 2],
    ) -> Scalability {
        Scalability {
            work,
            paths: std::array::from_fn(|path| if path == SPAN { least } else { elapsed }),
            elapsed,
            forks,
            loops,
            overhead: Duration::ZERO,
            recorded: Some(threads),
        }
    }

    /// The time on one thread.
    ///
    /// ```
    /// use std::{thread::sleep, time::Duration};
    /// let wait = || sleep(Duration::from_millis(2));
    /// let (_, scalability) = filch::trace::measure(|| filch::join(wait, wait));
    /// assert!(scalability.work() >= Duration::from_millis(4));
    /// ```
    pub fn work(&self) -> Duration {
        self.work
    }

    /// The time of the longest chain of parts of which each has to wait for the one before: the time on any number of threads, if to hand
    /// work over costs nothing.
    ///
    /// A parallel loop counts as its most expensive item. That is known only roughly: items between two readings of the clock, which are
    /// about 10 µs apart, are assumed to be equal. See [`span_at_most`](Scalability::span_at_most).
    ///
    /// ```
    /// use std::{thread::sleep, time::Duration};
    /// let wait = || sleep(Duration::from_millis(20));
    /// let (_, scalability) = filch::trace::measure(|| filch::join(wait, wait));
    /// assert!(scalability.span() >= Duration::from_millis(20));
    /// assert!(scalability.span() < scalability.work());
    /// ```
    pub fn span(&self) -> Duration {
        self.paths[SPAN]
    }

    /// The span if one item took all of the time between two readings of the clock; at least [`span`](Scalability::span).
    ///
    /// ```
    /// let (_, scalability) = filch::trace::measure(|| ());
    /// assert!(scalability.span_at_most() >= scalability.span());
    /// ```
    pub fn span_at_most(&self) -> Duration {
        self.paths[WORST]
    }

    /// The span with filch's rules: a parallel loop is cut in two, again and again, until a part costs too little to be handed over.
    ///
    /// Items that take 2.5 µs or less together are one piece. So this is more than [`span`](Scalability::span), which does not know filch's rules.
    ///
    /// ```
    /// let (_, scalability) = filch::trace::measure(|| ());
    /// assert!(scalability.span_of_rules() >= scalability.span());
    /// ```
    pub fn span_of_rules(&self) -> Duration {
        self.paths[RULES]
    }

    /// The span if every part that may be handed over is handed over. Each then begins about 2.5 µs later, because of a steal and a
    /// part of a wake-up.
    ///
    /// ```
    /// let (_, scalability) = filch::trace::measure(|| filch::join(|| (), || ()));
    /// assert!(scalability.burdened_span() >= scalability.span_of_rules());
    /// ```
    pub fn burdened_span(&self) -> Duration {
        self.paths[BURDENED]
    }

    /// How long the plain run took, without the meter, on one thread.
    ///
    /// ```
    /// let (_, scalability) = filch::trace::measure(|| std::thread::sleep(std::time::Duration::from_millis(2)));
    /// assert!(scalability.elapsed().as_millis() >= 2);
    /// ```
    pub fn elapsed(&self) -> Duration {
        self.elapsed
    }

    /// Work divided by span: how many threads can be of use at most. At least 1.
    ///
    /// Infinite if the span is zero and the work is not. (That is the case for a recording in which all threads worked all the time. It
    /// gives no bound.)
    ///
    /// ```
    /// let (_, scalability) = filch::trace::measure(|| filch::join(|| (), || ()));
    /// assert!(scalability.parallelism() >= 1.0);
    /// ```
    pub fn parallelism(&self) -> f64 {
        ratio(self.work, self.span())
    }

    /// The parallelism, in words.
    pub(super) fn parallelism_in_words(&self) -> String {
        let parallelism = self.parallelism();
        match (parallelism.is_infinite(), self.is_bound()) {
            (true, _) => "no bound".into(),
            (false, true) => format!("≤ {parallelism:.1}"),
            (false, false) => format!("{parallelism:.1}"),
        }
    }

    /// The speed-up with `threads` threads over one thread: the least and the most. The least assumes filch's estimate of the cost of handing over.
    ///
    /// Not more than `threads` and the [`parallelism`](Scalability::parallelism). The lower figure is the bound of greedy scheduling, with the
    /// [burdened span](Scalability::burdened_span); 0 threads count as 1.
    ///
    /// ```
    /// let (_, scalability) = filch::trace::measure(|| filch::join(|| (), || ()));
    /// let (least, most) = scalability.predicted(2);
    /// assert!(0.0 < least && least <= most && most <= 2.0);
    /// ```
    pub fn predicted(&self, threads: usize) -> (f64, f64) {
        let threads = threads.max(1) as f64;
        let most = self.parallelism().min(threads);
        if let Some(recorded) = self.recorded {
            // More threads can leave some of them out; fewer can take turns.
            let seen = ratio(self.work, self.elapsed).min(recorded.max(1) as f64);
            let part = threads / recorded.max(1) as f64;
            return ((seen * part.min(1.0)).max(1.0).min(most), most);
        }
        let work = self.work.as_secs_f64();
        let all = work / threads + self.burdened_span().as_secs_f64();
        let least = if all > 0.0 { work / all } else { 1.0 };
        (least.min(most), most)
    }

    /// Whether the times say little, because the meter took more than half as long as the measured code.
    ///
    /// ```
    /// use std::{thread::sleep, time::Duration};
    /// let (_, scalability) = filch::trace::measure(|| sleep(Duration::from_millis(5)));
    /// assert!(!scalability.is_rough());
    /// ```
    pub fn is_rough(&self) -> bool {
        self.overhead > self.work / 2
    }

    /// Whether these are bounds from a recording, not measurements; see [`Trace::scalability`](super::Trace::scalability).
    ///
    /// ```
    /// let (_, recorded) = filch::trace::record(|| filch::join(|| (), || ()));
    /// let (_, measured) = filch::trace::measure(|| filch::join(|| (), || ()));
    /// assert!(recorded.scalability().is_bound() && !measured.is_bound());
    /// ```
    pub fn is_bound(&self) -> bool {
        self.recorded.is_some()
    }

    /// Writes a chart of [`predicted`](Scalability::predicted) for 1 to `threads` threads: an SVG picture that needs no other file.
    ///
    /// ```
    /// let (_, scalability) = filch::trace::measure(|| filch::join(|| (), || ()));
    /// let mut svg = Vec::new();
    /// scalability.write_svg(&mut svg, "two closures", 16).unwrap();
    /// assert!(svg.starts_with(b"<svg"));
    /// ```
    ///
    /// # Errors
    ///
    /// What `w` says.
    pub fn write_svg(&self, mut w: impl Write, title: &str, threads: usize) -> io::Result<()> {
        w.write_all(chart(title, threads, |p| self.predicted(p)).as_bytes())
    }
}

impl Scalability {
    /// The verdict on a recording.
    fn write_bounds(&self, f: &mut fmt::Formatter<'_>, threads: u64) -> fmt::Result {
        let (work, elapsed, span) = (self.work, self.elapsed, self.span());
        if threads < 2 {
            return write!(
                f,
                "Work {work:.3?}, recorded on one thread, which says nothing of more: trace::measure does."
            );
        }
        let seen = self.predicted(threads as usize).0;
        let parallelism = self.parallelism();
        write!(
            f,
            "Work {work:.3?}, done in {elapsed:.3?} by {threads} threads, {seen:.1} times as fast as by one. "
        )?;
        if parallelism.is_infinite() {
            return f.write_str(
                "A pool had all its threads at work all the time, so this run sets no bound for more of them.",
            );
        }
        write!(
            f,
            "For {span:.3?} each pool had a thread that did not work, and more threads would not shorten that: at most {parallelism:.1} times as fast with any number, and at most {:.1} with {CHART}.",
            self.predicted(CHART).1,
        )
    }
}

/// Both are times, the second of a part of what takes the first. Without bound if the part takes no time and the whole does.
fn ratio(all: Duration, part: Duration) -> f64 {
    match (all.is_zero(), part.is_zero()) {
        (true, _) => 1.0,
        (false, true) => f64::INFINITY,
        (false, false) => (all.as_secs_f64() / part.as_secs_f64()).max(1.0),
    }
}

/// The verdict, in a few sentences.
impl fmt::Display for Scalability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(threads) = self.recorded {
            return self.write_bounds(f, threads);
        }
        let parallelism = self.parallelism();
        let (least, most) = self.predicted(CHART);
        write!(
            f,
            "Work {:.3?}, span {:.3?} ({:.3?} as filch cuts it): up to {parallelism:.1} threads can be of use, and {CHART} threads make it {least:.1} to {most:.1} times as fast. ",
            self.work,
            self.span(),
            self.span_of_rules(),
        )?;
        match parallelism {
            _ if self.forks == 0 && self.loops == 0 => f.write_str("Nothing in it is parallel.")?,
            p if p < 1.5 => {
                f.write_str("Nearly all of it is one chain of parts that follow one another.")?
            }
            _ if least < most / 2.0 => {
                f.write_str("Its parts are small beside what it costs to hand them over.")?
            }
            _ => f.write_str("Memory, caches and shared cores are not in this.")?,
        }
        if self.is_rough() {
            f.write_str(
                " Times are rough: the meter took more than half as long as what it measured.",
            )?;
        }
        Ok(())
    }
}
