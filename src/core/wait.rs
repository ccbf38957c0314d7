//! Waiting: what a thread at a desk does until a latch is set.

use super::desk::WakeUp;
use super::event::Kind;
use super::job::JobRef;
use super::latch::Latch;
use super::policy::Next;
use super::pool::Pool;
use super::root::Root;
use super::until::{Roots, Until};
use super::worker::Worker;
use crate::sync::{planted, sleep};
use std::mem;
use std::time::Duration;

/// How often the patience doubles at most, to 6.5 s. It doubles with every two jobs more on the stack.
const DOUBLINGS: usize = 16;

/// The same for a scope, to 3 ms. A patient thread looks only in its own queue, and a job of the scope may lie in another one, from which no other thread takes it.
const SCOPE_DOUBLINGS: usize = 5;

/// How long a thread of a child process sleeps between two looks, in a wait that began in the parent. The wait may have no end, as other threads of the parent had what it
/// is for. Then a thousand looks a second cost little.
pub(super) const IN_CHILD: Duration = Duration::from_millis(1);

/// What a sleep inside a wait ended with.
struct Slept {
    /// Why this thread was called, if it was: to [help](WakeUp::Help), and the sleeper owes [`Worker::end_search`], or to look.
    wake_up: Option<WakeUp>,
    /// The job that the last look before the sleep found: the sleeper runs it.
    found: Option<JobRef>,
    /// Work [came home](super::home).
    came_home: bool,
}

