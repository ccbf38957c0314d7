//! Adaptors: the steps between a source and an end.

mod accumulate;
pub(crate) mod apply;
pub(crate) mod blocks;
pub(crate) mod chain;
pub(crate) mod chunks;
pub(crate) mod copied;
pub(crate) mod enumerate;
pub(crate) mod filter;
pub(crate) mod flat_map;
pub(crate) mod flat_map_iter;
pub(crate) mod fold;
pub(crate) mod inspect;
pub(crate) mod interleave;
pub(crate) mod intersperse;
mod intersperse_consumer;
pub(crate) mod len_bounds;
pub(crate) mod map;
pub(crate) mod map_state;
pub(crate) mod multi_zip;
mod ongoing;
pub(crate) mod panic_fuse;
pub(crate) mod per_item;
pub(crate) mod positions;
pub(crate) mod reindex;
pub(crate) mod rev;
mod seed;
pub(crate) mod skip_any;
pub(crate) mod skip_take;
pub(crate) mod step_by;
pub(crate) mod take_any;
pub(crate) mod try_fold;
pub(crate) mod update;
pub(crate) mod while_some;
pub(crate) mod zip;

/// Defines an adaptor whose whole behaviour is a [`PerItem`](per_item::PerItem) operation: the struct, `Debug`, and the iterator traits.
///
/// `one for one` says that it yields exactly one item for each item of its base. Then it is indexed if its base is.
macro_rules! per_item_adaptor {
    (
        $(#[$doc:meta])*
        pub struct $Name:ident<I $(, $param:ident)*>($Op:ty);
        impl[$($generics:tt)*] item $Item:ty, where [$($bounds:tt)*];
        one for one
    ) => {
        $crate::iter::adapters::per_item_adaptor! {
            $(#[$doc])*
            pub struct $Name<I $(, $param)*>($Op);
            impl[$($generics)*] item $Item, where [$($bounds)*];
            {
                #[inline]
                fn opt_len(&self) -> Option<usize> {
                    self.base.opt_len()
                }
            }
        }

        impl<$($generics)*, I> $crate::iter::IndexedParallelIterator for $Name<I $(, $param)*>
        where
            I: $crate::iter::IndexedParallelIterator,
            $($bounds)*
        {
            #[inline]
            fn drive<C_>(self, consumer: C_) -> C_::Result
            where
                C_: $crate::iter::plumbing::Consumer<$Item>,
            {
                $crate::iter::adapters::apply::drive_indexed(self.base, &self.op, consumer)
            }

            #[inline]
            fn len(&self) -> usize {
                self.base.len()
            }

            #[inline]
            fn with_producer<CB_>(self, callback: CB_) -> CB_::Output
            where
                CB_: $crate::iter::plumbing::ProducerCallback<$Item>,
            {
                $crate::iter::adapters::apply::with_producer(self.base, &self.op, callback)
            }
        }
    };
    (
        $(#[$doc:meta])*
        pub struct $Name:ident<I $(, $param:ident)*>($Op:ty);
        impl[$($generics:tt)*] item $Item:ty, where [$($bounds:tt)*];
        any number
    ) => {
        $crate::iter::adapters::per_item_adaptor! {
            $(#[$doc])*
            pub struct $Name<I $(, $param)*>($Op);
            impl[$($generics)*] item $Item, where [$($bounds)*];
            {}
        }
    };
    (
        $(#[$doc:meta])*
        pub struct $Name:ident<I $(, $param:ident)*>($Op:ty);
        impl[$($generics:tt)*] item $Item:ty, where [$($bounds:tt)*];
        { $($opt_len:tt)* }
    ) => {
        $(#[$doc])*
        #[must_use = "iterator adaptors are lazy and do nothing unless consumed"]
        #[derive(Clone)]
        pub struct $Name<I $(, $param)*> {
            base: I,
            op: $Op,
        }

        impl<I $(, $param)*> $Name<I $(, $param)*> {
            #[inline]
            pub(crate) fn new(base: I, op: $Op) -> Self {
                $Name { base, op }
            }
        }

        impl<I: std::fmt::Debug $(, $param)*> std::fmt::Debug for $Name<I $(, $param)*> {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.debug_struct(stringify!($Name)).field("base", &self.base).finish()
            }
        }

        impl<$($generics)*, I> $crate::iter::ParallelIterator for $Name<I $(, $param)*>
        where
            I: $crate::iter::ParallelIterator,
            $($bounds)*
        {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_>(self, consumer: C_) -> C_::Result
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
            {
                $crate::iter::adapters::apply::drive(self.base, &self.op, consumer)
            }

            $($opt_len)*

            #[inline]
            fn drive_into<C_>(
                self,
                folder: C_::Folder,
            ) -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result>
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
            {
                $crate::iter::adapters::apply::drive_into::<_, _, C_>(self.base, &self.op, folder)
            }

            #[inline]
            fn with_rounds<CB_>(self, callback: CB_) -> CB_::Output
            where
                CB_: $crate::iter::plumbing::RoundsCallback<$Item>,
            {
                $crate::iter::adapters::apply::with_rounds(self.base, &self.op, callback)
            }
        }
    };
}
pub(crate) use per_item_adaptor;

/// Implements [`ParallelIterator`](crate::iter::ParallelIterator) for an adaptor whose operation is made for each run, from `self`. Its field
/// `base` is driven. The operation is a [`PerItem`](per_item::PerItem) with data that all pieces share (`op`), or a
/// [`PerPiece`](per_item::PerPiece) (`piece`).
///
/// `one for one` says that it yields exactly one item for each item of its base. Then it is indexed if its base is.
macro_rules! per_run_adaptor {
    (impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        op($self:ident) $op:block
        $($one_for_one:ident)*
    ) => {
        $crate::iter::adapters::per_run_adaptor! {
            impl[$($generics)*] $Adaptor => $Item, where [$($bounds)*];
            by [&] ($self) $op
            $($one_for_one)*
        }
    };
    (impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        piece($self:ident) $op:block
        $($one_for_one:ident)*
    ) => {
        $crate::iter::adapters::per_run_adaptor! {
            impl[$($generics)*] $Adaptor => $Item, where [$($bounds)*];
            by [] ($self) $op
            $($one_for_one)*
        }
    };
    (impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        by [$($by:tt)?] ($self:ident) $op:block
        one for one
    ) => {
        $crate::iter::adapters::per_run_adaptor! {
            impl[$($generics)*] $Adaptor => $Item, where [$($bounds)*];
            by [$($by)?] ($self) $op
            {
                #[inline]
                fn opt_len(&self) -> Option<usize> {
                    self.base.opt_len()
                }
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
                let op = $op;
                $crate::iter::adapters::apply::drive_indexed($self.base, $($by)? op, consumer)
            }

            #[inline]
            fn with_producer<CB_>($self, callback: CB_) -> CB_::Output
            where
                CB_: $crate::iter::plumbing::ProducerCallback<$Item>,
            {
                let op = $op;
                $crate::iter::adapters::apply::with_producer($self.base, $($by)? op, callback)
            }
        }
    };
    (impl[$($generics:tt)*] $Adaptor:ty => $Item:ty, where [$($bounds:tt)*];
        by [$($by:tt)?] ($self:ident) $op:block
        $({ $($opt_len:tt)* })?
    ) => {
        impl<$($generics)*> $crate::iter::ParallelIterator for $Adaptor
        where
            I: $crate::iter::ParallelIterator,
            $($bounds)*
        {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_>($self, consumer: C_) -> C_::Result
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
            {
                let op = $op;
                $crate::iter::adapters::apply::drive($self.base, $($by)? op, consumer)
            }

            $($($opt_len)*)?

            #[inline]
            fn drive_into<C_>(
                $self,
                folder: C_::Folder,
            ) -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result>
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
            {
                let op = $op;
                $crate::iter::adapters::apply::drive_into::<_, _, C_>($self.base, $($by)? op, folder)
            }

            #[inline]
            fn with_rounds<CB_>($self, callback: CB_) -> CB_::Output
            where
                CB_: $crate::iter::plumbing::RoundsCallback<$Item>,
            {
                let op = $op;
                $crate::iter::adapters::apply::with_rounds($self.base, $($by)? op, callback)
            }
        }
    };
}
pub(crate) use per_run_adaptor;
