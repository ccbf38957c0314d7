//! Values in the order in which they came, and how they come into the order of their keys: by counting, as in Knuth, The Art of Computer
//! Programming, volume 3, section 5.2, algorithm D.

use crate::iter::{IntoParallelIterator, ParallelIterator};
use std::mem::{self, MaybeUninit};
use std::ops::Range;
use std::ptr;

/// Keys that have so many values get a vector of their own for the next ones: counting pays where keys are many.
const LONG: u32 = 64;
/// How many bytes of such a vector are copied at a time.
const CHUNK: usize = 1 << 16;

/// What a table says of a key, together with its log.
pub(super) struct Tally {
    /// The key's place, or which of the long ones it is.
    at: u32,
    /// How many values it has; one more than [`LONG`] for all long ones.
    len: u32,
}

impl Tally {
    /// That of a key without values.
    ///
    /// # Panics
    ///
    /// If there are 2^32 keys before it.
    pub(super) fn none(place: usize) -> Self {
        Tally {
            at: u32::try_from(place).expect("less than 2^32 keys in a table"),
            len: 0,
        }
    }
}

/// Values, most of them with the places of their keys.
pub(super) struct Log<V> {
    values: Vec<(V, u32)>,
    kinds: usize,
    long: Vec<Long<V>>,
}

/// What a key has beyond the first [`LONG`] values.
struct Long<V> {
    place: usize,
    values: Vec<V>,
}

impl<V> Default for Log<V> {
    fn default() -> Self {
        Log::of(Vec::new())
    }
}

impl<V> Log<V> {
    /// Values that have their places already.
    pub(super) fn of(values: Vec<(V, u32)>) -> Self {
        Log {
            values,
            kinds: 0,
            long: Vec::new(),
        }
    }

    /// How many keys were begun.
    pub(super) fn kinds(&self) -> usize {
        self.kinds
    }

    /// Takes the first value of a new key.
    #[inline]
    pub(super) fn begin(&mut self, first: V) -> Tally {
        let mut tally = Tally::none(self.kinds);
        self.kinds += 1;
        self.add(&mut tally, first);
        tally
    }

    /// Takes another value of a key.
    #[inline(always)]
    pub(super) fn add(&mut self, tally: &mut Tally, value: V) {
        if tally.len < LONG {
            tally.len += 1;
            self.values.push((value, tally.at));
            return;
        }
        if tally.len == LONG {
            self.lengthen(tally);
        }
        self.long[tally.at as usize].values.push(value);
    }

    #[cold]
    fn lengthen(&mut self, tally: &mut Tally) {
        let place = tally.at as usize;
        tally.at = self.long.len() as u32; // not more than keys
        tally.len += 1;
        self.long.push(Long {
            place,
            values: Vec::with_capacity(LONG as usize),
        });
    }

    /// The place of a key, and how many values it has, but for those that are beyond the first [`LONG`].
    pub(super) fn look_up(&self, tally: &Tally) -> (usize, usize) {
        let at = tally.at as usize;
        if tally.len <= LONG {
            (at, tally.len as usize)
        } else {
            (self.long[at].place, LONG as usize)
        }
    }

    /// Likewise of all keys: the numbers by place.
    pub(super) fn lens<'t>(&self, tallies: impl Iterator<Item = &'t Tally>) -> Vec<usize> {
        let mut lens = vec![0; self.kinds];
        for tally in tallies {
            let (place, len) = self.look_up(tally);
            lens[place] = len;
        }
        lens
    }

    /// Takes what a key has beyond its first values.
    pub(super) fn take_long(&mut self, tally: &Tally) -> Vec<V> {
        if tally.len <= LONG {
            return Vec::new();
        }
        mem::take(&mut self.long[tally.at as usize].values)
    }

    /// Place p becomes `there[p]`, less than 2^32.
    pub(super) fn renumber(&mut self, there: &[usize]) {
        for (_, place) in &mut self.values {
            *place = there[*place as usize] as u32;
        }
        for long in &mut self.long {
            long.place = there[long.place];
        }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.values.len()
            + self
                .long
                .iter()
                .map(|long| long.values.len())
                .sum::<usize>()
    }

    /// Whether the values of another log can come behind those of this one.
    pub(super) fn can_go_on(&self) -> bool {
        self.long.is_empty()
    }

    /// Takes another log with the same places, if this one [can go on](Self::can_go_on).
    pub(super) fn append(&mut self, mut other: Log<V>) {
        debug_assert!(self.can_go_on());
        self.values.append(&mut other.values);
        self.long.append(&mut other.long);
    }

    /// All values, but for those beyond the first [`LONG`], each with the place of its key.
    pub(super) fn into_values(self) -> Vec<(V, u32)> {
        self.values
    }
}

