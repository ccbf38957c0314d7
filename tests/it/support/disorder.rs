//! Comparators that are no orders: what the sorts must survive.

use std::cmp::Ordering::{self, Equal, Greater, Less};

/// What a comparator says of two keys at its `n`th call.
pub type Comparator = fn(n: usize, a: u32, b: u32) -> Ordering;

pub const DISORDERS: [Comparator; 9] = [
    |_, _, _| Less,
    |_, _, _| Greater,
    |_, _, _| Equal,
    |_, a, b| {
        let even = (a ^ b).is_multiple_of(2);
        even.cmp(&true).then((a ^ 0x5555).cmp(&(b ^ 0xAAAA)))
    },
    |n, _, _| [Less, Equal, Greater][mixed(n as u64) as usize % 3],
    |_, a, b| {
        not_a_number(a)
            .partial_cmp(&not_a_number(b))
            .unwrap_or(Less)
    },
    |_, a, b| if a <= b { Less } else { Greater },
    |n, _, _| [Less, Greater][n % 2],
    // Each of three kinds is less than the next one, in a circle.
    |_, a, b| [Equal, Less, Greater][((b % 3 + 3 - a % 3) % 3) as usize],
];

/// A third of the keys are NaN.
fn not_a_number(key: u32) -> f64 {
    match key.is_multiple_of(3) {
        true => f64::NAN,
        false => f64::from(key),
    }
}

/// The upper half of Steele, Lea and Flood's SplitMix64 (2014).
fn mixed(n: u64) -> u32 {
    let mut x = n.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    (x >> 32) as u32
}
