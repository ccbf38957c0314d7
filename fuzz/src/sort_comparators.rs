//! Sorts with comparators of all kinds: orders, no orders, and such as panic.

use crate::bytes::{Bytes, mix};
use crate::ledger::{Item, Ledger};
use crate::pools::{caught, somewhere};
use filch::prelude::*;
use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// How two keys are compared.
#[derive(Debug, Clone, Copy)]
enum Comparator {
    // Orders.
    Natural,
    Reverse,
    LowBits,
    // None.
    AlwaysLess,
    AlwaysGreater,
    AlwaysEqual,
    Xor,
    Random,
    NotANumber,
    LessOrEqual,
    Alternating,
}

use Comparator::*;

const COMPARATORS: [Comparator; 11] = [
    Natural,
    Reverse,
    LowBits,
    AlwaysLess,
    AlwaysGreater,
    AlwaysEqual,
    Xor,
    Random,
    NotANumber,
    LessOrEqual,
    Alternating,
];

/// Which sort.
#[derive(Debug, Clone, Copy)]
enum Sort {
    By,
    UnstableBy,
    ByKey,
    UnstableByKey,
    ByCachedKey,
}

const SORTS: [Sort; 5] = [
    Sort::By,
    Sort::UnstableBy,
    Sort::ByKey,
    Sort::UnstableByKey,
    Sort::ByCachedKey,
];

/// A comparator that may panic.
struct Order {
    comparator: Comparator,
    calls: AtomicU64,
    /// At which call.
    panics_at: Option<u64>,
}

impl Order {
    fn is_total(&self) -> bool {
        matches!(self.comparator, Natural | Reverse | LowBits | AlwaysEqual)
    }

    fn compare(&self, a: u16, b: u16) -> Ordering {
        let call = self.calls.fetch_add(1, Relaxed);
        if self.panics_at == Some(call) {
            resume_unwind(Box::new(()));
        }
        match self.comparator {
            Natural => a.cmp(&b),
            Reverse => b.cmp(&a),
            LowBits => (a % 4).cmp(&(b % 4)),
            AlwaysLess => Less,
            AlwaysGreater => Greater,
            AlwaysEqual => Equal,
            Xor => (a ^ b).cmp(&(u16::MAX / 2)),
            Random => [Less, Equal, Greater][mix(call) as usize % 3],
            NotANumber => {
                let float = |x: u16| {
                    if x.is_multiple_of(5) {
                        f32::NAN
                    } else {
                        x.into()
                    }
                };
                float(a).partial_cmp(&float(b)).unwrap_or(Less)
            }
            LessOrEqual => [Greater, Less][usize::from(a <= b)],
            Alternating => [Less, Greater][call as usize % 2],
        }
    }
}

/// A key that compares itself by an order.
struct Key<'a>(u16, &'a Order);

impl PartialEq for Key<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Key<'_> {}

impl PartialOrd for Key<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Key<'_> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.1.compare(self.0, other.0)
    }
}

/// The keys: what the rest of the input says, again and again, with a drift or scrambled.
fn keys(bytes: &mut Bytes<'_>) -> Vec<u16> {
    let len = bytes.len(256);
    let (step, scramble) = (u16::from(bytes.byte()), bytes.below(4) == 0);
    let pattern = bytes.0;
    (0..len)
        .map(|i| {
            if scramble {
                return mix(i as u64) as u16;
            }
            let Some(round) = i.checked_div(pattern.len()) else {
                return i as u16 / step.max(1);
            };
            u16::from(pattern[i % pattern.len()]).wrapping_add(step.wrapping_mul(round as u16))
        })
        .collect()
}

/// Sorts, and looks whether all elements are there once, and in order if there is one.
pub fn sort_comparators(data: &[u8]) {
    let mut bytes = Bytes(data);
    let sort = SORTS[bytes.below(SORTS.len())];
    let comparator = COMPARATORS[bytes.below(COMPARATORS.len())];
    let panics_at = bytes.flag().then(|| {
        let digits = bytes.below(18);
        mix(bytes.byte().into()) % (1 << digits)
    });
    let order = Order {
        comparator,
        calls: AtomicU64::new(0),
        panics_at,
    };
    let mut place = bytes.clone();
    bytes.byte();
    bytes.byte();
    let keys = keys(&mut bytes);

    let ledger = Ledger::new(keys.len());
    let mut v: Vec<Item<'_>> = (0..keys.len()).map(|i| ledger.item(i)).collect();
    let key = |item: &Item<'_>| keys[item.index()];
    let by_key = |item: &Item<'_>| Key(key(item), &order);
    let by = |a: &Item<'_>, b: &Item<'_>| order.compare(key(a), key(b));
    let sorted = somewhere(&mut place, || {
        caught(|| match sort {
            Sort::By => v.par_sort_by(by),
            Sort::UnstableBy => v.par_sort_unstable_by(by),
            Sort::ByKey => v.par_sort_by_key(by_key),
            Sort::UnstableByKey => v.par_sort_unstable_by_key(by_key),
            Sort::ByCachedKey => v.par_sort_by_cached_key(by_key),
        })
    });

    let mut seen = vec![false; keys.len()];
    for item in &v {
        assert!(
            !std::mem::replace(&mut seen[item.index()], true),
            "{sort:?}, {comparator:?}: an element twice"
        );
    }
    assert!(
        seen.iter().all(|&seen| seen),
        "{sort:?}, {comparator:?}: an element is lost"
    );
    if sorted.is_none() {
        assert!(
            panics_at.is_some_and(|call| order.calls.load(Relaxed) > call),
            "{sort:?}, {comparator:?}: panicked by itself"
        );
    } else if order.is_total() {
        let stable = !matches!(sort, Sort::UnstableBy | Sort::UnstableByKey);
        let order = Order {
            panics_at: None,
            ..order
        };
        for (a, b) in v.iter().zip(v.iter().skip(1)) {
            let compared = order.compare(key(a), key(b));
            assert!(compared.is_le(), "{sort:?}, {comparator:?}: not sorted");
            assert!(
                compared.is_lt() || !stable || a.index() < b.index(),
                "{sort:?}, {comparator:?}: not stable"
            );
        }
    }
    drop(v);
    ledger.assert_all_gone();
}
