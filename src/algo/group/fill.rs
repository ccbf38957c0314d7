//! Fills a map with finished parts, while other parts are still being merged.

use crate::sync::{Mutex, lock};
use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::mem;

/// This many parts show how many keys there are in all. None is put into the map before.
const ENOUGH: usize = 16;

/// Takes parts from any thread.
///
/// A thread that brings a part takes the map, if no other thread has it, puts in all parts that wait, and gives the map back. So one thread fills it at
/// a time, and no thread waits for it. The lock is not held meanwhile, because keys are hashed and compared, which is the caller's code.
pub(super) struct Filler<K, A, S>(Mutex<FillState<K, A, S>>);

struct FillState<K, A, S> {
    /// `None` while a thread fills it.
    map: Option<HashMap<K, A, S>>,
    waiting: Vec<Vec<(K, A)>>,
    /// How many parts will come, how many have, and the entries of these.
    parts: usize,
    seen: usize,
    entries: usize,
}

impl<K, A, S> FillState<K, A, S> {
    /// How many entries there will be, as it seems. Parts are random, so those that came are a sample. Four times its deviation is added, for a
    /// map that grows in the middle takes twice as long.
    fn expected(&self) -> usize {
        let deviation = match self.seen < self.parts {
            true => 4 * self.entries.isqrt(),
            false => 0,
        };
        (self.entries + deviation).saturating_mul(self.parts) / self.seen.max(1)
    }
}

impl<K: Eq + Hash, A, S: BuildHasher> Filler<K, A, S> {
    /// For so many parts.
    pub(super) fn new(parts: usize, hasher: S) -> Self {
        Filler(Mutex::new(FillState {
            map: Some(HashMap::with_hasher(hasher)),
            waiting: Vec::new(),
            parts,
            seen: 0,
            entries: 0,
        }))
    }

    /// Takes the entries of a part, whose keys are in no other one.
    pub(super) fn give(&self, part: Vec<(K, A)>) {
        let mut state = lock(&self.0);
        state.seen += 1;
        state.entries += part.len();
        state.waiting.push(part);
        if state.seen < ENOUGH.min(state.parts) {
            return;
        }
        let Some(mut map) = state.map.take() else {
            return;
        };
        loop {
            let waiting = mem::take(&mut state.waiting);
            if waiting.is_empty() {
                state.map = Some(map);
                return;
            }
            let expected = state.expected();
            drop(state);
            if map.capacity() == 0 {
                map.reserve(expected);
            }
            for (key, acc) in waiting.into_iter().flatten() {
                // Not `extend`, which makes room for half of what it is given, needed or not.
                map.insert(key, acc);
            }
            state = lock(&self.0);
        }
    }

    /// All that was given, if all parts were.
    pub(super) fn finish(self) -> HashMap<K, A, S> {
        let mut state = lock(&self.0);
        debug_assert!(state.seen == state.parts && state.waiting.is_empty());
        // A thread that took the map and panicked has made the caller panic, too.
        state.map.take().expect("no thread has the map")
    }
}

#[cfg(test)]
mod tests {
    use super::Filler;
    use foldhash::fast::RandomState;

    #[test]
    fn takes_any_number_of_parts() {
        for parts in [1usize, 2, 15, 16, 17, 256] {
            for len in [0, 1, 50] {
                let filler = Filler::new(parts, RandomState::default());
                for part in 0..parts {
                    filler.give((0..len).map(|i| (part * len + i, part)).collect());
                }
                let map = filler.finish();
                assert_eq!(map.len(), parts * len);
                assert!((0..parts * len).all(|key| map[&key] == key / len));
            }
        }
    }

    /// A map that would double in the middle has room for less before.
    #[test]
    fn has_room_for_all_when_it_is_first_filled() {
        let filler = Filler::new(256, RandomState::default());
        let len = |part: usize| 3_400 + part * 7919 % 200;
        let mut room = 0;
        for part in 0..256 {
            filler.give((0..len(part)).map(|i| (part * 10_000 + i, ())).collect());
            let state = filler.0.lock().unwrap();
            let capacity = state.map.as_ref().unwrap().capacity();
            assert!(room == 0 || room == capacity);
            room = capacity;
        }
        assert!((256 * 3_400..=1 << 20).contains(&room));
    }
}
