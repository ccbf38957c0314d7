//! Slots in front of a table, for a few keys that repeat often. The hash of a key picks one slot, which takes half the time of a look-up in the table.
//!
//! A key is in its slot, or in the table if another key has that slot. Slots are never emptied, so a key stays where it is.

use std::collections::HashMap;
use std::hash::{BuildHasher, Hash};
use std::iter;
use std::mem;

/// How many bytes the slots may take: a cache of the second level has room for them and more.
const BYTES: usize = 256 << 10;

/// How many slots a key has.
const ROOM: usize = 8;

/// How many items are seen before a table is known to have few keys, and how many for each of them.
const SEEN: usize = 1 << 12;
const EACH: usize = 1 << 7;

/// Slots for keys, with what is known of each.
pub(super) struct FrontSlots<K, A> {
    slots: Box<[Option<(K, A)>]>,
    /// Which bits of a hash pick its slot.
    shift: u32,
    /// How many items had been seen when it was judged last, and how many since then had a key whose slot another key has.
    before: usize,
    collisions: usize,
}

impl<K, A> FrontSlots<K, A> {
    /// How many keys there may be at first: their slots are a power of two.
    const MOST: usize = match BYTES.checked_div(size_of::<Option<(K, A)>>()) {
        // No such key can exist, or it is as large as all slots.
        None | Some(0) => 0,
        Some(slots) => (1 << slots.ilog2()) / ROOM,
    };

    /// Whether a table of so many keys, after so many items, has few that come ever again: then most find a slot.
    #[inline]
    pub(super) fn pays(keys: usize, seen: usize) -> bool {
        seen >= SEEN && keys <= Self::MOST && keys * EACH <= seen
    }

    /// The slot of a hash.
    #[inline]
    pub(super) fn slot(&mut self, hash: u64) -> &mut Option<(K, A)> {
        let at = (hash >> self.shift) as usize & (self.slots.len() - 1);
        &mut self.slots[at]
    }

    /// One more item, after `seen`, has a key whose slot another key has. Whether that is still seldom.
    #[inline]
    pub(super) fn collides_seldom(&mut self, seen: usize) -> bool {
        self.collisions += 1;
        if self.collisions < SEEN {
            return true;
        }
        self.collisions = 0;
        4 * SEEN < seen.saturating_sub(mem::replace(&mut self.before, seen))
    }
}

impl<K: Eq + Hash, A> FrontSlots<K, A> {
    /// Takes the entries of a table out of it, if they find a slot by the hashes of this hasher; `seen` items made it.
    #[cold]
    pub(super) fn begin<S: BuildHasher>(
        table: &mut HashMap<K, A, S>,
        hasher: &S,
        seen: usize,
    ) -> Self {
        let slots = (ROOM * table.len()).next_power_of_two();
        let hashed = |entry: (K, A)| (hasher.hash_one(&entry.0), entry);
        let entries: Vec<(u64, (K, A))> = table.drain().map(hashed).collect();
        let mut front = FrontSlots {
            slots: iter::repeat_with(|| None).take(slots).collect(),
            shift: best_shift(&entries, slots),
            before: seen,
            collisions: 0,
        };
        for (hash, (key, acc)) in entries {
            let slot = front.slot(hash);
            if slot.is_none() {
                *slot = Some((key, acc));
            } else {
                table.insert(key, acc);
            }
        }
        front
    }

    /// Puts all entries into the table; says for how many keys there was room.
    #[cold]
    pub(super) fn end<S: BuildHasher>(self, table: &mut HashMap<K, A, S>) -> usize {
        let room = self.slots.len() / ROOM;
        table.reserve(self.slots.iter().flatten().count());
        for (key, acc) in self.slots.into_iter().flatten() {
            table.insert(key, acc);
        }
        room
    }
}

/// The bits of the hashes that share the fewest slots among them. Each key whose slot has another is a guess that processors get wrong.
fn best_shift<T>(hashed: &[(u64, T)], slots: usize) -> u32 {
    let mut taken = vec![false; slots];
    let mut shared = |shift: u32| {
        taken.fill(false);
        let is_shared = |(hash, _): &&(u64, T)| {
            mem::replace(&mut taken[(hash >> shift) as usize & (slots - 1)], true)
        };
        hashed.iter().filter(is_shared).count()
    };
    let shifts = [12, 20, 28, 36, 44];
    shifts
        .into_iter()
        .min_by_key(|shift| shared(*shift))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::FrontSlots;
    use foldhash::fast::RandomState;
    use std::collections::HashMap;

    #[test]
    fn all_entries_come_back() {
        for n in [0u64, 1, 2, 100, 1_000] {
            let want: HashMap<u64, u64, RandomState> = (0..n).map(|key| (key * key, key)).collect();
            let mut table = want.clone();
            let hasher = table.hasher().clone();
            let mut front = FrontSlots::begin(&mut table, &hasher, 0);
            let in_slots = front.slots.iter().flatten().count();
            assert_eq!(in_slots + table.len(), want.len());
            for (key, value) in &want {
                let hash = std::hash::BuildHasher::hash_one(table.hasher(), key);
                let in_slot = front.slot(hash).as_ref().filter(|(known, _)| known == key);
                let found = in_slot.map(|(_, value)| value).or_else(|| table.get(key));
                assert_eq!(found, Some(value));
            }
            front.end(&mut table);
            assert_eq!(table, want);
        }
    }
}
