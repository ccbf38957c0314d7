//! Macros by which a consumer or a producer passes on the constants and methods of the one that it wraps.

/// In an `impl Consumer`: answers the named questions as the field `base`, of type `C`, does.
macro_rules! as_base {
    ($C:ident: $($what:ident)*) => {
        $($crate::iter::plumbing::as_base! { @$what $C })*
    };
    (@constants $C:ident) => {
        const SPLITS_LIVE: bool = $C::SPLITS_LIVE;
        const DRIVES_FROM_RIGHT: bool = $C::DRIVES_FROM_RIGHT;
        const FRONT_FIRST: bool = $C::FRONT_FIRST;
        const STOPS_EARLY: bool = $C::STOPS_EARLY;
        const SPLIT_IS_EXPENSIVE: bool = $C::SPLIT_IS_EXPENSIVE;
    };
    (@full $C:ident) => {
        #[inline]
        fn full(&self) -> bool {
            self.base.full()
        }
    };
    (@settles $C:ident) => {
        #[inline]
        fn settles(right: &Self::Result) -> bool {
            $C::settles(right)
        }
    };
}
pub(crate) use as_base;

/// In an `impl Consumer<T>` that does not ask for positions: a split is one to the left, at any place.
macro_rules! split_anywhere {
    ($T:ident) => {
        #[inline]
        fn split_at(self, _: usize) -> (Self, Self, Self::Reducer) {
            let left = UnindexedConsumer::<$T>::split_off_left(&self);
            let reducer = UnindexedConsumer::<$T>::to_reducer(&self);
            (left, self, reducer)
        }
    };
}
pub(crate) use split_anywhere;

/// In an `impl UnindexedConsumer<T>`: a left part is split off as the first one by `split_off_nth`.
macro_rules! first_part {
    ($T:ident) => {
        #[inline]
        fn split_off_left(&self) -> Self {
            UnindexedConsumer::<$T>::split_off_nth(self, 1)
        }
    };
}
pub(crate) use first_part;

/// In an `impl Producer`: answers as the wrapped producers do, each given with its type. `every n`: each item is made of `n` items of the wrapped producer.
/// `and c`: it can pause only if that holds, too.
macro_rules! as_producer {
    ($P:ident: $($base:tt).+ $(; every $($n:ident).+)? $(; and $can_pause:expr)?) => {
        const REPRODUCIBLE: bool = $P::REPRODUCIBLE;
        const CAN_PAUSE: bool = $P::CAN_PAUSE $(&& $can_pause)?;
        const BOUNDED: bool = $P::BOUNDED;

        #[inline]
        fn min_len(&self) -> usize {
            self.$($base).+.min_len()$(.div_ceil(self.$($n).+))?
        }

        #[inline]
        fn max_len(&self) -> usize {
            self.$($base).+.max_len()$( / self.$($n).+)?
        }
    };
    ($P:ident: $($a:ident).+, $Q:ident: $($b:ident).+) => {
        const REPRODUCIBLE: bool = $P::REPRODUCIBLE || $Q::REPRODUCIBLE;
        const CAN_PAUSE: bool = $P::CAN_PAUSE && $Q::CAN_PAUSE;
        const BOUNDED: bool = $P::BOUNDED || $Q::BOUNDED;

        #[inline]
        fn min_len(&self) -> usize {
            self.$($a).+.min_len().max(self.$($b).+.min_len())
        }

        #[inline]
        fn max_len(&self) -> usize {
            self.$($a).+.max_len().min(self.$($b).+.max_len())
        }
    };
}
pub(crate) use as_producer;
