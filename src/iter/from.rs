//! Making the collections of std from parallel iterators.

use super::sinks::collect::{is_roomy, to_vec};
use super::sinks::unzip::{self, PartitionMap};
use super::{FromParallelIterator, IntoParallelIterator, ParallelExtend, ParallelIterator};
use crate::sync::{Mutex, lock};
use either::Either;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::ffi::{OsStr, OsString};
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
}

/// By extending an empty collection, and freeing the memory that it does not need.
macro_rules! from_empty_text {
    ($([$($life:tt)*] $Text:ty, $Item:ty;)*) => { $(
        impl<$($life)*> FromParallelIterator<$Item> for $Text {
            fn from_par_iter<I_: IntoParallelIterator<Item = $Item>>(par_iter: I_) -> Self {
                let mut text = <$Text>::default();
                text.par_extend(par_iter);
                if is_roomy(text.len(), text.capacity()) {
                    text.shrink_to_fit();
                }
                text
            }
        }
    )* };
}

from_empty_text! {
    [] String, char;
    ['a] String, &'a char;
    ['a] String, &'a str;
    ['a] String, Cow<'a, str>;
    [] String, Box<str>;
    [] String, String;
    ['a] OsString, &'a OsStr;
    [] OsString, OsString;
    ['a] OsString, Cow<'a, OsStr>;
}

macro_rules! boxed_text {
    ($([$($life:tt)*] $Item:ty;)*) => { $(
        impl<$($life)*> FromParallelIterator<$Item> for Box<str> {
            fn from_par_iter<I_: IntoParallelIterator<Item = $Item>>(par_iter: I_) -> Self {
                String::from_par_iter(par_iter).into_boxed_str()
            }
        }
    )* };
}

boxed_text! {
    [] char;
    ['a] &'a char;
    ['a] &'a str;
    ['a] Cow<'a, str>;
    [] Box<str>;
    [] String;
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

impl FromParallelIterator<()> for () {
    fn from_par_iter<I: IntoParallelIterator<Item = ()>>(par_iter: I) {
        par_iter.into_par_iter().for_each(|()| ());
    }
}

/// Extends an empty collection, which is made when the iterator is known.
struct MadeLate<C>(Option<C>);

impl<C> Default for MadeLate<C> {
    fn default() -> Self {
        MadeLate(None)
    }
}

impl<T: Send, C: FromParallelIterator<T>> ParallelExtend<T> for MadeLate<C> {
    fn par_extend<I: IntoParallelIterator<Item = T>>(&mut self, par_iter: I) {
        self.0 = Some(C::from_par_iter(par_iter));
    }
}

impl<C> MadeLate<C> {
    fn get(self) -> C {
        self.0.expect("both sides of an unzip are extended")
    }
}

impl<A, B, FromA, FromB> FromParallelIterator<(A, B)> for (FromA, FromB)
where
    A: Send,
    B: Send,
    FromA: Send + FromParallelIterator<A>,
    FromB: Send + FromParallelIterator<B>,
{
    fn from_par_iter<I: IntoParallelIterator<Item = (A, B)>>(par_iter: I) -> Self {
        let (left, right): (MadeLate<FromA>, MadeLate<FromB>) =
            unzip::deal(par_iter.into_par_iter(), unzip::Unzip);
        (left.get(), right.get())
    }
}

impl<L, R, A, B> FromParallelIterator<Either<L, R>> for (A, B)
where
    L: Send,
    R: Send,
    A: Send + FromParallelIterator<L>,
    B: Send + FromParallelIterator<R>,
{
    fn from_par_iter<I: IntoParallelIterator<Item = Either<L, R>>>(par_iter: I) -> Self {
        let (left, right): (MadeLate<A>, MadeLate<B>) =
            unzip::deal(par_iter.into_par_iter(), PartitionMap(|item| item));
        (left.get(), right.get())
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
