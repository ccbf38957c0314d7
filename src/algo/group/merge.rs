//! The second half of grouping: the stretches that all folds have made become one entry for each key.

use super::dealt::{Columns, Dealt, PARTS, Page, Parted, Share, columns, part_of, within_part};
use super::fill::Filler;
use super::op::{Merge, Op};
use super::stretch::Stretch;
use crate::algo::places;
use crate::current_num_threads;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash};

/// The caller merges tables with no more entries than this in all: 256 parts cost as much before there is anything in them.
const FEW: usize = 1 << 13;
/// What it costs to put an entry of one table into another, in proportion to the next two.
const MOVE: usize = 10;
/// To deal an entry out, and to put it into the table of its part.
const DEAL: usize = 15;
/// To fill a map with an entry of a part.
const FILL: usize = 8;

/// So many entries of a table show how many of its keys are new to another one.
const SAMPLE: usize = 32;

/// Neighbouring tables with no more entries than this together become one at once: what there is for each of 256 parts is little beside more.
const SMALL: usize = 1 << 12;

/// The entries, one a key.
pub(super) enum Merged<K, A, S> {
    Map(HashMap<K, A, S>),
    Parts(Vec<Vec<(K, A)>>, S),
}

/// What one page has for one part. No key of a stretch is known and among its items.
enum Piece<'p, K: Send, V: Send, A: Send> {
    Known(Share<'p, (K, A)>),
    Items(Share<'p, (K, V)>),
}

impl<K: Send, V: Send, A: Send> Parted for Piece<'_, K, V, A> {
    fn kinds(&self) -> usize {
        match self {
            Piece::Known(entries) => entries.kinds(),
            Piece::Items(items) => items.kinds(),
        }
    }

    fn spread<const WIDTH: usize>(self, columns: Columns<'_, Self>) {
        match self {
            Piece::Known(entries) => columns.take::<WIDTH, _>(entries, Piece::Known),
            Piece::Items(items) => columns.take::<WIDTH, _>(items, Piece::Items),
        }
    }
}

/// Whether it is cheaper if the caller merges the tables alone, and nothing was dealt.
pub(super) fn are_few<K, V, O: Op<V>, S>(stretches: &[Stretch<K, V, O, S>]) -> bool {
    let lens = || stretches.iter().map(|stretch| stretch.table.len());
    let (all, longest) = (lens().sum::<usize>(), lens().max().unwrap_or(0));
    let moved = all - lens().next().unwrap_or(0);
    let alone = MOVE * moved;
    let shared = DEAL * all / current_num_threads() + FILL * longest;
    stretches.iter().all(|stretch| stretch.dealt.is_empty()) && (all <= FEW || alone <= shared)
}

/// Puts the entries of a table into another one, each by `put`.
///
/// They come in the order of their hashes, so a table that grew meanwhile would be overfull where they go, and take ten times as long. So it
/// grows beforehand, by as many keys as seem to be new.
pub(super) fn absorb<K: Eq + Hash, A, B, S: BuildHasher>(
    table: &mut HashMap<K, A, S>,
    other: HashMap<K, B, S>,
    mut put: impl FnMut(Entry<'_, K, A>, B),
) {
    let (known, count) = (table.len(), other.len());
    for (done, (key, x)) in other.into_iter().enumerate() {
        if done.is_power_of_two() && done >= SAMPLE {
            let new = (count - done) as u64 * (table.len() - known) as u64 / done as u64;
            table.reserve(new as usize);
        }
        put(table.entry(key), x);
    }
}

/// Puts the entries of a table into one of earlier items, those of one key together.
fn merge_tables<K, V, O, S>(table: &mut HashMap<K, O::Acc, S>, later: HashMap<K, O::Acc, S>, op: &O)
where
    K: Eq + Hash,
    O: Merge<V>,
    S: BuildHasher,
{
    absorb(table, later, |entry, acc| match entry {
        Entry::Occupied(mut known) => op.merge(known.get_mut(), acc),
        Entry::Vacant(new) => drop(new.insert(acc)),
    });
}

/// Joins neighbours if both are small. Whether it does depends on nothing but what is in them.
pub(super) fn join_small<K, V, O, S>(
    earlier: &mut Stretch<K, V, O, S>,
    later: Stretch<K, V, O, S>,
    op: &O,
) -> Option<Stretch<K, V, O, S>>
where
    K: Eq + Hash,
    O: Merge<V>,
    S: BuildHasher,
{
    let is_small = earlier.table.len() + later.table.len() <= SMALL;
    if !is_small || !earlier.dealt.is_empty() || !later.dealt.is_empty() {
        return Some(later);
    }
    merge_tables(&mut earlier.table, later.table, op);
    None
}

/// Merges the entries of all stretches.
pub(super) fn merge<K, V, O, S>(
    stretches: Vec<Stretch<K, V, O, S>>,
    op: &O,
    hasher: S,
) -> Merged<K, O::Acc, S>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Merge<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    if are_few(&stretches) {
        return Merged::Map(merge_few(stretches, op, hasher));
    }
    let parts = merge_parts(stretches, op, &hasher, |part| part);
    Merged::Parts(parts, hasher)
}

/// Likewise, in a map, which is filled meanwhile.
pub(super) fn merge_to_map<K, V, O, S>(
    stretches: Vec<Stretch<K, V, O, S>>,
    op: &O,
    hasher: S,
) -> HashMap<K, O::Acc, S>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Merge<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    if are_few(&stretches) {
        return merge_few(stretches, op, hasher);
    }
    let filler = Filler::new(PARTS, hasher.clone());
    merge_parts(stretches, op, &hasher, |part| filler.give(part));
    filler.finish()
}

