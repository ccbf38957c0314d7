//! Parallel iterators over slices.

use crate::iter::IntoParallelIterator;
use crate::iter::plumbing::Producer;
use crate::iter::sources::indexed_source;
use std::slice;

/// Over references to a slice's elements; made by `par_iter`.
#[derive(Debug)]
#[must_use = "iterators are lazy and do nothing unless consumed"]
pub struct Iter<'data, T> {
    slice: &'data [T],
}

impl<T> Clone for Iter<'_, T> {
    fn clone(&self) -> Self {
        Iter { slice: self.slice }
    }
}

impl<'data, T: Sync + 'data> IntoParallelIterator for &'data [T] {
    type Item = &'data T;
    type Iter = Iter<'data, T>;

    #[inline]
    fn into_par_iter(self) -> Iter<'data, T> {
        Iter { slice: self }
    }
}

indexed_source! {
    impl['data, T: Sync + 'data] Iter<'data, T> => &'data T;
    len(self) { self.slice.len() }
    producer(self) { IterProducer(self.slice) }
}

struct IterProducer<'data, T>(&'data [T]);

impl<'data, T: Sync + 'data> Producer for IterProducer<'data, T> {
    type Item = &'data T;
    type IntoIter = slice::Iter<'data, T>;

    #[inline]
    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }

    #[inline]
    fn split_at(self, index: usize) -> (Self, Self) {
        let (left, right) = self.0.split_at(index);
        (IterProducer(left), IterProducer(right))
    }
}
