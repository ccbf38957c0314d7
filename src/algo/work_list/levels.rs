//! Items of later levels, sorted by level.
//!
//! To add an item is O(log levels), and O(1) to the lowest level of all. To merge two such collections takes a bounded number of moves for each level of the
//! smaller one.

use crate::algo::lists::FoundLists;
use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::mem;

/// Items by the level they wait for.
pub(super) struct Levels<L, T> {
    /// The lowest level: often most of the items are for the next one, and the tree is empty.
    lowest: Option<(L, FoundLists<T>)>,
    higher: BTreeMap<L, FoundLists<T>>,
    /// An empty vector, for its memory.
    spare: Vec<T>,
}

impl<L, T> Default for Levels<L, T> {
    fn default() -> Self {
        Levels {
            lowest: None,
            higher: BTreeMap::new(),
            spare: Vec::new(),
        }
    }
}

impl<L: Ord, T: Send> Levels<L, T> {
    pub(super) fn put(&mut self, level: L, item: T) {
        let is_below_all = match &mut self.lowest {
            Some((lowest, waiting)) => match level.cmp(lowest) {
                Ordering::Equal => return waiting.items.push(item),
                other => other.is_lt(),
            },
            None => {
                let lowest = self.higher.first_key_value();
                lowest.is_none_or(|(lowest, _)| level < *lowest)
            }
        };
        if is_below_all {
            self.settle();
            let mut items = mem::take(&mut self.spare);
            items.push(item);
            self.lowest = Some((level, FoundLists::of(items)));
        } else {
            let waiting = self.higher.entry(level);
            let waiting = waiting.or_insert_with(|| FoundLists::of(Vec::new()));
            waiting.items.push(item);
        }
    }

    /// Puts the lowest level into the tree.
    fn settle(&mut self) {
        self.higher.extend(self.lowest.take());
    }

    /// The lowest level, and its items.
    pub(super) fn next(&mut self) -> Option<(L, Vec<T>)> {
        let lowest = self.lowest.take();
        let (level, waiting) = lowest.or_else(|| self.higher.pop_first())?;
        Some((level, waiting.into_vec()))
    }

    /// Keeps the memory of a vector, whose items are done, for the next level.
    pub(super) fn recycle(&mut self, items: Vec<T>) {
        debug_assert!(items.is_empty());
        self.spare = items;
    }

    /// The items of both, in some order. Moves a bounded number of items for each of the levels of which there are fewer.
    pub(super) fn merge(mut self, mut other: Self) -> Self {
        self.settle();
        other.settle();
        if self.higher.len() < other.higher.len() {
            mem::swap(&mut self, &mut other);
        }
        for (level, theirs) in other.higher {
            match self.higher.entry(level) {
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
        let place = |levels: &Levels<_, u32>| levels.lowest.as_ref().unwrap().1.items.as_ptr();
        let places = [&a, &b].map(place);
        let mut both = a.merge(b);
        let waiting = &both.higher[&3];
        assert_eq!([waiting.more[0].as_ptr(), waiting.items.as_ptr()], places);
        let (level, mut items) = both.next().unwrap();
        items.sort();
        assert!(level == 3 && items.into_iter().eq(0..3000) && both.next().is_none());
    }

    #[test]
    fn many_lists_of_a_level_stay_where_they_are() {
        let long = || levels((0..300).map(|x| (3, x)));
        let many = (0..100).fold(long(), |many, _| many.merge(long()));
        let place = |levels: &Levels<_, u32>| levels.higher[&3].more.as_ptr();
        let before = place(&many);
        let mut all = levels([(3, 300)]).merge(many);
        assert_eq!(place(&all), before);
        let (level, items) = all.next().unwrap();
        assert!(level == 3 && items.len() == 101 * 300 + 1 && all.next().is_none());
    }

    #[test]
    fn lower_levels_come_first_whatever_the_order_is() {
        let mut order: Vec<u32> = (0..6).collect();
        for turn in 0..720 {
            let mut waiting = levels(order.iter().map(|&x| (x as usize % 4, x)));
            let mut seen = Vec::new();
            while let Some((level, mut items)) = waiting.next() {
                seen.extend(items.drain(..).map(|x| (level, x)));
                waiting.recycle(items);
                if level == 1 {
                    // To the next level, to one that is not there, and to one that is over.
                    for (level, x) in [(2, 6), (9, 7), (0, 8)] {
                        waiting.put(level, x);
                    }
                }
            }
            let over = seen.iter().position(|&item| item == (0, 8)).unwrap();
            assert_eq!(seen.remove(over - 1).0, 1);
            assert_eq!(seen.remove(over - 1), (0, 8));
            assert!(seen.is_sorted_by_key(|item| item.0));
            assert_eq!(seen.len(), 7);
            order.rotate_left(turn % 6);
            order.swap(turn % 5, turn % 5 + 1);
        }
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
