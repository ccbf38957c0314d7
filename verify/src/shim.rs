//! The queues of crossbeam-deque on loom's atomics, which the real ones do not know.
//!
//! The same algorithms with the same orderings, on a fixed number of places that are never used twice by two threads at once: what counts
//! here is what a look from another thread guarantees, not how memory is reclaimed.

use crate::sync::{AtomicBool, AtomicUsize, Ordering, fence, yield_now};
use std::cell::UnsafeCell;
use std::mem::MaybeUninit;
use std::sync::Arc;

const PLACES: usize = 8;

/// What became of an attempt to steal.
pub enum Steal<T> {
    Empty,
    Success(T),
    Retry,
}

struct Places<T>([UnsafeCell<MaybeUninit<T>>; PLACES]);

// SAFETY: a place is read and written as the algorithm that owns it allows; what is read in vain is thrown away. Loom runs all threads on
// one thread of the system, so such a read is no race either.
unsafe impl<T: Send> Sync for Places<T> {}

impl<T> Places<T> {
    fn new() -> Self {
        Places(std::array::from_fn(|_| {
            UnsafeCell::new(MaybeUninit::uninit())
        }))
    }

    fn write(&self, at: usize, value: T) {
        // SAFETY: no reference to a place is ever kept.
        unsafe { *self.0[at % PLACES].get() = MaybeUninit::new(value) };
    }

    /// A copy, which is the caller's if it wins the place, and forgotten else.
    fn read(&self, at: usize) -> MaybeUninit<T> {
        // SAFETY: as above; what is copied need not be a value.
        unsafe { self.0[at % PLACES].get().read() }
    }
}

struct Chase<T> {
    front: AtomicUsize,
    back: AtomicUsize,
    places: Places<T>,
}

/// The owner's end of a work-stealing deque.
pub struct Worker<T> {
    chase: Arc<Chase<T>>,
    lifo: bool,
}

/// The thieves' end.
pub struct Stealer<T>(Arc<Chase<T>>);

/// Positions start here, so that `START - 1` does not overflow.
const START: usize = 1;

impl<T> Worker<T> {
    pub fn new_lifo() -> Self {
        Worker {
            chase: Arc::new(Chase {
                front: AtomicUsize::new(START),
                back: AtomicUsize::new(START),
                places: Places::new(),
            }),
            lifo: true,
        }
    }

    pub fn new_fifo() -> Self {
        Worker {
            lifo: false,
            ..Self::new_lifo()
        }
    }

    pub fn stealer(&self) -> Stealer<T> {
        Stealer(Arc::clone(&self.chase))
    }

    pub fn push(&self, value: T) {
        let back = self.chase.back.load(Ordering::Relaxed);
        let front = self.chase.front.load(Ordering::Acquire);
        assert!(back - front < PLACES, "the model needs more places");
        self.chase.places.write(back, value);
        fence(Ordering::Release);
        self.chase.back.store(back + 1, Ordering::Relaxed);
    }

    pub fn pop(&self) -> Option<T> {
        if !self.lifo {
            return self.pop_oldest();
        }
        let (front, back) = (&self.chase.front, &self.chase.back);
        let at = back.load(Ordering::Relaxed);
        if at <= front.load(Ordering::Relaxed) {
            return None;
        }
        let at = at - 1;
        back.store(at, Ordering::Relaxed);
        fence(Ordering::SeqCst);
        let first = front.load(Ordering::Relaxed);
        if at < first {
            back.store(at + 1, Ordering::Relaxed);
            return None;
        }
        let value = self.chase.places.read(at);
        if at > first {
            // SAFETY: `push` wrote every place below `back`, and no thief is near this one.
            return Some(unsafe { value.assume_init() });
        }
        let won = front
            .compare_exchange(first, first + 1, Ordering::SeqCst, Ordering::Relaxed)
            .is_ok();
        back.store(at + 1, Ordering::Relaxed);
        // SAFETY: as above; the place is ours.
        won.then(|| unsafe { value.assume_init() })
    }

