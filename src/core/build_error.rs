//! `ThreadPoolBuildError`: why a pool could not be built.

use std::error::Error;
use std::fmt;
use std::io;

/// Why a pool could not be built.
///
/// ```
/// let error = filch::ThreadPoolBuilder::new().num_threads(1).spawn_handler(|_| Err(std::io::Error::other("no more threads"))).build();
/// let message = error.unwrap_err().to_string();
/// assert_eq!(message, "only 0 of 1 threads could be started: no more threads");
/// ```
#[derive(Debug)]
pub struct ThreadPoolBuildError {
    kind: ErrorKind,
}

#[derive(Debug)]
enum ErrorKind {
    GlobalPoolAlreadyInitialized,
    CurrentThreadAlreadyInPool,
    /// Only so many of the threads could be started; `None`: none was tried.
    Refused {
        started: Option<usize>,
        threads: usize,
        error: io::Error,
    },
}

impl ThreadPoolBuildError {
    pub(crate) fn already_initialized() -> Self {
        ThreadPoolBuildError {
            kind: ErrorKind::GlobalPoolAlreadyInitialized,
        }
    }

    pub(super) fn current_in_pool() -> Self {
        ThreadPoolBuildError {
            kind: ErrorKind::CurrentThreadAlreadyInPool,
        }
    }

    /// Of `threads` only `started` could be started, or none was tried.
    pub(super) fn refused(started: Option<usize>, threads: usize, error: io::Error) -> Self {
        ThreadPoolBuildError {
            kind: ErrorKind::Refused {
                started,
                threads,
                error,
            },
        }
    }

    /// Whether the system refused a thread for now, so that fewer may be had.
    pub(crate) fn is_refusal(&self) -> bool {
        matches!(self.kind, ErrorKind::Refused { .. })
    }
}

/// rayon's words.
const ALREADY_INITIALIZED: &str = "The global thread pool has already been initialized.";
const CURRENT_IN_POOL: &str = "The current thread is already part of another thread pool.";

impl fmt::Display for ThreadPoolBuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ErrorKind::GlobalPoolAlreadyInitialized => f.pad(ALREADY_INITIALIZED),
            ErrorKind::CurrentThreadAlreadyInPool => f.pad(CURRENT_IN_POOL),
            ErrorKind::Refused {
                started,
                threads,
                error,
            } => match started {
                Some(started) => write!(
                    f,
                    "only {started} of {threads} threads could be started: {error}"
                ),
                None => write!(f, "none of {threads} threads was started: {error}"),
            },
        }
    }
}

impl Error for ThreadPoolBuildError {
    #[allow(deprecated)]
    fn description(&self) -> &str {
        match &self.kind {
            ErrorKind::GlobalPoolAlreadyInitialized => ALREADY_INITIALIZED,
            ErrorKind::CurrentThreadAlreadyInPool => CURRENT_IN_POOL,
            ErrorKind::Refused { error, .. } => error.description(),
        }
    }

    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            ErrorKind::Refused { error, .. } => Some(error),
            _ => None,
        }
    }
}