/// All values by place, those of a place by log, and those in the order of the log; and where each place begins, and the last one ends.
///
/// Beside each log stands how many values it has for each place, but for those beyond the first [`LONG`].
///
/// Work O(n + k l) for k places and l logs. Logs are laid out at the same time.
///
/// # Panics
///
/// If those numbers are wrong. Values may be leaked then.
pub(super) fn lay_out<V: Send>(logs: Vec<(Vec<usize>, Log<V>)>) -> (Vec<V>, Vec<usize>) {
    let kinds = logs.iter().map(|(lens, _)| lens.len()).max().unwrap_or(0);
    let mut short: Vec<Short<V>> = Vec::with_capacity(logs.len());
    let mut long = Vec::with_capacity(logs.len());
    for (lens, mut log) in logs {
        let len = lens
            .iter()
            .try_fold(0, |sum: usize, len| sum.checked_add(*len));
        assert_eq!(len, Some(log.values.len()), "tallies");
        log.long.sort_by_key(|long| long.place);
        long.push(log.long.into_iter().peekable());
        short.push(Short {
            ranges: lens.into_iter().map(|len| 0..len).collect(),
            values: log.values,
        });
    }
    let mut starts = Vec::with_capacity(kinds + 1);
    let mut copies: Vec<(usize, Vec<V>)> = Vec::new();
    let mut end = 0;
    let mut next = |len: usize| {
        let start = end;
        end = len.checked_add(start).expect("tallies");
        start..end
    };
    for place in 0..kinds {
        starts.push(next(0).start);
        for (short, long) in short.iter_mut().zip(&mut long) {
            if let Some(range) = short.ranges.get_mut(place) {
                *range = next(range.end);
            }
            while let Some(Long { values, .. }) = long.next_if(|long| long.place == place) {
                copies.push((next(values.len()).start, values));
            }
        }
    }
    starts.push(next(0).start);
    let rest = long.iter_mut().map(|long| long.len()).sum::<usize>();
    assert_eq!(rest, 0, "places without tallies");
    // SAFETY: all ranges are from `next`, so they lie behind each other and end at `end`; and each log has as many values as its ranges.
    let values = unsafe { write(end, short, copies) };
    (values, starts)
}

/// Values that go one by one to where the ranges of their places begin.
struct Short<V> {
    ranges: Vec<Range<usize>>,
    values: Vec<(V, u32)>,
}

