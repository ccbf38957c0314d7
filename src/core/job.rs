//! Jobs: work that is run exactly once, named by a thin pointer.
//!
//! A *stack job* is the right half of a fork; it lives in the frame of the thread that forked and either comes back unrun or is run by
//! the thread that took it. A *heap job* is a spawned closure; it frees itself, and a *batch* is many of them in one piece of memory. A [`Fifo`](super::fifo) may be in queues many times. All begin with a [`Header`], and a queue holds [`JobRef`]s,
//! which are pointers to headers.

use super::follow::Follower;
use super::latch::Latch;
use super::root::Root;
use super::unwind::{AbortOnDrop, Payload, catch};
use crate::sync::{Arc, AtomicU32, Ordering, planted};
use std::cell::UnsafeCell;
use std::mem::{ManuallyDrop, MaybeUninit};
use std::ptr::{self, NonNull};

/// Names the thread that waits for a job. This file does not know what it points to: a desk, which is on a floor above.
#[derive(Clone, Copy)]
pub(crate) struct Owner(NonNull<()>);

/// Runs a job, on a thread that holds the right of that number, with the pool's [`Follow`](super::follow::Follow) hook. Gives the job's owner, if that sleeps
/// and has to be told that its job is done.
type Run = unsafe fn(*const Header, usize, &Follower) -> Option<Owner>;

/// What every job begins with.
#[repr(C)]
pub(crate) struct Header {
    run: Run,
    /// Written when the job becomes public, by the thread that owns it: the fast path of a join never pays for it. Before that it is
    /// uninitialised, and after it only the fields that are atomic change.
    tag: UnsafeCell<MaybeUninit<Tag>>,
}

/// What a public job carries.
pub(crate) struct Tag {
    /// The call it descends from.
    pub(crate) root: Root,
    /// The token of the [`Follow`](super::follow::Follow) hook, if the job has an owner. The body of a heap job keeps its own.
    pub(crate) token: u64,
    /// The thread that waits for it; none for heap jobs.
    owner: Option<Owner>,
    /// The number of the right under which the job was begun, plus one: where its owner goes to look for work meanwhile. Or [`HANDED_BACK`]. If the thief puts
    /// that right down inside the job, another thread may have it. So this is a hint.
    thief: AtomicU32,
    latch: Latch,
}

/// In the place of a thief: the thread that took the job did not run it, and puts it where its owner may take it back. Another thread may take it there, too.
const HANDED_BACK: u32 = u32::MAX;

/// A job that is to be run, once; it lies in a queue, or in the hand of one thread.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct JobRef(NonNull<Header>);

impl Owner {
    pub(crate) fn new<T>(owner: &T) -> Self {
        Owner(NonNull::from(owner).cast())
    }

    /// # Safety
    /// It was made of a `T`, which is still alive.
    pub(crate) unsafe fn get<'a, T>(self) -> &'a T {
        // SAFETY: by the caller.
        unsafe { self.0.cast().as_ref() }
    }
}

impl Header {
    #[inline(always)]
    pub(crate) fn new(run: Run) -> Self {
        Header {
            run,
            tag: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }
}

// SAFETY: a job's captures are Send (every constructor demands it), and a JobRef moves from one queue to one thread.
unsafe impl Send for JobRef {}

impl JobRef {
    #[inline(always)]
    pub(crate) fn new(header: NonNull<Header>) -> Self {
        JobRef(header)
    }

    /// Where the job is, which names it as long as it lives.
    pub(crate) fn address(self) -> u64 {
        self.0.addr().get() as u64 & ((1 << 48) - 1)
    }

    /// Makes the job ready to be seen by other threads.
    ///
    /// # Safety
    /// The job is alive and not yet public, and the caller is its owner.
    pub(crate) unsafe fn publish(self, root: Root, token: u64, owner: Option<Owner>) {
        let tag = Tag {
            root,
            token,
            owner,
            thief: AtomicU32::new(0),
            latch: Latch::new(),
        };
        // SAFETY: no other thread knows the job yet, so nothing aliases the cell.
        unsafe { (*(*self.0.as_ptr()).tag.get()).write(tag) };
    }

