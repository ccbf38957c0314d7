//! Bounds for the speed-up by more threads, from a recording alone.

use super::recording::Trace;
use super::scalability::Scalability;
use super::summary::Summary;
use crate::core::event::Kind;

impl Trace {
    /// Bounds for the speed-up with more threads, from this recording alone.
    ///
    /// A recording does not see joins that no other thread took, so it does not know the span. But the span is at most the time of the run.
    /// And it is at least the time in which not all threads worked although no work was left in the queues, because then they waited for a
    /// chain of steps. With several pools, that is the time in which each pool had a thread that did not work, because a thread of one pool
    /// does not run the work of another. So of the [`Scalability`], [`span`](Scalability::span) is that time;
    /// [`span_at_most`](Scalability::span_at_most), [`span_of_rules`](Scalability::span_of_rules) and
    /// [`burdened_span`](Scalability::burdened_span) are what the run took; and [`predicted`](Scalability::predicted) lies between what was
    /// seen and what the shortest span allows. The work is that of all threads. When none of them worked, code outside of pools may have
    /// run, which counts as one thread. [`measure`](super::measure) finds the work and the span themselves.
    ///
    /// ```
    /// use filch::prelude::*;
    /// let (_, trace) = filch::trace::record(|| (0..100_000u32).into_par_iter().map(|i| i ^ 1).max());
    /// let bounds = trace.scalability();
    /// let (least, most) = bounds.predicted(64);
    /// assert!(bounds.is_bound() && least <= most && most <= 64.0);
    /// println!("{bounds}");
    /// ```
    pub fn scalability(&self) -> Scalability {
        self.bounds(&Summary::of(self))
    }

    pub(super) fn bounds(&self, summary: &Summary) -> Scalability {
        let work = summary.work.saturating_add(summary.worked(0));
        let count = |kinds: &[Kind]| {
            let events = self.tracks.iter().flat_map(|track| &track.events);
            events.filter(|event| kinds.contains(&event.kind)).count() as u64
        };
        Scalability::of_recording(
            summary.threads,
            self.duration(work),
            [summary.spare(), summary.elapsed].map(|ticks| self.duration(ticks)),
            [count(&[Kind::Promote, Kind::Spawn]), count(&[Kind::Call])],
        )
    }
}
