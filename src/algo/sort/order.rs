//! What a sort asks of an order: comparisons.

use std::cmp::Ordering;

/// An order on `T`. It may be a senseless one: whatever it answers, a sort ends, and keeps every element.
pub(crate) trait Less<T> {
    fn is_less(&self, a: &T, b: &T) -> bool;

    /// Sorts by std's unstable sort if this is known to be a total order, and one under which equal elements are the same: true. Std's sorts
    /// may panic under other orders.
    fn sort_by_std(&self, _v: &mut [T]) -> bool {
        false
    }
}

/// An order that threads may share.
pub(crate) trait Order<T>: Less<T> + Sync {}

impl<T, O: Less<T> + Sync> Order<T> for O {}

/// The order of `T` itself.
pub(crate) struct Natural;

impl<T: Ord> Less<T> for Natural {
    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        a.lt(b)
    }

    #[inline(always)]
    fn sort_by_std(&self, v: &mut [T]) -> bool {
        let known = is_integer::<T>();
        if known {
            v.sort_unstable();
        }
        known
    }
}

/// Whether `T` is an integer, a `char` or a `bool`. Their names say so: those of other types have a path, or are no identifiers. (`T` may
/// borrow, so it has no `TypeId`.) The compiler knows the answer. A wrong one could cost a panic, under an order that is none.
#[inline(always)]
fn is_integer<T>() -> bool {
    matches!(
        std::any::type_name::<T>(),
        "u8" | "u16"
            | "u32"
            | "u64"
            | "u128"
            | "usize"
            | "i8"
            | "i16"
            | "i32"
            | "i64"
            | "i128"
            | "isize"
            | "char"
            | "bool"
    )
}

/// The order given by a comparator.
pub(crate) struct By<F>(pub(crate) F);

impl<T, F: Fn(&T, &T) -> Ordering> Less<T> for By<F> {
    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        (self.0)(a, b).is_lt()
    }
}

/// The order of a key, computed for each comparison.
pub(crate) struct ByKeyOf<F>(pub(crate) F);

impl<T, K: Ord, F: Fn(&T) -> K> Less<T> for ByKeyOf<F> {
    #[inline(always)]
    fn is_less(&self, a: &T, b: &T) -> bool {
        (self.0)(a).lt(&(self.0)(b))
    }
}

/// Defines three functions that differ only in how the order is given: by none, for that of `T` itself; by a comparator; and by a key.
///
/// First comes what they share: type parameters, arguments, bounds, and the body, which gets the order under the name between the bars. Then come the three
/// names, each with its documentation and attributes.
macro_rules! by_order {
    (
        <$($G:ident),*>($($arguments:tt)*) $(-> $Result:ty)?
        where [$($bounds:tt)*]
        |$order:ident| $body:expr;

        $(#[$attribute:meta])* $vis:vis fn $name:ident;
        $(#[$attribute_by:meta])* $vis_by:vis fn $name_by:ident;
        $(#[$attribute_by_key:meta])* $vis_by_key:vis fn $name_by_key:ident;
    ) => {
        $(#[$attribute])*
        $vis fn $name<$($G),*>($($arguments)*) $(-> $Result)?
        where
            T: Ord,
            $($bounds)*
        {
            let $order = &$crate::algo::sort::Natural;
            $body
        }

        $(#[$attribute_by])*
        $vis_by fn $name_by<$($G,)* F>($($arguments)*, compare: F) $(-> $Result)?
        where
            F: Fn(&T, &T) -> std::cmp::Ordering + Sync,
            $($bounds)*
        {
            let $order = &$crate::algo::sort::By(compare);
            $body
        }

        $(#[$attribute_by_key])*
        $vis_by_key fn $name_by_key<$($G,)* K, F>($($arguments)*, key: F) $(-> $Result)?
        where
            K: Ord,
            F: Fn(&T) -> K + Sync,
            $($bounds)*
        {
            let $order = &$crate::algo::sort::ByKeyOf(key);
            $body
        }
    };
}
pub(crate) use by_order;

/// Defines two functions: by the natural order of `T`, and by a comparison, of which `compare: Sync` or `compare: Sync + Send` says what it has to be. Otherwise as
/// [`by_order`]; what an algorithm gets is the comparison itself.
macro_rules! by_comparison {
    (
        <$($G:ident),*>($($arguments:tt)*) -> $Result:ty
        where [$($bounds:tt)*]
        |$compare:ident: Sync $(+ $Marker:ident)?| $body:expr;

        $(#[$attribute:meta])* $vis:vis fn $name:ident;
        $(#[$attribute_by:meta])* $vis_by:vis fn $name_by:ident;
    ) => {
        $(#[$attribute])*
        $vis fn $name<$($G),*>($($arguments)*) -> $Result
        where
            T: Ord,
            $($bounds)*
        {
            let $compare = T::cmp;
            $body
        }

        $(#[$attribute_by])*
        $vis_by fn $name_by<$($G,)* F>($($arguments)*, $compare: F) -> $Result
        where
            F: Fn(&T, &T) -> std::cmp::Ordering + Sync $(+ $Marker)?,
            $($bounds)*
        {
            $body
        }
    };
}
pub(crate) use by_comparison;

#[cfg(test)]
mod tests {
    use super::{By, Less, Natural, is_integer};

    /// Has the name of an integer, and an order that is none.
    #[allow(non_camel_case_types)]
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    struct u32(std::primitive::u32);

    #[test]
    fn std_sorts_integers_by_their_own_order_only() {
        let mut v = [3u64, 1, 2];
        assert!(!By(u64::cmp).sort_by_std(&mut v));
        assert_eq!(v, [3, 1, 2]);
        assert!(Natural.sort_by_std(&mut v));
        assert_eq!(v, [1, 2, 3]);
        let mut v = [u32(2), u32(1)];
        assert!(!Natural.sort_by_std(&mut v));
        assert_eq!(v[0].0, 2);
        assert!(is_integer::<std::primitive::u32>() && is_integer::<char>());
        assert!(!is_integer::<&u64>() && !is_integer::<[u8; 1]>() && !is_integer::<(u8,)>());
    }
}
