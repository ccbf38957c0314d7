//! How many items the rounds of an ordered iterator have.

/// How many items the first round has.
const FIRST_ROUND: usize = 32;

/// The sizes of rounds: they grow up to half of `bound`.
pub(super) struct Sizes {
    next: usize,
    most: usize,
    /// Whether there is room for a second round.
    pub(super) ahead: bool,
}

impl Sizes {
    #[track_caller]
    pub(super) fn up_to(bound: usize) -> Self {
        assert!(
            bound > 0,
            "filch: an ordered iterator must have room for one item"
        );
        let most = (bound / 2).max(1);
        Sizes {
            next: most.min(FIRST_ROUND),
            most,
            ahead: bound > 1,
        }
    }

    pub(super) fn next(&mut self) -> usize {
        let size = self.next;
        self.next = self.most.min(2 * size);
        size
    }
}
