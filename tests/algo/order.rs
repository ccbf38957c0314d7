//! Orders as indices, and what is done by index, against std's sorts and plain loops.

use crate::panics::Fuse;
use crate::support::{
    DISORDERS, Dice, Ledger, Place, caught, costly, ints, message, oracle, same_everywhere,
};
use filch::ext::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Indices below `end`.
fn indices(v: &[i32], end: usize) -> Vec<usize> {
    v.iter().map(|x| x.unsigned_abs() as usize % end).collect()
}

fn sorted_indices(v: &[i32]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..v.len()).collect();
    order.sort_by_key(|&i| v[i]);
    order
}

#[test]
fn argsorts_are_stable_sorts() {
    oracle(
        ints(),
        |v| {
            [
                v.par_argsort(),
                v.par_argsort_by(|a, b| costly(*a).cmp(b)),
                v.par_argsort_by_key(|x| costly(*x)),
            ]
        },
        |v| [(); 3].map(|()| sorted_indices(v)),
    );
}

#[test]
fn long_argsorts() {
    let mut dice = Dice::new(5);
    let v: Vec<i32> = (0..60_000).map(|_| dice.below(5000) as i32).collect();
    let words: Vec<String> = v.iter().map(|x| format!("{x:04}")).collect();
    same_everywhere(
        || [words.par_argsort(), words.par_argsort_by_key(|w| &w[..])],
        || [(); 2].map(|()| sorted_indices(&v)),
    );
}

#[test]
fn permutations() {
    oracle(
        ints(),
        |v| {
            let order = sorted_indices(v);
            let mut words: Vec<String> = v.iter().map(i32::to_string).collect();
            words.par_permute(&order);
            words
        },
        |v| {
            let mut v = v.clone();
            v.sort();
            v.iter().map(i32::to_string).collect::<Vec<_>>()
        },
    );
}

#[test]
fn sorts_of_two_slices() {
    oracle(
        ints(),
        |v| {
            let mut keys = v.clone();
            let mut values: Vec<String> = (0..v.len()).map(|i| i.to_string()).collect();
            keys.par_sort_together_by(&mut values, |a, b| costly(*b).cmp(a));
            let (mut back, mut others) = (keys.clone(), vec![(); v.len()]);
            back.par_sort_together(&mut others);
            (keys, values, back)
        },
        |v| {
            let mut pairs: Vec<(i32, usize)> = v.iter().copied().zip(0..).collect();
            pairs.sort_by_key(|pair| std::cmp::Reverse(pair.0));
            let mut back = v.clone();
            back.sort();
            let values = pairs.iter().map(|pair| pair.1.to_string()).collect();
            (pairs.iter().map(|pair| pair.0).collect(), values, back)
        },
    );
}

#[test]
fn gathers_and_scatters_are_loops() {
    oracle(
        ints(),
        |v| {
            let indices = indices(v, 1000);
            let table: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
            let mut out = table.clone();
            let words: Vec<String> = v.iter().map(i32::to_string).collect();
            words.par_scatter(&indices, &mut out);
            (table.par_gather(&indices), out)
        },
        |v| {
            let indices = indices(v, 1000);
            let mut out: Vec<String> = (0..1000).map(|i| i.to_string()).collect();
            let gathered = indices.iter().map(usize::to_string).collect();
            for (x, &i) in v.iter().zip(&indices) {
                out[i] = x.to_string();
            }
            (gathered, out)
        },
    );
}

/// Long enough for all threads, with places that many elements are for.
#[test]
fn the_last_of_many_is_scattered() {
    /// Each place is for twice as many elements as the one before it.
    const DOUBLED: usize = usize::MAX;
    let mut dice = Dice::new(9);
    let v: Vec<u64> = (0..40_000).map(|_| dice.roll()).collect();
    let cases = [
        (1, 0),
        (10, 0),
        (70_000, 0),
        (70_000, 7919),
        (39_999, 7919),
        (700_000, 0),
        (700_001, DOUBLED),
    ];
    for (round, (places, step)) in cases.into_iter().enumerate() {
        // At random, or each only once; or, where there is one place less, the first one twice.
        let place = |i: usize| match step {
            0 => dice.below(places),
            DOUBLED => places - 1 - (i + 1).leading_zeros() as usize,
            _ => i * step % places,
        };
        let indices: Vec<usize> = (0..v.len()).map(place).collect();
        // Strings are shared sooner than numbers.
        let words: Vec<String> = v.iter().map(u64::to_string).collect();
        let scattered = || {
            let (mut out, mut as_words) = (vec![0; places], vec![String::from("0"); places]);
            v.par_scatter(&indices, &mut out);
            words.par_scatter(&indices, &mut as_words);
            assert!(out.iter().map(u64::to_string).eq(as_words));
            out
        };
        let model = || {
            let mut out = vec![0; places];
            v.iter().zip(&indices).for_each(|(&x, &i)| out[i] = x);
            out
        };
        let want = model();
        for place in Place::some(round) {
            assert_eq!(place.run(scattered), want, "{place:?}");
        }
    }
}

