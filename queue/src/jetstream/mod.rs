//! A queue on a NATS server with JetStream, for machines.
//!
//! One record a job decides everything. It is the last message of the subject `st.<id>`; every change of it names the sequence of the one before, and fails if
//! another change came between. That sequence is the fence. The messages in the lanes only say that there may be something to do: a message that comes twice,
//! late, or for a job that is done, meets a record that says so, and is dropped.
//!
//! 1. *Submit*: the record, if there is none; then the message, of which a lane takes one a job. What is not accepted takes its record back.
//! 2. *Claim*: a message is pulled; the record says whether it may be started; the claim is a change of the record. Then the message is put off for the length
//!    of the lease, by a negative acknowledgement with a delay, unless the job is over before that. Delivered again, it meets a record whose lease goes on, and
//!    is put off again, or whose lease is over, and the job is claimed anew.
//! 3. *Renew, checkpoint, settle*: changes of the record, which fail as stale if the claim is no longer the current one. Only after a terminal change has
//!    succeeded is the message acknowledged. The other order loses jobs: the server takes an acknowledgement from a lease that ended for one from the newer.
//! 4. *Time* is the server's: each process measures how far its own clock is off.
//! 5. *Bells*, one a class, wake one idle worker for a new job; a worker that it wakes and that sees more jobs rings on. They are hints: workers look by themselves, too.
//!
//! What a worker does between two jobs runs on the connection's thread ([`JetStream::there`]), as a switch of threads for each answer would cost more than the
//! server does.
//!
//! The server's own delivery counts and timers are never trusted with more than when to look again.

mod auth;
mod bell;
mod blobs;
mod change;
mod claim;
mod event;
mod link;
mod look;
mod names;
mod pull;
mod setup;
mod submit;
mod sweep;
mod watch;

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use async_nats::jetstream::stream::Stream;
use futures_util::future::join;
use futures_util::{StreamExt, stream};

use crate::admit::{check_outcome, check_part, take_token};
use crate::broker::{
    Ask, Beat, Blobs, Broker, Cancelled, Depth, Event, Exchanged, KindDepth, Lease, NewJob,
    Outcome, Seen, Seq, Submitted, Update,
};
use crate::clock;
use crate::error::{Error, LeaseError, SubmitError};
use crate::id::{JobId, Lane};
use crate::opts::Limits;
use crate::record::Record;
use crate::store::LaneRow;

pub use auth::Auth;
pub(crate) use event::Telling;

use bell::Bell;
use blobs::ObjectBlobs;
use change::Step;
use link::Link;
use names::Names;
use pull::Sources;
use sweep::{Empty, Sweep};

/// Reads and writes under way at once.
const AT_ONCE: usize = 64;

pub(crate) struct JetStream {
    link: Arc<Link>,
    names: Names,
    limits: Limits,
    /// Milliseconds by which the server's clock is ahead.
    ahead: i64,
    lanes: [Stream; 3],
    state: Stream,
    events: Arc<Stream>,
    dead: Stream,
    sources: Sources,
    /// Which lanes were empty a moment ago.
    empty: [Empty; 3],
    bell: Arc<Bell>,
    buckets: Mutex<[LaneRow; 3]>,
    blobs: ObjectBlobs,
}

impl JetStream {
    fn now(&self) -> u64 {
        clock::now().saturating_add_signed(self.ahead)
    }

    /// Waits for what is done on the connection's thread: by itself the caller would be woken for every answer.
    fn there<T: Send + 'static>(&self, work: impl Future<Output = T> + Send + 'static) -> T {
        let done = self.link.handle.spawn(work);
        match self.link.handle.block_on(done) {
            Ok(value) => value,
            Err(error) => match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                // The runtime ends with the link, which `self` holds.
                Err(error) => panic!("the connection's thread is gone: {error}"),
            },
        }
    }

    async fn settle_now(&self, lease: &Lease, outcome: &Outcome) -> Result<(), LeaseError> {
        let now = self.now();
        let record = self
            .held(lease, Some(&lease.body), |record, _| {
                record.settle(outcome, now)
            })
            .await?;
        self.stay(lease);
        if record.state.is_settled() {
            // The record has it, so the job is settled even if what follows fails. The process that next meets the message or the record makes up for it.
            let told = self.tell_settled(lease, &record);
            let _ = join(told, self.finish(lease)).await;
        } else {
            // Before another claim can tell of itself.
            self.told(lease, true).await;
            let pause = Duration::from_millis(record.ready_at.saturating_sub(now));
            self.put_off(lease, pause).await;
            self.ring(&record.class).await;
        }
        Ok(())
    }
}

