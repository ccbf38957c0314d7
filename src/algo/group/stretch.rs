//! One fold's part in the work: a table while keys come again, parts of items while they do not.

use super::dealt::{Dealt, part_of};
use super::hot::Hot;
use super::judge::{self, HITS, WINDOW};
use super::op::Op;
use super::spare::Spare;
use crate::current_num_threads;
use crate::iter::ParallelIterator;
use crate::iter::sinks::plain::{self, Plain};
use crate::sync::{AtomicBool, Ordering};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{BuildHasher, Hash};
use std::mem;
use std::ops::ControlFlow::{self, Break, Continue};
use std::ptr;

/// About how many bytes the table of a fold takes, if not all keys find room in it.
const TABLE: usize = 2 << 20;
/// How many entries a table has room for at least.
const LEAST: usize = 1 << 12;
/// How many entries a table has room for at first, and in how many bytes at most.
const FIRST: usize = 28;
const ROOM: usize = 1 << 10;
/// By how much a table grows while most items bring new keys. To double, as std's does, costs three times as much as all the rest.
const GROWTH: usize = 8;
/// How many hashes are looked at to find keys that come often.
const SAMPLE: usize = 1 << 10;
/// A key that has this many of the hashes in a sample is kept out of the parts.
const HEAVY: usize = 8;
/// The longest stride between the hashes of a sample; a power of two.
const STRIDE: usize = 64;

/// What became of some items that follow each other.
///
/// The values of a key are all in the table, or all in the parts.
pub(super) struct Stretch<K, V, O: Op<V>, S> {
    pub(super) table: HashMap<K, O::Acc, S>,
    pub(super) log: O::Log,
    pub(super) dealt: Dealt<(K, V)>,
}

/// What is done with items at the moment.
#[derive(Clone, Copy)]
enum Mode {
    /// All go to the table while there is room and it seems to pay, then those whose key is in it; the others are dealt.
    Sift,
    /// A table of all keys would not pay: items are dealt, but for those of heavy keys, which go to the table.
    Deal,
}

/// A fold that is under way.
struct Fold<K, V, O: Op<V>, S> {
    done: Vec<Stretch<K, V, O, S>>,
    now: Stretch<K, V, O, S>,
    mode: Mode,
    /// Items, and those that brought new keys, since the mode was chosen or the table judged.
    seen: usize,
    missed: usize,
    /// Keys in front of the table, if they are few.
    hot: Option<Hot<K, O::Acc>>,
    /// The slots for so many keys were too few: there will be new ones for twice as many.
    cooled: usize,
    /// The hashes of heavy keys, sorted.
    heavy: Vec<u64>,
    /// One of each `stride` hashes.
    sample: Vec<u64>,
    /// The entries that the first items of known keys met since the table was judged, once it is large.
    hits: Vec<usize>,
    stride: usize,
}

/// Puts the second of two neighbours into the first one, or gives it back.
pub(super) type Join<'a, K, V, O, S> = dyn Fn(&mut Stretch<K, V, O, S>, Stretch<K, V, O, S>) -> Option<Stretch<K, V, O, S>>
    + Sync
    + 'a;

/// Brings `pairs` into stretches: in their order, unless the operation commutes. None is empty.
///
/// Neighbours are joined as results of folds are put together, so there are never many small ones, however many folds there are.
pub(super) fn stretches<I, K, V, O, S>(
    pairs: I,
    op: &O,
    hasher: &S,
    join: &Join<'_, K, V, O, S>,
) -> Vec<Stretch<K, V, O, S>>
where
    I: ParallelIterator<Item = (K, V)>,
    K: Eq + Hash + Send,
    V: Send,
    O: Op<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    let end = End {
        op,
        hasher,
        join,
        len: pairs.opt_len(),
        crowded: AtomicBool::new(false),
        spare: Spare::new(),
    };
    let mut stretches = plain::run(pairs, &end);
    for fold in end.spare.into_all() {
        fold.close(&mut stretches);
    }
    if O::COMMUTES {
        // The others are put into the first one.
        stretches.sort_unstable_by_key(|stretch| Reverse(stretch.table.len()));
    }
    stretches
}

