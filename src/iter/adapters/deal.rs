//! Parts of a consumer, one after the other, without end.

use crate::iter::plumbing::UnindexedConsumer;

/// Gives a part of a consumer to one item after the other.
///
/// If consumers are split off from the left again and again, each has fewer positions: `find_first` has 2^64 of them, and each split halves
/// them. After 64 splits all that comes has one position, and no hit there stops what is behind it. So items come in batches that double, and
/// each batch is split in the middle.
pub(crate) struct Deal<C> {
    /// The rest of the batch: consumers, each with the number of its items, the next one on top.
    batch: Vec<(C, usize)>,
    /// How many items the next batch has.
    size: usize,
    /// What lies between the batch and the rest, where batches are split off as long as there is any.
    before: Option<C>,
}

impl<C> Default for Deal<C> {
    fn default() -> Self {
        Deal {
            batch: Vec::new(),
            size: 1,
            before: None,
        }
    }
}

impl<C> Deal<C> {
    /// The next part; `rest` is for the items after the last batch.
    #[cold]
    pub(crate) fn next<T>(&mut self, rest: &C) -> C
    where
        C: UnindexedConsumer<T>,
    {
        let (mut consumer, mut items) = self.batch.pop().unwrap_or_else(|| {
            let size = self.size;
            self.size = size.saturating_mul(2);
            (self.before.as_ref().unwrap_or(rest).split_off_left(), size)
        });
        while items > 1 {
            let left = consumer.split_off_left();
            self.batch.push((consumer, items - items / 2));
            (consumer, items) = (left, items / 2);
        }
        consumer
    }

    /// The rest is not what it was, but something behind it: what it was is for the next batches. Of that, half of the positions are left after each.
    pub(crate) fn keep(&mut self, rest: C) {
        self.before.get_or_insert(rest);
    }
}
