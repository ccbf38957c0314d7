//! Scopes in which at most a given number of jobs run at once.

use super::tickets::Tickets;
use crate::core::unwind::{catch, resume};
use crate::core::{Scope, scope};
use crate::sync::Arc;
use std::fmt;

/// A [`scope`] in which at most `jobs` jobs run at once, so that the other threads of the pool stay free for other work.
///
/// The jobs are begun in the order in which they were spawned. The limit counts jobs: parallel calls inside a job, and jobs of other
/// scopes, may run on any thread. Jobs that wait block no thread. If a job blocks until another job of the same scope has run, it may wait
/// for ever, because the limit may keep the other one from beginning.
///
/// ```
/// use filch::ext::limited_scope;
/// use std::sync::atomic::{AtomicUsize, Ordering};
///
/// let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
/// limited_scope(2, |s| {
///     for _ in 0..20 {
///         s.spawn(|_| {
///             let at_once = now.fetch_add(1, Ordering::SeqCst) + 1;
///             most.fetch_max(at_once, Ordering::SeqCst);
///             now.fetch_sub(1, Ordering::SeqCst);
///         });
///     }
/// });
/// assert!((1..=2).contains(&most.into_inner()));
/// ```
///
/// # Panics
///
/// If `jobs` is 0. If the closure or a job panics: with one of these panics, after all other jobs have run.
#[doc(alias("max_concurrency", "semaphore"))]
#[track_caller]
pub fn limited_scope<'scope, OP, R>(jobs: usize, op: OP) -> R
where
    OP: FnOnce(&LimitedScope<'_, 'scope>) -> R + Send,
    R: Send,
{
    assert!(
        jobs > 0,
        "filch: a scope of which 0 jobs run at once runs none"
    );
    let tickets = Arc::new(Tickets::new(jobs));
    scope(|scope| {
        op(&LimitedScope {
            scope,
            tickets: &tickets,
        })
    })
}

/// Where jobs are spawned that wait for their turn; made by [`limited_scope`].
///
/// ```
/// use filch::ext::{LimitedScope, limited_scope};
///
/// fn count<'scope>(s: &LimitedScope<'_, 'scope>, n: usize) {
///     if n > 0 {
///         s.spawn(move |s| count(s, n - 1));
///     }
/// }
/// limited_scope(1, |s| count(s, 100));
/// ```
pub struct LimitedScope<'s, 'scope> {
    scope: &'s Scope<'scope>,
    tickets: &'s Arc<Tickets<Job<'scope>, 1>>,
}

/// The token that `Follow::leave` gave for a body, and the body.
type Job<'scope> = (u64, Body<'scope>);

type Body<'scope> = Box<dyn FnOnce(&LimitedScope<'_, 'scope>) + Send + 'scope>;

impl<'scope> LimitedScope<'_, 'scope> {
    /// Spawns a job. It begins after the jobs that were spawned before it, as soon as the limit allows. It gets the scope to spawn more jobs.
    /// Costs an allocation and three short locks more than a [`Scope::spawn`].
    ///
    /// ```
    /// use filch::ext::limited_scope;
    ///
    /// let mut squares = [0; 10];
    /// limited_scope(3, |s| {
    ///     for (n, square) in squares.iter_mut().enumerate() {
    ///         s.spawn(move |_| *square = n * n);
    ///     }
    /// });
    /// assert_eq!(squares.iter().sum::<usize>(), 285);
    /// ```
    ///
    /// # Panics
    ///
    /// In a child process after `fork` that goes on inside the scope, if another thread of the parent was just using the scope.
    pub fn spawn<BODY>(&self, body: BODY)
    where
        BODY: FnOnce(&LimitedScope<'_, 'scope>) + Send + 'scope,
    {
        let token = self.scope.follower().leave();
        let pack = |body: BODY| -> Job<'scope> { (token, Box::new(body)) };
        match self.tickets.push(0, usize::MAX, body, pack) {
            Ok(true) => issue(self.scope, self.tickets),
            Ok(false) => (),
            Err(_) => {
                self.scope.follower().back(token);
                panic!(
                    "filch: this limited scope belongs to the parent of this process, of which a thread was just using it"
                );
            }
        }
    }
}

fn issue<'scope>(scope: &Scope<'scope>, tickets: &Arc<Tickets<Job<'scope>, 1>>) {
    let tickets = Arc::clone(tickets);
    // The token of the body is the only one.
    scope.spawn_bare(move |scope| {
        let Some((token, body)) = tickets.begin() else {
            return;
        };
        let outcome = catch(|| {
            let _arrived = scope.follower().arrive(token);
            body(&LimitedScope {
                scope,
                tickets: &tickets,
            });
        });
        if tickets.end() {
            issue(scope, &tickets);
        }
        if let Err(payload) = outcome {
            resume(payload);
        }
    });
}

impl fmt::Debug for LimitedScope<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut fields = f.debug_struct("LimitedScope");
        if let (Some([waiting]), Some(running)) = (self.tickets.waiting(), self.tickets.running()) {
            fields.field("waiting", &waiting).field("running", &running);
        }
        fields.finish()
    }
}
