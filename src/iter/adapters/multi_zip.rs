//! Tuples of up to twelve iterators as one iterator of tuples.

use super::reindex::indexed_adaptor;
use crate::iter::{
    IndexedParallelIterator, IntoParallelIterator, IntoParallelRefIterator,
    IntoParallelRefMutIterator, ParallelIterator,
};

/// Walks a tuple of iterators in step and yields tuples of their items, up to the end of the shortest.
///
/// A tuple of types that can become parallel iterators can become one itself: by value, by shared or by mutable reference. It may have up to
/// twelve parts.
///
/// ```
/// use filch::prelude::*;
/// let (xs, ys) = (vec![1, 2, 3], [10, 20, 30, 40]);
/// let mut sums = [0; 3];
/// (&xs, &ys, &mut sums).into_par_iter().for_each(|(x, y, sum)| *sum = x + y);
/// assert_eq!(sums, [11, 22, 33]);
/// ```
///
/// A reference to a tuple lends all its parts:
///
/// ```
/// use filch::prelude::*;
/// let mut tuple = (vec![1, 2, 3], [10, 20, 30]);
/// tuple.par_iter_mut().for_each(|(x, y)| std::mem::swap(x, y));
/// assert_eq!(tuple, (vec![10, 20, 30], [1, 2, 3]));
/// assert_eq!(tuple.par_iter().map(|(x, y)| x * y).sum::<i32>(), 140);
/// ```
#[derive(Debug, Clone)]
pub struct MultiZip<T> {
    tuple: T,
}

/// Zips in steps: `a.zip(b).zip(c)` yields `((a, b), c)`, and a `map` flattens that. Calls back with the resulting producer.
macro_rules! zip_flat {
    ($callback:ident, $flat:expr, $zip:expr, $nested:tt;) => {
        $zip.map(|$nested| $flat).with_producer($callback)
    };
    ($callback:ident, $flat:expr, $zip:expr, $nested:tt; $next:ident $($rest:ident)*) => {
        zip_flat!($callback, $flat, $zip.zip($next), ($nested, $next); $($rest)*)
    };
}

/// A tuple becomes an iterator, as its parts do by the method `$make`.
macro_rules! into_zip {
    ([$($a:lifetime)?] $Tuple:ty, $Into:path, $make:ident; $($T:ident $at:tt)+) => {
        impl<$($a,)? $($T),+> IntoParallelIterator for $Tuple
        where
            $($T: $Into,)+
        {
            type Item = ($($T::Item,)+);
            type Iter = MultiZip<($($T::Iter,)+)>;

            #[inline]
            fn into_par_iter(self) -> Self::Iter {
                MultiZip {
                    tuple: ($(self.$at.$make(),)+),
                }
            }
        }
    };
}

macro_rules! implement {
    ($($T:ident $at:tt $t:ident)+) => {
        into_zip! { [] ($($T,)+), IntoParallelIterator<Iter: IndexedParallelIterator>, into_par_iter; $($T $at)+ }
        into_zip! { ['a] &'a ($($T,)+), IntoParallelRefIterator<'a, Iter: IndexedParallelIterator>, par_iter; $($T $at)+ }
        into_zip! { ['a] &'a mut ($($T,)+), IntoParallelRefMutIterator<'a, Iter: IndexedParallelIterator>, par_iter_mut; $($T $at)+ }

        indexed_adaptor! {
            impl[$($T: IndexedParallelIterator),+] MultiZip<($($T,)+)> => ($($T::Item,)+);
            len(self) { usize::MAX$(.min(self.tuple.$at.len()))+ }
            give(self, callback) {
                let ($($t,)+) = self.tuple;
                implement!(@zip callback, ($($t,)+); $($t)+)
            }
        }
    };
    (@zip $callback:ident, $flat:expr; $first:ident $($rest:ident)*) => {
        zip_flat!($callback, $flat, $first, $first; $($rest)*)
    };
}

/// Calls `implement` with the first entry, the first two, and so on.
macro_rules! implement_all {
    ([$($done:tt)*]) => {};
    ([$($done:tt)*] $T:ident $at:tt $t:ident, $($rest:tt)*) => {
        implement!($($done)* $T $at $t);
        implement_all!([$($done)* $T $at $t] $($rest)*);
    };
}

implement_all! {
    [] A 0 a, B 1 b, C 2 c, D 3 d, E 4 e, F 5 f, G 6 g, H 7 h, I 8 i, J 9 j, K 10 k, L 11 l,
}
