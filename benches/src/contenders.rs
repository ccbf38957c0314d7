//! The contenders, and the recursive tasks written for each.

use std::{iter, num::NonZero, time::Duration};

/// Writes one expression twice, for this crate and for rayon, as a pair.
///
/// Inside it `par` is the contender's crate together with the tasks below, and
/// the contender's prelude is in scope.
#[macro_export]
macro_rules! twice {
    ($($code:tt)*) => {(
        {
            #[allow(unused_imports)]
            use $crate::ours::{self as par, prelude::*};
            $($code)*
        },
        {
            #[allow(unused_imports)]
            use $crate::rayon::{self as par, prelude::*};
            $($code)*
        },
    )};
}

/// A contender with rayon's names, and the recursive tasks written on it. They are inline so that they are compiled where they are measured, as a
/// program's own functions are.
macro_rules! contender {
    ($module:ident, $library:ident) => {
        pub mod $module {
            pub use ::$library::*;

            /// The Fibonacci number, with a join at every call.
            #[inline]
            pub fn fib(n: u32) -> u64 {
                if n < 2 {
                    return u64::from(n);
                }
                let (a, b) = join(|| fib(n - 1), || fib(n - 2));
                a + b
            }

            /// The sum over a tree, with a join at every node.
            #[inline]
            pub fn tree_sum(node: &super::Node) -> u64 {
                let below = |child: &Option<Box<super::Node>>| child.as_deref().map_or(0, tree_sum);
                let (left, right) = join(|| below(&node.left), || below(&node.right));
                node.value + left + right
            }

            /// A pool of `threads` threads.
            pub fn pool(threads: usize) -> ThreadPool {
                ThreadPoolBuilder::new()
                    .num_threads(threads)
                    .build()
                    .expect("a machine that runs benchmarks can start threads")
            }

            /// Gives the global pool `threads` threads.
            ///
            /// # Panics
            ///
            /// Panics if the global pool exists with another number.
            pub fn set_global(threads: usize) {
                let built = ThreadPoolBuilder::new().num_threads(threads).build_global();
                assert_eq!(current_num_threads(), threads, "global pool: {built:?}");
            }
        }
    };
}
contender!(ours, filch);
contender!(rayon, rayon);

/// A binary tree on the heap.
pub struct Node {
    pub value: u64,
    pub left: Option<Box<Node>>,
    pub right: Option<Box<Node>>,
}

impl Node {
    /// A full tree of `layers` layers, which has `2^layers - 1` nodes.
    ///
    /// It is built level by level, so that memory favours neither child: filch goes to the left one first, chili to the right one.
    pub fn full(layers: u32) -> Option<Box<Node>> {
        let mut level: Vec<_> = (0..1 << layers).map(|_| None).collect();
        for value in 1..=u64::from(layers) {
            let mut below = level.into_iter();
            let parents = iter::from_fn(|| {
                let (left, right) = (below.next()?, below.next()?);
                Some(Some(Box::new(Node { value, left, right })))
            });
            level = parents.collect();
        }
        level.pop()?
    }
}

/// The Fibonacci number by plain calls.
#[inline]
pub fn fib(n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    fib(n - 1) + fib(n - 2)
}

/// How many joins [`ours::fib`] makes.
pub fn joins_in_fib(n: u32) -> u64 {
    fib(n + 1) - 1
}

/// The sum over a tree by plain calls.
#[inline]
pub fn tree_sum(node: &Node) -> u64 {
    let below = |child: &Option<Box<Node>>| child.as_deref().map_or(0, tree_sum);
    node.value + below(&node.left) + below(&node.right)
}

/// A chili pool that occupies `threads` threads, its caller included.
pub fn chili_pool(threads: usize) -> chili::ThreadPool {
    chili::ThreadPool::with_config(chili::Config {
        thread_count: NonZero::new(threads),
        heartbeat_interval: Duration::from_micros(100),
    })
}

/// The Fibonacci number with a chili join at every call.
#[inline]
pub fn chili_fib(scope: &mut chili::Scope<'_>, n: u32) -> u64 {
    if n < 2 {
        return u64::from(n);
    }
    let (a, b) = scope.join(|s| chili_fib(s, n - 1), |s| chili_fib(s, n - 2));
    a + b
}

/// The sum over a tree with a chili join at every node.
#[inline]
pub fn chili_tree_sum(scope: &mut chili::Scope<'_>, node: &Node) -> u64 {
    fn below(scope: &mut chili::Scope<'_>, child: &Option<Box<Node>>) -> u64 {
        child
            .as_deref()
            .map_or(0, |node| chili_tree_sum(scope, node))
    }
    let (left, right) = scope.join(|s| below(s, &node.left), |s| below(s, &node.right));
    node.value + left + right
}
