//! How many nodes of a tree are given to another thread. Only a stack is known: the nodes that were found and not yet visited.
//!
//! The oldest entries are the nearest to the root. If they are siblings, half of them are given away: that is about half of the work, since
//! all younger entries together stand for about one more sibling. If they are not siblings, one entry is given away the first time. In a
//! binary tree that is as much work as all the others together. But the entry may have been a leaf, so each time after that twice as many
//! are given away, up to half of the stack. (If half of the stack were given away at once, hardly any work would be left, and two threads
//! would pass the whole tree back and forth, and wait.)

/// How many nodes a split visits at most, in search of a node with more than one child.
pub(super) const LOOKAHEAD: usize = 64;

/// The facts that are known about the entries of a stack.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shares {
    /// How many of the oldest are children of one node; 0 or 1 if unknown.
    siblings: usize,
    /// How many times entries went that are not known to be siblings.
    splits: u32,
}

impl Shares {
    /// For a stack whose `entries` are children of one node.
    pub(crate) fn of_siblings(entries: usize) -> Self {
        Shares {
            siblings: entries,
            splits: 0,
        }
    }

    /// The oldest `siblings` entries are children of one node.
    pub(crate) fn recount(&mut self, siblings: usize) {
        self.siblings = siblings;
    }

    /// The stack has `entries` entries now.
    pub(crate) fn shrink(&mut self, entries: usize) {
        self.siblings = self.siblings.min(entries);
    }

    /// How many of the oldest entries go, and the facts about them; `None` if there are fewer than two entries.
    pub(crate) fn split(&mut self, entries: usize) -> Option<(usize, Shares)> {
        if entries < 2 {
            return None;
        }
        self.shrink(entries);
        if self.siblings < 2 {
            let some = 1usize.checked_shl(self.splits).unwrap_or(entries);
            self.splits += 1;
            self.siblings = 0;
            return Some((some.min(entries / 2), Shares::default()));
        }
        let some = self.siblings.div_ceil(2).min(entries - 1);
        self.siblings -= some;
        Some((some, Shares::of_siblings(some)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_siblings_go() {
        let mut star = Shares::of_siblings(1000);
        let (some, mut theirs) = star.split(1000).unwrap();
        assert_eq!(some, 500);
        assert_eq!(theirs.split(500).unwrap().0, 250);
        // The entries on top of them count as one more sibling.
        assert_eq!(star.split(520).unwrap().0, 250);
        assert_eq!(Shares::of_siblings(3).split(12).unwrap().0, 2);
        assert_eq!(Shares::of_siblings(2).split(2).unwrap().0, 1);
    }

    #[test]
    fn ever_more_of_the_others_go() {
        let mut shares = Shares::default();
        let shares: Vec<_> = (0..5).map(|_| shares.split(20).unwrap().0).collect();
        assert_eq!(shares, [1, 2, 4, 8, 10]);
    }

    #[test]
    fn one_entry_is_not_split() {
        assert!(Shares::of_siblings(1).split(1).is_none());
        assert!(Shares::default().split(0).is_none());
    }
}