#[test]
fn bad_indices_change_nothing() {
    let mut v = ["a", "b", "c"].map(String::from);
    let told = |v: &mut [String; 3], order: &[usize]| {
        let text = message(|| v.par_permute(order));
        assert_eq!(*v, ["a", "b", "c"]);
        text
    };
    assert!(told(&mut v, &[0, 1]).contains("2 indices for 3 elements"));
    assert!(told(&mut v, &[0, 1, 1]).contains("the index 1 is twice"));
    assert!(told(&mut v, &[0, 3, 1]).contains("the index 3 in the order of 3"));
    let mut out = [0; 3];
    let text = message(|| [1, 2].par_scatter(&[0, 3], &mut out));
    assert!(text.contains("the index 3 in a slice of 3"), "{text}");
    let text = message(|| [1, 2].par_scatter(&[0], &mut out));
    assert!(text.contains("1 indices for 2 elements"), "{text}");
    assert_eq!(out, [0; 3]);
    let text = message(|| drop([1, 2].par_gather(&[0, 2])));
    assert!(text.contains("the index is 2"), "{text}");
    let text = message(|| [1, 2].par_sort_together(&mut out));
    assert!(text.contains("2 keys for 3 values"), "{text}");
}

#[test]
fn nothing_and_elements_without_size() {
    assert_eq!([0; 0].par_argsort(), [0; 0]);
    assert_eq!([(); 3].par_argsort(), [0, 1, 2]);
    [(); 3].par_permute(&[2, 0, 1]);
    [(); 3].par_sort_together(&mut [(); 3]);
    assert_eq!([(); 2].par_gather(&[1, 1, 0]), [(); 3]);
    [0; 0].par_scatter(&[], &mut [0; 0]);
}

/// Whatever a comparison answers: a permutation, and each value beside its key.
#[test]
fn of_every_disorder() {
    for disorder in DISORDERS {
        for n in [0, 3, 60, 9000] {
            for place in [Place::Pool(1), Place::Pool(3), Place::CutAtRandom] {
                let mut dice = Dice::new(n as u64);
                let keys: Vec<u32> = (0..n).map(|_| dice.below(50) as u32).collect();
                let calls = AtomicUsize::new(0);
                let compare = |a: &u32, b: &u32| disorder(calls.fetch_add(1, Relaxed), *a, *b);
                let (order, sorted, values) = place.run(|| {
                    let order = keys.par_argsort_by(compare);
                    let (mut sorted, mut values) = (keys.clone(), (0..n).collect::<Vec<_>>());
                    sorted.par_sort_together_by(&mut values, compare);
                    (order, sorted, values)
                });
                assert!(sorted.iter().zip(&values).all(|(key, &i)| *key == keys[i]));
                for mut each in [order, values] {
                    each.sort();
                    assert!(each.into_iter().eq(0..n));
                }
            }
        }
    }
}

/// A panic at each comparison, and at each clone.
#[test]
fn a_panic_loses_nothing() {
    const N: usize = 24;
    for place in Place::all() {
        for calls in (0..400).step_by(7) {
            let (keys, values) = (Ledger::new(N), Ledger::new(N));
            let fuse = Fuse::of(calls);
            let (mut k, mut v) = (keys.tokens(), values.tokens());
            k.reverse();
            v.reverse();
            let _ = place.run(|| {
                caught(|| {
                    k.par_sort_together_by(&mut v, |a, b| {
                        fuse.burn();
                        (a.id() % 7).cmp(&(b.id() % 7))
                    });
                    k.par_argsort_by_key(|token| {
                        fuse.burn();
                        token.id()
                    });
                })
            });
            assert!(k.iter().zip(&v).all(|(k, v)| k.id() == v.id()));
            keys.assert_each_live(1);
            values.assert_each_live(1);
            drop((k, v));
            keys.assert_all_gone();
            values.assert_all_gone();
        }
    }
}
