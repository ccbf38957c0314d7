//! The macros by which adaptors are defined: what they are made of ([`adaptor`]), and what drives them ([`applied`]).

/// Defines an adaptor: the struct, `new` with the fields in their order, `Clone`, and `Debug`. Fields in a second pair of braces are closures and the
/// like, which `Debug` does not show. It asks for `Debug` of the types of all other fields, or for what `debug where [..];` says.
macro_rules! adaptor {
    (debug where [$($bounds:tt)*]; $($adaptor:tt)*) => {
        $crate::iter::adapters::adaptor! { @define [$($bounds)*] $($adaptor)* }
    };
    (@define [$($bounds:tt)*]
        $(#[$doc:meta])*
        pub struct $Name:ident<$($Param:ident $(: $Bound:path)?),*>
        { $($field:ident: $Field:ty),* } $({ $($hidden:ident: $Hidden:ty),* })?
    ) => {
        $(#[$doc])*
        #[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
        #[derive(Clone)]
        pub struct $Name<$($Param $(: $Bound)?),*> {
            $($field: $Field,)*
            $($($hidden: $Hidden,)*)?
        }

        impl<$($Param $(: $Bound)?),*> $Name<$($Param),*> {
            #[inline]
            pub(crate) fn new($($field: $Field,)* $($($hidden: $Hidden),*)?) -> Self {
                $Name { $($field,)* $($($hidden),*)? }
            }
        }

        impl<$($Param $(: $Bound)?),*> std::fmt::Debug for $Name<$($Param),*>
        where
            $($bounds)*
        {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Name))
                    $(.field(stringify!($field), &self.$field))*
                    .finish()
            }
        }
    };
    (
        $(#[$doc:meta])*
        pub struct $Name:ident<$($Param:ident $(: $Bound:path)?),*>
        { $($field:ident: $Field:ty),* } $({ $($hidden:ident: $Hidden:ty),* })?
    ) => {
        $crate::iter::adapters::adaptor! { @define [$($Field: std::fmt::Debug,)*]
            $(#[$doc])*
            pub struct $Name<$($Param $(: $Bound)?),*>
            { $($field: $Field),* } $({ $($hidden: $Hidden),* })?
        }
    };
}
pub(crate) use adaptor;

/// Implements [`ParallelIterator`](crate::iter::ParallelIterator) for an adaptor whose behaviour is an operation on each item: a
/// [`PerPiece`](super::per_piece::PerPiece), which each piece owns; those without a state share it by reference.
/// The operation may be made for each run, from `self`. The field `base` of the adaptor is driven.
///
/// `one for one`: it yields exactly one item for each item of its base. Then it is indexed if its base is. `in one round`: the operation must
/// not begin anew in each round.
macro_rules! applied {
    (impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        op($self:ident) $op:expr
    ) => {
        $crate::iter::adapters::applied! {
            @rounds impl[$($generics)*] $Adaptor => $Item, where [$($bounds)*]; op($self) $op;
            { const OPT_LEN: $crate::iter::plumbing::Length = $crate::iter::plumbing::Length::Never; }
        }
    };
    (impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        op($self:ident) $op:expr;
        in one round
    ) => {
        $crate::iter::adapters::applied! {
            @unindexed impl[$($generics)*] $Adaptor => $Item, where [$($bounds)*]; op($self) $op;
            { const OPT_LEN: $crate::iter::plumbing::Length = $crate::iter::plumbing::Length::Never; }
        }
    };
    (impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        op($self:ident) $op:expr;
        one for one
    ) => {
        $crate::iter::adapters::applied! {
            @rounds impl[$($generics)*] $Adaptor => $Item, where [$($bounds)*]; op($self) $op;
            {
                #[inline]
                fn opt_len(&self) -> Option<usize> {
                    self.base.opt_len()
                }

                const OPT_LEN: $crate::iter::plumbing::Length = I::OPT_LEN;
            }
        }

        impl<$($generics)*> $crate::iter::IndexedParallelIterator for $Adaptor
        where
            I: $crate::iter::IndexedParallelIterator,
            $($bounds)*
        {
            #[inline]
            fn len(&self) -> usize {
                self.base.len()
            }

            #[inline]
            fn drive<C_: $crate::iter::plumbing::Consumer<$Item>>($self, consumer: C_) -> C_::Result {
                $self.base.drive($crate::iter::adapters::apply::OpConsumer { base: consumer, op: $op })
            }

            #[inline]
            fn with_producer<CB_: $crate::iter::plumbing::ProducerCallback<$Item>>($self, callback: CB_) -> CB_::Output {
                $self.base.with_producer($crate::iter::adapters::apply::OpCallback { callback, op: $op })
            }
        }
    };
    (@rounds impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        op($self:ident) $op:expr; { $($more:tt)* }
    ) => {
        $crate::iter::adapters::applied! {
            @unindexed impl[$($generics)*] $Adaptor => $Item, where [$($bounds)*]; op($self) $op;
            {
                $($more)*

                #[inline]
                fn with_rounds<CB_: $crate::iter::plumbing::RoundsCallback<$Item>>($self, callback: CB_) -> CB_::Output {
                    $crate::iter::ParallelIterator::with_rounds($self.base, $crate::iter::adapters::apply::OpCallback { callback, op: $op })
                }
            }
        }
    };
    (@unindexed impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        op($self:ident) $op:expr; { $($more:tt)* }
    ) => {
        impl<$($generics)*> $crate::iter::ParallelIterator for $Adaptor
        where
            I: $crate::iter::ParallelIterator,
            $($bounds)*
        {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>($self, consumer: C_) -> C_::Result {
                $crate::iter::ParallelIterator::drive_unindexed($self.base, $crate::iter::adapters::apply::OpConsumer { base: consumer, op: $op })
            }

            #[inline]
            fn drive_into<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>($self, folder: C_::Folder)
            -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result> {
                $crate::iter::adapters::apply::drive_into::<_, _, C_>($self.base, $op, folder)
            }

            $($more)*
        }
    };
}
pub(crate) use applied;
