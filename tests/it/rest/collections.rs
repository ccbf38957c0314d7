//! The other collections of std, as sources and drained.

use crate::support::{Ledger, Place, costly, ints, oracle, same_everywhere};
use filch::prelude::*;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{Hash, Hasher};

/// By value, shared and (where there is such a thing) mutable, in the order of the collection.
macro_rules! ordered {
    ($($name:ident: $collection:ty;)*) => {$(
        #[test]
        fn $name() {
            oracle(
                ints(),
                |v| {
                    let make = || v.iter().copied().collect::<$collection>();
                    (
                        make().par_iter().map(|x| costly(*x)).collect::<Vec<_>>(),
                        make().into_par_iter().collect::<Vec<_>>(),
                    )
                },
                |v| {
                    let make = || v.iter().copied().collect::<$collection>();
                    (make().iter().copied().collect(), make().into_iter().collect())
                },
            );
        }
    )*};
}

ordered! {
    btree_set: BTreeSet<i32>; binary_heap: BinaryHeap<i32>; linked_list: LinkedList<i32>;
    vec_deque: VecDeque<i32>;
}

#[test]
fn hash_set() {
    oracle(
        ints(),
        |v| {
            let set: HashSet<i32> = v.iter().copied().collect();
            let sum = set.par_iter().map(|x| costly(*x)).sum::<i32>();
            (
                sum,
                set.into_par_iter().map(|x| x + 1).collect::<HashSet<_>>(),
            )
        },
        |v| {
            let set: HashSet<i32> = v.iter().copied().collect();
            (set.iter().sum(), set.iter().map(|x| x + 1).collect())
        },
    );
}

#[test]
fn btree_map() {
    oracle(
        ints(),
        |v| {
            let mut map: BTreeMap<i32, usize> = v.iter().copied().zip(0..).collect();
            map.par_iter_mut()
                .for_each(|(k, v)| *v += *k as u32 as usize);
            let pairs: Vec<(i32, usize)> = map.par_iter().map(|(k, v)| (*k, *v)).collect();
            (
                pairs,
                map.into_par_iter().map(|(_, v)| v).collect::<Vec<_>>(),
            )
        },
        |v| {
            let mut map: BTreeMap<i32, usize> = v.iter().copied().zip(0..).collect();
            map.iter_mut().for_each(|(k, v)| *v += *k as u32 as usize);
            let values = map.values().copied().collect();
            (map.into_iter().collect(), values)
        },
    );
}

#[test]
fn changed_in_place() {
    oracle(
        ints(),
        |v| {
            let mut deque: VecDeque<i32> = v.iter().copied().collect();
            deque.rotate_left(v.len() / 3);
            deque
                .par_iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x += i as i32);
            let mut list: LinkedList<i32> = v.iter().copied().collect();
            list.par_iter_mut().for_each(|x| *x *= 2);
            (deque, list)
        },
        |v| {
            let mut deque: VecDeque<i32> = v.iter().copied().collect();
            deque.rotate_left(v.len() / 3);
            deque
                .iter_mut()
                .enumerate()
                .for_each(|(i, x)| *x += i as i32);
            (deque, v.iter().map(|x| x * 2).collect())
        },
    );
}

#[test]
fn drained() {
    oracle(
        ints(),
        |v| {
            let mut deque: VecDeque<i32> = v.iter().copied().collect();
            deque.rotate_left(v.len() / 3);
            let some: Vec<i32> = deque.par_drain(v.len() / 4..v.len() / 2).collect();
            let mut heap: BinaryHeap<i32> = v.iter().copied().collect();
            let mut set: HashSet<i32> = v.iter().copied().collect();
            let mut map: HashMap<i32, i32> = v.iter().map(|x| (*x, -x)).collect();
            let counts = [
                heap.par_drain().filter(|x| *x > 0).count(),
                set.par_drain().filter(|x| *x > 0).count(),
                map.par_drain().filter(|(_, x)| *x < 0).count(),
            ];
            (some, deque, counts, heap.len() + set.len() + map.len())
        },
        |v| {
            let mut deque: VecDeque<i32> = v.iter().copied().collect();
            deque.rotate_left(v.len() / 3);
            let some = deque.drain(v.len() / 4..v.len() / 2).collect();
            let positive = v.iter().filter(|x| **x > 0);
            let set: HashSet<i32> = positive.clone().copied().collect();
            (some, deque, [positive.count(), set.len(), set.len()], 0)
        },
    );
}