struct End<'a, K, V, O: Op<V>, S> {
    op: &'a O,
    hasher: &'a S,
    join: &'a Join<'a, K, V, O, S>,
    /// How many items there are, if that is known.
    len: Option<usize>,
    /// Whether the last fold that changed its mode found that a table does not pay.
    crowded: AtomicBool,
    /// Folds that others may continue, because the operation commutes.
    spare: Spare<Fold<K, V, O, S>>,
}

impl<K, V, O, S> Plain<(K, V)> for End<'_, K, V, O, S>
where
    K: Eq + Hash + Send,
    V: Send,
    O: Op<V>,
    S: BuildHasher + Clone + Send + Sync,
{
    type State = Fold<K, V, O, S>;
    type Result = Vec<Stretch<K, V, O, S>>;

    fn begin(&self) -> Self::State {
        if O::COMMUTES
            && let Some(fold) = self.spare.take()
        {
            return fold;
        }
        // Whatever others found: few items never become parts, and a fold of few does not depend on others.
        Fold::new(self.hasher)
    }

    fn one(&self, state: Self::State, item: (K, V)) -> Self::State {
        self.many(state, std::iter::once(item))
    }

    #[inline]
    fn many(&self, mut state: Self::State, mut items: impl Iterator<Item = (K, V)>) -> Self::State {
        while let Break(()) = match state.mode {
            Mode::Sift => state.sift(self, &mut items),
            Mode::Deal => state.deal(self, &mut items),
        } {}
        state
    }

    fn end(&self, state: Self::State) -> Self::Result {
        let mut stretches = Vec::new();
        if O::COMMUTES {
            self.spare.put(state);
        } else {
            state.close(&mut stretches);
        }
        stretches
    }

    fn reduce(&self, mut left: Self::Result, right: Self::Result) -> Self::Result {
        let Some(last) = left.last_mut() else {
            return right;
        };
        let mut right = right.into_iter();
        let kept = right.next().and_then(|first| (self.join)(last, first));
        left.extend(kept);
        left.extend(right);
        left
    }
}

