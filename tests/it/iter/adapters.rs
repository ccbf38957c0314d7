//! Every adaptor against std.

use crate::support::{costly, cuts, ints, oracle, small_ints};
use filch::prelude::*;

#[test]
fn map_filter_filter_map() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| i64::from(costly(x)) * 2)
                .collect::<Vec<_>>()
        },
        |v| v.iter().map(|&x| i64::from(x) * 2).collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .filter(|&&x| costly(x) % 3 == 0)
                .collect::<Vec<_>>()
                .len()
        },
        |v| v.iter().filter(|&&x| x % 3 == 0).count(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .copied()
                .filter(|x| costly(*x) > 0)
                .collect::<Vec<_>>()
        },
        |v| v.iter().copied().filter(|x| *x > 0).collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .filter_map(|&x| u8::try_from(costly(x)).ok())
                .collect::<Vec<_>>()
        },
        |v| v.iter().filter_map(|&x| u8::try_from(x).ok()).collect(),
    );
}

#[test]
fn flat_map_and_flatten() {
    let inner = |x: i32| (0..x.rem_euclid(7)).map(move |i| x + i);
    oracle(
        ints(),
        move |v| {
            v.par_iter()
                .flat_map(|&x| (0..x.rem_euclid(7)).into_par_iter().map(move |i| x + i))
                .collect::<Vec<_>>()
        },
        move |v| v.iter().flat_map(|&x| inner(x)).collect(),
    );
    oracle(
        ints(),
        move |v| {
            v.par_iter()
                .flat_map_iter(|&x| inner(x))
                .collect::<Vec<_>>()
        },
        move |v| v.iter().flat_map(|&x| inner(x)).collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_chunks(7)
                .map(|c| c.to_vec())
                .flatten()
                .collect::<Vec<_>>()
        },
        |v| v.clone(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| (x > 0).then_some(x))
                .flatten()
                .collect::<Vec<_>>()
        },
        |v| v.iter().copied().filter(|&x| x > 0).collect(),
    );
}

#[test]
fn flat_map_over_a_few_big_parts() {
    oracle(
        small_ints(),
        |v| {
            let parts = v.par_iter().take(5);
            parts
                .flat_map(|&x| (0..1500).into_par_iter().map(move |i| costly(x ^ i)))
                .collect::<Vec<_>>()
        },
        |v| {
            v.iter()
                .take(5)
                .flat_map(|&x| (0..1500).map(move |i| x ^ i))
                .collect()
        },
    );
}

#[test]
fn flat_map_within_flat_map() {
    oracle(
        small_ints(),
        |v| {
            v.par_iter()
                .flat_map(|&x| {
                    (0..x.rem_euclid(5)).into_par_iter().flat_map(move |i| {
                        (0..i)
                            .into_par_iter()
                            .filter(|j| j % 2 == 0)
                            .map(move |j| (x, i, j))
                    })
                })
                .collect::<Vec<_>>()
        },
        |v| {
            let mut all = Vec::new();
            for &x in v {
                for i in 0..x.rem_euclid(5) {
                    all.extend((0..i).filter(|j| j % 2 == 0).map(|j| (x, i, j)));
                }
            }
            all
        },
    );
}

#[test]
fn inspect_sees_every_item() {
    use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
    oracle(
        ints(),
        |v| {
            let seen = AtomicI64::new(0);
            let see = |x: &&i32| {
                seen.fetch_add(i64::from(**x) + 1_000_000, Relaxed);
            };
            let items: Vec<i32> = v.par_iter().inspect(see).copied().collect();
            (items, seen.into_inner())
        },
        |v| (v.clone(), v.iter().map(|&x| i64::from(x) + 1_000_000).sum()),
    );
}

#[test]
fn copied_and_cloned() {
    oracle(
        ints(),
        |v| v.par_iter().copied().rev().collect::<Vec<_>>(),
        |v| v.iter().copied().rev().collect(),
    );
    oracle(
        ints(),
        |v| {
            let texts: Vec<String> = v.iter().map(i32::to_string).collect();
            texts.par_iter().cloned().collect::<Vec<_>>()
        },
        |v| v.iter().map(i32::to_string).collect(),
    );
}

#[test]
fn enumerate() {
    oracle(
        ints(),
        |v| v.par_iter().copied().enumerate().collect::<Vec<_>>(),
        |v| v.iter().copied().enumerate().collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .enumerate()
                .filter(|(i, x)| **x > *i as i32)
                .map(|(i, _)| i)
                .collect()
        },
        |v| {
            let on = v.iter().enumerate().filter(|(i, x)| **x > *i as i32);
            on.map(|(i, _)| i).collect::<Vec<_>>()
        },
    );
    oracle(
        ints(),
        |v| v.par_iter().copied().enumerate().rev().collect::<Vec<_>>(),
        |v| v.iter().copied().enumerate().rev().collect(),
    );
}

#[test]
fn zip() {
    oracle(
        (ints(), ints()),
        |(a, b)| {
            a.par_iter()
                .copied()
                .zip(b.par_iter().copied())
                .collect::<Vec<_>>()
        },
        |(a, b)| a.iter().copied().zip(b.iter().copied()).collect(),
    );
    oracle(
        (ints(), ints()),
        |(a, b)| {
            a.clone()
                .into_par_iter()
                .zip(b.clone())
                .rev()
                .collect::<Vec<_>>()
        },
        |(a, b)| a.clone().into_iter().zip(b.clone()).rev().collect(),
    );
    oracle(
        (ints(), ints()),
        |(a, b)| {
            let mut a = a.clone();
            a.par_iter_mut().zip(b).for_each(|(a, b)| *a -= b);
            a
        },
        |(a, b)| {
            let mut a = a.clone();
            a.iter_mut().zip(b).for_each(|(a, b)| *a -= b);
            a
        },
    );
}

