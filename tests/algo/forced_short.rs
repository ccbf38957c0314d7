//! Algorithms that cut by length, of few elements, under every way to cut; what sorts is in `sorted::forced`.

use crate::support::{Dice, cases, caught};
use crate::told::{CUTTINGS, told_pool};
use filch::algo;
use filch::ext::*;
use filch::prelude::*;
use std::collections::BTreeSet;

/// Calls `f` in each pool, with numbers of each length up to a hundred or so, not all of them by default.
fn everywhere(f: impl Fn(&[u32], &mut Dice) + Sync) {
    let step = if cases(1) == 1 { 9 } else { 1 };
    for (at, cutting) in CUTTINGS.iter().enumerate() {
        for len in (0..12).chain((12..110).step_by(step)) {
            let mut dice = Dice::new((len * 8 + at) as u64);
            let distinct = [2, 9, 200][len % 3];
            let v: Vec<u32> = (0..len).map(|_| dice.below(distinct) as u32).collect();
            let outcome = caught(|| told_pool(at).install(|| f(&v, &mut dice)));
            assert_eq!(outcome, Ok(()), "{cutting:?}, {len} elements");
        }
    }
}

#[test]
fn elements_in_other_places() {
    everywhere(|v, dice| {
        let n = v.len();
        let texts: Vec<String> = v.iter().map(u32::to_string).collect();
        for mid in [0, n.min(1), n / 3, n / 2, n - n.min(1), n] {
            let mut ours = texts.clone();
            ours.par_rotate_left(mid);
            let mut stds = texts.clone();
            stds.rotate_left(mid);
            assert_eq!(ours, stds);
            ours.par_rotate_right(mid);
            assert_eq!(ours, texts);
            // Of pairs two and two reversals.
            ours.par_reverse();
            assert!(ours.iter().eq(texts.iter().rev()));
        }
        let indices: Vec<usize> = v.iter().map(|_| dice.below(2 * n)).collect();
        let (mut ours, mut stds) = (vec![String::new(); 2 * n], vec![String::new(); 2 * n]);
        ours.par_fill("none".into());
        stds.fill("none".into());
        texts.par_scatter(&indices, &mut ours);
        for (text, &i) in texts.iter().zip(&indices) {
            stds[i].clone_from(text);
        }
        assert_eq!(ours, stds);
        let mut far = vec![0; 20 * n];
        v.par_scatter(&indices, &mut far);
        assert!(indices.iter().all(|&i| v.contains(&far[i])));
        let mut numbers = v.to_vec();
        numbers.par_fill(7);
        assert!(numbers.iter().all(|&x| x == 7));
        numbers.par_copy_from_slice(v);
        assert_eq!(numbers, v);

        let side = n.isqrt();
        let mut square = texts[..side * side].to_vec();
        square.par_transpose_in_place(side);
        let turned = |i: usize| i % side * side + i / side;
        assert!((0..side * side).all(|i| square[i] == texts[turned(i)]));
        if let Some(columns) = n.checked_div(3).filter(|&columns| columns > 0) {
            let turned = v[..3 * columns].par_transpose(3, columns);
            assert!((0..3 * columns).all(|i| turned[i] == v[i % 3 * columns + i / 3]));
        }
        // The same as on any pool.
        let mut shuffled = v.to_vec();
        shuffled.par_shuffle(3);
        let mut alone = v.to_vec();
        told_pool(CUTTINGS.len() - 1).install(|| alone.par_shuffle(3));
        assert_eq!(shuffled, alone);
    });
}

#[test]
fn some_of_the_elements() {
    everywhere(|v, _| {
        let odd = |x: &u32| x % 2 == 1;
        let texts: Vec<String> = v.iter().map(u32::to_string).collect();
        let is_long = |s: &String| s.len() % 2 == 1;
        let (long, short): (Vec<String>, Vec<String>) = texts.iter().cloned().partition(is_long);
        assert_eq!(texts.par_pack(is_long), long);
        assert!(v.par_pack_indices(odd).iter().all(|&i| odd(&v[i])));
        let mut kept = texts.clone();
        kept.par_retain(is_long);
        assert_eq!(kept, long);
        let mut parted = texts.clone();
        assert_eq!(parted.par_partition_in_place(is_long), long.len());
        assert!(parted.iter().eq(long.iter().chain(&short)));
        let mut parted = texts.clone();
        assert_eq!(parted.par_partition_in_place_unstable(is_long), long.len());
        parted.sort();
        let mut sorted = texts.clone();
        sorted.sort();
        assert_eq!(parted, sorted);
        let (mut ours, mut stds) = (texts.clone(), texts.clone());
        ours.par_dedup();
        stds.dedup();
        assert_eq!(ours, stds);
        let (mut unique, mut seen) = (texts.clone(), BTreeSet::new());
        unique.par_unique();
        assert!(unique.iter().eq(texts.iter().filter(|x| seen.insert(*x))));
    });
}

