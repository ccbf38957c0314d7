//! Comparators that are no orders, on stacks too small for a deep recursion.

use crate::child::child;
use crate::disorder::DISORDERS;
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

// 61
#[test]
fn comparators_that_are_no_orders() {
    child(3, || {
        let builder = ThreadPoolBuilder::new().num_threads(3);
        let pool = builder.stack_size(256 << 10).build().unwrap();
        for (at, comparator) in DISORDERS.iter().enumerate() {
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
                    // std's sorts may panic when they notice; ours do not.
                    pool.install(|| match stable {
                        true => v.par_sort_by(compare),
                        false => v.par_sort_unstable_by(compare),
                    });
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
