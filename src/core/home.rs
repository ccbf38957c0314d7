//! Work that comes home: what a thread has left its own pool for, to [stand in](super::stand_in) elsewhere, sends work back to that pool.
//!
//! The thread may hold a lock inside an isolated call, and all other threads of its own pool may wait for that lock. Then no other thread runs what comes home. So a thread that
//! sleeps elsewhere looks now and then. If work of its call lies at home for some time, it goes there and runs that work itself, with a right, or
//! [beside](super::beside) the holders of rights.
//!
//! It gives the other threads that time because the work lies on top of what this thread waits for. Where threads went home at once, one item after the other was begun on top of
//! the last, until hundreds lay on a stack, although other threads would have run them.

use super::desk::{Desk, WakeUp};
use super::pool::Pool;
use super::root::Root;
use super::until::{Roots, Until};
use super::worker::Worker;
use std::time::Duration;

/// How long work lies at home until the thread that waits for it goes there. A model knows no time, and a look now and then would have no end there.
const AT_HOME: Duration = match cfg!(any(filch_loom, filch_shuttle)) {
    true => Duration::MAX,
    false => Duration::from_millis(20),
};

/// The longest time between two looks.
const LONGEST: Duration = Duration::from_millis(160);

impl<'a> Worker<'a> {
    /// The innermost desk that this thread left whose pool has work of one of these roots, if the root is that of an isolated call or of a job with a handle.
    fn home_with_work(&self, roots: Roots) -> Option<&Desk> {
        let came_home = |desk: &&Desk| {
            let pool = Pool::of(desk);
            let has = |root| !pool.is_orphan() && pool.brought.has(root);
            isolated(roots).any(has)
        };
        self.desks_below().find(came_home)
    }

    /// Whether work may come home that this thread, which waits for these roots, would have to look for.
    fn may_have_to_go_home(self, roots: Roots) -> bool {
        self.desks_below().next().is_some() && isolated(roots).next().is_some()
    }

    /// Sleeps until this thread is called. `None`: work of one of these roots lies at home for some time, and for as long as this thread's `patience`.
    pub(super) fn sleep_or_go_home(self, roots: Roots, patience: Duration) -> Option<WakeUp> {
        let desk = self.desk();
        if !self.may_have_to_go_home(roots) {
            return Some(desk.wait_for_wake_up());
        }
        let shortest = AT_HOME.saturating_add(patience);
        let (mut pause, mut seen) = (shortest, false);
        loop {
            if let Some(wake_up) = desk.wait_for_wake_up_for(pause) {
                return Some(wake_up);
            }
            let is_there = self.home_with_work(roots).is_some();
            if seen && is_there {
                return None;
            }
            seen = is_there;
            pause = match seen {
                true => shortest,
                false => (2 * pause).min(LONGEST).max(shortest),
            };
        }
    }

    /// Runs what came home of the work that this thread waits for, until the wait is over or nothing is left. False: other threads were faster, or there is no number to run it with.
    pub(super) fn go_home(self, until: &Until<'_>) -> bool {
        let Some(desk) = self.home_with_work(until.roots()) else {
            return false;
        };
        let pool = Pool::of(desk);
        let spare = || pool.take_spare(&mut pool.sleepers.lock());
        let Some(number) = pool.try_take(desk.preferred()).or_else(spare) else {
            return false;
        };
        let before = self.own().number();
        self.clear_desk();
        self.put_right_down();
        let mut any = false;
        self.sit_below(desk, number, |worker| {
            // A job may fork: the child takes no lock of its parent's pool.
            let is_over = || until.latch.probe() || pool.is_orphan();
            let take = || isolated(until.roots()).find_map(|root| pool.brought.take(Some(root)));
            while let Some(job) = (!is_over()).then(take).flatten() {
                any = true;
                // SAFETY: just taken out of a queue.
                unsafe { worker.execute_in_wait(until.also, job) };
            }
        });
        self.come_back(before);
        any
    }

    /// Does what this thread has to do in other pools: it stands in, or it reads its mail in a pool that it left to stand in here. False: there was nothing.
    pub(super) fn do_what_is_left(self, roots: Roots) -> bool {
        self.stand_in_for(roots) || self.has_mail_below() && self.read_mail_below()
    }

    /// Whether there is mail for this thread in a pool where it is a worker, and which it left to stand in here.
    pub(super) fn has_mail_below(self) -> bool {
        !self.own().below.get().is_null()
            && self
                .workers_below()
                .any(|(desk, number)| Pool::of(desk).has_unread(number))
    }

    /// Reads such mail. A broadcast needs every number, wherever its thread is.
    pub(super) fn read_mail_below(self) -> bool {
        let unread = |&(desk, number): &(&Desk, usize)| Pool::of(desk).has_unread(number);
        let Some((desk, number)) = self.workers_below().find(unread) else {
            return false;
        };
        let pool = Pool::of(desk);
        let before = self.own().number();
        self.clear_desk();
        self.put_right_down();
        desk.prefer(number);
        let number = pool.take_right_to_read(desk);
        let mut read = false;
        if let Some(number) = number {
            self.sit_below(desk, number, |worker| {
                let job = worker.take_mail();
                read = job.is_some();
                if let Some(job) = job {
                    // SAFETY: just taken out of a queue.
                    unsafe { worker.execute(job) };
                }
            });
        }
        // Without a right, this thread looks after its own wait before it tries again.
        self.come_back(before);
        read
    }

