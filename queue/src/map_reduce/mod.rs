//! Map-reduce over the workers of a queue.
//!
//! Every split becomes a map job; its pairs are dealt into partitions by key, sorted and merged, and written as one object. Then every partition becomes a
//! reduce job, which merges what the map jobs wrote for it, in the order of the splits. The result is as many sorted segments as there are partitions.
//!
//! *The result depends on the splits alone.* However many workers there are, and whatever is killed, it is the same to the byte: pairs of one key are merged in
//! the order of their splits, and within a split in the order they came in. If `merge` is associative, it is what one process would compute.
//!
//! *The driver holds no state.* The id of a job is that of its run, its stage and its number. A driver that was killed is started again with the same input, and goes on
//! where it was; what is done is not done again.
//!
//! ```
//! use filch_queue::map_reduce::{MapReduce, Shuffle};
//! use filch_queue::{Cx, Fail, Limits, Queue, Worker};
//! use serde::{Deserialize, Serialize};
//! use std::time::Duration;
//!
//! #[derive(Serialize, Deserialize)]
//! struct Words;
//!
//! impl MapReduce for Words {
//!     const NAME: &'static str = "words/1";
//!     type Split = String;
//!     type Key = String;
//!     type Value = u64;
//!     fn map(&self, text: &String, _: &Cx) -> Result<Vec<(String, u64)>, Fail> {
//!         Ok(text.split_whitespace().map(|word| (word.to_owned(), 1)).collect())
//!     }
//!     fn merge(&self, times: &mut u64, more: u64) {
//!         *times += more;
//!     }
//! }
//!
//! let queue = Queue::mem("doc", Limits::default());
//! let worker = Worker::new(&queue).accept_map_reduce::<Words>().run();
//! let run = queue
//!     .map_reduce(Words)
//!     .input(vec!["the fox".to_owned(), "and the dog".to_owned()])
//!     .partitions(4)
//!     .shuffle(Shuffle::Broker)
//!     .run_id("first")
//!     .start()
//!     .unwrap();
//! let counts = run.wait(Duration::from_secs(60)).unwrap().into_sorted_vec().unwrap();
//! assert_eq!(counts, [("and".to_owned(), 1), ("dog".to_owned(), 1), ("fox".to_owned(), 1), ("the".to_owned(), 2)]);
//! worker.drain(Duration::from_secs(5));
//! ```

mod merge;
mod run;
mod split;
mod stages;
mod store;
mod twins;

use std::fmt;
use std::time::Duration;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{Error, SubmitError, WaitError};
use crate::job::{Cx, Fail};
use crate::opts::{Backoff, Opts};
use crate::queue::Queue;
use crate::worker::Worker;

#[cfg(feature = "store")]
pub use crate::objects::Objects;
#[cfg(feature = "store")]
pub use object_store;
pub use run::{Run, Segments};
pub use split::{FilePart, Files};
pub use stages::Stage;
pub use store::Shuffle;

/// What to compute. The value itself travels to the workers, with whatever settings it has.
pub trait MapReduce: Serialize + DeserializeOwned + Send + Sync + 'static {
    /// The name of the computation, with the number of the layout of its types.
    const NAME: &'static str;
    /// A part of the input: names of data rather than data. Up to 256 KiB encoded.
    type Split: Serialize + DeserializeOwned + Send + Sync + 'static;
    /// What pairs are brought together by. Equal keys must have equal encodings.
    type Key: Ord + Serialize + DeserializeOwned + Send + 'static;
    /// What is merged.
    type Value: Serialize + DeserializeOwned + Send + 'static;

    /// The pairs of a split, in any order; the fewer with equal keys, the less is written. May use all threads.
    ///
    /// # Errors
    ///
    /// As for any [`Job`](crate::Job).
    fn map(&self, split: &Self::Split, cx: &Cx) -> Result<PairsOf<Self>, Fail>;

    /// Adds a value to one of the same key that came before it. Associative; it need not commute.
    fn merge(&self, value: &mut Self::Value, later: Self::Value);
}

/// The pairs of a computation.
pub type PairsOf<M> = Vec<(<M as MapReduce>::Key, <M as MapReduce>::Value)>;

