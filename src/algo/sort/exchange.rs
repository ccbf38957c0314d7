//! Reversal, rotation and exchange of slices, with other threads if they are long.

use super::both;

/// Elements exchanged by one task: at two moves of a few bytes each, about 10 µs.
const LEAF: usize = 1 << 14;

/// Reverses `v`.
pub(super) fn reverse<T: Send>(v: &mut [T]) {
    let half = v.len() / 2;
    let (left, rest) = v.split_at_mut(half);
    let right = rest.len() - half;
    mirror(left, &mut rest[right..]);
}

/// Moves the last `k` elements to the front, by three reversals if there are many.
pub(super) fn rotate_right<T: Send>(v: &mut [T], k: usize) {
    if v.len() <= 2 * LEAF || k == 0 || k == v.len() {
        return v.rotate_right(k);
    }
    let (left, right) = v.split_at_mut(v.len() - k);
    both(|| reverse(left), || reverse(right));
    reverse(v);
}

/// Exchanges two slices of one length, each element with its mirror image.
fn mirror<T: Send>(left: &mut [T], right: &mut [T]) {
    debug_assert_eq!(left.len(), right.len());
    if left.len() <= LEAF {
        for (a, b) in left.iter_mut().zip(right.iter_mut().rev()) {
            std::mem::swap(a, b);
        }
        return;
    }
    let mid = left.len() / 2;
    let (outer_left, inner_left) = left.split_at_mut(mid);
    let (inner_right, outer_right) = right.split_at_mut(right.len() - mid);
    both(
        || mirror(outer_left, outer_right),
        || mirror(inner_left, inner_right),
    );
}

/// Exchanges two slices of one length.
pub(super) fn exchange<T: Send>(left: &mut [T], right: &mut [T]) {
    debug_assert_eq!(left.len(), right.len());
    if left.len() <= LEAF {
        return left.swap_with_slice(right);
    }
    let mid = left.len() / 2;
    let (left_low, left_high) = left.split_at_mut(mid);
    let (right_low, right_high) = right.split_at_mut(mid);
    both(
        || exchange(left_low, right_low),
        || exchange(left_high, right_high),
    );
}

#[cfg(test)]
mod tests {
    use super::{LEAF, exchange, reverse, rotate_right};

    #[test]
    fn reverses_every_length() {
        for len in [0, 1, 2, 3, 100, LEAF, 2 * LEAF + 1, 7 * LEAF + 5] {
            let mut v: Vec<usize> = (0..len).collect();
            reverse(&mut v);
            assert!(v.into_iter().rev().eq(0..len));
        }
    }

    #[test]
    fn rotates_every_length() {
        for len in [0, 1, 5, 2 * LEAF, 2 * LEAF + 1, 5 * LEAF + 3] {
            for k in [0, 1, len / 3, len - len / 5, len] {
                let k = k.min(len);
                let mut v: Vec<usize> = (0..len).collect();
                rotate_right(&mut v, k);
                assert!(v.into_iter().eq((len - k..len).chain(0..len - k)));
            }
        }
    }

    #[test]
    fn exchanges_every_length() {
        for len in [0, 1, 2, LEAF, 5 * LEAF + 3] {
            let (mut a, mut b): (Vec<usize>, Vec<usize>) =
                ((0..len).collect(), (len..2 * len).collect());
            exchange(&mut a, &mut b);
            assert!(b.into_iter().chain(a).eq(0..2 * len));
        }
    }
}
