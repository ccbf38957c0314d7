//! A worker: claims jobs when it has hands free, runs them, and says what came of them.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use filch::ThreadPool;

use crate::aging::Aging;
use crate::broker::{Ask, Outcome};
use crate::crew::{Crew, Hands, Run, spawn};
use crate::heart::{self, Heart};
use crate::id::random;
use crate::job::{Cx, Fail, Job};
use crate::opts::MAX_BODY;
use crate::places::Places;
use crate::queue::Queue;
use crate::settle::{Outcomes, Summary};

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
    places: Places,
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
            places: Places::default(),
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

    /// How many jobs it runs at once. One, as a job may use all threads by itself. 0 counts as 1.
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
    /// The jobs of a worker that dies wait up to one and a half times as long before another one gets them. A worker that stands still for longer loses its jobs.
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease.max(Duration::from_millis(30));
        self
    }

    /// Lets map-reduce jobs put files into this directory and those below it, and nowhere else. May be called several times.
    ///
    /// The directory is named by the job. So on a server, where others may submit, no directory is allowed unless this names it; on a file or in memory,
    /// where only the owner can, all are unless this names one.
    pub fn shuffle_in(mut self, directory: impl Into<PathBuf>) -> Self {
        let directories = self.places.directories.get_or_insert_default();
        directories.push(directory.into());
        self
    }

    /// Lets map-reduce jobs use this object store, by its name. Without it a job that names the store is given up. May be called several times.
    ///
    /// Needs the feature `store`.
    #[cfg(feature = "store")]
    pub fn shuffle_store(mut self, objects: &crate::map_reduce::Objects) -> Self {
        self.places.stores.push(objects.clone());
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
            turns: Arc::default(),
        };
        let broker = &self.queue.broker;
        let mut places = self.places;
        if !broker.is_private() {
            places.directories.get_or_insert_default();
        }
        let (counters, heart) = (self.queue.counters.clone(), Arc::<Heart>::default());
        let crew = Arc::new(Crew {
            places: Arc::new(places),
            broker: broker.clone(),
            counters: counters.clone(),
            runs: self.runs,
            ask,
            pool: self.pool,
            until_empty,
            stop: AtomicBool::new(false),
            hands: Hands::new(self.hands).into(),
            left: Default::default(),
            outcomes: Outcomes::new(broker.clone(), counters, heart.clone()),
            heart,
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
                self.crew.outcomes.settle(&lease, Outcome::Return);
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
        // A failure is told by the next call: no later flush is believed.
        let _ = self.crew.broker.keep();
        self.crew.outcomes.summary()
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
