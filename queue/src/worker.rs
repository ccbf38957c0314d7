//! A worker: claims jobs when it has hands free, runs them, and says what came of them.

use std::collections::HashMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use filch::ThreadPool;
use filch::ext::CancelToken;

use crate::aging::Aging;
use crate::broker::{Ask, Broker, Lease, Outcome};
use crate::bundles::Bundles;
use crate::error::LeaseError;
use crate::heart::{self, Heart};
use crate::id::random;
use crate::job::{Cx, Fail, Job};
use crate::opts::{Backoff, MAX_BLOB, MAX_BODY, MAX_INLINE};
use crate::queue::Queue;
use crate::record::Output;
use crate::stats::{Counters, Counts};

/// How long a claim waits. It is a job that ends the wait; this is how soon a worker notices that it is to stop.
const PATIENCE: Duration = Duration::from_millis(100);

type Run = Arc<dyn Fn(&Cx) -> Result<Vec<u8>, Fail> + Send + Sync>;

/// Runs jobs of a queue: in this process, beside as many others in as many processes as there are.
///
/// It pulls: a job is claimed when a hand is free, never before. [`Queue`] has an example.
pub struct Worker {
    queue: Queue,
    name: String,
    runs: HashMap<String, Run>,
    classes: Vec<String>,
    hands: usize,
    pool: Option<Arc<ThreadPool>>,
    lease: Duration,
    aging: u32,
    shuffles: Option<Vec<PathBuf>>,
}

/// What a worker did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Attempts that gave a result that was kept.
    pub done: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Attempts whose outcome changed nothing, as the lease was lost.
    pub stale: u64,
    /// Jobs handed back because the worker left.
    pub returned: u64,
}

impl Worker {
    /// A worker that knows no kind of job yet.
    pub fn new(queue: &Queue) -> Self {
        Worker {
            queue: queue.clone(),
            name: format!("{}-{:08x}", std::process::id(), random() as u32),
            runs: HashMap::new(),
            classes: vec!["cpu".to_owned()],
            hands: 1,
            pool: None,
            lease: Duration::from_secs(30),
            aging: Aging::DEFAULT,
            shuffles: None,
        }
    }

    /// Runs jobs of this kind, too. Kinds that no call names are left to other workers.
    pub fn accept<J: Job>(mut self) -> Self {
        self.runs.insert(J::KIND.to_owned(), Arc::new(run::<J>));
        self
    }

    /// Runs jobs of a kind whose name is made at run time.
    pub(crate) fn accept_kind(
        mut self,
        kind: String,
        run: fn(&Cx) -> Result<Vec<u8>, Fail>,
    ) -> Self {
        self.runs.insert(kind, Arc::new(run));
        self
    }

    /// What it is capable of, in place of `["cpu"]`.
    pub fn classes(mut self, classes: &[&str]) -> Self {
        self.classes = classes.iter().map(|&class| class.to_owned()).collect();
        self
    }

    /// How many jobs it runs at once. One, as a job may use all threads by itself. None is taken as one.
    pub fn concurrency(mut self, jobs: usize) -> Self {
        self.hands = jobs.max(1);
        self
    }

    /// Where jobs run. Without it they run on threads of the worker, and their parallel iterators on the global pool.
    pub fn pool(mut self, pool: Arc<ThreadPool>) -> Self {
        self.pool = Some(pool);
        self
    }