#[test]
fn chain() {
    oracle(
        (ints(), ints()),
        |(a, b)| a.par_iter().chain(b).copied().collect::<Vec<_>>(),
        |(a, b)| a.iter().chain(b).copied().collect(),
    );
    oracle(
        (ints(), ints(), ints()),
        |(a, b, c)| {
            let all = a.par_iter().chain(b.par_iter().chain(c)).copied();
            all.enumerate().rev().collect::<Vec<_>>()
        },
        |(a, b, c)| {
            let all: Vec<i32> = [&a[..], b, c].concat();
            all.into_iter().enumerate().rev().collect()
        },
    );
    oracle(
        (ints(), ints()),
        |(a, b)| {
            let odd = a.par_iter().filter(|&&x| costly(x) % 2 != 0);
            odd.chain(b.par_iter().filter(|&&x| x > 0))
                .copied()
                .collect::<Vec<_>>()
        },
        |(a, b)| {
            let odd = a.iter().filter(|&&x| x % 2 != 0);
            odd.chain(b.iter().filter(|&&x| x > 0)).copied().collect()
        },
    );
}

#[test]
fn rev_skip_take() {
    oracle(
        cuts(),
        |c| c.v.par_iter().skip(c.at).copied().collect::<Vec<_>>(),
        |c| c.v.iter().skip(c.at).copied().collect(),
    );
    oracle(
        cuts(),
        |c| c.v.par_iter().take(c.at).copied().collect::<Vec<_>>(),
        |c| c.v.iter().take(c.at).copied().collect(),
    );
    oracle(
        cuts(),
        |c| {
            c.v.par_iter()
                .rev()
                .take(c.at)
                .rev()
                .copied()
                .collect::<Vec<_>>()
        },
        |c| c.v.iter().rev().take(c.at).rev().copied().collect(),
    );
    oracle(
        cuts(),
        |c| {
            c.v.clone()
                .into_par_iter()
                .skip(c.at)
                .rev()
                .skip(2)
                .enumerate()
                .collect::<Vec<_>>()
        },
        |c| {
            c.v.clone()
                .into_iter()
                .skip(c.at)
                .rev()
                .skip(2)
                .enumerate()
                .collect()
        },
    );
}

#[test]
fn chunks_of_an_iterator() {
    oracle(
        (ints(), 1..200usize),
        |(v, n)| v.par_iter().map(|x| x + 1).chunks(*n).collect::<Vec<_>>(),
        |(v, n)| {
            v.chunks(*n)
                .map(|c| c.iter().map(|x| x + 1).collect())
                .collect()
        },
    );
    oracle(
        (ints(), 1..200usize),
        |(v, n)| {
            v.par_iter()
                .copied()
                .chunks(*n)
                .rev()
                .enumerate()
                .collect::<Vec<_>>()
        },
        |(v, n)| {
            v.chunks(*n)
                .map(<[i32]>::to_vec)
                .rev()
                .enumerate()
                .collect()
        },
    );
}

#[test]
fn lengths() {
    let n = || (0..1000usize).into_par_iter();
    assert_eq!(n().map(|x| x).rev().enumerate().len(), 1000);
    assert_eq!(n().skip(10).len(), 990);
    assert_eq!(n().skip(1001).len(), 0);
    assert_eq!(n().take(10).len(), 10);
    assert_eq!(n().take(1001).len(), 1000);
    assert_eq!(n().chain(n()).len(), 2000);
    assert_eq!(n().zip(0..7usize).len(), 7);
    assert_eq!(n().chunks(333).len(), 4);
    assert_eq!(n().with_min_len(4).with_max_len(8).panic_fuse().len(), 1000);
    assert_eq!(n().map_init(|| 0, |_, x| x).inspect(|_| ()).len(), 1000);
    assert_eq!([1u8, 2].par_iter().copied().len(), 2);
    assert_eq!(n().filter(|_| true).opt_len(), None);
    assert_eq!(n().map(|x| x).opt_len(), Some(1000));
}

#[test]
#[should_panic(expected = "overflow")]
fn a_chain_too_long_to_count_panics() {
    let long = || (0..usize::MAX).into_par_iter();
    let _ = long().chain(long()).len();
}

#[test]
fn an_unindexed_chain_too_long_to_count_has_no_length() {
    let long = || (0..u64::MAX).into_par_iter();
    assert_eq!(long().chain(long()).opt_len(), None);
}

#[test]
fn panic_fuse_changes_nothing_without_a_panic() {
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .map(|&x| costly(x))
                .panic_fuse()
                .rev()
                .collect::<Vec<_>>()
        },
        |v| v.iter().copied().rev().collect(),
    );
    oracle(
        ints(),
        |v| {
            v.par_iter()
                .filter(|x| **x > 0)
                .panic_fuse()
                .copied()
                .collect::<Vec<_>>()
        },
        |v| v.iter().filter(|x| **x > 0).copied().collect(),
    );
}
