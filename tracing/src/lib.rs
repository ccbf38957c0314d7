//! Lets the current span of `tracing` follow the jobs of a [`filch`] pool to the threads that run them.
//!
//! A span is current on one thread. What a thread of a pool logs in a stolen half of a `join`, in a piece of a parallel iterator or in a spawned job
//! is outside of the span that the work belongs to, unless that follows. [`Spans`] has it follow:
//!
//! ```
//! let pool = filch::ThreadPoolBuilder::new().num_threads(2).follow(filch_tracing::Spans::new()).build().unwrap();
//! let request = tracing::info_span!("request", id = 7).entered();
//! pool.install(|| filch::join(|| tracing::info!("left"), || tracing::info!("right"))); // both in the span, wherever they run
//! # drop(request);
//! ```
//!
//! The subscriber follows as well, so one that was set for a thread only ([`tracing::subscriber::with_default`]) sees all of the work.
//!
//! # Spans and events
//!
//! They have the names that rayon's pull request 1282 proposes, and the target `rayon`, so a filter such as `rayon=debug` shows them.
//!
//! | name | | level | fields |
//! |---|---|---|---|
//! | `rayon::worker_thread` | the life of a thread, with [`enter_worker`] and [`exit_worker`] | debug | `worker` |
//! | `rayon::job_execute` | a job runs; its parent is the span that was current where the job was given away | debug | `job_id`, `worker` |
//! | `rayon::thread_active` | a thread begins a job, and was in none | trace | `worker` |
//! | `rayon::thread_idle` | a thread has ended its outermost job | trace | `worker` |
//! | `rayon::job_injected` | a thread outside any pool gives a job to a pool | trace | `job_id` |
//! | `rayon::job_stolen` | a thread begins a job that another thread of a pool gave away | trace | `job_id`, `victim` |
//!
//! `worker` and `victim` are [indices](filch::current_thread_index). `job_id` differs between jobs that are under way at the same time.
//!
//! # Limits
//!
//! - Work that stays on its thread gives neither spans nor events: most halves of joins do, and what a guest of the global pool does itself.
//! - A thread that waits inside a span and runs another job meanwhile leaves the span, and enters it again afterwards. With a subscriber that does not know
//!   its current span, it stays inside.
//! - A subscriber must not run parallel work on the pool that it observes.
//! - A thread exits what it enters here in reverse order. A job that enters a span and forgets to exit it leaves its thread in it, as everywhere.

use filch::Follow;
use sharded_slab::Slab;
use std::cell::RefCell;
use std::fmt;
use std::thread::{self, ThreadId};
use tracing::dispatcher::{self, DefaultGuard, Dispatch};
use tracing::level_filters::LevelFilter;
use tracing::span::EnteredSpan;
use tracing::{Span, debug_span, trace};

/// Has the current span and subscriber follow each job, for [`ThreadPoolBuilder::follow`](filch::ThreadPoolBuilder::follow).
///
/// While no subscriber is interested in anything, it costs a job one load. Else it costs about as much as two spans.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new().follow(filch_tracing::Spans::new()).build().unwrap();
/// let span = tracing::info_span!("sum");
/// assert_eq!(span.in_scope(|| pool.install(|| (1..=4).sum::<u32>())), 10);
/// ```
#[derive(Default)]
pub struct Spans {
    left: Slab<Context>,
}

/// What a job was given away with.
struct Context {
    dispatch: Dispatch,
    span: Span,
    thread: ThreadId,
    /// The index of that thread, if it was in a pool.
    worker: Option<usize>,
}

/// What a job entered on its thread.
struct Entered {
    /// The spans that this thread left for it, innermost first.
    outer: Vec<Span>,
    /// Innermost first. A layer that does not see the span of the job finds the other on the thread, not among its parents.
    spans: [EnteredSpan; 2],
    default: DefaultGuard,
}

thread_local! {
    /// Of the jobs that run on this thread, one inside the wait of the other.
    static ENTERED: RefCell<Vec<Entered>> = const { RefCell::new(Vec::new()) };
    static WORKER: RefCell<Option<EnteredSpan>> = const { RefCell::new(None) };
}

/// So many spans are left for a job at most: a subscriber may have a current span for ever.
const MOST_LEFT: usize = 1000;

/// The token of a job with which nothing goes.
const NOTHING: u64 = 0;

impl Spans {
    /// For one pool. Another pool takes another one.
    ///
    /// ```
    /// let builder = filch::ThreadPoolBuilder::new().follow(filch_tracing::Spans::new());
    /// # drop(builder);
    /// ```
    pub fn new() -> Self {
        Self::default()
    }

    fn take(&self, token: u64) -> Option<Context> {
        let key = token.checked_sub(1)?;
        self.left.take(usize::try_from(key).ok()?)
    }
}

