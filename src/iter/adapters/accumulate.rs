//! The common part of adaptors that fold items into accumulators: `fold`, `try_fold` and the like.

use super::seed::Seed;
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folded, Folder, UnindexedConsumer, as_base};

/// How items are accumulated, beginning with a `V`.
pub(super) trait Accumulate<T, V>: Copy + Send {
    type State;
    type Out: Send;

    fn begin(self, first: V) -> Self::State;

    /// Takes items until they end, `stop` returns true, or more items would change nothing.
    fn many(
        self,
        state: Self::State,
        items: impl Iterator<Item = T>,
        stop: impl Fn() -> bool,
    ) -> Self::State;

    /// Whether more items would change nothing.
    fn is_over(state: &Self::State) -> bool;

    fn end(self, state: Self::State) -> Self::Out;
}

/// `drive_unindexed` of such an adaptor.
#[inline]
pub(super) fn drive<I, S, A, C>(base: I, seed: S, op: A, consumer: C) -> C::Result
where
    I: ParallelIterator,
    S: Seed,
    A: Accumulate<I::Item, S::State>,
    C: UnindexedConsumer<A::Out>,
{
    base.drive_unindexed(FoldConsumer {
        base: consumer,
        seed,
        op,
    })
}

/// `drive_into` of such an adaptor.
#[inline]
pub(super) fn drive_into<I, S, A, C>(
    base: I,
    seed: S,
    op: A,
    folder: C::Folder,
) -> Folded<C::Folder, C::Result>
where
    I: ParallelIterator,
    S: Seed,
    A: Accumulate<I::Item, S::State>,
    C: UnindexedConsumer<A::Out>,
{
    let folder = FoldFolder {
        base: folder,
        state: op.begin(seed.begin()),
        seed,
        op,
        // Parts that come before may not know how short later parts may be, so accumulators are not cut.
        stretch: Stretch::Endless { may_grow: false },
    };
    match base.drive_into::<FoldConsumer<C, S, A>>(folder) {
        Folded::Live(folder) => Folded::Live(folder.close()),
        Folded::Closed(result) => Folded::Closed(result),
    }
}

struct FoldConsumer<C, S, A> {
    base: C,
    seed: S,
    op: A,
}

impl<C, S: Seed, A: Copy> FoldConsumer<C, S, A> {
    #[inline]
    fn beside(base: C, seed: &S, op: A) -> Self {
        FoldConsumer {
            base,
            seed: seed.split(),
            op,
        }
    }
}

