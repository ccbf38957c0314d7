//! The stealing core, from the crate's own files; and stand-ins for what has no part in a protocol.

#[path = "../../../src/core/above.rs"]
pub(crate) mod above;
#[path = "../../../src/core/active.rs"]
mod active;
#[path = "../../../src/core/ahead.rs"]
mod ahead;
#[path = "../../../src/core/beside.rs"]
mod beside;
#[path = "../../../src/core/bit_set.rs"]
mod bit_set;
#[path = "../../../src/core/broadcast.rs"]
pub(crate) mod broadcast;
#[path = "../../../src/core/callers.rs"]
mod callers;
#[path = "../../../src/core/count.rs"]
pub(crate) mod count;
#[path = "../../../src/core/crew.rs"]
mod crew;
#[path = "../../../src/core/current_pool.rs"]
pub(crate) mod current_pool;
#[path = "../../../src/core/deliver.rs"]
mod deliver;
#[path = "../../../src/core/deque.rs"]
pub(crate) mod deque;
#[path = "../../../src/core/desk.rs"]
pub(crate) mod desk;
#[path = "../../../src/core/event.rs"]
pub(crate) mod event;
#[path = "../../../src/core/event_ring.rs"]
pub(crate) mod event_ring;
#[path = "../../../src/core/fifo.rs"]
mod fifo;
#[path = "../../../src/core/find.rs"]
mod find;
#[path = "../../../src/core/follow.rs"]
pub(crate) mod follow;
#[path = "../../../src/core/fork.rs"]
pub(crate) mod fork;
#[path = "../../../src/core/gone.rs"]
mod gone;
#[path = "../../../src/core/guest.rs"]
pub(crate) mod guest;
#[path = "../../../src/core/handle.rs"]
pub(crate) mod handle;
#[path = "../../../src/core/home.rs"]
mod home;
#[path = "../../../src/core/idle.rs"]
pub(crate) mod idle;
#[path = "../../../src/core/job.rs"]
pub(crate) mod job;
#[path = "../../../src/core/job_state.rs"]
mod job_state;
#[path = "../../../src/core/latch.rs"]
pub(crate) mod latch;
#[path = "../../../src/core/life.rs"]
mod life;
#[path = "../../../src/core/mail.rs"]
mod mail;
#[path = "../../../src/core/meter/off.rs"]
pub(crate) mod meter;
#[path = "../../../src/core/missed.rs"]
mod missed;
#[path = "../../../src/core/note.rs"]
mod note;
#[path = "../../../src/core/park.rs"]
pub(crate) mod park;
#[path = "../../../src/core/patient.rs"]
mod patient;
#[path = "../../../src/core/pool.rs"]
pub(crate) mod pool;
#[path = "../../../src/core/process_lock.rs"]
mod process_lock;
#[path = "../../../src/core/push.rs"]
mod push;
#[path = "../../../src/core/put_down.rs"]
mod put_down;
#[path = "../../../src/core/policy.rs"]
mod real_policy;
#[path = "../../../src/core/rights.rs"]
pub(crate) mod rights;
#[path = "../../../src/core/root.rs"]
pub(crate) mod root;
#[path = "../../../src/core/root_queues.rs"]
mod root_queues;
#[path = "../../../src/core/run.rs"]
mod run;
#[path = "../../../src/core/scope.rs"]
pub(crate) mod scope;
#[path = "../../../src/core/script.rs"]
pub(crate) mod script;
#[path = "../../../src/core/search.rs"]
mod search;
#[path = "../../../src/core/seat.rs"]
pub(crate) mod seat;
#[path = "../../../src/core/sleepers.rs"]
mod sleepers;
#[path = "../../../src/core/slots.rs"]
mod slots;
#[path = "../../../src/core/sorted_map.rs"]
mod sorted_map;
#[path = "../../../src/core/spawn.rs"]
pub(crate) mod spawn;
#[path = "../../../src/core/stand_in.rs"]
mod stand_in;
#[path = "../../../src/core/thunk.rs"]
mod thunk;
#[path = "../../../src/core/turns.rs"]
mod turns;
#[path = "../../../src/core/until.rs"]
mod until;
#[path = "../../../src/core/visit.rs"]
pub(crate) mod visit;
#[path = "../../../src/core/wait.rs"]
mod wait;
#[path = "../../../src/core/wait_list.rs"]
pub(crate) mod wait_list;
#[path = "../../../src/core/wake.rs"]
mod wake;
#[path = "../../../src/core/weak_pool.rs"]
pub(crate) mod weak_pool;
#[path = "../../../src/core/worker.rs"]
pub(crate) mod worker;

