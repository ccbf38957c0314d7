//! The split deque: a private ring of join jobs on top of a public queue.
//!
//! Nearly all joins of a program are never stolen, so they should not pay for the possibility. A join pushes its job to a ring that only
//! its own thread knows; only what thieves should see is *promoted* to the public queue, oldest first.
//!
//! ```text
//!    public (crossbeam deque)            private (ring)
//!   oldest ....................  | ........................ newest
//!   thieves steal here             promoted from here         join pushes and pops here
//! ```
//!
//! Invariants:
//!
//! - **I1** Every entry of the ring is a join job of a live frame of this thread that no other thread has seen.
//! - **I2** Everything public is older than everything private (spawned jobs excepted; they go straight to the public queue). So when a
//!   join finds that its own job was promoted, the ring is empty.
//! - **I3** If the ring is not empty, then the public queue is not empty or `limit` is 0, which makes the next push promote one.
//! - **I4** A thread never waits or runs a foreign job while the ring is not empty: it promotes everything first. Otherwise the wait
//!   could run an outer frame's private job, and the outer frame would run it again.
//!
//! Two words are written by both sides. A push compares `newest` with `limit`, which covers three cases at once: the ring is full, a thief
//! asked for work (it wrote 0), and the eager start of a call. A pop compares `newest` with `floor`, which covers two: the ring is empty
//! (`floor` is then `oldest`), and a thief asked (it wrote the largest number). So a join makes two comparisons in all.

use super::event::Kind;
use super::follow::Follower;
use super::job::{JobRef, Owner};
use super::meter;
use super::probe::Probe;
use super::root::Root;
use crate::sync::{AtomicBool, AtomicUsize, Cell, Ordering, planted};
use crossbeam_deque::{Steal, Stealer, Worker};
use std::array;
use std::mem::MaybeUninit;

/// What a public job is worth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    /// A look by a thread that is awake, but no wake-up.
    Little,
    /// A wake-up, but only by a thread that comes by and finds it.
    Much,
    /// A wake-up by its owner, as soon as it is public.
    Most,
}

/// The owner of jobs, as promoting needs it: its name, the probe that records, and the context that follows the jobs.
pub(crate) type Giver<'a> = (Owner, &'a Probe, &'a Follower);

/// Places in the ring. A deeper recursion promotes its oldest joins, which is where a thief would want to start anyway.
const CAPACITY: usize = if cfg!(filch_loom) { 4 } else { 256 };
/// A thief asks for work.
const ASKED: usize = 0;
/// A thief asks for work: the word that stands in `floor` then.
const ASKED_FLOOR: usize = usize::MAX;
/// The owner is promoting; still makes every push take the slow path.
const BUSY: usize = 1;
/// Where positions start: above ASKED and BUSY. Each promotion moves them up by one, so they may wrap. A position that is then taken for one of the words above
/// costs one slow path, and so does a limit that wraps before the positions do.
const BASE: usize = 2;

/// The owner's handle.
pub(crate) struct Local {
    /// The position after the newest private job.
    newest: Cell<usize>,
    /// The position of the oldest private job.
    oldest: Cell<usize>,
    /// How many more pushes go public at once (the eager start).
    eager: Cell<u32>,
    ring: [Cell<MaybeUninit<JobRef>>; CAPACITY],
    public: Worker<JobRef>,
}

/// The thieves' handle.
pub(crate) struct Thief {
    limit: AtomicUsize,
    /// `oldest`, or ASKED_FLOOR; never less than `oldest`.
    floor: AtomicUsize,
    /// A job in the public queue is worth waking a thread.
    loud: AtomicBool,
    stealer: Stealer<JobRef>,
}

/// The two handles of a new deque; `breadth_first` makes the owner, too, take the oldest public job first.
pub(crate) fn new(breadth_first: bool) -> (Local, Thief) {
    let public = if breadth_first {
        Worker::new_fifo()
    } else {
        Worker::new_lifo()
    };
    let thief = Thief {
        limit: AtomicUsize::new(ASKED),
        floor: AtomicUsize::new(ASKED_FLOOR),
        loud: AtomicBool::new(false),
        stealer: public.stealer(),
    };
    let local = Local {
        newest: Cell::new(BASE),
        oldest: Cell::new(BASE),
        eager: Cell::new(0),
        ring: array::from_fn(|_| Cell::new(MaybeUninit::uninit())),
        public,
    };
    (local, thief)
}

