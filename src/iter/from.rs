//! Making the collections of std from parallel iterators.

use super::sinks::collect::to_vec;
use super::{FromParallelIterator, IntoParallelIterator, ParallelExtend, ParallelIterator};
use crate::sync::{Mutex, lock};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::hash::{BuildHasher, Hash};
use std::rc::Rc;
use std::sync::Arc;

/// From a vector, for collections that are made from one.
macro_rules! from_vec {
    ($([$T:ident: $($bound:tt)*] $Collection:ty;)*) => { $(
        impl<$T: $($bound)*> FromParallelIterator<$T> for $Collection {
            fn from_par_iter<I_: IntoParallelIterator<Item = $T>>(par_iter: I_) -> Self {
                to_vec(par_iter.into_par_iter()).into()
            }
        }
    )* };
}

from_vec! {
    [T: Send] Vec<T>;
    [T: Send] Box<[T]>;
    [T: Send] Rc<[T]>;
    [T: Send] Arc<[T]>;
    [T: Send] VecDeque<T>;
    [T: Ord + Send] BinaryHeap<T>;
}

/// By extending an empty collection.
macro_rules! from_empty {
    ($([$($generics:tt)*] $Collection:ty, $Item:ty, where [$($bounds:tt)*];)*) => { $(
        impl<$($generics)*> FromParallelIterator<$Item> for $Collection where $($bounds)* {
            fn from_par_iter<I_: IntoParallelIterator<Item = $Item>>(par_iter: I_) -> Self {
                let mut collection = <$Collection>::default();
                collection.par_extend(par_iter);
                collection
            }
        }
    )* };
}

from_empty! {
    [T] LinkedList<T>, T, where [T: Send];
    [K, V, S] HashMap<K, V, S>, (K, V), where [K: Eq + Hash + Send, V: Send, S: BuildHasher + Default + Send];
    [K, V] BTreeMap<K, V>, (K, V), where [K: Ord + Send, V: Send];
    [V, S] HashSet<V, S>, V, where [V: Eq + Hash + Send, S: BuildHasher + Default + Send];
    [V] BTreeSet<V>, V, where [V: Send + Ord];
    [] (), (), where [];
}

impl<'a, C, T> FromParallelIterator<T> for Cow<'a, C>
where
    C: ToOwned<Owned: FromParallelIterator<T>> + ?Sized,
    T: Send,
{
    fn from_par_iter<I: IntoParallelIterator<Item = T>>(par_iter: I) -> Self {
        Cow::Owned(C::Owned::from_par_iter(par_iter))
    }
}

/// `Some` of everything, or `None` if any item was `None`.
impl<C, T> FromParallelIterator<Option<T>> for Option<C>
where
    C: FromParallelIterator<T>,
    T: Send,
{
    fn from_par_iter<I: IntoParallelIterator<Item = Option<T>>>(par_iter: I) -> Self {
        let result: Result<C, ()> = par_iter
            .into_par_iter()
            .map(|item| item.ok_or(()))
            .collect();
        result.ok()
    }
}

/// `Ok` of everything, or one of the errors if there was any. After an error, the rest stops soon.
impl<C, T, E> FromParallelIterator<Result<T, E>> for Result<C, E>
where
    C: FromParallelIterator<T>,
    T: Send,
    E: Send,
{
    fn from_par_iter<I: IntoParallelIterator<Item = Result<T, E>>>(par_iter: I) -> Self {
        let failure = Mutex::new(None);
        let collection = par_iter
            .into_par_iter()
            .map(|item| item.map_err(|error| drop(keep_first(&failure, error))).ok())
            .while_some()
            .collect();
        let failure = failure
            .into_inner()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        failure.map_or(Ok(collection), Err)
    }
}

/// Keeps the first error. Returns a later one, so that it is dropped outside the lock: its destructor may use the pool.
fn keep_first<E>(first: &Mutex<Option<E>>, error: E) -> Option<E> {
    let mut first = lock(first);
    if first.is_some() {
        return Some(error);
    }
    *first = Some(error);
    None
}
