//! Sources that cut a slice where a predicate says so: one macro defines the type and its iterator traits.

/// The type of a source that holds a slice and a predicate, and the marks at which the slice is cut. Write `Clone` if the slice can be
/// shared.
macro_rules! cut_source {
    (
        $(#[$doc:meta])*
        $Source:ident over $Slice:ty $(, $Clone:ident)?;
        [$T:ident: $($bound:tt)*] $P:ident: Fn($($arg:ty),+) => $marks:expr
    ) => {
        $(#[$doc])*
        pub struct $Source<'data, $T, $P> {
            slice: $Slice,
            predicate: $P,
        }

        impl<'data, $T, $P> $Source<'data, $T, $P> {
            #[inline]
            pub(super) fn new(slice: $Slice, predicate: $P) -> Self {
                $Source { slice, predicate }
            }
        }

        $(impl<$T, $P: $Clone> $Clone for $Source<'_, $T, $P> {
            fn clone(&self) -> Self {
                $Source {
                    slice: self.slice,
                    predicate: self.predicate.clone(),
                }
            }
        })?

        impl<$T: ::std::fmt::Debug, $P> ::std::fmt::Debug for $Source<'_, $T, $P> {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.debug_struct(stringify!($Source))
                    .field("slice", &self.slice)
                    .finish()
            }
        }

        $crate::iter::sources::unindexed_source! {
            impl['data, $T: $($bound)*, $P: Fn($($arg),+) -> bool + Sync + Send] $Source<'data, $T, $P> => $Slice;
            producer(self) { $crate::iter::sources::pieces::Pieces::new(self.slice, $marks(&self.predicate)) }
        }
    };
}
pub(super) use cut_source;
