//! What the threads of a pool share: rights and seats, desks, the queue for work from outside, the lists of sleepers, handlers.
//!
//! Which thread to wake is decided in [`wake`](super::wake). What a thread does is in [`push`](super::push), [`find`](super::find),
//! [`run`](super::run), [`search`](super::search) and [`wait`](super::wait).

use super::child;
use super::crew::Crew;
use super::desk::Desk;
use super::follow::Follower;
use super::idle::Idle;
use super::job::JobRef;
use super::missed::Missed;
use super::policy;
use super::probe;
use super::rights::{Rights, SPARE};
use super::root::Root;
use super::root_queues::RootQueues;
use super::script::TestHook;
use super::seat::{AtWork, Seat};
use super::sleepers::Sleepers;
use super::stats::{Counters, Stats};
use super::unwind::{AbortOnDrop, Payload};
use crate::sync::{Arc, Weak};
use crate::sync::{AtomicBool, AtomicU64, AtomicUsize, Condvar, Mutex, Ordering, lock};
use crossbeam_deque::{Injector, Steal};
use crossbeam_utils::CachePadded;
use std::array;
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::ptr;

pub(crate) type PanicHandler = dyn Fn(Payload) + Send + Sync;
pub(crate) type ThreadHandler = dyn Fn(usize) + Send + Sync;

/// The user's handlers.
#[derive(Default)]
pub(crate) struct Handlers {
    pub(crate) panic: Option<Box<PanicHandler>>,
    pub(crate) start: Option<Box<ThreadHandler>>,
    pub(crate) exit: Option<Box<ThreadHandler>>,
    pub(crate) follow: Follower,
}

/// The worker threads that have not ended yet.
pub(super) struct LivingThreads {
    pub(super) threads: usize,
    /// What the last one of them calls.
    pub(super) at_end: Vec<Box<dyn FnOnce() + Send>>,
}

/// A pool of threads.
pub(crate) struct Pool {
    /// One for each right.
    pub(crate) seats: Box<[Seat]>,
    pub(crate) rights: Rights,
    /// Who has the numbers to spare.
    beside: [AtWork; SPARE],
    pub(crate) idle: Idle,
    pub(crate) sleepers: Sleepers,
    /// All desks there ever were: first those of the workers, by number. They stay until the pool goes.
    desks: Mutex<Vec<Arc<Desk>>>,
    /// The desks that no thread uses, and that are kept by no seat for a guest.
    unused: Mutex<Vec<Arc<Desk>>>,
    pub(crate) handlers: Handlers,
    pub(crate) crew: Crew,
    breadth_first: bool,
    /// The threads that were asked for and could not be had.
    pub(crate) missing: usize,
    pub(crate) eager: u32,
    /// Whether threads from outside may take part.
    guests: AtomicBool,
    /// Worker 0 is the thread that built the pool (`use_current_thread`). It keeps its right also while it is outside.
    built_around_a_thread: AtomicBool,
    /// There was work to wake a sleeper for, and no free right.
    pub(super) missed: Missed,
    /// Work from outside that descends from nothing in particular.
    pub(super) injector: Injector<JobRef>,
    /// Work that descends from a call, and came from outside or was handed over: a thread that is bound to that call finds it here, and need not
    /// empty the injector for it.
    pub(super) brought: RootQueues,
    /// What keeps the pool going: its handle, and every detached job. At 0 the threads stop. In a line of its own, for each spawned job changes it twice.
    pub(super) alive: CachePadded<AtomicUsize>,
    pub(super) running: Mutex<LivingThreads>,
    pub(super) ended: Condvar,
    /// What threads without a desk count, and wakers.
    pub(crate) outside: CachePadded<Counters>,
    /// How many roots were born outside.
    roots: AtomicU64,
    /// What a test has set in place of time and demand.
    pub(crate) test_hook: TestHook,
    /// The [generation](child::generation) of the process that has its threads.
    generation: u32,
    /// Differs between the pools of a process; in the order in which they were made, from 0.
    pub(crate) number: u64,
    me: Weak<Pool>,
    /// What a model asks for that lets the pool go while threads of other pools may be about to use it.
    #[cfg(filch_loom)]
    pub(crate) last_use: std::sync::OnceLock<super::last_use::LastUse>,
}

