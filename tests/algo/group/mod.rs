//! Map-reduce by key, against naive models. Panics, and odd keys and hashers, are in `tests/exhaustive`.

mod ends;
mod forced;
mod hot;
mod keys;
mod mixes;
mod reproducible;

use std::collections::BTreeMap;

/// The values of each key, in their order.
fn grouped<K: Ord, V>(pairs: impl IntoIterator<Item = (K, V)>) -> BTreeMap<K, Vec<V>> {
    let mut groups: BTreeMap<K, Vec<V>> = BTreeMap::new();
    for (key, value) in pairs {
        groups.entry(key).or_default().push(value);
    }
    groups
}
