//! The remaining producers, cut at each index and walked from both ends.

use crate::support::{Way, split_everywhere};
use filch::iter::{Either, empty, once, repeat_n};
use filch::prelude::*;
use std::collections::{BinaryHeap, VecDeque};

const N: usize = 9;

fn numbers() -> [u32; N] {
    std::array::from_fn(|i| i as u32 * 3)
}

fn v() -> impl IndexedParallelIterator<Item = u32> {
    numbers().into_par_iter()
}

/// One of two iterators.
fn either(left: bool) -> impl IndexedParallelIterator<Item = u32> {
    match left {
        true => Either::Left(v()),
        false => Either::Right((0..3).into_par_iter()),
    }
}

#[test]
fn small_sources() {
    split_everywhere(empty::<u8>, &[]);
    split_everywhere(|| once(3), &[3]);
    split_everywhere(|| repeat_n("x", 5), &["x"; 5]);
    split_everywhere(|| Some(3), &[3]);
    split_everywhere(|| None::<u8>, &[]);
    split_everywhere(|| Err::<u8, ()>(()), &[]);
    split_everywhere(
        || (v(), 0..5u8),
        &(0..5).map(|i| (u32::from(i) * 3, i)).collect::<Vec<_>>(),
    );
    split_everywhere(|| either(true), &numbers());
    split_everywhere(|| either(false), &[0, 1, 2]);
}

#[test]
fn inclusive_ranges() {
    split_everywhere(|| 3..=8i16, &(3..=8).collect::<Vec<_>>());
    split_everywhere(|| 250..=u8::MAX, &(250..=255).collect::<Vec<_>>());
    split_everywhere(|| i8::MIN..=-124, &[-128, -127, -126, -125, -124]);
    split_everywhere(|| u16::MAX..=u16::MAX, &[u16::MAX]);
    #[expect(clippy::reversed_empty_ranges)]
    split_everywhere(|| 5..=4u16, &[]);
}

#[test]
fn chars() {
    let around: Vec<char> = ('\u{d7fc}'..'\u{e004}').collect();
    split_everywhere(|| '\u{d7fc}'..'\u{e004}', &around);
    split_everywhere(|| '\u{d7fc}'..='\u{e003}', &around);
    split_everywhere(
        || '\u{e000}'..'\u{e005}',
        &('\u{e000}'..'\u{e005}').collect::<Vec<_>>(),
    );
    split_everywhere(
        || '\u{10fffc}'..=char::MAX,
        &('\u{10fffc}'..=char::MAX).collect::<Vec<_>>(),
    );
}

#[test]
fn collections() {
    let deque = || {
        let mut deque: VecDeque<u32> = numbers().into();
        deque.rotate_left(4);
        deque
    };
    let want: Vec<u32> = deque().into();
    split_everywhere(deque, &want);
    let lent = deque();
    split_everywhere(|| &lent, &want.iter().collect::<Vec<_>>());
    let heap: BinaryHeap<u32> = numbers().into();
    split_everywhere(
        || heap.clone(),
        &heap.clone().into_iter().collect::<Vec<_>>(),
    );
    for way in Way::all(3) {
        let mut deque = deque();
        assert_eq!(way.walk(deque.par_drain(3..6)), want[3..6], "{way:?}");
        assert_eq!(deque.len(), N - 3);
    }
}

#[test]
fn slices() {
    let v = numbers();
    for n in [1, 2, 4, 9, 10] {
        split_everywhere(|| v.par_windows(n), &v.windows(n).collect::<Vec<_>>());
        split_everywhere(
            || v.par_chunks_exact(n),
            &v.chunks_exact(n).collect::<Vec<_>>(),
        );
        split_everywhere(|| v.par_rchunks(n), &v.rchunks(n).collect::<Vec<_>>());
        split_everywhere(
            || v.par_rchunks_exact(n),
            &v.rchunks_exact(n).collect::<Vec<_>>(),
        );
        let mut w = numbers();
        for way in Way::all(N / n) {
            let (mut a, mut b) = (numbers(), numbers());
            let exact = way.walk(a.par_chunks_exact_mut(n));
            assert_eq!(exact, w.chunks_exact_mut(n).collect::<Vec<_>>(), "{way:?}");
            let exact = way.walk(b.par_rchunks_exact_mut(n));
            assert_eq!(exact, w.rchunks_exact_mut(n).collect::<Vec<_>>(), "{way:?}");
        }
        for way in Way::all(N.div_ceil(n)) {
            let chunks = w.rchunks_mut(n).collect::<Vec<_>>();
            assert_eq!(way.walk(numbers().par_rchunks_mut(n)), chunks, "{way:?}");
        }
    }
    let arrays: Vec<&[u32; 3]> = v.windows(3).map(|w| w.try_into().unwrap()).collect();
    split_everywhere(|| v.par_array_windows::<3>(), &arrays);
}

#[test]
fn adaptors() {
    split_everywhere(|| v().update(|x| *x += 1), &numbers().map(|x| x + 1));
    for n in [1, 2, 3, 8, 9, 10] {
        let want: Vec<u32> = numbers().into_iter().step_by(n).collect();
        split_everywhere(|| v().step_by(n), &want);
        let want: Vec<u32> = numbers().into_iter().rev().step_by(n).rev().collect();
        split_everywhere(|| v().rev().step_by(n).rev(), &want);
        let want: Vec<u32> = numbers()
            .chunks(n)
            .map(|c| c.iter().fold(1, |a, x| a * 2 + x))
            .collect();
        split_everywhere(|| v().fold_chunks(n, || 1, |a, x| a * 2 + x), &want);
        split_everywhere(|| v().fold_chunks_with(n, 1, |a, x| a * 2 + x), &want);
    }
    split_everywhere(|| v().zip_eq(v()), &numbers().map(|x| (x, x)));
}

#[test]
fn interspersed() {
    let want: Vec<u32> = numbers()
        .into_iter()
        .flat_map(|x| [77, x])
        .skip(1)
        .collect();
    split_everywhere(|| v().intersperse(77), &want);
    split_everywhere(|| empty().intersperse(77), &[]);
}

#[test]
fn interleaved() {
    for (m, n) in [
        (0, 0),
        (0, 4),
        (4, 0),
        (4, 4),
        (3, 6),
        (6, 3),
        (4, 5),
        (5, 4),
    ] {
        let (a, b): (Vec<u32>, Vec<u32>) = ((0..m).collect(), (100..100 + n).collect());
        let mut all = Vec::new();
        for i in 0..m.max(n) as usize {
            all.extend(a.get(i).into_iter().chain(b.get(i)));
        }
        split_everywhere(|| a.clone().into_par_iter().interleave(b.clone()), &all);
        // Up to where one is asked in vain: `a` may be one longer than `b`.
        let pairs = m.min(n) as usize;
        let mut short: Vec<u32> = a.iter().zip(&b).flat_map(|(x, y)| [*x, *y]).collect();
        short.extend(a.get(pairs));
        split_everywhere(
            || a.clone().into_par_iter().interleave_shortest(b.clone()),
            &short,
        );
    }
}
