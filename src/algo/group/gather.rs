//! Puts the values of each key side by side.
//!
//! Folds write values to logs. Each table numbers its keys, and a log keeps a *spot* beside each value: the number of its key, and how many
//! values of that key came before it in the log. Then the tables are merged as any others, but with counts for values. So for each key of
//! each log it is known where its values begin in the result, and all threads put the values of all logs there, one by one. That is fast
//! even if one key has all the values, or each key has only one.

use super::grouping::Grouping;
use super::merge::are_few;
use super::op::Op;
use super::stretch::Stretch;
use super::values::Groups;
use crate::algo::buffer::touch;
use crate::algo::concat::concat;
use crate::algo::moves::SharedPlaces;
use crate::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use crate::sync::{AtomicUsize, Ordering::Relaxed};
use std::hash::{BuildHasher, Hash};
use std::mem;
use std::ops::Range;

/// All of the values.
pub(super) struct Gather;

/// How many bytes a sheet of a log has, and how many values at least; and how many the first one has.
const SHEET: usize = 1 << 18;
const FEWEST: usize = 16;
const FIRST: usize = 4;

/// The number of a key among those of a log, and a number of values: of those before a value, or of all.
///
/// There is one spot for each key of a log that counts all of its values, and each of these values has another number below that.
#[repr(C, packed(4))] // beside values of 4 bytes there is no gap
pub(super) struct Spot(u64);

/// The lower bits count values: no memory holds more of them in one log.
const COUNT: u32 = 40;

impl Spot {
    /// # Panics
    ///
    /// If there are 2^24 keys before it.
    fn new(key: usize) -> Self {
        assert!(key >> (64 - COUNT) == 0, "filch: 2^24 keys in one table");
        Spot((key as u64) << COUNT)
    }

    #[inline]
    fn key(&self) -> usize {
        (self.0 >> COUNT) as usize
    }

    #[inline]
    fn count(&self) -> usize {
        (self.0 & ((1 << COUNT) - 1)) as usize
    }
}

/// Some values that follow each other.
type Sheet<V> = Vec<(V, Spot)>;

/// Values in the order in which they came.
pub(super) struct Log<V> {
    /// On sheets that are full.
    sheets: Vec<Sheet<V>>,
    /// And the last ones.
    open: Sheet<V>,
    /// How many keys were numbered.
    keys: usize,
    /// Keys of other logs.
    taken: Vec<Taken>,
}

/// A key of another log.
struct Taken {
    fold: usize,
    /// What it is in the other log: all of its values there.
    there: Spot,
    /// What it is in this log, and how many values of the key come before those.
    here: Spot,
}

impl<V> Default for Log<V> {
    fn default() -> Self {
        Log {
            sheets: Vec::new(),
            open: Vec::new(),
            keys: 0,
            taken: Vec::new(),
        }
    }
}

impl<V> Log<V> {
    /// How many values a sheet has at most: one thread puts them into their places, and frees the sheet.
    const MOST: usize = {
        let values = SHEET / size_of::<(V, Spot)>();
        if values < FEWEST { FEWEST } else { values }
    };

    #[inline(always)]
    fn push(&mut self, value: V, spot: Spot) {
        if self.open.len() == self.open.capacity() {
            self.begin_sheet();
        }
        self.open.push((value, spot));
    }

    #[cold]
    #[inline(never)]
    fn begin_sheet(&mut self) {
        let room = (2 * self.open.len()).clamp(FIRST, Self::MOST);
        let full = mem::replace(&mut self.open, Vec::with_capacity(room));
        if !full.is_empty() {
            self.sheets.push(full);
        }
    }

    fn into_sheets(mut self) -> Vec<Sheet<V>> {
        self.sheets.push(self.open);
        self.sheets
    }
}

impl<V: Send> Op<V> for Gather {
    type Acc = Spot;
    type Log = Log<V>;

    #[inline]
    fn begin(&self, first: V, log: &mut Log<V>) -> Spot {
        let mut spot = Spot::new(log.keys);
        log.keys += 1;
        self.add(&mut spot, first, log);
        spot
    }

    #[inline(always)]
    fn add(&self, spot: &mut Spot, value: V, log: &mut Log<V>) {
        log.push(value, Spot(spot.0));
        spot.0 += 1;
    }

    fn merge(&self, spot: &mut Spot, there: Spot, log: &mut Log<V>, fold: usize) {
        let (here, more) = (Spot(spot.0), there.count() as u64);
        log.taken.push(Taken { fold, there, here });
        spot.0 += more;
    }

    fn adopt(&self, there: Spot, log: &mut Log<V>, fold: usize) -> Spot {
        let mut spot = Spot::new(log.keys);
        log.keys += 1;
        self.merge(&mut spot, there, log, fold);
        spot
    }

    fn append(&self, log: &mut Log<V>, later: Log<V>) {
        let mut here = vec![0; later.keys];
        for taken in log.taken.drain(..) {
            here[taken.there.key()] = taken.here.0;
        }
        for (value, spot) in later.into_sheets().into_iter().flatten() {
            log.push(value, Spot(here[spot.key()] + spot.count() as u64));
        }
    }

