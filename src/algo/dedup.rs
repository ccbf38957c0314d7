//! Neighbours that are equal, reduced to the first of them.
//!
//! | what counts as equal | function |
//! |---|---|
//! | equal elements | [`dedup`] |
//! | elements with equal keys | [`dedup_by_key`] |
//! | what a closure says | [`dedup_by`] |
//!
//! Each does what the method of [`Vec`] does, on all threads. The relation should be transitive. Then the result is that of std. If it is
//! not, it depends on where the work is cut which elements are kept: std compares an element with the last one that was kept, but the first
//! element of a piece is compared only when the piece before it is done. In any case, no two neighbours in the result are equal by the
//! closure of [`dedup_by`]. ([`PartialEq`] has to be transitive, so [`dedup`] may compare with an element that is dropped.)
//!
//! Equal elements that are not neighbours stay. [`unique`](crate::algo::unique()) removes those too, without a sort.
//!
//! # Cost
//!
//! Work O(n), at most one comparison for each element and one for each cut. Span and memory are those of [`retain`](crate::algo::retain).
//! Elements need only be `Send`: no element is compared by two threads at once. If a comparison panics, elements
//! that were dropped before are gone, and all others stay, in their order.
//!
//! # Measured
//!
//! <!-- measured: par_dedup -->
//! Measured, `par_dedup` of 1,000,000 numbers, none equal: work 480 µs, span 5.6 µs, so up to 85 threads can be of use.

use crate::algo::pack::{Beside, filter};

/// Drops every element that equals the one before it; [`Vec::dedup`] with all threads.
///
/// See the [module](self) for costs and panics.
///
/// ```
/// let mut v = vec![1, 1, 2, 3, 3, 1];
/// filch::algo::dedup(&mut v);
/// assert_eq!(v, [1, 2, 3, 1]);
/// ```
///
/// # Panics
///
/// With the panic of a comparison. Elements that were dropped before are gone. All others stay, in their order.
pub fn dedup<T: PartialEq + Send>(vec: &mut Vec<T>) {
    // Equality is transitive, so what is dropped stands for the last one that was kept.
    filter(vec, Beside::Before, |_, element, last| {
        last.is_none_or(|last| element != last)
    });
}

/// Drops every element whose key equals that of the one before it; [`Vec::dedup_by_key`] with all threads.
///
/// `key` is called about twice for each element. See the [module](self) for costs and panics.
///
/// ```
/// let mut v = vec![10, 20, 21, 30, 20];
/// filch::algo::dedup_by_key(&mut v, |x| *x / 10);
/// assert_eq!(v, [10, 20, 30, 20]);
/// ```
///
/// # Panics
///
/// With the panic of `key` or of a comparison of keys; as [`dedup`] for the rest.
pub fn dedup_by_key<T, K, F>(vec: &mut Vec<T>, key: F)
where
    T: Send,
    K: PartialEq,
    F: Fn(&mut T) -> K + Sync + Send,
{
    dedup_by(vec, |a, b| key(a) == key(b));
}

/// Drops every element that `same` finds equal to the one before it; [`Vec::dedup_by`] with all threads.
///
/// As in std, `same(b, a)` gets an element and, as the second argument, one before it. It returns whether to drop `b`.
/// See the [module](self) for costs and panics, and for a `same` that is not transitive.
///
/// ```
/// let mut v = vec!["foo", "bar", "Bar", "baz", "bar"];
/// filch::algo::dedup_by(&mut v, |b, a| b.eq_ignore_ascii_case(a));
/// assert_eq!(v, ["foo", "bar", "baz", "bar"]);
/// ```
///
/// # Panics
///
/// With the panic of `same`; as [`dedup`] for the rest.
pub fn dedup_by<T, F>(vec: &mut Vec<T>, same: F)
where
    T: Send,
    F: Fn(&mut T, &mut T) -> bool + Sync + Send,
{
    filter(vec, Beside::Kept, |_, element, kept| {
        kept.is_none_or(|kept| !same(element, kept))
    });
}

/// A vector without neighbours that are equal: `use filch::ext::*`.
///
/// The methods are those of [`Vec`] by the names without `par_`.
///
/// ```
/// use filch::ext::*;
///
/// let mut v = vec![1, 1, 2, 1];
/// v.par_dedup();
/// assert_eq!(v, [1, 2, 1]);
/// ```
pub trait ParallelDedup<T: Send>: AsMut<Vec<T>> {
    /// Drops every element that equals the one before it. See [`dedup`].
    ///
    /// ```
    /// use filch::ext::ParallelDedup;
    /// let mut v = vec![1, 1, 2];
    /// v.par_dedup();
    /// assert_eq!(v, [1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`dedup`].
    #[doc(alias("dedup", "unique"))]
    fn par_dedup(&mut self)
    where
        T: PartialEq,
    {
        dedup(self.as_mut());
    }

    /// Drops every element whose key equals that of the one before it. See [`dedup_by_key`].
    ///
    /// ```
    /// use filch::ext::ParallelDedup;
    /// let mut v = vec![1i32, -1, 2];
    /// v.par_dedup_by_key(|x| x.abs());
    /// assert_eq!(v, [1, 2]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`dedup_by_key`].
    fn par_dedup_by_key<K, F>(&mut self, key: F)
    where
        K: PartialEq,
        F: Fn(&mut T) -> K + Sync + Send,
    {
        dedup_by_key(self.as_mut(), key);
    }

    /// Drops every element that `same` finds equal to the one before it. The one before is the second argument. See [`dedup_by`].
    ///
    /// ```
    /// use filch::ext::ParallelDedup;
    /// let mut v = vec![(1, 'a'), (1, 'b'), (2, 'c')];
    /// v.par_dedup_by(|b, a| b.0 == a.0);
    /// assert_eq!(v, [(1, 'a'), (2, 'c')]);
    /// ```
    ///
    /// # Panics
    ///
    /// As [`dedup_by`].
    fn par_dedup_by<F>(&mut self, same: F)
    where
        F: Fn(&mut T, &mut T) -> bool + Sync + Send,
    {
        dedup_by(self.as_mut(), same);
    }
}

impl<T: Send> ParallelDedup<T> for Vec<T> {}
