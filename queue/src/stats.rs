//! Counts of what went through a handle, and of what workers on it did.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use crate::broker::{Depth, KindDepth, Submitted};
use crate::error::SubmitError;
use crate::id::Lane;

macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident)*) => {
        /// What went through a [`Queue`](crate::Queue) handle and its clones, in this process: of one kind in one lane, or of all.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Counts {
            $($(#[$doc])* pub $name: u64,)*
            /// How long jobs waited before their attempts: from when they could have been started.
            pub wait: Histogram,
            /// How long attempts ran.
            pub run: Histogram,
        }

        impl Counts {
            fn add(&mut self, other: &Counts) {
                $(self.$name += other.$name;)*
                self.wait.add(&other.wait);
                self.run.add(&other.run);
            }

            fn rows(&self) -> Vec<(&'static str, u64)> {
                vec![$((stringify!($name), self.$name),)*]
            }
        }
    };
}

counters! {
    /// Jobs that were accepted.
    accepted
    /// Submissions of a job that was known already.
    known
    /// Submissions that were refused because a lane was full.
    full
    /// Leases that were got.
    claimed
    /// Claims of jobs whose last attempt was lost, failed or was handed back.
    reclaimed
    /// Jobs that were done.
    done
    /// Attempts that are to be tried again.
    retried
    /// Attempts that ended in a job's death.
    dead
    /// Jobs that were handed back.
    returned
    /// Results that came too late and changed nothing.
    stale
    /// Renewals that went well.
    renewed
    /// Renewals that failed because the backend did.
    renewals_failed
}

/// Times, counted by how long they are.
///
/// ```
/// use filch_queue::{Histogram, Limits, Queue};
/// let run: Histogram = Queue::mem("q", Limits::default()).stats().all.run;
/// assert_eq!(run.count(), 0);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Histogram {
    /// One for each bound, and one for what is longer than all.
    buckets: [u64; Histogram::BOUNDS.len() + 1],
    sum: Duration,
}

impl Histogram {
    /// The upper ends of the buckets, in milliseconds.
    pub const BOUNDS: [u64; 14] = [
        1, 5, 10, 50, 100, 500, 1_000, 5_000, 10_000, 50_000, 100_000, 500_000, 1_000_000,
        5_000_000,
    ];

    /// How many times there are.
    pub fn count(&self) -> u64 {
        self.buckets.iter().sum()
    }

    /// Their sum.
    pub fn sum(&self) -> Duration {
        self.sum
    }

    /// How many are no longer than each of the bounds.
    pub fn up_to(&self) -> impl Iterator<Item = (Duration, u64)> {
        let bounds = Self::BOUNDS.map(Duration::from_millis);
        let mut count = 0;
        bounds
            .into_iter()
            .zip(self.buckets)
            .map(move |(bound, of)| {
                count += of;
                (bound, count)
            })
    }

    fn note(&mut self, time: Duration) {
        let at = Self::BOUNDS.partition_point(|&bound| Duration::from_millis(bound) < time);
        self.buckets[at] += 1;
        self.sum = self.sum.saturating_add(time);
    }

    fn add(&mut self, other: &Histogram) {
        for (bucket, more) in self.buckets.iter_mut().zip(other.buckets) {
            *bucket += more;
        }
        self.sum = self.sum.saturating_add(other.sum);
    }
}

/// What went through a [`Queue`](crate::Queue) handle and its clones, in this process.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// All kinds in all lanes.
    pub all: Counts,
    /// By lane and kind, in their order.
    pub kinds: Vec<(Lane, String, Counts)>,
    /// How often each lane waited while a job of a higher one was taken, in the order of [`Lane::ALL`].
    pub passed_over: [u64; 3],
}

#[derive(Default)]
pub(crate) struct Counters {
    kinds: Mutex<BTreeMap<String, [Counts; 3]>>,
    passed_over: Mutex<[u64; 3]>,
}

impl Counters {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, [Counts; 3]>> {
        self.kinds
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    pub fn count(&self, lane: Lane, kind: &str, change: impl FnOnce(&mut Counts)) {
        let mut kinds = self.lock();
        // A name is copied once, not for each job.
        if !kinds.contains_key(kind) {
            kinds.insert(kind.to_owned(), Default::default());
        }
        if let Some(lanes) = kinds.get_mut(kind) {
            change(&mut lanes[lane.index()]);
        }
    }

    pub fn waited(&self, lane: Lane, kind: &str, time: Duration) {
        self.count(lane, kind, |counts| counts.wait.note(time));
    }

    pub fn ran(&self, lane: Lane, kind: &str, time: Duration) {
        self.count(lane, kind, |counts| counts.run.note(time));
    }

    pub fn passed_over(&self, more: [u64; 3]) {
        let mut all = self
            .passed_over
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        for (count, more) in all.iter_mut().zip(more) {
            *count += more;
        }
    }

    pub fn submitted(&self, lane: Lane, kind: &str, answer: &Result<Submitted, SubmitError>) {
        self.count(lane, kind, |counts| match answer {
            Ok(Submitted::New) => counts.accepted += 1,
            Ok(Submitted::Known) => counts.known += 1,
            Err(SubmitError::Full { .. }) => counts.full += 1,
            Err(_) => {}
        });
    }