    /// Runs `f` at a desk that this thread left, with `number`, which it has just taken there. Jobs that it runs there lie on top of what this thread does here, and are bound as
    /// if they were run here.
    fn sit_below(self, desk: &Desk, number: usize, f: impl FnOnce(Worker<'_>)) {
        // SAFETY: the number was just taken, and `hold` tells its seat. A frame below keeps the desk, and goes on only when `sitting` is dropped.
        let sitting = unsafe { Worker::sit(desk, number) };
        let worker = sitting.worker();
        worker.hold(number);
        let depth = worker.own().depth.replace(self.depth());
        let root = worker.own().root.replace(self.own().root.get());
        f(worker);
        worker.own().root.set(root);
        worker.own().depth.set(depth);
        // In a child after `fork` it does neither: a thread of the parent may have held a lock that these would take.
        if !worker.pool().is_orphan() {
            worker.clear_desk();
            worker.put_right_down();
        }
        drop(sitting);
    }
}

/// Those of these roots that mean the same in all pools.
fn isolated(roots: Roots) -> impl Iterator<Item = Root> {
    roots
        .into_iter()
        .flatten()
        .filter(|root| root.is_isolated())
}

#[cfg(all(test, unix, not(any(filch_loom, filch_shuttle, miri))))]
mod tests {
    use super::LONGEST;
    use crate::core::desk::WakeUp;
    use crate::core::fresh::new_isolated_root;
    use crate::core::global_pointer::watch_forks;
    use crate::core::job::HeapJob;
    use crate::core::latch::Latch;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::rights::SPARE;
    use crate::core::root::Root;
    use crate::core::until::Until;
    use crate::core::worker::Worker;
    use crate::sync::{Arc, AtomicUsize, Ordering};
    use std::sync::Barrier;
    use std::thread;
    use std::time::Duration;

    /// Runs `then` on a thread that stands in, with the pool of which it is a worker, and with the worker where it stands in and the one below.
    fn away(then: impl FnOnce(&Pool, Worker<'_>, Worker<'_>)) -> Arc<Pool> {
        let [pool, other] = [(); 2].map(|()| Pool::new(1, 0, Handlers::default(), true, false));
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let below = unsafe { Worker::sit(pool.seats[0].worker(), 0) };
        below.worker().put_right_down();
        // SAFETY: as above, and this one rises first.
        let sitting = unsafe { Worker::sit(other.seats[0].worker(), 0) };
        let worker = sitting.worker();
        worker.own().below.set(below.worker().desk());
        then(&pool, worker, below.worker());
        worker.own().below.set(std::ptr::null());
        drop(sitting);
        drop(below);
        pool
    }

    /// Else the thread could wait in the mail for a pool whose threads wait for what lies below on its stack, and would not stand in there.
    #[test]
    fn mail_below_has_a_root_of_its_own() {
        away(|pool, worker, below| {
            worker.own().root.set(Root::isolated(1));
            let mut root = Root::NONE;
            let to_root = &mut root;
            let body = move || *to_root = Worker::current().unwrap().own().root.get();
            // SAFETY: it runs in this frame.
            let job = unsafe { HeapJob::boxed(Root::NONE, body) };
            assert!(pool.seats[0].mail.push(job));
            assert!(worker.read_mail_below());
            assert!(root.is_isolated() && root != Root::isolated(1));
            assert_eq!(below.own().root.get(), Root::NONE);
        });
    }

    /// A job of this root, which is at home, and runs `body`.
    fn at_home(pool: &Pool, root: Root, body: impl FnOnce() + Send) {
        // SAFETY: it runs in the caller's frame, where what it borrows lives.
        let job = unsafe { HeapJob::boxed(root, body) };
        pool.brought.push(&[job]);
    }

    /// Has the thread of [`away`] go home while it waits for `latch` in a call of this root.
    fn goes_home(worker: Worker<'_>, latch: &Latch, root: Root) -> bool {
        worker.own().root.set(root);
        worker.go_home(&Until::new(latch, Some(root)))
    }