    fn held(log: &Log<V>) -> usize {
        log.sheets.iter().map(Vec::len).sum::<usize>() + log.open.len()
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
    let (grouping, stretches) = Grouping::stretches(pairs, &Gather, hasher);
    if are_few(&stretches) {
        let (Stretch { table, log, .. }, logs) = grouping.merge_few(stretches);
        let log_starts = room_for_starts(&logs);
        let (groups, laid) = lay_out(table, log, 0, &log_starts);
        let len = groups.last().map_or(0, |(_, range)| range.end);
        let values = scatter(len, vec![laid], log_starts, logs);
        return Groups { groups, values };
    }
    let (parts, logs) = grouping.merge_parts(stretches, |entries, log| {
        let len: usize = entries.iter().map(|(_, spot)| spot.count()).sum();
        (len, entries, log)
    });
    let log_starts = room_for_starts(&logs);
    let mut end = 0;
    let starts = parts.iter().map(|(len, ..)| {
        end += len;
        end - len
    });
    let starts: Vec<usize> = starts.collect();
    let parts = parts.into_par_iter().zip(starts);
    let parts = parts.map(|((_, entries, log), start)| lay_out(entries, log, start, &log_starts));
    let (groups, laid) = parts.unzip();
    // First of all what takes the most memory.
    let values = scatter(end, laid, log_starts, logs);
    let groups = concat(groups);
    Groups { groups, values }
}

/// For each key of each log, where its values begin in the result.
type LogStarts = Vec<Vec<AtomicUsize>>;

/// Room for that.
fn room_for_starts<V: Send>(logs: &[Log<V>]) -> LogStarts {
    let starts = |log: &Log<V>| (0..log.keys).map(|_| AtomicUsize::new(0)).collect();
    logs.iter().map(starts).collect()
}

/// Where the values of each key of a log begin, and the sheets of the log.
type Laid<V> = (Vec<usize>, Vec<Sheet<V>>);

/// Gives each key the next places for its values, from `start` on. Says which ones; and where they begin for each key of the merged log, and (in `log_starts`)
/// of each log that went into it.
fn lay_out<K, V>(
    entries: impl IntoIterator<Item = (K, Spot)>,
    log: Log<V>,
    start: usize,
    log_starts: &LogStarts,
) -> (Vec<(K, Range<usize>)>, Laid<V>) {
    let mut starts = vec![0; log.keys];
    let mut end = start;
    let range = |(key, spot): (K, Spot)| {
        let start = end;
        end += spot.count();
        starts[spot.key()] = start;
        (key, start..end)
    };
    let groups = entries.into_iter().map(range).collect();
    for Taken { fold, there, here } in &log.taken {
        let begin = starts[here.key()] + here.count();
        log_starts[*fold][there.key()].store(begin, Relaxed);
    }
    (groups, (starts, log.into_sheets()))
}

/// Moves all values, of which there are `len`, to their places.
fn scatter<V: Send>(
    len: usize,
    mut laid: Vec<Laid<V>>,
    log_starts: LogStarts,
    logs: Vec<Log<V>>,
) -> Vec<V> {
    for (starts, log) in log_starts.into_iter().zip(logs) {
        let starts = starts.into_iter().map(AtomicUsize::into_inner).collect();
        laid.push((starts, log.into_sheets()));
    }
    let sheets = laid.iter_mut().flat_map(|(starts, sheets)| {
        let sheets = mem::take(sheets).into_iter();
        sheets.map(|sheet| (&starts[..], sheet))
    });
    let sheets: Vec<_> = sheets.collect();
    let given: usize = sheets.iter().map(|(_, sheet)| sheet.len()).sum();
    assert_eq!(given, len, "as many as were counted");
    let mut all: Vec<V> = Vec::with_capacity(len);
    touch(all.spare_capacity_mut());
    let places = SharedPlaces(all.as_mut_ptr());
    sheets.into_par_iter().for_each(|(starts, sheet)| {
        for (value, spot) in sheet {
            let at = starts[spot.key()] + spot.count();
            // SAFETY: the values of a key of a log are numbered, by the invariant of spots, and where they go `lay_out` has given that key as many
            // places as its spot counts: places of the result that no other key of any log has. There are `len` in all, as many as values. So this
            // one is in the vector, and no other value goes there.
            unsafe { places.at(at).write(value) };
        }
    });
    // SAFETY: nothing panicked, so each of `len` values was written to another one of the first `len` places.
    unsafe { all.set_len(len) };
    all
}

#[cfg(test)]
mod tests {
    use super::{COUNT, Spot};

    #[test]
    #[should_panic(expected = "2^24 keys in one table")]
    fn a_spot_has_no_room_for_more_keys() {
        let last = (1 << (64 - COUNT)) - 1;
        assert_eq!(Spot::new(last).key(), last);
        Spot::new(last + 1);
    }
}
