//! Waiting: what the holder of a seat does until a latch is set.

use super::idle::Hungry;
use super::job::JobRef;
use super::latch::Latch;
use super::policy::Next;
use super::root::Root;
use super::worker::Worker;
use crate::sync::{Ordering, planted, sleep, yield_now};
use std::mem;
use std::time::Duration;

/// How many jobs may be on the stack, each inside a wait of the one before, until a wait for another pool is patient.
const DEEP: usize = 16;
/// How often such a wait looks, and lets others run, before it naps between looks.
const LOOKS: u32 = 256;
/// How long the first nap is, and how long the longest one.
const NAPS: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(1)];
/// Two jobs more on the stack double the patience, so often at most: to 6.5 s.
const DOUBLINGS: usize = 16;

impl Worker<'_> {
    /// Helps until `latch` is set.
    pub(crate) fn wait(self, latch: &Latch) {
        let bound = self.restricted_to();
        let find = || self.find(bound, None);
        self.wait_with(latch, bound, None, &find);
    }

    /// Helps until `latch` is set by another pool.
    ///
    /// Items that call another pool, each begun on top of the wait of the one before, could fill the stack. So where many jobs are on it, what
    /// is awaited gets some time first. The more there are, the longer: the stack grows by the logarithm of the time that the other pool takes,
    /// if that is less than a minute. It is never for ever, for what is awaited may itself wait, in a way that nobody here can see, for
    /// something that only this thread can do.
    pub(crate) fn wait_for_pool(self, latch: &Latch) {
        if let Some(too_many) = self.depth().checked_sub(DEEP) {
            let patience = NAPS[0] * ((1 << (too_many / 2).min(DOUBLINGS)) - 1);
            if self.is_set_within(patience, latch) {
                return;
            }
        }
        self.wait(latch);
    }

    /// Whether `latch` is set before this thread has looked for some time, and slept for about as long as its `patience`. Meanwhile it does only
    /// what the other pool may wait for.
    fn is_set_within(self, patience: Duration, latch: &Latch) -> bool {
        self.publish_all();
        let bound = self.restricted_to();
        let [mut nap, longest] = NAPS;
        let (mut looks, mut slept) = (0, Duration::ZERO);
        while !latch.probe() {
            let looking = looks < LOOKS;
            if !looking && slept >= patience {
                return false;
            }
            match self.find_foreign(bound) {
                // SAFETY: just taken out of a queue.
                Some(job) => unsafe { self.execute(job) },
                None if looking => yield_now(),
                None => sleep(nap),
            }
            // Jobs count as well: there may be no end of them.
            if looking {
                looks += 1;
            } else {
                slept += nap;
                nap = (2 * nap).min(longest);
            }
        }
        true
    }

    /// Helps until `job`, which we offered and another thread took, is done; goes to `thief` first, to take back from it what it was given.
    /// True: it was handed back unrun.
    pub(crate) fn wait_for_taken(
        self,
        job: JobRef,
        latch: &Latch,
        thief: &dyn Fn() -> Option<usize>,
    ) -> bool {
        let bound = self.restricted_to();
        // Before all else: run on top of this wait it would be cut and come back again, until the stack is full.
        let returned = || {
            // SAFETY: the job was promoted, so it has a tag, and it is ours, so it stays until this wait is over.
            let came_back = unsafe { job.tag() }.came_back();
            (came_back && self.seat().handed_back.take_back(job)).then_some(job)
        };
        let find = || returned().or_else(|| self.find(bound, thief()));
        self.wait_with(latch, bound, Some(job), &find)
    }

    /// Runs what `find` finds until the latch is set, or until it finds `end`, which is not run: then true. `bound` is what `find` is
    /// restricted to.
    fn wait_with(
        self,
        latch: &Latch,
        bound: Option<Root>,
        end: Option<JobRef>,
        find: &dyn Fn() -> Option<JobRef>,
    ) -> bool {
        if latch.probe() {
            return false;
        }
        self.publish_all();
        let mut looks = 0;
        let mut hungry = Hungry::new(self.idle(), bound);
        // Somebody woke us to look for work, and counts us as a searcher until we have looked.
        let mut woken = false;
        let mut found = None;
        while found.is_some() || !latch.probe() {
            let job = found.take().or_else(find);
            if mem::take(&mut woken) {
                // After a look in vain there is nothing for others with the same bounds: they would wake each other for ever.
                self.end_search(bound.filter(|_| job.is_some()));
            }
            hungry.set(job.is_none());
            if let Some(job) = job {
                if Some(job) == end && !planted!("kept") {
                    return true;
                }
                // SAFETY: just taken out of a queue.
                unsafe { self.execute(job) };
                looks = 0;
                continue;
            }
            match self.after_look(looks, false) {
                Next::Sleep => {
                    hungry.set(false);
                    (woken, found) = self.sleep_in_wait(latch, bound, find);
                    looks = 0;
                }
                _ => looks += 1,
            }
        }
        if woken {
            self.end_search(bound);
        }
        false
    }

    /// Ends a search that a waker counts on. If we were the last on the watch and there is (more) to do, whether we found something, or
    /// must not run what there is, or leave because our wait is over, then the wake-up goes on to the next: one `bound` as we
    /// are, if that may help.
    fn end_search(self, bound: Option<Root>) {
        let last = self.idle().end_search() && !planted!("wake");
        if last && self.pool().has_loot() {
            self.pool().notify(bound.unwrap_or(Root::NONE));
        }
    }

    /// Sleeps inside a wait until the latch is set or somebody wants help. True: somebody does, and the caller owes [`Worker::end_search`].
    /// What the last look before the sleep finds is the caller's to run.
    fn sleep_in_wait(
        self,
        latch: &Latch,
        bound: Option<Root>,
        find: &dyn Fn() -> Option<JobRef>,
    ) -> (bool, Option<JobRef>) {
        let (idle, word, guest) = (self.idle(), &self.seat().word, self.own().guest.get());
        if !latch.doze() {
            return (false, None);
        }
        self.seat()
            .waits_for
            .store(bound.map_or(0, Root::bits), Ordering::Relaxed);
        self.seat().note_place();
        idle.start_sleep();
        word.wait(guest);
        idle.settle();
        // The last look: really take, because a restricted waiter cannot tell from outside whether what it sees is for it.
        let found = if planted!("register") { None } else { find() };
        if found.is_none() {
            self.seat().counters.parks.bump();
            self.seat().bell.park();
        }
        let woken = word.end_wait(guest);
        latch.rise();
        if !woken {
            idle.end_sleep();
        }
        (woken, found)
    }

    /// Runs one job that this thread may run while it waits, if there is one.
    pub(crate) fn help(self) -> bool {
        self.run_within(self.restricted_to(), false)
    }

    /// Runs one job of `root`, if there is one.
    pub(crate) fn help_with(self, root: Root) -> bool {
        self.run_within(Some(root), false)
    }

    /// Runs one job, if there is one that this thread may run; `local` looks at its own queues only.
    pub(crate) fn run_one(self, local: bool) -> bool {
        // Whoever yields asks for whatever there is; only isolation still counts.
        let bound = Some(self.own().root.get()).filter(|root| root.is_isolated());
        self.run_within(bound, local)
    }

    fn run_within(self, bound: Option<Root>, local: bool) -> bool {
        self.publish_all();
        let job = if local {
            self.find_local(bound)
        } else {
            self.find(bound, None)
        };
        // SAFETY: just taken out of a queue.
        job.map(|job| unsafe { self.execute(job) }).is_some()
    }
}
