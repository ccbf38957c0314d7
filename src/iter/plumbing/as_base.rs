//! Lets a wrapping consumer answer as the consumer inside it does.

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
