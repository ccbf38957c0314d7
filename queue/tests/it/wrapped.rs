//! A backend that passes each operation on to another one, except those that a test replaces.

use std::sync::Arc;
use std::time::Duration;

use filch_queue::broker::{
    Ask, Beat, Blobs, Broker, Cancelled, Depth, Event, Lease, NewJob, Outcome, Seen, Seq,
    Submitted, Update,
};
use filch_queue::record::Record;
use filch_queue::{Error, JobId, LeaseError, Queue, SubmitError};

type Claim = dyn Fn(&dyn Broker, &Ask, usize, Duration) -> Result<Vec<Lease>, Error> + Send + Sync;
type Settle = dyn Fn(&dyn Broker, &Lease, Outcome) -> Result<(), LeaseError> + Send + Sync;
type Renew = dyn Fn(&dyn Broker, &[&Lease]) -> Result<Vec<Beat>, Error> + Send + Sync;
type ToDepth = dyn Fn(&dyn Broker) -> Result<Depth, Error> + Send + Sync;

pub struct Wrapped {
    inner: Queue,
    pub claim: Box<Claim>,
    pub settle: Box<Settle>,
    pub renew: Box<Renew>,
    pub depth: Box<ToDepth>,
}

impl Wrapped {
    pub fn new(inner: Queue) -> Self {
        Wrapped {
            inner,
            claim: Box::new(|inner, ask, max, wait| inner.claim(ask, max, wait)),
            settle: Box::new(|inner, lease, outcome| inner.settle(lease, outcome)),
            renew: Box::new(|inner, leases| inner.renew(leases)),
            depth: Box::new(|inner| inner.depth()),
        }
    }

    pub fn queue(self) -> Queue {
        Queue::on("q", Arc::new(self))
    }
}

impl Broker for Wrapped {
    fn submit(&self, jobs: &[NewJob]) -> Vec<Result<Submitted, SubmitError>> {
        self.inner.broker().submit(jobs)
    }

    fn claim(&self, ask: &Ask, max: usize, wait: Duration) -> Result<Vec<Lease>, Error> {
        (self.claim)(self.inner.broker(), ask, max, wait)
    }

    fn renew(&self, leases: &[&Lease]) -> Result<Vec<Beat>, Error> {
        (self.renew)(self.inner.broker(), leases)
    }

    fn update(&self, lease: &Lease, update: Update) -> Result<(), LeaseError> {
        self.inner.broker().update(lease, update)
    }

    fn settle(&self, lease: &Lease, outcome: Outcome) -> Result<(), LeaseError> {
        (self.settle)(self.inner.broker(), lease, outcome)
    }

    fn cancel(&self, id: JobId) -> Result<Cancelled, Error> {
        self.inner.broker().cancel(id)
    }

    fn get(&self, id: JobId) -> Result<Option<Record>, Error> {
        self.inner.broker().get(id)
    }

    fn watch(&self, id: JobId, from: Seq, wait: Duration) -> Result<Vec<Event>, Error> {
        self.inner.broker().watch(id, from, wait)
    }

    fn requeue(&self, id: JobId) -> Result<bool, Error> {
        self.inner.broker().requeue(id)
    }

    fn dead(&self, max: usize) -> Result<Vec<(JobId, Record)>, Error> {
        self.inner.broker().dead(max)
    }

    fn depth(&self) -> Result<Depth, Error> {
        (self.depth)(self.inner.broker())
    }

    fn attend(&self, worker: &str) -> Result<bool, Error> {
        self.inner.broker().attend(worker)
    }

    fn drain(&self, worker: &str) -> Result<bool, Error> {
        self.inner.broker().drain(worker)
    }

    fn workers(&self) -> Result<Vec<Seen>, Error> {
        self.inner.broker().workers()
    }

    fn is_private(&self) -> bool {
        false
    }

    fn blobs(&self) -> &dyn Blobs {
        self.inner.broker().blobs()
    }
}
