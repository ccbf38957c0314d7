//! What a submitter holds: the result to come, and the events on the way.

use std::collections::VecDeque;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;

use crate::broker::{Broker, Cancelled, Event, Happening, Seq};
use crate::error::{Error, WaitError};
use crate::id::JobId;
use crate::record::{Output, State};

/// A claim on a result: wait for it, watch it, or cancel it, here or in any other process.
pub struct Ticket<O> {
    id: JobId,
    broker: Arc<dyn Broker>,
    out: PhantomData<fn() -> O>,
}

impl<O> Clone for Ticket<O> {
    fn clone(&self) -> Self {
        Ticket {
            id: self.id,
            broker: self.broker.clone(),
            out: PhantomData,
        }
    }
}

impl<O> std::fmt::Debug for Ticket<O> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Ticket({})", self.id)
    }
}

/// How far a job is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Status {
    /// There is no such job, or no longer.
    Unknown,
    /// It waits.
    Queued {
        /// Attempts so far.
        attempts: u32,
    },
    /// It runs.
    Running {
        /// The number of the attempt.
        attempt: u32,
    },
    /// There is a result.
    Done,
    /// It was given up, for this reason.
    Dead(String),
    /// It was cancelled.
    Cancelled,
}

impl<O> Ticket<O> {
    pub(crate) fn new(id: JobId, broker: Arc<dyn Broker>) -> Self {
        Ticket {
            id,
            broker,
            out: PhantomData,
        }
    }

    /// The job's id. Write it down, and [`Queue::ticket`](crate::Queue::ticket) gives this ticket again.
    pub fn id(&self) -> JobId {
        self.id
    }

    /// How far the job is.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    pub fn status(&self) -> Result<Status, Error> {
        Ok(match self.broker.get(self.id)? {
            None => Status::Unknown,
            Some(record) => match record.state {
                State::Queued => Status::Queued {
                    attempts: record.attempt,
                },
                State::Running => Status::Running {
                    attempt: record.attempt,
                },
                State::Done(_) => Status::Done,
                State::Dead(why) => Status::Dead(why),
                State::Cancelled => Status::Cancelled,
            },
        })
    }

    /// Keeps the job from starting, or asks it to stop.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    pub fn cancel(&self) -> Result<Cancelled, Error> {
        self.broker.cancel(self.id)
    }

    /// The events of the job from a place on; 0 is the first. Nothing is lost and nothing comes twice, whenever one subscribes.
    pub fn subscribe(&self, from: Seq) -> Events {
        Events {
            id: self.id,
            broker: self.broker.clone(),
            next: from,
            ready: VecDeque::new(),
        }
    }
}

impl<O: DeserializeOwned> Ticket<O> {
    /// The result, once there is one.
    ///
    /// # Errors
    ///
    /// [`WaitError::Timeout`] after so long; else why there is no result.
    pub fn wait(&self, most: Duration) -> Result<O, WaitError> {
        let end = Instant::now().checked_add(most);
        let mut from = 0;
        loop {
            // The record first: it decides, and events may lag behind it.
            let record = self.broker.get(self.id)?.ok_or(WaitError::Unknown)?;
            match record.state {
                State::Queued | State::Running => {}
                State::Done(output) => return self.decode(output),
                State::Dead(why) => return Err(WaitError::Dead(why)),
                State::Cancelled => return Err(WaitError::Cancelled),
            }
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if left.is_zero() {
                return Err(WaitError::Timeout);
            }
            // Looks at the record now and then even if no event comes, as a job may be forgotten.
            let events = self
                .broker
                .watch(self.id, from, left.min(Duration::from_secs(5)))?;
            from = events.last().map_or(from, |last| last.seq + 1);
        }
    }

    fn decode(&self, output: Output) -> Result<O, WaitError> {
        let bytes = output.into_bytes(self.broker.blobs())?;
        bytes
            .and_then(|bytes| postcard::from_bytes(&bytes).map_err(|error| error.to_string()))
            .map_err(WaitError::Undecodable)
    }
}

/// The events of a job, as they come.
pub struct Events {
    id: JobId,
    broker: Arc<dyn Broker>,
    next: Seq,
    ready: VecDeque<Event>,
}

impl Events {
    /// The next event, if it comes in time.
    ///
    /// # Errors
    ///
    /// If the backend fails. The same event may be asked for again.
    pub fn next(&mut self, wait: Duration) -> Result<Option<Event>, Error> {
        if self.ready.is_empty() {
            self.ready = self.broker.watch(self.id, self.next, wait)?.into();
        }
        let event = self.ready.pop_front();
        if let Some(event) = &event {
            self.next = event.seq + 1;
        }
        Ok(event)
    }

    /// All events until the job is settled, or until none came for so long.
    ///
    /// # Errors
    ///
    /// If the backend fails.
    pub fn until_settled(&mut self, wait: Duration) -> Result<Vec<Happening>, Error> {
        let mut all = Vec::new();
        while let Some(event) = self.next(wait)? {
            let settled = matches!(
                event.what,
                Happening::Done | Happening::Dead(_) | Happening::Cancelled
            );
            all.push(event.what);
            if settled {
                break;
            }
        }
        Ok(all)
    }
}
