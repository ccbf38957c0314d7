//! `fold` and `fold_with`: one accumulator a piece; and what they share with `try_fold`.

use super::seed::{CloneOf, Made, Seed};
use crate::iter::ParallelIterator;
use crate::iter::plumbing::{Consumer, Folded, Folder, UnindexedConsumer, as_base};
use std::fmt;
use std::ops::ControlFlow::{Break, Continue};

/// How items are accumulated, beginning with a `V`.
pub(super) trait Accumulate<T, V>: Copy + Send {
    type State;
    type Out: Send;

    fn begin(self, first: V) -> Self::State;

    /// Takes items until they end, or `stop` says so, or nothing would change any more.
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
pub(super) fn drive_into<I, S, A, C, M>(
    base: I,
    seed: S,
    op: A,
    folder: C::Folder,
    more: &M,
) -> Folded<C::Folder, C::Result>
where
    I: ParallelIterator,
    S: Seed,
    A: Accumulate<I::Item, S::State>,
    C: UnindexedConsumer<A::Out>,
    M: Fn() -> C,
{
    let folder = FoldFolder {
        base: folder,
        state: op.begin(seed.begin()),
        seed: seed.split(),
        op,
        stretch: Stretch::Endless,
    };
    let more = || FoldConsumer {
        base: more(),
        seed: seed.split(),
        op,
    };
    match base.drive_into::<FoldConsumer<C, S, A>, _>(folder, &more) {
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

    /// `index` counts items of the base; of those that come out there is one for each part.
    #[inline]
    fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
        let left = self.split_off_left();
        let reducer = self.to_reducer();
        (left, self, reducer)
    }

    #[inline]
    fn into_folder(self) -> Self::Folder {
        let stretch = match self.base.stops_early() {
            true => Stretch::first(),
            false => Stretch::Endless,
        };
        FoldFolder {
            base: self.base.into_folder(),
            state: self.op.begin(self.seed.begin()),
            seed: self.seed,
            op: self.op,
            stretch,
        }
    }

    const SPLITS_LIVE: bool = C::SPLITS_LIVE;
    const DRIVES_FROM_RIGHT: bool = C::DRIVES_FROM_RIGHT;

    as_base! { full stops_early; settles C }

    #[inline]
    fn splits_dearly(&self) -> bool {
        S::DEAR || self.base.splits_dearly()
    }

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
        if least > 1 {
            folder.stretch = Stretch::Endless;
        }
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
        Self::beside(self.base.split_off_left(), &self.seed, self.op)
    }

    #[inline]
    fn to_reducer(&self) -> Self::Reducer {
        self.base.to_reducer()
    }
}

/// How many items go into one accumulator.
#[derive(Clone, Copy)]
enum Stretch {
    Endless,
    /// What follows may stop early (a search, say), so it gets the first accumulator soon, and each later one after twice as many items: so
    /// the fold sees about twice what it has to at most, and there are few accumulators.
    Growing {
        len: usize,
        left: usize,
    },
}

impl Stretch {
    const FIRST: usize = 64;

    fn first() -> Self {
        Stretch::Growing {
            len: Self::FIRST,
            left: Self::FIRST,
        }
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
    /// Hands the accumulator over.
    #[inline]
    fn close<T>(self) -> G
    where
        S: Seed,
        A: Accumulate<T, S::State, State = St>,
        G: Folder<A::Out>,
    {
        match self.stretch {
            // The last one was just handed over, and this one has seen nothing.
            Stretch::Growing { len, left } if left == len && len > Stretch::FIRST => self.base,
            _ => self.base.consume(self.op.end(self.state)),
        }
    }

    /// Takes items in stretches: the next accumulator after `len`, of which `left` are to come.
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
            len *= 2;
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

/// [`Accumulate`] by a closure.
struct FoldOp<'f, F>(&'f F);

impl<F> Clone for FoldOp<'_, F> {
    #[inline]
    fn clone(&self) -> Self {
        *self
    }
}
impl<F> Copy for FoldOp<'_, F> {}

