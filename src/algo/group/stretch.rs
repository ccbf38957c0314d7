//! A stretch: what a fold makes of the neighbouring items that it is given. It has a table of results by key, and the items for which the
//! table had no room, in parts.

use super::judge;
use super::op::Op;
use crate::algo::dealt::Dealt;
use crate::core::threads;
use crate::sync::{AtomicBool, Ordering};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash};
use std::ptr;

/// About how many bytes the table of a fold takes, if not all keys find room in it.
const TABLE: usize = 2 << 20;
/// How many entries a table has room for at least.
const LEAST: usize = 1 << 12;
/// How many entries a table has room for at first, and in how many bytes at most.
const FIRST: usize = 28;
const ROOM: usize = 1 << 10;

/// This many entries of a table show how many of its keys are new to another one.
const SAMPLE: usize = 32;

/// Two neighbours with at most this many entries together, and as many values in their logs, are joined at once: what a stretch costs for its 256 parts is
/// little only beside more than that.
pub(super) const SMALL: usize = 1 << 12;

/// What became of some items that follow each other.
///
/// The values of a key are all in the table, or all in the parts.
pub(super) struct Stretch<K, V, O: Op<V>, S> {
    pub(super) table: HashMap<K, O::Acc, S>,
    pub(super) log: O::Log,
    pub(super) dealt: Dealt<(K, V)>,
}

/// What all folds of a call have in common.
pub(super) struct Common<'a, O, S> {
    pub(super) op: &'a O,
    pub(super) hasher: &'a S,
    /// How many items there are, if that is known.
    pub(super) len: Option<usize>,
    /// Whether the last fold that changed its mode found that a table does not pay.
    pub(super) crowded: AtomicBool,
}

impl<K, V, O: Op<V>, S> Stretch<K, V, O, S> {
    /// How many bytes of a table are an entry's.
    const ENTRY: usize = size_of::<(K, O::Acc)>() + 1;
    /// How many entries a table may grow to: as many as stay in a cache of the second level.
    const BOUND: usize = {
        let entries = TABLE / Self::ENTRY / 8 * 7;
        if entries < LEAST { LEAST } else { entries }
    };

    /// Whether the table takes no more keys.
    pub(super) fn is_full(&self) -> bool {
        self.table.len() >= Self::BOUND
    }

    /// Whether the table may be put aside before it is full.
    pub(super) fn is_large(&self) -> bool {
        4 * self.limit() >= Self::BOUND
    }

    /// Whether the table is worth it that `missed` keys of the last `seen` items were new to. Without `shared`, that depends on nothing but these items.
    #[cold]
    pub(super) fn pays(
        &self,
        (seen, missed): (usize, usize),
        hits: &mut [usize],
        shared: Option<&Common<'_, O, S>>,
    ) -> bool {
        let many = |len: usize| len / threads() > Self::BOUND;
        let table = judge::Table {
            entries: self.table.len(),
            bound: Self::BOUND,
            seen,
            missed,
            is_long: shared.is_some_and(|shared| shared.len.is_some_and(many)),
            crowded: shared.is_some_and(|shared| shared.crowded.load(Ordering::Relaxed)),
        };
        table.pays(hits)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.table.is_empty() && self.dealt.is_empty()
    }

    /// How many entries the table can have before it grows, or before items are dealt.
    pub(super) fn limit(&self) -> usize {
        self.table.capacity().min(Self::BOUND)
    }
}

impl<K: Eq + Hash, V, O: Op<V>, S: BuildHasher> Stretch<K, V, O, S> {
    /// Takes an item into the table; says where its key was, if it was there. It makes one look-up: with two, keys whose `Hash` and `Eq`
    /// disagree could give two answers.
    #[inline(always)]
    pub(super) fn put(&mut self, key: K, value: V, op: &O) -> Option<usize> {
        match self.table.entry(key) {
            Entry::Occupied(mut entry) => {
                let acc = entry.get_mut();
                op.add(acc, value, &mut self.log);
                Some(ptr::from_ref(acc).addr())
            }
            Entry::Vacant(entry) => {
                entry.insert(op.begin(value, &mut self.log));
                None
            }
        }
    }

    /// Takes the entries of a stretch of later items, fold number `fold`; gives back its log.
    ///
    /// They come in the order of their hashes, so a table that grew meanwhile would be overfull where they go, and take ten times as long. So it
    /// grows beforehand, by as many keys as seem to be new.
    pub(super) fn absorb(&mut self, later: Self, fold: usize, op: &O) -> O::Log {
        let Stretch { table, log, .. } = self;
        let (known, count) = (table.len(), later.table.len());
        for (done, (key, acc)) in later.table.into_iter().enumerate() {
            if done.is_power_of_two() && done >= SAMPLE {
                let new = (count - done) as u64 * (table.len() - known) as u64 / done as u64;
                table.reserve(new as usize);
            }
            match table.entry(key) {
                Entry::Occupied(mut known) => op.merge(known.get_mut(), acc, log, fold),
                Entry::Vacant(new) => _ = new.insert(op.adopt(acc, log, fold)),
            }
        }
        later.log
    }

    /// Takes all of a neighbour if both are small, or gives it back. Whether it does depends on nothing but what is in them.
    pub(super) fn join(&mut self, later: Self, op: &O) -> Option<Self> {
        let entries = self.table.len() + later.table.len();
        let values = O::held(&self.log) + O::held(&later.log);
        let is_dealt = !self.dealt.is_empty() || !later.dealt.is_empty();
        if is_dealt || entries.max(values) > SMALL {
            return Some(later);
        }
        let log = self.absorb(later, 0, op);
        op.append(&mut self.log, log);
        None
    }

    /// Makes room for `factor` times the entries, as far as there are items; a table that would be too large doubles by itself.
    #[cold]
    pub(super) fn grow(&mut self, factor: usize, len: Option<usize>) {
        let entries = self.table.len();
        let first = FIRST.min(ROOM / Self::ENTRY);
        let most = Self::BOUND
            .min(TABLE / Self::ENTRY)
            .min(len.unwrap_or(usize::MAX));
        let room = (factor * entries).max(first).min(most);
        self.table.reserve(room.saturating_sub(entries));
    }
}

impl<K, V, O: Op<V>, S: Clone> Stretch<K, V, O, S> {
    pub(super) fn new(hasher: &S) -> Self {
        Stretch {
            table: HashMap::with_hasher(hasher.clone()),
            log: O::Log::default(),
            dealt: Dealt::new(),
        }
    }
}