impl Follow for Spans {
    fn leave(&self) -> u64 {
        if LevelFilter::current() == LevelFilter::OFF {
            return NOTHING;
        }
        let worker = filch::current_thread_index();
        let context = Context {
            dispatch: dispatcher::get_default(Dispatch::clone),
            span: Span::current(),
            thread: thread::current().id(),
            worker,
        };
        // Without a place for it, the job goes alone.
        let token = self.left.insert(context);
        let job_id = token.map_or(NOTHING, |key| (key as u64).wrapping_add(1));
        if worker.is_none() {
            trace!(name: "rayon::job_injected", target: "rayon", job_id, "job injected");
        }
        job_id
    }

    fn arrive(&self, job_id: u64) {
        let Some(context) = self.take(job_id) else {
            return;
        };
        let mut outer = leave_spans();
        let default = dispatcher::set_default(&context.dispatch);
        // Those of the job's own subscriber, too, if the wait is under another one.
        outer.extend(leave_spans());
        let worker = filch::current_thread_index();
        if ENTERED.with_borrow(Vec::is_empty) {
            trace!(name: "rayon::thread_active", target: "rayon", worker, "thread active");
        }
        let parent = context.span.id();
        if let Some(victim) = context.worker
            && context.thread != thread::current().id()
        {
            trace!(name: "rayon::job_stolen", target: "rayon", parent: parent.clone(), job_id, victim, "job stolen");
        }
        let execute =
            debug_span!(target: "rayon", parent: parent, "rayon::job_execute", job_id, worker);
        let given = context.span.entered();
        let spans = [execute.entered(), given];
        ENTERED.with_borrow_mut(|entered| {
            entered.push(Entered {
                outer,
                spans,
                default,
            })
        });
    }

    fn done(&self, job_id: u64) {
        if job_id == NOTHING {
            return;
        }
        // The subscriber is called when nothing is borrowed any more.
        let last = ENTERED.with_borrow_mut(|entered| {
            let last = entered.pop();
            last.map(|last| (last, entered.is_empty()))
        });
        let Some((last, idle)) = last else {
            return;
        };
        let Entered {
            outer,
            spans,
            default,
        } = last;
        drop(spans);
        if idle {
            let worker = filch::current_thread_index();
            trace!(name: "rayon::thread_idle", target: "rayon", worker, "thread idle");
        }
        drop(default);
        enter_again(&outer);
    }

    fn back(&self, job_id: u64) {
        drop(self.take(job_id));
    }
}

/// Leaves the spans of the current subscriber that this thread is in, and gives them, innermost first; all but that of [`enter_worker`].
///
/// If the job entered its span inside them, a registry would not make it the current one where this thread is in it already, further out: it takes a span
/// that is entered once more for recursion.
fn leave_spans() -> Vec<Span> {
    let mut left = Vec::new();
    while left.len() < MOST_LEFT {
        let span = Span::current();
        // By its callsite, too: another subscriber may have given a span of its own the same id.
        let is_workers = WORKER.with_borrow(|worker| worker.as_deref() == Some(&span));
        if span.is_none() || is_workers {
            break;
        }
        span.with_subscriber(|(id, subscriber)| subscriber.exit(id));
        left.push(span);
    }
    left
}

/// Enters the spans that [`leave_spans`] gave.
fn enter_again(left: &[Span]) {
    for span in left.iter().rev() {
        span.with_subscriber(|(id, subscriber)| subscriber.enter(id));
    }
}

impl fmt::Debug for Spans {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Spans").finish_non_exhaustive()
    }
}

/// Enters a span `rayon::worker_thread` on this thread, until [`exit_worker`] or the thread's end; for the pool's start handler.
///
/// It is one of the subscriber that is the default on that thread: for a new thread, the global one. Of two calls, the second span takes the place of the
/// first. A global pool with a start handler has no [guests](filch::ThreadPoolBuilder::guests), unless it is told to.
///
/// ```
/// let pool = filch::ThreadPoolBuilder::new()
///     .start_handler(filch_tracing::enter_worker)
///     .exit_handler(filch_tracing::exit_worker)
///     .follow(filch_tracing::Spans::new())
///     .build()
///     .unwrap();
/// assert_eq!(pool.install(|| 6 * 7), 42);
/// ```
pub fn enter_worker(index: usize) {
    exit_worker(index);
    let span = debug_span!(target: "rayon", parent: None, "rayon::worker_thread", worker = index);
    WORKER.set(Some(span.entered()));
}

/// Exits what [`enter_worker`] entered; for the pool's exit handler. Does nothing where that was not called.
///
/// ```
/// filch_tracing::enter_worker(0);
/// filch_tracing::exit_worker(0);
/// assert!(tracing::Span::current().is_none());
/// ```
pub fn exit_worker(_index: usize) {
    drop(WORKER.take());
}
