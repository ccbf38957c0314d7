//! How the values of one key are put together.

/// An operation on values, which come in the order of the items, and on what stretches of them came to.
///
/// Accumulators are changed where they lie, so a panic in one of these leaves every other one whole.
pub(super) trait Op<V>: Sync {
    type Acc: Send;

    /// Whether the order of the items is of no account.
    const COMMUTES: bool = false;

    fn begin(&self, first: V) -> Self::Acc;

    fn add(&self, acc: &mut Self::Acc, value: V);

    /// `later` is of items behind those of `acc`.
    fn merge(&self, acc: &mut Self::Acc, later: Self::Acc);
}

/// How many there are.
pub(super) struct Count;

impl<V> Op<V> for Count {
    type Acc = usize;

    const COMMUTES: bool = true;

    #[inline]
    fn begin(&self, _: V) -> usize {
        1
    }

    #[inline]
    fn add(&self, acc: &mut usize, _: V) {
        *acc += 1;
    }

    #[inline]
    fn merge(&self, acc: &mut usize, later: usize) {
        *acc += later;
    }
}

/// The first value, changed by the others.
pub(super) struct Reduce<F>(pub(super) F);

impl<V: Send, F: Fn(&mut V, V) + Sync> Op<V> for Reduce<F> {
    type Acc = V;

    #[inline]
    fn begin(&self, first: V) -> V {
        first
    }

    #[inline]
    fn add(&self, acc: &mut V, value: V) {
        (self.0)(acc, value);
    }

    #[inline]
    fn merge(&self, acc: &mut V, later: V) {
        (self.0)(acc, later);
    }
}

/// Something else that values are folded into.
pub(super) struct Aggregate<ID, F, M> {
    pub(super) init: ID,
    pub(super) fold: F,
    pub(super) merge: M,
}

impl<V, A, ID, F, M> Op<V> for Aggregate<ID, F, M>
where
    A: Send,
    ID: Fn() -> A + Sync,
    F: Fn(&mut A, V) + Sync,
    M: Fn(&mut A, A) + Sync,
{
    type Acc = A;

    #[inline]
    fn begin(&self, first: V) -> A {
        let mut acc = (self.init)();
        (self.fold)(&mut acc, first);
        acc
    }

    #[inline]
    fn add(&self, acc: &mut A, value: V) {
        (self.fold)(acc, value);
    }

    #[inline]
    fn merge(&self, acc: &mut A, later: A) {
        (self.merge)(acc, later);
    }
}

/// All of them.
pub(super) struct Gather;

impl<V: Send> Op<V> for Gather {
    type Acc = Vec<V>;

    #[inline]
    fn begin(&self, first: V) -> Vec<V> {
        vec![first]
    }

    #[inline]
    fn add(&self, acc: &mut Vec<V>, value: V) {
        acc.push(value);
    }

    #[inline]
    fn merge(&self, acc: &mut Vec<V>, mut later: Vec<V>) {
        acc.append(&mut later);
    }
}

/// Another operation, beside the number of the first value.
pub(super) struct Numbered<O>(pub(super) O);

impl<V, O: Op<V>> Op<(usize, V)> for Numbered<O> {
    type Acc = (usize, O::Acc);

    #[inline]
    fn begin(&self, (number, first): (usize, V)) -> Self::Acc {
        (number, self.0.begin(first))
    }

    #[inline]
    fn add(&self, acc: &mut Self::Acc, (_, value): (usize, V)) {
        self.0.add(&mut acc.1, value);
    }

    #[inline]
    fn merge(&self, acc: &mut Self::Acc, (_, later): Self::Acc) {
        self.0.merge(&mut acc.1, later);
    }
}
