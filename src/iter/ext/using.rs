//! `using`: one state a worker, lent to closures while they run.
//!
//! Idle states lie in one stack for each thread. Whoever folds a block takes one from its own stack, or makes one, and puts it back after the
//! block. While it is lent nobody else can have it: if the closure waits, and its thread runs another piece of the same call meanwhile, that
//! piece finds the stack empty and makes a state of its own. So there are never more states than threads that take part, and such re-entries.

use crate::core::{current_num_threads, current_thread_index};
use crate::iter::adapters::per_item::{self, PerItem, PerItemIndexed};
use crate::iter::adapters::per_run_adaptor;
use crate::iter::plumbing::{Consumer, Folder, ProducerCallback};
use crate::iter::{IndexedParallelIterator, ParallelIterator};
use crate::sync::{Mutex, lock};
use crossbeam_utils::CachePadded;
use std::borrow::Borrow;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::thread::panicking;
use std::{fmt, iter};

/// States for the threads that take part in parallel calls, made when they are first needed.
///
/// For states that outlive one call, or whose results are wanted after a call that has a result of its own: see
/// [`using_states`](ParallelUsing::using_states). A call that panics drops the states that were in use, because they may be half changed, and
/// keeps the others.
///
/// ```
/// use filch::ext::*;
/// use filch::prelude::*;
/// let states = States::new(Vec::new);
/// let sum: i32 = (0..100)
///     .into_par_iter()
///     .using_states(&states)
///     .map(|seen, x| {
///         seen.push(x);
///         x
///     })
///     .sum();
/// let mut seen = states.into_vec().concat();
/// seen.sort();
/// assert_eq!((sum, seen), (4950, (0..100).collect()));
/// ```
pub struct States<S, INIT> {
    init: INIT,
    /// One stack a thread. Threads of a larger pool than the one this was made in share stacks.
    idle: Box<[CachePadded<Mutex<Vec<S>>>]>,
}

impl<S: Send, INIT: Fn() -> S + Sync> States<S, INIT> {
    /// No states yet; `init` makes one.
    pub fn new(init: INIT) -> Self {
        let stack = |_| CachePadded::new(Mutex::new(Vec::new()));
        States {
            init,
            idle: (0..current_num_threads().max(1)).map(stack).collect(),
        }
    }

    /// All states, in no particular order.
    pub fn into_vec(self) -> Vec<S> {
        let stacks = self.idle.iter();
        stacks
            .flat_map(|stack| std::mem::take(&mut *lock(stack)))
            .collect()
    }

    #[inline]
    fn lend(&self) -> Lent<'_, S> {
        let thread = current_thread_index().unwrap_or_default();
        let home = &self.idle[thread % self.idle.len()];
        let idle = lock(home).pop();
        Lent {
            state: Some(idle.unwrap_or_else(&self.init)),
            home,
            was_panicking: panicking(),
        }
    }

    /// The first of some items, and a state for all of them; none if there is no item, because a state that saw none would be a surprise.
    #[inline]
    fn lend_for<T>(&self, items: &mut impl Iterator<Item = T>) -> Option<(T, Lent<'_, S>)> {
        let first = items.next()?;
        Some((first, self.lend()))
    }
}

impl<S, INIT> fmt::Debug for States<S, INIT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("States").finish_non_exhaustive()
    }
}

/// A state, until this is dropped.
struct Lent<'s, S> {
    /// `Some` until it goes home.
    state: Option<S>,
    home: &'s Mutex<Vec<S>>,
    /// A destructor that runs while its thread unwinds from an older panic may use states like everybody else.
    was_panicking: bool,
}

impl<S> Deref for Lent<'_, S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        self.state.as_ref().expect("it goes home last")
    }
}

impl<S> DerefMut for Lent<'_, S> {
    #[inline]
    fn deref_mut(&mut self) -> &mut S {
        self.state.as_mut().expect("it goes home last")
    }
}

