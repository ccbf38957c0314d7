//! Extending the collections of std with parallel iterators.

use super::sinks::collect::extend_vec;
use super::sinks::pour::pour;
use super::{IntoParallelIterator, ParallelExtend, ParallelIterator};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};

impl<T: Send> ParallelExtend<T> for Vec<T> {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, par_iter: I) {
        extend_vec(self, par_iter.into_par_iter());
    }
}

/// For collections whose parts are vectors, and which reserve memory if the length is known.
macro_rules! poured_collection {
    ($([$($generics:tt)*] $Collection:ty, $Item:ty, where [$($bounds:tt)*], reserve $reserve:expr;)*) => { $(
        impl<$($generics)*> ParallelExtend<$Item> for $Collection where $($bounds)* {
            fn par_extend<I_: IntoParallelIterator<Item = $Item>>(&mut self, par_iter: I_) {
                let par_iter = par_iter.into_par_iter();
                if let Some(len) = par_iter.opt_len() {
                    let reserve: fn(&mut Self, usize) = $reserve;
                    reserve(self, len);
                }
                pour(self, par_iter, Self::extend::<Vec<$Item>>);
            }
        }
    )* };
}

/// Reserves as std does: a map that has entries may have some of the new keys already. Many of the new keys may be equal, so it is no error
/// if there is too little memory.
fn share(has_entries: bool, len: usize) -> usize {
    if has_entries { len.div_ceil(2) } else { len }
}

poured_collection! {
    [T] VecDeque<T>, T, where [T: Send], reserve |c, len| c.reserve(len);
    [T] LinkedList<T>, T, where [T: Send], reserve |_, _| ();
    [T] BinaryHeap<T>, T, where [T: Ord + Send], reserve |c, len| c.reserve(len);
    [K, V, S] HashMap<K, V, S>, (K, V), where [K: Eq + Hash + Send, V: Send, S: BuildHasher + Send],
        reserve |c, len| _ = c.try_reserve(share(!c.is_empty(), len));
    [T, S] HashSet<T, S>, T, where [T: Eq + Hash + Send, S: BuildHasher + Send],
        reserve |c, len| _ = c.try_reserve(share(!c.is_empty(), len));
}

/// Collections of `Copy` items can be extended with references too.
macro_rules! copied_items {
    ($([$($generics:tt)*] $Collection:ty, $Item:ty => $copy:expr, where [$($bounds:tt)*];)*) => { $(
        impl<'a, $($generics)*> ParallelExtend<$Item> for $Collection where $($bounds)* {
            fn par_extend<I_: IntoParallelIterator<Item = $Item>>(&mut self, par_iter: I_) {
                self.par_extend(par_iter.into_par_iter().map($copy));
            }
        }
    )* };
}

copied_items! {
    [T] Vec<T>, &'a T => |item| *item, where [T: 'a + Copy + Send + Sync];
    [T] VecDeque<T>, &'a T => |item| *item, where [T: 'a + Copy + Send + Sync];
    [T] LinkedList<T>, &'a T => |item| *item, where [T: 'a + Copy + Send + Sync];
    [T] BinaryHeap<T>, &'a T => |item| *item, where [T: 'a + Copy + Ord + Send + Sync];
    [T] BTreeSet<T>, &'a T => |item| *item, where [T: 'a + Copy + Ord + Send + Sync];
    [T, S] HashSet<T, S>, &'a T => |item| *item, where [T: 'a + Copy + Eq + Hash + Send + Sync, S: BuildHasher + Send];
    [K, V] BTreeMap<K, V>, (&'a K, &'a V) => |(key, value)| (*key, *value),
        where [K: Copy + Ord + Send + Sync + 'a, V: Copy + Send + Sync + 'a];
    [K, V, S] HashMap<K, V, S>, (&'a K, &'a V) => |(key, value)| (*key, *value),
        where [K: Copy + Eq + Hash + Send + Sync + 'a, V: Copy + Send + Sync + 'a, S: BuildHasher + Send];
}

impl ParallelExtend<()> for () {
    fn par_extend<I: IntoParallelIterator<Item = ()>>(&mut self, par_iter: I) {
        par_iter.into_par_iter().for_each(|()| ());
    }
}
