//! Packs: keep some of the elements, close together and in their order.
//!
//! | from | to | function |
//! |---|---|---|
//! | a vector | itself | [`retain`], [`retain_mut`] |
//! | a slice | a new vector | [`pack`] |
//! | a slice | a vector of positions | [`pack_indices`] |
//!
//! To remove equal neighbours see [`dedup`](crate::algo::dedup()), to remove equal elements anywhere [`unique`](crate::algo::unique()).
//!
//! # Cost
//!
//! Work O(n), one call of the predicate for each element; span O(log² n) calls, and the moves that close gaps, O(n / p). In place, nothing is
//! allocated for the elements by one thread. If several threads close narrow gaps, each puts elements aside: in all a part of those that move, as a
//! rule less than an eighth. For a new vector, room for all elements is
//! reserved, and given back if more than a third is unused. Memory that no element is written to is never touched.
//!
//! Small elements without a destructor are packed without a branch. That makes these functions several times faster than std if the
//! answers of the predicate are hard to predict. For the items of a chain use [`filter`](crate::iter::ParallelIterator::filter) with `collect`.
//!
//! # A panic in the predicate
//!
//! In place, elements that were rejected before are dropped, and all others stay, in their order. A few of the rejected elements may stay
//! too, if they have no destructor. A new vector is dropped.
//!
//! # Measured
//!
//! <!-- measured: par_pack -->
//! Measured, `par_pack` of 1,000,000 numbers, of which a third stays: work 440 µs, span 5.0 µs, so up to 87 threads can be of use.
//!
//! <!-- measured: par_retain -->
//! Measured, `par_retain` of 1,000,000 numbers, of which a third stays: work 490 µs, span 5.6 µs, so up to 87 threads can be of use.

mod emit;
mod filled;
mod filter;
mod stretch;
mod walk;

pub(crate) use emit::emit;
pub(crate) use filled::{Filled, Filling, fill_slots};
pub(crate) use filter::{Beside, filter};
pub(crate) use stretch::{SlotStretch, close_gap};
pub(crate) use walk::ElementWalk;

use crate::slice::ParallelSlice;
use std::mem;

/// Keeps the elements for which `keep` returns true, in their order, and drops the others; [`Vec::retain`] with all threads.
///
/// `keep` is called once for each element, in no particular order. The capacity stays. See the [module](self) for costs and panics.
///
/// ```
/// let mut v = vec![1, 2, 3, 4, 5];
/// filch::algo::retain(&mut v, |x| x % 2 == 1);
/// assert_eq!(v, [1, 3, 5]);
/// ```
///
/// # Panics
///
/// With the panic of `keep`. Elements that were rejected before are dropped. All others stay, in their order.
#[doc(alias("remove_if", "erase_if"))]
pub fn retain<T, F>(vec: &mut Vec<T>, keep: F)
where
    T: Send,
    F: Fn(&T) -> bool + Sync + Send,
{
    filter(vec, Beside::Nothing, |_, element, _| keep(element));
}

/// Keeps the elements for which `keep` returns true, in their order; `keep` may change them. See [`retain`].
///
/// See the [module](self) for costs.
///
/// ```
/// let mut v = vec![1, 2, 3];
/// filch::algo::retain_mut(&mut v, |x| {
///     *x *= 10;
///     *x != 20
/// });
/// assert_eq!(v, [10, 30]);
/// ```
///
/// # Panics
///
/// As [`retain`].
pub fn retain_mut<T, F>(vec: &mut Vec<T>, keep: F)
where
    T: Send,
    F: Fn(&mut T) -> bool + Sync + Send,
{
    filter(vec, Beside::Nothing, |_, element, _| keep(element));
}

/// Clones of the elements for which `keep` returns true, in their order.
///
/// `keep` is called once for each element. Small elements without a destructor are cloned whether they are kept or not. See the
/// [module](self) for costs and panics.
///
/// ```
/// assert_eq!(filch::algo::pack(&[1, 2, 3, 4, 5], |x| x % 2 == 1), [1, 3, 5]);
/// ```
///
/// # Panics
///
/// With the panic of `keep` or of a clone. The new vector is dropped.
#[doc(alias("copy_if", "compact", "stream_compaction"))]
pub fn pack<T, F>(v: &[T], keep: F) -> Vec<T>
where
    T: Clone + Send + Sync,
    F: Fn(&T) -> bool + Sync + Send,
{
    let element = |i: usize| {
        let x = &v[i];
        (keep(x), move || x.clone())
    };
    emit(v.len(), &OfElements(element))
}