impl<S> Drop for Lent<'_, S> {
    #[inline]
    fn drop(&mut self) {
        let broken = panicking() && !self.was_panicking;
        if let Some(state) = self.state.take_if(|_| !broken) {
            lock(self.home).push(state);
        }
    }
}

/// Closures that get a mutable state beside each item.
pub trait ParallelUsing: ParallelIterator {
    /// Lends the closures of the next step a state that `init` made: `.using(init).map(|state, item| ..)`.
    ///
    /// Where [`map_init`](ParallelIterator::map_init) makes a state for each piece of the input, this makes one for each thread that takes part, however
    /// often the input is cut; and one more whenever a thread that waits inside a closure runs another piece of the same call, because the
    /// state that the closure holds is still in use. For scratch buffers, random generators, connections, and for results that are
    /// gathered by thread.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let words = ["to", "be", "or", "not"];
    /// let reversed: Vec<String> = words
    ///     .par_iter()
    ///     .using(Vec::new)
    ///     .map(|scratch, word| {
    ///         scratch.clear();
    ///         scratch.extend(word.chars().rev());
    ///         scratch.iter().collect()
    ///     })
    ///     .collect();
    /// assert_eq!(reversed, ["ot", "eb", "ro", "ton"]);
    /// ```
    fn using<S, INIT>(self, init: INIT) -> Using<Self, S, INIT, States<S, INIT>>
    where
        S: Send,
        INIT: Fn() -> S + Sync + Send,
    {
        Using::new(self, States::new(init))
    }

    /// Lends states that outlive the call; as [`using`](Self::using). For an example see [`States`].
    fn using_states<S, INIT>(
        self,
        states: &States<S, INIT>,
    ) -> Using<Self, S, INIT, &States<S, INIT>>
    where
        S: Send,
        INIT: Fn() -> S + Sync + Send,
    {
        Using::new(self, states)
    }
}

impl<I: ParallelIterator> ParallelUsing for I {}

/// A parallel iterator with states for its next step; made by [`using`](ParallelUsing::using).
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
pub struct Using<I, S, INIT, W> {
    base: I,
    states: W,
    kind: PhantomData<fn() -> (S, INIT)>,
}

impl<I: fmt::Debug, S, INIT, W> fmt::Debug for Using<I, S, INIT, W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Using").field("base", &self.base).finish()
    }
}

impl<I, S, INIT, W> Using<I, S, INIT, W>
where
    I: ParallelIterator,
    S: Send,
    INIT: Fn() -> S + Sync + Send,
    W: Borrow<States<S, INIT>> + Send,
{
    fn new(base: I, states: W) -> Self {
        Using {
            base,
            states,
            kind: PhantomData,
        }
    }

    /// Calls a closure on each item and yields what it returns; indexed if the base is.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v: Vec<usize> = (0..3usize).into_par_iter().using(|| 1).map(|one, x| x + *one).collect();
    /// assert_eq!(v, [1, 2, 3]);
    /// ```
    pub fn map<F, R>(self, map_op: F) -> UsingMap<I, S, INIT, W, F>
    where
        F: Fn(&mut S, I::Item) -> R + Sync + Send,
        R: Send,
    {
        let Using { base, states, kind } = self;
        UsingMap {
            base,
            states,
            map_op,
            kind,
        }
    }

    /// Calls a closure on each item and yields what is in the `Some`s that it returns.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let v: Vec<u32> = ["1", "x", "3"]
    ///     .par_iter()
    ///     .using(String::new)
    ///     .filter_map(|scratch, word| {
    ///         scratch.clear();
    ///         scratch.push_str(word);
    ///         scratch.parse().ok()
    ///     })
    ///     .collect();
    /// assert_eq!(v, [1, 3]);
    /// ```
    pub fn filter_map<F, R>(self, filter_op: F) -> UsingFilterMap<I, S, INIT, W, F>
    where
        F: Fn(&mut S, I::Item) -> Option<R> + Sync + Send,
        R: Send,
    {
        let Using { base, states, kind } = self;
        UsingFilterMap {
            base,
            states,
            filter_op,
            kind,
        }
    }

    /// Calls a closure on each item.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let mut v = vec![3, 1, 2];
    /// v.par_iter_mut().using(|| 10).for_each(|ten, x| *x *= *ten);
    /// assert_eq!(v, [30, 10, 20]);
    /// ```
    pub fn for_each<F>(self, op: F)
    where
        F: Fn(&mut S, I::Item) + Sync + Send,
    {
        self.map(op).for_each(|()| ());
    }
}

