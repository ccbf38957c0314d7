//! Items of later levels, sorted by level.
//!
//! To add an item is O(log levels). To merge two such collections takes a bounded number of moves for each level of the smaller one.

use crate::algo::lists::FoundLists;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem;

/// Items by the level they wait for.
pub(super) struct Levels<L, T>(BTreeMap<L, FoundLists<T>>);

impl<L, T> Default for Levels<L, T> {
    fn default() -> Self {
        Levels(BTreeMap::new())
    }
}

impl<L: Ord, T: Send> Levels<L, T> {
    pub(super) fn put(&mut self, level: L, item: T) {
        let waiting = self.0.entry(level);
        let waiting = waiting.or_insert_with(|| FoundLists::of(Vec::new()));
        waiting.items.push(item);
    }

    /// The lowest level, and its items.
    pub(super) fn next(&mut self) -> Option<(L, Vec<T>)> {
        let (level, waiting) = self.0.pop_first()?;
        Some((level, waiting.into_vec()))
    }

    /// The items of both, in some order. Moves a bounded number of items for each of the levels of which there are fewer.
    pub(super) fn merge(mut self, mut other: Self) -> Self {
        if self.0.len() < other.0.len() {
            mem::swap(&mut self, &mut other);
        }
        for (level, theirs) in other.0 {
            match self.0.entry(level) {
                Entry::Vacant(place) => _ = place.insert(theirs),
                Entry::Occupied(mut place) => place.get_mut().join(theirs),
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn levels(items: impl IntoIterator<Item = (usize, u32)>) -> Levels<usize, u32> {
        let mut levels = Levels::default();
        items
            .into_iter()
            .for_each(|(level, item)| levels.put(level, item));
        levels
    }

    #[test]
    fn long_lists_stay_where_they_are() {
        let (a, b) = (
            levels((0..1000).map(|x| (3, x))),
            levels((1000..3000).map(|x| (3, x))),
        );
        let places = [&a, &b].map(|levels| levels.0[&3].items.as_ptr());
        let mut both = a.merge(b);
        let waiting = &both.0[&3];
        assert_eq!([waiting.more[0].as_ptr(), waiting.items.as_ptr()], places);
        let (level, mut items) = both.next().unwrap();
        items.sort();
        assert!(level == 3 && items.into_iter().eq(0..3000) && both.next().is_none());
    }

    #[test]
    fn the_items_of_both() {
        for sizes in [
            [0, 0],
            [1, 0],
            [3, 5],
            [5, 3],
            [300, 700],
            [700, 2],
            [2, 700],
        ] {
            let some = |n: u32| (0..n).map(|x| (x as usize % 7, x));
            let many = |n: u32| (0..n).map(|x| (x as usize % 2, x));
            let mut merged = levels(some(sizes[0])).merge(levels(many(sizes[1])));
            merged = merged.merge(levels(some(sizes[1])));
            let mut seen = Vec::new();
            while let Some((level, items)) = merged.next() {
                seen.extend(items.into_iter().map(|x| (level, x)));
            }
            assert!(seen.is_sorted_by_key(|x| x.0));
            let mut all: Vec<_> = some(sizes[0])
                .chain(many(sizes[1]))
                .chain(some(sizes[1]))
                .collect();
            all.sort();
            seen.sort();
            assert_eq!(seen, all);
        }
    }
}