/// The positions of the elements for which `keep` returns true, ascending.
///
/// `keep` is called once for each element. See the [module](self) for costs.
///
/// ```
/// assert_eq!(filch::algo::pack_indices(&["a", "", "b"], |s| !s.is_empty()), [0, 2]);
/// ```
///
/// # Panics
///
/// With the panic of `keep`.
#[doc(alias("nonzero", "argwhere"))]
pub fn pack_indices<T, F>(v: &[T], keep: F) -> Vec<usize>
where
    T: Sync,
    F: Fn(&T) -> bool + Sync + Send,
{
    let element = |i: usize| (keep(&v[i]), move || i);
    emit(v.len(), &OfElements(element))
}

/// Says of each position whether it has an element, and how that is made.
struct OfElements<F>(F);

impl<T, F, G> Filling<T> for OfElements<F>
where
    F: Fn(usize) -> (bool, G) + Sync,
    G: FnOnce() -> T,
{
    #[inline]
    fn advance(&self, next: &mut usize, end: usize, out: &mut SlotStretch<'_, T>) {
        let positions = mem::replace(next, end)..end;
        out.extend_wanted(positions.map(&self.0));
    }
}

/// Packs of slices: `use filch::ext::*`.
///
/// The methods are the functions of [`algo`](crate::algo) by the names with `par_` in front.
///
/// ```
/// use filch::ext::*;
///
/// assert_eq!([1, 2, 3, 4].par_pack(|n| n % 2 == 0), [2, 4]);
/// ```
pub trait ParallelPack<T: Sync>: ParallelSlice<T> {
    /// Clones of the elements for which `keep` returns true, in their order. See [`pack`].
    ///
    /// ```
    /// use filch::ext::ParallelPack;
    /// assert_eq!([3, 0, 4].par_pack(|&x| x != 0), [3, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`pack`].
    #[doc(alias("copy_if", "filter"))]
    fn par_pack<F>(&self, keep: F) -> Vec<T>
    where
        T: Clone + Send,
        F: Fn(&T) -> bool + Sync + Send,
    {
        pack(self.as_parallel_slice(), keep)
    }

    /// The positions of the elements for which `keep` returns true. See [`pack_indices`].
    ///
    /// ```
    /// use filch::ext::ParallelPack;
    /// assert_eq!([3, 0, 4].par_pack_indices(|&x| x != 0), [0, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`pack_indices`].
    fn par_pack_indices<F>(&self, keep: F) -> Vec<usize>
    where
        F: Fn(&T) -> bool + Sync + Send,
    {
        pack_indices(self.as_parallel_slice(), keep)
    }
}

impl<T: Sync, V: ParallelSlice<T> + ?Sized> ParallelPack<T> for V {}

/// Keeps some of the elements of a vector, in place: `use filch::ext::*`.
///
/// The methods are those of [`Vec`] by the names without `par_`.
///
/// ```
/// use filch::ext::*;
///
/// let mut v = vec![1, 2, 3, 4];
/// v.par_retain(|n| n % 2 == 0);
/// assert_eq!(v, [2, 4]);
/// ```
pub trait ParallelRetain<T: Send>: AsMut<Vec<T>> {
    /// Keeps the elements for which `keep` returns true, in their order. See [`retain`].
    ///
    /// ```
    /// use filch::ext::ParallelRetain;
    /// let mut v = vec![3, 0, 4];
    /// v.par_retain(|&x| x != 0);
    /// assert_eq!(v, [3, 4]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`retain`].
    #[doc(alias("retain", "remove_if"))]
    fn par_retain<F>(&mut self, keep: F)
    where
        F: Fn(&T) -> bool + Sync + Send,
    {
        retain(self.as_mut(), keep);
    }

    /// Keeps the elements for which `keep` returns true, in their order; `keep` may change them. See [`retain_mut`].
    ///
    /// ```
    /// use filch::ext::ParallelRetain;
    /// let mut lives = vec![1, 3, 2];
    /// lives.par_retain_mut(|n| {
    ///     *n -= 1;
    ///     *n > 0
    /// });
    /// assert_eq!(lives, [2, 1]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`retain_mut`].
    fn par_retain_mut<F>(&mut self, keep: F)
    where
        F: Fn(&mut T) -> bool + Sync + Send,
    {
        retain_mut(self.as_mut(), keep);
    }
}

impl<T: Send> ParallelRetain<T> for Vec<T> {}
