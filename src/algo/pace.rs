//! When to do it alone: work that is soon over, and rounds of few items.
//!
//! A round of a handful of cheap items is over before another thread has taken notice, and to ask costs more than to do it. But a few items
//! may be all there is to share, if each takes long. So the first item is timed, and then every so many.

use crate::core::clock;
use crate::current_num_threads;

/// Rounds of fewer items are not shared, if an item is cheap.
const FEW: usize = 64;

/// An item that takes as long is dear, in nanoseconds: then even two are shared.
const DEAR: u64 = 1_000;

/// Work that is done before a pool is asked for, in nanoseconds: to enter one and to be cut there takes a tenth of it and more.
const SOON: u64 = 2_500;

/// Calls `advance` with numbers of items until it says that all is done, or until some time is spent and the rest had better be shared.
/// True: all is done.
///
/// Where there is one thread, it does everything at once.
#[inline]
pub(super) fn begin_alone(mut advance: impl FnMut(usize) -> bool) -> bool {
    if current_num_threads() == 1 {
        return advance(usize::MAX);
    }
    let start = clock::ticks();
    let mut batch = 1;
    loop {
        if advance(batch) {
            return true;
        }
        let spent = clock::ticks().saturating_sub(start) as f64;
        if spent > SOON as f64 * clock::per_ns() {
            return false;
        }
        batch = (4 * batch).min(FEW);
    }
}

/// What the items of the rounds so far have cost.
pub(super) struct Pace {
    threads: usize,
    dear: bool,
    /// The last reading of the clock.
    mark: u64,
    /// Items since then.
    items: usize,
    /// How many there should be before the next reading.
    patience: usize,
}

impl Pace {
    pub(super) fn new() -> Self {
        Pace {
            threads: current_num_threads(),
            dear: false,
            mark: clock::ticks(),
            items: 0,
            patience: 1,
        }
    }

    /// How many items the caller does by itself before it shares the others, in a round of `items` and what these bring.
    #[inline]
    pub(super) fn alone(&self, items: usize) -> usize {
        if self.threads == 1 {
            usize::MAX
        } else if items >= FEW || self.dear && items > 1 {
            0
        } else {
            FEW
        }
    }

    /// So many items were done by the caller.
    #[inline]
    pub(super) fn after_alone(&mut self, items: usize) {
        self.items += items;
        if self.items >= self.patience {
            self.look(1);
            self.patience = FEW;
        }
    }

    /// At least so many items were shared.
    pub(super) fn after_shared(&mut self, items: usize) {
        self.items += items;
        self.look(self.threads);
    }

    #[cold]
    fn look(&mut self, threads: usize) {
        let now = clock::ticks();
        let spent = now.saturating_sub(self.mark) as f64 * threads as f64;
        self.dear = spent > (DEAR * self.items as u64) as f64 * clock::per_ns();
        (self.mark, self.items) = (now, 0);
    }
}
