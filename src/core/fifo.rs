//! Jobs that run first in, first out: a queue of jobs, and a reference to it in the deque for each of them.
//!
//! A thread's own queue is last in, first out. For the FIFO flavours of `spawn`, the job goes into a queue beside it, and the deque gets a
//! reference to that queue; the thread that runs the reference runs the oldest job. So the newest reference runs the oldest job.

use super::follow::Follower;
use super::job::{Header, JobRef, Owner};
use super::root::Root;
use crate::sync::{AtomicPtr, Ordering, planted};
use crossbeam_deque::{Injector, Steal};
use std::ptr::{self, NonNull};

/// The queue. It is itself a job that can be in any number of queues at once, as often as there are jobs in it.
#[repr(C)]
pub(crate) struct Fifo {
    header: Header,
    jobs: Injector<JobRef>,
}

// SAFETY: the header is written once, before the queue is shared; the injector is Sync.
unsafe impl Sync for Fifo {}
// SAFETY: as above; JobRefs are Send.
unsafe impl Send for Fifo {}

impl Fifo {
    /// An empty queue for jobs of `root`; [`Fifo::publish`] comes before the first push.
    pub(crate) fn new() -> Self {
        Fifo {
            header: Header::new(Self::run_oldest),
            jobs: Injector::new(),
        }
    }

    /// Settles where the queue is and which root its jobs have.
    ///
    /// # Safety
    /// Called once, before the queue is shared. The queue does not move afterwards, and lives until every reference was run.
    pub(crate) unsafe fn publish(&self, root: Root) {
        // SAFETY: by the caller.
        unsafe { self.as_ref().publish(root, 0, None) };
    }

    fn as_ref(&self) -> JobRef {
        JobRef::new(NonNull::from(self).cast())
    }

    /// Puts a job in; the returned reference goes into the deque in its place.
    pub(crate) fn push(&self, job: JobRef) -> JobRef {
        if planted!("newest") {
            return job;
        }
        self.jobs.push(job);
        self.as_ref()
    }

    /// # Safety
    /// `this` is the header of a `Fifo` that is alive.
    unsafe fn run_oldest(this: *const Header, number: usize, follower: &Follower) -> Option<Owner> {
        // SAFETY: by the caller.
        let this = unsafe { &*this.cast::<Self>() };
        let job = loop {
            match this.jobs.steal() {
                Steal::Success(job) => break job,
                Steal::Retry if !planted!("retry") => {}
                Steal::Empty | Steal::Retry => unreachable!("there are as many references as jobs"),
            }
        };
        // SAFETY: taken out of the queue; `this` is not used after it, as the last job may end what holds the queue.
        let owner = unsafe { job.run(number, follower) };
        if planted!("behind") {
            this.jobs.is_empty();
        }
        owner
    }
}

/// The queues of a scope: one for each number under which a thread has pushed into it, whatever the pool has of other threads.
///
/// They form a tree. The first number that came is at its root, and of the others each is where the digits of the number led when it came. So a number is
/// found in as many steps as the largest number has digits, and in one if no other one came.
pub(crate) struct Fifos(FifoLink);

/// Where a part of the tree is, or will be: null, or a box.
struct FifoLink(AtomicPtr<FifoNode>);

struct FifoNode {
    number: usize,
    fifo: Fifo,
    below: [FifoLink; DIGITS],
}

const DIGITS: usize = 4;

impl Fifos {
    pub(crate) fn new() -> Self {
        Fifos(FifoLink::new())
    }

    /// Puts a job into the queue of `number`; what is returned goes into the deque in its place. All jobs have the same `root`.
    ///
    /// # Safety
    /// This stays until every reference that it returned was run.
    pub(crate) unsafe fn push(&self, number: usize, root: Root, job: JobRef) -> JobRef {
        let mut place = &self.0;
        let mut digits = number;
        loop {
            // SAFETY: by the caller.
            let node = unsafe { place.get_or_make(number, root) };
            if node.number == number {
                return node.fifo.push(job);
            }
            place = &node.below[digits % DIGITS];
            digits /= DIGITS;
        }
    }
}

impl FifoLink {
    fn new() -> Self {
        FifoLink(AtomicPtr::new(ptr::null_mut()))
    }