#[test]
fn sorted_slices() {
    everywhere(|v, _| {
        let (left, right) = v.split_at(v.len() / 2);
        let set = |v: &[u32]| v.iter().map(u32::to_string).collect::<BTreeSet<String>>();
        let (left, right) = (set(left), set(right));
        let list = |set: &BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>();
        let (a, b) = (list(&left), list(&right));
        assert!(a.par_union(&b).iter().eq(left.union(&right)));
        assert!(a.par_intersection(&b).iter().eq(left.intersection(&right)));
        assert!(a.par_difference(&b).iter().eq(left.difference(&right)));
        let apart = a.par_symmetric_difference(&b);
        assert!(apart.iter().eq(left.symmetric_difference(&right)));
        assert_eq!(a.par_includes(&b), left.is_superset(&right));
        assert!(a.par_includes(&a.par_intersection(&b)));

        let mut sorted = v.to_vec();
        assert_eq!(v.par_is_sorted(), v.is_sorted());
        sorted.sort();
        assert!(sorted.par_is_sorted());
        let pairs = || (0..).zip(v);
        let (numbers, others): (Vec<_>, Vec<_>) = (pairs().collect(), pairs().step_by(2).collect());
        let joined = algo::hash_join(&numbers, &others, |l| l.1, |r| r.1);
        let all = numbers.iter().flat_map(|l: &(u32, &u32)| {
            let partners = others.iter().filter(move |r: &&(u32, &u32)| l.1 == r.1);
            partners.map(move |r| (l, r))
        });
        assert!(joined.into_iter().eq(all));
        let twins = algo::merge_join(&sorted, &sorted, |a, b| a.cmp(b));
        let equal = |x: &u32| sorted.iter().filter(|y| *y == x).count();
        assert_eq!(twins.len(), sorted.iter().map(equal).sum());
    });
}

#[test]
fn searches_and_totals() {
    everywhere(|v, dice| {
        let n = v.len();
        for len in 1..4.min(n) {
            let at = dice.below(n - len);
            let wanted = &v[at..at + len];
            let found = (0..n).find(|&i| v[i..].starts_with(wanted));
            assert_eq!(v.par_search(wanted), found);
            let last = (0..n).rfind(|&i| v[i..].starts_with(wanted));
            assert_eq!(v.par_find_end(wanted), last);
            let mut other = v.to_vec();
            other[at] += 1;
            assert_eq!(v.par_mismatch(&other), Some(at));
        }
        assert_eq!(v.par_mismatch(v), None);
        let texts: Vec<String> = v.iter().map(u32::to_string).collect();
        let sums = texts.par_scan_inclusive(|a, b| format!("{a}{b}"));
        assert!((0..n).all(|i| sums[i] == texts[..=i].concat()));
        let runs = v.par_run_lengths();
        let stds = v.chunk_by(|a, b| a == b).map(|run| (run[0], run.len()));
        assert!(runs.into_iter().eq(stds));
        let reduced = algo::reduce_runs(v, &texts, |a, b| format!("{a}{b}"));
        let stds = v.chunk_by(|a, b| a == b);
        let stds = stds.map(|run| (run[0], run[0].to_string().repeat(run.len())));
        assert!(reduced.into_iter().eq(stds));
        let counts = v.par_iter().count_by_key(|&x| x);
        assert_eq!(counts.values().sum::<usize>(), n);

        // A list through all nodes, in some order.
        let mut order: Vec<usize> = (0..n).collect();
        order.par_shuffle(n as u64);
        let mut next = vec![algo::NO_NEXT; n];
        order.windows(2).for_each(|pair| next[pair[0]] = pair[1]);
        let ranks = algo::list_rank(&next);
        assert!((0..n).all(|i| ranks[order[i]] == n - 1 - i));
        let steps = algo::par_bfs(n, order.first().copied(), |node| {
            Some(next[node]).filter(|&next| next != algo::NO_NEXT)
        });
        assert!((0..n).all(|i| steps[order[i]] == i as u32));
    });
}