impl Broker for Arc<JetStream> {
    fn submit(&self, jobs: &[NewJob]) -> Vec<Result<Submitted, SubmitError>> {
        let admitted: Vec<Result<(), SubmitError>> = {
            let mut buckets = self
                .buckets
                .lock()
                .unwrap_or_else(|poison| poison.into_inner());
            let token = |job: &NewJob| {
                take_token(
                    &mut buckets[job.opts.lane.index()],
                    &self.limits.lanes[job.opts.lane.index()],
                    clock::now(),
                )
            };
            jobs.iter().map(token).collect()
        };
        self.link.handle.block_on(async {
            let make = |(job, admitted): (_, Result<(), SubmitError>)| async move {
                admitted?;
                self.submit_record(job).await
            };
            let records: Vec<_> = stream::iter(jobs.iter().zip(admitted))
                .map(make)
                .buffered(AT_ONCE)
                .collect()
                .await;
            let finish = |(job, record)| self.submit_one(job, record);
            // In order, as the first come are claimed first: a write is sent when the one before it was.
            let answers = stream::iter(jobs.iter().zip(records))
                .map(finish)
                .buffered(AT_ONCE)
                .collect()
                .await;
            let mut classes: Vec<&str> = jobs.iter().map(|job| &*job.class).collect();
            classes.sort_unstable();
            classes.dedup();
            for class in classes {
                self.ring(class).await;
            }
            answers
        })
    }

    fn claim(&self, ask: &Ask, max: usize, wait: Duration) -> Result<Vec<Lease>, Error> {
        let end = Instant::now().checked_add(wait);
        let look = (ask.lease / 4).min(Duration::from_millis(250));
        let mut rung = false;
        loop {
            let mark = self.bell.mark();
            let (this, asked) = (self.clone(), ask.clone());
            let swept = self.there(async move {
                let swept = this.sweep(&asked, max, Sweep::All).await?;
                if let Some(class) = swept.more.as_ref().filter(|_| rung) {
                    this.ring(class).await;
                }
                Ok::<_, Error>(swept.leases)
            });
            let leases = swept?;
            let left = end.map_or(Duration::MAX, |end| {
                end.saturating_duration_since(Instant::now())
            });
            if !leases.is_empty() {
                self.bell.be_busy();
            }
            if !leases.is_empty() || left.is_zero() {
                return Ok(leases);
            }
            // What came before the bell was listened to is asked for once more.
            if !self.bell.listen(&self.link, &self.names, &ask.classes)? {
                rung = self.bell.wait(mark, left.min(look));
            }
        }
    }

    fn renew(&self, leases: &[&Lease]) -> Result<Vec<Beat>, Error> {
        self.link.handle.block_on(async {
            let beats = stream::iter(leases).map(|lease| async move {
                let renewed = self
                    .held(lease, None, |record, now| {
                        record.renew(clock::millis(lease.lease), now)
                    })
                    .await;
                match renewed {
                    Ok(record) => Ok(if record.cancel {
                        Beat::Cancelled
                    } else {
                        Beat::Held
                    }),
                    Err(LeaseError::Broker(error)) => Err(error),
                    Err(_) => Ok(Beat::Stale),
                }
            });
            let beats: Vec<Result<Beat, Error>> = beats.buffered(AT_ONCE).collect().await;
            beats.into_iter().collect()
        })
    }

