//! The second half of grouping: the stretches that all folds have made become one entry for each key.

use super::entries::Merged;
use super::fill::Filler;
use super::grouping::Grouping;
use super::op::Op;
use super::stretch::{Common, Stretch};
use crate::algo::dealt::{Dealt, PARTS, columns, part_of, within_part};
use crate::algo::places::Places;
use crate::core::{leaf, threads};
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};

/// The caller merges tables with no more entries than this in all: 256 parts cost as much before there is anything in them.
const FEW: usize = 1 << 13;
/// The caller never merges more than this alone: a log of groups cannot number this many keys.
const MANY: usize = 1 << 24;
/// What it costs to put an entry of one table into another, in proportion to the next two.
const MOVE: usize = 10;
/// To deal an entry out, and to put it into the table of its part.
const DEAL: usize = 15;
/// To fill a map with an entry of a part.
const FILL: usize = 8;

/// Whether it is cheaper if the caller merges the tables alone, and nothing was dealt.
pub(super) fn are_few<K, V, O: Op<V>, S>(stretches: &[Stretch<K, V, O, S>]) -> bool {
    let lens = || stretches.iter().map(|stretch| stretch.table.len());
    let (all, longest) = (lens().sum::<usize>(), lens().max().unwrap_or(0));
    let moved = all - lens().next().unwrap_or(0);
    let alone = MOVE * moved;
    let shared = DEAL * all / threads() + FILL * longest;
    let most = if alone <= shared { MANY } else { FEW };
    let is_cheap = all <= leaf(most, 0).min(MANY);
    is_cheap && stretches.iter().all(|stretch| stretch.dealt.is_empty())
}

impl<K, V, O, S> Grouping<'_, K, V, O, S>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Op<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    /// Merges the entries of all stretches.
    pub(super) fn merge(&self, stretches: Vec<Stretch<K, V, O, S>>) -> Merged<K, O::Acc, S> {
        if are_few(&stretches) {
            return Merged::Map(self.merge_few(stretches).0.table);
        }
        let (parts, _) = self.merge_parts(stretches, |entries, _| entries);
        Merged::Parts(parts, self.shared.hasher.clone())
    }

    /// Likewise, in a map, which is filled meanwhile.
    pub(super) fn merge_to_map(
        &self,
        stretches: Vec<Stretch<K, V, O, S>>,
    ) -> HashMap<K, O::Acc, S> {
        if are_few(&stretches) {
            return self.merge_few(stretches).0.table;
        }
        let filler = Filler::new(PARTS, self.shared.hasher.clone());
        self.merge_parts(stretches, |entries, _| filler.give(entries));
        filler.finish()
    }

    /// On this thread, from tables alone: all are put into the first one, and the other logs stay.
    pub(super) fn merge_few(
        &self,
        stretches: Vec<Stretch<K, V, O, S>>,
    ) -> (Stretch<K, V, O, S>, Vec<O::Log>) {
        let Common { op, hasher, .. } = self.shared;
        let mut stretches = stretches.into_iter();
        let first = stretches.next();
        let mut first = first.unwrap_or_else(|| Stretch::new(hasher));
        let logs = stretches.enumerate();
        let logs = logs
            .map(|(fold, later)| first.absorb(later, fold, op))
            .collect();
        (first, logs)
    }

    /// Merges part by part. Returns what `done` makes of the entries of each part and their log; and the logs of the stretches.
    pub(super) fn merge_parts<R: Send>(
        &self,
        stretches: Vec<Stretch<K, V, O, S>>,
        done: impl Fn(Vec<(K, O::Acc)>, O::Log) -> R + Sync + Send,
    ) -> (Vec<R>, Vec<O::Log>) {
        let Common { op, hasher, .. } = self.shared;
        let folds = stretches.len();
        let deal = |(fold, stretch): (usize, Stretch<K, V, O, S>)| {
            let mut known = Dealt::new();
            for (key, acc) in stretch.table {
                known.push(part_of(hasher.hash_one(&key)), (key, acc));
            }
            let items = stretch.dealt.into_pages(fold);
            (known.into_pages(fold), items, stretch.log)
        };
        let dealt: Vec<_> = stretches.into_par_iter().enumerate().map(deal).collect();
        let (mut known, mut items, mut logs) = (Vec::new(), Vec::new(), Vec::with_capacity(folds));
        for (of_known, of_items, log) in dealt {
            known.extend(of_known);
            items.extend(of_items);
            logs.push(log);
        }
        let parts = columns(&mut known).into_par_iter().zip(columns(&mut items));
        let parts = parts.map_init(Places::default, |places, (mut known, mut items)| {
            let mut part = PartEntries::new(places, hasher, op);
            // No key is known to a fold and among its items.
            for fold in 0..folds {
                while let Some(entries) = known.next_of(fold) {
                    entries.for_each(|(key, acc)| part.merge(key, acc, fold));
                }
                while let Some(items) = items.next_of(fold) {
                    items.for_each(|(key, value)| part.add(key, value));
                }
            }
            done(part.entries, part.log)
        });
        let parts = parts.collect();
        known.into_par_iter().for_each(drop);
        items.into_par_iter().for_each(drop);
        (parts, logs)
    }
}

