//! The common part of adaptors that fold items into accumulators: `fold`, `try_fold` and the like.

use super::per_piece::{PerPiece, same_reducer};
use super::seed::Seed;
use crate::iter::fold_in_place::try_fold_in_place;
use crate::iter::plumbing::Folder;
use std::ops::ControlFlow::{self, Break, Continue};

/// How an item is accumulated into a value, which is a `V`. How far a fold has come is a `ControlFlow`: it goes on with a value, or has failed.
pub(super) trait Accumulate<T, V>: Copy + Send {
    /// Why no more items are taken.
    type Residual;
    type Out: Send;

    fn one(self, value: V, item: T) -> ControlFlow<Self::Residual, V>;

    fn end(self, flow: ControlFlow<Self::Residual, V>) -> Self::Out;
}

/// How many items go into one accumulator.
///
/// All items, unless `Consumer::expect` says that they may be few. It is not always called: a consumer written for rayon in between does not
/// pass it on, and a run that is over at once does not call it. Then the user's minimum length may apply.
#[derive(Clone, Copy)]
enum Quota {
    Endless {
        /// The consumer may stop early (a search, say), and has not demanded many items.
        may_grow: bool,
        /// The piece was given items. Set once for many: they may turn out to be none.
        begun: bool,
    },
    /// The consumer may stop early, so it gets the first accumulator soon, and each later one after twice as many items. So the fold sees at
    /// most about twice as many items as it has to, and there are few accumulators.
    Growing { len: usize, left: usize },
}

impl Quota {
    /// How many items the first accumulator in front of a search has; fewer if items are expensive, so that the driver's second block has a single one.
    /// An odd number, and later lengths are even: so a `len` of `FIRST` is that of the first accumulator.
    const FIRST: usize = 63;

    /// All items, and without any the accumulator is not passed on.
    const FRESH: Self = Quota::Growing {
        len: usize::MAX,
        left: usize::MAX,
    };

    /// What to do from now on, if accumulators should have at least `least` items.
    #[inline]
    fn expecting(self, least: usize) -> Self {
        match self {
            Quota::Endless {
                may_grow: true,
                begun: false,
            } if least <= 1 => Quota::Growing {
                len: Self::FIRST,
                left: Self::FIRST,
            },
            Quota::Growing { .. } if least <= 1 => self,
            // As `Endless`, but it is still known that an accumulator without items need not be passed on.
            Quota::Growing { .. } if self.is_fresh() => Self::FRESH,
            Quota::Growing { len, left } => Quota::Endless {
                may_grow: false,
                begun: left != len,
            },
            Quota::Endless { begun, .. } => Quota::Endless {
                may_grow: false,
                begun,
            },
        }
    }

    /// Whether the accumulator was given no items.
    fn has_none(self) -> bool {
        match self {
            Quota::Endless { begun, .. } => !begun,
            Quota::Growing { len, left } => left == len,
        }
    }

    /// Whether an accumulator was just passed on, and the next one has seen nothing.
    fn is_fresh(self) -> bool {
        matches!(self, Quota::Growing { len, left } if left == len && len != Self::FIRST)
    }
}

/// Folds the items of a piece into accumulators, each of which begins with what `seed` makes.
#[derive(Clone)]
pub(super) struct AccumulateOp<S, A> {
    pub(super) seed: S,
    pub(super) how: A,
}

/// The accumulator of a piece, and how many items it is to have.
pub(super) struct Accumulator<R, V> {
    /// `None` only while items are folded into it, and after the end. Once it has failed, more items change nothing.
    flow: Option<ControlFlow<R, V>>,
    quota: Quota,
}

