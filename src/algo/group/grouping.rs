//! The first half of an operation by key: all threads fold the items into stretches, and small neighbours are joined.

use super::fold::PairFold;
use super::op::Op;
use super::spare::Spare;
use super::stretch::{Common, Stretch};
use crate::iter::ParallelIterator;
use crate::iter::sinks::plain::{self, Plain};
use crate::sync::AtomicBool;
use std::cmp::Reverse;
use std::hash::{BuildHasher, Hash};

/// One operation on some pairs.
pub(super) struct Grouping<'a, K, V, O: Op<V>, S> {
    pub(super) shared: Common<'a, O, S>,
    /// Folds that others may continue, because the operation commutes.
    spare: Spare<PairFold<K, V, O, S>>,
}

impl<'a, K, V, O, S> Grouping<'a, K, V, O, S>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Op<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    /// Brings `pairs` into stretches: in their order, unless the operation commutes. None is empty.
    ///
    /// Neighbours are joined whenever two results of folds meet, so there are never many small ones, however many folds there are.
    pub(super) fn stretches<I>(
        pairs: I,
        op: &'a O,
        hasher: &'a S,
    ) -> (Self, Vec<Stretch<K, V, O, S>>)
    where
        I: ParallelIterator<Item = (K, V)>,
    {
        let shared = Common {
            op,
            hasher,
            len: pairs.opt_len(),
            crowded: AtomicBool::new(false),
        };
        let spare = Spare::new();
        let grouping = Grouping { shared, spare };
        let mut stretches = plain::run(pairs, &grouping);
        for fold in grouping.spare.take_all() {
            fold.close(&mut stretches);
        }
        if O::COMMUTES {
            // The largest first: if one thread merges them, the others are put into the first one.
            stretches.sort_unstable_by_key(|stretch| Reverse(stretch.table.len()));
        }
        (grouping, stretches)
    }
}

impl<K, V, O, S> Plain<(K, V)> for Grouping<'_, K, V, O, S>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Op<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    type State = PairFold<K, V, O, S>;
    type Result = Vec<Stretch<K, V, O, S>>;

    fn begin(&self) -> Self::State {
        if O::COMMUTES
            && let Some(fold) = self.spare.take()
        {
            return fold;
        }
        // Whatever others found: few items never become parts, and a fold of few does not depend on others.
        PairFold::new(self.shared.hasher)
    }

    fn reproduce(state: &mut Self::State) {
        state.ignore_others();
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
        let kept = right
            .next()
            .and_then(|first| last.join(first, self.shared.op));
        left.extend(kept);
        left.extend(right);
        left
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::group::op::reduce;
    use crate::ext::ParallelReproducible;
    use crate::iter::IntoParallelIterator;
    use foldhash::fast::RandomState;

    /// More pairs than a table is judged by come out of one item. A table that others found not to pay must not end for that in a leaf.
    #[test]
    fn a_leaf_ignores_what_other_folds_found() {
        let (sum, hasher) = (|a: &mut usize, b| *a += b, RandomState::default());
        let op = reduce(&sum);
        for crowded in [false, true] {
            let grouping = Grouping {
                shared: Common {
                    op: &op,
                    hasher: &hasher,
                    len: None,
                    crowded: AtomicBool::new(crowded),
                },
                spare: Spare::new(),
            };
            let pairs = (0..1usize).into_par_iter().reproducible();
            let pairs = pairs.flat_map_iter(|_| (0..20_000).map(|i| (i % 10_000, 1)));
            let stretches = plain::run(pairs, &grouping);
            assert_eq!(stretches.len(), 1, "crowded: {crowded}");
            assert!(stretches[0].dealt.is_empty());
        }
    }
}