impl<I, S, INIT> Using<I, S, INIT, States<S, INIT>>
where
    I: ParallelIterator,
    S: Send,
    INIT: Fn() -> S + Sync + Send,
{
    /// Calls a closure on each item, and returns the states: one for each thread that took part, in no particular order.
    ///
    /// None if there are no items.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let counts = (0..1000).into_par_iter().using(|| 0).into_states(|count, _| *count += 1);
    /// assert_eq!(counts.iter().sum::<i32>(), 1000);
    /// ```
    pub fn into_states<F>(self, op: F) -> Vec<S>
    where
        F: Fn(&mut S, I::Item) + Sync + Send,
    {
        let states = self.states;
        Using::new(self.base, &states).for_each(op);
        states.into_vec()
    }
}

/// Maps each item with a closure that is lent a state; made by [`Using::map`].
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
pub struct UsingMap<I, S, INIT, W, F> {
    base: I,
    states: W,
    map_op: F,
    kind: PhantomData<fn() -> (S, INIT)>,
}

impl<I: fmt::Debug, S, INIT, W, F> fmt::Debug for UsingMap<I, S, INIT, W, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UsingMap")
            .field("base", &self.base)
            .finish()
    }
}

per_run_adaptor! {
    impl[I, S, INIT, W, F, R] UsingMap<I, S, INIT, W, F> => R, where [
        I: ParallelIterator,
        S: Send,
        INIT: Fn() -> S + Sync + Send,
        W: Borrow<States<S, INIT>> + Send,
        F: Fn(&mut S, I::Item) -> R + Sync + Send,
        R: Send
    ];
    op(self) { MapOp { states: self.states.borrow(), op: &self.map_op } }
    one for one
}

impl<I, S, INIT, W, F, R> IndexedParallelIterator for UsingMap<I, S, INIT, W, F>
where
    I: IndexedParallelIterator,
    S: Send,
    INIT: Fn() -> S + Sync + Send,
    W: Borrow<States<S, INIT>> + Send,
    F: Fn(&mut S, I::Item) -> R + Sync + Send,
    R: Send,
{
    fn len(&self) -> usize {
        self.base.len()
    }

    fn drive<C: Consumer<R>>(self, consumer: C) -> C::Result {
        let (states, op) = (self.states.borrow(), &self.map_op);
        per_item::drive_indexed(self.base, &MapOp { states, op }, consumer)
    }

    fn with_producer<CB: ProducerCallback<R>>(self, callback: CB) -> CB::Output {
        let (states, op) = (self.states.borrow(), &self.map_op);
        per_item::with_producer(self.base, &MapOp { states, op }, callback)
    }
}

struct MapOp<'s, S, INIT, F> {
    states: &'s States<S, INIT>,
    op: &'s F,
}

impl<T, R, S, INIT, F> PerItem<T> for MapOp<'_, S, INIT, F>
where
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, T) -> R + Sync,
    R: Send,
{
    type Out = R;

    #[inline]
    fn one<G: Folder<R>>(&self, folder: G, item: T) -> G {
        let made = (self.op)(&mut self.states.lend(), item);
        folder.consume(made)
    }

    #[inline]
    fn many<G: Folder<R>>(&self, folder: G, mut items: impl Iterator<Item = T>) -> G {
        let Some((first, mut state)) = self.states.lend_for(&mut items) else {
            return folder;
        };
        let items = iter::once(first).chain(items);
        folder.consume_iter(items.map(|item| (self.op)(&mut state, item)))
    }
}