    /// How long a job is waited for when its worker does not renew its claim any more: 30 s. At least 30 ms.
    ///
    /// A lost worker costs up to one and a half of this. A worker that stands still for longer loses its jobs.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease.max(Duration::from_millis(30));
        self
    }

    /// Lets map-reduce jobs put files into this directory and those below it, and nowhere else. May be called several times.
    ///
    /// The directory is named by the job. So on a server, where others may submit, no directory is allowed unless this names it; on a file or in memory,
    /// where only the owner can, all are unless this names one.
    pub fn shuffle_in(mut self, directory: impl Into<PathBuf>) -> Self {
        self.shuffles.get_or_insert_default().push(directory.into());
        self
    }

    /// How often a waiting lane is passed over: 8.
    pub fn aging(mut self, bound: u32) -> Self {
        self.aging = bound;
        self
    }

    /// Its name in the list of workers, in place of one with the number of its process.
    pub fn name(mut self, name: &str) -> Self {
        self.name = name.to_owned();
        self
    }

    /// Starts it on threads of its own: one for each job at once, and one that renews the leases.
    ///
    /// # Panics
    ///
    /// If the system has no thread left.
    pub fn run(self) -> Handle {
        self.start(false)
    }

    /// Runs jobs until the queue has none that wait, are delayed, or are leased, by this worker or another; then says what it did.
    ///
    /// Jobs that no worker accepts keep it waiting. A backend that fails is asked again, for ever.
    ///
    /// # Panics
    ///
    /// If the system has no thread left.
    pub fn run_until_empty(self) -> Summary {
        let handle = self.start(true);
        handle.crew.wait_for_hands(None);
        handle.finish()
    }

    fn start(self, until_empty: bool) -> Handle {
        let ask = Ask {
            kinds: self.runs.keys().cloned().collect(),
            classes: self.classes,
            lease: self.lease,
            aging: Arc::new(Aging::new(self.aging)),
        };
        let broker = &self.queue.broker;
        let shuffles = match self.shuffles {
            None if broker.is_private() => None,
            named => Some(named.unwrap_or_default().into()),
        };
        let crew = Arc::new(Crew {
            shuffles,
            broker: self.queue.broker.clone(),
            counters: self.queue.counters.clone(),
            runs: self.runs,
            ask,
            pool: self.pool,
            until_empty,
            stop: AtomicBool::new(false),
            hands: Mutex::new(Hands {
                left: self.hands,
                claiming: 0,
                draining: false,
            }),
            left: Condvar::new(),
            tally: Tally::default(),
            heart: Heart::default(),
        });
        for _ in 0..self.hands {
            let crew = crew.clone();
            spawn("filch-q-hand", move || crew.work());
        }
        let beating = crew.clone();
        let name = self.name.clone();
        let heart = spawn("filch-q-heart", move || {
            heart::beat(
                &beating.heart,
                &*beating.broker,
                &beating.counters,
                &name,
                &beating.stop,
            )
        });
        Handle {
            crew,
            heart: Some(heart),
            name: self.name,
        }
    }
}

fn spawn(name: &str, body: impl FnOnce() + Send + 'static) -> JoinHandle<()> {
    thread::Builder::new()
        .name(name.to_owned())
        .spawn(body)
        .expect("a worker needs its threads")
}

/// Decodes, runs, encodes. What cannot be decoded never will be.
fn run<J: Job>(cx: &Cx) -> Result<Vec<u8>, Fail> {
    let len = cx.lease.body.len();
    if len > MAX_BODY {
        return Err(Fail::Dead(format!(
            "the body has {len} bytes, and {MAX_BODY} are allowed"
        )));
    }
    let job: J = postcard::from_bytes(&cx.lease.body)
        .map_err(|error| Fail::Dead(format!("the body is no {}: {error}", J::KIND)))?;
    let out = job.run(cx)?;
    postcard::to_stdvec(&out)
        .map_err(|error| Fail::Dead(format!("the result cannot be encoded: {error}")))
}

#[derive(Default)]
struct Tally {
    done: AtomicU64,
    failed: AtomicU64,
    stale: AtomicU64,
    returned: AtomicU64,
}

struct Hands {
    /// Threads that still claim or run jobs.
    left: usize,
    /// Those of them that may have been given a job that the heart does not know of yet.
    claiming: usize,
    /// Whether a drain waits for those.
    draining: bool,
}

/// What the threads of a worker share.
struct Crew {
    broker: Arc<dyn Broker>,
    counters: Arc<Counters>,
    runs: HashMap<String, Run>,
    ask: Ask,
    pool: Option<Arc<ThreadPool>>,
    shuffles: Option<Arc<[PathBuf]>>,
    until_empty: bool,
    /// Claim no more. Only says so, and publishes nothing: relaxed.
    stop: AtomicBool,
    hands: Mutex<Hands>,
    left: Condvar,
    tally: Tally,
    heart: Heart,
}

