//! All values of a key side by side.
//!
//! The folds gather values in vectors, one a key, as long as their tables pay, and deal them out otherwise. Each part then puts the values
//! that were dealt, and those from short vectors, in the order of their keys, by counting and within a cache. Long vectors are only listed,
//! so that the values of one heavy key are not the work of one thread: all that remains is to put vectors behind each other.

use super::concat::concat;
use super::merge::{Part, Places, Run, columns};
use super::op::Gather;
use super::stretch::{Stretch, stretches};
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator, ParallelIterator,
};
use crate::slice::ParallelSliceMut;
use std::fmt;
use std::hash::{BuildHasher, Hash};
use std::ops::Range;

/// Keys whose values a fold has gathered to a vector of this length are heavy.
const LONG: usize = 1 << 12;

/// Values grouped by key: all in one vector, those of a key side by side and in their order.
///
/// Made by [`group_by_key`](super::ParallelByKey::group_by_key) and [`ByKey::group`](super::ByKey::group).
///
/// ```
/// use filch::{ext::*, prelude::*};
/// let pairs = vec![("b", 1), ("a", 2), ("b", 3)];
/// let mut groups = pairs.into_par_iter().group_by_key();
/// groups.sort();
/// assert_eq!(groups.iter().collect::<Vec<_>>(), [(&"a", &[2][..]), (&"b", &[1, 3])]);
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Groups<K, V> {
    groups: Vec<(K, Range<usize>)>,
    values: Vec<V>,
}

impl<K, V> Groups<K, V> {
    /// How many keys there are.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// assert_eq!([(1, 'a'), (1, 'b')].into_par_iter().group_by_key().len(), 1);
    /// ```
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Whether there is no key at all.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// assert!(Vec::<(u8, u8)>::new().into_par_iter().group_by_key().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Each key with its values.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [(7, 'a'), (7, 'b')].into_par_iter().group_by_key();
    /// assert_eq!(groups.iter().next(), Some((&7, &['a', 'b'][..])));
    /// ```
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&K, &[V])> {
        let Groups { groups, values } = self;
        groups
            .iter()
            .map(|(key, range)| (key, &values[range.clone()]))
    }

    /// Each key with its values, in parallel.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [(1, 2.0), (3, 4.0), (1, 5.0)].into_par_iter().group_by_key();
    /// let largest = groups.par_iter().map(|(_, values)| values.len()).max();
    /// assert_eq!(largest, Some(2));
    /// ```
    pub fn par_iter(&self) -> impl IndexedParallelIterator<Item = (&K, &[V])>
    where
        K: Sync,
        V: Sync,
    {
        let Groups { groups, values } = self;
        groups
            .par_iter()
            .map(|(key, range)| (key, &values[range.clone()]))
    }

    /// All values, in the order in which they lie in memory: those of a key side by side.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let groups = [(7, 'a'), (7, 'b')].into_par_iter().group_by_key();
    /// assert_eq!(groups.values(), ['a', 'b']);
    /// ```
    pub fn values(&self) -> &[V] {
        &self.values
    }

    /// The keys, each with the range of its values in the vector beside.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let (groups, values) = [(7, 'a'), (7, 'b')].into_par_iter().group_by_key().into_parts();
    /// assert_eq!((groups, values), (vec![(7, 0..2)], vec!['a', 'b']));
    /// ```
    pub fn into_parts(self) -> (Vec<(K, Range<usize>)>, Vec<V>) {
        (self.groups, self.values)
    }

    /// Puts the groups in the order of their keys. The values stay where they are.
    ///
    /// Work O(k log k) for k keys.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    /// let mut groups = (0..100).into_par_iter().map(|i| (i % 3, i)).group_by_key();
    /// groups.sort();
    /// assert!(groups.iter().map(|(key, _)| *key).eq(0..3));
    /// ```
    pub fn sort(&mut self)
    where
        K: Ord + Send,
    {
        self.groups.par_sort_unstable_by(|a, b| a.0.cmp(&b.0));
    }
}

impl<K: Send, V: Send> Groups<K, (usize, V)> {
    /// Orders groups by the number that stands beside the first of their values, and strips the numbers.
    pub(super) fn into_numbered_order(mut self) -> Groups<K, V> {
        let values = &self.values;
        let mut groups: Vec<(usize, (K, Range<usize>))> = Vec::with_capacity(self.groups.len());
        groups.extend(
            self.groups
                .drain(..)
                .map(|group| (values[group.1.start].0, group)),
        );
        groups.par_sort_unstable_by_key(|(first, _)| *first);
        Groups {
            groups: groups.into_iter().map(|(_, group)| group).collect(),
            values: self
                .values
                .into_par_iter()
                .map(|(_, value)| value)
                .collect(),
        }
    }
}

