//! Tokens that tell parallel work to stop, and the results of stopped work.

use crate::sync::{Arc, AtomicBool, Ordering};
use std::fmt;
use std::time::{Duration, Instant};

/// Tells parallel iterators and scopes to stop: by hand, or at a point in time.
///
/// Clones are the same token. Nothing is undone: work that has begun runs to the end of its block, about 10 microseconds of work or one item.
/// See [`cancellable`](crate::ext::ParallelCancel::cancellable), [`with_cancel`](crate::ext::ParallelCancel::with_cancel) and
/// [`scope`](CancelToken::scope).
///
/// ```
/// use filch::ext::*;
/// use filch::prelude::*;
/// let token = CancelToken::new();
/// let sum = (0..u64::MAX).into_par_iter().with_cancel(&token, |numbers| {
///     numbers.inspect(|&x| if x == 1000 { token.cancel() }).map(|x| x % 2).sum::<u64>()
/// });
/// let Cancelled { value, done } = sum.unwrap_err();
/// assert!(done > 1000 && value <= done as u64);
/// ```
#[doc(alias("stop_token", "cancellation", "task_group_context", "timeout"))]
#[derive(Clone, Debug)]
pub struct CancelToken {
    shared: Arc<TokenState>,
}

#[derive(Debug)]
struct TokenState {
    /// A hint to stop, which publishes nothing: relaxed.
    cancelled: AtomicBool,
    deadline: Option<Instant>,
}

impl CancelToken {
    /// A token that is cancelled only by [`cancel`](Self::cancel).
    ///
    /// ```
    /// assert!(!filch::ext::CancelToken::new().is_cancelled());
    /// ```
    pub fn new() -> Self {
        Self::with_deadline(None)
    }

    /// A token that is cancelled after `delay`, or by hand before that.
    ///
    /// ```
    /// use filch::ext::*;
    /// use std::time::Duration;
    /// assert!(CancelToken::after(Duration::ZERO).is_cancelled());
    /// assert!(!CancelToken::after(Duration::MAX).is_cancelled());
    /// ```
    ///
    /// # Panics
    ///
    /// On a target without a clock, such as `wasm32-unknown-unknown`.
    pub fn after(delay: Duration) -> Self {
        // A time beyond the range of the clock never comes.
        Self::with_deadline(Instant::now().checked_add(delay))
    }

    /// A token that is cancelled at a point in time, or by hand before that.
    ///
    /// ```
    /// use filch::ext::*;
    /// use std::time::Instant;
    /// assert!(CancelToken::at(Instant::now()).is_cancelled());
    /// ```
    pub fn at(deadline: Instant) -> Self {
        Self::with_deadline(Some(deadline))
    }

    fn with_deadline(deadline: Option<Instant>) -> Self {
        CancelToken {
            shared: Arc::new(TokenState {
                cancelled: AtomicBool::new(false),
                deadline,
            }),
        }
    }

    /// Tells everything that was given this token to stop. A token stays cancelled. This returns at once, and does not wait for running work.
    ///
    /// ```
    /// let token = filch::ext::CancelToken::new();
    /// token.cancel();
    /// assert!(token.is_cancelled());
    /// ```
    #[doc(alias("request_stop"))]
    pub fn cancel(&self) {
        self.shared.cancelled.store(true, Ordering::Relaxed);
    }

    /// Whether it was cancelled, by hand or by its deadline.
    ///
    /// Costs a load; while a deadline is still to come, also a reading of the clock.
    ///
    /// ```
    /// use filch::ext::*;
    ///
    /// let token = CancelToken::new();
    /// assert!(!token.is_cancelled());
    /// token.clone().cancel(); // a clone is the same token
    /// assert!(token.is_cancelled());
    /// ```
    #[doc(alias("stop_requested"))]
    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.shared.cancelled.load(Ordering::Relaxed)
            || self.shared.deadline.is_some_and(|end| self.is_past(end))
    }

    fn is_past(&self, deadline: Instant) -> bool {
        let past = Instant::now() >= deadline;
        if past {
            self.cancel();
        }
        past
    }
}

impl Default for CancelToken {
    fn default() -> Self {
        Self::new()
    }
}

/// Work was cancelled before all of it was done: what it gave, and how much of it was done.
///
/// [`with_cancel`](crate::ext::ParallelCancel::with_cancel) returns it as an error, and counts items; [`CancelToken::scope`] counts jobs.
///
/// ```
/// use filch::ext::*;
///
/// let token = CancelToken::new();
/// token.cancel();
/// let error = token.scope(|s| s.spawn(|_| ())).unwrap_err();
/// assert_eq!(error.done, 0);
/// assert!(!error.to_string().is_empty());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Cancelled<R> {
    /// What the work gave until it stopped: the end's result over the items so far, or what the closure of a scope returned.
    pub value: R,
    /// How much was done: the items that were passed on to the rest of the chain, or the jobs of a scope that ran.
    pub done: usize,
}

impl<R> fmt::Display for Cancelled<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "cancelled, with {} items or jobs done", self.done)
    }
}

impl<R: fmt::Debug> std::error::Error for Cancelled<R> {}
