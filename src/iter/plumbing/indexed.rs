//! A producer and its length.

use super::traits::Producer;

/// A producer and its length.
pub(crate) struct Indexed<P> {
    pub(crate) producer: P,
    pub(crate) len: usize,
}

impl<P: Producer> Indexed<P> {
    /// Splits at `at`, which is at most the length.
    #[inline]
    pub(crate) fn split_at(self, at: usize) -> (Self, Self) {
        let (left, right) = self.producer.split_at(at);
        let left = Indexed {
            producer: left,
            len: at,
        };
        let right = Indexed {
            producer: right,
            len: self.len - at,
        };
        (left, right)
    }

    /// Takes the first `n` items off, or all that are left. A rest is never without items.
    #[inline]
    pub(crate) fn first_of(rest: &mut Option<Self>, n: usize) -> Option<Self> {
        let mut first = rest.take()?;
        if n < first.len {
            let (now, later) = first.split_at(n);
            (first, *rest) = (now, Some(later));
        }
        Some(first)
    }

    /// The first `len` items (`len` is at most the length). The others are dropped.
    #[inline]
    pub(crate) fn up_to(self, len: usize) -> P {
        if len == self.len {
            return self.producer;
        }
        // If a destructor of the others panics, the first ones are dropped. As a value that is already returned they would leak.
        let (first, others) = self.producer.split_at(len);
        drop(others);
        first
    }
}
