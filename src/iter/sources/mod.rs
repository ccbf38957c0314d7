//! Sources that belong to no collection, and the macros for all sources.

pub(crate) mod bounds;
mod either;
pub(crate) mod empty;
pub(crate) mod fetched;
pub(crate) mod integer;
pub(crate) mod once;
pub(crate) mod optional;
pub(crate) mod owned;
pub(crate) mod par_bridge;
pub(crate) mod pending;
pub(crate) mod pieces;
pub(crate) mod repeat;
pub(crate) mod repeat_n;
pub(crate) mod shares;
pub(crate) mod split;
pub(crate) mod text;
pub(crate) mod walk_in_place;
mod walk_postfix;
pub(crate) mod walk_tree;

/// Implements the iterator traits for a source that becomes a producer: `opt_len`, `drive`, `drive_unindexed` and `drive_into` are the same
/// for all of them.
///
/// A producer that borrows from a local variable is passed on by `give(self, callback) { .. }` instead of `producer(self) { .. }`. `few(self)
/// { condition } { iterator }` says when the source is so short that a running fold takes it item by item.
macro_rules! indexed_source {
    (impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        len($len_self:ident) $len:block
        producer($self:ident) $producer:block
        $(few($few_self:ident) $few:block $items:block)?
    ) => {
        $crate::iter::sources::indexed_source! {
            impl[$($generics)*] $Source => $Item $(, where [$($bounds)*])?;
            len($len_self) $len
            give($self, callback) { callback.callback($producer) }
            $(few($few_self) $few $items)?
        }
    };
    (impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        len($len_self:ident) $len:block
        give($self:ident, $callback:ident) $give:block
        $(few($few_self:ident) $few:block $items:block)?
    ) => {
        impl<$($generics)*> $crate::iter::ParallelIterator for $Source $(where $($bounds)*)? {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>(self, consumer: C_) -> C_::Result {
                $crate::iter::plumbing::bridge(self, consumer)
            }

            #[inline]
            fn opt_len(&self) -> Option<usize> {
                Some($crate::iter::IndexedParallelIterator::len(self))
            }

            const OPT_LEN: $crate::iter::plumbing::Length = $crate::iter::plumbing::Length::Always;

            #[inline]
            fn drive_into<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>($self, folder: C_::Folder)
            -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result> {
                $(if $few {
                    use $crate::iter::plumbing::Folder;
                    let folder = if folder.full() { folder } else { folder.consume_iter($items) };
                    return $crate::iter::plumbing::Folded::Live(folder);
                })?
                $crate::iter::plumbing::bridge_into::<_, C_>($self, folder)
            }

            #[inline]
            fn with_rounds<CB_: $crate::iter::plumbing::RoundsCallback<$Item>>(self, callback: CB_) -> CB_::Output {
                $crate::iter::plumbing::indexed_rounds(self, callback)
            }
        }

        impl<$($generics)*> $crate::iter::IndexedParallelIterator for $Source $(where $($bounds)*)? {
            #[inline]
            fn len(&$len_self) -> usize $len

            #[inline]
            fn drive<C_: $crate::iter::plumbing::Consumer<$Item>>(self, consumer: C_) -> C_::Result {
                $crate::iter::plumbing::bridge(self, consumer)
            }

            #[inline]
            fn with_producer<CB_: $crate::iter::plumbing::ProducerCallback<$Item>>($self, $callback: CB_) -> CB_::Output
            $give
        }
    };
}
pub(crate) use indexed_source;

