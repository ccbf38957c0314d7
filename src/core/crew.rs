//! Which threads run the jobs of a pool: its own, or, where no thread can be started, only its callers.

use crate::sync::{AtomicUsize, Mutex, MutexGuard, Ordering, lock, try_lock};

/// Which threads run the jobs of a pool.
pub(crate) enum Crew {
    /// So many threads of its own, each born with a right; and callers, if they are let in.
    Threads(usize),
    /// Callers alone, which take turns with the pool's only right.
    Callers(Turns),
}

/// The turns of callers. The counts decide no more than who does the work that is left, and the lock orders what that needs: relaxed.
pub(crate) struct Turns {
    /// The turn.
    lock: Mutex<()>,
    /// How many turns have begun. Only the thread that has the turn changes it.
    begun: AtomicUsize,
    /// How many threads have found the turn taken and went on without it.
    refused: AtomicUsize,
    /// How many threads wait for it.
    waiting: AtomicUsize,
}

impl Crew {
    /// `threads` threads, or callers alone if that is 0.
    pub(crate) fn of(threads: usize) -> Self {
        match threads {
            0 => Crew::Callers(Turns {
                lock: Mutex::new(()),
                begun: AtomicUsize::new(0),
                refused: AtomicUsize::new(0),
                waiting: AtomicUsize::new(0),
            }),
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
            Crew::Callers(turns) => Some(turns.wait()),
        }
    }

    /// The same, unless it is another caller's turn.
    pub(crate) fn try_turn(&self) -> Option<MutexGuard<'_, ()>> {
        match self {
            Crew::Threads(_) => None,
            Crew::Callers(turns) => turns.try_begin(),
        }
    }

    /// What the threads of a pool without threads have done about turns so far.
    pub(crate) fn turns(&self) -> TurnCounts {
        match self {
            Crew::Threads(_) => TurnCounts::default(),
            Crew::Callers(turns) => turns.counts(),
        }
    }
}

#[derive(Clone, Copy, Default)]
pub(crate) struct TurnCounts {
    begun: usize,
    refused: usize,
    waiting: usize,
}

impl TurnCounts {
    /// Whether another turn has begun.
    pub(crate) fn is_over(self, now: TurnCounts) -> bool {
        self.begun != now.begun
    }

    /// Whether another thread waits for the turn.
    pub(crate) fn is_awaited(self) -> bool {
        self.waiting > 0
    }

    /// Whether another thread has come for the turn in vain, and may come again.
    pub(crate) fn has_refused(self, now: TurnCounts) -> bool {
        self.refused != now.refused
    }
}

impl Turns {
    fn counts(&self) -> TurnCounts {
        let of = |count: &AtomicUsize| count.load(Ordering::Relaxed);
        TurnCounts {
            begun: of(&self.begun),
            refused: of(&self.refused),
            waiting: of(&self.waiting),
        }
    }

    #[cold]
    fn wait(&self) -> MutexGuard<'_, ()> {
        self.waiting.fetch_add(1, Ordering::Relaxed);
        let turn = lock(&self.lock);
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        self.begin(turn)
    }

    fn try_begin(&self) -> Option<MutexGuard<'_, ()>> {
        let turn = try_lock(&self.lock).map(|turn| self.begin(turn));
        if turn.is_none() {
            self.refused.fetch_add(1, Ordering::Relaxed);
        }
        turn
    }

    fn begin<'a>(&self, turn: MutexGuard<'a, ()>) -> MutexGuard<'a, ()> {
        self.begun.fetch_add(1, Ordering::Relaxed);
        turn
    }
}