impl<K, V, O, S> Fold<K, V, O, S>
where
    K: Eq + Hash,
    O: Op<V>,
    S: BuildHasher + Clone,
{
    fn new(hasher: &S) -> Self {
        Fold {
            done: Vec::new(),
            now: Stretch::new(hasher),
            mode: Mode::Sift,
            seen: 0,
            missed: 0,
            hot: None,
            cooled: 0,
            heavy: Vec::new(),
            sample: Vec::new(),
            hits: Vec::new(),
            stride: 1,
        }
    }

    fn close(mut self, stretches: &mut Vec<Stretch<K, V, O, S>>) {
        self.cool();
        stretches.append(&mut self.done);
        // Where pieces are small and few items come through, most folds saw none.
        if !self.now.is_empty() {
            // Most folds leave one, and there may be many folds.
            stretches.reserve_exact(usize::from(stretches.is_empty()));
            stretches.push(self.now);
        }
    }

    /// Takes items to the end, or until the mode has changed.
    #[inline]
    fn sift(
        &mut self,
        end: &End<'_, K, V, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> ControlFlow<()> {
        let keys = self.now.table.len();
        let moves = const { size_of::<O::Log>() == 0 };
        let more = self.hot.is_none() && keys >= 2 * self.cooled;
        if moves && more && Hot::<K, O::Acc>::pays(keys, self.seen) {
            self.hot = Some(Hot::begin(&mut self.now.table, end.hasher, self.seen));
        }
        loop {
            let now = &self.now;
            let flow = if moves && self.hot.is_some() {
                self.skim(end, items)
            } else if now.table.len() >= Stretch::<K, V, O, S>::BOUND {
                self.look_up(end, items)
            } else if now.is_large() {
                self.insert::<true>(end, items)
            } else {
                self.insert::<false>(end, items)
            };
            match flow {
                Continue(()) => return Continue(()),
                Break(true) => (),
                Break(false) => {
                    end.crowded.store(true, Ordering::Relaxed);
                    self.begin_stretch(Mode::Deal, Vec::new(), end.hasher);
                    return Break(());
                }
            }
        }
    }

    /// Puts items into the table, which grows; to the end, or until it is `LARGE` or full, or says that it does not pay. What is done with an
    /// item of a known key is all that counts where keys are few: so the count goes from one to the next in a register.
    #[inline]
    fn insert<const LARGE: bool>(
        &mut self,
        end: &End<'_, K, V, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> ControlFlow<bool> {
        let (now, hits, missed) = (&mut self.now, &mut self.hits, &mut self.missed);
        let flow = items.try_fold(self.seen, |seen, (key, value)| {
            let seen = seen + 1;
            if now.table.capacity() == 0 {
                now.grow(GROWTH, end.len);
            }
            if let Some(entry) = put(&mut now.table, key, value, end.op, &mut now.log) {
                if LARGE && hits.len() < HITS {
                    hits.push(entry);
                }
                return Continue(seen);
            }
            *missed += 1;
            let mut goes_on = true;
            if now.table.len() >= now.limit() {
                let factor = if seen <= 2 * *missed { GROWTH } else { 2 };
                now.grow(factor, end.len);
                goes_on = now.table.len() < Stretch::<K, V, O, S>::BOUND && now.is_large() == LARGE;
            }
            if *missed >= WINDOW {
                let pays = now.pays((seen, *missed), hits, end);
                *missed = 0;
                hits.clear();
                return if goes_on && pays {
                    Continue(0)
                } else {
                    Break((0, pays))
                };
            }
            if goes_on {
                Continue(seen)
            } else {
                Break((seen, true))
            }
        });
        self.count(flow)
    }

    /// Puts items into the slots of their keys, or into the table; to the end, or until the keys are not few.
    #[inline]
    fn skim(
        &mut self,
        end: &End<'_, K, V, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> ControlFlow<bool> {
        let Some(hot) = &mut self.hot else {
            return Break(true);
        };
        let (now, missed) = (&mut self.now, &mut self.missed);
        let flow = items.try_fold(self.seen, |seen, (key, value)| {
            let seen = seen + 1;
            let slot = hot.slot(end.hasher.hash_one(&key));
            match slot {
                Some((known, acc)) if *known == key => {
                    end.op.add(acc, value, &mut now.log);
                    return Continue(seen);
                }
                Some(_) => {
                    let known = put(&mut now.table, key, value, end.op, &mut now.log);
                    *missed += usize::from(known.is_none());
                    if *missed < WINDOW && hot.is_seldom(seen) {
                        return Continue(seen);
                    }
                }
                None => {
                    *slot = Some((key, end.op.begin(value, &mut now.log)));
                    hot.filled();
                    *missed += 1;
                    return Continue(seen);
                }
            }
            Break((seen, true))
        });
        if flow.is_break() {
            self.cool();
        }
        self.count(flow)
    }

    /// Puts what is in front of the table into it.
    fn cool(&mut self) {
        if let Some(hot) = self.hot.take() {
            self.cooled = hot.end(&mut self.now.table);
        }
    }

    /// Puts items of known keys into the table and deals the others; to the end, or until the table does not pay.
    #[inline]
    fn look_up(
        &mut self,
        end: &End<'_, K, V, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> ControlFlow<bool> {
        let (now, missed) = (&mut self.now, &mut self.missed);
        let flow = items.try_fold(self.seen, |seen, (key, value)| {
            let seen = seen + 1;
            if let Some(acc) = now.table.get_mut(&key) {
                end.op.add(acc, value, &mut now.log);
                return Continue(seen);
            }
            let part = part_of(end.hasher.hash_one(&key));
            now.dealt.push(part, (key, value));
            *missed += 1;
            if *missed < WINDOW {
                return Continue(seen);
            }
            let pays = now.pays((seen, *missed), &mut [], end);
            *missed = 0;
            if pays { Continue(0) } else { Break((0, false)) }
        });
        self.count(flow)
    }

    /// Keeps the count with which a loop ended.
    #[inline]
    fn count(&mut self, flow: ControlFlow<(usize, bool), usize>) -> ControlFlow<bool> {
        match flow {
            Continue(seen) => {
                self.seen = seen;
                Continue(())
            }
            Break((seen, pays)) => {
                self.seen = seen;
                Break(pays)
            }
        }
    }

    /// Takes items to the end, or until the mode has changed.
    #[inline]
    fn deal(
        &mut self,
        end: &End<'_, K, V, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> ControlFlow<()> {
        let Stretch { table, log, dealt } = &mut self.now;
        let (heavy, sample, stride) = (&self.heavy[..], &mut self.sample, self.stride);
        let flow = items.try_fold(self.seen, |seen, (key, value)| {
            let hash = end.hasher.hash_one(&key);
            let seen = seen + 1;
            if heavy.is_empty() || heavy.binary_search(&hash).is_err() {
                dealt.push(part_of(hash), (key, value));
            } else {
                put(table, key, value, end.op, log);
            }
            if seen & (stride - 1) == 0 {
                sample.push(hash);
                if sample.len() >= SAMPLE {
                    return Break((seen, true));
                }
            }
            Continue(seen)
        });
        if self.count(flow).is_continue() {
            return Continue(());
        }
        self.look_at_sample(end);
        Break(())
    }

    fn begin_stretch(&mut self, mode: Mode, heavy: Vec<u64>, hasher: &S) {
        self.cool();
        let next = Stretch::new(hasher);
        let done = mem::replace(&mut self.now, next);
        if !done.is_empty() {
            self.done.push(done);
        }
        (self.mode, self.seen, self.missed) = (mode, 0, 0);
        self.hits.clear();
        self.cooled = 0;
        self.heavy = heavy;
    }

    #[inline(never)]
    fn look_at_sample(&mut self, end: &End<'_, K, V, O, S>) {
        self.stride = (2 * self.stride).min(STRIDE);
        self.sample.sort_unstable();
        let (mut heavy, mut light, mut kinds) = (Vec::new(), 0, 0);
        for run in self.sample.chunk_by(|a, b| a == b) {
            if run.len() >= HEAVY {
                heavy.push(run[0]);
            } else {
                light += run.len();
                kinds += 1;
            }
        }
        self.sample.clear();
        // One key that comes ever again would not make a table pay for the others.
        if 2 * kinds <= light {
            end.crowded.store(false, Ordering::Relaxed);
            self.begin_stretch(Mode::Sift, Vec::new(), end.hasher);
        } else if heavy
            .iter()
            .any(|hash| self.heavy.binary_search(hash).is_err())
        {
            self.begin_stretch(Mode::Deal, heavy, end.hasher);
        }
    }
}