/// The entries of one part, in the order in which their keys came first.
struct PartEntries<'t, K, V, O: Op<V>, S> {
    entries: Vec<(K, O::Acc)>,
    log: O::Log,
    /// Where they are, by their hashes. One after the other, several parts use the same memory.
    places: &'t mut Places,
    hasher: &'t S,
    op: &'t O,
}

impl<'t, K: Eq + Hash, V, O: Op<V>, S: BuildHasher> PartEntries<'t, K, V, O, S> {
    fn new(places: &'t mut Places, hasher: &'t S, op: &'t O) -> Self {
        // About as many as the part before had.
        let entries = Vec::with_capacity(places.len());
        places.clear();
        PartEntries {
            entries,
            log: O::Log::default(),
            places,
            hasher,
            op,
        }
    }

    /// Where the entry of a key is. If there is none, the caller has to push it; if that panics, so does the whole part.
    #[inline]
    fn find(&mut self, key: &K) -> Option<usize> {
        let hash = within_part(self.hasher.hash_one(key));
        let entries = &self.entries;
        let same = |place: usize| entries[place].0 == *key;
        self.places.find_or_take(hash, entries.len(), same)
    }

    #[inline]
    fn add(&mut self, key: K, value: V) {
        match self.find(&key) {
            Some(at) => self.op.add(&mut self.entries[at].1, value, &mut self.log),
            None => {
                let acc = self.op.begin(value, &mut self.log);
                self.entries.push((key, acc));
            }
        }
    }

    #[inline]
    fn merge(&mut self, key: K, acc: O::Acc, fold: usize) {
        match self.find(&key) {
            Some(at) => {
                let known = &mut self.entries[at].1;
                self.op.merge(known, acc, &mut self.log, fold);
            }
            None => {
                let acc = self.op.adopt(acc, &mut self.log, fold);
                self.entries.push((key, acc));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::algo::group::gather::Gather;
    use crate::algo::group::grouping::Grouping;
    use crate::algo::group::op::{Op, reduce};
    use crate::algo::group::stretch::{SMALL, Stretch};
    use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
    use foldhash::fast::RandomState;

    const N: usize = 20_000;

    fn pairs(kinds: usize, len: usize) -> impl ParallelIterator<Item = (usize, usize)> {
        let pairs = (0..N).into_par_iter().with_max_len(len);
        pairs.map(move |i| (i % kinds, i))
    }

    fn stretches<O: Op<usize>>(
        pairs: impl ParallelIterator<Item = (usize, usize)>,
        op: &O,
    ) -> Vec<Stretch<usize, usize, O, RandomState>> {
        Grouping::stretches(pairs, op, &RandomState::default()).1
    }

    /// However many folds there are, what lives beside the entries is bounded by these.
    #[test]
    fn many_folds_are_few_stretches() {
        for (kinds, len) in [(N, 1), (N, 100), (10, 1), (10, 500)] {
            let sum = |a: &mut usize, b| *a += b;
            let found = stretches(pairs(kinds, len), &reduce(&sum));
            let all = found.iter().flat_map(|stretch| stretch.table.values());
            assert_eq!(all.sum::<usize>(), N * (N - 1) / 2);
            assert!(found.len() <= 2 * kinds / SMALL + 1, "{}", found.len());
        }
    }

    #[test]
    fn many_folds_have_few_logs() {
        for (kinds, len) in [(N, 1), (3, 1), (3, 100)] {
            let found = stretches(pairs(kinds, len), &Gather);
            let logs = found.iter().map(|stretch| &stretch.log);
            assert_eq!(logs.map(<Gather as Op<usize>>::held).sum::<usize>(), N);
            assert!(found.len() <= 2 * N / SMALL + 1, "{}", found.len());
        }
    }
}
