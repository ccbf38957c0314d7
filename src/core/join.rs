//! `join`: two closures, potentially in parallel.

use super::deque::Worth;
use super::fork::{Forked, fork};
use super::guest::{from_outside, in_pool};
use super::thunk::Thunk;
use super::unwind::{Held, catch, quietly, resume};
use super::worker::Worker;
use std::marker::PhantomData;

/// Says where a closure of [`join_context`] runs.
///
/// ```
/// use filch::join_context;
///
/// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
/// let moved = pool.install(|| join_context(|here| here.migrated(), |there| there.migrated()));
/// assert_eq!(moved, (false, false)); // there is no other thread
/// ```
#[derive(Debug)]
pub struct FnContext {
    migrated: bool,
    /// What it says is true of this thread only: neither Send nor Sync.
    here: PhantomData<*mut ()>,
}

impl FnContext {
    pub(crate) fn new(migrated: bool) -> Self {
        FnContext {
            migrated,
            here: PhantomData,
        }
    }

    /// Whether the closure runs on another thread than the caller of [`join_context`], or the call came from outside the pool.
    ///
    /// ```
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    /// let (left, right) = pool.install(|| filch::join_context(|context| context.migrated(), |context| context.migrated()));
    /// assert_eq!((left, right), (false, false)); // a pool of one thread
    /// ```
    #[inline]
    pub fn migrated(&self) -> bool {
        self.migrated
    }
}

/// Runs two closures, potentially in parallel, and returns both results.
///
/// `oper_a` runs at once on this thread. `oper_b` is offered to the other threads. If none of them takes it, it runs here afterwards. An
/// offer that is not taken costs a few nanoseconds and allocates nothing, so a recursion can call `join` at nearly every level. A cut-off
/// helps if a call does less than about a microsecond of work.
///
/// A thread shows the others its first few offers, and keeps newer ones to itself until another thread asks for work. So if, several joins
/// deep, `oper_a` blocks until `oper_b` has run, wrap the blocking call in [`blocking`](crate::blocking).
///
/// While a thread of the pool waits for an `oper_b` that another thread took, it runs other work of the pool. So hold no lock across a
/// `join`, or use [`isolate`](crate::isolate).
///
/// A thread from outside any pool takes part in the global pool (see [`ThreadPoolBuilder::guests`]).
///
/// [Work](crate::iter#work-and-span): that of both closures. Span: that of the longer one.
///
/// # Panics
///
/// Both closures are always run. If `oper_a` panics, this panics with the same payload when `oper_b` has ended. If only `oper_b` panics,
/// this panics with its payload.
///
/// [`ThreadPoolBuilder::guests`]: crate::ThreadPoolBuilder::guests
///
/// # Examples
///
/// ```
/// fn quick_sort<T: PartialOrd + Send>(v: &mut [T]) {
///     if v.len() > 1 {
///         let last = v.len() - 1;
///         let mut border = 0;
///         for i in 0..last {
///             if v[i] < v[last] {
///                 v.swap(i, border);
///                 border += 1;
///             }
///         }
///         v.swap(border, last);
///         let (low, high) = v.split_at_mut(border);
///         filch::join(|| quick_sort(low), || quick_sort(&mut high[1..]));
///     }
/// }
/// let mut v = vec![5, 1, 8, 22, 0, 44];
/// quick_sort(&mut v);
/// assert_eq!(v, [0, 1, 5, 8, 22, 44]);
/// ```
#[doc(alias("parallel_invoke", "fork"))]
#[inline]
pub fn join<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce() -> RA + Send,
    B: FnOnce() -> RB + Send,
    RA: Send,
    RB: Send,
{
    match Worker::current() {
        Some(worker) => match fork(worker, Worth::Most, oper_b, |b| b(), oper_a) {
            (left, Forked::Kept(b)) => left_then_right(left, b),
            (left, Forked::Taken(right)) => (left, right),
        },
        // This calls itself once more, on a thread at a desk.
        None => from_outside(|_, _| join(oper_a, oper_b)),
    }
}

/// Keeps the result of the left side while the right side runs, and returns both. If the right side panics, a panic of the left result's destructor is dropped.
#[inline(always)]
fn left_then_right<RA, RB>(left: RA, right: impl FnOnce() -> RB) -> (RA, RB) {
    let left = Held::new(left);
    let right = right();
    (left.take(), right)
}

/// [`join`] for algorithms that are compiled for each type of element. The fork in here is compiled once for all of them, at the cost of two indirect calls.
pub(crate) fn both<RA, RB>(
    oper_a: impl FnOnce() -> RA + Send,
    oper_b: impl FnOnce() -> RB + Send,
) -> (RA, RB)
where
    RA: Send,
    RB: Send,
{
    let (mut a, mut b) = (Thunk::new(oper_a), Thunk::new(oper_b));
    join_thunks(&mut a, &mut b);
    (a.end(), b.end())
}

/// One side of [`both`], without its types.
trait Branch: Send {
    fn run(&mut self);
    fn clear(&mut self);
}

impl<R: Send, F: FnOnce() -> R + Send> Branch for Thunk<F, R> {
    fn run(&mut self) {
        if let Some(op) = self.op.take() {
            self.result = Some(op());
        }
    }

    fn clear(&mut self) {
        self.result = None;
    }
}

fn join_thunks(a: &mut dyn Branch, b: &mut dyn Branch) {
    let joined = catch(|| {
        join(|| a.run(), || b.run());
    });
    if let Err(payload) = joined {
        quietly(&mut || a.clear());
        quietly(&mut || b.clear());
        resume(payload);
    }
}

/// [`join`], with closures that are told whether they moved to another thread.
///
/// ```
/// let (a, b) = filch::join_context(|_| 1, |context| if context.migrated() { 20 } else { 2 });
/// assert_eq!(a, 1);
/// assert!(b == 2 || b == 20);
/// ```
///
/// # Panics
///
/// As [`join`].
#[inline]
pub fn join_context<A, B, RA, RB>(oper_a: A, oper_b: B) -> (RA, RB)
where
    A: FnOnce(FnContext) -> RA + Send,
    B: FnOnce(FnContext) -> RB + Send,
    RA: Send,
    RB: Send,
{
    in_pool(|worker, outside| {
        let a = || oper_a(FnContext::new(outside));
        match fork(worker, Worth::Most, oper_b, |b| b(FnContext::new(true)), a) {
            (left, Forked::Kept(b)) => left_then_right(left, || b(FnContext::new(outside))),
            (left, Forked::Taken(right)) => (left, right),
        }
    })
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    #[test]
    fn both_gives_results_and_the_panic_of_one_side() {
        /// Panics when it is dropped, after it has counted that.
        struct Bomb<'a>(&'a AtomicUsize);
        impl Drop for Bomb<'_> {
            fn drop(&mut self) {
                self.0.fetch_add(1, SeqCst);
                resume(Box::new("dropped"));
            }
        }
        assert_eq!(both(|| 1, || "right"), (1, "right"));
        for fails in [0, 1] {
            let drops = AtomicUsize::new(0);
            let side = |number| {
                let drops = &drops;
                move || match number == fails {
                    true => resume(Box::new(number)),
                    false => Bomb(drops),
                }
            };
            let payload = catch(|| drop(both(side(0), side(1)))).expect_err("one side panics");
            assert_eq!(payload.downcast_ref(), Some(&fails));
            assert_eq!(drops.into_inner(), 1);
        }
    }
}
