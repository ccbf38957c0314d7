//! Whether a fold should go on with its table when many of its items have new keys. It should if enough of the later items will find their
//! key in the table.

/// How many items of new keys are seen before a table is judged.
pub(super) const WINDOW: usize = 1 << 12;
/// How many items must have met a known key before a table that still grows can be judged by them.
const MET: usize = 1 << 6;
/// How many items of known keys show whether a few keys have most of them.
pub(super) const HITS: usize = 1 << 8;

/// What is known of a table.
#[derive(Clone, Copy, Debug)]
pub(super) struct Table {
    /// How many entries it has, and how many it may grow to.
    pub(super) entries: usize,
    pub(super) bound: usize,
    /// Items since it was judged last, and those that brought new keys.
    pub(super) seen: usize,
    pub(super) missed: usize,
    /// Whether all threads together have more items than their tables have room for. It is known for the whole input, not for what is left.
    pub(super) is_long: bool,
    /// Whether another fold found that a table does not pay.
    pub(super) crowded: bool,
}

impl Table {
    /// Whether it pays. `hits` are the entries that some of the items of known keys met.
    ///
    /// A table that grows pays if it will have room for three quarters of the keys. Half-way through these items it had `known` keys. If all keys come
    /// equally often and in no order, then the part of the items that met a known key is the part of the keys that were known: so there are
    /// `known * seen / met` keys. If hardly any item met a known key, this says nothing, for keys may come in turn. Nor does it if most of them met the
    /// same few keys. And a table that is not yet a quarter full has cost little.
    pub(super) fn pays(self, hits: &mut [usize]) -> bool {
        let Table {
            entries,
            bound,
            seen,
            missed,
            ..
        } = self;
        let met = seen - missed;
        if entries >= bound {
            return seen >= 4 * missed;
        }
        if 4 * entries < bound {
            return !self.crowded || seen >= 4 * missed;
        }
        let known = (entries - missed / 2) as f64;
        let keys = known * seen as f64 / met as f64;
        let fits = 3.0 * keys <= 4.0 * bound as f64;
        fits || !self.is_long || met < MET || met * singles(hits) < MET * hits.len().max(1)
    }
}

/// How many of these come once.
fn singles(hits: &mut [usize]) -> usize {
    hits.sort_unstable();
    hits.chunk_by(|a, b| a == b)
        .filter(|run| run.len() == 1)
        .count()
}

#[cfg(test)]
mod tests {
    use super::{HITS, Table, WINDOW};

    /// The table of a fold that meets these keys in turn, when it is judged first after it is a quarter full.
    fn judged(key: impl Fn(usize) -> usize) -> bool {
        let bound = 100_000;
        let mut places = std::collections::HashMap::new();
        let (mut seen, mut missed, mut hits) = (0, 0, Vec::new());
        for i in 0.. {
            seen += 1;
            let entries = places.len();
            let place = *places.entry(key(i)).or_insert(entries);
            if place < entries {
                if hits.len() < HITS {
                    hits.push(place);
                }
                continue;
            }
            missed += 1;
            if missed < WINDOW {
                continue;
            }
            let table = Table {
                entries: places.len(),
                bound,
                seen,
                missed,
                is_long: true,
                crowded: false,
            };
            if 4 * table.entries >= bound {
                return table.pays(&mut hits);
            }
            (seen, missed) = (0, 0);
            hits.clear();
        }
        unreachable!("no end of items")
    }

    /// A pseudorandom key below `kinds` for each `i`.
    fn any(i: usize, kinds: usize) -> usize {
        let mixed = (i as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        ((mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 33) as usize % kinds
    }

    #[test]
    fn a_table_that_will_not_have_room() {
        assert!(!judged(|i| any(i, 200_000)));
        assert!(judged(|i| any(i, 110_000)));
    }

    #[test]
    fn keys_in_turn_say_nothing_whatever_comes_often() {
        assert!(judged(|i| i % 50_000));
        assert!(judged(|i| if i % 50 == 0 { 7 } else { i % 50_000 }));
        assert!(judged(|i| if i % 50 == 0 {
            i / 50 % 20
        } else {
            i % 50_000
        }));
    }

    #[test]
    fn a_frequent_key_hides_no_others() {
        let mixed = |i| if i % 8 == 0 { 7 } else { any(i, 300_000) };
        assert!(!judged(mixed));
    }

    #[test]
    fn a_small_table_ends_if_others_did_not_pay() {
        let table = Table {
            entries: WINDOW,
            bound: 100_000,
            seen: WINDOW + 10,
            missed: WINDOW,
            is_long: true,
            crowded: true,
        };
        assert!(!table.pays(&mut []));
        let known = Table {
            seen: 4 * WINDOW,
            ..table
        };
        assert!(known.pays(&mut []));
        let alone = Table {
            crowded: false,
            ..table
        };
        assert!(alone.pays(&mut []));
    }
}
