//! One state for each thread, lent to closures while they run.
//!
//! Each thread has a stack of idle states; beyond [`STACKS`] threads, several share one. To fold a block, a thread takes a state from its stack, or
//! makes one, and puts it back after the block. Meanwhile nothing else has the state. If the closure waits, and its thread runs another piece of
//! the same call meanwhile, that piece finds the stack empty and makes another state. So there is at most one state for each thread that takes
//! part, and one for each such nested piece.

use crate::core::unwind::NewPanic;
use crate::core::{current_num_threads, current_thread_index};
use crate::sync::{Mutex, lock};
use crossbeam_utils::CachePadded;
use std::fmt;
use std::ops::{Deref, DerefMut};

/// How many stacks there are at most. A call makes them all, so a short call of a large pool would pay for threads that never come.
const STACKS: usize = 16;

/// States for the threads that take part in parallel calls, made when they are first needed.
///
/// For states that outlive one call, or that are wanted after a call with another result: see
/// [`using_states`](crate::ext::ParallelUsing::using_states). A call that panics drops the states that were in use, because they may be half
/// changed, and keeps the others.
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
#[doc(alias("enumerable_thread_specific", "combinable", "thread_local"))]
pub struct States<S, INIT> {
    init: INIT,
    /// A stack for each thread. Threads with an index beyond the last stack share stacks with others.
    idle: Box<[CachePadded<Mutex<Vec<S>>>]>,
}

impl<S: Send, INIT: Fn() -> S + Sync> States<S, INIT> {
    /// No states yet. `init` is called when a thread needs one.
    ///
    /// ```
    /// let states = filch::ext::States::new(|| vec![0; 1000]);
    /// assert!(states.into_vec().is_empty());
    /// ```
    pub fn new(init: INIT) -> Self {
        let stack = |_| CachePadded::new(Mutex::new(Vec::new()));
        let stacks = current_num_threads().clamp(1, STACKS);
        States {
            init,
            idle: (0..stacks).map(stack).collect(),
        }
    }

    /// All states, in no particular order.
    ///
    /// ```
    /// use filch::{ext::*, prelude::*};
    ///
    /// let counts = States::new(|| 0);
    /// (0..100).into_par_iter().using_states(&counts).for_each(|count, _| *count += 1);
    /// assert_eq!(counts.into_vec().iter().sum::<i32>(), 100);
    /// ```
    pub fn into_vec(self) -> Vec<S> {
        let stacks = self.idle.iter();
        stacks
            .flat_map(|stack| std::mem::take(&mut *lock(stack)))
            .collect()
    }

    #[inline]
    pub(super) fn lend(&self) -> LentState<'_, S> {
        let thread = current_thread_index().unwrap_or_default();
        let home = &self.idle[thread % self.idle.len()];
        let idle = lock(home).pop();
        LentState {
            state: Some(idle.unwrap_or_else(&self.init)),
            home,
            panic: NewPanic::now(),
        }
    }

    /// The first of some items, and a state for all of them. `None` if there is no item: then no state is made, because it would have seen no
    /// item.
    #[inline]
    pub(super) fn lend_for<T>(
        &self,
        items: &mut impl Iterator<Item = T>,
    ) -> Option<(T, LentState<'_, S>)> {
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
pub(super) struct LentState<'s, S> {
    /// `Some` until it is put back.
    state: Option<S>,
    home: &'s Mutex<Vec<S>>,
    /// A destructor that runs during an older panic may use states as usual.
    panic: NewPanic,
}

impl<S> Deref for LentState<'_, S> {
    type Target = S;

    #[inline]
    fn deref(&self) -> &S {
        self.state.as_ref().expect("it goes home last")
    }
}

impl<S> DerefMut for LentState<'_, S> {
    #[inline]
    fn deref_mut(&mut self) -> &mut S {
        self.state.as_mut().expect("it goes home last")
    }
}

impl<S> Drop for LentState<'_, S> {
    #[inline]
    fn drop(&mut self) {
        let broken = self.panic.has_begun();
        if let Some(state) = self.state.take_if(|_| !broken) {
            lock(self.home).push(state);
        }
    }
}
