//! The threads of a worker: each claims a job, runs it, says what came of it, and takes the next in the same step.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use filch::ThreadPool;
use filch::ext::CancelToken;

use crate::broker::{Ask, Broker, Lease, Outcome};
use crate::error::Error;
use crate::heart::{self, Heart};
use crate::job::{Cx, Fail};
use crate::notes::Bundles;
use crate::opts::Backoff;
use crate::places::Places;
use crate::planted::planted;
use crate::settle::Outcomes;
use crate::stats::Counters;

/// How long a claim waits. It is a job that ends the wait; this is how soon a worker notices that it is to stop.
const PATIENCE: Duration = Duration::from_millis(100);

/// Decodes a job, runs it, and encodes the result.
pub(crate) type Run = Arc<dyn Fn(&Cx) -> Result<Vec<u8>, Fail> + Send + Sync>;

/// A lease that the heart renews, and the token of its job.
type Held = (Arc<Lease>, CancelToken);

pub(crate) fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .expect("a worker needs its threads")
}

pub(crate) struct Hands {
    /// Threads that still claim or run jobs.
    pub left: usize,
    /// Those of them that may have been given a job that the heart does not know of yet.
    pub claiming: usize,
    /// Whether a drain waits for those.
    pub draining: bool,
}

impl Hands {
    pub fn new(left: usize) -> Self {
        Hands {
            left,
            claiming: 0,
            draining: false,
        }
    }
}

/// What the threads of a worker share.
pub(crate) struct Crew {
    pub broker: Arc<dyn Broker>,
    pub counters: Arc<Counters>,
    pub runs: HashMap<String, Run>,
    pub ask: Ask,
    pub pool: Option<Arc<ThreadPool>>,
    pub places: Arc<Places>,
    pub until_empty: bool,
    /// Claim no more. Only says so, and publishes nothing: relaxed.
    pub stop: AtomicBool,
    pub hands: Mutex<Hands>,
    pub left: Condvar,
    pub outcomes: Outcomes,
    pub heart: Arc<Heart>,
}