/// Takes an item into a table; says where its key was, if it was there. One look-up: whoever makes two is at the mercy of keys that lie.
#[inline(always)]
fn put<K: Eq + Hash, V, O: Op<V>, S: BuildHasher>(
    table: &mut HashMap<K, O::Acc, S>,
    key: K,
    value: V,
    op: &O,
    log: &mut O::Log,
) -> Option<usize> {
    match table.entry(key) {
        Entry::Occupied(mut entry) => {
            let acc = entry.get_mut();
            op.add(acc, value, log);
            Some(ptr::from_ref(acc).addr())
        }
        Entry::Vacant(entry) => {
            entry.insert(op.begin(value, log));
            None
        }
    }
}

impl<K, V, O: Op<V>, S> Stretch<K, V, O, S> {
    /// How many bytes of a table are an entry's.
    const ENTRY: usize = size_of::<(K, O::Acc)>() + 1;
    /// How many entries a table may grow to: as many as stay in a cache of the second level.
    const BOUND: usize = {
        let entries = TABLE / Self::ENTRY / 8 * 7;
        if entries < LEAST { LEAST } else { entries }
    };

    /// Whether the table may be put aside before it is full.
    fn is_large(&self) -> bool {
        4 * self.limit() >= Self::BOUND
    }

    /// Whether the table is worth it that `missed` keys of the last `seen` items were new to.
    #[cold]
    fn pays(
        &self,
        (seen, missed): (usize, usize),
        hits: &mut [usize],
        end: &End<'_, K, V, O, S>,
    ) -> bool {
        let many = |len: usize| len / current_num_threads() > Self::BOUND;
        let table = judge::Table {
            entries: self.table.len(),
            bound: Self::BOUND,
            seen,
            missed,
            is_long: end.len.is_some_and(many),
            crowded: end.crowded.load(Ordering::Relaxed),
        };
        table.pays(hits)
    }

