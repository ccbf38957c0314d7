//! Sources that belong to no collection.

mod either;
pub(crate) mod par_bridge;
pub(crate) mod split;
pub(crate) mod walk_in_place;
pub(crate) mod walk_tree;

/// Implements the iterator traits for a source that becomes a producer: `opt_len`, `drive`, `drive_unindexed` and `drive_into` are the same
/// for all of them.
macro_rules! indexed_source {
    (impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        len($len_self:ident) $len:block
        producer($self:ident) $producer:block
    ) => {
        impl<$($generics)*> $crate::iter::ParallelIterator for $Source $(where $($bounds)*)? {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_>(self, consumer: C_) -> C_::Result
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
            {
                $crate::iter::plumbing::bridge(self, consumer)
            }

            #[inline]
            fn opt_len(&self) -> Option<usize> {
                Some($crate::iter::IndexedParallelIterator::len(self))
            }

            #[inline]
            fn drive_into<C_, M_>(
                self,
                folder: C_::Folder,
                more: &M_,
            ) -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result>
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
                M_: Fn() -> C_,
            {
                $crate::iter::plumbing::bridge_into(self, folder, more)
            }
        }

        impl<$($generics)*> $crate::iter::IndexedParallelIterator for $Source $(where $($bounds)*)? {
            #[inline]
            fn len(&$len_self) -> usize $len

            #[inline]
            fn drive<C_>(self, consumer: C_) -> C_::Result
            where
                C_: $crate::iter::plumbing::Consumer<$Item>,
            {
                $crate::iter::plumbing::bridge(self, consumer)
            }

            #[inline]
            fn with_producer<CB_>($self, callback: CB_) -> CB_::Output
            where
                CB_: $crate::iter::plumbing::ProducerCallback<$Item>,
            {
                callback.callback($producer)
            }
        }
    };
}
pub(crate) use indexed_source;

/// Implements the iterator traits for a source that becomes an unindexed producer.
macro_rules! unindexed_source {
    (impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        producer($self:ident) $producer:block
    ) => {
        impl<$($generics)*> $crate::iter::ParallelIterator for $Source $(where $($bounds)*)? {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_>($self, consumer: C_) -> C_::Result
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
            {
                $crate::iter::plumbing::bridge_unindexed($producer, consumer)
            }

            #[inline]
            fn drive_into<C_, M_>(
                $self,
                folder: C_::Folder,
                more: &M_,
            ) -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result>
            where
                C_: $crate::iter::plumbing::UnindexedConsumer<$Item>,
                M_: Fn() -> C_,
            {
                $crate::iter::plumbing::bridge_unindexed_into($producer, folder, more)
            }
        }
    };
}
pub(crate) use unindexed_source;
