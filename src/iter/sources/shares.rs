//! How much of a tree goes to another thread, if all that is known is a stack of nodes that were found and not yet visited.
//!
//! The oldest entries are the nearest to the root. If they are siblings, as many as are as much as the rest go: half of them, for all that
//! the younger entries stand for is about one sibling more. Else the first time one goes, which in a tree of two children a node
//! is as much as all the others; and each time after that twice as many, up to half of the stack, for it may have been a leaf.
//! If half of the stack went at once, hardly anything would be left, and two threads would hand the whole tree to each other and wait.

/// What is known of the entries of a stack.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shares {
    /// How many of the oldest are children of one node; 0 or 1 if that is not known.
    siblings: usize,
    /// How often some of the others went.
    splits: u32,
}

impl Shares {
    /// Of a stack whose `entries` are children of one node.
    pub(crate) fn of_siblings(entries: usize) -> Self {
        Shares {
            siblings: entries,
            splits: 0,
        }
    }

    /// So many of the oldest are children of one node.
    pub(crate) fn recount(&mut self, siblings: usize) {
        self.siblings = siblings;
    }

    /// Now there are so many entries.
    pub(crate) fn shrink(&mut self, entries: usize) {
        self.siblings = self.siblings.min(entries);
    }

    /// How many of the oldest of so many entries go, and what is known of them; nothing if there are no two.
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
        // What is on top of them counts as one sibling more.
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