    /// # Safety
    /// The job is alive and public.
    pub(crate) unsafe fn tag<'a>(self) -> &'a Tag {
        // SAFETY: written before the job became public; from then on only its atomics change.
        unsafe { (*(*self.0.as_ptr()).tag.get()).assume_init_ref() }
    }

    /// Runs the job, on a thread that holds the right `number`. Gives its owner, if that sleeps and has to be told.
    ///
    /// # Safety
    /// The job is public and alive, and this is the only time it is run: the caller took it out of a queue and drops the reference.
    #[must_use]
    pub(crate) unsafe fn run(self, number: usize, follower: &Follower) -> Option<Owner> {
        // SAFETY: by the caller.
        unsafe {
            self.tag().thief.store(number as u32 + 1, Ordering::Relaxed);
            ((*self.0.as_ptr()).run)(self.0.as_ptr(), number, follower)
        }
    }
}

impl JobRef {
    /// The result of the job is there: its owner may go on. Gives the owner, if that sleeps and has to be told.
    ///
    /// # Safety
    /// The job is public and has an owner, which waits for its latch or will; it was run, and the caller does not touch it any more.
    unsafe fn finish(self) -> Option<Owner> {
        // Read before the latch is set: after that the job may be gone.
        // SAFETY: the job is public, so it has a tag, which is alive until the latch is set.
        let tag: *const Tag = unsafe { self.tag() };
        // SAFETY: as above.
        let owner = unsafe { (*tag).owner };
        // SAFETY: `set` is the last use of the job.
        let sleeps = unsafe { Latch::set(&raw const (*tag).latch) };
        owner.filter(|_| sleeps)
    }
}

impl Tag {
    pub(crate) fn latch(&self) -> &Latch {
        &self.latch
    }

    /// The number under which the job runs, if a thread took it.
    pub(crate) fn thief(&self) -> Option<usize> {
        let thief = self.thief.load(Ordering::Relaxed);
        let taken = thief != 0 && thief != HANDED_BACK;
        taken.then(|| thief as usize - 1)
    }

    /// The thread that took the job may not run it, and is about to hand it over to the others.
    pub(crate) fn mark_handed_back(&self) {
        self.thief.store(HANDED_BACK, Ordering::Relaxed);
    }

    /// Whether the job was handed back, and no thread runs it yet.
    pub(crate) fn is_handed_back(&self) -> bool {
        self.thief.load(Ordering::Relaxed) == HANDED_BACK
    }
}

/// A pointer that a job brings along to what a waiting thread keeps until the job is done.
pub(crate) struct Borrowed<T>(*const T);

// SAFETY: by itself a pointer does nothing. Where it is dereferenced it says there why what it points to is alive, and free for that thread to use.
unsafe impl<T> Send for Borrowed<T> {}
// SAFETY: as above.
unsafe impl<T> Sync for Borrowed<T> {}
impl<T> Clone for Borrowed<T> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<T> Copy for Borrowed<T> {}

impl<T> Borrowed<T> {
    pub(crate) fn new(of: &T) -> Self {
        Borrowed(of)
    }

