//! How a fold takes its items: into a table while keys repeat, into slots in front of the table while keys are few, and into parts while
//! keys do not repeat.

use super::front_slots::FrontSlots;
use super::heavy::{Heavy, Sampled};
use super::judge::{HITS, WINDOW};
use super::op::Op;
use super::stretch::{Common, Stretch};
use crate::algo::dealt::part_of;
use crate::sync::Ordering;
use std::hash::{BuildHasher, Hash};
use std::mem;
use std::ops::ControlFlow::{self, Break, Continue};

/// By how much a table grows while most items bring new keys. To double, as std's does, costs three times as much as all the rest.
const GROWTH: usize = 8;

/// `Continue(seen)`: the items ended, and so many were seen. `Break((seen, pays))`: the others are to be taken in another way, and if not `pays` with
/// another table.
type Flow = ControlFlow<(usize, bool), usize>;

/// A fold that is under way.
pub(super) struct PairFold<K, V, O: Op<V>, S> {
    done: Vec<Stretch<K, V, O, S>>,
    now: Stretch<K, V, O, S>,
    /// Whether a table of all keys would not pay: then items are dealt, but for those of heavy keys, which go to the table. Else all go to the table while
    /// there is room and it seems to pay, then those whose key is in it, and the others are dealt.
    deals: bool,
    /// Items, and those that brought new keys, since the table was begun or judged.
    seen: usize,
    missed: usize,
    /// Keys in front of the table, if they are few.
    front: Option<FrontSlots<K, O::Acc>>,
    /// Slots with room for so many keys were too few: there will be new ones for twice as many.
    too_few: usize,
    heavy: Heavy,
    /// The entries that the first items of known keys met since the table was judged, once it is large.
    hits: Vec<usize>,
    /// Whether it is a leaf of a reproducible iterator. How it takes items must then not depend on other folds, nor on the number of threads.
    alone: bool,
}

