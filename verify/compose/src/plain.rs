//! What std's iterators lack, for the form of a chain on std's iterators. Everything goes through vectors: a reader trusts it, and it compiles fast.

use crate::closures::affine;
use crate::judge::FAILED;
use crate::value::Value;
use std::vec::IntoIter;

/// Adaptors of filch that std has not, on std's iterators.
pub trait Plain: Iterator + Sized {
    /// All items in a vector.
    fn all_items(self) -> Vec<Self::Item> {
        self.collect()
    }

    /// The items from the last to the first.
    fn backwards(self) -> IntoIter<Self::Item> {
        let mut items = self.all_items();
        items.reverse();
        items.into_iter()
    }

    /// Vectors of `size` items each; the last one may be shorter.
    fn chunks(self, size: usize) -> IntoIter<Vec<Self::Item>> {
        let mut chunks: Vec<Vec<Self::Item>> = Vec::new();
        for item in self {
            match chunks.last_mut() {
                Some(chunk) if chunk.len() < size => chunk.push(item),
                _ => chunks.push(vec![item]),
            }
        }
        chunks.into_iter()
    }

    /// Arrays of `N` items each, without what fills none.
    fn arrays<const N: usize>(self) -> IntoIter<[Self::Item; N]> {
        let full = self.chunks(N).filter_map(|chunk| chunk.try_into().ok());
        full.collect::<Vec<_>>().into_iter()
    }

    /// Items of both in turn; what is left of the longer one at the end.
    fn interleaved(self, other: impl Iterator<Item = Self::Item>) -> IntoIter<Self::Item> {
        let (mut left, mut right) = (self, other);
        let mut items = Vec::new();
        loop {
            let pair = (left.next(), right.next());
            if pair.0.is_none() && pair.1.is_none() {
                return items.into_iter();
            }
            items.extend(pair.0);
            items.extend(pair.1);
        }
    }

    /// Items of both in turn, until the one whose turn it is has none.
    fn interleaved_shortest(self, other: impl Iterator<Item = Self::Item>) -> IntoIter<Self::Item> {
        let (mut left, mut right) = (self, other);
        let mut items = Vec::new();
        loop {
            let Some(item) = left.next() else { break };
            items.push(item);
            let Some(item) = right.next() else { break };
            items.push(item);
        }
        items.into_iter()
    }

    /// `element` between all neighbours.
    fn between(self, element: Self::Item) -> IntoIter<Self::Item>
    where
        Self::Item: Clone,
    {
        let mut items = Vec::new();
        for item in self {
            if !items.is_empty() {
                items.push(element.clone());
            }
            items.push(item);
        }
        items.into_iter()
    }

    /// The failures and then [`FAILED`]; nothing if there is none.
    fn failures<T>(self, f: impl Fn(Self::Item) -> Result<T, u64>) -> Vec<u64> {
        let mut failures: Vec<u64> = self.filter_map(|x| f(x).err()).collect();
        if !failures.is_empty() {
            failures.push(FAILED);
        }
        failures
    }

    /// The results for all items; or the failures, as in [`failures`](Self::failures).
    fn tried<T: Value>(self, f: impl Fn(Self::Item) -> Result<T, u64>) -> Vec<u64> {
        let (mut good, mut failures) = (Vec::new(), Vec::new());
        for item in self {
            match f(item) {
                Ok(x) => good.push(x.value()),
                Err(e) => failures.push(e),
            }
        }
        if failures.is_empty() {
            return good;
        }
        failures.push(FAILED);
        failures
    }

    /// Where items are for which `wanted` holds.
    fn places(self, wanted: impl Fn(Self::Item) -> bool) -> IntoIter<usize> {
        let places = self
            .enumerate()
            .filter_map(|(at, item)| wanted(item).then_some(at));
        places.collect::<Vec<_>>().into_iter()
    }

    /// Running values, each with its own item.
    fn running(self) -> IntoIter<u64>
    where
        Self: Iterator<Item = u64>,
    {
        let mut total = None;
        let running = self.map(|x| *total.insert(total.map_or(x, |sum| affine(sum, x))));
        running.collect::<Vec<_>>().into_iter()
    }

    /// Running values, each without its own item.
    fn running_before(self, init: u64) -> IntoIter<u64>
    where
        Self: Iterator<Item = u64>,
    {
        let mut total = init;
        let running = self.map(|x| {
            let before = total;
            total = affine(total, x);
            before
        });
        running.collect::<Vec<_>>().into_iter()
    }
}

impl<I: Iterator> Plain for I {}
