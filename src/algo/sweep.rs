//! Sweeps: work on the positions `0..len` of something, in order, that other threads may cut off from the right.
//!
//! A sweep owns the stretch of memory behind its positions, and does with it what no chain of iterators could: reads and writes the same
//! slots, or leaves a gap behind what it has written. It runs on the driver of the parallel iterators, so it is cut by measured time, and
//! a sweep without help is one sequential loop.
//!
//! Work as the sequential loop, with a look at the clock about every 10 µs; span as that of a parallel iterator: pieces down to 2.5 µs, and what putting
//! neighbours together costs, once for each theft.

use crate::core::clock;
use crate::core::{leaf, threads};
use crate::iter::plumbing::{Consumer, Folder, Producer, Reducer, bridge_producer_consumer};
use std::iter;
use std::marker::PhantomData;

/// What is done to a stretch of positions.
pub(crate) trait Sweep: Send + Sized {
    /// The result of a stretch.
    type Outcome: Send;

    /// Goes on over the next `count` positions.
    fn advance(&mut self, count: usize);

    /// Keeps the next `at` positions, and gives those behind them away.
    fn split_off(&mut self, at: usize) -> Self;

    /// Takes back what [`split_off`](Sweep::split_off) gave away, untouched.
    fn rejoin(&mut self, right: Self);

    /// Ends the stretch; before its last position if it [is stuck](Sweep::is_stuck).
    fn finish(self) -> Self::Outcome;

    /// Puts the outcomes of two neighbours together.
    fn follow(left: Self::Outcome, right: Self::Outcome) -> Self::Outcome;

    /// Whether `advance` has nothing more to do.
    fn is_stuck(&self) -> bool {
        false
    }
}

/// How many positions tell what the others cost.
const SAMPLE: usize = 64;

/// Work that is done here without asking for a pool, in nanoseconds: entering one takes a tenth of it.
const SMALL: u64 = 2_500;

/// By what factor the stretches between two looks at the clock grow. After cheap positions, the caller does up to this many times as many alone
/// before it notices expensive ones. With a smaller factor, looks would be a good part of the time of a hundred cheap positions.
const GROWTH: usize = 8;

/// Sweeps over `len` positions: all of them here if that is soon done, else in a pool.
pub(crate) fn run<S: Sweep>(len: usize, mut sweep: S) -> S::Outcome {
    match alone(len, |count| sweep.advance(count)) {
        0 => sweep.finish(),
        rest => share(rest, sweep),
    }
}

/// Goes on, by calls of `advance`, over `len` positions, or over the first of them only if all are not soon done and there are threads to
/// help. How many are left.
#[inline]
pub(crate) fn alone(len: usize, mut advance: impl FnMut(usize)) -> usize {
    // A test says how many, or else the clock does.
    match leaf(0, 1) {
        0 => {}
        most => {
            let done = len.min(most);
            advance(done);
            return len - done;
        }
    }
    let small = SMALL * clock::per_us() / 1000;
    let start = clock::ticks();
    let mut mark = start;
    let (mut rest, mut count) = (len, len.min(1));
    loop {
        let done = count;
        advance(done);
        rest -= done;
        if rest == 0 {
            return 0;
        }
        let now = clock::ticks();
        count = done.saturating_mul(GROWTH);
        // A look just before the end would change nothing.
        if rest / 2 <= count {
            count = rest;
        }
        // Few tell only of those that come next.
        let next = if len - rest < SAMPLE { count } else { rest };
        let spent = u128::from(now.saturating_sub(mark));
        // Without a division: it would cost more than reading the clock.
        let next_is_expensive = spent * next as u128 > u128::from(small) * done as u128;
        if next_is_expensive || now.saturating_sub(start) > small {
            break;
        }
        mark = now;
    }
    if threads() == 1 {
        advance(rest);
        return 0;
    }
    rest
}

/// Sweeps over `len` positions, in a pool.
pub(crate) fn share<S: Sweep>(len: usize, sweep: S) -> S::Outcome {
    bridge_producer_consumer(len, SweptPositions(len), Swept(sweep))
}

/// So many positions. A sweep knows where it is, so all that is produced is their number.
struct SweptPositions(usize);

impl Producer for SweptPositions {
    const BOUNDED: bool = false;
    const CAN_PAUSE: bool = true;
    type Item = ();
    type IntoIter = iter::RepeatN<()>;

    fn into_iter(self) -> Self::IntoIter {
        iter::repeat_n((), self.0)
    }

    fn split_at(self, index: usize) -> (Self, Self) {
        (SweptPositions(index), SweptPositions(self.0 - index))
    }
}

/// A sweep, whether it was begun or not.
struct Swept<S>(S);

struct Seam<S>(PhantomData<fn(S)>);

impl<S: Sweep> Consumer<()> for Swept<S> {
    type Folder = Self;
    type Reducer = Seam<S>;
    type Result = S::Outcome;

    fn split_at(mut self, index: usize) -> (Self, Self, Seam<S>) {
        let right = self.0.split_off(index);
        (self, Swept(right), Seam(PhantomData))
    }

    fn into_folder(self) -> Self {
        self
    }

    fn full(&self) -> bool {
        self.0.is_stuck()
    }

    const SPLITS_LIVE: bool = true;

    fn split_folder(folder: &mut Self, at: usize) -> (Self, Seam<S>) {
        (Swept(folder.0.split_off(at)), Seam(PhantomData))
    }

    fn rejoin_folder(folder: &mut Self, right: Self) {
        folder.0.rejoin(right.0);
    }
}

impl<S: Sweep> Folder<()> for Swept<S> {
    type Result = S::Outcome;

    fn consume(mut self, _: ()) -> Self {
        self.0.advance(1);
        self
    }

    fn consume_iter<I: IntoIterator<Item = ()>>(mut self, iter: I) -> Self {
        // All that comes from `SweptPositions`, which knows how many.
        self.0.advance(iter.into_iter().size_hint().0);
        self
    }

    fn complete(self) -> S::Outcome {
        self.0.finish()
    }

    fn full(&self) -> bool {
        self.0.is_stuck()
    }
}

impl<S: Sweep> Reducer<S::Outcome> for Seam<S> {
    fn reduce(self, left: S::Outcome, right: S::Outcome) -> S::Outcome {
        S::follow(left, right)
    }
}
