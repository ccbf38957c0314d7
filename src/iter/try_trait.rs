//! The trait behind `try_fold`, `try_for_each` and `try_reduce`: std's `Try`, which is not stable yet.

use std::convert::Infallible;
use std::ops::ControlFlow::{self, Break, Continue};
use std::task::Poll::{self, Pending, Ready};

/// A value that says whether to go on (with an output) or to stop (with a residual, which holds the reason).
///
/// Implemented for `Option`, `Result`, `ControlFlow`, `Poll<Result>` and `Poll<Option<Result>>`, as `?` works on them. The module is private,
/// so other crates can neither name nor implement the trait.
pub trait Try {
    /// The value of `?` if it goes on.
    type Output;
    /// The value that `?` returns from the function.
    type Residual;

    /// A value that goes on.
    fn from_output(output: Self::Output) -> Self;

    /// A value that stops.
    fn from_residual(residual: Self::Residual) -> Self;

    /// Which of the two it is.
    fn branch(self) -> ControlFlow<Self::Residual, Self::Output>;
}

/// Implements [`Try`] for one type after the other.
macro_rules! tries {
    ($(
        impl[$($T:ident)*] $Type:ty {
            Output: $Output:ty,
            Residual: $Residual:ty,
            from_output: $from_output:expr,
            from_residual: $from_residual:expr,
            branch: $branch:expr,
        }
    )*) => { $(
        impl<$($T),*> Try for $Type {
            type Output = $Output;
            type Residual = $Residual;

            #[inline]
            fn from_output(output: $Output) -> Self {
                ($from_output)(output)
            }

            #[inline]
            fn from_residual(residual: $Residual) -> Self {
                ($from_residual)(residual)
            }

            #[inline]
            fn branch(self) -> ControlFlow<$Residual, $Output> {
                ($branch)(self)
            }
        }
    )* };
}

tries! {
    impl[T] Option<T> {
        Output: T,
        Residual: Option<Infallible>,
        from_output: Some,
        from_residual: |_| None,
        branch: |value| match value {
            Some(output) => Continue(output),
            None => Break(None),
        },
    }
    impl[T E] Result<T, E> {
        Output: T,
        Residual: Result<Infallible, E>,
        from_output: Ok,
        from_residual: |residual| Err(error(residual)),
        branch: |value| match value {
            Ok(output) => Continue(output),
            Err(error) => Break(Err(error)),
        },
    }
    impl[B C] ControlFlow<B, C> {
        Output: C,
        Residual: ControlFlow<B, Infallible>,
        from_output: Continue,
        from_residual: |residual| match residual {
            Break(value) => Break(value),
            Continue(never) => match never {},
        },
        branch: |value| match value {
            Continue(output) => Continue(output),
            Break(value) => Break(Break(value)),
        },
    }
    impl[T E] Poll<Result<T, E>> {
        Output: Poll<T>,
        Residual: Result<Infallible, E>,
        from_output: |output: Poll<T>| output.map(Ok),
        from_residual: |residual| Ready(Err(error(residual))),
        branch: |value| match value {
            Ready(Err(error)) => Break(Err(error)),
            Ready(Ok(output)) => Continue(Ready(output)),
            Pending => Continue(Pending),
        },
    }
    impl[T E] Poll<Option<Result<T, E>>> {
        Output: Poll<Option<T>>,
        Residual: Result<Infallible, E>,
        from_output: |output: Poll<Option<T>>| output.map(|next| next.map(Ok)),
        from_residual: |residual| Ready(Some(Err(error(residual)))),
        branch: |value| match value {
            Ready(Some(Err(error))) => Break(Err(error)),
            Ready(Some(Ok(output))) => Continue(Ready(Some(output))),
            Ready(None) => Continue(Ready(None)),
            Pending => Continue(Pending),
        },
    }
}

/// The error that a residual holds.
#[inline]
fn error<E>(residual: Result<Infallible, E>) -> E {
    match residual {
        Err(error) => error,
        Ok(never) => match never {},
    }
}
