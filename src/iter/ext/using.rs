//! `using`: closures get a mutable state of their thread with each item.

use super::states::{LentState, States};
use crate::iter::ParallelIterator;
use crate::iter::adapters::passing::{Pass, Passing};
use crate::iter::adapters::per_piece::{PerPiece, PerPieceIndexed, TwoEnded, shared};
use crate::iter::adapters::{adaptor, applied};
use crate::iter::plumbing::Folder;
use std::borrow::Borrow;
use std::iter;
use std::marker::PhantomData;

/// Closures that get a mutable state with each item.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let lengths: Vec<usize> = ["a b", "c"]
///     .par_iter()
///     .using(String::new)
///     .map(|scratch, text| {
///         scratch.clear();
///         scratch.extend(text.split(' '));
///         scratch.len()
///     })
///     .collect();
/// assert_eq!(lengths, [2, 1]);
/// ```
pub trait ParallelUsing: ParallelIterator {
    /// Lends the closures of the next step a state that `init` made: `.using(init).map(|state, item| ..)`.
    ///
    /// [`map_init`](ParallelIterator::map_init) makes a state for each piece that another thread takes. This makes one for each thread that
    /// takes part, however often the input is cut. It makes one more when a thread that waits inside a closure runs another piece of the same
    /// call, because the state of that closure is still in use. For scratch buffers, random generators, connections, and for results that are
    /// gathered by thread. Cost: a lock for each block of about 10 µs. Usually no other thread wants it. But there are at most 16 such locks, so in a
    /// larger pool several threads share one.
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
    #[doc(alias("map_init", "enumerable_thread_specific", "thread_local"))]
    fn using<S, INIT>(self, init: INIT) -> Using<Self, S, INIT, States<S, INIT>>
    where
        S: Send,
        INIT: Fn() -> S + Sync + Send,
    {
        Using::new(self, States::new(init), PhantomData)
    }

    /// Lends states that outlive the call; as [`using`](Self::using). For an example see [`States`].
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let states = States::new(|| 0);
    /// (0..100).into_par_iter().using_states(&states).for_each(|sum, n| *sum += n);
    /// assert_eq!(states.into_vec().iter().sum::<i32>(), 4950);
    /// ```
    fn using_states<S, INIT>(
        self,
        states: &States<S, INIT>,
    ) -> Using<Self, S, INIT, &States<S, INIT>>
    where
        S: Send,
        INIT: Fn() -> S + Sync + Send,
    {
        Using::new(self, states, PhantomData)
    }
}

impl<I: ParallelIterator> ParallelUsing for I {}

adaptor! {
    /// A parallel iterator with states for its next step; made by [`using`](ParallelUsing::using).
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let with_buffer: Using<_, String, _, _> = (0..3).into_par_iter().using(String::new);
    /// assert_eq!(with_buffer.map(|_, n| n).sum::<i32>(), 3);
    /// ```
    pub struct Using<I, S, INIT, W> { base: I } { states: W, kind: PhantomData<fn() -> (S, INIT)> }
}

impl<I, S, INIT, W> Using<I, S, INIT, W>
where
    I: ParallelIterator,
    S: Send,
    INIT: Fn() -> S + Sync + Send,
    W: Borrow<States<S, INIT>> + Send,
{
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
        UsingMap::new(base, states, map_op, kind)
    }

    /// Calls a closure on each item and yields the values inside the `Some`s that it returns.
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
        UsingFilterMap::new(base, states, filter_op, kind)
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
    ///
    /// # Panics
    ///
    /// With the panic of `op`, or of the closure that makes states.
    pub fn for_each<F: Fn(&mut S, I::Item) + Sync + Send>(self, op: F) {
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
    /// Returns no states if there are no items.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let counts = (0..1000).into_par_iter().using(|| 0).into_states(|count, _| *count += 1);
    /// assert_eq!(counts.iter().sum::<i32>(), 1000);
    /// ```
    ///
    /// # Panics
    ///
    /// With the panic of `op`, or of the closure that makes states.
    pub fn into_states<F: Fn(&mut S, I::Item) + Sync + Send>(self, op: F) -> Vec<S> {
        let Using { base, states, kind } = self;
        Using::new(base, &states, kind).for_each(op);
        states.into_vec()
    }
}

adaptor! {
    /// Maps each item with a closure that is lent a state; made by [`Using::map`].
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let doubled: UsingMap<_, String, _, _, _> = (0..3).into_par_iter().using(String::new).map(|_, n| 2 * n);
    /// assert_eq!(doubled.sum::<i32>(), 6);
    /// ```
    pub struct UsingMap<I, S, INIT, W, F> { base: I } { states: W, map_op: F, kind: PhantomData<fn() -> (S, INIT)> }
}

