//! Radix sorts by keys of each type, in few or all bits.

use crate::support::{Dice, Place, cases};
use filch::algo::radix::RadixKey;
use filch::ext::ParallelRadixSort;

/// That keys of this type are sorted as by comparisons.
fn agrees<K>(
    key: impl Fn(u64) -> K + Send + Sync + Copy + 'static,
    compare: fn(&K, &K) -> std::cmp::Ordering,
) where
    K: RadixKey + Copy + Send + Sync + std::fmt::Debug + PartialEq + 'static,
{
    let rounds = Place::some(0).zip(0..).flat_map(|(place, round)| {
        (0..cases(1).min(4)).map(move |more| (place, (round + more) % 4 * 20))
    });
    for (place, shift) in rounds {
        let mut dice = Dice::new(9);
        // The shift of some differs, so that some buckets are long.
        let mut v: Vec<K> = (0..30_000)
            .map(|i| key(dice.roll() >> (shift + if i % 3 == 0 { 0 } else { i % 4 })))
            .collect();
        let mut sorted = v.clone();
        sorted.sort_by(compare);
        place.run(|| v.par_radix_sort());
        assert!(
            v.iter().zip(&sorted).all(|(a, b)| compare(a, b).is_eq()),
            "{place:?}, {shift}"
        );
    }
}

#[test]
fn keys_of_every_type_are_sorted() {
    agrees(|x| x as u8, Ord::cmp);
    agrees(|x| x as i16, Ord::cmp);
    agrees(|x| x as u32, Ord::cmp);
    agrees(|x| x as i64, Ord::cmp);
    agrees(|x| x, Ord::cmp);
    agrees(|x| u128::from(x) * 0x0101, Ord::cmp);
    agrees(|x| f32::from_bits(x as u32), f32::total_cmp);
    agrees(f64::from_bits, f64::total_cmp);
    agrees(|x| x % 2 == 0, Ord::cmp);
    agrees(u64::to_be_bytes, Ord::cmp);
    agrees(|x| (u128::from(x) << 17).to_be_bytes(), Ord::cmp);
    agrees(|x| [1; 19].map(|y| (x % 5) as u8 * y), Ord::cmp);
}