impl Worker<'_> {
    /// Helps until `latch` is set. Where many jobs are on the stack, it first runs only what is in its own queue for [some time](Self::patience).
    pub(crate) fn wait(self, latch: &Latch) {
        let bound = self.bound();
        let until = Until::new(latch, bound);
        // In a pool without a second thread, no other thread could use the time.
        let patience = match self.pool().crew.threads() {
            0 | 1 => Duration::ZERO,
            _ => self.patience(SCOPE_DOUBLINGS),
        };
        let first = self.wait_patiently(patience, &until, true, &|| self.find_local(bound));
        if first.is_none() {
            self.wait_with(&until, &|| self.find(bound, None));
        }
    }

    /// Helps until `latch` is set. Then the thread leaves the pool and needs no right, so it may hold none when this returns.
    pub(crate) fn wait_and_leave(self, latch: &Latch) {
        let bound = self.bound();
        let find = || self.find(bound, None);
        let until = Until {
            // In a pool without threads this thread still needs its right: it has to run the jobs that are left, because no other thread will.
            leaves: !self.pool().crew.is_callers(),
            ..Until::new(latch, bound)
        };
        self.wait_with(&until, &find);
    }

    /// Helps until `latch` is set by another pool, `pool`. Where many jobs are on the stack, it first gives that pool [some time](Self::patience). `also` is the
    /// root of the awaited work in that pool, if it has one. This thread runs work of that root as well: in its own pool, and in `pool` if `pool` leaves it to this thread.
    pub(crate) fn wait_for_pool(self, latch: &Latch, pool: &Pool, also: Option<Root>) {
        let bound = self.bound();
        let until = Until {
            also,
            ..Until::new(latch, bound)
        };
        let patience = self.patience(DOUBLINGS);
        // Work of `also` comes first, because there may be no end of other work. A thread that may run everything finds both with one look.
        let first = also.filter(|_| bound.is_some());
        let both = |look: &dyn Fn(Option<Root>) -> Option<JobRef>| {
            let found = first.and_then(|root| look(Some(root)));
            found.or_else(|| look(bound))
        };
        let find = || both(&|bound| self.take_mail_or_injected(bound));
        self.while_waiting_for(pool, also.or(bound), || {
            let first = self.wait_patiently(patience, &until, false, &find);
            if first.is_none() {
                self.wait_with(&until, &|| both(&|bound| self.find(bound, None)));
            }
        });
    }

    /// Helps until `job` is done, which this thread offered and a thief took. `thief` gives the number under which the thief runs it: this thread steals from there
    /// first. Where many jobs are on the stack, it steals from nowhere else for [some time](Self::patience). True: a thread handed the job back unrun.
    pub(crate) fn wait_for_taken(
        self,
        job: JobRef,
        latch: &Latch,
        thief: &dyn Fn() -> Option<usize>,
    ) -> bool {
        let bound = self.bound();
        // Looked for before all else. If `find` took the job and it ran on top of this wait, it would fork and be handed back again, until the stack is full.
        let returned = || {
            // SAFETY: the job was promoted, so it has a tag, and it is ours, so it stays until this wait is over.
            let is_handed_back = unsafe { job.tag() }.is_handed_back();
            (is_handed_back && self.pool().brought.take_back(job)).then_some(job)
        };
        let until = Until {
            job: Some(job),
            ..Until::new(latch, bound)
        };
        // While the thief keeps its number, the jobs in its queue descend from `job`, so there is an end of them. If it sleeps inside `job`, another thread may have
        // that number, and these may be any jobs. The time for which this is tried is bounded in any case.
        let a_part = || returned().or_else(|| thief().and_then(|at| self.steal_from(at, bound)));
        let all = || returned().or_else(|| self.find(bound, thief()));
        self.wait_patiently(self.patience(DOUBLINGS), &until, true, &a_part)
            .unwrap_or_else(|| self.wait_with(&until, &all))
    }

    /// Runs what `find` finds until the latch is set. True: `find` found `until.job`, which ends the wait unrun.
    fn wait_with(self, until: &Until<'_>, find: &dyn Fn() -> Option<JobRef>) -> bool {
        let (latch, bound) = (until.latch, until.bound);
        if latch.probe() {
            return false;
        }
        let awaited = || until.job.map_or(0, JobRef::address);
        self.desk().probe.note(Kind::Wait, awaited);
        self.publish_all();
        if self.seat().is_none() {
            self.end_beside();
        }
        let mut looks = 0;
        let mut hungry = self.idle().count_hungry(bound);
        // This thread was woken to look for work, and counts as a searcher until it has looked.
        let mut woken = false;
        // This thread was called to look for work of its call, without a right, and has not looked yet.
        let mut called = false;
        let mut found = None;
        while found.is_some() || !latch.probe() {
            let job = found.take().or_else(find);
            let (was_woken, was_called) = (mem::take(&mut woken), mem::take(&mut called));
            if was_woken {
                // This thread found nothing, so there is nothing for other threads bound to the same roots. Waking one would make them wake each other for ever.
                let roots = match job {
                    Some(_) => until.roots(),
                    None => [None; 2],
                };
                self.end_search(roots, job.is_some());
            }
            if (was_woken || was_called) && job.is_some() {
                self.pass_work_on(until.roots(), was_called);
            }
            hungry.set(job.is_none());
            self.desk().probe.search(job.is_none());
            if let Some(job) = job {
                if Some(job) == until.job && !planted!("kept") {
                    self.desk().probe.note(Kind::Waited, awaited);
                    return true;
                }
                // SAFETY: just taken out of a queue.
                unsafe { self.execute_in_wait(until.also, job) };
                looks = 0;
                continue;
            }
            let (left, mail) = (self.is_left_to_us(until.roots()), self.has_mail_below());
            if left || mail {
                hungry.set(false);
                self.desk().probe.search(false);
                if left && self.stand_in_for(until.roots()) || mail && self.read_mail_below() {
                    looks = 0;
                    continue;
                }
            }
            // A thread that has nothing to do leaves its right to a thread that wants one.
            let next = match self.pool().sleepers.any_wanting() {
                true => Next::Sleep,
                false => self.after_look(looks, true),
            };
            match next {
                Next::Sleep if self.pool().is_orphan() => {
                    // A child after `fork`: the lists, from which this thread would be called, may be locked for ever. The latch is set by this thread, or by one that the child has started.
                    self.desk().counters.parks.bump();
                    sleep(IN_CHILD);
                }
                Next::Sleep => {
                    hungry.set(false);
                    let slept = self.sleep_in_wait(until, find);
                    woken = matches!(slept.wake_up, Some(WakeUp::Help(_)));
                    called = matches!(slept.wake_up, Some(WakeUp::Look));
                    found = slept.found;
                    looks = 0;
                    let busy = woken || called || found.is_some() || latch.probe();
                    if busy || !self.stand_in_for(until.roots()) {
                        self.pass_call_on();
                    }
                    if slept.came_home && !busy {
                        self.go_home(until);
                    }
                }
                _ => looks += 1,
            }
        }
        self.desk().probe.search(false);
        self.desk().probe.note(Kind::Waited, awaited);
        if woken {
            self.end_search(until.roots(), false);
        }
        if woken || called {
            self.pass_work_on(until.roots(), called);
        }
        false
    }

    /// This thread was called for work of one of these roots, and perhaps there is more of it.
    fn pass_work_on(self, roots: Roots, without_right: bool) {
        let roots = roots.into_iter().flatten();
        roots.for_each(|root| self.pool().pass_work_on(root, without_right));
    }

    /// Ends a search that a waker relies on; `found` says whether this thread found a job. If it was the last searcher, it passes the wake-up on, because it may be
    /// unable to run what there is, or its wait may be over. A thread bound to one of `roots`, as this one is, is woken first.
    fn end_search(self, roots: Roots, found: bool) {
        let last = self.idle().end_search();
        if !self.works_for_all() && !planted!("looks") {
            // While this thread was counted as a searcher, `is_stuck` said no. So threads of other pools may have to be called now.
            self.pool().fence_and_call_callers();
        }
        if (last || found) && !planted!("wake") {
            let [bound, also] = roots;
            self.call_others(bound.unwrap_or(Root::NONE));
            if let Some(root) = also {
                self.call_others(root);
            }
        }
    }

    /// Sleeps inside a wait until the latch is set or help is wanted.
    ///
    /// While this thread sleeps, it holds no right, so another thread may run.
    fn sleep_in_wait(self, until: &Until<'_>, find: &dyn Fn() -> Option<JobRef>) -> Slept {
        let (pool, latch) = (self.pool(), until.latch);
        let mut slept = Slept {
            wake_up: None,
            found: None,
            came_home: false,
        };
        if !latch.doze() {
            return slept;
        }
        pool.lie_down(self.desk(), until.bound, until.leaves);
        if let Some(root) = until.also {
            pool.sleepers.lock().bind_also(self.desk(), root);
        }
        // One fence for all places where this thread has registered: the counts of `idle.rs`, the list of bound sleepers, and the list of callers of another pool
        // (`callers.rs`). What comes after the last look, work or mail, finds it in one of them. The thread that brings it has the other fence.
        self.idle().settle();
        // The last look takes a job, and does not only see one: a bound waiter sees from outside that a queue has jobs, but not whether it may run them. The latch
        // is probed as well, because the thread that sets it wakes this one only if it is already on the list.
        let set = !planted!("lain") && latch.probe();
        if !set && !planted!("register") {
            slept.found = find();
        }
        let left = || self.is_left_to_us(until.roots()) || self.has_mail_below();
        if !(set || slept.found.is_some() || left()) {
            self.desk().counters.parks.bump();
            self.desk().probe.sleep();
            self.put_down_to_sleep();
            slept.wake_up = self.sleep_or_go_home(until.roots());
            slept.came_home = slept.wake_up.is_none();
            self.desk().probe.get_up();
        }
        if slept.wake_up.is_none() {
            slept.wake_up = pool.get_up(self.desk());
        }
        let wake_up = slept.wake_up;
        latch.rise();
        if let Some(WakeUp::Help(Some(number)) | WakeUp::GoOn(Some(number))) = wake_up {
            // Only a thread whose own right was let go, with the lists locked, is given one.
            debug_assert!(self.own().number().is_none());
            self.hold(number);
        }
        if self.own().number().is_none() && !(until.leaves && latch.probe()) {
            // No right was free. Or a thread that set the latch of an earlier wait at this desk has called this one late, for nothing, and the wait goes on.
            self.take_right_again();
        }
        let helps = matches!(wake_up, Some(WakeUp::Help(_)));
        if !helps && until.bound.is_none() && !self.works_for_all() && !planted!("around") {
            // While this thread was counted as a sleeper, `is_stuck` said no. So threads of other pools may have to be called now.
            pool.fence_and_call_callers();
        }
        slept
    }

    /// Puts the right down before a sleep inside a wait, if no thread has called this one yet.
    fn put_down_to_sleep(self) {
        if planted!("down") {
            return;
        }
        debug_assert!(self.own().deque.is_empty());
        self.pool().put_down_to_sleep(self.desk());
        // This worker may have worked under another number, and there may be mail for its own number.
        if let Some(worker_number) = self.desk().worker_number()
            && !self.pool().seats[worker_number].mail.is_empty()
        {
            self.pool().call_for_mail(worker_number);
        }
    }

    /// Runs `nap`, in which this thread sleeps for a while and waits for other threads. It holds no right meanwhile, so another thread may run. If no thread of this
    /// pool runs, a thread of another pool that waits for this one sees that this pool is [stuck](Pool::is_stuck).
    pub(crate) fn nap<R>(self, nap: impl FnOnce() -> R) -> R {
        if self.pool().is_orphan() {
            // A child after `fork`: no other thread is there.
            return nap();
        }
        self.publish_all();
        self.clear_desk();
        self.put_right_down();
        let result = nap();
        self.take_right_again();
        result
    }

    /// Runs one job that this thread may run while it waits, or does what it has to do in other pools. False: there was nothing.
    pub(crate) fn help(self) -> bool {
        self.publish_all();
        // Also inside an isolated call: perhaps the thread that this one waits for needs the right.
        self.lend_right();
        let bound = self.bound();
        match self.find(bound, None) {
            // SAFETY: just taken out of a queue.
            Some(job) => unsafe { self.execute(job) },
            None => return self.do_what_is_left([bound, None]),
        }
        true
    }

    /// Runs one job, if there is one that this thread may run; `local` looks at its own queues only.
    pub(crate) fn run_one(self, local: bool) -> bool {
        // A thread that yields asks for any job; only isolation still counts.
        let bound = Some(self.own().root.get()).filter(|root| root.may_hold_a_lock());
        self.publish_all();
        if !local {
            self.take_turns();
        }
        let job = match local {
            true => self.find_local(bound),
            false => self.find(bound, None),
        };
        match job {
            // SAFETY: just taken out of a queue.
            Some(job) => unsafe { self.execute(job) },
            // To stand in for another pool, this thread would put its right down. Its next holder may wait for a lock that this thread holds.
            None if local || bound.is_some() => return false,
            None => return self.do_what_is_left([self.bound(), None]),
        }
        true
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
#[path = "wait/tests/mod.rs"]
mod tests;
