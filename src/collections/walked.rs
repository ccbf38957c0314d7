//! Sources that walk an iterator of std's in place: one macro defines the type, its iterator traits, and the conversion of the collection.

/// The type of a source over what is in parentheses, an iterator or what becomes one, the code that makes it the parallel iterator, and the
/// conversion that begins it.
///
/// The bounds in the first brackets are the iterator's, those behind `impl` the conversion's. Write `Clone` if the source can be cloned
/// although its items cannot.
macro_rules! walked_source {
    (
        $(#[$doc:meta])*
        $Source:ident<$($param:tt),+>($Inner:ty) $(with Clone[$($shared:tt)+])?: [$($bounds:tt)*] => $Item:ty;
        impl[$($generics:tt)*] $Trait:ident::$method:ident for $Collection:ty { $self:ident => $iter:expr }
    ) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub struct $Source<$($param),+> {
            inner: $Inner,
        }

        $(impl<$($shared)+> Clone for $Source<$($shared)+> {
            fn clone(&self) -> Self {
                $Source {
                    inner: self.inner.clone(),
                }
            }
        })?

        $crate::iter::sources::unindexed_source! {
            impl[$($bounds)*] $Source<$($param),+> => $Item;
            producer(self) { $crate::iter::sources::walk_in_place::WalkInPlace::new(self.inner.into_iter()) }
        }

        impl<$($generics)*> $Trait for $Collection {
            type Item = $Item;
            type Iter = $Source<$($param),+>;

            #[inline]
            fn $method($self) -> Self::Iter {
                $Source { inner: $iter }
            }
        }
    };
}
pub(super) use walked_source;
