//! Macros by which a consumer or a producer passes on the constants and methods of the one that it wraps.

/// In an `impl Consumer`: answers the named questions as the field `base` does; `settles C` as its type `C` does.
macro_rules! as_base {
    ($($question:ident)* $(; settles $Base:ident)?) => {
        $(#[inline]
        fn $question(&self) -> bool {
            self.base.$question()
        })*

        $(#[inline]
        fn settles(right: &Self::Result) -> bool {
            $Base::settles(right)
        })?
    };
}
pub(crate) use as_base;

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