    pub fn read(&self) -> Stats {
        let mut stats = Stats {
            passed_over: *self
                .passed_over
                .lock()
                .unwrap_or_else(|poison| poison.into_inner()),
            ..Stats::default()
        };
        let kinds = self.lock();
        for lane in Lane::ALL {
            for (kind, lanes) in kinds.iter() {
                let counts = lanes[lane.index()];
                if counts != Counts::default() {
                    stats.all.add(&counts);
                    stats.kinds.push((lane, kind.clone(), counts));
                }
            }
        }
        stats
    }
}

/// A text between quotes, as Prometheus reads it.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\"{}\"", escaped.replace('\n', "\\n"))
}

impl Stats {
    /// Counts, times and depth in Prometheus' text format. [`Queue::to_prometheus`](crate::Queue::to_prometheus) asks for all of it.
    ///
    /// ```
    /// use filch_queue::{Limits, Queue};
    /// let queue = Queue::mem("q", Limits::default());
    /// let text = queue.stats().to_prometheus(&queue.depth().unwrap(), &[]);
    /// assert!(text.contains("filch_queue_jobs{lane=\"high\",state=\"queued\"} 0\n"));
    /// ```
    pub fn to_prometheus(&self, depth: &Depth, kinds: &[KindDepth]) -> String {
        let mut text = String::new();
        // Writing to a string cannot fail.
        for (at, (name, _)) in Counts::default().rows().into_iter().enumerate() {
            let _ = writeln!(text, "# TYPE filch_queue_{name}_total counter");
            for (lane, kind, counts) in &self.kinds {
                let (kind, value) = (quoted(kind), counts.rows()[at].1);
                let _ = writeln!(
                    text,
                    "filch_queue_{name}_total{{lane=\"{lane}\",kind={kind}}} {value}"
                );
            }
        }
        for (name, of) in [
            ("wait", (|counts| counts.wait) as fn(&Counts) -> Histogram),
            ("run", |counts| counts.run),
        ] {
            let _ = writeln!(text, "# TYPE filch_queue_{name}_seconds histogram");
            for (lane, kind, counts) in &self.kinds {
                let labels = format!("lane=\"{lane}\",kind={}", quoted(kind));
                write_histogram(&mut text, name, &labels, &of(counts));
            }
        }
        let _ = writeln!(text, "# TYPE filch_queue_passed_over_total counter");
        for (lane, count) in Lane::ALL.iter().zip(self.passed_over) {
            let _ = writeln!(
                text,
                "filch_queue_passed_over_total{{lane=\"{lane}\"}} {count}"
            );
        }
        write_depth(&mut text, depth, kinds);
        text
    }
}

fn write_histogram(text: &mut String, name: &str, labels: &str, of: &Histogram) {
    for (bound, count) in of.up_to() {
        let bound = bound.as_secs_f64();
        let _ = writeln!(
            text,
            "filch_queue_{name}_seconds_bucket{{{labels},le=\"{bound}\"}} {count}"
        );
    }
    let (count, sum) = (of.count(), of.sum().as_secs_f64());
    let _ = writeln!(
        text,
        "filch_queue_{name}_seconds_bucket{{{labels},le=\"+Inf\"}} {count}\n\
         filch_queue_{name}_seconds_sum{{{labels}}} {sum}\n\
         filch_queue_{name}_seconds_count{{{labels}}} {count}"
    );
}

fn write_depth(text: &mut String, depth: &Depth, kinds: &[KindDepth]) {
    let _ = writeln!(text, "# TYPE filch_queue_jobs gauge");
    for lane in Lane::ALL {
        let of = depth.lane(lane);
        for (state, value) in [
            ("queued", of.queued),
            ("delayed", of.delayed),
            ("leased", of.leased),
        ] {
            let _ = writeln!(
                text,
                "filch_queue_jobs{{lane=\"{lane}\",state=\"{state}\"}} {value}"
            );
        }
    }
    let _ = writeln!(text, "# TYPE filch_queue_kind_jobs gauge");
    for of in kinds {
        for (state, value) in [
            ("queued", of.queued),
            ("delayed", of.delayed),
            ("leased", of.leased),
        ] {
            let (lane, kind) = (of.lane, quoted(&of.kind));
            let _ = writeln!(
                text,
                "filch_queue_kind_jobs{{lane=\"{lane}\",kind={kind},state=\"{state}\"}} {value}"
            );
        }
    }
    let _ = writeln!(text, "# TYPE filch_queue_oldest_seconds gauge");
    for of in kinds {
        let (lane, kind, oldest) = (of.lane, quoted(&of.kind), of.oldest.as_secs_f64());
        let _ = writeln!(
            text,
            "filch_queue_oldest_seconds{{lane=\"{lane}\",kind={kind}}} {oldest}"
        );
    }
    let _ = writeln!(
        text,
        "# TYPE filch_queue_dead gauge\nfilch_queue_dead {}",
        depth.dead
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_counted_by_their_lengths() {
        let mut histogram = Histogram::default();
        for millis in [0, 1, 2, 5, 6, 6_000_000] {
            histogram.note(Duration::from_millis(millis));
        }
        let counts: Vec<u64> = histogram.up_to().map(|(_, count)| count).collect();
        assert_eq!(counts[..4], [2, 4, 5, 5]);
        assert_eq!((counts[13], histogram.count()), (5, 6));
    }

    #[test]
    fn a_hostile_kind_stays_between_its_quotes() {
        assert_eq!(quoted("a\"} 1\nb\\"), "\"a\\\"} 1\\nb\\\\\"");
    }
}
