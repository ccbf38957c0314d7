//! Parts of a job that are done once: each leaves a blob, and a note of it in the checkpoint.

use std::time::{Duration, Instant};

use filch::prelude::*;
use serde::{Deserialize, Serialize};

use crate::blob::Blob;
use crate::broker::Update;
use crate::error::{Error, LeaseError};
use crate::job::Cx;
use crate::notes::{Notes, State};

/// What tells a checkpoint of notes from one of the job's own.
const MARK: &[u8] = b"filch bundles 1\n";
/// Notes that take more lie in a blob of their own.
const INLINE: usize = 32 << 10;
/// How often notes are written while bundles are done faster than that.
const NOTE: Duration = Duration::from_millis(200);

#[derive(Serialize, Deserialize)]
enum Written {
    Here(Notes),
    Beside(Blob),
}

/// Whether a record's checkpoint names blobs, which go with the record.
pub(crate) fn names_blobs(checkpoint: Option<&[u8]>) -> bool {
    checkpoint.is_some_and(|bytes| bytes.starts_with(MARK))
}

impl Cx {
    /// Cuts the items into bundles of `n`, calls `f` on each in parallel, and keeps what each gives as a blob: up to 1 GiB. An attempt that follows a lost one
    /// skips the bundles that are done. The blobs are in the order of the items.
    ///
    /// The notes are the job's checkpoint, so do not call [`checkpoint`](Self::checkpoint) as well. `f` has to give the same for the same items. The blobs go
    /// with the job's record.
    ///
    /// ```
    /// use filch_queue::{Blob, Cx, Fail, Job, Limits, Opts, Queue, Worker};
    /// use serde::{Deserialize, Serialize};
    ///
    /// #[derive(Serialize, Deserialize)]
    /// struct Lengths(Vec<String>);
    /// impl Job for Lengths {
    ///     const KIND: &'static str = "lengths/1";
    ///     type Out = Vec<Blob>;
    ///     fn run(&self, cx: &Cx) -> Result<Vec<Blob>, Fail> {
    ///         Ok(cx.bundles(&self.0, 2, |texts| texts.iter().map(|text| text.len() as u8).collect())?)
    ///     }
    /// }
    ///
    /// let queue = Queue::mem("q", Limits::default());
    /// let job = Lengths(["one", "two", "three"].map(String::from).to_vec());
    /// let ticket = queue.submit(&job, Opts::default()).unwrap();
    /// Worker::new(&queue).accept::<Lengths>().run_until_empty();
    /// let blobs = ticket.wait(std::time::Duration::from_secs(5)).unwrap();
    /// let lengths: Vec<_> = blobs.iter().map(|blob| queue.blob(blob).unwrap()).collect();
    /// assert_eq!(lengths, [vec![3, 3], vec![5]]);
    /// ```
    ///
    /// # Errors
    ///
    /// [`LeaseError::Stale`], if the lease was lost or the job is to stop: bundles that were not begun are left out.
    ///
    /// # Panics
    ///
    /// If `n` is 0, or if `f` panics.
    pub fn bundles<T: Sync>(
        &self,
        items: &[T],
        n: usize,
        f: impl Fn(&[T]) -> Vec<u8> + Sync,
    ) -> Result<Vec<Blob>, LeaseError> {
        assert!(n > 0, "a bundle of no items");
        let call = self.begin_bundles()?;
        let bundles: Vec<(u32, &[T])> = (0..).zip(items.chunks(n)).collect();
        bundles
            .par_iter()
            .with_max_len(1)
            .try_for_each(|&(number, items)| {
                if self.with_notes(|state| state.notes.contains_key(&(call, number))) {
                    return Ok(());
                }
                if self.cancel.is_cancelled() {
                    return Err(LeaseError::Stale);
                }
                let bytes = f(items);
                // The holder's number: two attempts never write one blob.
                let (id, holder) = (self.lease.id, self.lease.record.holder);
                let name = format!("{id}.b{call}-{number}.{holder:x}");
                let blob = Blob::put(self.broker.blobs(), name, &bytes)?;
                self.with_notes(|state| {
                    state.notes.insert((call, number), blob);
                    if state.written.elapsed() < NOTE {
                        return Ok(());
                    }
                    self.write_notes(state)
                })
            })?;
        self.with_notes(|state| {
            self.write_notes(state)?;
            let blob = |&(number, _): &(u32, &[T])| state.notes[&(call, number)].clone();
            Ok(bundles.iter().map(blob).collect())
        })
    }

    /// The number of this call, with the notes of an earlier attempt at hand.
    fn begin_bundles(&self) -> Result<u32, LeaseError> {
        let mut state = self
            .bundles
            .0
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        if state.is_none() {
            *state = Some(State {
                notes: self.read_notes()?,
                calls: 0,
                written: Instant::now(),
                blobs: 0,
            });
        }
        let state = state.as_mut().expect("made above");
        state.calls += 1;
        Ok(state.calls)
    }

    fn with_notes<R>(&self, look: impl FnOnce(&mut State) -> R) -> R {
        let mut state = self
            .bundles
            .0
            .lock()
            .unwrap_or_else(|poison| poison.into_inner());
        look(state.as_mut().expect("a call has begun"))
    }

    fn read_notes(&self) -> Result<Notes, Error> {
        let Some(bytes) = self.resume().and_then(|bytes| bytes.strip_prefix(MARK)) else {
            return Ok(Notes::new());
        };
        let damaged = |error| Error::new(format!("notes of bundles cannot be read: {error}"));
        match postcard::from_bytes(bytes).map_err(damaged)? {
            Written::Here(notes) => Ok(notes),
            Written::Beside(blob) => {
                postcard::from_bytes(&blob.get(self.broker.blobs())?).map_err(damaged)
            }
        }
    }

    fn write_notes(&self, state: &mut State) -> Result<(), LeaseError> {
        let encode = |error| Error::new(format!("notes of bundles cannot be encoded: {error}"));
        let mut bytes = postcard::to_stdvec(&Written::Here(state.notes.clone())).map_err(encode)?;
        if bytes.len() > INLINE {
            let (id, holder) = (self.lease.id, self.lease.record.holder);
            let name = |number| format!("{id}.n{number}.{holder:x}");
            let notes = postcard::to_stdvec(&state.notes).map_err(encode)?;
            state.blobs += 1;
            let blob = Blob::put(self.broker.blobs(), name(state.blobs), &notes)?;
            bytes = postcard::to_stdvec(&Written::Beside(blob)).map_err(encode)?;
        }
        let checkpoint = [MARK, &bytes].concat();
        self.broker
            .update(&self.lease, Update::Checkpoint(checkpoint))?;
        state.written = Instant::now();
        Ok(())
    }
}
