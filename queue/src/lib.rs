//! A pull queue for work that outgrows one machine.
//!
//! Jobs are values that travel; workers, in as many processes as there are, ask for one when they have a hand free. A job lost with its worker comes back; a
//! client may leave and collect its results elsewhere. For jobs of 50 ms to hours. What takes less belongs on filch's own pool, or into bundles.
//!
//! - [`Queue`] is where a client submits and gets a [`Ticket`]; [`Worker`] is what runs jobs; [`Job`] is what a user writes.
//! - [`map_reduce`] counts, groups and joins what lies in files, over processes and machines, with the same bytes as result however many there are and
//!   whatever is killed.
//! - [`broker`] is what a backend does, [`record`] what it keeps, [`mod@conformance`] what every backend is tested against.
//!
//! | backend | for | needs |
//! |---|---|---|
//! | [`Queue::mem`] | threads of one process, tests | nothing |
//! | `Queue::local` | processes of one machine | the feature `local`, which is on |
//! | `Queue::jetstream` | machines | the feature `jetstream`, and a NATS server |
//!
//! # What holds
//!
//! An attempt may run twice, an outcome counts once: a result is kept only from the attempt that holds the job's lease, and a lease that ended is refused by
//! its number. So nothing is exactly-once but the record. What has effects elsewhere hands on [`Cx::fence`].
//!
//! # Floors
//!
//! `error`, `id`, `opts`, `clock`, `files` · `aging`, `record`, `depth`, `broker` · `admit`, `store`, `ledger` (semantics on transactions), `mem`, `local`,
//! `jetstream` · `objects` (stores for shuffles), `places` · `job`, `ticket`, `queue`, `heart`, `settle`, `crew`, `worker` · `map_reduce`, `conformance`.

mod admit;
mod aging;
mod asked;
mod blob;
pub mod broker;
mod bundles;
mod clock;
pub mod conformance;
mod crew;
mod depth;
mod error;
mod files;
mod heart;
mod id;
#[cfg(feature = "jetstream")]
mod jetstream;
mod job;
mod ledger;
#[cfg(feature = "local")]
mod local;
pub mod map_reduce;
mod mem;
mod notes;
#[cfg(feature = "store")]
mod objects;
mod opts;
mod places;
mod planted;
mod queue;
pub mod record;
mod settle;
mod stats;
mod store;
mod ticket;
mod turns;
mod worker;

pub use aging::Aging;
pub use blob::Blob;
pub use broker::{Cancelled, Depth, Event, Happening, Seq};
pub use error::{Error, LeaseError, SubmitError, WaitError};
pub use id::{JobId, Lane};
#[cfg(feature = "jetstream")]
pub use jetstream::Auth;
pub use job::{Cx, Fail, Job};
pub use opts::{Backoff, LaneLimits, Limits, MAX_BLOB, MAX_BODY, MAX_INLINE, MAX_PART, Opts};
pub use queue::Queue;
pub use settle::Summary;
pub use stats::{Counts, Histogram, Stats};
pub use ticket::{Events, Status, Ticket};
pub use worker::{Handle, Worker};
