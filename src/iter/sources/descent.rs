//! When a tree is walked by recursion, and how deep that goes.
//!
//! A walk without recursion moves a node's children to a stack, or the iterator over them. That is cheap for a range, a slice or a vector. A larger iterator is better left where it was
//! made. So there a block descends by recursion, and items go straight to the fold. When the block ends, or the recursion is too deep, it returns, and on its way up it puts what
//! is left on the stacks of the walk.

/// Iterators of up to so many words are moved; a vector's has four. With two words the loop is faster than recursion, with three and four it depends on the iterator, with six it is slower.
const WORDS: usize = 4;

/// How deep the recursion goes at most: deep enough that most nodes of a tree are walked by it, not so deep that it could fill a stack.
const LEVELS: usize = 16;

/// About how many bytes of the caller's types may lie on the stack.
const BYTES: usize = 16 << 10;

/// Whether a tree is walked by recursion, by the type of the iterator over the children of a node.
pub(super) const fn by_recursion<C>() -> bool {
    size_of::<C>() > WORDS * size_of::<usize>()
}

/// How many levels the recursion goes down, by the types of the nodes and of the iterators.
pub(super) const fn levels<S, C>() -> usize {
    match BYTES / (size_of::<S>() + size_of::<C>() + 1) {
        0 => 1,
        levels if levels < LEVELS => levels,
        _ => LEVELS,
    }
}

/// Folds the items of a walk. A state of more than a word stays in one place: the recursion would pass it on through memory at each call.
#[inline]
pub(super) fn fold_by<A, T, F, W>(init: A, mut take: F, walk: W) -> A
where
    F: FnMut(A, T) -> A,
    W: Walk<T>,
{
    if const { size_of::<A>() <= size_of::<usize>() } {
        return walk.walk(init, take);
    }
    let mut place = Some(init);
    walk.walk((), |(), item| {
        place = place.take().map(|state| take(state, item));
    });
    place.expect("a fold has a state, unless it panicked")
}

/// A walk by recursion.
pub(super) trait Walk<T> {
    fn walk<A>(self, init: A, take: impl FnMut(A, T) -> A) -> A;
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::iter::plumbing::{Folder, UnindexedProducer};
    use std::vec::IntoIter;

    /// Children that make a walk recurse.
    pub(in crate::iter::sources) struct Large {
        children: IntoIter<usize>,
        _room: [usize; WORDS],
    }

    impl Iterator for Large {
        type Item = usize;
        fn next(&mut self) -> Option<usize> {
            self.children.next()
        }
    }

    impl DoubleEndedIterator for Large {
        fn next_back(&mut self) -> Option<usize> {
            self.children.next_back()
        }
    }

    pub(in crate::iter::sources) fn large(children: &[usize]) -> Large {
        Large {
            children: Vec::from(children).into_iter(),
            _room: [0; WORDS],
        }
    }

    /// How a fold asks for nodes.
    #[derive(Debug, Clone, Copy)]
    enum Asks {
        OneByOne,
        ForEach,
        /// With a state that is passed on.
        Fold,
        SomeAndThenAll,
    }

    /// Takes nodes.
    struct Seen(Vec<usize>, Asks);

    impl Folder<usize> for Seen {
        type Result = Vec<usize>;
        fn consume(mut self, node: usize) -> Self {
            self.0.push(node);
            self
        }
        fn consume_iter<I: IntoIterator<Item = usize>>(mut self, nodes: I) -> Self {
            let mut nodes = nodes.into_iter();
            match self.1 {
                Asks::OneByOne => {
                    for node in nodes {
                        self.0.push(node);
                    }
                }
                Asks::ForEach => nodes.for_each(|node| self.0.push(node)),
                Asks::Fold => {
                    self.0 = nodes.fold(self.0, |mut seen, node| {
                        seen.push(node);
                        seen
                    });
                }
                Asks::SomeAndThenAll => {
                    self.0.extend((0..3).map_while(|_| nodes.next()));
                    nodes.for_each(|node| self.0.push(node));
                }
            }
            self
        }
        fn complete(self) -> Vec<usize> {
            self.0
        }
        fn full(&self) -> bool {
            false
        }
    }

    /// The children of each node; one of `reach` nodes before it is the parent of a node. A short reach makes deep trees.
    fn tree(nodes: usize, reach: usize) -> Vec<Vec<usize>> {
        let mut tree = vec![Vec::new(); nodes];
        (1..nodes).for_each(|node| tree[node - 1 - node * node % reach.min(node)].push(node));
        tree
    }

    /// Folds so many steps at a time, and splits what is left every now and then.
    fn walk<P: UnindexedProducer<Item = usize>>(
        mut rest: P,
        (budget, split_every): (usize, usize),
        mut folder: Seen,
    ) -> Seen {
        for step in 1.. {
            if step % split_every == 0 {
                let (left, right) = rest.split();
                rest = left;
                if let Some(right) = right {
                    let folder = walk(rest, (budget, split_every), folder);
                    return walk(right, (budget, split_every), folder);
                }
            }
            let more;
            (folder, more) = rest.fold_some(folder, budget);
            match more {
                Some(more) => rest = more,
                None => break,
            }
        }
        folder
    }

    /// The steps at a time, how often there is a split, and how the fold asks.
    #[derive(Debug, Clone, Copy)]
    pub(in crate::iter::sources) struct Way(usize, usize, Asks);

    impl Way {
        pub(in crate::iter::sources) fn walk(
            self,
            producer: impl UnindexedProducer<Item = usize>,
        ) -> Vec<usize> {
            let Way(budget, split_every, asks) = self;
            walk(producer, (budget, split_every), Seen(Vec::new(), asks)).complete()
        }
    }

    /// Checks that all nodes come in an order, wherever a walk stops, however it is cut, and however a fold asks for nodes.
    pub(in crate::iter::sources) fn check(
        in_order: impl Fn(&[Vec<usize>], usize, &mut Vec<usize>),
        walk_it: impl Fn(&[Vec<usize>], Way) -> Vec<usize>,
    ) {
        for reach in [1, 2, 5, 100] {
            let tree = tree(300, reach);
            let mut all = Vec::new();
            in_order(&tree, 0, &mut all);
            for asks in [
                Asks::OneByOne,
                Asks::ForEach,
                Asks::Fold,
                Asks::SomeAndThenAll,
            ] {
                for budget in [1, 2, 3, 7, 40, 1000] {
                    for split_every in [2, 3, 20, usize::MAX] {
                        let way = Way(budget, split_every, asks);
                        assert_eq!(walk_it(&tree, way), all, "{reach}, {way:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn large_iterators_and_no_others_make_a_walk_recurse() {
        assert!(by_recursion::<Large>());
        assert!(!by_recursion::<IntoIter<usize>>());
        assert_eq!(levels::<usize, Large>(), LEVELS);
        assert_eq!(levels::<usize, [u8; BYTES]>(), 1);
        assert_eq!(levels::<[u8; BYTES / 4], ()>(), 3);
    }
}