applied! {
    impl[I, S, INIT, W, F, R] UsingMap<I, S, INIT, W, F> => R, where [
        S: Send,
        INIT: Fn() -> S + Sync + Send,
        W: Borrow<States<S, INIT>> + Send,
        F: Fn(&mut S, I::Item) -> R + Sync + Send,
        R: Send
    ];
    op(self) &UsingMapOp { states: self.states.borrow(), op: &self.map_op };
    one for one
}

struct UsingMapOp<'s, S, INIT, F> {
    states: &'s States<S, INIT>,
    op: &'s F,
}

impl<T, R, S, INIT, F> PerPiece<T> for &UsingMapOp<'_, S, INIT, F>
where
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, T) -> R + Sync,
    R: Send,
{
    type Out = R;
    shared! {}

    #[inline]
    fn one<G: Folder<R>>(&self, (): &mut (), folder: G, item: T) -> G {
        let made = (self.op)(&mut self.states.lend(), item);
        folder.consume(made)
    }

    #[inline]
    fn many<G: Folder<R>>(&self, (): &mut (), folder: G, mut items: impl Iterator<Item = T>) -> G {
        let Some((first, mut state)) = self.states.lend_for(&mut items) else {
            return folder;
        };
        let items = iter::once(first).chain(items);
        folder.consume_iter(items.map(|item| (self.op)(&mut state, item)))
    }
}

impl<'o, T, R, S, INIT, F> PerPieceIndexed<T> for &'o UsingMapOp<'_, S, INIT, F>
where
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, T) -> R + Sync,
    R: Send,
{
    type Iter<I: TwoEnded<T>> = Passing<I, Lending<'o, S, INIT, F>>;

    #[inline]
    fn wrap<I: TwoEnded<T>>(self, items: I, (): ()) -> Self::Iter<I> {
        let pass = Lending {
            states: self.states,
            lent: None,
            op: self.op,
        };
        Passing { items, pass }
    }
}

/// Maps a block, with a state that is taken when the first item comes.
struct Lending<'o, S, INIT, F> {
    states: &'o States<S, INIT>,
    lent: Option<LentState<'o, S>>,
    op: &'o F,
}

impl<T, R, S, INIT, F> Pass<T> for Lending<'_, S, INIT, F>
where
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, T) -> R,
{
    type Out = R;

    #[inline]
    fn pass(&mut self, next: impl FnOnce() -> Option<T>) -> Option<R> {
        let item = next()?;
        let lent = self.lent.get_or_insert_with(|| self.states.lend());
        Some((self.op)(lent, item))
    }
}

adaptor! {
    /// Maps and filters with a closure that is lent a state; made by [`Using::filter_map`].
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let even: UsingFilterMap<_, String, _, _, _> =
    ///     (0..5).into_par_iter().using(String::new).filter_map(|_, n| (n % 2 == 0).then_some(n));
    /// assert_eq!(even.collect::<Vec<_>>(), [0, 2, 4]);
    /// ```
    pub struct UsingFilterMap<I, S, INIT, W, F> { base: I } { states: W, filter_op: F, kind: PhantomData<fn() -> (S, INIT)> }
}

applied! {
    impl[I, S, INIT, W, F, R] UsingFilterMap<I, S, INIT, W, F> => R, where [
        S: Send,
        INIT: Fn() -> S + Sync + Send,
        W: Borrow<States<S, INIT>> + Send,
        F: Fn(&mut S, I::Item) -> Option<R> + Sync + Send,
        R: Send
    ];
    op(self) &UsingFilterMapOp { states: self.states.borrow(), op: &self.filter_op }
}

struct UsingFilterMapOp<'s, S, INIT, F> {
    states: &'s States<S, INIT>,
    op: &'s F,
}

impl<T, R, S, INIT, F> PerPiece<T> for &UsingFilterMapOp<'_, S, INIT, F>
where
    S: Send,
    INIT: Fn() -> S + Sync,
    F: Fn(&mut S, T) -> Option<R> + Sync,
    R: Send,
{
    type Out = R;
    shared! {}

    #[inline]
    fn one<G: Folder<R>>(&self, (): &mut (), folder: G, item: T) -> G {
        let made = (self.op)(&mut self.states.lend(), item);
        match made {
            Some(made) => folder.consume(made),
            None => folder,
        }
    }

    #[inline]
    fn many<G: Folder<R>>(&self, (): &mut (), folder: G, mut items: impl Iterator<Item = T>) -> G {
        let Some((first, mut state)) = self.states.lend_for(&mut items) else {
            return folder;
        };
        let items = iter::once(first).chain(items);
        folder.consume_iter(items.filter_map(|item| (self.op)(&mut state, item)))
    }
}