impl<K: fmt::Debug, V: fmt::Debug> fmt::Debug for Groups<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
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
    let mut stretches = stretches(pairs, &Gather, hasher);
    let parts = if stretches.len() == 1 && stretches[0].dealt.is_empty() {
        vec![Grouped::from(stretches.remove(0))]
    } else {
        columns(stretches, hasher)
            .into_par_iter()
            .map_init(Places::default, |places, runs| {
                group_part(runs, Part::new(places, hasher), hasher)
            })
            .collect()
    };
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

/// A part in its final order.
struct Grouped<K, V> {
    /// The keys, and how many values each has.
    keys: Vec<(K, usize)>,
    /// The values, if put behind each other.
    segments: Vec<Vec<V>>,
}

impl<K, V, S> From<Stretch<K, V, Vec<V>, S>> for Grouped<K, V> {
    fn from(stretch: Stretch<K, V, Vec<V>, S>) -> Self {
        let (keys, segments) = stretch
            .table
            .into_iter()
            .map(|(key, values)| ((key, values.len()), values))
            .unzip();
        Grouped { keys, segments }
    }
}

/// What a part knows of a key.
enum Tally<V> {
    /// How many values it has.
    Light(usize),
    /// Its values, if put behind each other.
    Heavy(Vec<Vec<V>>),
}

/// Values in the order in which they came, each with the place of its key.
struct Mixed<V> {
    values: Vec<V>,
    places: Vec<usize>,
}

fn group_part<K, V, S>(
    runs: Vec<Run<K, V, Vec<V>>>,
    mut part: Part<'_, K, Tally<V>, S>,
    hasher: &S,
) -> Grouped<K, V>
where
    K: Eq + Hash,
    S: BuildHasher,
{
    let mut heavy: Vec<u64> = Vec::new();
    for (key, values) in runs.iter().flat_map(|run| &run.known).flatten() {
        if values.len() >= LONG {
            heavy.push(hasher.hash_one(key));
        }
    }
    // A light key with the hash of a heavy one is taken for heavy, which does no harm.
    let begin = |key: &K, ()| {
        if heavy.is_empty() || !heavy.contains(&hasher.hash_one(key)) {
            Tally::Light(0)
        } else {
            Tally::Heavy(Vec::new())
        }
    };
    let mut mixed = Mixed {
        values: Vec::new(),
        places: Vec::new(),
    };
    for run in runs {
        for (key, mut values) in run.known.into_iter().flatten() {
            let place = part.put(key, (), begin, |_, ()| ());
            match &mut part.entries[place].1 {
                Tally::Light(len) => {
                    *len += values.len();
                    mixed
                        .places
                        .resize(mixed.places.len() + values.len(), place);
                    mixed.values.append(&mut values);
                }
                Tally::Heavy(segments) => segments.push(values),
            }
        }
        for (key, value) in run.items.into_iter().flatten() {
            let place = part.put(key, (), begin, |_, ()| ());
            match &mut part.entries[place].1 {
                Tally::Light(len) => {
                    *len += 1;
                    mixed.places.push(place);
                    mixed.values.push(value);
                }
                Tally::Heavy(segments) => push(segments, value),
            }
        }
    }
    let mut starts = Vec::with_capacity(part.entries.len());
    let (mut keys, mut heavy_keys, mut heavy_segments) = (Vec::new(), Vec::new(), Vec::new());
    let mut start = 0;
    for (key, tally) in part.into_entries() {
        starts.push(start);
        match tally {
            Tally::Light(len) => {
                start += len;
                keys.push((key, len));
            }
            Tally::Heavy(mut segments) => {
                heavy_keys.push((key, segments.iter().map(Vec::len).sum()));
                heavy_segments.append(&mut segments);
            }
        }
    }
    keys.append(&mut heavy_keys);
    let mut segments = vec![mixed.into_order(starts)];
    segments.append(&mut heavy_segments);
    Grouped { keys, segments }
}

/// Appends a value to segments, none of which is ever moved.
fn push<V>(segments: &mut Vec<Vec<V>>, value: V) {
    match segments.last_mut() {
        Some(segment) if segment.len() < segment.capacity() => segment.push(value),
        _ => {
            let mut segment = Vec::with_capacity(LONG);
            segment.push(value);
            segments.push(segment);
        }
    }
}

impl<V> Mixed<V> {
    /// The values by the places of their keys, each key's from its start on.
    fn into_order(self, mut starts: Vec<usize>) -> Vec<V> {
        let Mixed {
            mut values,
            places: mut to,
        } = self;
        for to in &mut to {
            let next = &mut starts[*to];
            *to = *next;
            *next += 1;
        }
        // Each exchange brings one value to where it belongs.
        for i in 0..values.len() {
            while to[i] != i {
                let target = to[i];
                values.swap(i, target);
                to.swap(i, target);
            }
        }
        values
    }
}