impl Local {
    /// Pushes a join job. True: something has to be promoted now ([`Local::answer`]).
    #[inline(always)]
    pub(crate) fn push(&self, job: JobRef, thief: &Thief) -> bool {
        let at = self.newest.get();
        self.ring[at % CAPACITY].set(MaybeUninit::new(job));
        self.newest.set(at.wrapping_add(1));
        at.wrapping_add(1) >= thief.limit.load(Ordering::Relaxed)
    }

    /// Takes the newest private job back (the caller's own, by I2) if nothing is amiss. False: ask [`Local::pop_slow`].
    #[inline(always)]
    pub(crate) fn pop(&self, thief: &Thief) -> bool {
        let at = self.newest.get();
        if at <= thief.floor.load(Ordering::Relaxed) {
            return false;
        }
        self.newest.set(at.wrapping_sub(1));
        true
    }

    /// Takes the newest private job back. False: the ring is empty, so the caller's job was promoted.
    pub(crate) fn pop_slow(&self) -> bool {
        let any = self.has_private();
        if any {
            self.newest.set(self.newest.get().wrapping_sub(1));
        }
        any
    }

    /// The slow path of a push: promotes the oldest private job and re-arms `limit`, unless it has to stay at 0.
    ///
    /// Each descent begins eagerly: when the deque was empty, the first `pushes` pushes are public. Without that, a descent of joins that
    /// ends in one long leaf would hide its siblings, for a request is seen only when the owner looks.
    ///
    /// The request is taken first, then served, then `limit` is re-armed with a compare-exchange: a request that arrives meanwhile is
    /// kept for the next push.
    pub(crate) fn answer(
        &self,
        thief: &Thief,
        root: Root,
        giver: Giver<'_>,
        pushes: u32,
        worth: Worth,
    ) -> bool {
        thief.limit.swap(BUSY, Ordering::Relaxed);
        if self.public.is_empty() && self.newest.get() == self.oldest.get().wrapping_add(1) {
            // The only job there is: a new descent begins.
            self.eager.set(pushes);
        }
        let promoted = self.promote(thief, root, giver, worth);
        let eager = self.eager.get();
        if eager > 0 || !promoted {
            self.eager.set(eager.saturating_sub(1));
            thief.ask(); // I3 demands it if nothing was there to promote
            return promoted;
        }
        let next = self.oldest.get().wrapping_add(CAPACITY);
        if planted!("request") {
            thief.limit.store(next, Ordering::Relaxed);
        } else {
            let _ = thief
                .limit
                .compare_exchange(BUSY, next, Ordering::Relaxed, Ordering::Relaxed);
        }
        promoted
    }

    /// Promotes the oldest private job. False: there is none.
    pub(crate) fn promote(
        &self,
        thief: &Thief,
        root: Root,
        giver: Giver<'_>,
        worth: Worth,
    ) -> bool {
        let (owner, probe, follower) = giver;
        let at = self.oldest.get();
        if at == self.newest.get() {
            return false;
        }
        let oldest = at.wrapping_add(1);
        self.oldest.set(oldest);
        let floor = if planted!("floor") { at } else { oldest };
        thief.floor.store(floor, Ordering::Relaxed);
        if thief.is_asked() {
            thief.ask(); // the store to `floor` may have overwritten a request
        }
        // SAFETY: positions from `oldest` to `newest` hold jobs.
        let job = unsafe { self.ring[at % CAPACITY].get().assume_init() };
        // This calls the user's code, which may fork and wait. The job is in no queue meanwhile, and the ring is consistent without it.
        let token = follower.leave();
        // SAFETY: by I1 the job is alive, ours and unseen.
        unsafe { job.publish(root, token, Some(owner)) };
        probe.note(Kind::Promote, || job.address());
        meter::fork(job.address());
        self.set_loud(thief, worth != Worth::Little);
        self.public.push(job);
        true
    }

    /// Pushes a job that is public from the start.
    pub(crate) fn push_public(&self, job: JobRef, thief: &Thief) {
        self.set_loud(thief, true);
        self.public.push(job);
    }

    /// Records whether the job that is pushed next is worth waking a thread. Once loud, the public queue stays loud until it is empty.
    fn set_loud(&self, thief: &Thief, loud: bool) {
        if loud != thief.loud.load(Ordering::Relaxed) && (loud || self.public.is_empty()) {
            thief.loud.store(loud, Ordering::Relaxed);
        }
    }

