//! Whatever the cuts, the results are the same. In a process of its own, because all of its pools are told how to cut.

use super::keys::{Mix, grouped, wide};
use crate::support::{alone, force_everywhere};
use filch::ext::*;
use filch::iter::plumbing::Cuts;
use filch::prelude::*;

fn same_under(cuts: Cuts) {
    force_everywhere(cuts);
    for (mix, n) in [
        (Mix::Even(10), 1000),
        (Mix::Heavy, 14_000),
        (Mix::Distinct, 9_000),
    ] {
        let keys = mix.keys(n);
        let want: Vec<(u64, Vec<usize>)> =
            grouped(keys.iter().copied().zip(0..)).into_iter().collect();
        let pairs = || keys.par_iter().enumerate().map(|(i, key)| (wide(*key), i));

        let counts = pairs().by_key(|pair| pair.0.clone()).count();
        let counts = counts.into_sorted_vec();
        let counts = counts.iter().map(|(key, n)| (key.key, *n));
        assert!(
            counts.eq(want.iter().map(|(key, at)| (*key, at.len()))),
            "{mix:?}"
        );

        let mut groups = pairs().group_by_key();
        groups.sort();
        assert_eq!(groups.len(), want.len());
        for ((key, values), want) in groups.iter().zip(&want) {
            assert_eq!((key.key, values), (want.0, &want.1[..]), "{mix:?}");
        }

        let lists = pairs().aggregate_by_key(Vec::new, Vec::push, |a: &mut Vec<usize>, mut b| {
            a.append(&mut b)
        });
        for (key, at) in &want {
            assert_eq!(lists[&wide(*key)], *at, "{mix:?}");
        }
    }
    let bins = (0..1000).into_par_iter().histogram(10, |i| i % 10);
    assert_eq!(bins, [100; 10]);
}

#[test]
fn cut_by_the_toss_of_a_coin() {
    alone(3, 120, || same_under(Cuts::Random(1)));
}

#[test]
fn cut_everywhere() {
    alone(2, 120, || same_under(Cuts::Always));
}