    /// By method, so that a closure captures the whole wrapper and not the bare pointer in it.
    pub(crate) fn get(&self) -> *const T {
        self.0
    }
}

/// The right half of a fork, in the frame of the thread that forked.
///
/// `V` is what was offered, `F` runs it. Either the owner takes both back unrun ([`StackJob::take_back`]), or a thief calls
/// `F(V)` and leaves the result ([`StackJob::take_result`]).
#[repr(C)]
pub(crate) struct StackJob<V, F, R> {
    header: Header,
    offer: UnsafeCell<ManuallyDrop<(V, F)>>,
    result: UnsafeCell<MaybeUninit<Result<R, Payload>>>,
}

impl<V, F, R> StackJob<V, F, R>
where
    V: Send,
    F: FnOnce(V) -> R + Send,
    R: Send,
{
    #[inline(always)]
    pub(crate) fn new(value: V, run: F) -> Self {
        StackJob {
            header: Header::new(Self::run_taken),
            offer: UnsafeCell::new(ManuallyDrop::new((value, run))),
            result: UnsafeCell::new(MaybeUninit::uninit()),
        }
    }

    /// # Safety
    /// The job stays in place until it was taken back, or its latch was seen set.
    #[inline(always)]
    pub(crate) unsafe fn as_ref(&self) -> JobRef {
        // The pointer is derived from the whole job, not from its header, so it may be cast back.
        JobRef(NonNull::from(self).cast())
    }

    /// The offer, unrun.
    ///
    /// # Safety
    /// The caller owns the job, no queue holds it any more, and no thread ran it. Called once.
    #[inline(always)]
    pub(crate) unsafe fn take_back(&self) -> (V, F) {
        // SAFETY: by the caller no other thread has access, and the value is moved out once.
        unsafe { ManuallyDrop::take(&mut *self.offer.get()) }
    }

    /// What the thief left.
    ///
    /// # Safety
    /// The caller owns the job and saw its latch set. Called once.
    pub(crate) unsafe fn take_result(&self) -> Result<R, Payload> {
        // SAFETY: the thief wrote the result before it set the latch, and does not touch the job after that.
        unsafe { (*self.result.get()).assume_init_read() }
    }

    /// # Safety
    /// As for [`JobRef::run`]; `this` is the header of a `StackJob<V, F, R>`.
    unsafe fn run_taken(this: *const Header, _: usize, follower: &Follower) -> Option<Owner> {
        let this = this.cast::<Self>();
        // SAFETY: the caller is the only one to run the job, and its owner does not touch the offer while it is public.
        let (value, run) = unsafe { ManuallyDrop::take(&mut *(*this).offer.get()) };
        // SAFETY: the job is public, and alive until its latch is set.
        let token = unsafe { JobRef(NonNull::new_unchecked(this.cast_mut()).cast()).tag() }.token;
        let result = catch(|| {
            let _arrived = follower.arrive(token);
            run(value)
        });
        // SAFETY: the owner reads the result only when the latch is set.
        unsafe { (*(*this).result.get()).write(result) };
        // SAFETY: the job is public and was run, and this is the last use of it.
        unsafe { JobRef(NonNull::new_unchecked(this.cast_mut()).cast()).finish() }
    }
}

/// A spawned closure: frees itself when it is run.
#[repr(C)]
pub(crate) struct HeapJob<F> {
    header: Header,
    body: F,
}

impl<F: FnOnce() + Send> HeapJob<F> {
    /// Boxes `body` as a public job of `root`.
    ///
    /// The body must not unwind; it is the caller's business to catch what the user's code throws.
    ///
    /// # Safety
    /// The job is run (once) before anything that `body` borrows goes away.
    pub(crate) unsafe fn boxed(root: Root, body: F) -> JobRef {
        let job = Box::new(HeapJob {
            header: Header::new(Self::run_boxed),
            body,
        });
        let job = JobRef(NonNull::from(Box::leak(job)).cast());
        // SAFETY: the job is new and ours.
        unsafe { job.publish(root, 0, None) };
        job
    }

