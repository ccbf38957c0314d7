//! Where the state of a fold comes from: a closure that makes it, or a value to clone.

/// A source of states. Each piece has one, a clone.
pub(super) trait Seed: Clone + Send {
    type State;

    /// Whether a clone costs something in user code.
    const EXPENSIVE: bool;

    /// A new state.
    fn begin(&self) -> Self::State;
}

/// Calls a closure for each state.
#[derive(Clone, Copy)]
pub(super) struct MadeBy<INIT>(pub(super) INIT);

impl<T, INIT: Fn() -> T + Copy + Send> Seed for MadeBy<INIT> {
    type State = T;
    const EXPENSIVE: bool = false;

    #[inline]
    fn begin(&self) -> T {
        (self.0)()
    }
}

/// Clones a value for each state, and for each piece, since it need not be `Sync`. The value itself is never changed: a piece that is split
/// off in the middle of a fold must not see what that fold did to its state.
#[derive(Clone)]
pub(super) struct CloneOf<T>(pub(super) T);

impl<T: Clone + Send> Seed for CloneOf<T> {
    type State = T;
    const EXPENSIVE: bool = true;

    #[inline]
    fn begin(&self) -> T {
        self.0.clone()
    }
}
