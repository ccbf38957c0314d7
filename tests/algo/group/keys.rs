//! Keys to group by: how often each comes, and some that are large. And groups as std makes them.

use crate::support::Dice;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// A key so large that tables are full at a few thousand entries, so that small inputs meet all ways of putting things together.
#[derive(Clone, Debug)]
pub(crate) struct Wide {
    pub(crate) key: u64,
    _rest: [u64; 63],
}

impl Hash for Wide {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.key.hash(state);
    }
}

impl PartialEq for Wide {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl Eq for Wide {}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

pub(crate) fn wide(key: u64) -> Wide {
    Wide {
        key,
        _rest: [0; 63],
    }
}

/// Keys of some distribution.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Mix {
    Distinct,
    /// Each of so many keys about as often.
    Even(usize),
    /// Every third key the same, the others distinct.
    Heavy,
    /// Frequency falls with the number of the key.
    Falling,
    /// Few keys, then many, then few, then one.
    Changing,
}

impl Mix {
    pub(crate) fn keys(self, n: usize) -> Vec<u64> {
        let mut dice = Dice::new(n as u64);
        let key = |i: usize| match self {
            Mix::Distinct => i as u64,
            Mix::Even(kinds) => dice.below(kinds) as u64,
            Mix::Heavy if i.is_multiple_of(3) => 7,
            Mix::Heavy => 1000 + i as u64,
            Mix::Falling => (n as f64).powf(dice.below(1 << 20) as f64 / (1 << 20) as f64) as u64,
            Mix::Changing => match 4 * i / n {
                0 => i as u64 % 10,
                1 => i as u64,
                2 => i as u64 % 20,
                _ => 5,
            },
        };
        (0..n).map(key).collect()
    }
}

/// The values of each key, in their order.
pub(crate) fn grouped<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, Vec<V>> {
    let mut groups: BTreeMap<K, Vec<V>> = BTreeMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}
