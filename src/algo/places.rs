//! A hash table of places: of positions in a vector that the caller keeps.
//!
//! It has linear probing (Knuth, The Art of Computer Programming, volume 3, section 6.4), and is at most half full. A slot holds half of the hash
//! beside the place. So it grows without a call of the caller's code, and few comparisons fail. hashbrown's table cannot be used
//! here: it has a feature that depends on rayon, so if this crate stands in for rayon, it would depend on itself.
//!
//! To find or take a place is O(1) as a rule; to grow is O(places), so n places are O(n) work. Memory: 16 to 64 bytes a place.

/// Where things are, by their hashes.
#[derive(Debug, Default)]
pub(crate) struct Places {
    /// As many as a power of two, or none.
    slots: Vec<PlaceSlot>,
    taken: usize,
}

#[derive(Debug, Clone, Copy)]
struct PlaceSlot {
    hash: u32,
    place: u32,
}

/// The place in a slot that is free.
const FREE: PlaceSlot = PlaceSlot {
    hash: 0,
    place: u32::MAX,
};

/// The fewest slots.
const LEAST: usize = 16;

/// A table of fewer slots grows fourfold, because moving costs more than memory.
const LARGE: usize = 1 << 16;

/// A table with this many times the slots it needed is given up when it is cleared: filling them could take longer than what comes next.
const SPARE: usize = 16;

impl Places {
    /// An empty table with room for so many places.
    pub(crate) fn with_capacity(places: usize) -> Self {
        let mut table = Places::default();
        if places > 0 {
            table.resize(slots_for(places));
        }
        table
    }

    /// How many places there are.
    pub(crate) fn len(&self) -> usize {
        self.taken
    }

    /// Forgets all places, and keeps the memory, unless that is far more than they needed.
    pub(crate) fn clear(&mut self) {
        if self.taken == 0 {
            return;
        }
        let needed = slots_for(self.taken);
        if self.slots.len() >= SPARE * needed {
            self.slots = vec![FREE; needed];
        } else {
            self.slots.fill(FREE);
        }
        self.taken = 0;
    }

    /// The place of the thing with this hash that is the `same`; if there is none, takes `place` for it.
    ///
    /// # Panics
    ///
    /// If `place` does not fit into 32 bits. If `same` panics; nothing has changed then.
    #[inline]
    pub(crate) fn find_or_take(
        &mut self,
        hash: u64,
        place: usize,
        mut same: impl FnMut(usize) -> bool,
    ) -> Option<usize> {
        if self.taken >= self.slots.len() / 2 {
            self.grow();
        }
        let hash = short(hash);
        match self.probe(hash, &mut same) {
            Ok(found) => Some(found),
            Err(free) => {
                assert!(
                    place < FREE.place as usize,
                    "more than 2^32 - 2 places in one table"
                );
                let place = place as u32;
                self.slots[free] = PlaceSlot { hash, place };
                self.taken += 1;
                None
            }
        }
    }

    /// The place of the thing with this hash that is the `same`, if there is one.
    #[inline]
    pub(crate) fn find(&self, hash: u64, mut same: impl FnMut(usize) -> bool) -> Option<usize> {
        if self.slots.is_empty() {
            return None;
        }
        self.probe(short(hash), &mut same).ok()
    }

    /// The place of the thing, or the free slot where the search for it ended. There is a slot, and one is free.
    #[inline(always)]
    fn probe(&self, hash: u32, same: &mut impl FnMut(usize) -> bool) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut at = home(hash, mask);
        loop {
            let slot = self.slots[at];
            if slot.place == FREE.place {
                return Err(at);
            }
            if slot.hash == hash && same(slot.place as usize) {
                return Ok(slot.place as usize);
            }
            at = (at + 1) & mask;
        }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self) {
        let factor = if self.slots.len() < LARGE { 4 } else { 2 };
        self.resize((factor * self.slots.len()).max(LEAST));
    }

    fn resize(&mut self, slots: usize) {
        let old = std::mem::replace(&mut self.slots, vec![FREE; slots]);
        let mask = slots - 1;
        for slot in old.into_iter().filter(|slot| slot.place != FREE.place) {
            let mut at = home(slot.hash, mask);
            while self.slots[at].place != FREE.place {
                at = (at + 1) & mask;
            }
            self.slots[at] = slot;
        }
    }
}

/// How many slots so many places need.
fn slots_for(places: usize) -> usize {
    (2 * places + 2).next_power_of_two().max(LEAST)
}

/// The part of a hash that a slot holds.
#[inline]
fn short(hash: u64) -> u32 {
    (hash ^ hash >> 32) as u32
}

/// Where a search begins: Fibonacci hashing, so that hashes which differ only in some of their bits do not pile up.
#[inline]
fn home(hash: u32, mask: usize) -> usize {
    let scrambled = u64::from(hash).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (scrambled >> 32) as usize & mask
}

#[cfg(test)]
mod tests {
    use super::Places;
    use std::collections::HashMap;

    fn take(table: &mut Places, places: usize) {
        (0..places).for_each(|i| assert_eq!(table.find_or_take(i as u64, i, |j| i == j), None));
    }

    #[test]
    fn what_one_use_needed_is_not_cleared_for_ever() {
        let mut table = Places::default();
        take(&mut table, 100_000);
        table.clear();
        assert!(table.slots.len() >= 200_000);
        take(&mut table, 3);
        table.clear();
        assert!(table.slots.len() < 100);
        take(&mut table, 3);
    }

    #[test]
    fn growth_alone_gives_up_nothing() {
        let mut table = Places::default();
        for places in 1..3_000 {
            take(&mut table, places);
            let slots = table.slots.len();
            table.clear();
            assert_eq!(table.slots.len(), slots);
            table = Places::default();
        }
    }

    #[test]
    fn finds_what_was_put_there() {
        for spread in [1u64, 1 << 32, 1 << 60, 0, 0x9E37_79B9] {
            let (mut table, mut things, mut model) =
                (Places::with_capacity(3), Vec::new(), HashMap::new());
            for round in 0..3 {
                for i in 0..500u64 {
                    let thing = i * 7919 % 301 + round;
                    let hash = thing.wrapping_mul(spread);
                    let next = things.len();
                    let known = table.find(hash, |place| things[place] == thing);
                    assert_eq!(known, model.get(&thing).copied());
                    let found = table.find_or_take(hash, next, |place| things[place] == thing);
                    assert_eq!(found, model.get(&thing).copied());
                    if found.is_none() {
                        things.push(thing);
                        model.insert(thing, next);
                    }
                }
                if round == 1 {
                    table.clear();
                    things.clear();
                    model.clear();
                }
            }
        }
    }
}