    /// The newest public job.
    pub(crate) fn pop_public(&self, thief: &Thief) -> Option<JobRef> {
        let job = self.public.pop();
        if self.public.is_empty() {
            thief.ask(); // I3
        }
        job
    }

    /// Makes the next `pushes` pushes public at once.
    pub(crate) fn start_eager(&self, pushes: u32, thief: &Thief) {
        self.eager.set(pushes);
        thief.ask();
    }

    /// Whether the owner has unfinished jobs of any kind in its queues.
    pub(crate) fn is_empty(&self) -> bool {
        self.newest.get() == self.oldest.get() && self.public.is_empty()
    }

    /// Whether the public part is empty.
    pub(crate) fn is_public_empty(&self) -> bool {
        self.public.is_empty()
    }

    /// Whether there are private jobs.
    #[inline]
    pub(crate) fn has_private(&self) -> bool {
        self.newest.get() != self.oldest.get()
    }
}

impl Thief {
    /// Asks the owner to promote a job at its next push.
    pub(crate) fn ask(&self) {
        if self.limit.load(Ordering::Relaxed) != ASKED {
            if cfg!(filch_loom) {
                // Loom lets a store come before the owner's compare-exchange in spite of the value which the compare-exchange read.
                self.limit.swap(ASKED, Ordering::Relaxed);
            } else {
                self.limit.store(ASKED, Ordering::Relaxed);
            }
        }
        if self.floor.load(Ordering::Relaxed) != ASKED_FLOOR {
            self.floor.store(ASKED_FLOOR, Ordering::Relaxed);
        }
    }

    /// Whether the owner's next push promotes.
    #[inline(always)]
    pub(crate) fn is_asked(&self) -> bool {
        self.limit.load(Ordering::Relaxed) == ASKED
    }

    /// Whether there is nothing to steal; cheaper than a failed steal, which pins an epoch.
    pub(crate) fn is_empty(&self) -> bool {
        self.stealer.is_empty()
    }

    /// How many jobs there are to steal, for people.
    pub(crate) fn len(&self) -> usize {
        self.stealer.len()
    }

    /// Whether there is something to steal that is worth waking a thread.
    pub(crate) fn is_loud(&self) -> bool {
        !self.stealer.is_empty() && self.loud.load(Ordering::Relaxed)
    }

