//! Scopes whose jobs are skipped once a token is cancelled.

use super::token::{CancelToken, Cancelled};
use crate::core::{Scope, scope};
use crate::sync::{Arc, AtomicUsize, Ordering};
use std::fmt;

/// A scope whose jobs are skipped once a token is cancelled; see [`CancelToken::scope`].
///
/// ```
/// use filch::ext::*;
///
/// let token = CancelToken::new();
/// let done = token.scope(|s| {
///     s.spawn(|s| assert!(!s.token().is_cancelled()));
/// });
/// assert_eq!(done, Ok(()));
/// ```
pub struct CancelScope<'s, 'scope> {
    scope: &'s Scope<'scope>,
    run: &'s Arc<ScopeRun>,
}

/// The data that all jobs of a scope share. The counts are read at the end: relaxed.
struct ScopeRun {
    token: CancelToken,
    done: AtomicUsize,
    left_out: AtomicUsize,
}

impl CancelToken {
    /// A [`scope`] whose jobs are skipped once this token is cancelled.
    ///
    /// Running jobs are not interrupted. Long jobs may check [`is_cancelled`](Self::is_cancelled) now and then, and parallel iterators in
    /// them may be [`cancellable`](crate::ext::ParallelCancel::cancellable) by the same token.
    ///
    /// ```
    /// use filch::ext::*;
    /// let token = CancelToken::new();
    /// let outcome = token.scope(|s| {
    ///     token.cancel();
    ///     s.spawn(|_| unreachable!());
    /// });
    /// assert_eq!(outcome, Err(Cancelled { value: (), done: 0 }));
    /// ```
    ///
    /// # Errors
    ///
    /// If a job was skipped: [`Cancelled`], with the result of `op` and the number of jobs that were run.
    ///
    /// # Panics
    ///
    /// As [`scope`].
    pub fn scope<'scope, OP, R>(&self, op: OP) -> Result<R, Cancelled<R>>
    where
        OP: FnOnce(&CancelScope<'_, 'scope>) -> R + Send,
        R: Send,
    {
        let run = Arc::new(ScopeRun {
            token: self.clone(),
            done: AtomicUsize::new(0),
            left_out: AtomicUsize::new(0),
        });
        let value = scope(|scope| op(&CancelScope { scope, run: &run }));
        if run.left_out.load(Ordering::Relaxed) == 0 {
            return Ok(value);
        }
        let done = run.done.load(Ordering::Relaxed);
        Err(Cancelled { value, done })
    }
}

impl<'scope> CancelScope<'_, 'scope> {
    /// Spawns a job, which runs unless the token is cancelled before it begins.
    ///
    /// The job gets the scope, to spawn more jobs, as in [`Scope::spawn`]. Costs that and three atomic operations.
    ///
    /// ```
    /// use filch::ext::CancelToken;
    ///
    /// let mut squares = [0; 3];
    /// let result = CancelToken::new().scope(|s| {
    ///     for (i, square) in squares.iter_mut().enumerate() {
    ///         s.spawn(move |_| *square = i * i);
    ///     }
    /// });
    /// assert_eq!((result, squares), (Ok(()), [0, 1, 4]));
    /// ```
    pub fn spawn<BODY: FnOnce(&CancelScope<'_, 'scope>) + Send + 'scope>(&self, body: BODY) {
        let run = Arc::clone(self.run);
        self.scope.spawn(move |scope| {
            if run.token.is_cancelled() {
                run.left_out.fetch_add(1, Ordering::Relaxed);
                return;
            }
            body(&CancelScope { scope, run: &run });
            run.done.fetch_add(1, Ordering::Relaxed);
        });
    }

    /// The token of the scope, by which a job can stop the others.
    ///
    /// ```
    /// use filch::ext::CancelToken;
    ///
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    /// let result = pool.install(|| CancelToken::new().scope(|s| {
    ///     s.spawn(|_| unreachable!()); // the newest job runs first
    ///     s.spawn(|s| s.token().cancel());
    /// }));
    /// assert_eq!(result.unwrap_err().done, 1);
    /// ```
    pub fn token(&self) -> &CancelToken {
        &self.run.token
    }
}

impl fmt::Debug for CancelScope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CancelScope")
            .field("token", self.token())
            .finish_non_exhaustive()
    }
}