/// Why there is no result.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunError {
    /// The run's name was used with another input, other settings, or other partitions. Give a new name.
    InputChanged,
    /// The lane is full; start again later, nothing is lost.
    Submit(SubmitError),
    /// It is not done yet. Waiting again is fine.
    Timeout,
    /// A job of a stage was given up or cancelled, or its result is gone.
    Failed {
        /// Which stage.
        stage: Stage,
        /// The number of its split or partition.
        index: usize,
        /// Why.
        why: WaitError,
    },
    /// The backend or the shuffle failed.
    Broker(Error),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::InputChanged => {
                f.write_str("a run of this name has another input: give this one another name")
            }
            RunError::Submit(error) => write!(f, "a job could not be submitted: {error}"),
            RunError::Timeout => f.write_str("the run is not done yet"),
            RunError::Failed { stage, index, why } => write!(f, "{stage} {index}: {why}"),
            RunError::Broker(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for RunError {}

impl From<Error> for RunError {
    fn from(error: Error) -> Self {
        RunError::Broker(error)
    }
}

/// A run in the making.
#[must_use = "nothing is computed until `start`"]
pub struct MapReduceBuilder<M: MapReduce> {
    queue: Queue,
    work: M,
    input: Vec<M::Split>,
    partitions: usize,
    shuffle: Shuffle,
    run_id: String,
    opts: Opts,
}

impl Queue {
    /// Starts to describe a computation over the workers of this queue. See [`map_reduce`](crate::map_reduce).
    pub fn map_reduce<M: MapReduce>(&self, work: M) -> MapReduceBuilder<M> {
        MapReduceBuilder {
            queue: self.clone(),
            work,
            input: Vec::new(),
            partitions: 8,
            shuffle: Shuffle::Broker,
            run_id: format!("run-{:016x}", crate::id::random()),
            opts: Opts {
                attempts: 20,
                backoff: Backoff {
                    first: Duration::from_millis(100),
                    ..Backoff::default()
                },
                ..Opts::default()
            },
        }
    }
}

impl Worker {
    /// Runs the stages of this computation, too.
    pub fn accept_map_reduce<M: MapReduce>(self) -> Self {
        self.accept_kind(Stage::Map.kind::<M>(), stages::map::<M>)
            .accept_kind(Stage::Reduce.kind::<M>(), stages::reduce::<M>)
    }
}

impl<M: MapReduce> MapReduceBuilder<M> {
    /// The splits. Each is one map job, and their order is the order of merging.
    pub fn input(mut self, splits: Vec<M::Split>) -> Self {
        self.input = splits;
        self
    }

    /// How many reduce jobs, and segments of the result: 8. As many as there are threads in all workers is plenty. 0 counts as 1, and more than 4,096 as 4,096.
    pub fn partitions(mut self, partitions: usize) -> Self {
        self.partitions = partitions.clamp(1, 4096);
        self
    }

    /// Where pairs lie between the stages, and the result: [`Shuffle::Broker`].
    pub fn shuffle(mut self, shuffle: Shuffle) -> Self {
        self.shuffle = shuffle;
        self
    }

    /// The name of the run, up to 100 letters, digits, '-' and '_'. With the same name and input a run goes on where it was; without a name it is a new one.
    pub fn run_id(mut self, name: &str) -> Self {
        self.run_id = name.to_owned();
        self
    }

    /// How its jobs are treated. The key is not used. Without this they have 20 attempts and a first pause of 100 ms, more than [`Opts::default`] gives.
    pub fn opts(mut self, opts: Opts) -> Self {
        self.opts = opts;
        self
    }

    /// Submits what is not submitted yet.
    ///
    /// # Errors
    ///
    /// [`RunError::InputChanged`], if the name was used for another input. [`RunError::Broker`], if the name is not one of those that
    /// [`run_id`](Self::run_id) allows, a lane is full, or the backend fails.
    pub fn start(self) -> Result<Run<M>, RunError> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
        if self.run_id.is_empty() || self.run_id.len() > 100 || !self.run_id.bytes().all(plain) {
            let text = format!(
                "{:?} cannot name a run: use up to 100 letters, digits, '-' and '_'",
                self.run_id
            );
            return Err(Error::new(text).into());
        }
        let work = encode(&self.work)?;
        let print = fingerprint::<M>(&work, &self.input, self.partitions)?;
        if self.shuffle.claim_name(
            &*self.queue.broker,
            &format!("{}.manifest", self.run_id),
            &print,
        )? != print
        {
            return Err(RunError::InputChanged);
        }
        let splits = self.input.iter().map(encode).collect::<Result<_, _>>()?;
        let run = Run {
            splits,
            queue: self.queue,
            work,
            partitions: self.partitions,
            shuffle: self.shuffle,
            run_id: self.run_id,
            opts: self.opts,
            twins: Default::default(),
            kinds: std::marker::PhantomData,
        };
        run.submit_maps()?;
        Ok(run)
    }
}

fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    postcard::to_stdvec(value).map_err(|error| Error::new(format!("cannot be encoded: {error}")))
}

/// What stands for an input: equal only if all is.
fn fingerprint<M: MapReduce>(
    work: &[u8],
    input: &[M::Split],
    partitions: usize,
) -> Result<Vec<u8>, Error> {
    let mut hash = xxhash_rust::xxh3::Xxh3::new();
    let mut part = |bytes: &[u8]| {
        hash.update(&(bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    part(M::NAME.as_bytes());
    part(work);
    part(&(partitions as u64).to_le_bytes());
    for split in input {
        part(&encode(split)?);
    }
    Ok(format!("{:032x} {} splits\n", hash.digest128(), input.len()).into_bytes())
}