impl<T, C, S, A> Consumer<T> for FoldConsumer<C, S, A>
where
    S: Seed,
    A: Accumulate<T, S::State>,
    C: UnindexedConsumer<A::Out>,
{
    type Folder = FoldFolder<C::Folder, S, A, A::State>;
    type Reducer = C::Reducer;
    type Result = C::Result;

    /// `index` counts items of the base; the number of accumulators is unrelated, one for each part.
    #[inline]
    fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
        let left = self.split_off_left();
        let reducer = self.to_reducer();
        (left, self, reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        let may_grow = C::STOPS_EARLY;
        FoldFolder {
            base: self.base.into_folder(),
            state: self.op.begin(self.seed.begin()),
            seed: self.seed,
            op: self.op,
            stretch: Stretch::Endless { may_grow },
        }
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;
    const FRONT_FIRST: bool = C::FRONT_FIRST;

    const STOPS_EARLY: bool = C::STOPS_EARLY;

    as_base! { full; settles C }

    const SPLIT_IS_EXPENSIVE: bool = S::EXPENSIVE || C::SPLIT_IS_EXPENSIVE;

    #[inline]
    fn split_folder(folder: &mut Self::Folder, at: usize) -> (Self, Self::Reducer) {
        let (right, reducer) = C::split_folder(&mut folder.base, at);
        (Self::beside(right, &folder.seed, folder.op), reducer)
    }

    #[inline]
    fn rejoin_folder(folder: &mut Self::Folder, right: Self) {
        C::rejoin_folder(&mut folder.base, right.base);
    }

    #[inline]
    fn expect(folder: &mut Self::Folder, _: usize, least: usize) {
        folder.stretch = folder.stretch.expecting(least);
        C::expect(&mut folder.base, 1, 1);
    }
}

impl<T, C, S, A> UnindexedConsumer<T> for FoldConsumer<C, S, A>
where
    S: Seed,
    A: Accumulate<T, S::State>,
    C: UnindexedConsumer<A::Out>,
{
    #[inline]
    fn split_off_left(&self) -> Self {
        self.split_off_nth(1)
    }

    #[inline]
    fn split_off_nth(&self, nth: usize) -> Self {
        Self::beside(self.base.split_off_nth(nth), &self.seed, self.op)
    }

    #[inline]
    fn rejoin(&mut self, right: Self) {
        self.base.rejoin(right.base);
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        self.base.to_reducer()
    }
}

/// How many items go into one accumulator.
///
/// All items, unless `Consumer::expect` says that they may be few. It is not always called: a consumer written for rayon in between does not
/// pass it on, and a run that is over at once does not call it. Then the user's minimum length may apply.
#[derive(Clone, Copy)]
enum Stretch {
    Endless {
        /// The consumer may stop early (a search, say), and has not demanded many items.
        may_grow: bool,
    },
    /// The consumer may stop early, so it gets the first accumulator soon, and each later one after twice as many items. So the fold sees at
    /// most about twice as many items as it has to, and there are few accumulators.
    Growing { len: usize, left: usize },
}

impl Stretch {
    const FIRST: usize = 64;

    /// What to do from now on, if accumulators should have at least `least` items.
    #[inline]
    fn expecting(self, least: usize) -> Self {
        let first = Self::FIRST;
        match self {
            Stretch::Endless { may_grow: true } if least <= 1 => Stretch::Growing {
                len: first,
                left: first,
            },
            Stretch::Growing { .. } if least <= 1 => self,
            // As `Endless`, but it is still known that an accumulator without items need not be passed on.
            Stretch::Growing { .. } if self.is_fresh() => Stretch::Growing {
                len: usize::MAX,
                left: usize::MAX,
            },
            _ => Stretch::Endless { may_grow: false },
        }
    }

    /// Whether an accumulator was just passed on, and the next one has seen nothing.
    fn is_fresh(self) -> bool {
        matches!(self, Stretch::Growing { len, left } if left == len && len > Self::FIRST)
    }
}

struct FoldFolder<G, S, A, St> {
    base: G,
    seed: S,
    op: A,
    state: St,
    stretch: Stretch,
}

impl<G, S, A, St> FoldFolder<G, S, A, St> {
    /// Passes the accumulator on.
    #[inline]
    fn close<T>(self) -> G
    where
        S: Seed,
        A: Accumulate<T, S::State, State = St>,
        G: Folder<A::Out>,
    {
        match self.stretch.is_fresh() {
            true => self.base,
            false => self.base.consume(self.op.end(self.state)),
        }
    }

    /// Takes items in stretches. Each accumulator takes `len` items; the current one still takes `left`.
    fn in_stretches<T>(
        mut self,
        mut items: impl Iterator<Item = T>,
        (mut len, mut left): (usize, usize),
    ) -> Self
    where
        S: Seed,
        A: Accumulate<T, S::State, State = St>,
        G: Folder<A::Out>,
    {
        loop {
            let mut taken = 0;
            let some = items.by_ref().take(left).inspect(|_| taken += 1);
            self.state = self.op.many(self.state, some, || self.base.full());
            left -= taken;
            if left > 0 || A::is_over(&self.state) {
                break;
            }
            self.base = self.base.consume(self.op.end(self.state));
            self.state = self.op.begin(self.seed.begin());
            len = len.saturating_mul(2);
            left = len;
            if self.base.full() {
                break;
            }
        }
        self.stretch = Stretch::Growing { len, left };
        self
    }
}

impl<T, G, S, A> Folder<T> for FoldFolder<G, S, A, A::State>
where
    S: Seed,
    A: Accumulate<T, S::State>,
    G: Folder<A::Out>,
{
    type Result = G::Result;

    #[inline]
    fn consume(self, item: T) -> Self {
        self.consume_iter(std::iter::once(item))
    }

    #[inline]
    fn consume_iter<I>(mut self, iter: I) -> Self
    where
        I: IntoIterator<Item = T>,
    {
        if let Stretch::Growing { len, left } = self.stretch {
            return self.in_stretches(iter.into_iter(), (len, left));
        }
        self.state = self
            .op
            .many(self.state, iter.into_iter(), || self.base.full());
        self
    }

    #[inline]
    fn complete(self) -> G::Result {
        self.close().complete()
    }

    #[inline]
    fn full(&self) -> bool {
        A::is_over(&self.state) || self.base.full()
    }
}