#[cfg(filch_loom)]
impl Drop for Pool {
    fn drop(&mut self) {
        self.last_use.get().inspect(|last| last.pool_ends());
    }
}

impl Pool {
    /// A pool of `workers` threads (which the caller has to start), or of one right and no thread.
    pub(crate) fn new(
        workers: usize,
        missing: usize,
        handlers: Handlers,
        guests: bool,
        breadth_first: bool,
    ) -> Arc<Pool> {
        Arc::new_cyclic(|me: &Weak<Pool>| {
            let (count, number) = (workers.max(1), probe::next_pool());
            let desk =
                |index| new_desk(number, (index + 1, Some(index)), me.as_ptr(), breadth_first);
            let desks: Vec<_> = (0..count).map(desk).collect();
            // SAFETY: the pool keeps its desks as long as its seats.
            let seat = |desk| unsafe { Seat::new(Arc::as_ptr(desk)) };
            Pool {
                eager: policy::eager_pushes(workers),
                seats: desks.iter().map(seat).collect(),
                // SAFETY: as above.
                beside: array::from_fn(|_| unsafe { AtWork::new(Arc::as_ptr(&desks[0])) }),
                // Each worker is born with its right. Where there are none, guests take turns with the only one.
                rights: Rights::new(count, workers == 0),
                idle: Idle::new(),
                sleepers: Sleepers::new(),
                desks: Mutex::new(desks),
                unused: Mutex::new(Vec::new()),
                breadth_first,
                handlers,
                crew: Crew::of(workers),
                missing,
                guests: AtomicBool::new(guests),
                built_around_a_thread: AtomicBool::new(false),
                missed: Missed::new(),
                injector: Injector::new(),
                brought: RootQueues::new(),
                alive: CachePadded::new(AtomicUsize::new(1)),
                running: Mutex::new(LivingThreads {
                    threads: workers,
                    at_end: Vec::new(),
                }),
                ended: Condvar::new(),
                outside: CachePadded::default(),
                roots: AtomicU64::new(0),
                test_hook: TestHook::default(),
                generation: child::generation(),
                number,
                me: me.clone(),
                #[cfg(filch_loom)]
                last_use: std::sync::OnceLock::new(),
            }
        })
    }

    pub(crate) fn num_threads(&self) -> usize {
        self.seats.len()
    }

    /// Keeps the memory of the pool, though not its threads; see [`keep_alive`](Pool::keep_alive) for those.
    pub(crate) fn to_arc(&self) -> Arc<Pool> {
        self.me.upgrade().expect("a pool in use is alive")
    }

    /// A root for work that a thread outside brings in and waits for.
    pub(crate) fn new_root(&self) -> Root {
        let count = self.roots.fetch_add(1, Ordering::Relaxed) + 1;
        Root::new(0, count)
    }

    pub(crate) fn stats(&self) -> Stats {
        let mut all = self.outside.read();
        if !self.is_orphan() {
            for desk in lock(&self.desks).iter() {
                all += desk.counters.read();
            }
        }
        all
    }

    /// The desks of the workers, by number, and then those of guests; none in a child process.
    pub(crate) fn all_desks(&self) -> Vec<Arc<Desk>> {
        match self.is_orphan() {
            true => Vec::new(),
            false => lock(&self.desks).clone(),
        }
    }

    /// Whether this is only what a child process has of its parent's pool: memory without threads, some of it perhaps locked for ever.
    #[inline]
    pub(crate) fn is_orphan(&self) -> bool {
        self.generation != child::generation()
    }

    /// Before a thread is started: worker 0 is the thread that builds the pool.
    pub(crate) fn note_built_around_a_thread(&self) {
        self.built_around_a_thread.store(true, Ordering::Relaxed);
    }

    /// Whether the thread at `desk` may run every job of this pool, sooner or later. A visitor does the work of its own call only. So does the thread around which
    /// the pool was built, while it is outside; as that cannot be seen, it never counts.
    pub(super) fn works_for_all(&self, desk: &Desk) -> bool {
        let first = usize::from(self.built_around_a_thread.load(Ordering::Relaxed));
        desk.worker_number().is_some_and(|number| number >= first)
    }

    // Desks.

    /// Where the thread works that has this number.
    pub(super) fn at_work(&self, number: usize) -> &Desk {
        match self.seats.get(number) {
            Some(seat) => seat.at_work(),
            None => self.beside(number).desk(),
        }
    }