impl<T, U: Send, F: Fn(U, T) -> U + Sync> Accumulate<T, U> for FoldOp<'_, F> {
    type State = U;
    type Out = U;

    #[inline]
    fn begin(self, first: U) -> U {
        first
    }

    #[inline]
    fn many(self, state: U, mut items: impl Iterator<Item = T>, stop: impl Fn() -> bool) -> U {
        let flow = items.try_fold(state, |state, item| {
            let state = (self.0)(state, item);
            if stop() {
                Break(state)
            } else {
                Continue(state)
            }
        });
        match flow {
            Continue(state) | Break(state) => state,
        }
    }

    #[inline]
    fn is_over(_: &U) -> bool {
        false
    }

    #[inline]
    fn end(self, state: U) -> U {
        state
    }
}

/// Yields what a closure folds stretches of the items into; made by [`fold`](ParallelIterator::fold).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct Fold<I, ID, F> {
    base: I,
    identity: ID,
    fold_op: F,
}

impl<I, ID, F> Fold<I, ID, F> {
    #[inline]
    pub(crate) fn new(base: I, identity: ID, fold_op: F) -> Self {
        Fold {
            base,
            identity,
            fold_op,
        }
    }
}

impl<I: fmt::Debug, ID, F> fmt::Debug for Fold<I, ID, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Fold").field("base", &self.base).finish()
    }
}

impl<U, I, ID, F> ParallelIterator for Fold<I, ID, F>
where
    I: ParallelIterator,
    F: Fn(U, I::Item) -> U + Sync + Send,
    ID: Fn() -> U + Sync + Send,
    U: Send,
{
    type Item = U;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<U>,
    {
        let (seed, op) = (Made(&self.identity), FoldOp(&self.fold_op));
        drive(self.base, seed, op, consumer)
    }

    #[inline]
    fn drive_into<C, M>(self, folder: C::Folder, more: &M) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<U>,
        M: Fn() -> C,
    {
        let (seed, op) = (Made(&self.identity), FoldOp(&self.fold_op));
        drive_into::<_, _, _, C, _>(self.base, seed, op, folder, more)
    }
}

/// Yields what a closure folds stretches of the items into, each beginning with a clone of a value; made by
/// [`fold_with`](ParallelIterator::fold_with).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Clone)]
pub struct FoldWith<I, U, F> {
    base: I,
    item: U,
    fold_op: F,
}

impl<I, U, F> FoldWith<I, U, F> {
    #[inline]
    pub(crate) fn new(base: I, item: U, fold_op: F) -> Self {
        FoldWith {
            base,
            item,
            fold_op,
        }
    }
}

impl<I: fmt::Debug, U: fmt::Debug, F> fmt::Debug for FoldWith<I, U, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FoldWith")
            .field("base", &self.base)
            .field("item", &self.item)
            .finish()
    }
}

impl<U, I, F> ParallelIterator for FoldWith<I, U, F>
where
    I: ParallelIterator,
    F: Fn(U, I::Item) -> U + Sync + Send,
    U: Send + Clone,
{
    type Item = U;

    #[inline]
    fn drive_unindexed<C>(self, consumer: C) -> C::Result
    where
        C: UnindexedConsumer<U>,
    {
        drive(
            self.base,
            CloneOf(self.item),
            FoldOp(&self.fold_op),
            consumer,
        )
    }

    #[inline]
    fn drive_into<C, M>(self, folder: C::Folder, more: &M) -> Folded<C::Folder, C::Result>
    where
        C: UnindexedConsumer<U>,
        M: Fn() -> C,
    {
        let (seed, op) = (CloneOf(self.item), FoldOp(&self.fold_op));
        drive_into::<_, _, _, C, _>(self.base, seed, op, folder, more)
    }
}
