//! Every source against std.

use crate::support::{ints, oracle, same_everywhere};
use filch::prelude::*;
use proptest::prelude::*;

#[test]
fn slice() {
    oracle(
        ints(),
        |v| v.par_iter().map(|x| x + 1).collect::<Vec<_>>(),
        |v| v.iter().map(|x| x + 1).collect::<Vec<_>>(),
    );
    oracle(
        ints(),
        |v| v.as_slice().into_par_iter().copied().collect::<Vec<_>>(),
        |v| v.clone(),
    );
}

#[test]
fn slice_mut() {
    oracle(
        ints(),
        |v| {
            let mut v = v.clone();
            v.par_iter_mut().for_each(|x| *x = *x * 3 - 1);
            (&mut v)
                .into_par_iter()
                .enumerate()
                .for_each(|(i, x)| *x += i as i32);
            v
        },
        |v| {
            v.iter()
                .enumerate()
                .map(|(i, x)| x * 3 - 1 + i as i32)
                .collect()
        },
    );
}

#[test]
fn vec_by_value() {
    oracle(
        ints(),
        |v| {
            let boxes: Vec<Box<i32>> = v.iter().copied().map(Box::new).collect();
            boxes.into_par_iter().map(|x| *x).collect::<Vec<_>>()
        },
        |v| v.clone(),
    );
}

#[test]
fn array() {
    let numbers = || std::array::from_fn::<u64, 500, _>(|i| i as u64 * 7);
    same_everywhere(
        || {
            let mut changed = numbers();
            changed.par_iter_mut().for_each(|x| *x += 1);
            let by_ref: Vec<u64> = changed.par_iter().copied().collect();
            let by_value: Vec<String> = numbers().map(|x| x.to_string()).into_par_iter().collect();
            (by_ref, by_value)
        },
        || {
            (
                numbers().iter().map(|x| x + 1).collect(),
                numbers().iter().map(|x| x.to_string()).collect(),
            )
        },
    );
    same_everywhere(|| [0u8; 0].into_par_iter().count(), || 0);
    same_everywhere(
        || ["one"].into_par_iter().collect::<Vec<_>>(),
        || vec!["one"],
    );
}

/// Ranges of one integer type: anywhere, from its minimum on, and near its maximum.
macro_rules! ranges {
    ($($name:ident: $int:ty;)*) => {$(
        #[test]
        fn $name() {
            oracle(
                spans(),
                |&span| {
                    let (start, end) = ends(span);
                    let open: Vec<$int> = (start..end).into_par_iter().collect();
                    let closed: Vec<$int> = (start..=end).into_par_iter().collect();
                    let odd = (start..=end).into_par_iter().filter(|x| x % 2 != 0).count();
                    (open, closed, odd)
                },
                |&span| {
                    let (start, end) = ends(span);
                    let odd = (start..=end).filter(|x| x % 2 != 0).count();
                    ((start..end).collect(), (start..=end).collect(), odd)
                },
            );

            fn ends((place, number, len): Span) -> ($int, $int) {
                let start = match place {
                    0 => number as $int,
                    1 => <$int>::MIN,
                    _ => <$int>::MAX - (number & 63) as $int,
                };
                let end = (0..len.max(0)).try_fold(start, |x, _| x.checked_add(1));
                let back = if len < 0 { 3 } else { 0 };
                (start, end.unwrap_or(<$int>::MAX).saturating_sub(back))
            }
        }
    )*};
}

/// Where, a number to choose the place by, and how long (or, below zero, in the wrong order).
type Span = (u8, i64, i32);

fn spans() -> impl Strategy<Value = Span> {
    (0..3u8, any::<i64>(), -3..700i32)
}

ranges! {
    range_u8: u8; range_i8: i8; range_u16: u16; range_i16: i16; range_u32: u32; range_i32: i32;
    range_u64: u64; range_i64: i64; range_usize: usize; range_isize: isize;
}

#[test]
fn whole_types() {
    same_everywhere(
        || {
            let bytes = (0..=u8::MAX).into_par_iter().map(u64::from).sum::<u64>();
            let signed = (i8::MIN..=i8::MAX)
                .into_par_iter()
                .map(i64::from)
                .sum::<i64>();
            let shorts = (0..=u16::MAX)
                .into_par_iter()
                .filter(|x| x % 3 == 0)
                .count();
            let last = (0..=u16::MAX).into_par_iter().with_max_len(999).max();
            (bytes, signed, shorts, last)
        },
        || (255 * 128, -128, 65535 / 3 + 1, Some(u16::MAX)),
    );
}

#[test]
fn lengths_of_ranges() {
    assert_eq!((3..10usize).into_par_iter().len(), 7);
    let (late, early) = (10, 3i32);
    assert_eq!((late..early).into_par_iter().len(), 0);
    assert_eq!(
        (i32::MIN..i32::MAX).into_par_iter().len(),
        u32::MAX as usize
    );
    assert_eq!((0..=u16::MAX).into_par_iter().len(), 65536);
    assert_eq!((0..=10u64).into_par_iter().opt_len(), Some(11));
    assert_eq!((0..u64::MAX).into_par_iter().opt_len(), Some(usize::MAX));
    assert_eq!((0..=u64::MAX).into_par_iter().opt_len(), None);
}

#[test]
fn chunks() {
    oracle(
        (ints(), 1..300usize),
        |(v, n)| v.par_chunks(*n).map(<[i32]>::to_vec).collect::<Vec<_>>(),
        |(v, n)| v.chunks(*n).map(<[i32]>::to_vec).collect(),
    );
}

#[test]
fn chunks_mut() {
    oracle(
        (ints(), 1..300usize),
        |(v, n)| {
            let mut v = v.clone();
            let lengths: Vec<usize> = v
                .par_chunks_mut(*n)
                .enumerate()
                .map(|(i, chunk)| {
                    chunk.iter_mut().for_each(|x| *x += i as i32);
                    chunk.len()
                })
                .collect();
            (v, lengths)
        },
        |(v, n)| {
            let shifted = v.iter().enumerate().map(|(i, x)| x + (i / n) as i32);
            (shifted.collect(), v.chunks(*n).map(<[i32]>::len).collect())
        },
    );
}

#[test]
fn chunks_of_nothing_panic() {
    let none = std::panic::catch_unwind(|| [1, 2, 3].par_chunks(0).count());
    assert!(none.is_err());
    let none = std::panic::catch_unwind(|| (0..9).into_par_iter().chunks(0).count());
    assert!(none.is_err());
}