    fn is_empty(&self) -> bool {
        self.table.is_empty() && self.dealt.is_empty()
    }

    /// How many entries the table can have before it grows, or before items are dealt.
    fn limit(&self) -> usize {
        self.table.capacity().min(Self::BOUND)
    }
}

impl<K: Eq + Hash, V, O: Op<V>, S: BuildHasher> Stretch<K, V, O, S> {
    /// Makes room for `factor` times the entries, as far as there are items; a table that would be too large doubles by itself.
    #[cold]
    fn grow(&mut self, factor: usize, len: Option<usize>) {
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
    fn new(hasher: &S) -> Self {
        Stretch {
            table: HashMap::with_hasher(hasher.clone()),
            log: O::Log::default(),
            dealt: Dealt::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::group::op::Aggregate;
    use foldhash::fast::RandomState;

    /// Few keys get slots, more keys new ones, and where hardly any comes again there are none; and nothing gets lost on the way.
    #[test]
    fn keys_get_slots_while_they_are_few() {
        let op = Aggregate {
            init: Vec::new,
            fold: Vec::push,
            merge: |earlier: &mut Vec<usize>, mut later| earlier.append(&mut later),
        };
        let (hasher, len) = (RandomState::default(), None);
        let end = End {
            op: &op,
            hasher: &hasher,
            join: &|_, later| Some(later),
            len,
            crowded: AtomicBool::new(false),
            spare: Spare::new(),
        };
        let (mut fold, mut want, mut next) = (end.begin(), HashMap::<_, Vec<_>>::new(), 0);
        let mut take = |n: usize, key: fn(usize) -> usize| {
            let items: Vec<(usize, usize)> = (next..next + n).map(|i| (key(i), i)).collect();
            next += n;
            for (key, i) in &items {
                want.entry(*key).or_default().push(*i);
            }
            fold = end.many(mem::replace(&mut fold, end.begin()), items.into_iter());
            fold.hot.is_some()
        };
        assert!(!take(4_000, |i| i % 3));
        assert!(!take(100, |i| i % 3));
        assert!(take(10, |i| i % 3), "three keys");
        // Most of these share a slot with another one.
        assert!(!take(40_000, |i| i % 300));
        assert!(take(10, |i| i % 300), "300 keys");
        assert!(!take(20_000, |i| i), "all different");
        let mut stretches = Vec::new();
        fold.close(&mut stretches);
        let mut found = HashMap::<_, Vec<_>>::new();
        for stretch in stretches {
            for (key, values) in stretch.table {
                assert!(found.insert(key, values).is_none(), "{key} twice");
            }
            for (key, i) in stretch.dealt.into_parts().flatten().flatten() {
                found.entry(key).or_default().push(i);
            }
        }
        assert_eq!(found, want);
    }
}
