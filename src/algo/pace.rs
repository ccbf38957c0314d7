//! Decides when the caller works alone: on short calls, and on rounds of few items.
//!
//! A round of a few cheap items is over before another thread notices it, and sharing would cost more than the work. But if each item takes long, even
//! a few items should be shared. So the time of the last call is remembered, and the time of the items so far is measured.
//!
//! A look costs two readings of the clock and no memory. There are O(log n) looks in a short call, and one for up to 32 cheap items of a round.

use crate::core::worker::Worker;
use crate::core::{clock, has_test_hook, leaf, threads};
use crate::iter::plumbing::Site;

/// A call that takes less than this is done alone, in nanoseconds: to enter a pool and to be cut there takes a tenth of it and more.
const SOON: u64 = 20_000;

/// Sharing a call costs about this many times [`SOON`]. A call that takes less than that when shared is faster alone.
const SHARED: f64 = 2.0;

/// A call that took longer than expected is remembered as this many times as long. What is remembered halves with each call, so a few calls
/// later the caller tries again.
const LATE: f64 = 64.0;

/// The rest of a round is worth sharing if it takes so long, in nanoseconds: all threads have to come, and the last one is waited for.
const WORTH: u64 = 20_000;

/// What the first few items take, up to this many nanoseconds, says nothing of the others.
const COLD: u64 = 5_000;

/// Items between two looks at a round, where all that were seen are cheap: more are not done at a risk.
const MOST: usize = 32;

/// Items between two looks at the clock within a block, where items may be long all of a sudden: a look costs some nanoseconds.
pub(super) const LOOK: usize = 16;

/// A block of items ends early after this time, in nanoseconds: its items take longer than was estimated.
pub(super) const LONG: u64 = 100_000;

/// When a block of that many items, begun now, is to end early, in ticks; never if it is all there is.
pub(super) fn end_of_block(items: usize) -> u64 {
    match items {
        usize::MAX => u64::MAX,
        _ => clock::ticks() + (LONG as f64 * clock::per_ns()) as u64,
    }
}

/// Does the work in `state`: alone, if earlier work of the same types was short or there is one thread. Otherwise `share` does the rest.
///
/// `advance` does so many items more, and says whether that was all. It may do fewer once the clock is past what it is given.
#[inline]
pub(super) fn alone_or_shared<T, A, S>(state: &mut T, mut advance: A, share: S)
where
    A: FnMut(&mut T, usize, u64) -> bool,
    S: FnOnce(&mut T),
{
    let threads = threads();
    if threads == 1 {
        advance(state, usize::MAX, u64::MAX);
        return;
    }
    if has_test_hook() {
        return share(state);
    }
    let site = Site::of(alone_or_shared::<T, A, S> as *const ());
    let soon = SOON as f64 * clock::per_ns();
    let most = soon * SHARED * threads as f64 / (threads - 1) as f64;
    let (start, before) = (clock::ticks(), site.rate());
    let spent = || clock::ticks().saturating_sub(start) as f64;
    if before == 0.0 || before > most {
        share(state);
        return site.learn(spent());
    }
    let limit = (1.25 * before).clamp(soon, most);
    let until = start.saturating_add(limit as u64);
    let (mut done, mut batch) = (0, 1);
    while !advance(state, batch, until) {
        let so_far = spent();
        if so_far > limit {
            share(state);
            return site.learn(spent().max(LATE * soon));
        }
        done += batch;
        batch = next_batch(done, so_far, limit);
        if let Some(worker) = Worker::current() {
            worker.answer_if_asked();
        }
    }
    site.learn(spent());
}

/// How many items to do before the next look, after so many: about what there is time for, but no more than as many as were cheap so far, or,
/// when these are many, four times as many, for each look costs, too.
fn next_batch(done: usize, spent: f64, limit: f64) -> usize {
    let growth = if done < MOST { 1 } else { 4 };
    let time_for = (limit - spent) / spent.max(1.0) * done as f64;
    (time_for as usize).clamp(done.min(MOST), growth * done)
}

/// What the items of the rounds so far have cost.
pub(super) struct Pace {
    threads: usize,
    /// What an item takes, in ticks; 0 if that is not known yet.
    rate: f64,
    /// The last reading of the clock.
    mark: u64,
    /// Items since then.
    items: usize,
    /// How many cheap ones there were in a row: as many, at most, are done before the next reading.
    cheap: usize,
}

impl Pace {
    pub(super) fn new() -> Self {
        Pace {
            threads: threads(),
            rate: 0.0,
            mark: clock::ticks(),
            items: 0,
            cheap: 0,
        }
    }

    /// How many of the `rest` of a round the caller does next by itself; none: the rest is worth sharing.
    #[inline]
    pub(super) fn alone(&self, rest: usize) -> usize {
        if self.threads == 1 {
            rest
        } else if rest > 1 && rest as f64 * self.rate >= WORTH as f64 * clock::per_ns() {
            0
        } else {
            rest.min(leaf(self.patience() - self.items, 0))
        }
    }

    #[inline]
    fn patience(&self) -> usize {
        self.cheap.clamp(1, MOST)
    }

    /// So many items were done by the caller.
    #[inline]
    pub(super) fn after_alone(&mut self, items: usize) {
        self.items += items;
        if self.items >= self.patience() && self.threads > 1 {
            self.look();
        }
    }

    /// At least so many items were shared.
    pub(super) fn after_shared(&mut self, items: usize) {
        self.items += items;
        self.look();
    }

    /// What was done since the last look was something else.
    #[inline]
    pub(super) fn resume(&mut self) {
        if self.items == 0 && self.threads > 1 {
            self.mark = clock::ticks();
        }
    }

    #[cold]
    fn look(&mut self) {
        let now = clock::ticks();
        let spent = now.saturating_sub(self.mark) as f64;
        let seen = spent / self.items as f64;
        if self.items >= MOST / 4 || spent > COLD as f64 * clock::per_ns() || seen < self.rate {
            self.rate = seen;
        }
        if self.rate * (MOST as f64) < WORTH as f64 * clock::per_ns() {
            self.cheap += self.items;
        } else {
            self.cheap = 0;
        }
        (self.mark, self.items) = (now, 0);
        if let Some(worker) = Worker::current() {
            worker.answer_if_asked();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn batches_grow_with_what_was_done_and_end_with_the_time() {
        let limit = 20_000.0;
        let mut done = 1;
        let mut batches = vec![1];
        while done < 1000 {
            let batch = next_batch(done, 10.0 * done as f64, limit);
            assert!(batch <= 4 * done);
            batches.push(batch);
            done += batch;
        }
        assert_eq!(batches, [1, 1, 2, 4, 8, 16, 128, 640, 1200]);
        // There is hardly any time left, or the clock stood still.
        assert_eq!(next_batch(1000, 19_999.0, limit), MOST);
        assert_eq!(next_batch(3, 0.0, limit), 3);
    }
}
