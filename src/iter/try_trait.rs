//! The trait behind `try_fold`, `try_for_each` and `try_reduce`: std's `Try`, which is not stable yet.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::task::Poll;

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

impl<T> Try for Option<T> {
    type Output = T;
    type Residual = Option<Infallible>;

    #[inline]
    fn from_output(output: T) -> Self {
        Some(output)
    }

    #[inline]
    fn from_residual(_: Self::Residual) -> Self {
        None
    }

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, T> {
        self.map_or(ControlFlow::Break(None), ControlFlow::Continue)
    }
}

impl<T, E> Try for Result<T, E> {
    type Output = T;
    type Residual = Result<Infallible, E>;

    #[inline]
    fn from_output(output: T) -> Self {
        Ok(output)
    }

    #[inline]
    fn from_residual(residual: Self::Residual) -> Self {
        Err(error(residual))
    }

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, T> {
        match self {
            Ok(output) => ControlFlow::Continue(output),
            Err(error) => ControlFlow::Break(Err(error)),
        }
    }
}

impl<B, C> Try for ControlFlow<B, C> {
    type Output = C;
    type Residual = ControlFlow<B, Infallible>;

    #[inline]
    fn from_output(output: C) -> Self {
        ControlFlow::Continue(output)
    }

    #[inline]
    fn from_residual(residual: Self::Residual) -> Self {
        match residual {
            ControlFlow::Break(value) => ControlFlow::Break(value),
            ControlFlow::Continue(never) => match never {},
        }
    }

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, C> {
        match self {
            ControlFlow::Continue(output) => ControlFlow::Continue(output),
            ControlFlow::Break(value) => ControlFlow::Break(ControlFlow::Break(value)),
        }
    }
}

impl<T, E> Try for Poll<Result<T, E>> {
    type Output = Poll<T>;
    type Residual = Result<Infallible, E>;

    #[inline]
    fn from_output(output: Poll<T>) -> Self {
        output.map(Ok)
    }

    #[inline]
    fn from_residual(residual: Self::Residual) -> Self {
        Poll::Ready(Err(error(residual)))
    }

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, Poll<T>> {
        match self {
            Poll::Ready(Err(error)) => ControlFlow::Break(Err(error)),
            Poll::Ready(Ok(output)) => ControlFlow::Continue(Poll::Ready(output)),
            Poll::Pending => ControlFlow::Continue(Poll::Pending),
        }
    }
}

impl<T, E> Try for Poll<Option<Result<T, E>>> {
    type Output = Poll<Option<T>>;
    type Residual = Result<Infallible, E>;

    #[inline]
    fn from_output(output: Poll<Option<T>>) -> Self {
        output.map(|next| next.map(Ok))
    }

    #[inline]
    fn from_residual(residual: Self::Residual) -> Self {
        Poll::Ready(Some(Err(error(residual))))
    }

    #[inline]
    fn branch(self) -> ControlFlow<Self::Residual, Poll<Option<T>>> {
        match self {
            Poll::Ready(Some(Err(error))) => ControlFlow::Break(Err(error)),
            Poll::Ready(Some(Ok(output))) => ControlFlow::Continue(Poll::Ready(Some(output))),
            Poll::Ready(None) => ControlFlow::Continue(Poll::Ready(None)),
            Poll::Pending => ControlFlow::Continue(Poll::Pending),
        }
    }
}

#[inline]
fn error<E>(residual: Result<Infallible, E>) -> E {
    match residual {
        Err(error) => error,
        Ok(never) => match never {},
    }
}
