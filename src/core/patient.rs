//! Patient waits: what a thread that is deep in waits does before it looks for any work.

use super::clock;
use super::job::JobRef;
use super::until::Until;
use super::worker::Worker;
use crate::sync::{planted, sleep};
use std::time::Duration;

/// How many jobs may be on the stack, each inside a wait of the one before, until a wait is patient. The programs of models are not deep.
const DEEP: usize = if cfg!(filch_shuttle) { 0 } else { 16 };
/// How often such a wait looks, and lets others run, before it naps between looks. It naps sooner if the others run for long. In a model it may look in vain as
/// often as it takes, and little more.
const LOOKS: u32 = if cfg!(filch_shuttle) {
    IN_VAIN + 1
} else {
    256
};
/// How many looks in a row may see all other threads in patient waits, before this one is patient no more.
const IN_VAIN: u32 = 5;
/// How long the first nap is, and how long the longest one.
const NAPS: [Duration; 2] = [Duration::from_micros(100), Duration::from_millis(1)];

impl Worker<'_> {
    /// How long a wait on top of this thread's stack is patient: not at all, unless many jobs are on the stack.
    ///
    /// A job that runs on top of a wait may itself wait, and so on: two threads that wait for each other's pieces of a loop could each begin the
    /// next piece on top of the last, until a stack is full. So a deep wait gives what it waits for some time first. The deeper, the longer: the
    /// stack grows by the logarithm of the time that others take, if that is less than a minute. It is never for ever, for what is awaited
    /// may itself wait, in a way that cannot be seen here, for something that only this thread can do. And it ends soon if all threads of the pool wait
    /// so for each other: then there is none to be given time.
    pub(super) fn patience(self, doublings: usize) -> Duration {
        match self.depth().checked_sub(DEEP) {
            None => Duration::ZERO,
            Some(too_many) => NAPS[0] * ((1 << (too_many / 2).min(doublings)) - 1),
        }
    }

    /// Runs only what `find` finds, until the wait is over, or this thread has looked for some time, and slept for as long as its
    /// [patience](Self::patience): then `None`. Else whether it found the job that ends the wait. It waits for this pool (`here`) or for another one.
    ///
    /// No thread wakes this one: a nap is between two looks. So to others it counts as one that works, and whatever comes wakes another thread.
    /// If that wake-up were lost, this thread would do the work when its patience ends, late. In a model it never does, if it waits for this pool. If it waits for another one, it may have
    /// to: what runs there may join a job that lies in this thread's own queue.
    pub(super) fn wait_patiently(
        self,
        patience: Duration,
        until: &Until<'_>,
        here: bool,
        find: &dyn Fn() -> Option<JobRef>,
    ) -> Option<bool> {
        if patience.is_zero() {
            return None;
        }
        self.publish_all();
        let [mut nap, longest] = NAPS;
        let (mut looks, mut in_vain, mut slept) = (0, 0, Duration::ZERO);
        let mut patient = self.idle().count_patient();
        let ends = !(cfg!(filch_shuttle) && here);
        while !until.latch.probe() {
            if self.pool().sleepers.any_wanting() {
                patient.set(false);
                // Isolated or not: perhaps what this thread waits for needs the right.
                self.lend_right();
            }
            let looking = looks < LOOKS;
            if !looking && ends && slept >= patience {
                return None;
            }
            let job = find();
            if job.is_some() && job == until.job {
                return Some(true);
            }
            let left =
                job.is_none() && (self.is_left_to_us(until.roots()) || self.has_mail_below());
            if (job.is_some() || left) && !planted!("patient") {
                patient.set(false);
            }
            match job {
                Some(job) => {
                    in_vain = 0;
                    // SAFETY: just taken out of a queue.
                    unsafe { self.execute_in_wait(until.also, job) };
                }
                None if left && self.do_what_is_left(until.roots()) => in_vain = 0,
                None => {
                    patient.set(here);
                    in_vain = if here && self.all_are_patient() {
                        in_vain + 1
                    } else {
                        0
                    };
                    if in_vain >= IN_VAIN {
                        return None;
                    }
                    if !looking {
                        sleep(nap);
                    } else if clock::give_way() {
                        // The yield took longer than a nap, because the system runs other threads. So nap from now on.
                        looks = LOOKS;
                    }
                }
            }
            // A look that found a job counts as well: there may be no end of jobs.
            if looking {
                looks += 1;
            } else {
                slept += nap;
                nap = (2 * nap).min(longest);
            }
        }
        Some(false)
    }

    /// Whether all threads that hold rights are in patient waits for this pool and find nothing. Then none of them does what another one waits for.
    fn all_are_patient(self) -> bool {
        if planted!("vain") {
            return false;
        }
        self.idle().patient() >= self.pool().rights.count_in_use()
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::{LOOKS, NAPS};
    use crate::core::clock::mock;
    use crate::core::deque::Worth;
    use crate::core::job::{HeapJob, StackJob};
    use crate::core::latch::Latch;
    use crate::core::pool::{Handlers, Pool};
    use crate::core::root::Root;
    use crate::core::until::Until;
    use crate::core::worker::Worker;
    use std::cell::Cell;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::thread;
    use std::time::Duration;

    /// How a patient wait of worker 0 ends, in a pool of two, after many looks at most. At some of them worker 1 has put its right down, so that all that have one are patient,
    /// and at some it finds a job.
    fn wait_beside(is_alone: impl Fn(u32) -> bool, finds: impl Fn(u32) -> bool) -> Option<bool> {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let (latch, looks) = (Latch::new(), Cell::new(0));
        let find = || {
            let look = looks.replace(looks.get() + 1);
            match is_alone(look) {
                true if !pool.rights.is_free(1) => pool.rights.put(1),
                false if pool.rights.is_free(1) => assert!(pool.rights.take_this(1)),
                _ => {}
            }
            if looks.get() == LOOKS {
                // SAFETY: the frame of the latch is below this one.
                unsafe { Latch::set(&latch) };
            }
            // SAFETY: it borrows nothing.
            finds(look).then(|| unsafe { HeapJob::boxed(Root::NONE, || ()) })
        };
        let until = Until::new(&latch, None);
        let worker = sitting.worker();
        worker.wait_patiently(Duration::from_secs(60), &until, true, &find)
    }

    /// A thread that puts its right down between two jobs is no reason to be patient no more, however often that happens.
    #[test]
    fn patience_ends_after_some_looks_in_a_row_that_see_no_thread_at_work() {
        let never = |_| false;
        assert_eq!(wait_beside(|look| look % 20 == 0, never), Some(false));
        assert_eq!(wait_beside(|look| look >= 20, never), None);
    }

    /// As long as this thread itself finds jobs that it may run, it does what others wait for.
    #[test]
    fn patience_does_not_end_while_there_are_jobs_to_run() {
        let always = |_| true;
        assert_eq!(wait_beside(always, |look| look % 2 == 0), Some(false));
        assert_eq!(wait_beside(always, |look| look < 20), None);
    }

    /// On a busy machine a yield takes longer than a nap, so the thread naps, and is patient for no longer than it should be.
    #[test]
    fn a_patient_thread_on_a_busy_machine_soon_naps() {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        let (latch, looks) = (Latch::new(), Cell::new(0));
        let find = || {
            looks.set(looks.get() + 1);
            None
        };
        let (worker, until) = (sitting.worker(), Until::new(&latch, None));
        let patient = || worker.wait_patiently(NAPS[0], &until, true, &find);
        let beside_others = |away| {
            assert_eq!(mock::with(away, patient), None);
            looks.replace(0)
        };
        assert_eq!([1_000_000, 500].map(beside_others), [2, LOOKS + 1]);
    }

    /// Does `work` as worker 0 of a pool of two, whose other right stays in use.
    fn at_desk<R>(work: impl FnOnce(&Pool, Worker<'_>) -> R) -> R {
        let pool = Pool::new(2, 0, Handlers::default(), true, false);
        // SAFETY: a worker's right is born in its hand, and its desk is for it alone.
        let sitting = unsafe { Worker::sit(pool.seats[0].own_desk(), 0) };
        work(&pool, sitting.worker())
    }

    /// A patient wait that ends by its latch: as soon as `is_over`, or after many looks.
    fn wait_until(worker: Worker<'_>, bound: Option<Root>, is_over: impl Fn() -> bool) {
        let (latch, looks) = (Latch::new(), Cell::new(0));
        let find = || {
            looks.set(looks.get() + 1);
            if is_over() || looks.get() == LOOKS {
                // SAFETY: the frame of the latch is below this one.
                unsafe { Latch::set(&latch) };
            }
            None
        };
        let until = Until::new(&latch, bound);
        let wait = || worker.wait_patiently(Duration::from_secs(60), &until, false, &find);
        assert_eq!(mock::with(500, wait), Some(false));
    }

    #[test]
    fn the_deeper_a_wait_the_longer_it_is_patient() {
        at_desk(|_, worker| {
            let patience = |depth, doublings| {
                worker.own().depth.set(depth);
                worker.patience(doublings).as_micros()
            };
            let depths = [0, 15, 16, 17, 18, 19, 20, 22, 1000];
            let micros = [0, 0, 0, 0, 100, 100, 300, 700, 102_300];
            assert_eq!(depths.map(|depth| patience(depth, 10)), micros);
            assert_eq!(patience(22, 2), 300);
            worker.own().depth.set(1);
            let (latch, find) = (Latch::new(), || panic!("it does not look"));
            let until = Until::new(&latch, None);
            assert_eq!(
                worker.wait_patiently(Duration::ZERO, &until, true, &find),
                None
            );
        });
    }

    /// What it has offered and nobody has seen is for others meanwhile.
    #[test]
    fn a_patient_thread_hides_no_job() {
        let jobs: Vec<_> = (0..10).map(|n| StackJob::new(n, |n: usize| n)).collect();
        at_desk(|_, worker| {
            for job in &jobs {
                // SAFETY: they stay in place, and none is run.
                worker.push(unsafe { job.as_ref() }, Worth::Little);
            }
            assert!(worker.own().deque.has_private());
            wait_until(worker, None, || {
                assert!(!worker.own().deque.has_private());
                true
            });
            let found = std::iter::from_fn(|| worker.find_local(None));
            assert_eq!(found.count(), jobs.len());
        });
    }

    /// The job for which it waits ends the wait, and is not run. Others are run, and meanwhile the thread counts as one that works.
    #[test]
    fn a_patient_thread_runs_what_it_finds_but_for_the_job_that_it_waits_for() {
        at_desk(|pool, worker| {
            let (latch, ran) = (Latch::new(), AtomicU64::new(0));
            let body = || {
                assert_eq!(pool.idle.patient(), 0);
                ran.fetch_add(1, Ordering::SeqCst);
            };
            // SAFETY: they run in this frame.
            let jobs = [(); 3].map(|()| unsafe { HeapJob::boxed(Root::NONE, body) });
            let left = Cell::new(&jobs[..]);
            let vain = Cell::new(false);
            let find = || {
                // Each second look is in vain, so that it is patient in between.
                vain.set(!vain.get());
                if vain.get() {
                    return None;
                }
                assert_eq!(pool.idle.patient(), 1);
                let (first, rest) = left.get().split_first()?;
                left.set(rest);
                Some(*first)
            };
            let mut until = Until::new(&latch, None);
            until.job = Some(jobs[2]);
            let wait = || worker.wait_patiently(Duration::from_secs(60), &until, true, &find);
            assert_eq!(mock::with(500, wait), Some(true));
            assert_eq!(ran.load(Ordering::SeqCst), 2);
            // SAFETY: it was found and not run.
            unsafe { pool.run(jobs[2], 0) };
        });
    }

    /// Perhaps that thread does what this one waits for.
    #[test]
    fn a_patient_thread_lends_its_right() {
        at_desk(|pool, worker| {
            let (latch, desk) = (Latch::new(), pool.seats[1].own_desk());
            thread::scope(|threads| {
                threads.spawn(|| {
                    while pool.idle.patient() == 0 {
                        thread::yield_now();
                    }
                    let number = pool.take_right(desk);
                    assert_eq!(pool.idle.patient(), 0);
                    // SAFETY: its frame waits for this thread.
                    unsafe { Latch::set(&latch) };
                    pool.put_down(number);
                });
                let looks = Cell::new(0);
                let find = || {
                    // After the first look it is patient, and the other thread comes.
                    looks.set(looks.get() + 1);
                    while looks.get() == 2 && !latch.probe() && !pool.sleepers.any_wanting() {
                        thread::yield_now();
                    }
                    assert!(looks.get() < 10, "it was not lent");
                    None
                };
                let until = Until::new(&latch, None);
                let wait = || worker.wait_patiently(Duration::from_secs(60), &until, true, &find);
                assert_eq!(mock::with(500, wait), Some(false));
            });
        });
    }

    /// A stuck pool leaves work to it, or it has mail in a pool whose desk it left.
    #[test]
    fn a_patient_thread_does_what_is_left_in_other_pools() {
        let count = &AtomicU64::new(0);
        let job = |root| {
            // SAFETY: what it borrows outlives the test's pools.
            unsafe { HeapJob::boxed(root, || _ = count.fetch_add(1, Ordering::SeqCst)) }
        };
        let other = || Pool::new(1, 0, Handlers::default(), true, false);
        let (stuck, root) = (other(), Root::isolated(1));
        stuck.rights.put(0);
        stuck.brought.push(&[job(root)]);
        at_desk(|_, worker| {
            worker.while_waiting_for(&stuck, Some(root), || {
                wait_until(worker, Some(root), || count.load(Ordering::SeqCst) == 1);
            });
        });
        assert_eq!(count.load(Ordering::SeqCst), 1);
        let away = other();
        away.rights.put(0);
        assert!(away.seats[0].mail.push(job(Root::NONE)));
        at_desk(|_, worker| {
            worker.own().below.set(away.seats[0].own_desk());
            wait_until(worker, None, || count.load(Ordering::SeqCst) == 2);
            worker.own().below.set(std::ptr::null());
        });
        assert_eq!(count.load(Ordering::SeqCst), 2);
    }
}