impl Crew {
    fn work(&self) {
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
            // A lease runs from before it was asked for.
            let asked = Instant::now();
            let claimed = {
                let _claiming = self.claiming();
                // Only now: a drain that was not seen here waits for this claim.
                if self.stop.load(Ordering::Relaxed) {
                    return;
                }
                self.broker.claim(&self.ask, 1, wait).map(|leases| {
                    let take_up = |lease: Lease| {
                        let lease = Arc::new(lease);
                        let cancel = self.heart.take_up(lease.clone(), asked);
                        (lease, cancel)
                    };
                    leases.into_iter().map(take_up).collect::<Vec<_>>()
                })
            };
            match claimed {
                Ok(leases) => {
                    failures = 0;
                    let none = leases.is_empty();
                    wait = if none { PATIENCE } else { first };
                    for (lease, cancel) in leases {
                        self.run(lease, cancel);
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

    /// Until it is dropped, a drain waits, as it must hand back what comes of this claim.
    fn claiming(&self) -> impl Drop + use<'_> {
        struct Claiming<'a>(&'a Crew);
        impl Drop for Claiming<'_> {
            fn drop(&mut self) {
                let mut hands = self.0.hands();
                hands.claiming -= 1;
                // Each wake-up of who waits for the worker's end would cost more than a short job.
                if hands.draining {
                    self.0.left.notify_all();
                }
            }
        }
        self.hands().claiming += 1;
        Claiming(self)
    }

    fn run(&self, lease: Arc<Lease>, cancel: CancelToken) {
        let record = &lease.record;
        self.tell(&lease, |counts| {
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
            shuffles: self.shuffles.clone(),
            bundles: Bundles::default(),
        };
        let begun = Instant::now();
        let attempt = self.attempt(&cx);
        self.counters
            .ran(record.lane, &record.kind, begun.elapsed());
        let outcome = match attempt {
            Ok(bytes) => self.output(&lease, bytes),
            Err(Fail::Retry(why)) => Outcome::Retry { after: None, why },
            Err(Fail::RetryAfter(after, why)) => Outcome::Retry {
                after: Some(after),
                why,
            },
            Err(Fail::Dead(why)) => Outcome::Dead(why),
        };
        self.settle(&lease, outcome);
        // The lease is renewed until its outcome is kept.
        self.heart.lay_down(&lease);
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

    /// A result where it belongs: in the record, or beside it.
    fn output(&self, lease: &Lease, bytes: Vec<u8>) -> Outcome {
        if bytes.len() <= MAX_INLINE {
            return Outcome::Done(Output::Inline(bytes));
        }
        if bytes.len() as u64 > MAX_BLOB {
            return Outcome::Dead(format!(
                "too large: the result has {} bytes, and {MAX_BLOB} are allowed",
                bytes.len()
            ));
        }
        // The holder's number: two attempts, or a copy of one, never write one blob.
        let name = format!(
            "{}.{}.{:x}",
            lease.id, lease.record.attempt, lease.record.holder
        );
        match self.broker.blobs().put(&name, &bytes) {
            Ok(()) => Outcome::Done(Output::Blob {
                name,
                hash: xxhash_rust::xxh3::xxh3_128(&bytes),
            }),
            Err(error) => Outcome::Retry {
                after: None,
                why: format!("the result could not be written: {error}"),
            },
        }
    }

    /// Says what came of it, again and again while the lease is ours, should the backend fail.
    fn settle(&self, lease: &Lease, outcome: Outcome) {
        let mut failures = 0;
        loop {
            match self.broker.settle(lease, outcome.clone()) {
                Ok(()) => return self.count(lease, &outcome),
                Err(LeaseError::Broker(_)) if self.heart.holds(lease) => {
                    failures += 1;
                    let backoff = Backoff {
                        first: Duration::from_millis(20),
                        most: lease.lease / 3,
                    };
                    thread::sleep(backoff.pause(failures));
                }
                Err(LeaseError::TooLarge { len, max }) => {
                    return self.settle(
                        lease,
                        Outcome::Dead(format!("too large: {len} bytes, and {max} are allowed")),
                    );
                }
                Err(_) => {
                    self.tell(lease, |counts| counts.stale += 1);
                    self.tally.stale.fetch_add(1, Ordering::Relaxed);
                    if let Outcome::Done(Output::Blob { name, .. }) = &outcome {
                        // Only if the record does not name it: after an error that left open whether it was written, it may.
                        let named = |record: crate::record::Record| matches!(record.state, crate::record::State::Done(Output::Blob { name: kept, .. }) if kept == *name);
                        if self
                            .broker
                            .get(lease.id)
                            .is_ok_and(|record| !record.is_some_and(named))
                        {
                            let _ = self.broker.blobs().remove(name);
                        }
                    }
                    return;
                }
            }
        }
    }

    fn tell(&self, lease: &Lease, change: impl FnOnce(&mut Counts)) {
        self.counters
            .count(lease.record.lane, &lease.record.kind, change);
    }

    fn count(&self, lease: &Lease, outcome: &Outcome) {
        let tally = match outcome {
            Outcome::Done(_) => &self.tally.done,
            Outcome::Retry { .. } | Outcome::Dead(_) => &self.tally.failed,
            Outcome::Return => &self.tally.returned,
        };
        tally.fetch_add(1, Ordering::Relaxed);
        self.tell(lease, |counts| match outcome {
            Outcome::Done(_) => counts.done += 1,
            // The last attempt's failure is the job's death.
            Outcome::Retry { .. } if lease.record.attempt >= lease.record.allowed => {
                counts.dead += 1
            }
            Outcome::Retry { .. } => counts.retried += 1,
            Outcome::Dead(_) => counts.dead += 1,
            Outcome::Return => counts.returned += 1,
        });
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.hands
            .lock()
            .unwrap_or_else(|poison| poison.into_inner())
    }

    /// Waits while threads are at something, at most so long; whether they are done with it.
    fn wait_while(&self, most: Option<Duration>, busy: impl Fn(&Hands) -> bool) -> bool {
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
    fn wait_for_hands(&self, most: Option<Duration>) -> bool {
        self.wait_while(most, |hands| hands.left > 0)
    }
}

/// A worker that runs. Dropping it tells the worker to claim no more, and waits for nothing.
pub struct Handle {
    crew: Arc<Crew>,
    heart: Option<JoinHandle<()>>,
    name: String,
}

impl Handle {
    /// Its name in the list of workers.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether it still runs jobs or claims them. It ends by itself when it was asked to leave through the queue.
    pub fn is_running(&self) -> bool {
        self.crew.hands().left > 0
    }

    /// Claims no more, waits for the jobs at hand up to `grace`, hands back those that are not done, and says what it did.
    ///
    /// A job that is handed back spends no attempt. Its code is told by its token to stop; until it does, it goes on, and changes nothing any more.
    pub fn drain(self, grace: Duration) -> Summary {
        self.crew.stop.store(true, Ordering::Relaxed);
        if !self.crew.wait_for_hands(Some(grace)) {
            // Jobs that are just being claimed are at hand, too.
            self.crew.hands().draining = true;
            self.crew.wait_while(None, |hands| hands.claiming > 0);
            for lease in self.crew.heart.abandon() {
                self.crew.settle(&lease, Outcome::Return);
            }
        }
        self.finish()
    }

    /// Waits until it was asked to leave through the queue, and has left.
    pub fn wait(self) -> Summary {
        self.crew.wait_for_hands(None);
        self.finish()
    }

    fn finish(mut self) -> Summary {
        self.crew.heart.stop();
        if let Some(heart) = self.heart.take() {
            // It panics only if a lock was poisoned, and then has nothing to tell.
            let _ = heart.join();
        }
        let tally = &self.crew.tally;
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Summary {
            done: read(&tally.done),
            failed: read(&tally.failed),
            stale: read(&tally.stale),
            returned: read(&tally.returned),
        }
    }
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.crew.stop.store(true, Ordering::Relaxed);
        if self.heart.is_some() {
            // Jobs at hand are still renewed; the heart stops when the last is laid down.
            self.crew.heart.stop_when_idle();
        }
    }
}