/// The global pool: the pool that the running model set up.
pub(crate) mod global {
    use super::pool::Pool;
    use std::cell::Cell;
    use std::ptr;

    thread_local! {
        /// Loom runs all threads of a model on one thread of the system, so they share this.
        static GLOBAL: Cell<*const Pool> = const { Cell::new(ptr::null()) };
    }

    pub(crate) fn global() -> &'static Pool {
        // SAFETY: set by `set`, whose caller keeps the pool for as long as the model runs.
        unsafe { &*GLOBAL.with(Cell::get) }
    }

    pub(crate) fn living(pool: &Pool) -> &Pool {
        pool
    }

    /// # Safety
    /// The pool stays until the model has ended.
    pub(crate) unsafe fn set(pool: *const Pool) {
        GLOBAL.with(|global| global.set(pool));
    }
}

/// The crate's decisions, but for patience: the more often a thread looks before it sleeps, the more schedules there are, and none of
/// them is new.
mod policy {
    pub(crate) use super::real_policy::{
        Next, eager_pushes, first_victim, may_search, most_loot, overdue_interval, random,
    };

    pub(crate) fn after_look(_looks: u32, _waits: bool) -> Next {
        Next::Sleep
    }

    /// The crate wakes more than one for speed. Here that could hide that one is not enough.
    pub(crate) fn first_wakes(_asleep: usize, _threads: usize) -> usize {
        1
    }

    /// To look at some is for speed, and could hide that it is enough if the last searcher looks at all.
    pub(crate) fn loot_visits(searching: usize) -> usize {
        if searching == 0 { usize::MAX } else { 0 }
    }

    pub(crate) fn wakes(loot: usize, searching: usize) -> usize {
        loot.saturating_sub(searching).min(1)
    }
}

pub(crate) fn current_num_threads() -> usize {
    current_pool::current_pool().num_threads()
}

/// No model forks.
mod child {
    pub(crate) fn generation() -> u32 {
        0
    }
}

/// No thread of a model loses the processor, and no time passes.
pub(crate) mod clock {
    pub(crate) fn ticks() -> u64 {
        0
    }

    pub(crate) fn per_us() -> u64 {
        1
    }

    pub(crate) fn give_way() -> bool {
        loom::thread::yield_now();
        false
    }
}

/// Roots that no job has. Std's counter: loom's cannot be a static, and what a root is called makes no difference to a model.
mod fresh {
    use super::root::Root;
    use std::sync::atomic::{AtomicU64, Ordering};

    pub(crate) fn new_isolated_root() -> Root {
        Root::isolated(next())
    }

    pub(crate) fn new_job_root() -> Root {
        Root::job(next())
    }

    fn next() -> u64 {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        COUNT.fetch_add(1, Ordering::Relaxed)
    }
}

/// To leave a queue alone is a matter of time.
mod backoff {
    use super::deque::Thief;

    pub(crate) struct Backoff;

    impl Backoff {
        pub(crate) fn new() -> Self {
            Backoff
        }

        pub(crate) fn before_steal(&self, _: usize, _: &Thief) {}
        pub(crate) fn after_steal(&self, _: usize, _: &Thief) {}
    }
}

/// A model says whether the system queues every woken thread on its waker's processor. No part of what is checked, so these are std's cells.
pub(crate) mod processor {
    use std::cell::Cell;

    thread_local! {
        /// Loom runs all threads of a model on one thread of the system, so they share this.
        static ONE: Cell<bool> = const { Cell::new(false) };
    }

    /// Whether there is one processor only, from now on.
    pub(crate) fn only_one(one: bool) {
        ONE.with(|cell| cell.set(one));
    }

    pub(crate) struct WokenFrom(Cell<bool>);

    impl WokenFrom {
        pub(crate) fn new() -> Self {
            WokenFrom(Cell::new(false))
        }

        pub(crate) fn set_here(&self) {
            self.0.set(true);
        }

        pub(crate) fn forget(&self) {
            self.0.set(false);
        }

        pub(crate) fn is_here(&self) -> bool {
            self.0.get() && ONE.with(Cell::get)
        }
    }
}

/// Loom does not know when memory is freed. With this it reports a pool that ends before, or while, a thread of another pool wakes a waiter there.
pub(crate) mod last_use {
    use crate::sync::{AtomicUsize, Cell, Ordering};

    pub(crate) struct LastUse {
        cell: Cell<()>,
        /// What keeps the pool in earnest is std's `Arc`, whose count loom does not see: the end comes after all uses that have ended.
        ended: AtomicUsize,
    }

