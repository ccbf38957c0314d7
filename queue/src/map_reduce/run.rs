//! A run: its jobs, waiting for them, and their result.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use super::stages::{MapBody, ReduceBody, ReduceOut, Stage};
use super::store::{Section, Shuffle};
use super::{MapReduce, PairsOf, RunError, encode, merge};
use crate::broker::NewJob;
use crate::error::{Error, WaitError};
use crate::id::JobId;
use crate::opts::Opts;
use crate::queue::Queue;

/// What a driver has seen of the map jobs of its run.
#[derive(Default)]
pub(super) struct Twins {
    /// How long each job ran that is done, in milliseconds.
    pub(super) ran: HashMap<usize, u64>,
    /// Since when this driver knows of the running attempt of a job. By its own clock, as those of others differ.
    pub(super) seen: HashMap<usize, (u32, Instant)>,
    /// Bundles that have a twin.
    pub(super) made: HashSet<usize>,
    /// Bundles that were looked at for a twin of an earlier driver.
    pub(super) asked: HashSet<usize>,
    /// When stragglers were last looked for, and how long that took.
    pub(super) looked: Option<(Instant, Duration)>,
}

/// A run: wait for it here, or start the same one again elsewhere.
pub struct Run<M: MapReduce> {
    pub(super) queue: Queue,
    pub(super) work: Vec<u8>,
    /// Encoded.
    pub(super) splits: Vec<Vec<u8>>,
    pub(super) partitions: usize,
    pub(super) shuffle: Shuffle,
    pub(super) run_id: String,
    pub(super) opts: Opts,
    /// What was seen of the map jobs, over all calls of `wait`.
    pub(super) twins: Mutex<Twins>,
    pub(super) kinds: std::marker::PhantomData<fn() -> M>,
}

impl<M: MapReduce> Run<M> {
    fn id(&self, stage: Stage, index: usize) -> JobId {
        stage.id::<M>(&self.run_id, index)
    }

    pub(super) fn job(&self, stage: Stage, id: JobId, body: Vec<u8>) -> NewJob {
        NewJob {
            id,
            kind: stage.kind::<M>(),
            class: "cpu".to_owned(),
            body,
            opts: Opts {
                key: None,
                ..self.opts.clone()
            },
        }
    }

    pub(super) fn map_body(&self, bundle: usize) -> Result<Vec<u8>, Error> {
        encode(&MapBody {
            work: self.work.clone(),
            run_id: self.run_id.clone(),
            bundle,
            split: self.splits[bundle].clone(),
            partitions: self.partitions,
            shuffle: self.shuffle.clone(),
        })
    }

    pub(super) fn submit_maps(&self) -> Result<(), RunError> {
        self.submit(Stage::Map, self.splits.len(), |bundle| {
            self.map_body(bundle)
        })
    }

    /// So many jobs at a time, as each has its own copy of the work.
    fn submit(
        &self,
        stage: Stage,
        count: usize,
        body: impl Fn(usize) -> Result<Vec<u8>, Error>,
    ) -> Result<(), RunError> {
        const AT_ONCE: usize = 256;
        for start in (0..count).step_by(AT_ONCE) {
            let jobs = (start..count.min(start + AT_ONCE))
                .map(|index| Ok(self.job(stage, self.id(stage, index), body(index)?)))
                .collect::<Result<Vec<NewJob>, Error>>()?;
            for answer in self.queue.broker.submit(&jobs) {
                answer.map_err(RunError::Submit)?;
            }
        }
        Ok(())
    }

    fn collect<T: DeserializeOwned>(
        &self,
        stage: Stage,
        count: usize,
        end: Option<Instant>,
    ) -> Result<Vec<T>, RunError> {
        let result = |index| {
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            self.queue
                .ticket::<T>(self.id(stage, index))
                .wait(left)
                .map_err(|why| match why {
                    WaitError::Timeout => RunError::Timeout,
                    WaitError::Broker(error) => RunError::Broker(error),
                    why => RunError::Failed { stage, index, why },
                })
        };
        (0..count).map(result).collect()
    }

    /// The result, once there is one. Submits the reduce jobs when all map jobs are done, so call it, again and again if need be.
    ///
    /// # Errors
    ///
    /// [`RunError::Timeout`] after so long; else why there is no result.
    pub fn wait(&self, most: Duration) -> Result<Segments<M>, RunError> {
        let end = Instant::now().checked_add(most);
        let bytes = self.wait_for_maps(end)?;
        self.shuffle.check_total(bytes)?;
        self.submit(Stage::Reduce, self.partitions, |partition| {
            encode(&ReduceBody {
                work: self.work.clone(),
                run_id: self.run_id.clone(),
                bundles: self.splits.len(),
                partition,
                shuffle: self.shuffle.clone(),
            })
        })?;
        let outs: Vec<ReduceOut> = self.collect(Stage::Reduce, self.partitions, end)?;
        Ok(Segments {
            queue: self.queue.clone(),
            shuffle: self.shuffle.clone(),
            sections: outs.into_iter().map(|out| out.section).collect(),
            kinds: std::marker::PhantomData,
        })
    }

    /// Removes what the run wrote, also of attempts that were killed. The result is gone then, and the run's name is not to be used again.
    ///
    /// # Errors
    ///
    /// If the directory, or the broker, does not do it.
    pub fn clean(&self) -> Result<(), Error> {
        let prefix = format!("{}.", self.run_id);
        self.shuffle.clean(&*self.queue.broker, &prefix)
    }
}

/// A result: sorted segments, one a partition.
pub struct Segments<M: MapReduce> {
    queue: Queue,
    shuffle: Shuffle,
    sections: Vec<Section>,
    kinds: std::marker::PhantomData<fn() -> M>,
}

impl<M: MapReduce> Segments<M> {
    /// How many segments.
    pub fn len(&self) -> usize {
        self.sections.len()
    }

    /// Whether there are none. There is always one.
    pub fn is_empty(&self) -> bool {
        self.sections.is_empty()
    }

    /// One segment, sorted by key.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or was damaged.
    ///
    /// # Panics
    ///
    /// If there is no segment of this number.
    pub fn segment(&self, number: usize) -> Result<PairsOf<M>, Error> {
        let mut run =
            merge::Pairs::open(&self.shuffle, &*self.queue.broker, &self.sections[number])?;
        let mut pairs = Vec::new();
        while let Some(pair) = run.next()? {
            pairs.push(pair);
        }
        Ok(pairs)
    }

    /// All pairs, sorted by key, in memory.
    ///
    /// # Errors
    ///
    /// If a segment cannot be read, or was damaged.
    pub fn into_sorted_vec(self) -> Result<PairsOf<M>, Error> {
        let open = |section| merge::Pairs::open(&self.shuffle, &*self.queue.broker, section);
        let runs = self
            .sections
            .iter()
            .map(open)
            .collect::<Result<Vec<_>, _>>()?;
        let mut all = Vec::new();
        merge::merge(runs, |pair| {
            all.push(pair);
            Ok(())
        })?;
        Ok(all)
    }
}
