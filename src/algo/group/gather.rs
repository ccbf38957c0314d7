//! Puts the values of each key side by side.
//!
//! A table gives each new key the next place, and values go to one log, each with the place of its key; only keys that have many get a vector of
//! their own. A few tables are joined by their keys, and their logs laid out at once, so that one heavy key is not the work of one thread. If
//! there is more, or items were dealt, each log is laid out by parts, and each part gathers the values that it is given.

use super::dealt::{Columns, Dealt, PARTS, Page, Parted, Share, columns, part_of};
use super::log::{Log, Tally, lay_out};
use super::merge::{Part, PartTable, absorb, are_few};
use super::op::Op;
use super::stretch::Stretch;
use super::stretches::stretches;
use super::values::Groups;
use crate::algo::concat::concat;
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash};
use std::iter;

/// Keys that have so many values in one stretch, beyond the first ones, are heavy: no part copies those.
const HEAVY: usize = 1 << 12;

/// So many logs with long keys are laid out at once, whatever the number of keys.
const FEW_LOGS: usize = 3;
/// Or any number of them with so many lengths in all.
const LENGTHS: usize = 1 << 16;

/// Neighbours with no more values than this together become one at once. Each value is moved once more for each doubling of a log, so only
/// what a table and a log take beside them is to be little.
const SMALL: usize = 1 << 6;

/// All of the values.
struct Gather;

impl<V: Send> Op<V> for Gather {
    type Acc = Tally;
    type Log = Log<V>;

    #[inline]
    fn begin(&self, first: V, log: &mut Log<V>) -> Tally {
        log.begin(first)
    }

    #[inline]
    fn add(&self, tally: &mut Tally, value: V, log: &mut Log<V>) {
        log.add(tally, value);
    }
}

/// Groups pairs.
pub(super) fn group<I, K, V, S>(pairs: I, hasher: &S) -> Groups<K, V>
where
    I: ParallelIterator<Item = (K, V)>,
    K: Eq + Hash + Send,
    V: Send,
    S: BuildHasher + Clone + Send + Sync,
{
    let stretches = stretches(pairs, &Gather, hasher, &join_small);
    // Each log with long keys gets a length for each key; the others become one.
    let entries: usize = stretches.iter().map(|stretch| stretch.table.len()).sum();
    let has_long = |stretch: &&Stretch<K, V, Gather, S>| !stretch.log.can_go_on();
    let logs = stretches.iter().filter(has_long).count();
    let is_small = logs <= FEW_LOGS || logs.saturating_mul(entries) <= LENGTHS;
    if is_small && are_few(&stretches) {
        join(stretches)
    } else {
        put_together(stretches, hasher)
    }
}

/// Joins neighbours if both are small.
fn join_small<K, V, S>(
    earlier: &mut Stretch<K, V, Gather, S>,
    later: Stretch<K, V, Gather, S>,
) -> Option<Stretch<K, V, Gather, S>>
where
    K: Eq + Hash,
    V: Send,
    S: BuildHasher,
{
    let has_short_log = later.log.can_go_on() && earlier.log.len() + later.log.len() <= SMALL;
    if !has_short_log || !earlier.dealt.is_empty() || !later.dealt.is_empty() {
        return Some(later);
    }
    let Stretch { table, log, .. } = later;
    let place = |(key, tally): (K, Tally)| (log.look_up(&tally).0, key);
    let mut keys: Vec<(usize, K)> = table.into_iter().map(place).collect();
    keys.sort_unstable_by_key(|(place, _)| *place);
    let mut values = log.into_values();
    values.sort_by_key(|(_, place)| *place);
    let mut values = values.into_iter().peekable();
    for (place, key) in keys {
        let mut of_key = iter::from_fn(|| values.next_if(|(_, at)| *at as usize == place));
        // Each has one.
        let Some((first, _)) = of_key.next() else {
            continue;
        };
        let tally = match earlier.table.entry(key) {
            Entry::Occupied(entry) => {
                let tally = entry.into_mut();
                earlier.log.add(tally, first);
                tally
            }
            Entry::Vacant(entry) => entry.insert(earlier.log.begin(first)),
        };
        of_key.for_each(|(value, _)| earlier.log.add(tally, value));
    }
    None
}