/// On this thread, from tables alone.
fn merge_few<K, V, O, S>(
    stretches: Vec<Stretch<K, V, O, S>>,
    op: &O,
    hasher: S,
) -> HashMap<K, O::Acc, S>
where
    K: Eq + Hash,
    O: Merge<V>,
    S: BuildHasher,
{
    let mut tables = stretches.into_iter().map(|stretch| stretch.table);
    let Some(mut map) = tables.next() else {
        return HashMap::with_hasher(hasher);
    };
    for table in tables {
        merge_tables(&mut map, table, op);
    }
    map
}

/// Part by part: what `done` makes of the entries of each.
fn merge_parts<K, V, O, S, R: Send>(
    stretches: Vec<Stretch<K, V, O, S>>,
    op: &O,
    hasher: &S,
    done: impl Fn(Vec<(K, O::Acc)>) -> R + Sync + Send,
) -> Vec<R>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Merge<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    let deal = |stretch: Stretch<K, V, O, S>| {
        let mut known = Dealt::new();
        for (key, acc) in stretch.table {
            known.push(part_of(hasher.hash_one(&key)), (key, acc));
        }
        (known.into_pages(), stretch.dealt.into_pages())
    };
    let mut stretches: Vec<_> = stretches.into_par_iter().map(deal).collect();
    let mut pieces = Vec::new();
    for (known, items) in &mut stretches {
        pieces.extend(known.iter_mut().map(Page::share).map(Piece::Known));
        pieces.extend(items.iter_mut().map(Page::share).map(Piece::Items));
    }
    let columns = columns(pieces).into_par_iter();
    let parts = columns.map_init(PartTable::default, |places, pieces| {
        done(merge_part(pieces, op, Part::new(places, hasher)))
    });
    let parts = parts.collect();
    stretches.into_par_iter().for_each(drop);
    parts
}

/// Where the entries of a part are; one after the other, several parts use the same memory.
#[derive(Default)]
pub(super) struct PartTable {
    table: places::Places,
    /// How many entries the part before had.
    before: usize,
}

/// The entries of one part, in the order in which their keys came first.
pub(super) struct Part<'t, K, A, S> {
    pub(super) entries: Vec<(K, A)>,
    places: &'t mut PartTable,
    hasher: &'t S,
}

impl<'t, K: Eq + Hash, A, S: BuildHasher> Part<'t, K, A, S> {
    /// An empty part.
    pub(super) fn new(places: &'t mut PartTable, hasher: &'t S) -> Self {
        places.table.clear();
        Part {
            entries: Vec::with_capacity(places.before),
            places,
            hasher,
        }
    }

    pub(super) fn into_entries(self) -> Vec<(K, A)> {
        self.places.before = self.entries.len();
        self.entries
    }

    /// Where the entry of `key` is; if there is none, makes one with `x`, or changes the one that there is.
    #[inline]
    pub(super) fn put<T>(
        &mut self,
        key: K,
        x: T,
        begin: impl FnOnce(&K, T) -> A,
        add: impl FnOnce(&mut A, T),
    ) -> usize {
        let Part {
            entries,
            places,
            hasher,
        } = self;
        let hash = within_part(hasher.hash_one(&key));
        let next = entries.len();
        let known = places
            .table
            .find_or_take(hash, next, |place| entries[place].0 == key);
        match known {
            Some(place) => {
                add(&mut entries[place].1, x);
                place
            }
            None => {
                // If this panics, so does the whole part, and the table is cleared before the next one.
                let acc = begin(&key, x);
                entries.push((key, acc));
                next
            }
        }
    }
}

fn merge_part<K, V, O, S>(
    pieces: Vec<Piece<'_, K, V, O::Acc>>,
    op: &O,
    mut part: Part<'_, K, O::Acc, S>,
) -> Vec<(K, O::Acc)>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Merge<V>,
    S: BuildHasher,
{
    for piece in pieces {
        match piece {
            Piece::Known(entries) => entries.into_iter().for_each(|(key, acc)| {
                part.put(key, acc, |_, acc| acc, |known, acc| op.merge(known, acc));
            }),
            Piece::Items(items) => items.into_iter().for_each(|(key, value)| {
                part.put(
                    key,
                    value,
                    |_, value| op.begin(value, &mut ()),
                    |known, value| op.add(known, value, &mut ()),
                );
            }),
        }
    }
    part.into_entries()
}

#[cfg(test)]
mod tests {
    use super::{SMALL, join_small};
    use crate::algo::group::op::Reduce;
    use crate::algo::group::stretches::stretches;
    use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
    use foldhash::fast::RandomState;

    /// However many folds there are, what lives beside the entries is bounded by these.
    #[test]
    fn many_folds_are_few_stretches() {
        const N: usize = 20_000;
        for (kinds, len) in [(N, 1), (N, 100), (10, 1), (10, 500)] {
            let op = Reduce(|a: &mut usize, b| *a += b);
            let pairs = (0..N).into_par_iter().with_max_len(len);
            let pairs = pairs.map(|i| (i % kinds, i));
            let found = stretches(pairs, &op, &RandomState::default(), &|a, b| {
                join_small(a, b, &op)
            });
            let sum = found.iter().flat_map(|stretch| stretch.table.values());
            assert_eq!(sum.sum::<usize>(), N * (N - 1) / 2);
            assert!(found.len() <= 2 * kinds / SMALL + 1, "{}", found.len());
        }
    }
}
