//! Maps that are short, or change seldom: vectors that are sorted by key.
//!
//! To find a key takes O(log n). To insert or remove one moves the entries behind it: for a thousand keys of 16 bytes that is 8 KB on average,
//! which costs about as much as a look-up in a B-tree. And no program has to contain the code of a B-tree.

/// Values by key.
pub(crate) struct SortedMap<K, V>(Vec<(K, V)>);

impl<K: Ord + Copy, V> SortedMap<K, V> {
    pub(crate) fn new() -> Self {
        SortedMap(Vec::new())
    }

    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    fn find(&self, key: K) -> Result<usize, usize> {
        self.0.binary_search_by(|(other, _)| other.cmp(&key))
    }

    /// The value of `key`, which is `new` if there was none.
    pub(crate) fn entry(&mut self, key: K, new: impl FnOnce() -> V) -> &mut V {
        let at = self.find(key).unwrap_or_else(|at| {
            self.0.insert(at, (key, new()));
            at
        });
        &mut self.0[at].1
    }

    pub(crate) fn get_mut(&mut self, key: K) -> Option<&mut V> {
        let at = self.find(key).ok()?;
        Some(&mut self.0[at].1)
    }

    pub(crate) fn remove(&mut self, key: K) {
        if let Ok(at) = self.find(key) {
            self.0.remove(at);
        }
    }

    pub(crate) fn keys(&self) -> impl Iterator<Item = K> {
        self.0.iter().map(|&(key, _)| key)
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (K, &V)> {
        self.0.iter().map(|(key, value)| (*key, value))
    }

    /// The keys from `key` on, and `key` itself if it is there.
    pub(crate) fn from(&self, key: K) -> impl Iterator<Item = K> {
        let at = self.find(key).unwrap_or_else(|at| at);
        self.0[at..].iter().map(|&(key, _)| key)
    }

    /// All keys once each, as if they stood in a circle: first the one after `key`, which may be there itself, then comes last.
    pub(crate) fn after(&self, key: K) -> impl Iterator<Item = K> {
        let at = self.find(key).map_or_else(|at| at, |at| at + 1);
        let (before, after) = self.0.split_at(at);
        after.iter().chain(before).map(|&(key, _)| key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Keys that come and go in any order; as many as hundreds of callers may be.
    #[test]
    fn it_does_what_a_tree_does() {
        use std::collections::BTreeMap;
        let (mut sorted, mut tree) = (SortedMap::new(), BTreeMap::new());
        let mut dice = 1u64;
        for round in 0..5_000u32 {
            let key = crate::core::policy::random(&mut dice) % 700;
            if round % 3 == 2 {
                sorted.remove(key);
                tree.remove(&key);
            } else {
                assert_eq!(
                    sorted.entry(key, || round),
                    tree.entry(key).or_insert(round)
                );
            }
            let key = crate::core::policy::random(&mut dice) % 700;
            assert_eq!(sorted.get_mut(key), tree.get_mut(&key));
            assert_eq!(sorted.len(), tree.len());
            if round % 100 == 0 {
                let from: Vec<_> = tree.range(key..).map(|(&key, _)| key).collect();
                assert!(sorted.from(key).eq(from));
                let (last, first): (Vec<u64>, Vec<u64>) =
                    tree.keys().copied().partition(|&other| other <= key);
                let expected: Vec<u64> = [first, last].concat();
                assert!(sorted.after(key).eq(expected));
            }
        }
    }
}