    fn update(&self, lease: &Lease, update: Update) -> Result<(), LeaseError> {
        check_part(&update)?;
        self.link.handle.block_on(async {
            match update {
                Update::Part(bytes) => self.tell_part(lease, bytes).await,
                Update::Checkpoint(bytes) => self
                    .held(lease, None, |record, _| {
                        record.checkpoint = Some(bytes.clone())
                    })
                    .await
                    .map(drop),
            }
        })
    }

    fn settle(&self, lease: &Lease, outcome: Outcome) -> Result<(), LeaseError> {
        check_outcome(&outcome)?;
        let (this, lease) = (self.clone(), lease.share(&outcome));
        self.there(async move { this.settle_now(&lease, &outcome).await })
    }

    fn exchange(&self, lease: &Lease, outcome: Outcome, ask: &Ask) -> Exchanged {
        if let Err(error) = check_outcome(&outcome) {
            return (Err(error), Ok(Vec::new()));
        }
        let (this, lease, ask) = (self.clone(), lease.share(&outcome), ask.clone());
        self.there(async move {
            let settling = this.settle_now(&lease, &outcome);
            let (settled, swept) = join(settling, this.sweep(&ask, 1, Sweep::Hasty)).await;
            (settled, swept.map(|swept| swept.leases))
        })
    }

    fn cancel(&self, id: JobId) -> Result<Cancelled, Error> {
        self.link.handle.block_on(async {
            let cancel = |record: Option<Record>, now| {
                let Some(mut record) = record else {
                    return Step::Leave((Cancelled::TooLate, None));
                };
                match record.cancel(now) {
                    Cancelled::TooLate => Step::Leave((Cancelled::TooLate, None)),
                    cancelled => Step::Write(Box::new(record.clone()), (cancelled, Some(record))),
                }
            };
            let ((cancelled, record), _) = self.change(id, None, None, cancel).await?;
            if let Some(record) = record.filter(|record| record.state.is_settled()) {
                // Its message stays until a worker meets it. Taken out here, with a consumer about to deliver it, it makes some servers leave a pull unanswered.
                self.tell_end(id, &record).await?;
            }
            Ok(cancelled)
        })
    }

    fn get(&self, id: JobId) -> Result<Option<Record>, Error> {
        self.link.handle.block_on(self.get_now(id))
    }

    fn watch(&self, id: JobId, from: Seq, wait: Duration) -> Result<Vec<Event>, Error> {
        self.link.handle.block_on(self.watch_from(id, from, wait))
    }

    fn requeue(&self, id: JobId) -> Result<bool, Error> {
        self.link.handle.block_on(self.requeue_job(id))
    }

    fn dead(&self, max: usize) -> Result<Vec<(JobId, Record)>, Error> {
        let mut dead = self.link.handle.block_on(self.dead_jobs())?;
        dead.truncate(max);
        Ok(dead)
    }

    fn depth(&self) -> Result<Depth, Error> {
        self.link.handle.block_on(async {
            let mut depth = Depth::default();
            for lane in Lane::ALL {
                depth.lanes[lane.index()] = self.lane_depth(lane).await?;
            }
            let dead = self
                .link
                .again("a state", || async { self.dead.get_info().await })
                .await?;
            if dead.state.messages > 0 {
                depth.dead = self.dead_jobs().await?.len() as u64;
            }
            Ok(depth)
        })
    }

    fn attend(&self, worker: &str) -> Result<bool, Error> {
        Ok(self
            .link
            .handle
            .block_on(self.attend_as(worker, None))?
            .unwrap_or(false))
    }

    fn drain(&self, worker: &str) -> Result<bool, Error> {
        Ok(self
            .link
            .handle
            .block_on(self.attend_as(worker, Some(true)))?
            .is_some())
    }

    fn workers(&self) -> Result<Vec<Seen>, Error> {
        self.link.handle.block_on(self.list_workers())
    }

    fn kinds(&self) -> Result<Vec<KindDepth>, Error> {
        self.link.handle.block_on(self.kinds_of_all())
    }

    fn is_private(&self) -> bool {
        false
    }

    fn erase(&self) -> Result<(), Error> {
        self.link.handle.block_on(self.erase_all())
    }

    fn blobs(&self) -> &dyn Blobs {
        &self.blobs
    }
}