    /// # Safety
    /// As for [`JobRef::run`]; `this` came from [`HeapJob::boxed`].
    unsafe fn run_boxed(this: *const Header, _: usize, _: &Follower) -> Option<Owner> {
        if planted!("leak") {
            // SAFETY: run once, so the body is moved out once; LeakSanitizer has to find the box.
            let body = unsafe { ptr::read(&raw const (*this.cast::<Self>()).body) };
            body();
            return None;
        }
        // SAFETY: run once, so the box is taken back once.
        let job = unsafe { Box::from_raw(this.cast_mut().cast::<Self>()) };
        // Unwinding from here would take away frames whose jobs other threads run.
        let guard = AbortOnDrop("a job unwound");
        (job.body)();
        std::mem::forget(guard);
        None
    }
}

/// One of some closures that were spawned together. They lie in one piece of memory, which goes when the last one has run.
#[repr(C)]
struct BatchJob<F> {
    header: Header,
    /// Moved out when it is run.
    body: (F, Arc<Batch<F>>),
}

/// The memory of such jobs. Each job holds one reference to it.
struct Batch<F>(Box<[UnsafeCell<MaybeUninit<BatchJob<F>>>]>);

/// Makes public jobs of `root`, one for each of `bodies`. A body must not unwind, as in [`HeapJob::boxed`]. If the iterator panics, the jobs made before leak.
///
/// # Safety
/// Each job is run (once) before anything that its body borrows goes away.
pub(crate) unsafe fn batch<F: FnOnce() + Send>(
    root: Root,
    bodies: impl ExactSizeIterator<Item = F>,
) -> Vec<JobRef> {
    let empty = || UnsafeCell::new(MaybeUninit::uninit());
    let all = Arc::new(Batch((0..bodies.len()).map(|_| empty()).collect()));
    let place_job = |(place, body): (&UnsafeCell<MaybeUninit<BatchJob<F>>>, F)| {
        let job = BatchJob {
            header: Header::new(run_in_batch::<F>),
            body: (body, Arc::clone(&all)),
        };
        // SAFETY: no other thread knows of this place.
        unsafe { (*place.get()).write(job) };
        // The pointer is derived from the whole place, so it may be cast back.
        let job = JobRef(NonNull::from(place).cast());
        // SAFETY: the job is new and ours.
        unsafe { job.publish(root, 0, None) };
        job
    };
    all.0.iter().zip(bodies).map(place_job).collect()
}

/// # Safety
/// As for [`JobRef::run`]; `this` came from [`batch`], with this `F`.
unsafe fn run_in_batch<F: FnOnce()>(this: *const Header, _: usize, _: &Follower) -> Option<Owner> {
    // SAFETY: the memory is there, for this job has a count of it. It is run once, so the body is moved out once, by the only thread that has the job.
    let (body, all) = unsafe { ptr::read(&raw const (*this.cast::<BatchJob<F>>()).body) };
    // As in `HeapJob`.
    let guard = AbortOnDrop("a job unwound");
    body();
    std::mem::forget(guard);
    // The job's memory may go now. The caller does not touch it any more.
    drop(all);
    None
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use crate::sync::{Mutex, lock};

    /// Its owner looks there for work meanwhile, or takes the job back if it was handed back.
    #[test]
    fn a_job_says_who_took_it() {
        let owner = 5_u8;
        let follower = Follower::default();
        for number in [0, 1, 70_000] {
            let name = Mutex::new(None);
            let job = StackJob::new(&name, |name: &Mutex<Option<JobRef>>| {
                let name: JobRef = lock(name).expect("it is written before the job runs");
                // SAFETY: it is alive and public as long as it runs.
                let tag = unsafe { name.tag() };
                (tag.thief(), tag.is_handed_back(), tag.latch().probe())
            });
            // SAFETY: it stays in place until its latch is set.
            let this = unsafe { job.as_ref() };
            *lock(&name) = Some(this);
            assert_eq!(
                this.address(),
                (&raw const job).addr() as u64 & 0xFFFF_FFFF_FFFF
            );
            // SAFETY: alive, ours and not public yet.
            unsafe { this.publish(Root::NONE, 0, Some(Owner::new(&owner))) };
            // SAFETY: just published.
            let tag = unsafe { this.tag() };
            assert!(tag.thief().is_none() && !tag.is_handed_back());
            tag.mark_handed_back();
            assert!(tag.thief().is_none() && tag.is_handed_back());
            // As if it slept.
            assert!(tag.latch().doze());
            // SAFETY: it is in no queue, and run once.
            let woken = unsafe { this.run(number, &follower) };
            // SAFETY: made of this owner.
            assert_eq!(woken.map(|owner| unsafe { *owner.get::<u8>() }), Some(5));
            assert!(tag.latch().probe());
            // SAFETY: the latch is set, and this is called once.
            let result = unsafe { job.take_result() };
            assert_eq!(result.unwrap(), (Some(number), false, false));
        }
    }

    #[test]
    fn the_jobs_of_a_batch_are_of_its_root_and_go_with_the_last() {
        let (root, follower) = (Root::isolated(3), Follower::default());
        let all = Arc::new(());
        let bodies = [(), (), ()].map(|()| Arc::clone(&all));
        // SAFETY: they borrow nothing.
        let jobs = unsafe { batch(root, bodies.into_iter().map(|body| move || drop(body))) };
        for (left, job) in (0..3).rev().zip(jobs) {
            // SAFETY: public and alive.
            assert!(unsafe { job.tag() }.root == root);
            // SAFETY: in no queue, and run once.
            assert!(unsafe { job.run(0, &follower) }.is_none());
            assert_eq!(Arc::strong_count(&all), 1 + left);
        }
    }
}