    fn pop_oldest(&self) -> Option<T> {
        let (front, back) = (&self.chase.front, &self.chase.back);
        let end = back.load(Ordering::Relaxed);
        if end <= front.load(Ordering::SeqCst) {
            return None;
        }
        let at = front.fetch_add(1, Ordering::SeqCst);
        if at >= end {
            front.store(at, Ordering::Relaxed);
            return None;
        }
        // SAFETY: `push` wrote every place below `back`, and this one is ours.
        Some(unsafe { self.chase.places.read(at).assume_init() })
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn len(&self) -> usize {
        let back = self.chase.back.load(Ordering::Relaxed);
        let front = self.chase.front.load(Ordering::SeqCst);
        back.saturating_sub(front)
    }
}

impl<T> Stealer<T> {
    pub fn len(&self) -> usize {
        let front = self.0.front.load(Ordering::Acquire);
        self.0.back.load(Ordering::Acquire).saturating_sub(front)
    }

    pub fn is_empty(&self) -> bool {
        let front = self.0.front.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        self.0.back.load(Ordering::Acquire) <= front
    }

    pub fn steal(&self) -> Steal<T> {
        let front = self.0.front.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        if self.0.back.load(Ordering::Acquire) <= front {
            return Steal::Empty;
        }
        let value = self.0.places.read(front);
        match self
            .0
            .front
            .compare_exchange(front, front + 1, Ordering::SeqCst, Ordering::Relaxed)
        {
            // SAFETY: `push` wrote every place below `back`, and this one is ours.
            Ok(_) => Steal::Success(unsafe { value.assume_init() }),
            Err(_) => Steal::Retry,
        }
    }

    /// Takes one, as the real one may.
    pub fn steal_batch_with_limit_and_pop(&self, _: &Worker<T>, _limit: usize) -> Steal<T> {
        self.steal()
    }
}

impl<T> Clone for Stealer<T> {
    fn clone(&self) -> Self {
        Stealer(Arc::clone(&self.0))
    }
}

/// A queue for many producers and many consumers.
pub struct Injector<T> {
    head: AtomicUsize,
    tail: AtomicUsize,
    places: Places<T>,
    written: [AtomicBool; PLACES],
}

impl<T> Injector<T> {
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Injector {
            head: AtomicUsize::new(0),
            tail: AtomicUsize::new(0),
            places: Places::new(),
            written: std::array::from_fn(|_| AtomicBool::new(false)),
        }
    }

    pub fn len(&self) -> usize {
        let head = self.head.load(Ordering::Acquire);
        self.tail.load(Ordering::Acquire).saturating_sub(head)
    }

    pub fn push(&self, value: T) {
        let at = self.tail.fetch_add(1, Ordering::SeqCst);
        assert!(at < PLACES, "the model needs more places");
        self.places.write(at, value);
        self.written[at].store(true, Ordering::Release);
    }

    pub fn steal(&self) -> Steal<T> {
        let head = self.head.load(Ordering::Acquire);
        fence(Ordering::SeqCst);
        if head == self.tail.load(Ordering::Relaxed) {
            return Steal::Empty;
        }
        if self
            .head
            .compare_exchange(head, head + 1, Ordering::SeqCst, Ordering::Acquire)
            .is_err()
        {
            return Steal::Retry;
        }
        while !self.written[head].load(Ordering::Acquire) {
            yield_now();
        }
        // SAFETY: just seen to be written, and `head` is ours.
        Steal::Success(unsafe { self.places.read(head).assume_init() })
    }

    /// As the real one: no fence. Loom takes the sequentially consistent loads for weaker ones, so a caller that needs an order before this look has a
    /// fence of its own.
    pub fn is_empty(&self) -> bool {
        let head = self.head.load(Ordering::SeqCst);
        head == self.tail.load(Ordering::SeqCst)
    }
}

/// Loom reports a thread that touches the queue later, or has touched it in a way of which the thread that ends it does not know.
impl<T> Drop for Injector<T> {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.head.with_mut(|_| ());
            self.tail.with_mut(|_| ());
        }
    }
}
