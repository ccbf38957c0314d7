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

    /// Takes the accumulator of a key that is new to the table of this log, from a fold with that number.
    #[inline]
    fn adopt(&self, acc: Self::Acc, log: &mut Self::Log, fold: usize) -> Self::Acc {
        let _ = (log, fold);
        acc
    }

    /// Takes the log of another table, whose accumulators were merged or adopted before, under the fold number 0.
    fn append(&self, log: &mut Self::Log, later: Self::Log) {
        let _ = (log, later);
    }

    /// How many values a log holds.
    fn held(log: &Self::Log) -> usize {
        let _ = log;
        0
    }
}

/// An operation without a log, by closures.
struct ClosureOp<B, F, M, const COMMUTES: bool> {
    /// From the first value.
    begin: B,
    add: F,
    merge: M,
}

impl<V, A, B, F, M, const COMMUTES: bool> Op<V> for ClosureOp<B, F, M, COMMUTES>
where
    A: Send,
    B: Fn(V) -> A + Sync,
    F: Fn(&mut A, V) + Sync,
    M: Fn(&mut A, A) + Sync,
{
    type Acc = A;
    type Log = ();

    const COMMUTES: bool = COMMUTES;

    #[inline]
    fn begin(&self, first: V, (): &mut ()) -> A {
        (self.begin)(first)
    }

    #[inline]
    fn add(&self, acc: &mut A, value: V, (): &mut ()) {
        (self.add)(acc, value);
    }

    #[inline]
    fn merge(&self, acc: &mut A, later: A, (): &mut (), _: usize) {
        (self.merge)(acc, later);
    }
}

/// How many there are.
pub(super) fn count<V>() -> impl Op<V, Acc = usize, Log = ()> {
    ClosureOp::<_, _, _, true> {
        begin: |_| 1,
        add: |count: &mut usize, _| *count += 1,
        merge: |count: &mut usize, more| *count += more,
    }
}

/// The first value, changed by the others.
pub(super) fn reduce<V: Send>(op: &(impl Fn(&mut V, V) + Sync)) -> impl Op<V, Acc = V, Log = ()> {
    ClosureOp::<_, _, _, false> {
        begin: |first| first,
        add: op,
        merge: op,
    }
}

/// Something else that values are folded into.
pub(super) fn aggregate<V, A: Send>(
    init: impl Fn() -> A + Sync,
    fold: &(impl Fn(&mut A, V) + Sync),
    merge: impl Fn(&mut A, A) + Sync,
) -> impl Op<V, Acc = A, Log = ()> {
    ClosureOp::<_, _, _, false> {
        begin: move |first| {
            let mut acc = init();
            fold(&mut acc, first);
            acc
        },
        add: fold,
        merge,
    }
}

/// Another operation, beside the number of the first value.
///
/// That has no log, for what is done to logs is not passed on.
pub(super) fn numbered<V, O: Op<V, Log = ()>>(
    op: &O,
) -> impl Op<(usize, V), Acc = (usize, O::Acc), Log = ()> {
    ClosureOp::<_, _, _, false> {
        begin: |(number, first)| (number, op.begin(first, &mut ())),
        add: |(_, acc): &mut (usize, O::Acc), (_, value)| op.add(acc, value, &mut ()),
        merge: |(_, acc): &mut (usize, O::Acc), (_, later)| op.merge(acc, later, &mut (), 0),
    }
}
