//! Context that follows a job from the thread that gives it away to the thread that runs it.

use super::unwind::AbortOnDrop;

/// Carries context, such as a `tracing` span, from the thread that gives a job away to the thread that runs it; see
/// [`ThreadPoolBuilder::follow`](crate::ThreadPoolBuilder::follow). Not in rayon.
///
/// [`leave`](Self::leave) makes a token on the thread that gives the job away. The thread that runs the job calls [`arrive`](Self::arrive) with that token,
/// runs the job, and calls [`done`](Self::done). If the thread that gave the job away takes it back instead, it calls [`back`](Self::back).
///
/// # Which jobs
///
/// - Jobs of [`spawn`](crate::spawn), of scopes, of broadcasts, and the closure that [`install`](crate::ThreadPool::install) hands to
///   another thread: `leave` is called once, where the job is given away, and `arrive` once. So it is for a job of a
///   [`JobQueue`](crate::ext::JobQueue) or a [`limited_scope`](crate::ext::limited_scope): it runs with the context of the thread that spawned it.
/// - The right sides of [`join`](crate::join), and the pieces of parallel iterators, if other threads can see them. No other thread sees
///   most of them: they run where they began, and nothing is called for them.
/// - A job that a [`JobHandle`](crate::ext::JobHandle) joins before it has begun runs with the context of the thread that joins it.
///
/// `leave` is called when the job is shown to other threads. That can be a little after the call that made the job, but always inside that call.
///
/// # What holds
///
/// - Each token goes to `done` or `back` once. (Some may not if the process ends or forks.)
/// - `done` is called on the thread that called `arrive`, also if the job panics. Calls are nested: a thread that waits in a job
///   runs other jobs meanwhile, and of these `done` comes first.
/// - Before a `join`, a scope, a broadcast or an `install` returns, `done` was called for all of its jobs. The handle to a job's result may
///   be ready a moment earlier.
/// - The child of a `fork` has another pool, which follows nothing.
///
/// If a method panics, the process ends, because work of other threads is on the stack. The methods should not start parallel work,
/// for which `leave` and `arrive` would be called again, perhaps without end.
///
/// ```
/// use filch::{Follow, ThreadPoolBuilder};
/// use std::cell::Cell;
///
/// thread_local!(static REQUEST: Cell<u64> = const { Cell::new(0) });
///
/// /// Jobs know the request that they belong to.
/// struct Request;
///
/// impl Follow for Request {
///     fn leave(&self) -> u64 {
///         REQUEST.get()
///     }
///     fn arrive(&self, token: u64) {
///         REQUEST.set(token);
///     }
///     fn done(&self, _: u64) {
///         REQUEST.set(0); // enough if a job does not wait for others
///     }
///     fn back(&self, _: u64) {} // this thread has its context still
/// }
///
/// let pool = ThreadPoolBuilder::new().num_threads(2).follow(Request).build().unwrap();
/// REQUEST.set(7);
/// assert_eq!(pool.install(|| REQUEST.get()), 7);
/// ```
#[doc(alias("context_propagation", "task_local"))]
pub trait Follow: Send + Sync {
    /// Called when this thread gives a job away. Returns a token for its context, which may be any number.
    fn leave(&self) -> u64;

    /// Called when this thread is about to run the job of this token.
    fn arrive(&self, token: u64);

    /// Called when this thread has run the job of this token, or the job panicked.
    fn done(&self, token: u64);

    /// Called when the job of this token came back to the thread that gave it away, which then runs it itself.
    ///
    /// By default this calls `arrive` and `done`, so that the token is freed. If `done` resets something of the thread, override this, or the
    /// thread that gave the job away loses it. If a token owns nothing, it may do nothing.
    ///
    /// ```
    /// /// Passes a number on. If the job comes back, there is nothing to do.
    /// struct Request;
    /// impl filch::Follow for Request {
    ///     fn leave(&self) -> u64 {
    ///         7
    ///     }
    ///     fn arrive(&self, _request: u64) {}
    ///     fn done(&self, _request: u64) {}
    ///     fn back(&self, _request: u64) {}
    /// }
    /// let pool = filch::ThreadPoolBuilder::new().num_threads(2).follow(Request).build().unwrap();
    /// assert_eq!(pool.join(|| 1, || 2), (1, 2));
    /// ```
    fn back(&self, token: u64) {
        self.arrive(token);
        self.done(token);
    }
}

/// What follows the jobs of a pool, if anything does.
#[derive(Default)]
pub(crate) struct Follower(Option<Box<dyn Follow>>);

impl Follower {
    pub(crate) fn new(follow: impl Follow + 'static) -> Self {
        Follower(Some(Box::new(follow)))
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.is_some()
    }

    /// A token for a job that is given away here.
    #[inline]
    pub(crate) fn leave(&self) -> u64 {
        match &self.0 {
            Some(follow) => surely(|| follow.leave()),
            None => 0,
        }
    }

    /// The job of `token` runs here, until what is returned is dropped.
    #[inline]
    pub(crate) fn arrive(&self, token: u64) -> Arrived<'_> {
        let follow = self.0.as_deref();
        if let Some(follow) = follow {
            surely(|| follow.arrive(token));
        }
        Arrived { follow, token }
    }

    /// The job of `token` came back unrun.
    pub(crate) fn back(&self, token: u64) {
        if let Some(follow) = &self.0 {
            surely(|| follow.back(token));
        }
    }
}

/// A job that has arrived, and is done when this is dropped.
pub(crate) struct Arrived<'a> {
    follow: Option<&'a dyn Follow>,
    token: u64,
}

impl Drop for Arrived<'_> {
    #[inline]
    fn drop(&mut self) {
        if let Some(follow) = self.follow {
            surely(|| follow.done(self.token));
        }
    }
}

/// Calls a method of the user's where nothing may unwind.
#[cold]
fn surely<R>(f: impl FnOnce() -> R) -> R {
    let guard = AbortOnDrop("a method of `Follow` panicked");
    let result = f();
    std::mem::forget(guard);
    result
}

#[cfg(all(test, not(any(filch_loom, filch_shuttle))))]
mod tests {
    use super::*;
    use std::sync::{Arc, Mutex};

    struct Log(Arc<Mutex<Vec<(&'static str, u64)>>>);

    impl Follow for Log {
        fn leave(&self) -> u64 {
            7
        }
        fn arrive(&self, token: u64) {
            self.0.lock().unwrap().push(("arrive", token));
        }
        fn done(&self, token: u64) {
            self.0.lock().unwrap().push(("done", token));
        }
    }

    /// For a hook that does not tell the two apart, a job that comes back arrives and is done.
    #[test]
    fn what_comes_back_is_done() {
        let none = Follower::default();
        assert!(!none.is_set());
        none.back(none.leave());
        let log = Arc::default();
        let follower = Follower::new(Log(Arc::clone(&log)));
        assert!(follower.is_set());
        let token = follower.leave();
        let arrived = follower.arrive(token);
        assert_eq!(*log.lock().unwrap(), [("arrive", 7)]);
        drop(arrived);
        follower.back(8);
        let all = [("arrive", 7), ("done", 7), ("arrive", 8), ("done", 8)];
        assert_eq!(*log.lock().unwrap(), all);
    }
}