    /// Where the thread works that has this number to spare.
    #[cold]
    pub(super) fn beside(&self, number: usize) -> &AtWork {
        &self.beside[number - self.rights.first_spare()]
    }

    /// A desk for a guest that has taken the right of `seat`.
    #[inline]
    pub(crate) fn guest_desk<'a>(&'a self, seat: &'a Seat) -> &'a Desk {
        match seat.take_guest_desk() {
            Some(desk) => desk,
            None => self.another_desk(),
        }
    }

    #[cold]
    fn another_desk(&self) -> &Desk {
        let unused = lock(&self.unused).pop();
        let desk = unused.unwrap_or_else(|| {
            let mut desks = lock(&self.desks);
            let id = desks.len() + 1;
            let me = ptr::from_ref(self);
            let desk = new_desk(self.number, (id, None), me, self.breadth_first);
            desks.push(Arc::clone(&desk));
            desk
        });
        // SAFETY: the pool keeps all its desks.
        unsafe { &*Arc::as_ptr(&desk) }
    }

    /// A guest is done with `desk`, and left it at no seat.
    #[cold]
    pub(crate) fn store_desk(&self, desk: &Desk) {
        let desk = Arc::clone(&lock(&self.desks)[desk.id() - 1]);
        lock(&self.unused).push(desk);
    }

    /// The pool of `desk`.
    #[inline(always)]
    pub(crate) fn of(desk: &Desk) -> &Pool {
        // SAFETY: `new_desk` makes all desks, for its pool; a desk is reached only through that, or by a thread that keeps it.
        unsafe { &*desk.pool_address().cast() }
    }

    // Work from outside.

    /// How many jobs from outside there are, for people.
    pub(crate) fn injected(&self) -> usize {
        self.injector.len() + self.brought.len()
    }

    pub(crate) fn has_injected(&self) -> bool {
        !self.injector.is_empty() || self.has_brought()
    }

    /// Whether jobs lie there that only threads of certain calls may run.
    pub(crate) fn has_brought(&self) -> bool {
        !self.brought.is_empty()
    }

    /// Takes a job from outside that a thread bound to `bound` may run. `brought_first` says where to look first, for there may be no end of
    /// either kind.
    pub(crate) fn take_injected(&self, bound: Option<Root>, brought_first: bool) -> Option<JobRef> {
        match bound {
            Some(_) => self.brought.take(bound),
            None if brought_first => self.brought.take(None).or_else(|| self.take_unbound()),
            None => self.take_unbound().or_else(|| self.brought.take(None)),
        }
    }

    /// Whether a thread takes the oldest of the jobs that it spawned first.
    pub(super) fn is_breadth_first(&self) -> bool {
        self.breadth_first
    }

    pub(super) fn take_unbound(&self) -> Option<JobRef> {
        loop {
            match self.injector.steal() {
                Steal::Success(job) => return Some(job),
                Steal::Empty => return None,
                Steal::Retry => {}
            }
        }
    }

    /// Whether a thread from outside may take part now. Not while there is work from outside: with one thread, a spawned job must run before the
    /// caller that waits for it. (With none, the guest runs it first.) And not before threads that came earlier and want to go on.
    #[inline]
    pub(crate) fn lets_in(&self) -> bool {
        self.guests.load(Ordering::Relaxed) && !self.has_injected() && !self.sleepers.any_wanting()
    }

    /// From now on callers hand their work over to the pool's threads. A guest that comes in anyway finds the mail of its number when it leaves.
    pub(crate) fn stop_guests(&self) {
        if !self.crew.is_callers() {
            self.guests.store(false, Ordering::Relaxed);
        }
    }

    /// How many threads could find something that is worth waking one, a job from outside each or a queue each, but no more than `most`. Of the queues,
    /// those are looked at that threads have at these `numbers`.
    pub(crate) fn loot(&self, most: usize, mut numbers: impl Iterator<Item = usize>) -> usize {
        let mut loot = (self.injector.len() + self.brought.len()).min(most);
        // Until a thread that was given a right is up, its seat shows the desk of the last one that had it, which may be at work elsewhere. So it is known
        // which desks were counted: those of the first workers by bits, because they are many, and the list takes room on the heap.
        let (mut workers, mut others) = (0_u128, Vec::new());
        while loot < most
            && let Some(number) = numbers.next()
        {
            let desk = self.at_work(number);
            if !desk.thief.is_loud() {
                continue;
            }
            let worker = desk.worker_number();
            let bit = worker.and_then(|number| 1_u128.checked_shl(number as u32));
            let is_counted = match bit {
                Some(bit) => workers & bit != 0,
                None => others.iter().any(|&other| ptr::eq(other, desk)),
            };
            if is_counted {
                continue;
            }
            match bit {
                Some(bit) => workers |= bit,
                None => others.push(desk),
            }
            loot += 1;
        }
        loot
    }

