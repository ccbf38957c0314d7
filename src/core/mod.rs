//! The stealing core: threads, jobs, forks. It knows nothing of iterators.
//!
//! From the ground up. What makes up one pool knows each other: jobs and queues know the desk that a job came from, the desk its pool, and
//! whoever begins a pool what it begins with. For the rest, a file imports from those before it:
//!
//! | floor | files |
//! |---|---|
//! | words | `unwind` `child` `clock` `park` `rights` `root` `idle` `latch` `policy` `script` `stats` `histogram` `event` `tape` `recorder` `probe` |
//! | jobs and queues | `job` `deque` `fifo` `boxes` `mail` `wait_list` |
//! | the pool | `desk` `seat` `sleepers` `pool` `wake` `worker` `search` `wait` |
//! | getting in | `build_error` `thread_builder` `builder` `global` `home` `guest` |
//! | what users call | `fork` `join` `count` `scope` `spawn` `broadcast` `isolate` `thread_pool` `current` `kept` `configuration` |
//! | what people see | `pools` `seats` `prometheus` `schedtrace` |

mod boxes;
mod broadcast;
mod build_error;
mod builder;
mod child;
pub(crate) mod clock;
mod configuration;
mod count;
mod current;
pub(crate) mod deque;
pub(crate) mod desk;
pub(crate) mod event;
mod fifo;
pub(crate) mod fork;
mod global;
pub(crate) mod guest;
mod histogram;
mod home;
pub(crate) mod idle;
mod isolate;
mod job;
mod join;
pub(crate) mod kept;
mod latch;
mod mail;
mod park;
mod policy;
pub(crate) mod pool;
mod pools;
pub(crate) mod probe;
mod prometheus;
#[cfg(feature = "trace")]
pub(crate) mod recorder;
mod region;
mod rights;
mod root;
mod schedtrace;
mod scope;
pub(crate) mod script;
mod search;
pub(crate) mod seat;
mod seats;
mod sleepers;
mod spawn;
pub(crate) mod stats;
#[cfg(feature = "trace")]
pub(crate) mod tape;
mod thread_builder;
mod thread_pool;
pub(crate) mod unwind;
mod wait;
pub(crate) mod wait_list;
mod wake;
pub(crate) mod worker;

pub use broadcast::{BroadcastContext, broadcast, spawn_broadcast};
pub use build_error::ThreadPoolBuildError;
pub use builder::{ThreadPoolBuilder, max_num_threads};
#[allow(deprecated)]
pub use configuration::{Configuration, initialize};
#[doc(hidden)]
pub use current::force_cuts;
pub(crate) use current::is_told;
pub use current::{
    current_num_threads, current_thread_has_pending_tasks, current_thread_index, missing_threads,
    stats,
};
#[cfg(filch_shuttle)]
pub(crate) use global::end_global;
pub use histogram::Histogram;
pub use isolate::{blocking, isolate};
pub(crate) use join::both;
pub use join::{FnContext, join, join_context};
pub use prometheus::prometheus;
pub use region::region;
pub use scope::{Scope, ScopeFifo, in_place_scope, in_place_scope_fifo, scope, scope_fifo};
#[doc(hidden)]
pub use script::{Cuts, Question, Script};
pub use seats::{Load, SeatStats, load, seats};
pub use spawn::{Yield, spawn, spawn_fifo, yield_local, yield_now};
pub use stats::Stats;
pub use thread_builder::ThreadBuilder;
pub use thread_pool::ThreadPool;