    /// Steals the oldest public job.
    pub(crate) fn steal(&self) -> Option<JobRef> {
        let job = loop {
            match self.stealer.steal() {
                Steal::Success(job) => break job,
                Steal::Empty => return None,
                // Another thread got one: that is progress, and there may be more.
                Steal::Retry if self.stealer.is_empty() => return None,
                Steal::Retry => {}
            }
        };
        if self.stealer.is_empty() {
            self.ask(); // I3
        }
        Some(job)
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::job::StackJob;

    /// The owner gets every job back in its order, private or not, also where positions wrap and while a thief asks.
    #[test]
    fn positions_may_wrap() {
        let (owner, probe) = (Owner::new(&()), Probe::default());
        let follower = Follower::default();
        let jobs: Vec<_> = (0..600).map(|n| StackJob::new(n, |n: usize| n)).collect();
        // SAFETY: they stay in place until the end of the test.
        let names: Vec<_> = jobs.iter().map(|job| unsafe { job.as_ref() }).collect();
        for start in [BASE, usize::MAX - 500, usize::MAX - 256, usize::MAX - 3] {
            let (local, thief) = new(false);
            local.newest.set(start);
            local.oldest.set(start);
            let mut promoted = 0;
            for depth in [1, 5, 255, 256, 257, 600, 3, 600] {
                for (at, &name) in names[..depth].iter().enumerate() {
                    if local.push(name, &thief) {
                        promoted += usize::from(local.answer(
                            &thief,
                            Root::NONE,
                            (owner, &probe, &follower),
                            2,
                            Worth::Most,
                        ));
                    }
                    if at % 50 == 49 {
                        thief.ask();
                    }
                }
                for &name in names[..depth].iter().rev() {
                    let back = if local.pop(&thief) || local.pop_slow() {
                        let at = local.newest.get() % CAPACITY;
                        // SAFETY: the place of a job that was pushed and just taken back.
                        Some(unsafe { local.ring[at].get().assume_init() })
                    } else {
                        local.pop_public(&thief)
                    };
                    assert_eq!(back, Some(name));
                }
                assert!(local.is_empty());
            }
            // Enough for the position of the oldest to wrap, too.
            assert!(promoted > 600, "{promoted}");
        }
    }

    /// A deque, and jobs to push.
    fn with_jobs(test: impl Fn(Local, Thief, &[JobRef])) {
        let jobs: Vec<_> = (0..20).map(|n| StackJob::new(n, |n: usize| n)).collect();
        // SAFETY: they stay in place until the end of the test.
        let names: Vec<_> = jobs.iter().map(|job| unsafe { job.as_ref() }).collect();
        let (local, thief) = new(false);
        test(local, thief, &names);
    }

    /// Pushes a job as a join does. Whether one was promoted.
    fn push(local: &Local, thief: &Thief, job: JobRef, pushes: u32, worth: Worth) -> bool {
        let (owner, probe) = (Owner::new(&()), Probe::default());
        let giver: Giver<'_> = (owner, &probe, &Follower::default());
        local.push(job, thief) && local.answer(thief, Root::NONE, giver, pushes, worth)
    }

    #[test]
    fn a_descent_begins_with_public_pushes_and_goes_on_with_private_ones() {
        for eager in [0, 1, 3] {
            with_jobs(|local, thief, jobs| {
                let push = |job| push(&local, &thief, job, eager, Worth::Most);
                let promoted: Vec<_> = jobs.iter().map(|&job| push(job)).collect();
                let public = eager as usize + 1;
                assert!(promoted[..public].iter().all(|it| *it));
                assert!(!promoted[public..].iter().any(|it| *it));
                assert_eq!(thief.len(), public);
                // Each of the private ones comes back on the fast path.
                for _ in public..jobs.len() {
                    assert!(local.has_private() && local.pop(&thief));
                }
                assert!(!local.has_private() && !local.pop(&thief) && !local.pop_slow());
                assert!(!local.is_empty() && !local.is_public_empty());
                while local.pop_public(&thief).is_some() {}
                assert!(local.is_empty() && local.is_public_empty());
                // The next one begins in the same way.
                let promoted: Vec<_> = jobs.iter().map(|&job| push(job)).collect();
                assert_eq!(promoted.iter().filter(|it| **it).count(), public);
            });
        }
    }

    #[test]
    fn one_request_has_one_job_promoted() {
        with_jobs(|local, thief, jobs| {
            assert!(push(&local, &thief, jobs[0], 0, Worth::Most));
            // No more public pushes: the descent goes on.
            let push = |job| push(&local, &thief, job, 3, Worth::Most);
            assert!(!push(jobs[1]) && !push(jobs[2]));
            thief.ask();
            assert!(push(jobs[3]) && !push(jobs[4]));
            assert_eq!(thief.len(), 2);
            // The thread that takes the last public job asks for the next.
            assert_eq!(thief.steal(), Some(jobs[0]));
            assert!(!thief.is_asked() && !push(jobs[5]));
            assert_eq!(thief.steal(), Some(jobs[1]));
            assert!(thief.is_asked() && push(jobs[6]) && !push(jobs[7]));
            assert_eq!(local.pop_public(&thief), Some(jobs[2]));
            assert!(thief.is_asked() && push(jobs[8]));
            assert!(thief.steal().is_some() && thief.steal().is_none() && thief.is_empty());
            assert!(push(jobs[9]) && !thief.is_asked());
            local.start_eager(2, &thief);
            assert!(push(jobs[10]) && push(jobs[11]) && push(jobs[12]) && !push(jobs[13]));
            // A join that takes its job back sees a request, too.
            assert!(local.pop(&thief));
            thief.ask();
            assert!(!local.pop(&thief) && local.pop_slow());
        });
    }

    #[test]
    fn public_jobs_are_loud_until_all_are_gone_if_one_was() {
        with_jobs(|local, thief, jobs| {
            let push = |job, worth| assert!(push(&local, &thief, job, 9, worth));
            assert!(!thief.is_loud());
            push(jobs[0], Worth::Little);
            assert!(!thief.is_loud());
            push(jobs[1], Worth::Much);
            assert!(thief.is_loud());
            push(jobs[2], Worth::Little);
            assert!(thief.is_loud());
            while thief.steal().is_some() {}
            assert!(!thief.is_loud());
            push(jobs[3], Worth::Little);
            assert!(!thief.is_loud());
            local.push_public(jobs[4], &thief);
            assert!(thief.is_loud());
        });
    }
}
