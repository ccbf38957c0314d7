//! A row: the numbers that a recording counts for one call site, and what each of them means.

/// What the numbers of a [`Row`] are.
pub(crate) mod columns {
    pub(crate) const CALLS: usize = 0;
    /// Calls that cost next to nothing; one of many is seen.
    pub(crate) const NOTHING: usize = 1;
    pub(crate) const TINY: usize = 2;
    pub(crate) const BLIND: usize = 3;
    pub(crate) const DRIVEN: usize = 4;
    pub(crate) const ITEMS: usize = 5;
    pub(crate) const TICKS: usize = 6;
    pub(crate) const CUTS: usize = 7;
    pub(crate) const TAKEN: usize = 8;
    pub(crate) const KEPT: usize = 9;
    /// Times at which another site's memory was in the place of this one's.
    pub(crate) const OVERWRITTEN: usize = 10;
    /// Blocks: what was folded from one look at the clock to the next; how many, and their items and ticks.
    pub(crate) const BLOCKS: usize = 11;
    pub(crate) const BLOCK_ITEMS: usize = 12;
    pub(crate) const BLOCK_TICKS: usize = 13;
    /// From here: how often each reason was given.
    pub(crate) const REASONS: usize = 14;
}

/// How many numbers there are for each site.
pub(crate) const COLUMNS: usize = 31;
/// What a site did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Row(pub(crate) [u64; COLUMNS]);

impl std::ops::AddAssign for Row {
    fn add_assign(&mut self, other: Row) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a += b);
    }
}

impl std::ops::SubAssign for Row {
    fn sub_assign(&mut self, other: Row) {
        self.0
            .iter_mut()
            .zip(other.0)
            .for_each(|(a, b)| *a = a.saturating_sub(b));
    }
}