/// Writes values to their ranges, and the `copies` to where it says that they begin.
///
/// # Panics
///
/// If a place has another number of values than its range. Values are leaked then.
///
/// # Safety
///
/// The ranges of all `short`, and those of the copies, are apart, and make up `0..total` together. The ranges of each of the short are as many
/// as its values, together.
unsafe fn write<V: Send>(
    total: usize,
    short: Vec<Short<V>>,
    mut copies: Vec<(usize, Vec<V>)>,
) -> Vec<V> {
    let mut all: Vec<V> = Vec::with_capacity(total);
    let room = Room(all.as_mut_ptr());
    short.into_par_iter().for_each(|short| {
        let mut ranges = short.ranges;
        for (value, place) in short.values {
            let range = &mut ranges[place as usize];
            assert!(range.start < range.end, "tallies");
            // SAFETY: the ranges are apart and within `total`, so this slot is in the vector, and taken once, now.
            unsafe { room.slot(range.start).write(value) };
            range.start += 1;
        }
    });
    let chunk = (CHUNK / size_of::<V>().max(1)).max(1);
    let mut moves: Vec<(usize, &mut [MaybeUninit<V>])> = Vec::with_capacity(copies.len());
    for (start, values) in &mut copies {
        let len = values.len();
        // SAFETY: nothing is left to initialise. Should the values not get to `all`, they are leaked.
        unsafe { values.set_len(0) };
        let parts = values.spare_capacity_mut()[..len].chunks_mut(chunk);
        moves.extend((*start..).step_by(chunk).zip(parts));
    }
    moves.into_par_iter().for_each(|(start, values)| {
        // SAFETY: the ranges are apart and within `total`, and nothing else is written to this part of this one.
        unsafe { ptr::copy_nonoverlapping(values.as_ptr(), room.slot(start).cast(), values.len()) };
    });
    // SAFETY: nothing panicked. So each of the short wrote all its values, each to another slot of its ranges, which are as many: they are full. So
    // are those of the copies, whose values are in their vectors no more. Together they are `total`.
    unsafe { all.set_len(total) };
    all
}

/// Where values are written, by several threads.
struct Room<V>(*mut V);

// SAFETY: through a room values are only moved to the vector it belongs to, which may be done from any thread if they may be sent. The
// caller that takes a slot promises that no other does.
unsafe impl<V: Send> Sync for Room<V> {}

impl<V> Room<V> {
    /// # Safety
    ///
    /// `at` is within the capacity of the vector, which has not been touched since.
    unsafe fn slot(&self, at: usize) -> *mut V {
        // SAFETY: by the caller.
        unsafe { self.0.add(at) }
    }
}

#[cfg(test)]
mod tests {
    use super::{LONG, Log, lay_out};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn log(pairs: &[(u32, u32)]) -> Log<u32> {
        let values = pairs.iter().map(|&(place, value)| (value, place));
        Log::of(values.collect())
    }

    #[test]
    fn by_place_then_log_then_time() {
        let first = log(&[(2, 1), (0, 2), (2, 3)]);
        let second = log(&[(3, 4), (2, 5), (0, 6), (0, 7)]);
        let (all, starts) = lay_out(vec![(vec![1, 0, 2], first), (vec![2, 0, 1, 1], second)]);
        assert_eq!(all, [2, 6, 7, 1, 3, 5, 4]);
        assert_eq!(starts, [0, 3, 3, 6, 7]);
        assert_eq!(lay_out::<u32>(Vec::new()), (vec![], vec![0]));
    }

    #[test]
    fn long_ones_too() {
        let mut log = Log::default();
        let mut tallies = [log.begin(0), log.begin(1_000), log.begin(2_000)];
        let n = 3 * LONG;
        for i in 1..n {
            log.add(&mut tallies[2], 2_000 + i);
            log.add(&mut tallies[0], i);
        }
        assert_eq!(log.lens(tallies.iter()), [LONG as usize, 1, LONG as usize]);
        log.renumber(&[1, 2, 0]);
        let lens = vec![LONG as usize, LONG as usize, 1];
        let (all, starts) = lay_out(vec![(lens, log)]);
        let expected = (2_000..2_000 + n).chain(0..n).chain([1_000]);
        assert!(all.into_iter().eq(expected));
        assert_eq!(starts, [0, n as usize, 2 * n as usize, 2 * n as usize + 1]);
    }

    #[test]
    fn wrong_numbers_are_refused() {
        let refused = |lens: &[usize], pairs: &[(u32, u32)]| {
            let log = log(pairs);
            catch_unwind(AssertUnwindSafe(|| lay_out(vec![(lens.to_vec(), log)]))).is_err()
        };
        let pairs = [(0, 1), (1, 2), (1, 3)];
        assert!(!refused(&[1, 2], &pairs) && !refused(&[1, 2, 0], &pairs));
        for lens in [&[2, 1][..], &[1, 1], &[1, 3], &[3], &[2, usize::MAX, 2]] {
            assert!(refused(lens, &pairs), "{lens:?}");
        }
    }
}
