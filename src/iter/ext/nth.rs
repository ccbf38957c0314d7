//! `nth`: the item at a position, cut out of the producer.

use crate::iter::plumbing::{Producer, ProducerCallback};

/// Takes the item at `at`, which is below the length. The producer drops the other items without making them.
pub(super) struct Nth {
    pub(super) at: usize,
    pub(super) len: usize,
}

impl<T> ProducerCallback<T> for Nth {
    type Output = Option<T>;

    fn callback<P: Producer<Item = T>>(self, producer: P) -> Option<T> {
        let (_, rest) = producer.split_at(self.at);
        let (item, _) = if self.at + 1 < self.len {
            let (item, rest) = rest.split_at(1);
            (item, Some(rest))
        } else {
            (rest, None)
        };
        item.into_iter().next()
    }
}