/// Groups what is in a few tables.
fn join<K, V, S>(stretches: Vec<Stretch<K, V, Gather, S>>) -> Groups<K, V>
where
    K: Eq + Hash + Send,
    V: Send,
    S: BuildHasher + Send,
{
    let mut stretches = stretches.into_iter();
    let Some(Stretch { mut table, log, .. }) = stretches.next() else {
        return Groups {
            groups: Vec::new(),
            values: Vec::new(),
        };
    };
    // All logs in the places of the first table; places that it does not have come behind those. Small logs become one, so that there
    // are not more lengths than values.
    let mut kinds = log.kinds();
    let mut logs = vec![(log.lens(table.values()), log)];
    for Stretch {
        table: other,
        mut log,
        ..
    } in stretches
    {
        let mut there = vec![0; log.kinds()];
        let mut tallies = Vec::with_capacity(other.len());
        absorb(&mut table, other, |entry, tally| {
            let known = entry.or_insert_with(|| {
                kinds += 1;
                Tally::none(kinds - 1)
            });
            let (place, len) = log.look_up(&tally);
            there[place] = logs[0].1.look_up(known).0;
            tallies.push((there[place], len));
        });
        log.renumber(&there);
        match logs.last_mut() {
            Some((_, last)) if log.len() < kinds && last.can_go_on() => last.append(log),
            _ => logs.push((Vec::new(), log)),
        }
        if let Some((lens, _)) = logs.last_mut() {
            lens.resize(kinds, 0);
            for (place, len) in tallies {
                lens[place] += len;
            }
        }
    }
    let log = &logs[0].1;
    let groups: Vec<(K, usize)> = table
        .into_iter()
        .map(|(key, tally)| (key, log.look_up(&tally).0))
        .collect();
    let (values, starts) = lay_out(logs);
    let groups = groups
        .into_iter()
        .map(|(key, place)| (key, starts[place]..starts[place + 1]))
        .collect();
    Groups { groups, values }
}

/// What a stretch has, by part.
struct ByPart<K, V> {
    /// The keys of its table, each with the values it has beyond its first ones.
    keys: Vec<Page<(K, Vec<V>)>>,
    /// The first ones, in the order in which they came, each with the number of its key among those of its part.
    values: Vec<Page<(V, u32)>>,
    /// What was dealt.
    items: Vec<Page<(K, V)>>,
    /// The parts of heavy keys, and their hashes.
    heavy: Vec<(usize, u64)>,
}

#[cfg(test)]
impl<K, V> ByPart<K, V> {
    /// The parts of all that is on a page.
    fn parts(&self) -> impl Iterator<Item = usize> {
        let keys = self.keys.iter().flat_map(Page::parts);
        let values = self.values.iter().flat_map(Page::parts);
        keys.chain(values)
            .chain(self.items.iter().flat_map(Page::parts))
    }
}

