//! Which threads run the jobs of a pool: its own, or, where no thread can be started, only its callers.

use crate::sync::{Mutex, MutexGuard, lock, try_lock};

/// Which threads run the jobs of a pool.
pub(crate) enum Crew {
    /// So many threads of its own, each born with a right; and callers, if they are let in.
    Threads(usize),
    /// Callers alone, which take turns with the pool's only right: the lock is the turn.
    Callers(Mutex<()>),
}

impl Crew {
    /// `threads` threads, or callers alone if that is 0.
    pub(crate) fn of(threads: usize) -> Self {
        match threads {
            0 => Crew::Callers(Mutex::new(())),
            threads => Crew::Threads(threads),
        }
    }

    /// How many threads of its own there are.
    #[inline]
    pub(crate) fn threads(&self) -> usize {
        match self {
            Crew::Threads(threads) => *threads,
            Crew::Callers(_) => 0,
        }
    }

    /// Whether no thread but a caller will run what is queued.
    #[inline]
    pub(crate) fn is_callers(&self) -> bool {
        matches!(self, Crew::Callers(_))
    }

    /// Waits for a caller's turn, in a pool that runs on its callers alone.
    #[inline]
    pub(crate) fn turn(&self) -> Option<MutexGuard<'_, ()>> {
        match self {
            Crew::Threads(_) => None,
            Crew::Callers(turn) => Some(wait_for_turn(turn)),
        }
    }

    /// The same, unless it is another caller's turn.
    pub(crate) fn try_turn(&self) -> Option<MutexGuard<'_, ()>> {
        match self {
            Crew::Threads(_) => None,
            Crew::Callers(turn) => try_lock(turn),
        }
    }
}

#[cold]
fn wait_for_turn(turn: &Mutex<()>) -> MutexGuard<'_, ()> {
    lock(turn)
}
