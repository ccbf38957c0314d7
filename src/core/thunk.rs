//! A thunk: a closure that is called once, through a pointer that does not know its type, and leaves its result.
//!
//! What lies between the caller and the call is compiled once for all closures. A `dyn FnMut` would do the same, but a closure behind it brings code for
//! each way to call it, and there is one in each chain.

/// A closure, or what it returned, or neither: then it runs, or it has panicked.
pub(super) struct Thunk<F, R> {
    pub(super) op: Option<F>,
    pub(super) result: Option<R>,
}

impl<F, R> Thunk<F, R> {
    #[inline]
    pub(super) fn new(op: F) -> Self {
        Thunk {
            op: Some(op),
            result: None,
        }
    }

    /// What it returned.
    #[inline]
    pub(super) fn end(self) -> R {
        match self.result {
            Some(result) => result,
            None => unreachable!("a closure that has run"),
        }
    }
}