impl Crew {
    pub fn work(&self) {
        // Counts the hand out however it ends.
        struct Out<'a>(&'a Crew);
        impl Drop for Out<'_> {
            fn drop(&mut self) {
                self.0.hands().left -= 1;
                self.0.left.notify_all();
            }
        }
        let _out = Out(self);
        let mut failures = 0;
        // One that leaves an empty queue looks whether it is before it waits.
        let first = if self.until_empty {
            Duration::ZERO
        } else {
            PATIENCE
        };
        let mut wait = first;
        loop {
            let claimed = self.take_up(|| (self.broker.claim(&self.ask, 1, wait), ()));
            let Some((claimed, ())) = claimed else {
                return;
            };
            match claimed {
                Ok(held) => {
                    failures = 0;
                    let none = held.is_none();
                    wait = if none { PATIENCE } else { first };
                    let mut next = held;
                    while let Some(held) = next {
                        next = self.run(held);
                    }
                    if none
                        && self.until_empty
                        && self.broker.depth().is_ok_and(|depth| depth.open() == 0)
                    {
                        return;
                    }
                }
                Err(_) => {
                    failures += 1;
                    let backoff = Backoff {
                        first: Duration::from_millis(50),
                        most: Duration::from_secs(2),
                    };
                    thread::sleep(backoff.pause(failures));
                }
            }
        }
    }

    /// Asks for a job, and has its lease renewed from then on. `None`, and nothing is asked, if the worker is to stop.
    fn take_up<T>(
        &self,
        ask: impl FnOnce() -> (Result<Vec<Lease>, Error>, T),
    ) -> Option<(Result<Option<Held>, Error>, T)> {
        let _claiming = self.claiming();
        // Only now: a drain that was not seen here waits for this claim.
        if self.stop.load(Ordering::Relaxed) {
            return None;
        }
        // A lease runs from before it was asked for.
        let asked = Instant::now();
        let (claimed, beside) = ask();
        let held = claimed.map(|mut leases| {
            let lease = Arc::new(leases.pop()?);
            let cancel = self.heart.take_up(lease.clone(), asked);
            Some((lease, cancel))
        });
        Some((held, beside))
    }

    /// Until it is dropped, a drain waits, as it must hand back what comes of this claim.
    fn claiming(&self) -> impl Drop + use<'_> {
        struct Claiming<'a>(&'a Crew);
        impl Drop for Claiming<'_> {
            fn drop(&mut self) {
                let mut hands = self.0.hands();
                hands.claiming -= 1;
                // Only where a thread may wait for the worker's end: a wake-up costs more than a short job.
                if hands.draining {
                    self.0.left.notify_all();
                }
            }
        }
        self.hands().claiming += 1;
        Claiming(self)
    }

    /// Runs a job, and gives the next, if one waits.
    fn run(&self, (lease, cancel): Held) -> Option<Held> {
        let record = &lease.record;
        self.outcomes.tell(&lease, |counts| {
            counts.claimed += 1;
            counts.reclaimed += u64::from(record.attempt > 1);
        });
        let could_start = record.submitted.max(record.ready_at);
        let waited = Duration::from_millis(record.started.saturating_sub(could_start));
        self.counters.waited(record.lane, &record.kind, waited);
        self.counters.passed_over(self.ask.aging.take_counted());
        let cx = Cx {
            lease: lease.clone(),
            cancel,
            broker: self.broker.clone(),
            places: self.places.clone(),
            bundles: Bundles::default(),
            kept: Default::default(),
        };
        let begun = Instant::now();
        let attempt = self.attempt(&cx);
        if planted!("heart") {
            heart::renew(
                &self.heart,
                &*self.broker,
                &self.counters,
                std::slice::from_ref(&lease),
            );
        }
        self.counters
            .ran(record.lane, &record.kind, begun.elapsed());
        let outcome = match attempt {
            Ok(bytes) => self.outcomes.output(&lease, bytes),
            Err(Fail::Retry(why)) => Outcome::Retry { after: None, why },
            Err(Fail::RetryAfter(after, why)) => Outcome::Retry {
                after: Some(after),
                why,
            },
            Err(Fail::Dead(why)) => Outcome::Dead(why),
        };
        // The next job comes with the same step, which halves what lies between two jobs.
        let exchanged = self.take_up(|| {
            let exchange = self.broker.exchange(&lease, outcome.clone(), &self.ask);
            (exchange.1, exchange.0)
        });
        let next = match exchanged {
            // A claim that failed is repeated by itself.
            Some((next, settled)) => {
                self.outcomes.settle_from(settled, &lease, outcome);
                next.ok().flatten()
            }
            None => {
                self.outcomes.settle(&lease, outcome);
                None
            }
        };
        // The lease is renewed until its outcome is written.
        self.heart.lay_down(&lease);
        next
    }

    fn attempt(&self, cx: &Cx) -> Result<Vec<u8>, Fail> {
        let Some(run) = self.runs.get(&cx.lease.record.kind) else {
            return Err(Fail::Retry(format!(
                "this worker has no code for {:?}",
                cx.lease.record.kind
            )));
        };
        let guarded = || catch_unwind(AssertUnwindSafe(|| run(cx)));
        let caught = match &self.pool {
            Some(pool) => pool.install(guarded),
            None => guarded(),
        };
        caught.unwrap_or_else(|panic| {
            let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
            let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
            Err(Fail::Retry(format!(
                "panicked: {}",
                text.unwrap_or_else(|| "without a text".into())
            )))
        })
    }

    pub fn hands(&self) -> MutexGuard<'_, Hands> {
        self.hands
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// Waits while threads are at something, at most so long; whether they are done with it.
    pub fn wait_while(&self, most: Option<Duration>, busy: impl Fn(&Hands) -> bool) -> bool {
        let mut hands = self.hands();
        let end = most.and_then(|most| Instant::now().checked_add(most));
        while busy(&hands) {
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return false;
            }
            hands = self
                .left
                .wait_timeout(hands, left.min(Duration::from_secs(3600)))
                .unwrap_or_else(|poison| poison.into_inner())
                .0;
        }
        true
    }

    /// Waits until no thread runs a job any more, at most so long; whether that is so.
    pub fn wait_for_hands(&self, most: Option<Duration>) -> bool {
        self.wait_while(most, |hands| hands.left > 0)
    }
}
