//! `array_chunks` of iterators and of slices.

use crate::everywhere;
use crate::support::{Ledger, split_everywhere};
use filch::ext::*;
use filch::prelude::*;

fn check<const N: usize>(n: usize) {
    let v: Vec<usize> = (0..n).collect();
    let (want, rest) = v.as_chunks::<N>();
    let chunks = (0..n).into_par_iter().array_chunks::<N>();
    assert_eq!(chunks.len(), want.len());
    assert_eq!(chunks.clone().collect::<Vec<_>>(), want);
    assert_eq!(
        chunks.clone().rev().enumerate().collect::<Vec<_>>(),
        want.iter().copied().rev().enumerate().collect::<Vec<_>>()
    );
    let mapped: Vec<usize> = chunks.map(|array| array.iter().sum()).collect();
    assert!(
        mapped
            .iter()
            .copied()
            .eq(want.iter().map(|a| a.iter().sum::<usize>()))
    );

    let chunks = v.par_array_chunks::<N>();
    assert_eq!(chunks.remainder(), rest);
    assert!(chunks.collect::<Vec<_>>().into_iter().eq(want));
    let mut w = v.clone();
    w.par_array_chunks_mut::<N>()
        .for_each(|array| array.reverse());
    let model = v.chunks(N).flat_map(|c| {
        let mut c = c.to_vec();
        if c.len() == N {
            c.reverse();
        }
        c
    });
    assert!(w.into_iter().eq(model));
}

pub fn models() {
    for n in [0, 1, 2, 3, 4, 5, 31, 32, 33, 700] {
        check::<1>(n);
        check::<2>(n);
        check::<3>(n);
        check::<32>(n);
    }
}

#[test]
fn as_std() {
    everywhere(models);
}

#[test]
fn split_at_every_index() {
    let v: Vec<u32> = (0..23).collect();
    let arrays: Vec<[u32; 4]> = v.as_chunks().0.to_vec();
    split_everywhere(|| v.par_iter().copied().array_chunks(), &arrays);
    split_everywhere(|| v.par_array_chunks().copied(), &arrays);
}

#[test]
fn the_remainder_is_dropped_and_nothing_else() {
    everywhere(|| {
        let ledger = Ledger::new(100);
        let arrays: Vec<[_; 7]> = ledger.tokens().into_par_iter().array_chunks().collect();
        assert_eq!(arrays.len(), 14);
        assert_eq!((ledger.live(97), ledger.live(98)), (1, 0));
        drop(arrays);
        ledger.assert_all_gone();
        let last = ledger
            .tokens()
            .into_par_iter()
            .array_chunks::<7>()
            .rev()
            .nth(0);
        assert!(last.unwrap().iter().map(|t| t.id()).eq(91..98));
        ledger.assert_all_gone();
    });
}

#[test]
fn zero_sized_items() {
    everywhere(|| {
        assert_eq!(
            vec![(); 1000].into_par_iter().array_chunks::<3>().count(),
            333
        );
        assert_eq!([(); 1000].par_array_chunks::<3>().count(), 333);
    });
}