/// Implements the iterator traits for a source that becomes an unindexed producer, and a source of rounds if it says so.
macro_rules! unindexed_source {
    (impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        $(own($owned:ident) $value:block)?
        producer($self:ident) $producer:block
        $(rounds($rounds_self:ident) $rounds:block)?
    ) => {
        impl<$($generics)*> $crate::iter::ParallelIterator for $Source $(where $($bounds)*)? {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>($self, consumer: C_) -> C_::Result {
                $(let $owned = $value;)?
                $crate::iter::plumbing::bridge_unindexed($producer, consumer)
            }

            const OPT_LEN: $crate::iter::plumbing::Length = $crate::iter::plumbing::Length::Never;

            #[inline]
            fn drive_into<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>($self, folder: C_::Folder)
            -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result> {
                $(let $owned = $value;)?
                $crate::iter::plumbing::bridge_unindexed_into::<_, C_>($producer, folder)
            }

            $(#[inline]
            fn with_rounds<CB_: $crate::iter::plumbing::RoundsCallback<$Item>>($rounds_self, callback: CB_) -> CB_::Output {
                callback.callback($rounds)
            })?
        }
    };
}
pub(crate) use unindexed_source;

/// Implements the iterator traits for a source that wraps another parallel iterator. It is indexed if it gives its `len`.
macro_rules! same_as {
    (@told) => { $crate::iter::plumbing::Length::Never };
    (@told $len:block) => { $crate::iter::plumbing::Length::Always };
    (@rounds $iter:block, $callback:ident) => {
        $crate::iter::ParallelIterator::with_rounds($iter, $callback)
    };
    // By its places: the rounds of a chain of two, which has some, would end between the two.
    (@rounds $iter:block, $callback:ident, $len:block) => {
        $crate::iter::plumbing::indexed_rounds($iter, $callback)
    };
    (impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        $(len($len_self:ident) $len:block)?
        iter($self:ident) $iter:block
    ) => {
        impl<$($generics)*> $crate::iter::ParallelIterator for $Source $(where $($bounds)*)? {
            type Item = $Item;

            #[inline]
            fn drive_unindexed<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>($self, consumer: C_) -> C_::Result {
                $crate::iter::ParallelIterator::drive_unindexed($iter, consumer)
            }

            $(#[inline]
            fn opt_len(&$len_self) -> Option<usize> {
                Some($len)
            })?

            const OPT_LEN: $crate::iter::plumbing::Length =
                $crate::iter::sources::same_as!(@told $($len)?);

            #[inline]
            fn drive_into<C_: $crate::iter::plumbing::UnindexedConsumer<$Item>>($self, folder: C_::Folder)
            -> $crate::iter::plumbing::Folded<C_::Folder, C_::Result> {
                $crate::iter::ParallelIterator::drive_into::<C_>($iter, folder)
            }

            #[inline]
            fn with_rounds<CB_: $crate::iter::plumbing::RoundsCallback<$Item>>($self, callback: CB_) -> CB_::Output {
                $crate::iter::sources::same_as!(@rounds $iter, callback $(, $len)?)
            }
        }

        $crate::iter::sources::same_as! {
            @indexed impl[$($generics)*] $Source => $Item $(, where [$($bounds)*])?;
            $(len($len_self) $len)?
            iter($self) $iter
        }
    };
    (@indexed impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        iter($self:ident) $iter:block
    ) => {};
    (@indexed impl[$($generics:tt)*] $Source:ty => $Item:ty $(, where [$($bounds:tt)*])?;
        len($len_self:ident) $len:block
        iter($self:ident) $iter:block
    ) => {
        impl<$($generics)*> $crate::iter::IndexedParallelIterator for $Source $(where $($bounds)*)? {
            #[inline]
            fn len(&$len_self) -> usize $len

            #[inline]
            fn drive<C_: $crate::iter::plumbing::Consumer<$Item>>($self, consumer: C_) -> C_::Result {
                $crate::iter::IndexedParallelIterator::drive($iter, consumer)
            }

            #[inline]
            fn with_producer<CB_: $crate::iter::plumbing::ProducerCallback<$Item>>($self, callback: CB_) -> CB_::Output {
                $crate::iter::IndexedParallelIterator::with_producer($iter, callback)
            }
        }
    };
}
pub(crate) use same_as;