    /// What is here; if there is nothing yet, a queue for `number`. Of two threads that make one at a time, one throws its own away: none waits for the
    /// other one, which is not there in a child after `fork`.
    ///
    /// # Safety
    /// This stays until every reference to the queue was run.
    unsafe fn get_or_make(&self, number: usize, root: Root) -> &FifoNode {
        let mut here = self.0.load(Ordering::Acquire);
        if here.is_null() {
            let node = Box::new(FifoNode {
                number,
                fifo: Fifo::new(),
                below: [(); DIGITS].map(|()| FifoLink::new()),
            });
            // SAFETY: not shared yet, and boxed, so it stays where it is; by the caller it lives until every reference was run.
            unsafe { node.fifo.publish(root) };
            let new = Box::into_raw(node);
            let order = Ordering::AcqRel;
            here = match self.0.compare_exchange(here, new, order, Ordering::Acquire) {
                Ok(_) => new,
                Err(other) => {
                    // SAFETY: boxed above, and no other thread saw it.
                    drop(unsafe { Box::from_raw(new) });
                    other
                }
            };
        }
        // SAFETY: not null, so it is a box, written before the pointer was, which is freed when this is dropped.
        unsafe { &*here }
    }
}

impl Drop for FifoLink {
    fn drop(&mut self) {
        let here = self.0.load(Ordering::Relaxed);
        if !here.is_null() {
            // SAFETY: boxed by `get_or_make`, and no other thread uses it any more, as this is dropped.
            drop(unsafe { Box::from_raw(here) });
        }
    }
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::core::follow::Follower;
    use crate::core::job::HeapJob;
    use std::sync::{Barrier, Mutex};
    use std::thread;

    /// Threads push at once, under numbers that part at any digit. Each number's jobs come in their order, and none gets lost.
    #[test]
    fn each_number_has_a_queue() {
        (0..100).for_each(|_| queues_of_numbers());
    }

    /// All numbers push their first jobs at the same time.
    fn queues_of_numbers() {
        let numbers: Vec<usize> = (0..8).chain([16, 63, 64, 80, 336, usize::MAX]).collect();
        let start = Barrier::new(numbers.len());
        let ran = Mutex::new(Vec::new());
        let fifos = Fifos::new();
        let references = Mutex::new(Vec::new());
        thread::scope(|threads| {
            for &number in &numbers {
                let (start, fifos, ran, references) = (&start, &fifos, &ran, &references);
                threads.spawn(move || {
                    start.wait();
                    for count in 0..10 {
                        let body = move || ran.lock().unwrap().push((number, count));
                        // SAFETY: run below.
                        let job = unsafe { HeapJob::boxed(Root::NONE, body) };
                        // SAFETY: every reference is run below.
                        let reference = unsafe { fifos.push(number, Root::NONE, job) };
                        let mut all = references.lock().unwrap();
                        all.push(reference);
                    }
                });
            }
        });
        let follower = Follower::default();
        for reference in references.into_inner().unwrap() {
            // SAFETY: pushed above, and run once.
            assert!(unsafe { reference.run(0, &follower) }.is_none());
        }
        let ran = ran.into_inner().unwrap();
        for number in numbers {
            let of_it = ran.iter().filter(|(of, _)| *of == number);
            assert!(of_it.map(|&(_, count)| count).eq(0..10), "{number}");
        }
    }

    /// Whichever reference runs first, the oldest job of its number does.
    #[test]
    fn a_reference_runs_the_oldest_job_of_its_number() {
        let (fifos, ran) = (Fifos::new(), Mutex::new(Vec::new()));
        let mut references = Vec::new();
        for count in 0..3 {
            for number in 0..6 {
                let ran = &ran;
                let body = move || ran.lock().unwrap().push((number, count));
                // SAFETY: run below.
                let job = unsafe { HeapJob::boxed(Root::NONE, body) };
                // SAFETY: every reference is run below.
                references.push(unsafe { fifos.push(number, Root::NONE, job) });
            }
        }
        for reference in references.into_iter().rev() {
            // SAFETY: pushed above, and run once.
            assert!(unsafe { reference.run(0, &Follower::default()) }.is_none());
        }
        let oldest_first = (0..3).flat_map(|count| (0..6).rev().map(move |number| (number, count)));
        assert!(ran.into_inner().unwrap().into_iter().eq(oldest_first));
    }

    /// A thread that takes a reference looks at its root first.
    #[test]
    fn a_reference_has_the_root_of_its_queue() {
        let (fifo, fifos, root) = (Box::new(Fifo::new()), Fifos::new(), Root::isolated(7));
        // SAFETY: it is not shared yet, and stays where it is.
        unsafe { fifo.publish(root) };
        // SAFETY: they borrow nothing.
        let [one, two] = [(); 2].map(|()| unsafe { HeapJob::boxed(root, || ()) });
        // SAFETY: every reference is run below.
        for reference in [fifo.push(one), unsafe { fifos.push(3, root, two) }] {
            // SAFETY: it is public and alive.
            assert_eq!(unsafe { reference.tag() }.root, root);
            // SAFETY: pushed above, and run once.
            assert!(unsafe { reference.run(0, &Follower::default()) }.is_none());
        }
    }
}
