//! The first half of grouping: all threads fold the items into stretches (`stretch`), and small neighbours are joined.

use super::fold::Fold;
use super::op::Op;
use super::spare::Spare;
use super::stretch::{Shared, Stretch};
use crate::iter::ParallelIterator;
use crate::iter::sinks::plain::{self, Plain};
use crate::sync::AtomicBool;
use std::cmp::Reverse;
use std::hash::{BuildHasher, Hash};

/// Puts the second of two neighbours into the first one, or gives it back.
pub(super) type Join<'a, K, V, O, S> = dyn Fn(&mut Stretch<K, V, O, S>, Stretch<K, V, O, S>) -> Option<Stretch<K, V, O, S>>
    + Sync
    + 'a;

/// Brings `pairs` into stretches: in their order, unless the operation commutes. None is empty.
///
/// Neighbours are joined whenever two results of folds meet, so there are never many small ones, however many folds there are.
pub(super) fn stretches<I, K, V, O, S>(
    pairs: I,
    op: &O,
    hasher: &S,
    join: &Join<'_, K, V, O, S>,
) -> Vec<Stretch<K, V, O, S>>
where
    I: ParallelIterator<Item = (K, V)>,
    K: Eq + Hash + Send,
    V: Send,
    O: Op<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    let end = End {
        shared: Shared {
            op,
            hasher,
            len: pairs.opt_len(),
            crowded: AtomicBool::new(false),
        },
        join,
        spare: Spare::new(),
    };
    let mut stretches = plain::run(pairs, &end);
    for fold in end.spare.into_all() {
        fold.close(&mut stretches);
    }
    if O::COMMUTES {
        // The others are put into the first one.
        stretches.sort_unstable_by_key(|stretch| Reverse(stretch.table.len()));
    }
    stretches
}

struct End<'a, K, V, O: Op<V>, S> {
    shared: Shared<'a, O, S>,
    join: &'a Join<'a, K, V, O, S>,
    /// Folds that others may continue, because the operation commutes.
    spare: Spare<Fold<K, V, O, S>>,
}

impl<K, V, O, S> Plain<(K, V)> for End<'_, K, V, O, S>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Op<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    type State = Fold<K, V, O, S>;
    type Result = Vec<Stretch<K, V, O, S>>;

    fn begin(&self) -> Self::State {
        if O::COMMUTES
            && let Some(fold) = self.spare.take()
        {
            return fold;
        }
        // Whatever others found: few items never become parts, and a fold of few does not depend on others.
        Fold::new(self.shared.hasher)
    }

    fn one(&self, state: Self::State, item: (K, V)) -> Self::State {
        self.many(state, std::iter::once(item))
    }

    #[inline]
    fn many(&self, mut state: Self::State, mut items: impl Iterator<Item = (K, V)>) -> Self::State {
        state.take(&self.shared, &mut items);
        state
    }

    fn end(&self, state: Self::State) -> Self::Result {
        let mut stretches = Vec::new();
        if O::COMMUTES {
            self.spare.put(state);
        } else {
            state.close(&mut stretches);
        }
        stretches
    }

    fn reduce(&self, mut left: Self::Result, right: Self::Result) -> Self::Result {
        let Some(last) = left.last_mut() else {
            return right;
        };
        let mut right = right.into_iter();
        let kept = right.next().and_then(|first| (self.join)(last, first));
        left.extend(kept);
        left.extend(right);
        left
    }
}