impl<T, R, S, INIT, F> PerItemIndexed<T> for MapOp<'_, S, INIT, F>
where
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, T) -> R + Sync,
    R: Send,
{
    type Iter<'o, I>
        = LentIter<'o, I, S, INIT, F>
    where
        Self: 'o,
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>;

    #[inline]
    fn wrap<I>(&self, items: I) -> Self::Iter<'_, I>
    where
        I: DoubleEndedIterator + ExactSizeIterator<Item = T>,
    {
        LentIter {
            items,
            states: self.states,
            lent: None,
            op: self.op,
        }
    }
}

/// Maps a block, with a state that is lent at the first item.
struct LentIter<'o, I, S, INIT, F> {
    items: I,
    states: &'o States<S, INIT>,
    lent: Option<Lent<'o, S>>,
    op: &'o F,
}

impl<'o, I, R, S, INIT, F> LentIter<'o, I, S, INIT, F>
where
    I: Iterator,
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, I::Item) -> R,
{
    #[inline]
    fn make(&mut self, item: I::Item) -> R {
        let states = self.states;
        let lent = self.lent.get_or_insert_with(|| states.lend());
        (self.op)(lent, item)
    }
}

impl<I, R, S, INIT, F> Iterator for LentIter<'_, I, S, INIT, F>
where
    I: Iterator,
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, I::Item) -> R,
{
    type Item = R;

    #[inline]
    fn next(&mut self) -> Option<R> {
        let item = self.items.next()?;
        Some(self.make(item))
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.items.size_hint()
    }
}

impl<I, R, S, INIT, F> DoubleEndedIterator for LentIter<'_, I, S, INIT, F>
where
    I: DoubleEndedIterator,
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, I::Item) -> R,
{
    #[inline]
    fn next_back(&mut self) -> Option<R> {
        let item = self.items.next_back()?;
        Some(self.make(item))
    }
}

impl<I, R, S, INIT, F> ExactSizeIterator for LentIter<'_, I, S, INIT, F>
where
    I: ExactSizeIterator,
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, I::Item) -> R,
{
}

/// Maps and filters with a closure that is lent a state; made by [`Using::filter_map`].
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
pub struct UsingFilterMap<I, S, INIT, W, F> {
    base: I,
    states: W,
    filter_op: F,
    kind: PhantomData<fn() -> (S, INIT)>,
}

impl<I: fmt::Debug, S, INIT, W, F> fmt::Debug for UsingFilterMap<I, S, INIT, W, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UsingFilterMap")
            .field("base", &self.base)
            .finish()
    }
}

per_run_adaptor! {
    impl[I, S, INIT, W, F, R] UsingFilterMap<I, S, INIT, W, F> => R, where [
        I: ParallelIterator,
        S: Send,
        INIT: Fn() -> S + Sync + Send,
        W: Borrow<States<S, INIT>> + Send,
        F: Fn(&mut S, I::Item) -> Option<R> + Sync + Send,
        R: Send
    ];
    op(self) { FilterMapOp { states: self.states.borrow(), op: &self.filter_op } }
}

struct FilterMapOp<'s, S, INIT, F> {
    states: &'s States<S, INIT>,
    op: &'s F,
}

impl<T, R, S, INIT, F> PerItem<T> for FilterMapOp<'_, S, INIT, F>
where
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, T) -> Option<R> + Sync,
    R: Send,
{
    type Out = R;

    #[inline]
    fn one<G: Folder<R>>(&self, folder: G, item: T) -> G {
        let made = (self.op)(&mut self.states.lend(), item);
        match made {
            Some(made) => folder.consume(made),
            None => folder,
        }
    }

    #[inline]
    fn many<G: Folder<R>>(&self, folder: G, mut items: impl Iterator<Item = T>) -> G {
        let Some((first, mut state)) = self.states.lend_for(&mut items) else {
            return folder;
        };
        let items = iter::once(first).chain(items);
        folder.consume_iter(items.filter_map(|item| (self.op)(&mut state, item)))
    }
}