    /// Whether there is something that a thread in search of work could take.
    pub(crate) fn has_loot(&self) -> bool {
        self.has_injected() || self.any_to_steal()
    }

    /// Whether there is something in a queue of a thread at work.
    pub(crate) fn any_to_steal(&self) -> bool {
        let mut numbers = self.rights.in_use(0);
        numbers.any(|at| !self.at_work(at).thief.is_empty())
    }

    /// Whether an offer lies there for which its owner was told that a thread would come.
    #[cfg(feature = "trace")]
    pub(crate) fn is_counted_on(&self) -> bool {
        let seats = self.seats.iter().map(|seat| seat.at_work());
        let mut desks = seats.chain(self.beside.iter().map(AtWork::desk));
        desks.any(|desk| !desk.thief.is_empty() && desk.probe.is_counted_on())
    }

    // Panics that have nowhere to go.

    /// Runs `f`, for which no thread waits; a panic goes to the panic handler, or ends the process.
    pub(crate) fn catch_detached(&self, f: impl FnOnce()) {
        if let Err(payload) = super::unwind::catch(f) {
            self.handle_panic(payload);
        }
    }

    pub(crate) fn handle_panic(&self, payload: Payload) {
        match &self.handlers.panic {
            Some(handler) => {
                let guard = AbortOnDrop("the panic handler panicked");
                handler(payload);
                std::mem::forget(guard);
            }
            None => drop(AbortOnDrop(
                "a detached job panicked, and the pool has no panic handler",
            )),
        }
    }
}

// A pool is as good as before after a panic: it is caught on the thread where it happens, and goes on where a thread waits for it, when all that
// borrows is done. Handlers are called on many threads anyway, and each by itself.
impl UnwindSafe for Pool {}
impl RefUnwindSafe for Pool {}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut pool = f.debug_struct("Pool");
        pool.field("num_threads", &self.num_threads());
        if self.is_orphan() {
            // Its lock may be held for ever.
            return pool.finish_non_exhaustive();
        }
        let [parked, in_waits, without_right] = self.sleepers.lock().counts();
        pool.field("active", &self.active());
        pool.field("free_rights", &self.rights.free())
            .field("parked", &parked)
            .field("in_waits", &in_waits)
            .field("without_right", &without_right)
            .finish_non_exhaustive()
    }
}

