//! Puts the values of each key side by side.
//!
//! A table gives each new key the next place, and values go to one log, each with the place of its key; only keys that have many get a vector of
//! their own. A few tables are joined by their keys, and their logs laid out at once, so that one heavy key is not the work of one thread. If
//! there is more, or items were dealt, each log is laid out by parts, and each part puts together what it is given.

use super::concat::concat;
use super::dealt::{Dealt, PARTS, part_of};
use super::log::{Log, Tally, lay_out};
use super::merge::{Part, Places, Run, columns};
use super::op::Op;
use super::stretch::{Stretch, stretches};
use super::values::Groups;
use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::hash::{BuildHasher, Hash};

/// So many tables are joined by the caller.
const FEW_TABLES: usize = 3;
/// Likewise any number of tables with so few entries in all.
const FEW_ENTRIES: usize = 1 << 12;
/// Keys that have so many values in one fold's table are heavy: no part copies those.
const HEAVY: usize = 1 << 12;

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
    let stretches = stretches(pairs, &Gather, hasher);
    let entries: usize = stretches.iter().map(|stretch| stretch.table.len()).sum();
    let dealt = stretches.iter().any(|stretch| !stretch.dealt.is_empty());
    if !dealt && (stretches.len() <= FEW_TABLES || entries <= FEW_ENTRIES) {
        join(stretches)
    } else {
        put_together(stretches, hasher)
    }
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
    // All logs in the places of the first table; places that it does not have come behind those.
    let mut kinds = log.kinds();
    let mut logs = vec![(log.lens(table.values()), log)];
    for stretch in stretches {
        let (mut log, mut lens) = (stretch.log, vec![0; kinds]);
        let mut there = vec![0; log.kinds()];
        for (key, tally) in stretch.table {
            let known = table.entry(key).or_insert_with(|| {
                lens.push(0);
                Tally::none(lens.len() - 1)
            });
            let (place, len) = log.look_up(&tally);
            there[place] = logs[0].1.look_up(known).0;
            lens[there[place]] += len;
        }
        kinds = lens.len();
        log.renumber(&there, kinds);
        logs.push((lens, log));
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

/// What a table has for one part: keys, and their values.
struct Known<K, V> {
    /// Beside each key, how many of `values` are its own; and others, which come behind those.
    keys: Vec<(K, usize, Vec<V>)>,
    values: Vec<V>,
}

impl<K, V> Default for Known<K, V> {
    fn default() -> Self {
        Known {
            keys: Vec::new(),
            values: Vec::new(),
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
    let parts: Vec<Grouped<K, V>> = columns(stretches.into_par_iter().map(deal).collect())
        .into_par_iter()
        .map_init(Places::default, |places, runs| {
            group_part(runs, Part::new(places, hasher), hasher)
        })
        .collect();
    let mut groups = Vec::with_capacity(parts.iter().map(|part| part.keys.len()).sum());
    let mut segments = Vec::new();
    let mut end = 0;
    for mut part in parts {
        groups.extend(part.keys.into_iter().map(|(key, len)| {
            end += len;
            (key, end - len..end)
        }));
        segments.append(&mut part.segments);
    }
    Groups {
        groups,
        values: concat(segments),
    }
}

/// Deals what is in a stretch's table, beside what was dealt.
#[allow(clippy::type_complexity)] // what each part is to get, and items
fn deal<K, V, S>(stretch: Stretch<K, V, Gather, S>, hasher: &S) -> (Vec<Known<K, V>>, Dealt<(K, V)>)
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
    if table.is_empty() {
        return (Vec::new(), dealt);
    }
    let mut parts: Vec<Vec<(K, Tally)>> = Vec::new();
    parts.resize_with(PARTS, Vec::new);
    for (key, tally) in table {
        parts[part_of(hasher.hash_one(&key))].push((key, tally));
    }
    // Places in the order of the parts. What is long is not copied but taken from the log before the rest is laid out.
    let mut there = vec![0; log.kinds()];
    let mut lens = Vec::with_capacity(log.kinds());
    let mut known: Vec<Known<K, V>> = Vec::with_capacity(PARTS);
    for part in parts {
        let keys = part.into_iter().map(|(key, tally)| {
            let (place, len) = log.look_up(&tally);
            there[place] = lens.len();
            lens.push(len);
            (key, len, log.take_long(&tally))
        });
        known.push(Known {
            keys: keys.collect(),
            values: Vec::new(),
        });
    }
    log.renumber(&there, lens.len());
    let mut values = lay_out(vec![(lens, log)]).0.into_iter();
    for known in &mut known {
        let len = known.keys.iter().map(|(_, len, _)| len).sum();
        known.values.reserve_exact(len);
        known.values.extend(values.by_ref().take(len));
    }
    (known, dealt)
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
    runs: Vec<Run<Known<K, V>, K, V>>,
    mut part: Part<'_, K, Weight<V>, S>,
    hasher: &S,
) -> Grouped<K, V>
where
    K: Eq + Hash,
    V: Send,
    S: BuildHasher,
{
    let mut heavy: Vec<u64> = Vec::new();
    for (key, _, others) in runs.iter().flat_map(|run| &run.known.keys) {
        if others.len() >= HEAVY {
            heavy.push(hasher.hash_one(key));
        }
    }
    // A light key with the hash of a heavy one is taken for heavy, which does no harm.
    let begin = |key: &K, ()| {
        if heavy.is_empty() || !heavy.contains(&hasher.hash_one(key)) {
            Weight::Light(0)
        } else {
            Weight::Heavy(Vec::new())
        }
    };
    let mut values: Vec<(V, u32)> = Vec::new();
    for Run { known, items } in runs {
        let mut copied = known.values.into_iter();
        for (key, len, others) in known.keys {
            let place = part.put(key, (), begin, |_, ()| ());
            let first = copied.by_ref().take(len);
            match &mut part.entries[place].1 {
                Weight::Light(light) => {
                    let before = values.len();
                    values.extend(first.chain(others).map(|value| (value, place as u32)));
                    *light += values.len() - before;
                }
                Weight::Heavy(segments) => {
                    segments.push(first.collect());
                    segments.push(others);
                }
            }
        }
        for (key, value) in items.into_iter().flatten() {
            let place = part.put(key, (), begin, |_, ()| ());
            match &mut part.entries[place].1 {
                Weight::Light(len) => {
                    *len += 1;
                    values.push((value, place as u32)); // the table of a part knows no greater ones
                }
                Weight::Heavy(segments) => push(segments, value),
            }
        }
    }
    let mut lens = Vec::with_capacity(part.entries.len());
    let (mut keys, mut heavy_keys, mut heavy_segments) = (Vec::new(), Vec::new(), Vec::new());
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
    let kinds = lens.len();
    let mut segments = vec![lay_out(vec![(lens, Log::of(values, kinds))]).0];
    segments.append(&mut heavy_segments);
    Grouped { keys, segments }
}

/// Appends a value to segments, none of which is ever moved.
fn push<V>(segments: &mut Vec<Vec<V>>, value: V) {
    match segments.last_mut() {
        Some(segment) if segment.len() < segment.capacity() => segment.push(value),
        _ => {
            let mut segment = Vec::with_capacity(HEAVY);
            segment.push(value);
            segments.push(segment);
        }
    }
}