impl<K, V, O, S> PairFold<K, V, O, S>
where
    K: Eq + Hash,
    O: Op<V>,
    S: BuildHasher + Clone,
{
    pub(super) fn new(hasher: &S) -> Self {
        PairFold {
            done: Vec::new(),
            now: Stretch::new(hasher),
            deals: false,
            seen: 0,
            missed: 0,
            front: None,
            too_few: 0,
            heavy: Heavy::new(),
            hits: Vec::new(),
            alone: false,
        }
    }

    /// How it takes its items will not depend on anything else.
    pub(super) fn ignore_others(&mut self) {
        self.alone = true;
    }

    /// Ends the fold, and adds what it made to `stretches`.
    pub(super) fn close(mut self, stretches: &mut Vec<Stretch<K, V, O, S>>) {
        self.empty_slots();
        stretches.append(&mut self.done);
        // Where pieces are small and few items come through, most folds saw none.
        if !self.now.is_empty() {
            // Most folds leave one, and there may be many folds.
            stretches.reserve_exact(usize::from(stretches.is_empty()));
            stretches.push(self.now);
        }
    }

    /// Takes items to their end.
    #[inline]
    pub(super) fn take(
        &mut self,
        shared: &Common<'_, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) {
        // Accumulators with a log cannot move.
        let moves = const { size_of::<O::Log>() == 0 };
        let keys = self.now.table.len();
        // Where items are dealt, the table is for heavy keys: a key that had a slot, too, would be there twice.
        let may = moves && !self.deals && self.front.is_none() && keys >= 2 * self.too_few;
        if may && FrontSlots::<K, O::Acc>::pays(keys, self.seen) {
            let table = &mut self.now.table;
            self.front = Some(FrontSlots::begin(table, shared.hasher, self.seen));
        }
        loop {
            let now = &self.now;
            let flow = match self.deals {
                true => self.deal(shared, items),
                false if moves && self.front.is_some() => self.fill_slots(shared, items),
                false if now.is_full() => self.look_up(shared, items),
                false if now.is_large() => self.insert::<true>(shared, items),
                false => self.insert::<false>(shared, items),
            };
            let (seen, pays) = match flow {
                Continue(seen) => return self.seen = seen,
                Break(end) => end,
            };
            self.seen = seen;
            if !pays {
                self.change(shared);
            }
        }
    }

    /// Goes on in another way than until now.
    #[cold]
    fn change(&mut self, shared: &Common<'_, O, S>) {
        let deals = match self.deals.then(|| self.heavy.judge()) {
            Some(Sampled::Same) => return,
            None | Some(Sampled::Others) => true,
            Some(Sampled::Few) => false,
        };
        if deals != self.deals {
            shared.crowded.store(deals, Ordering::Relaxed);
        }
        self.empty_slots();
        let done = mem::replace(&mut self.now, Stretch::new(shared.hasher));
        if !done.is_empty() {
            self.done.push(done);
        }
        (self.deals, self.seen, self.missed, self.too_few) = (deals, 0, 0, 0);
        self.hits.clear();
    }

    /// Puts items into the table, which grows; to the end, or until it is `LARGE` or full, or says that it does not pay. What is done with an
    /// item of a known key is all that counts where keys are few: so the count goes from one to the next in a register.
    #[inline]
    fn insert<const LARGE: bool>(
        &mut self,
        shared: &Common<'_, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> Flow {
        let (now, hits, missed) = (&mut self.now, &mut self.hits, &mut self.missed);
        let others = (!self.alone).then_some(shared);
        items.try_fold(self.seen, |seen, (key, value)| {
            let seen = seen + 1;
            if now.table.capacity() == 0 {
                now.grow(GROWTH, shared.len);
            }
            if let Some(entry) = now.put(key, value, shared.op) {
                if LARGE && hits.len() < HITS {
                    hits.push(entry);
                }
                return Continue(seen);
            }
            *missed += 1;
            let mut goes_on = true;
            if now.table.len() >= now.limit() {
                let factor = if seen <= 2 * *missed { GROWTH } else { 2 };
                now.grow(factor, shared.len);
                goes_on = !now.is_full() && now.is_large() == LARGE;
            }
            if *missed >= WINDOW {
                let pays = now.pays((seen, *missed), hits, others);
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
        })
    }

    /// Puts items into the slots of their keys, or into the table; to the end, or until the keys are not few.
    #[inline]
    fn fill_slots(
        &mut self,
        shared: &Common<'_, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> Flow {
        let Some(front) = &mut self.front else {
            return Break((self.seen, true));
        };
        let (now, missed) = (&mut self.now, &mut self.missed);
        let flow = items.try_fold(self.seen, |seen, (key, value)| {
            let seen = seen + 1;
            let slot = front.slot(shared.hasher.hash_one(&key));
            match slot {
                Some((known, acc)) if *known == key => {
                    shared.op.add(acc, value, &mut now.log);
                    return Continue(seen);
                }
                Some(_) => {
                    let known = now.put(key, value, shared.op);
                    *missed += usize::from(known.is_none());
                    if *missed < WINDOW && front.collides_seldom(seen) {
                        return Continue(seen);
                    }
                }
                None => {
                    *slot = Some((key, shared.op.begin(value, &mut now.log)));
                    *missed += 1;
                    return Continue(seen);
                }
            }
            Break((seen, true))
        });
        if flow.is_break() {
            self.empty_slots();
        }
        flow
    }

    /// Puts what is in front of the table into it.
    fn empty_slots(&mut self) {
        if let Some(front) = self.front.take() {
            self.too_few = front.end(&mut self.now.table);
        }
    }

    /// Puts items of known keys into the table and deals the others; to the end, or until the table does not pay.
    #[inline]
    fn look_up(
        &mut self,
        shared: &Common<'_, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> Flow {
        let (now, missed) = (&mut self.now, &mut self.missed);
        let others = (!self.alone).then_some(shared);
        items.try_fold(self.seen, |seen, (key, value)| {
            let seen = seen + 1;
            if let Some(acc) = now.table.get_mut(&key) {
                shared.op.add(acc, value, &mut now.log);
                return Continue(seen);
            }
            let part = part_of(shared.hasher.hash_one(&key));
            now.dealt.push(part, (key, value));
            *missed += 1;
            if *missed < WINDOW {
                return Continue(seen);
            }
            let pays = now.pays((seen, *missed), &mut [], others);
            *missed = 0;
            if pays { Continue(0) } else { Break((0, false)) }
        })
    }

    /// Deals items, but for those of heavy keys; to the end, or until there is a new sample.
    #[inline]
    fn deal(
        &mut self,
        shared: &Common<'_, O, S>,
        items: &mut impl Iterator<Item = (K, V)>,
    ) -> Flow {
        let (now, heavy) = (&mut self.now, &mut self.heavy);
        items.try_fold(self.seen, |seen, (key, value)| {
            let hash = shared.hasher.hash_one(&key);
            let seen = seen + 1;
            if heavy.has(hash) {
                now.put(key, value, shared.op);
            } else {
                now.dealt.push(part_of(hash), (key, value));
            }
            if heavy.fills_up(hash, seen) {
                return Break((seen, false));
            }
            Continue(seen)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algo::dealt::columns;
    use crate::algo::group::op::{aggregate, count};
    use crate::core::unwind::catch;
    use crate::sync::AtomicBool;
    use foldhash::fast::RandomState;
    use std::collections::HashMap;
    use std::sync::Arc;

    /// Few keys get slots, more keys new ones, and where hardly any comes again there are none; and nothing gets lost on the way.
    #[test]
    fn keys_get_slots_while_they_are_few() {
        let op = aggregate(
            Vec::new,
            &Vec::push,
            |earlier: &mut Vec<usize>, mut later| earlier.append(&mut later),
        );
        let (hasher, len) = (RandomState::default(), None);
        let shared = Common {
            op: &op,
            hasher: &hasher,
            len,
            crowded: AtomicBool::new(false),
        };
        let (mut fold, mut want, mut next) =
            (PairFold::new(&hasher), HashMap::<_, Vec<_>>::new(), 0);
        let mut take = |n: usize, key: fn(usize) -> usize| {
            let items: Vec<(usize, usize)> = (next..next + n).map(|i| (key(i), i)).collect();
            next += n;
            for (key, i) in &items {
                want.entry(*key).or_default().push(*i);
            }
            fold.take(&shared, &mut items.into_iter());
            fold.front.is_some()
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
            let mut pages = stretch.dealt.into_pages(0);
            for (key, i) in columns(&mut pages).into_iter().flatten().flatten() {
                found.entry(key).or_default().push(i);
            }
        }
        assert_eq!(found, want);
    }

    /// Where items are dealt, those of a heavy key go to the table, which gets no slots meanwhile.
    #[test]
    fn no_item_of_a_heavy_key_is_lost() {
        let hasher = RandomState::default();
        let shared = Common {
            op: &count(),
            hasher: &hasher,
            len: None,
            crowded: AtomicBool::new(false),
        };
        let mut fold = PairFold::new(&hasher);
        fold.deals = true;
        let (blocks, block) = (100, 500);
        for first in (0..blocks).map(|number| number * block) {
            let key = |i: usize| if i.is_multiple_of(3) { 0 } else { i };
            fold.take(&shared, &mut (first..first + block).map(|i| (key(i), ())));
        }
        let (mut stretches, mut found) = (Vec::new(), 0);
        fold.close(&mut stretches);
        for stretch in stretches {
            found += stretch.table.values().sum::<usize>();
            let mut pages = stretch.dealt.into_pages(0);
            found += columns(&mut pages).into_iter().flatten().flatten().count();
        }
        assert_eq!(found, blocks * block);
    }

    /// A closure panics while keys have slots: what was combined until then is dropped once.
    #[test]
    fn a_panic_drops_what_is_in_slots() {
        let (alive, hasher) = (Arc::new(()), RandomState::default());
        let fold = |_: &mut Arc<()>, i: usize| assert!(i < 6_000, "planned");
        let op = aggregate(|| Arc::clone(&alive), &fold, |_: &mut Arc<()>, _| ());
        let shared = Common {
            op: &op,
            hasher: &hasher,
            len: None,
            crowded: AtomicBool::new(false),
        };
        let mut fold = PairFold::new(&hasher);
        fold.take(&shared, &mut (0..5_000).map(|i| (i % 3, i)));
        fold.take(&shared, &mut (5_000..5_100).map(|i| (i % 3, i)));
        assert!(fold.front.is_some());
        let rest = catch(|| fold.take(&shared, &mut (5_100..7_000).map(|i| (i % 4, i))));
        assert!(rest.is_err());
        assert_eq!(Arc::strong_count(&alive), 1 + 4);
        drop(fold);
        assert_eq!(Arc::strong_count(&alive), 1);
    }
}
