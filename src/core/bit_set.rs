//! Sets of small numbers, such as threads of a pool.

/// A set of numbers, a bit each: 64 of them a word, from 0 to the greatest there ever was.
#[derive(Default)]
pub(crate) struct BitSet(Vec<u64>);

impl BitSet {
    pub(crate) fn insert(&mut self, number: usize) {
        if self.0.len() <= number / 64 {
            self.0.resize(number / 64 + 1, 0);
        }
        self.0[number / 64] |= 1 << (number % 64);
    }

    /// False: it was not there.
    pub(crate) fn remove(&mut self, number: usize) -> bool {
        let Some(word) = self.0.get_mut(number / 64) else {
            return false;
        };
        let bit = 1 << (number % 64);
        let there = *word & bit != 0;
        *word &= !bit;
        there
    }

    /// The least one.
    pub(crate) fn first(&self) -> Option<usize> {
        let at = self.0.iter().position(|&word| word != 0)?;
        Some(64 * at + self.0[at].trailing_zeros() as usize)
    }

    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_and_go() {
        let mut bits = BitSet::default();
        assert_eq!(
            (bits.first(), bits.len(), bits.remove(70)),
            (None, 0, false)
        );
        for number in [200, 63, 64, 3, 63] {
            bits.insert(number);
        }
        for (left, number) in [(4, 3), (3, 63), (2, 64), (1, 200)] {
            assert_eq!((bits.len(), bits.first()), (left, Some(number)));
            assert!(bits.remove(number) && !bits.remove(number));
        }
        assert_eq!((bits.first(), bits.len()), (None, 0));
    }
}
