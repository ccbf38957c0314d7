//! How the values of one key are combined.

/// What is done with values, which come in the order of the items.
///
/// Accumulators are changed where they lie, so a panic in one of these leaves every other one whole.
pub(super) trait Op<V>: Sync {
    type Acc: Send;

    /// What accumulators have in common that lie in one table.
    type Log: Default + Send;

    /// Whether the order of the items is of no account.
    const COMMUTES: bool = false;

    fn begin(&self, first: V, log: &mut Self::Log) -> Self::Acc;

    fn add(&self, acc: &mut Self::Acc, value: V, log: &mut Self::Log);

    /// Takes what later values of the same key came to, in a fold with that number.
    fn merge(&self, acc: &mut Self::Acc, later: Self::Acc, log: &mut Self::Log, fold: usize);

    /// Takes what values of another key came to in a fold, for a table with this log.
    #[inline]
    fn adopt(&self, acc: Self::Acc, log: &mut Self::Log, fold: usize) -> Self::Acc {
        let _ = (log, fold);
        acc
    }

    /// Takes the log of a table whose accumulators were taken, as those of fold 0.
    fn append(&self, log: &mut Self::Log, later: Self::Log) {
        let _ = (log, later);
    }

    /// How many values a log holds.
    fn held(log: &Self::Log) -> usize {
        let _ = log;
        0
    }
}

/// How many there are.
pub(super) struct Count;

impl<V> Op<V> for Count {
    type Acc = usize;
    type Log = ();

    const COMMUTES: bool = true;

    #[inline]
    fn begin(&self, _: V, (): &mut ()) -> usize {
        1
    }

    #[inline]
    fn add(&self, acc: &mut usize, _: V, (): &mut ()) {
        *acc += 1;
    }

    #[inline]
    fn merge(&self, acc: &mut usize, later: usize, (): &mut (), _: usize) {
        *acc += later;
    }
}

/// The first value, changed by the others.
pub(super) struct Reduce<F>(pub(super) F);

impl<V: Send, F: Fn(&mut V, V) + Sync> Op<V> for Reduce<F> {
    type Acc = V;
    type Log = ();

    #[inline]
    fn begin(&self, first: V, (): &mut ()) -> V {
        first
    }

    #[inline]
    fn add(&self, acc: &mut V, value: V, (): &mut ()) {
        (self.0)(acc, value);
    }

    #[inline]
    fn merge(&self, acc: &mut V, later: V, (): &mut (), _: usize) {
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
    type Log = ();

    #[inline]
    fn begin(&self, first: V, (): &mut ()) -> A {
        let mut acc = (self.init)();
        (self.fold)(&mut acc, first);
        acc
    }

    #[inline]
    fn add(&self, acc: &mut A, value: V, (): &mut ()) {
        (self.fold)(acc, value);
    }

    #[inline]
    fn merge(&self, acc: &mut A, later: A, (): &mut (), _: usize) {
        (self.merge)(acc, later);
    }
}

/// Another operation, beside the number of the first value.
pub(super) struct Numbered<O>(pub(super) O);

/// It has to have no log: what is done to logs is not passed on.
impl<V, O: Op<V, Log = ()>> Op<(usize, V)> for Numbered<O> {
    type Acc = (usize, O::Acc);
    type Log = ();

    #[inline]
    fn begin(&self, (number, first): (usize, V), log: &mut ()) -> Self::Acc {
        (number, self.0.begin(first, log))
    }

    #[inline]
    fn add(&self, acc: &mut Self::Acc, (_, value): (usize, V), log: &mut ()) {
        self.0.add(&mut acc.1, value, log);
    }

    #[inline]
    fn merge(&self, acc: &mut Self::Acc, later: Self::Acc, log: &mut (), fold: usize) {
        self.0.merge(&mut acc.1, later.1, log, fold);
    }
}