    /// All rights there are in use, so it runs beside them. Each job runs at the desk of its pool, and what is not of its call stays.
    #[test]
    fn what_came_home_is_run_beside_the_holders_of_rights() {
        let (call, other) = (new_isolated_root(), new_isolated_root());
        let pool = away(|pool, worker, below| {
            let holds = pool.try_take(None).expect("its worker is away");
            let (latch, ran) = (Latch::new(), AtomicUsize::new(0));
            let home = below.desk();
            let run = || {
                let here = Worker::current().expect("a worker runs it");
                assert!(std::ptr::eq(here.desk(), home));
                assert!(here.user_index().is_none() && here.bound() == Some(call));
                ran.fetch_add(1, Ordering::Relaxed);
            };
            (0..3).for_each(|_| at_home(pool, call, run));
            at_home(pool, other, || ());
            assert!(goes_home(worker, &latch, call));
            assert_eq!(ran.load(Ordering::Relaxed), 3);
            assert!(std::ptr::eq(
                Worker::current().unwrap().desk(),
                worker.desk()
            ));
            assert!(worker.seat().is_some() && below.own().number().is_none());
            assert!(!goes_home(worker, &latch, call));
            assert_eq!(pool.rights.count_in_use(), 1);
            pool.put_down(holds);
        });
        let job = pool.brought.take(Some(other)).expect("no thread took it");
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(job, 0) };
    }

    /// It leaves the rest when its wait is over, and all if there is no number to run it with.
    #[test]
    fn a_thread_that_may_go_on_leaves_what_came_home() {
        let call = new_isolated_root();
        away(|pool, worker, _| {
            let latch = &Latch::new();
            // SAFETY: the latch is in a frame below.
            at_home(pool, call, || _ = unsafe { Latch::set(latch) });
            at_home(pool, call, || ());
            assert!(goes_home(worker, latch, call));
            assert_eq!(pool.brought.len(), 1);

            let latch = &Latch::new();
            let numbers = [0; 1 + SPARE].map(|_| {
                let spare = || pool.take_spare(&mut pool.sleepers.lock());
                pool.try_take(None).or_else(spare).expect("it is free")
            });
            assert!(!goes_home(worker, latch, call) && worker.seat().is_some());
            assert_eq!(pool.brought.len(), 1);
            numbers.into_iter().for_each(|number| pool.put_down(number));
            assert!(goes_home(worker, latch, call));
            assert_eq!(pool.brought.len(), 0);
        });
    }

    /// A thread that sleeps away from its pool sees what came home there, if it is work of its call, and is woken by all that wakes a sleeper.
    #[test]
    fn a_sleeper_sees_what_came_home() {
        let [call, other] = [(); 2].map(|()| new_isolated_root());
        let pool = away(|pool, worker, _| {
            let sleep = || worker.sleep_or_go_home([Some(call), None], Duration::ZERO);
            at_home(pool, call, || ());
            assert_eq!(sleep(), None);
            assert!(goes_home(worker, &Latch::new(), call));

            at_home(pool, other, || ());
            worker.desk().mark_woken(WakeUp::Look);
            assert_eq!(sleep(), Some(WakeUp::Look));
            thread::scope(|threads| {
                let desk = worker.desk();
                threads.spawn(move || {
                    thread::sleep(2 * LONGEST);
                    desk.mark_woken(WakeUp::GoOn(None));
                    desk.ring();
                });
                assert_eq!(sleep(), Some(WakeUp::GoOn(None)));
            });
        });
        let job = pool.brought.take(Some(other)).expect("no thread took it");
        // SAFETY: just taken out of a queue.
        unsafe { pool.run(job, 0) };
    }

    /// A job that is mail for a thread which stands in elsewhere forks while another thread has the lists locked. The child goes on from there and takes no lock.
    #[test]
    fn a_child_that_is_born_in_mail_below_takes_no_lock() {
        watch_forks();
        let pool = away(|pool, worker, _| {
            // A thread that puts a right down has to look for a sleeper, for which it locks the lists.
            // SAFETY: it borrows nothing.
            pool.inject(unsafe { HeapJob::boxed(Root::NONE, || ()) });
            assert!(pool.note_miss());
            // To lock, when that is done, and when the fork is.
            let step = &Barrier::new(2);
            let mut child = -1;
            thread::scope(|threads| {
                threads.spawn(|| {
                    step.wait();
                    let locked = pool.sleepers.lock();
                    step.wait();
                    step.wait();
                    drop(locked);
                });
                let to_child = &mut child;
                let body = move || {
                    step.wait();
                    step.wait();
                    // SAFETY: the child is this one thread, and ends with `_exit`.
                    *to_child = unsafe { libc::fork() };
                    if *to_child == 0 {
                        // If it is stuck, this ends it.
                        // SAFETY: it has no preconditions.
                        unsafe { libc::alarm(20) };
                    } else {
                        step.wait();
                    }
                };
                // SAFETY: it runs in this frame.
                let job = unsafe { HeapJob::boxed(Root::NONE, body) };
                assert!(pool.seats[0].mail.push(job));
                assert!(worker.read_mail_below());
                if child == 0 {
                    // It looks for work as before.
                    assert!(worker.find(None, None).is_none());
                    // SAFETY: it has no preconditions.
                    unsafe { libc::_exit(0) };
                }
            });
            let mut status = -1;
            // SAFETY: `status` is ours.
            let ended = unsafe { libc::waitpid(child, &mut status, 0) };
            assert_eq!((ended, status), (child, 0), "how the child ended");
        });
        // What was to be looked for.
        let job = pool.take_injected(None, false).expect("no thread took it");
        // SAFETY: just taken out of a queue, and no other thread is there.
        unsafe { pool.run(job, 0) };
    }
}
