//! Counts of what went through a handle, and of what workers on it did.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::broker::{Depth, Submitted};
use crate::error::SubmitError;
use crate::id::Lane;

/// Each counter is on its own, and publishes nothing: relaxed.
macro_rules! counters {
    ($($(#[$doc:meta])* $name:ident)*) => {
        #[derive(Default)]
        pub(crate) struct Counters { $(pub $name: AtomicU64,)* }

        /// What went through a [`Queue`](crate::Queue) handle and its clones, in this process.
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct Stats { $($(#[$doc])* pub $name: u64,)* }

        impl Counters {
            pub fn read(&self) -> Stats {
                Stats { $($name: self.$name.load(Relaxed),)* }
            }
        }

        impl Stats {
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
    /// Claims of jobs whose last attempt was lost or failed.
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

impl Counters {
    pub fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Relaxed);
    }

    pub fn submitted(&self, answer: &Result<Submitted, SubmitError>) {
        match answer {
            Ok(Submitted::New) => Self::add(&self.accepted),
            Ok(Submitted::Known) => Self::add(&self.known),
            Err(SubmitError::Full { .. }) => Self::add(&self.full),
            Err(_) => {}
        }
    }
}

impl Stats {
    /// Counts and depth in Prometheus' text format.
    ///
    /// ```
    /// use filch_queue::{Limits, Queue};
    /// let queue = Queue::mem("q", Limits::default());
    /// let text = queue.stats().to_prometheus(&queue.depth().unwrap());
    /// assert!(text.contains("filch_queue_accepted_total 0\n"));
    /// assert!(text.contains("filch_queue_jobs{lane=\"high\",state=\"queued\"} 0\n"));
    /// ```
    pub fn to_prometheus(&self, depth: &Depth) -> String {
        use std::fmt::Write;
        let mut text = String::new();
        // Writing to a string cannot fail.
        for (name, value) in self.rows() {
            let _ = writeln!(
                text,
                "# TYPE filch_queue_{name}_total counter\nfilch_queue_{name}_total {value}"
            );
        }
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
        let _ = writeln!(
            text,
            "# TYPE filch_queue_dead gauge\nfilch_queue_dead {}",
            depth.dead
        );
        text
    }
}
