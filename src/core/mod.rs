//! The stealing core: threads, jobs, forks. It knows nothing of iterators.
//!
//! From the ground up; a file imports only from those before it (`tests/floors.rs` checks that):
//!
//! | floor | files |
//! |---|---|
//! | words | `bit_set` `sorted_map` `unwind` `job_state` `thunk` `child` `process_lock` `clock` `park` `processor` `rights` `missed` `root` `fresh` `above` `sub_root` `idle` `latch` `policy` `script` `stats` `histogram` `event` `follow` `meter` `slots` `event_ring` `track` `row` `rows` `recorder` `probe` |
//! | jobs and queues | `job` `gone` `deque` `backoff` `fifo` `root_queues` `mail` `crew` `wait_list` |
//! | the pool | `desk` `note` `seat` `sleepers` `pool` `turns` `callers` `wake` `worker` `push` `beside` `deliver` `put_down` `active` `life` `snapshot` `find` `run` `search` `ahead` `visit` `until` `stand_in` `home` `patient` `wait` |
//! | getting in | `build_error` `thread_builder` `made_once` `global_pointer` `pools` `schedtrace` `trace_env` `start` `global` `current_pool` `guest` `leaf` |
//! | what users call | `fork` `join` `count` `spawn` `weak_pool` `handle` `broadcast` `scope` `isolate` `join_threads` `thread_pool` `builder` `current` `background_pool` `configuration` |
//! | what people see | `seats` `prometheus` `region` |
//!
//! A lower file sometimes needs to keep something of a higher file. It keeps a name or an address, and does not read it: a job has an
//! [`Owner`](job::Owner), which is a desk; a desk has the address of its pool, from which [`Pool::of`](pool::Pool::of) makes a reference.
//! The words (right, desk, seat, root) are explained in `docs/guide/src/core.md`.

mod above;
mod active;
mod ahead;
pub(crate) mod background_pool;
mod backoff;
mod beside;
mod bit_set;
mod broadcast;
mod build_error;
mod builder;
mod callers;
mod child;
pub(crate) mod clock;
mod configuration;
pub(crate) mod count;
mod crew;
mod current;
mod current_pool;
mod deliver;
pub(crate) mod deque;
pub(crate) mod desk;
pub(crate) mod event;
#[cfg(feature = "trace")]
pub(crate) mod event_ring;
mod fifo;
mod find;
mod follow;
pub(crate) mod fork;
mod fresh;
mod global;
mod global_pointer;
mod gone;
pub(crate) mod guest;
mod handle;
mod histogram;
mod home;
pub(crate) mod idle;
mod isolate;
mod job;
pub(crate) mod job_state;
mod join;
mod join_threads;
mod latch;
mod leaf;
mod life;
mod made_once;
mod mail;
pub(crate) mod meter;
mod missed;
mod note;
mod park;
mod patient;
pub(crate) mod policy;
pub(crate) mod pool;
pub(crate) mod pools;
pub(crate) mod probe;
mod process_lock;
mod processor;
mod prometheus;
mod push;
mod put_down;
#[cfg(feature = "trace")]
pub(crate) mod recorder;
mod region;
mod rights;
mod root;
mod root_queues;
#[cfg(feature = "trace")]
pub(crate) mod row;
#[cfg(feature = "trace")]
pub(crate) mod rows;
mod run;
mod schedtrace;
mod scope;
pub(crate) mod script;
mod search;
pub(crate) mod seat;
mod seats;
mod sleepers;
#[cfg(feature = "trace")]
pub(crate) mod slots;
mod snapshot;
mod sorted_map;
mod spawn;
mod stand_in;
mod start;
pub(crate) mod stats;
mod sub_root;
mod thread_builder;
mod thread_pool;
mod thunk;
mod trace_env;
#[cfg(feature = "trace")]
pub(crate) mod track;
mod turns;
mod until;
pub(crate) mod unwind;
mod visit;
mod wait;
pub(crate) mod wait_list;
mod wake;
mod weak_pool;
pub(crate) mod worker;

pub use active::ActiveThreadsError;
pub use broadcast::{BroadcastContext, broadcast, spawn_broadcast};
pub use build_error::ThreadPoolBuildError;
pub use builder::ThreadPoolBuilder;
#[cfg(feature = "trace")]
pub(crate) use child::is_child;
#[allow(deprecated)]
pub use configuration::{Configuration, initialize};
pub(crate) use current::has_test_hook;
pub use current::{
    active, current_num_threads, current_thread_has_pending_tasks, current_thread_index,
    missing_threads, set_active, stats,
};
#[doc(hidden)]
pub use current::{force_cuts, force_leaves};
pub use follow::Follow;
#[cfg(filch_shuttle)]
pub(crate) use global::end_global;
#[cfg(all(test, unix, not(any(miri, filch_loom, filch_shuttle))))]
pub(crate) use global_pointer::assert_well_in_child;
pub(crate) use global_pointer::watch_forks;
pub(crate) use handle::prepare;
pub use handle::{JobHandle, spawn_handle};
pub use histogram::Histogram;
pub use isolate::{blocking, isolate};
pub(crate) use join::both;
pub use join::{FnContext, join, join_context};
pub(crate) use leaf::{leaf, threads};
#[cfg(feature = "trace")]
pub(crate) use note::desk_here;
pub(crate) use process_lock::ProcessLock;
pub use prometheus::prometheus;
pub use region::region;
#[cfg(feature = "trace")]
pub(crate) use schedtrace::say;
pub use scope::{Scope, ScopeFifo, in_place_scope, in_place_scope_fifo, scope, scope_fifo};
#[doc(hidden)]
pub use script::{Cuts, Question, Script};
pub use seats::{load, seats};
pub use snapshot::{Load, SeatStats};
pub use spawn::{Yield, spawn, spawn_fifo, yield_local, yield_now};
pub use start::max_num_threads;
pub use stats::Stats;
pub use thread_builder::ThreadBuilder;
pub use thread_pool::ThreadPool;
pub(crate) use weak_pool::{Alive, WeakPool};
