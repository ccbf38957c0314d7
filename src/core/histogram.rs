//! Histograms of times, in powers of two: 40 numbers, one writer, and a few instructions for each time.

use super::clock;
use crate::sync::{AtomicU64, Ordering};
use std::ops::{AddAssign, Sub};
use std::time::Duration;

/// Bucket `i` counts times of 2^i nanoseconds and more, but less than 2^(i + 1); the last one also what is longer, from 9 minutes on.
const BUCKETS: usize = 40;

/// How often times of each length occurred: a snapshot of what is counted while a pool runs.
///
/// Times are sorted into buckets whose bounds are powers of two, in nanoseconds. So every answer is right to a factor of two. As with
/// [`Stats`](crate::Stats), take one before and one after, and subtract.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
/// pool.install(|| {
///     use filch::prelude::*;
///     (0..1_000_000u64).into_par_iter().map(|i| i ^ 1).sum::<u64>()
/// });
/// let mut blocks = filch::Histogram::default();
/// pool.seats().iter().for_each(|seat| blocks += seat.block);
/// println!("{} blocks, nine of ten took less than {:?}", blocks.count(), blocks.quantile(0.9));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Histogram {
    counts: [u64; BUCKETS],
    nanoseconds: u64,
}

impl Histogram {
    /// How many times were counted.
    ///
    /// ```
    /// assert_eq!(filch::Histogram::default().count(), 0);
    /// ```
    pub fn count(&self) -> u64 {
        self.counts
            .iter()
            .fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// All the times together.
    ///
    /// ```
    /// assert!(filch::Histogram::default().total().is_zero());
    /// ```
    pub fn total(&self) -> Duration {
        Duration::from_nanos(self.nanoseconds)
    }

    /// The least bound of a bucket that is above a share `q` of all times, from 0 to 1: 0.5 for the median. Zero, if there are no times.
    ///
    /// ```
    /// use std::time::Duration;
    /// assert_eq!(filch::Histogram::default().quantile(0.5), Duration::ZERO);
    /// ```
    ///
    /// # Panics
    ///
    /// If `q` is less than 0, more than 1, or no number.
    pub fn quantile(&self, q: f64) -> Duration {
        assert!(
            (0.0..=1.0).contains(&q),
            "filch: Histogram::quantile takes a share from 0 to 1, not {q}"
        );
        let wanted = (q * self.count() as f64).ceil().max(1.0);
        let mut so_far = 0u64;
        let bucket = self.buckets().find(|&(_, count)| {
            // If a later snapshot was subtracted from an earlier one, the counts are as large as can be.
            so_far = so_far.saturating_add(count);
            so_far as f64 >= wanted
        });
        bucket.map_or(Duration::ZERO, |(bound, _)| bound)
    }

    /// The buckets from the shortest times to the longest: the bound that all times in it are below, and how many there are. The last one also
    /// counts what is longer than its bound.
    ///
    /// ```
    /// let all = filch::Histogram::default();
    /// assert_eq!(all.buckets().map(|(_, count)| count).sum::<u64>(), all.count());
    /// assert!(all.buckets().is_sorted_by_key(|(bound, _)| bound));
    /// ```
    pub fn buckets(&self) -> impl Iterator<Item = (Duration, u64)> {
        let bound = |at| Duration::from_nanos(2u64 << at);
        (0..BUCKETS).map(bound).zip(self.counts)
    }
}

impl Default for Histogram {
    fn default() -> Self {
        Histogram {
            counts: [0; BUCKETS],
            nanoseconds: 0,
        }
    }
}

impl Sub for Histogram {
    type Output = Histogram;

    fn sub(mut self, earlier: Histogram) -> Histogram {
        for (count, earlier) in self.counts.iter_mut().zip(earlier.counts) {
            *count = count.wrapping_sub(earlier);
        }
        self.nanoseconds = self.nanoseconds.wrapping_sub(earlier.nanoseconds);
        self
    }
}

impl AddAssign for Histogram {
    fn add_assign(&mut self, other: Histogram) {
        for (count, other) in self.counts.iter_mut().zip(other.counts) {
            *count = count.wrapping_add(other);
        }
        self.nanoseconds = self.nanoseconds.wrapping_add(other.nanoseconds);
    }
}

/// A histogram that is being counted, by one thread at a time.
#[derive(Debug)]
pub(crate) struct Buckets {
    counts: [AtomicU64; BUCKETS],
    nanoseconds: AtomicU64,
}

impl Default for Buckets {
    fn default() -> Self {
        Buckets {
            counts: std::array::from_fn(|_| AtomicU64::new(0)),
            nanoseconds: AtomicU64::new(0),
        }
    }
}

impl Buckets {
    /// Counts a time of so many ticks.
    #[inline]
    pub(crate) fn count(&self, ticks: u64) {
        let ns = (ticks as f64 / clock::per_ns()) as u64;
        let bucket = (ns | 1).ilog2() as usize;
        add(&self.counts[bucket.min(BUCKETS - 1)], 1);
        add(&self.nanoseconds, ns);
    }

