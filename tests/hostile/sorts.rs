//! Comparators that are no orders, on stacks too small for a deep recursion.

use crate::child::child;
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::cmp::Ordering::{self, Equal, Greater, Less};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// What the comparator says of two numbers at its `n`th call.
type Comparator = fn(n: usize, a: u32, b: u32) -> Ordering;

const COMPARATORS: [Comparator; 8] = [
    |_, _, _| Less,
    |_, _, _| Greater,
    |_, _, _| Equal,
    |_, a, b| (a ^ b).cmp(&(1 << 15)),
    |n, _, _| [Less, Equal, Greater][(n.wrapping_mul(0x9E37_79B9) >> 13) % 3],
    |_, a, b| {
        let float = |x: u32| {
            if x.is_multiple_of(5) {
                f64::NAN
            } else {
                x.into()
            }
        };
        float(a).partial_cmp(&float(b)).unwrap_or(Less)
    },
    |_, a, b| if a <= b { Less } else { Greater },
    |n, _, _| [Less, Greater][n % 2],
];

// 61
#[test]
fn comparators_that_are_no_orders() {
    child(3, || {
        let builder = ThreadPoolBuilder::new().num_threads(3);
        let pool = builder.stack_size(256 << 10).build().unwrap();
        for (at, comparator) in COMPARATORS.iter().enumerate() {
            for len in [21, 2_000, 50_000u32] {
                let scrambled = (0..len).map(|i| i.wrapping_mul(0x9E37_79B9) % len);
                let before: Vec<u32> = scrambled.collect();
                let mut sorted = before.clone();
                sorted.sort();
                for stable in [true, false] {
                    let calls = AtomicUsize::new(0);
                    let compare =
                        |a: &u32, b: &u32| comparator(calls.fetch_add(1, Relaxed), *a, *b);
                    let mut v = before.clone();
                    // It may panic, as std's may.
                    let _ = catch_unwind(AssertUnwindSafe(|| {
                        pool.install(|| match stable {
                            true => v.par_sort_by(compare),
                            false => v.par_sort_unstable_by(compare),
                        })
                    }));
                    v.sort();
                    assert!(
                        v == sorted,
                        "comparator {at}, {len} elements, stable: {stable}"
                    );
                }
            }
        }
    })
    .is_well();
}