fn new_desk(
    pool_number: u64,
    (id, worker_number): (usize, Option<usize>),
    pool: *const Pool,
    breadth_first: bool,
) -> Arc<Desk> {
    let desk = Arc::new(Desk::new(id, worker_number, pool.cast(), breadth_first));
    desk.probe.introduce(pool_number, id, worker_number);
    // SAFETY: not shared yet; the Arc's contents stay where they are, and the pool, which keeps it, outlives every job in its queues.
    unsafe { desk.fifo.publish(Root::NONE) };
    desk
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::{Handlers, JobRef, Pool, Root};
    use crate::ThreadPoolBuilder;
    use crate::core::job::HeapJob;
    use crate::core::worker::Worker;
    use std::collections::BTreeSet;
    use std::mem::offset_of;
    use std::ptr;
    use std::sync::{Arc, Barrier};

    /// A pool whose threads are never started, so that each stays as a test makes it.
    fn still(workers: usize) -> Arc<Pool> {
        Pool::new(workers, 0, Handlers::default(), true, false)
    }

    fn job(root: Root) -> JobRef {
        // SAFETY: it borrows nothing.
        unsafe { HeapJob::boxed(root, || ()) }
    }

    fn run(pool: &Pool, job: JobRef) {
        // SAFETY: just taken out of a queue.
        assert!(unsafe { job.run(0, &pool.handlers.follow) }.is_none());
    }

    /// A waiter runs the jobs of its root: two calls with one root would run each other's jobs.
    #[test]
    fn no_two_calls_have_one_root() {
        let pool = still(2);
        let mut roots = BTreeSet::from([Root::NONE]);
        let mut is_new = |root| roots.insert(root);
        for _ in 0..3 {
            assert!(is_new(pool.new_root()));
        }
        let guests = [(), ()].map(|()| pool.guest_desk(&pool.seats[0]));
        for desk in [pool.seats[0].own_desk(), pool.seats[1].own_desk()]
            .into_iter()
            .chain(guests)
        {
            // SAFETY: the pool keeps the desk, and no thread is there.
            let sitting = unsafe { Worker::sit(desk, 0) };
            for _ in 0..3 {
                sitting.worker().enter_new_root();
                assert!(is_new(sitting.worker().own().root.get()));
            }
        }
    }

    #[test]
    fn a_desk_that_a_guest_has_left_is_there_for_the_next_one() {
        let pool = still(2);
        let seat = &pool.seats[0];
        let [first, second] = [(), ()].map(|()| pool.guest_desk(seat));
        let workers = [0, 1].map(|number| pool.seats[number].own_desk());
        assert!(!ptr::eq(first, second));
        assert!(
            workers
                .iter()
                .all(|desk| !ptr::eq(*desk, first) && !ptr::eq(*desk, second))
        );
        assert_eq!(pool.all_desks().len(), 4);
        pool.store_desk(first);
        assert!(ptr::eq(pool.guest_desk(seat), first));
        pool.store_desk(second);
        assert!(ptr::eq(pool.guest_desk(seat), second));
        assert_eq!(pool.all_desks().len(), 4);
    }

    /// A pool is stuck when those that run any job wait: neither a guest, nor the thread that built the pool and may be outside.
    #[test]
    fn some_threads_do_the_work_of_their_own_call_only() {
        let pool = still(2);
        let [first, second] = [0, 1].map(|number| pool.seats[number].own_desk());
        assert!(pool.works_for_all(first) && pool.works_for_all(second));
        assert!(!pool.works_for_all(pool.guest_desk(&pool.seats[0])));
        pool.note_built_around_a_thread();
        assert!(!pool.works_for_all(first) && pool.works_for_all(second));
    }

    /// There may be no end of either kind of jobs from outside, so each has its turn.
    #[test]
    fn jobs_from_outside_take_turns() {
        let pool = still(1);
        let root = pool.new_root();
        assert!(pool.lets_in() && !pool.has_injected() && !pool.has_loot());
        let (plain, brought) = (job(Root::NONE), job(root));
        let put = || {
            pool.injector.push(plain);
            pool.brought.push(&[brought]);
            assert!(!pool.lets_in() && pool.has_loot());
            assert_eq!((pool.injected(), pool.loot(9, 0..1)), (2, 2));
        };
        for (brought_first, [first, second]) in
            [(true, [brought, plain]), (false, [plain, brought])]
        {
            put();
            assert_eq!(pool.take_injected(None, brought_first), Some(first));
            assert!(pool.has_injected() && !pool.lets_in());
            assert_eq!((pool.injected(), pool.loot(9, 0..1)), (1, 1));
            assert_eq!(pool.take_injected(None, brought_first), Some(second));
        }
        put();
        assert_eq!(pool.take_injected(Some(pool.new_root()), true), None);
        assert_eq!(pool.take_injected(Some(root), false), Some(brought));
        assert!(!pool.has_brought() && pool.has_injected() && !pool.lets_in());
        assert_eq!(pool.take_injected(None, true), Some(plain));
        assert!(pool.lets_in() && !pool.has_loot());
        pool.stop_guests();
        assert!(!pool.lets_in());
        for job in [plain, brought] {
            run(&pool, job);
        }

        // Without threads only guests work.
        let alone = still(0);
        alone.stop_guests();
        assert!(alone.lets_in());
    }

    /// Each desk with work is something to wake a thread for, whether a worker or a guest is there.
    #[test]
    fn the_queues_of_workers_and_guests_are_loot() {
        let pool = still(3);
        let guests = [(), ()].map(|()| pool.guest_desk(&pool.seats[0]));
        let workers = [0, 1, 2].map(|number| pool.seats[number].own_desk());
        let loot = || pool.loot(9, 0..3);
        let sit = |desks: [&crate::core::desk::Desk; 3]| {
            for (seat, desk) in pool.seats.iter().zip(desks) {
                seat.sit_down(desk);
            }
        };
        let mut expected = 0;
        for desk in workers {
            desk.own.deque.push_public(job(Root::NONE), &desk.thief);
            expected += 1;
            assert_eq!(loot(), expected);
            assert!(pool.any_to_steal() && pool.has_loot());
        }
        assert_eq!(pool.loot(2, 0..3), 2);
        sit([guests[0], guests[1], workers[2]]);
        for (guest, expected) in guests.into_iter().zip([2, 3]) {
            guest.own.deque.push_public(job(Root::NONE), &guest.thief);
            assert_eq!(loot(), expected);
        }
        sit([guests[1], guests[1], workers[2]]);
        assert_eq!(loot(), 2);
        for desk in workers.into_iter().chain(guests) {
            run(&pool, desk.thief.steal().expect("it was pushed"));
        }
        assert!(loot() == 0 && !pool.any_to_steal() && !pool.has_loot());
    }

    /// What each spawned job, each wake-up and each sleep writes shares no line of the cache with what threads read at each job and each look.
    #[test]
    fn what_all_threads_read_is_apart_from_what_each_job_writes() {
        let written = [
            offset_of!(Pool, alive),
            offset_of!(Pool, outside),
            offset_of!(Pool, sleepers),
            offset_of!(Pool, idle),
        ];
        let read = [
            offset_of!(Pool, seats),
            offset_of!(Pool, rights),
            offset_of!(Pool, handlers),
            offset_of!(Pool, crew),
            offset_of!(Pool, brought),
            offset_of!(Pool, eager),
            offset_of!(Pool, guests),
            offset_of!(Pool, missed),
            offset_of!(Pool, generation),
        ];
        for line in written {
            assert!(line.is_multiple_of(64));
            assert!(read.iter().all(|at| at / 64 != line / 64));
        }
    }

    /// A right that was put down shows the desk of its last holder, which works elsewhere by now: its queue counts once.
    #[test]
    fn a_desk_that_two_rights_show_counts_once() {
        // One worker waits, the other one is here, so what is spawned stays where it is.
        let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
        let (begun, done) = (Arc::new(Barrier::new(2)), Arc::new(Barrier::new(2)));
        let waits = [&begun, &done].map(Arc::clone);
        pool.spawn(move || {
            for barrier in waits {
                barrier.wait();
            }
        });
        begun.wait();
        pool.install(|| {
            let worker = Worker::current().expect("in a pool");
            let pool = worker.pool();
            let loot = |most| pool.loot(most, 0..2);
            assert_eq!(loot(10), 0);
            crate::spawn(|| ());
            assert_eq!(loot(10), 1);
            let other = pool
                .seats
                .iter()
                .find(|seat| !std::ptr::eq(seat.at_work(), worker.desk()));
            let other = other.expect("two seats");
            let before = other.at_work();
            other.sit_down(worker.desk());
            let counted = [loot(10), loot(0)];
            other.sit_down(before);
            assert_eq!(counted, [1, 0]);
        });
        done.wait();
    }

    /// After `fork`, threads of the parent may hold every lock of a pool for ever. This process stands in for the child: no call waits for one.
    #[cfg(unix)]
    #[test]
    fn an_orphan_waits_for_no_lock() {
        const CHILD: &str = "FILCH_TEST_ORPHAN";
        if std::env::var_os(CHILD).is_none() {
            let name = "core::pool::tests::an_orphan_waits_for_no_lock";
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            let status = child.args([name, "--exact"]).env(CHILD, "1").status();
            assert!(status.unwrap().success());
            return;
        }
        // SAFETY: it has no preconditions.
        unsafe { libc::alarm(60) };
        let pool = still(2);
        let _lists = pool.sleepers.lock();
        let _desks = super::lock(&pool.desks);
        let _running = super::lock(&pool.running);
        super::child::begin();
        assert!(pool.is_orphan() && pool.all_desks().is_empty() && pool.seat_stats().is_empty());
        assert_eq!(pool.active(), 1);
        assert!(format!("{pool:?}").contains("num_threads: 2"));
        pool.stats();
        pool.load();
        pool.release();
        pool.wait_until_ended();
        assert!(!pool.is_stopped());
    }
}