#[test]
fn drops() {
    for place in Place::all() {
        let ledger = Ledger::new(300);
        let all = || ledger.tokens().into_iter();
        place.run(|| {
            all()
                .collect::<VecDeque<_>>()
                .into_par_iter()
                .for_each(drop);
            all()
                .collect::<LinkedList<_>>()
                .into_par_iter()
                .for_each(drop);
            all()
                .collect::<BTreeSet<_>>()
                .into_par_iter()
                .for_each(drop);
            all().collect::<HashSet<_>>().par_drain().for_each(drop);
            let mut heap = all().collect::<BinaryHeap<_>>();
            assert!(heap.par_drain().any(|t| t.id() == 5));
            let mut deque = all().collect::<VecDeque<_>>();
            deque.rotate_right(100);
            drop(deque.par_drain(50..250));
            assert_eq!(deque.len(), 100);
        });
        ledger.assert_all_gone();
    }
}

/// Collected and extended.
#[test]
fn collected() {
    same_everywhere(
        || {
            let n = || (0..500u32).into_par_iter().map(|x| x % 77);
            let mut set: BTreeSet<u32> = n().collect();
            set.par_extend((70..90).into_par_iter());
            let mut list: LinkedList<u32> = n().filter(|x| x % 2 == 0).collect();
            list.par_extend([1, 2]);
            let mut deque: VecDeque<u32> = n().collect();
            deque.par_extend(&[3, 4]);
            let heap: BinaryHeap<u32> = n().collect();
            let hash: HashSet<u32> = n().collect();
            (set, list, deque, heap.into_sorted_vec(), hash)
        },
        || {
            let n = || (0..500).map(|x| x % 77);
            let heap: BinaryHeap<u32> = n().collect();
            (
                (0..90).collect(),
                n().filter(|x| x % 2 == 0).chain([1, 2]).collect(),
                n().chain([3, 4]).collect(),
                heap.into_sorted_vec(),
                (0..77).collect(),
            )
        },
    );
}

/// Equal to others of its kind, and yet another one.
#[derive(Clone, Copy, Debug)]
struct Twin {
    kind: i32,
    id: usize,
}

impl PartialEq for Twin {
    fn eq(&self, other: &Self) -> bool {
        self.kind == other.kind
    }
}

impl Eq for Twin {}

impl PartialOrd for Twin {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Twin {
    fn cmp(&self, other: &Self) -> Ordering {
        self.kind.cmp(&other.kind)
    }
}

impl Hash for Twin {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.kind.hash(state);
    }
}

/// As std's `extend`, of equal keys the first one stays, with the last value.
#[test]
fn the_first_of_equal_keys_stays_with_the_last_value() {
    fn ids<'a>(
        entries: impl IntoIterator<Item = (&'a Twin, &'a usize)>,
    ) -> Vec<(i32, usize, usize)> {
        let entries = entries.into_iter();
        let mut ids: Vec<_> = entries
            .map(|(key, value)| (key.kind, key.id, *value))
            .collect();
        ids.sort_unstable();
        ids
    }
    fn twins(v: &[i32]) -> Vec<Twin> {
        let kinds = v.iter().map(|x| x.rem_euclid(50));
        kinds.zip(0..).map(|(kind, id)| Twin { kind, id }).collect()
    }
    oracle(
        ints(),
        |v| {
            let twins = twins(v);
            let pairs = || twins.par_iter().map(|&twin| (twin, twin.id));
            let mut extended = BTreeMap::new();
            extended.par_extend(pairs());
            let mut more = BTreeSet::new();
            more.par_extend(&twins);
            let set: BTreeSet<Twin> = twins.par_iter().copied().collect();
            let hashed: HashSet<Twin> = twins.par_iter().copied().collect();
            (
                ids(&pairs().collect::<BTreeMap<_, _>>()),
                ids(&extended),
                ids(&pairs().collect::<HashMap<_, _>>()),
                ids(set.iter().zip(&vec![0; set.len()])),
                ids(more.iter().zip(&vec![0; more.len()])),
                ids(hashed.iter().zip(&vec![0; hashed.len()])),
            )
        },
        |v| {
            let twins = twins(v);
            let mut map = BTreeMap::new();
            map.extend(twins.iter().map(|&twin| (twin, twin.id)));
            let mut set = BTreeSet::new();
            set.extend(&twins);
            let set = ids(set.iter().zip(&vec![0; set.len()]));
            (
                ids(&map),
                ids(&map),
                ids(&map),
                set.clone(),
                set.clone(),
                set,
            )
        },
    );
}
