//! The contenders, and the recursive tasks written for each.

use std::{num::NonZero, time::Duration};

use crate::Node;

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