impl<S: Seed, A: Copy> AccumulateOp<S, A> {
    /// Takes items until they end, `stop` returns true, or one fails.
    #[inline]
    fn fold_items<T>(
        &self,
        flow: ControlFlow<A::Residual, S::State>,
        items: impl Iterator<Item = T>,
        stop: impl Fn() -> bool,
    ) -> ControlFlow<A::Residual, S::State>
    where
        A: Accumulate<T, S::State>,
    {
        // Whether the loop came to the end of the items, or where the fold was when it stopped.
        let ended = try_fold_in_place(items, flow?, |value, item| {
            match self.how.one(value, item) {
                Continue(value) if !stop() => Continue(value),
                flow => Break(flow),
            }
        });
        match ended {
            Continue(value) => Continue(value),
            Break(flow) => flow,
        }
    }

    /// Takes items in stretches. Each accumulator takes `len` items; the current one still takes `left`.
    fn in_quotas<T, F>(
        &self,
        state: &mut Accumulator<A::Residual, S::State>,
        (mut len, mut left): (usize, usize),
        mut folder: F,
        mut items: impl Iterator<Item = T>,
    ) -> F
    where
        A: Accumulate<T, S::State>,
        F: Folder<A::Out>,
    {
        let Some(mut flow) = state.flow.take() else {
            return folder;
        };
        loop {
            let mut taken = 0;
            let some = items.by_ref().take(left).inspect(|_| taken += 1);
            flow = self.fold_items(flow, some, || folder.full());
            left -= taken;
            let is_expensive = len == Quota::FIRST && taken == 1 && left + 1 < len;
            if left > 0 && !is_expensive || flow.is_break() {
                break;
            }
            let ended = left > 0;
            folder = folder.consume(self.how.end(flow));
            flow = Continue(self.seed.begin());
            len = (len - left).saturating_mul(2);
            left = len;
            if ended || folder.full() {
                break;
            }
        }
        *state = Accumulator {
            flow: Some(flow),
            quota: Quota::Growing { len, left },
        };
        folder
    }
}

impl<T, S: Seed, A: Accumulate<T, S::State>> PerPiece<T> for AccumulateOp<S, A> {
    type Out = A::Out;
    type State = Accumulator<A::Residual, S::State>;
    same_reducer! {}

    const SPLIT_IS_EXPENSIVE: bool = S::EXPENSIVE;
    const CAN_PAUSE: bool = false;

    #[inline]
    fn begin(&self) -> Self::State {
        Accumulator {
            flow: Some(Continue(self.seed.begin())),
            // Parts that come before may not know how short later parts may be, so accumulators are not cut.
            quota: Quota::Endless {
                may_grow: false,
                begun: false,
            },
        }
    }

    #[inline]
    fn make_way(state: &mut Self::State) {
        if state.quota.has_none() {
            // A wrapper may still pass on what it held back. So it is not dropped yet, but is one of those that are passed on only with items.
            state.quota = Quota::FRESH;
        }
    }

    #[inline]
    fn may_stop(state: &mut Self::State) {
        state.quota = Quota::Endless {
            may_grow: true,
            begun: false,
        };
    }

    #[inline]
    fn full(&self, state: &Self::State) -> bool {
        matches!(state.flow, Some(Break(_)))
    }

    #[inline]
    fn expect(state: &mut Self::State, _: usize, least: usize) -> (usize, usize) {
        state.quota = state.quota.expecting(least);
        (1, 1)
    }

    #[inline]
    fn many<F>(&self, state: &mut Self::State, folder: F, items: impl Iterator<Item = T>) -> F
    where
        F: Folder<A::Out>,
    {
        if let Quota::Growing { len, left } = state.quota {
            return self.in_quotas(state, (len, left), folder, items);
        }
        if let Some(flow) = state.flow.take() {
            state.flow = Some(self.fold_items(flow, items, || folder.full()));
        }
        if let Quota::Endless { begun, .. } = &mut state.quota {
            *begun = true;
        }
        folder
    }

    /// Passes the accumulator on.
    #[inline]
    fn end<F: Folder<A::Out>>(&self, state: &mut Self::State, folder: F) -> F {
        match state.flow.take() {
            Some(flow) if !state.quota.is_fresh() => folder.consume(self.how.end(flow)),
            _ => folder,
        }
    }
}
