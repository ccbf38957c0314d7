//! `measure`: the work and the span of a closure, by a run on one thread with the meter on.

use super::scalability::Scalability;
use crate::core::clock;
use crate::core::meter::{KINDS, Measured, Metered, Rules};
use crate::core::worker::Worker;
use crate::iter::plumbing::least_share;
use crate::{ThreadPoolBuilder, Yield, current_num_threads, join, yield_now};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

/// How many empty joins the overhead of the meter is found by.
const JOINS: usize = 1_000;
/// The stack of the thread that is metered, in bytes: a job that another thread would take runs on top of the code that waits for it.
const STACK: usize = if cfg!(target_pointer_width = "64") {
    256 << 20
} else {
    16 << 20
};

/// Runs `f` twice on one thread, and measures how much of it could run at the same time: its work and its span.
///
/// The first run measures how long `f` takes. The second one measures each [`join`](crate::join), [`scope`](crate::scope) and parallel
/// iterator. A *strand* is code without a parallel call. The work is the time of all strands. The span is the time of the longest chain of
/// strands of which each has to wait for the one before. See [`Scalability`] for what follows from these. The result is that of the second
/// run.
///
/// A separate thread runs `f`, in a pool of one thread. That pool claims to have as many threads as the current one, because some
/// algorithms do something else on one thread; [`measure_for`] sets the number. So if a closure waits for something that another closure
/// does, it may wait for ever. The time of other pools that `f` uses, and of a measurement inside `f`, counts as time of the strand that
/// waits for it.
///
/// How exact it is: for joins, scopes and spawned jobs, the structure is exact, and the time of a strand is read from the clock, less the
/// time of the meter itself (about 0.1 µs for a join). The clock also counts while another program has the processor: on a busy machine,
/// take the shortest span of several measurements. In a loop, the clock is read about every 10 µs, and items between two readings are
/// assumed to take the same time.
///
/// ```
/// use filch::trace::measure;
/// fn fib(n: u64) -> u64 {
///     if n < 2 { return n; }
///     let (a, b) = filch::join(|| fib(n - 1), || fib(n - 2));
///     a + b
/// }
/// let (result, scalability) = measure(|| fib(12));
/// assert_eq!(result, 144);
/// assert!(scalability.span() <= scalability.work());
/// println!("{scalability}");
/// ```
///
/// # Panics
///
/// With the panic of `f`, and if no thread can be started.
#[doc(alias("cilkview", "cilkscale"))]
pub fn measure<R: Send>(f: impl FnMut() -> R + Send) -> (R, Scalability) {
    measure_for(current_num_threads(), f)
}

/// Finds work and span as [`measure`] does, in a pool that claims to have `threads` threads.
///
/// ```
/// let (threads, _) = filch::trace::measure_for(64, filch::current_num_threads);
/// assert_eq!(threads, 64);
/// ```
///
/// # Panics
///
/// As [`measure`]; and if `threads` is 0.
#[track_caller]
pub fn measure_for<R: Send>(threads: usize, mut f: impl FnMut() -> R + Send) -> (R, Scalability) {
    assert!(
        threads > 0,
        "filch: a measurement for 0 threads: at least 1 is needed"
    );
    alone(|| {
        let begin = Instant::now();
        drop(f());
        let elapsed = begin.elapsed();
        let mut rules = Rules::real(threads, least_share());
        // The first joins also warm caches up.
        for _ in 0..2 {
            rules.overhead = [0; KINDS];
            let (_, empty) = metered(rules, empty_joins);
            rules.overhead = empty.least;
        }
        let (result, measured) = metered(rules, f);
        (
            result,
            Scalability::new(measured, &rules, clock::per_ns(), elapsed),
        )
    })
}

fn empty_joins() {
    for _ in 0..JOINS {
        join(|| (), || ());
    }
}

/// Runs `f` in a pool of one thread, on a thread that no other pool knows.
fn alone<R: Send>(f: impl FnOnce() -> R + Send) -> R {
    let builder = ThreadPoolBuilder::new().num_threads(1).stack_size(STACK);
    let pool = builder.build().expect("a thread can be started");
    pool.install(f)
}

/// Runs `f` on this thread, which belongs to a pool of one thread, and measures it.
pub(super) fn metered<R>(rules: Rules, f: impl FnOnce() -> R) -> (R, Measured) {
    let metered = Metered::begin(rules);
    let worker = Worker::current().expect("the closure runs in a pool");
    worker.start_eager();
    let result = catch_unwind(AssertUnwindSafe(f));
    // What was spawned belongs to it.
    while yield_now() == Some(Yield::Executed) {}
    let measured = metered.end();
    worker.start_eager();
    match result {
        Ok(result) => (result, measured),
        Err(payload) => resume_unwind(payload),
    }
}
