//! What goes with sorting: merges, selection, the best k, radix sorts, and whether a slice is sorted.

mod forced;
mod hostile;
mod is_sorted;
mod merge;
mod radix;
mod select;
mod top_k;

use proptest::prelude::*;

/// A key, and a number that tells equal keys apart.
pub type Item = (u32, u32);

/// Few or many distinct keys, in random order, or nearly in order.
fn keys() -> impl Strategy<Value = Vec<u32>> {
    let len = prop_oneof![0..40usize, 900..5000usize, 20_000..40_000usize];
    let distinct = prop::sample::select(&[1u32, 2, 40, 5000, u32::MAX][..]);
    (len, distinct, any::<u32>(), 0..4u32).prop_map(|(len, distinct, seed, shape)| {
        let mut v: Vec<u32> = (0..len as u32)
            .map(|i| scramble(i ^ seed) % distinct)
            .collect();
        match shape {
            0 => v.sort(),
            1 => v.sort_by(|a, b| b.cmp(a)),
            2 => v.chunks_mut(len / 7 + 1).for_each(<[u32]>::sort),
            _ => {}
        }
        v
    })
}

/// A bijection without a pattern.
fn scramble(x: u32) -> u32 {
    let x = (x ^ x >> 16).wrapping_mul(0x85EB_CA6B);
    let x = (x ^ x >> 13).wrapping_mul(0xC2B2_AE35);
    x ^ x >> 16
}

fn numbered(keys: &[u32]) -> Vec<Item> {
    keys.iter().copied().zip(0..).collect()
}
