//! `cancellable` and `with_cancel`: parallel iterators that stop when a token says so.

use super::counted::Counting;
use super::token::{CancelToken, Cancelled};
use crate::iter::ParallelIterator;
use crate::iter::adapters::applied;
use crate::iter::adapters::passing::Passing;
use crate::iter::adapters::per_piece::{PerPiece, shared};
use crate::iter::plumbing::Folder;
use crate::sync::{AtomicBool, AtomicUsize, Ordering};
use std::cell::Cell;

/// Parallel iterators that stop when a token says so.
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let token = CancelToken::new();
/// assert_eq!((0..10).into_par_iter().cancellable(&token).count(), 10);
/// token.cancel();
/// assert_eq!((0..10).into_par_iter().cancellable(&token).count(), 0);
/// ```
pub trait ParallelCancel: ParallelIterator {
    /// Yields items until `token` is cancelled.
    ///
    /// The end of the chain then returns its result so far: a sum, or a vector of items, which are in order but need not be the first ones.
    /// [`is_cancelled`](CancelToken::is_cancelled) tells whether the result may be incomplete. [`with_cancel`](Self::with_cancel) returns an
    /// error in that case.
    ///
    /// The token is checked before each block of about 10 microseconds or one item, never in the loop over a block, so the loop is as fast as
    /// without it. What goes on inside one item is not stopped: nor is an inner iterator of `flat_map_iter` without an end. A source that cannot
    /// be interrupted, such as one written for rayon, stops at the end of its piece. The result is not
    /// indexed, since the number of items is unknown: call `enumerate` or `zip` before this.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// let token = CancelToken::new();
    /// token.cancel();
    /// assert_eq!((0..u64::MAX).into_par_iter().cancellable(&token).count(), 0);
    /// ```
    #[doc(alias("cancel_group_execution", "stop_token"))]
    fn cancellable(self, token: &CancelToken) -> Cancellable<'_, Self> {
        Cancellable {
            base: self,
            token,
            tally: None,
        }
    }

    /// Gives `end` an iterator that stops when `token` is cancelled, and returns the result of `end`: as `Ok` if all items went through, else
    /// as `Err`, with the number of items that did.
    ///
    /// The items of clones of the iterator count, too. If the length is not known beforehand, or a clone is not driven, and the token is
    /// cancelled during the very last items, a complete result may be an error. An end that stops early by itself, such as `find_any`, is complete with the item it found; look at `value`.
    ///
    /// ```
    /// use filch::ext::*;
    /// use filch::prelude::*;
    /// use std::time::Duration;
    /// let token = CancelToken::after(Duration::from_secs(60));
    /// let squares = (0..4u32).into_par_iter().with_cancel(&token, |numbers| {
    ///     numbers.map(|x| x * x).collect::<Vec<_>>()
    /// });
    /// assert_eq!(squares, Ok(vec![0, 1, 4, 9]));
    /// ```
    ///
    /// # Errors
    ///
    /// If items were left out because the token was cancelled: [`Cancelled`], with the result of the others.
    ///
    /// # Panics
    ///
    /// With the panic of `end`.
    fn with_cancel<R>(
        self,
        token: &CancelToken,
        end: impl FnOnce(Cancellable<'_, Self>) -> R,
    ) -> Result<R, Cancelled<R>> {
        let tally = Tally {
            done: AtomicUsize::new(0),
            copies: AtomicUsize::new(1),
            stopped: AtomicBool::new(false),
        };
        let len = self.opt_len();
        let value = end(Cancellable {
            base: self,
            token,
            tally: Some(&tally),
        });
        let done = tally.done.into_inner();
        let total = len.map(|len| len.wrapping_mul(tally.copies.into_inner()));
        if tally.stopped.into_inner() && total != Some(done) {
            Err(Cancelled { value, done })
        } else {
            Ok(value)
        }
    }
}

impl<I: ParallelIterator> ParallelCancel for I {}

/// Yields items until a token is cancelled; made by [`cancellable`](ParallelCancel::cancellable) and
/// [`with_cancel`](ParallelCancel::with_cancel).
///
/// ```
/// use filch::{ext::*, prelude::*};
///
/// let token = CancelToken::new();
/// let rest: filch::ext::Cancellable<'_, _> = (0..10).into_par_iter().cancellable(&token);
/// assert_eq!(rest.count(), 10);
/// ```
#[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
#[derive(Debug)]
pub struct Cancellable<'t, I> {
    base: I,
    token: &'t CancelToken,
    tally: Option<&'t Tally>,
}

impl<I: Clone> Clone for Cancellable<'_, I> {
    fn clone(&self) -> Self {
        if let Some(tally) = self.tally {
            tally.copies.fetch_add(1, Ordering::Relaxed);
        }
        Cancellable {
            base: self.base.clone(),
            token: self.token,
            tally: self.tally,
        }
    }
}

applied! {
    impl['t, I] Cancellable<'t, I> => I::Item, where [];
    op(self) &CancelOp { token: self.token, tally: self.tally }
}

/// The counts that [`with_cancel`](ParallelCancel::with_cancel) reports. Read at the end: relaxed.
#[derive(Debug)]
struct Tally {
    done: AtomicUsize,
    /// The iterator and its clones: so often its items may go through.
    copies: AtomicUsize,
    stopped: AtomicBool,
}

struct CancelOp<'t> {
    token: &'t CancelToken,
    tally: Option<&'t Tally>,
}

impl CancelOp<'_> {
    #[inline]
    fn count(&self, done: usize) {
        if let Some(tally) = self.tally {
            tally.done.fetch_add(done, Ordering::Relaxed);
        }
    }
}

impl<T: Send> PerPiece<T> for &CancelOp<'_> {
    type Out = T;
    shared! {}

    const STOPS_EARLY: bool = true;

    #[inline]
    fn over(&self) -> bool {
        let over = self.token.is_cancelled();
        if over && let Some(tally) = self.tally {
            tally.stopped.store(true, Ordering::Relaxed);
        }
        over
    }

    #[inline]
    fn one<G: Folder<T>>(&self, (): &mut (), folder: G, item: T) -> G {
        self.count(1);
        folder.consume(item)
    }

    #[inline]
    fn many<G: Folder<T>>(&self, (): &mut (), folder: G, items: impl Iterator<Item = T>) -> G {
        if PerPiece::<T>::over(self) {
            return folder;
        }
        let count = Cell::new(0);
        let pass = Counting(&count);
        let folder = folder.consume_iter(Passing { items, pass });
        self.count(count.get());
        folder
    }
}