    /// What was counted so far.
    pub(crate) fn read(&self) -> Histogram {
        let read = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Histogram {
            counts: self.counts.each_ref().map(read),
            nanoseconds: read(&self.nanoseconds),
        }
    }
}

/// Adds, where no other thread writes.
#[inline]
pub(crate) fn add(to: &AtomicU64, more: u64) {
    let sum = to.load(Ordering::Relaxed).wrapping_add(more);
    to.store(sum, Ordering::Relaxed);
}

#[cfg(all(test, not(filch_shuttle)))]
mod tests {
    use super::*;

    fn of(times: &[u64]) -> Histogram {
        // So that a tick is no nanosecond, where that is so.
        clock::calibrate();
        let buckets = Buckets::default();
        for &ns in times {
            // A tick more than it takes, for what is lost in rounding.
            buckets.count((ns as f64 * clock::per_ns()).ceil() as u64);
        }
        buckets.read()
    }

    #[test]
    fn each_time_is_below_its_bound_and_not_below_half_of_it() {
        for exponent in 1..38 {
            let all = of(&[3 << exponent]);
            let (bound, _) = all.buckets().find(|&(_, count)| count > 0).unwrap();
            assert_eq!(bound, Duration::from_nanos(4 << exponent));
            assert_eq!(all.quantile(0.0), bound);
            assert_eq!(all.quantile(1.0), bound);
        }
    }

    #[test]
    fn the_shortest_and_the_longest_times_have_buckets() {
        let all = of(&[0, 1, u64::MAX >> 12]);
        assert_eq!(all.count(), 3);
        let counts: Vec<_> = all.buckets().map(|(_, count)| count).collect();
        assert_eq!((counts[0], counts[BUCKETS - 1]), (2, 1));
    }

    #[test]
    fn quantiles_count_from_below() {
        let all = of(&[100, 100, 100, 1000]);
        let ns = |q| all.quantile(q).as_nanos();
        assert_eq!(
            [ns(0.5), ns(0.75), ns(0.76), ns(1.0)],
            [128, 128, 1024, 1024]
        );
        let none = all - all;
        assert_eq!((none.count(), none.quantile(0.5)), (0, Duration::ZERO));
        let mut twice = all;
        twice += all;
        assert_eq!(twice.count(), 8);
        assert_eq!(twice.total(), 2 * all.total());
    }

    #[test]
    fn nothing_is_counted_at_first_and_the_sum_is_of_all_times() {
        let none = Histogram::default();
        assert_eq!(
            (none.count(), none.total(), of(&[])),
            (0, Duration::ZERO, none)
        );
        let ns = Duration::from_nanos;
        clock::mock::with(0, || {
            let [few, more] = [of(&[3, 100]), of(&[3, 100, 5000])];
            assert_eq!((few.total(), more.total()), (ns(103), ns(5103)));
            let mut later = more - few;
            assert_eq!((later.count(), later.total()), (1, ns(5000)));
            later += few;
            assert_eq!(later, more);
        });
    }

    #[test]
    fn snapshots_in_the_wrong_order_overflow_nothing() {
        let wrong = of(&[100]) - of(&[100, 100, 1000, 1000, 1000]);
        let bounds: Vec<_> = wrong.buckets().map(|(bound, _)| bound).collect();
        assert_eq!(wrong.count(), u64::MAX);
        assert!(bounds.contains(&wrong.quantile(0.5)));
        assert!(bounds.contains(&wrong.quantile(1.0)));
    }

    #[test]
    #[should_panic(expected = "takes a share from 0 to 1, not 50")]
    fn a_percentage_is_no_share() {
        let _ = Histogram::default().quantile(50.0);
    }
}
