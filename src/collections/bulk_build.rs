//! Filling B-trees: an empty tree is built at once from its sorted entries.
//!
//! As in std's `collect`, the entries are gathered in a vector and sorted (here by all threads), and the tree is built from the bottom up in
//! one pass. That needs as many comparisons as inserting the entries one by one, but no descents from the root. If a tree already has entries,
//! the new ones are inserted one by one, while other threads still compute items.
//!
//! Of equal keys, the first key stays, with the last value. The result is the same as inserting one by one, as rayon and std's `extend` do,
//! but not as std's `collect`. The sort is stable, so the first and the last are known.
//!
//! If the keys do not ascend after the sort, they have no total order. std would sort them once more, and might panic. Here they are inserted
//! one by one.

use crate::algo::sort;
use crate::iter::sinks::collect::to_vec;
use crate::iter::sinks::pour::pour;
use crate::iter::{IntoParallelIterator, ParallelExtend};
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

impl<K: Ord + Send, V: Send> ParallelExtend<(K, V)> for BTreeMap<K, V> {
    fn par_extend<I: IntoParallelIterator<Item = (K, V)>>(&mut self, par_iter: I) {
        let par_iter = par_iter.into_par_iter();
        if !self.is_empty() {
            return pour(self, par_iter, Self::extend::<Vec<(K, V)>>);
        }
        let mut entries = to_vec(par_iter);
        let by_key = sort::By(|a: &(K, V), b: &(K, V)| a.0.cmp(&b.0));
        sort::sort(&mut entries, &by_key);
        let mut ascend = true;
        entries.dedup_by(|later, kept| {
            let order = later.0.cmp(&kept.0);
            ascend &= order.is_ge();
            if order.is_eq() {
                mem::swap(&mut later.1, &mut kept.1);
            }
            order.is_eq()
        });
        if ascend {
            *self = entries.into_iter().collect();
        } else {
            self.extend(entries);
        }
    }
}

impl<T: Ord + Send> ParallelExtend<T> for BTreeSet<T> {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, par_iter: I) {
        let par_iter = par_iter.into_par_iter();
        if !self.is_empty() {
            return pour(self, par_iter, Self::extend::<Vec<T>>);
        }
        let mut items = to_vec(par_iter);
        sort::sort(&mut items, &sort::Natural);
        let mut ascend = true;
        items.dedup_by(|later, kept| {
            let order = later.cmp(&kept);
            ascend &= order.is_ge();
            order.is_eq()
        });
        if ascend {
            *self = items.into_iter().collect();
        } else {
            self.extend(items);
        }
    }
}