/// What one page has for one part. The keys of a stretch come first, then their values, then its items.
enum Piece<'p, K: Send, V: Send> {
    Keys(Share<'p, (K, Vec<V>)>),
    Values(Share<'p, (V, u32)>),
    Items(Share<'p, (K, V)>),
}

impl<K: Send, V: Send> Parted for Piece<'_, K, V> {
    fn kinds(&self) -> usize {
        match self {
            Piece::Keys(keys) => keys.kinds(),
            Piece::Values(values) => values.kinds(),
            Piece::Items(items) => items.kinds(),
        }
    }

    fn spread<const WIDTH: usize>(self, columns: Columns<'_, Self>) {
        match self {
            Piece::Keys(keys) => columns.take::<WIDTH, _>(keys, Piece::Keys),
            Piece::Values(values) => columns.take::<WIDTH, _>(values, Piece::Values),
            Piece::Items(items) => columns.take::<WIDTH, _>(items, Piece::Items),
        }
    }
}

/// Groups by parts.
fn put_together<K, V, S>(stretches: Vec<Stretch<K, V, Gather, S>>, hasher: &S) -> Groups<K, V>
where
    K: Eq + Hash + Send,
    V: Send,
    S: BuildHasher + Send + Sync,
{
    let deal = |stretch| deal(stretch, hasher);
    let mut stretches: Vec<ByPart<K, V>> = stretches.into_par_iter().map(deal).collect();
    let heavy = stretches.iter().flat_map(|stretch| &stretch.heavy);
    let mut heavy: Vec<(usize, u64)> = heavy.copied().collect();
    heavy.sort_unstable();
    heavy.dedup();
    let mut pieces = Vec::new();
    for ByPart {
        keys,
        values,
        items,
        ..
    } in &mut stretches
    {
        pieces.extend(keys.iter_mut().map(Page::share).map(Piece::Keys));
        pieces.extend(values.iter_mut().map(Page::share).map(Piece::Values));
        pieces.extend(items.iter_mut().map(Page::share).map(Piece::Items));
    }
    let columns = columns(pieces);
    let columns = columns.into_par_iter().enumerate();
    let parts: Vec<Grouped<K, V>> = columns
        .map_init(PartTable::default, |places, (number, pieces)| {
            let heavy = heavy.iter().filter(|(part, _)| *part == number);
            let heavy: Vec<u64> = heavy.map(|(_, hash)| *hash).collect();
            group_part(pieces, &heavy, Part::new(places, hasher), hasher)
        })
        .collect();
    stretches.into_par_iter().for_each(drop);
    let mut keys = Vec::with_capacity(parts.len());
    let mut segments = Vec::new();
    let mut end = 0;
    for mut part in parts {
        keys.push((end, part.keys));
        end += part.segments.iter().map(Vec::len).sum::<usize>();
        segments.append(&mut part.segments);
    }
    let ranges = |(mut end, keys): (usize, Vec<(K, usize)>)| {
        let range = |(key, len): (K, usize)| {
            end += len;
            (key, end - len..end)
        };
        keys.into_iter().map(range).collect::<Vec<_>>()
    };
    Groups {
        groups: concat(keys.into_par_iter().map(ranges).collect()),
        values: concat(segments),
    }
}

/// Deals what is in a stretch's table, beside what was dealt.
fn deal<K, V, S>(stretch: Stretch<K, V, Gather, S>, hasher: &S) -> ByPart<K, V>
where
    K: Hash,
    V: Send,
    S: BuildHasher,
{
    let Stretch {
        table,
        mut log,
        dealt,
    } = stretch;
    let (mut keys, mut values, mut heavy) = (Dealt::new(), Dealt::new(), Vec::new());
    // Where the keys are: the part, and how many of it came before.
    let mut there = vec![(0, 0); log.kinds()];
    let mut kinds = [0u32; PARTS]; // the log has no more
    for (key, tally) in table {
        let hash = hasher.hash_one(&key);
        let (part, others) = (part_of(hash), log.take_long(&tally));
        if others.len() >= HEAVY {
            heavy.push((part, hash));
        }
        there[log.look_up(&tally).0] = (part, kinds[part]);
        kinds[part] += 1;
        keys.push(part, (key, others));
    }
    for (value, place) in log.into_values() {
        let (part, number) = there[place as usize];
        values.push(part, (value, number));
    }
    ByPart {
        keys: keys.into_pages(),
        values: values.into_pages(),
        items: dealt.into_pages(),
        heavy,
    }
}

/// A part in its final order.
struct Grouped<K, V> {
    /// The keys, and how many values each has.
    keys: Vec<(K, usize)>,
    /// The values, if put behind each other.
    segments: Vec<Vec<V>>,
}

/// What a part knows of a key.
enum Weight<V> {
    /// How many values it has.
    Light(usize),
    /// Its values, if put behind each other.
    Heavy(Vec<Vec<V>>),
}

fn group_part<K, V, S>(
    pieces: Vec<Piece<'_, K, V>>,
    heavy: &[u64],
    mut part: Part<'_, K, Weight<V>, S>,
    hasher: &S,
) -> Grouped<K, V>
where
    K: Eq + Hash + Send,
    V: Send,
    S: BuildHasher,
{
    // A light key with the hash of a heavy one is taken for heavy, which is but slower.
    let begin = |key: &K, ()| {
        if heavy.is_empty() || heavy.binary_search(&hasher.hash_one(key)).is_err() {
            Weight::Light(0)
        } else {
            Weight::Heavy(Vec::new())
        }
    };
    // As many as there are, but for those beyond the first ones of a key, and not if many of them may be a heavy key's.
    let light = pieces.iter().map(|piece| match piece {
        Piece::Keys(_) => 0,
        Piece::Values(values) => values.len(),
        Piece::Items(items) => items.len(),
    });
    let room = if heavy.is_empty() { light.sum() } else { 0 };
    let mut values: Vec<(V, u32)> = Vec::with_capacity(room);
    // The places of the keys of a stretch, and the values that wait until the first ones of these keys have come.
    let (mut there, mut others): (Vec<usize>, Vec<(usize, Vec<V>)>) = Default::default();
    let mut pieces = pieces.into_iter().peekable();
    while let Some(piece) = pieces.next() {
        match piece {
            Piece::Keys(keys) => {
                there.reserve(keys.len());
                for (key, long) in keys {
                    let place = part.put(key, (), begin, |_, ()| ());
                    there.push(place);
                    if !long.is_empty() {
                        others.push((place, long));
                    }
                }
            }
            Piece::Values(first) => {
                for (value, number) in first {
                    let place = there[number as usize];
                    put(&mut part.entries[place].1, place, value, &mut values);
                }
                if matches!(pieces.peek(), Some(Piece::Values(_))) {
                    continue;
                }
                there.clear();
                for (place, others) in others.drain(..) {
                    match &mut part.entries[place].1 {
                        // Also if the key's hash has changed.
                        Weight::Light(len) => {
                            *len += others.len();
                            values.extend(others.into_iter().map(|value| (value, place as u32)));
                        }
                        Weight::Heavy(segments) => segments.push(others),
                    }
                }
            }
            Piece::Items(items) => {
                for (key, value) in items {
                    let place = part.put(key, (), begin, |_, ()| ());
                    put(&mut part.entries[place].1, place, value, &mut values);
                }
            }
        }
    }
    let mut lens = Vec::with_capacity(part.entries.len());
    let mut keys = Vec::with_capacity(part.entries.len());
    let (mut heavy_keys, mut heavy_segments) = (Vec::new(), Vec::new());
    for (key, weight) in part.into_entries() {
        match weight {
            Weight::Light(len) => {
                lens.push(len);
                keys.push((key, len));
            }
            Weight::Heavy(mut segments) => {
                lens.push(0);
                heavy_keys.push((key, segments.iter().map(Vec::len).sum()));
                heavy_segments.append(&mut segments);
            }
        }
    }
    keys.append(&mut heavy_keys);
    let mut segments = vec![lay_out(vec![(lens, Log::of(values))]).0];
    segments.append(&mut heavy_segments);
    Grouped { keys, segments }
}

/// Takes a value of the key at `place`, which no table of a part has beyond 2^32.
#[inline]
fn put<V>(weight: &mut Weight<V>, place: usize, value: V, values: &mut Vec<(V, u32)>) {
    match weight {
        Weight::Light(len) => {
            *len += 1;
            values.push((value, place as u32));
        }
        Weight::Heavy(segments) => match segments.last_mut() {
            Some(last) if last.len() < last.capacity() => last.push(value),
            last => {
                // None of them is ever moved.
                let before = last.map_or(0, |last| last.len());
                let mut segment = Vec::with_capacity((2 * before).clamp(16, HEAVY));
                segment.push(value);
                segments.push(segment);
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::{ByPart, Gather, SMALL, deal, join_small};
    use crate::algo::group::stretches::stretches;
    use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
    use foldhash::fast::RandomState;

    #[test]
    fn many_folds_take_what_their_keys_take() {
        const N: usize = 20_000;
        let hasher = RandomState::default();
        for (kinds, len) in [(N, 1), (3, 1), (3, 100)] {
            let pairs = (0..N).into_par_iter().with_max_len(len);
            let pairs = pairs.map(|i| (i % kinds, i));
            let found = stretches(pairs, &Gather, &hasher, &join_small);
            assert!(found.len() <= 2 * N / SMALL + 1, "{}", found.len());
            for stretch in found {
                let keys = stretch.table.len();
                let by_part: ByPart<_, _> = deal(stretch, &hasher);
                assert!(by_part.parts().count() <= 2 * keys);
            }
        }
    }
}