    // SAFETY: the cell is loom's, which reports what is not synchronised.
    unsafe impl Sync for LastUse {}
    // SAFETY: as above.
    unsafe impl Send for LastUse {}

    pub(crate) struct Use<'a>(&'a LastUse);

    impl LastUse {
        pub(crate) fn new() -> Self {
            LastUse {
                cell: Cell::new(()),
                ended: AtomicUsize::new(0),
            }
        }

        pub(crate) fn begin(&self) -> Use<'_> {
            self.cell.get();
            Use(self)
        }

        pub(crate) fn pool_ends(&self) {
            self.ended.fetch_add(0, Ordering::AcqRel);
            self.cell.set(());
        }
    }

    impl Drop for Use<'_> {
        fn drop(&mut self) {
            self.0.ended.fetch_add(1, Ordering::Release);
        }
    }
}

/// Measures nothing: no time passes in a model.
mod probe {
    use super::event::Kind;

    #[derive(Default)]
    pub(crate) struct Probe;

    impl Probe {
        pub(crate) fn search(&self, _: bool) {}
        pub(crate) fn sleep(&self) {}
        pub(crate) fn get_up(&self) {}
        pub(crate) fn call(&self) {}
        pub(crate) fn introduce(&self, _: u64, _: usize, _: Option<usize>) {}
        pub(crate) fn note(&self, _: Kind, _: impl FnOnce() -> u64) {}
        pub(crate) fn offered(&self, _: bool) {}
        pub(crate) fn kept(&self, _: impl FnOnce() -> u64) {}
    }

    pub(crate) fn next_pool() -> u64 {
        0
    }
}

/// Counters that count nothing: each would be one more place for the checker to switch threads.
mod stats {
    #[derive(Default)]
    pub(crate) struct Counter;

    impl Counter {
        pub(crate) fn bump(&self) {}
        pub(crate) fn bump_shared(&self) {}
    }

    #[derive(Default)]
    pub(crate) struct Counters {
        pub(crate) jobs: Counter,
        pub(crate) looks: Counter,
        pub(crate) visits: Counter,
        pub(crate) steals: Counter,
        pub(crate) failed_steals: Counter,
        pub(crate) promotions: Counter,
        pub(crate) handed_back: Counter,
        pub(crate) parks: Counter,
        pub(crate) wakes: Counter,
        pub(crate) injected: Counter,
        pub(crate) guests: Counter,
    }

    pub(crate) struct Stats;

    impl Counters {
        pub(crate) fn read(&self) -> Stats {
            Stats
        }
    }

    impl std::ops::AddAssign for Stats {
        fn add_assign(&mut self, _: Stats) {}
    }
}

/// Panics that a model plants are caught as in earnest. All others pass through: such a one is a finding, and loom has to see it.
pub(crate) mod unwind {
    use std::any::Any;
    use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

    pub(crate) type Payload = Box<dyn Any + Send + 'static>;

    pub(crate) use std::panic::resume_unwind as resume;

    /// A panic that belongs to the model, by its number.
    #[derive(Debug, PartialEq, Eq)]
    pub(crate) struct Planted(pub(crate) u32);

    pub(crate) fn catch<R>(f: impl FnOnce() -> R) -> Result<R, Payload> {
        catch_unwind(AssertUnwindSafe(f)).map_err(|payload| match payload.is::<Planted>() {
            true => payload,
            false => resume_unwind(payload),
        })
    }

    pub(crate) fn quietly(f: &mut dyn FnMut()) {
        drop(catch(f));
    }

    pub(crate) fn drop_quietly<T>(value: T) {
        drop(value);
    }

    pub(crate) struct AbortOnDrop(pub(crate) &'static str);

    impl Drop for AbortOnDrop {
        fn drop(&mut self) {
            unreachable!("{}", self.0)
        }
    }
}

/// No model has a thread that waits for a root above another one, so there is no table. `above` has a model of its own.
mod sub_root {
    use super::fresh::{new_isolated_root, new_job_root};
    use super::root::Root;
    use std::iter;

    pub(crate) struct SubRoot(Root);

    impl SubRoot {
        pub(crate) fn new(_above: Root, is_job: bool) -> SubRoot {
            SubRoot(match is_job {
                true => new_job_root(),
                false => new_isolated_root(),
            })
        }

        pub(crate) fn root(&self) -> Root {
            self.0
        }
    }

    impl Root {
        pub(crate) fn and_above(self) -> impl Iterator<Item = Root> {
            iter::once(self)
        }

        pub(crate) fn is_within(self, call: Root) -> bool {
            self == call
        }
    }
}
