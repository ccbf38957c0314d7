//! The closures of a fold over a tree, and their types, as one trait, so that the other files have one type parameter instead of eight.
//!
//! It has no cost at run time.

use std::marker::PhantomData;

/// The closures of a fold, and their types under one name.
pub(super) trait FoldRules: Sync {
    type Node: Send;
    type Children: IntoIterator<Item = Self::Node>;
    /// The result of a node while its children are added.
    type Acc: Send;
    type Result: Send;

    fn children(&self, node: &Self::Node) -> Self::Children;

    fn begin(&self, node: Self::Node) -> Self::Acc;

    fn add(&self, so_far: Self::Acc, child: Self::Result) -> Self::Acc;

    fn end(&self, acc: Self::Acc) -> Self::Result;
}

/// Rules by closures; `T` names the types of their arguments.
pub(super) struct Closures<C, M, B, F, T> {
    children: C,
    init: M,
    combine: B,
    finish: F,
    types: PhantomData<fn() -> T>,
}

impl<C, M, B, F, S, I, A, R> Closures<C, M, B, F, (S, I, A, R)>
where
    C: Fn(&S) -> I,
    M: Fn(S) -> A,
    B: Fn(A, R) -> A,
    F: Fn(A) -> R,
{
    pub(super) fn new(children: C, init: M, combine: B, finish: F) -> Self {
        Closures {
            children,
            init,
            combine,
            finish,
            types: PhantomData,
        }
    }
}

impl<C, M, B, F, S, I, A, R> FoldRules for Closures<C, M, B, F, (S, I, A, R)>
where
    S: Send,
    I: IntoIterator<Item = S>,
    A: Send,
    R: Send,
    C: Fn(&S) -> I + Sync,
    M: Fn(S) -> A + Sync,
    B: Fn(A, R) -> A + Sync,
    F: Fn(A) -> R + Sync,
{
    type Node = S;
    type Children = I;
    type Acc = A;
    type Result = R;

    #[inline(always)]
    fn children(&self, node: &S) -> I {
        (self.children)(node)
    }

    #[inline(always)]
    fn begin(&self, node: S) -> A {
        (self.init)(node)
    }

    #[inline(always)]
    fn add(&self, so_far: A, child: R) -> A {
        (self.combine)(so_far, child)
    }

    #[inline(always)]
    fn end(&self, acc: A) -> R {
        (self.finish)(acc)
    }
}
