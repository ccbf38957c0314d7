//! What a thread does in its own pool while it [stands in](super::stand_in) elsewhere: it runs work that came home, and reads its mail.
//!
//! Work comes home if what the thread does elsewhere sends work back to its own pool. The thread may hold a lock inside an isolated call, and all other threads of its own pool may wait for that lock. Then no other thread runs what comes home. So a thread that
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
use std::cell::Cell;
use std::time::Duration;
use std::{iter, ptr};

/// How long work lies at home until the thread that waits for it goes there. A model knows no time, and a look now and then would have no end there.
const AT_HOME: Duration = match cfg!(any(filch_loom, filch_shuttle)) {
    true => Duration::MAX,
    false => Duration::from_millis(20),
};

/// The longest time between two looks.
const LONGEST: Duration = Duration::from_millis(160);

/// The looks of a thread that sleeps away from home.
struct Looks {
    /// The time until the next one.
    pause: Duration,
    /// The last one saw work.
    seen: bool,
}

impl Looks {
    fn new() -> Self {
        Looks {
            pause: AT_HOME,
            seen: false,
        }
    }

    /// Whether to go home, after one more look that has seen work or has not.
    fn look(&mut self, sees: bool) -> bool {
        let goes = sees && self.seen;
        self.seen = sees;
        self.pause = match sees {
            true => AT_HOME,
            false => (2 * self.pause).min(LONGEST),
        };
        goes
    }
}

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

    /// Sleeps until this thread is called. `None`: work of one of these roots lies at home for some time.
    pub(super) fn sleep_or_go_home(self, roots: Roots) -> Option<WakeUp> {
        let desk = self.desk();
        if !self.may_have_to_go_home(roots) {
            return Some(desk.wait_for_wake_up());
        }
        let mut looks = Looks::new();
        loop {
            if let Some(wake_up) = desk.wait_for_wake_up_for(looks.pause) {
                return Some(wake_up);
            }
            if looks.look(self.home_with_work(roots).is_some()) {
                return None;
            }
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
        let any = Cell::new(false);
        self.sit_below(desk, number, until.roots(), &|worker| {
            // A job may fork: the child takes no lock of its parent's pool.
            let is_over = || until.latch.probe() || pool.is_orphan();
            let take = || isolated(until.roots()).find_map(|root| pool.brought.take(Some(root)));
            while let Some(job) = (!is_over()).then(take).flatten() {
                any.set(true);
                // SAFETY: just taken out of a queue.
                unsafe { worker.execute_in_wait(until.also, job) };
            }
        });
        self.come_back(before);
        any.get()
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
        let read = Cell::new(false);
        if let Some(number) = number {
            let roots = [self.bound(), None];
            self.sit_below(desk, number, roots, &|worker| {
                let job = worker.take_mail();
                read.set(job.is_some());
                if let Some(job) = job {
                    // SAFETY: just taken out of a queue.
                    unsafe { worker.execute(job) };
                }
            });
        }
        // Without a right, this thread looks after its own wait before it tries again.
        self.come_back(before);
        read.get()
    }

    /// Runs `f` at a desk that this thread left, with `number`, which it has just taken there. Jobs that it runs there lie on top of what this thread does here, and are bound as
    /// if they were run here. What this thread does here for work of these `roots`, it does there as well.
    fn sit_below(self, desk: &Desk, number: usize, roots: Roots, f: &dyn Fn(Worker<'_>)) {
        // SAFETY: the number was just taken, and `hold` tells its seat. A frame below keeps the desk, and goes on only when `sitting` is dropped.
        let sitting = unsafe { Worker::sit(desk, number) };
        let worker = sitting.worker();
        worker.hold(number);
        let depth = worker.own().depth.replace(self.depth());
        let root = worker.own().root.replace(self.own().root.get());
        self.on_top(desk, || {
            let before = worker.tell_pools_below(Some(desk));
            worker.share_waits(self, &roots, &|| f(worker));
            worker.tell_pools_below(before);
        });
        worker.own().root.set(root);
        worker.own().depth.set(depth);
        // In a child after `fork` it does neither: a thread of the parent may have held a lock that these would take.
        if !worker.pool().is_orphan() {
            worker.clear_desk();
            worker.put_right_down();
        }
        drop(sitting);
    }

    /// Runs `f` while `desk`, one of those that this thread left, is the last one on the list of desks, and this one is that which it left last.
    fn on_top(self, desk: &Desk, f: impl FnOnce()) {
        let mut desks = iter::once(self.desk()).chain(self.desks_below());
        let above = desks.find(|above| ptr::eq(above.own.below.get(), desk));
        let link = &above.expect("it is on the list").own.below;
        link.set(desk.own.below.replace(self.desk()));
        f();
        desk.own.below.set(link.replace(desk));
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
#[path = "home/tests/mod.rs"]
mod tests;
