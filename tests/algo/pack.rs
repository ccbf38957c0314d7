//! Packs and what vectors keep, against std's.

use crate::support::{Ledger, Place, Token, costly, ints, oracle, same_everywhere};
use filch::ext::*;
use std::cell::Cell;

/// Some share of the elements, which depends on the input: none, few, half, most, all.
pub fn keeps(v: &[i32], x: i32) -> bool {
    let share = match v.first().copied().unwrap_or(0).rem_euclid(5) {
        0 => 0,
        1 => 3,
        2 => 50,
        3 => 97,
        _ => 100,
    };
    costly(x).rem_euclid(100) < share
}

#[test]
fn keeps_what_std_keeps() {
    oracle(
        ints(),
        |v| {
            let mut kept = v.clone();
            kept.par_retain(|&x| keeps(v, x));
            let mut words: Vec<String> = v.iter().map(i32::to_string).collect();
            words.par_retain(|x| keeps(v, x.parse().unwrap()));
            (kept, words)
        },
        |v| {
            let kept: Vec<i32> = v.iter().copied().filter(|&x| keeps(v, x)).collect();
            let words = kept.iter().map(i32::to_string).collect();
            (kept, words)
        },
    );
}

#[test]
fn packs_what_filter_yields() {
    oracle(
        ints(),
        |v| {
            let words: Vec<String> = v.iter().map(i32::to_string).collect();
            let large: Vec<[i32; 20]> = v.iter().map(|&x| [x; 20]).collect();
            (
                v.par_pack(|&x| keeps(v, x)),
                v.par_pack_indices(|&x| keeps(v, x)),
                words.par_pack(|x| keeps(v, x.parse().unwrap())),
                large.par_pack(|x| keeps(v, x[0])),
            )
        },
        |v| {
            let packed: Vec<i32> = v.iter().copied().filter(|&x| keeps(v, x)).collect();
            (
                packed.clone(),
                (0..v.len()).filter(|&i| keeps(v, v[i])).collect(),
                packed.iter().map(i32::to_string).collect(),
                packed.iter().map(|&x| [x; 20]).collect(),
            )
        },
    );
}

#[test]
fn changes_what_it_keeps() {
    let v: Vec<u64> = (0..9000).collect();
    let change = |x: &mut u64| {
        *x = costly(*x as i32) as u64 * 3;
        x.is_multiple_of(2)
    };
    same_everywhere(
        || {
            let mut v = v.clone();
            v.par_retain_mut(change);
            v
        },
        || v.iter().map(|x| x * 3).filter(|x| x % 2 == 0).collect(),
    );
}

#[test]
fn large_elements_and_capacity() {
    let v: Vec<[u64; 30]> = (0..3000).map(|x| [x; 30]).collect();
    same_everywhere(
        || {
            let mut v = v.clone();
            let capacity = v.capacity();
            v.par_retain(|x| costly(x[0] as i32) % 3 > 0);
            assert_eq!(v.capacity(), capacity);
            v
        },
        || v.iter().copied().filter(|x| x[0] % 3 > 0).collect(),
    );
}

/// Long enough for all ways of closing a gap.
#[test]
fn closes_wide_and_narrow_gaps() {
    const N: u32 = 600_000;
    for rare in [2, 10, 1000] {
        for kept_is_rare in [false, true] {
            let keeps =
                |x: &u32| (x.wrapping_mul(2_654_435_761) >> 8).is_multiple_of(rare) == kept_is_rare;
            let want: Vec<u32> = (0..N).filter(keeps).collect();
            for place in [Place::Pool(2), Place::Pool(8)] {
                let mut v: Vec<u32> = (0..N).collect();
                let packed = place.run(|| {
                    let packed = v.par_pack(keeps);
                    v.par_retain(keeps);
                    packed
                });
                assert!(
                    v == want && packed == want,
                    "{rare} {kept_is_rare} {place:?}"
                );
            }
        }
    }
}

#[test]
fn drops_what_it_does_not_keep() {
    const N: usize = 5000;
    for place in Place::all() {
        let ledger = Ledger::new(N);
        let mut v = ledger.tokens();
        place.run(|| v.par_retain(|t| costly(t.id() as i32) % 3 == 0));
        assert!(v.iter().map(Token::id).eq((0..N).step_by(3)));
        for id in 0..N {
            assert_eq!(ledger.live(id), isize::from(id % 3 == 0));
            assert_eq!(ledger.made(id), 1);
        }
        let packed = place.run(|| v.par_pack(|t| t.id() % 2 == 0));
        assert!(packed.iter().map(Token::id).eq((0..N).step_by(6)));
        drop((v, packed));
        ledger.assert_all_gone();
    }
}

#[test]
fn dedups_as_std_does() {
    oracle(
        ints(),
        |v| {
            let mut a: Vec<i32> = v.iter().map(|x| x / 300).collect();
            let mut b = v.clone();
            let mut c: Vec<String> = a.iter().map(i32::to_string).collect();
            a.par_dedup();
            b.par_dedup_by_key(|x| costly(*x) / 200);
            c.par_dedup_by(|x, y| x == y);
            (a, b, c)
        },
        |v| {
            let mut a: Vec<i32> = v.iter().map(|x| x / 300).collect();
            let mut b = v.clone();
            a.dedup();
            b.dedup_by_key(|x| *x / 200);
            let c = a.iter().map(i32::to_string).collect();
            (a, b, c)
        },
    );
}

/// All alike, so that whatever comes first on another thread goes too; and the later one is the first argument.
#[test]
fn dedup_keeps_the_first() {
    for place in Place::all() {
        let mut v: Vec<(i32, usize)> = (0..20_000).map(|i| (i / 15_000, i as usize)).collect();
        place.run(|| {
            v.par_dedup_by(|later, earlier| {
                assert!(later.1 > earlier.1);
                costly(later.0) == earlier.0
            })
        });
        assert_eq!(v, [(0, 0), (1, 15_000)]);
    }
}

/// A relation that is not transitive: neighbours differ in the end, whatever was cut.
#[test]
fn dedup_by_a_relation_that_is_none() {
    let near = |x: &mut i32, y: &mut i32| (costly(*x) - *y).abs() < 10;
    for place in Place::all() {
        let mut v: Vec<i32> = (0..20_000).collect();
        place.run(|| v.par_dedup_by(near));
        // Each tenth one, but for where pieces meet. There the first one of a piece may go, for which others of it went before; and if that piece is short, and
        // met the next one before, so may the first one of that.
        let gaps = || v.windows(2).map(|w| w[1] - w[0]);
        let [least, most] = [gaps().min(), gaps().max()].map(Option::unwrap);
        assert!(least >= 10 && most < 100, "{place:?}: {least} to {most}");
        assert!(v.len() > 1_000 && v.last() > Some(&19_900));
        assert_eq!(v[0], 0);
    }
}

#[test]
fn of_nothing_and_of_nothing_much() {
    for place in Place::all() {
        place.run(|| {
            let mut units = vec![(); 5000];
            assert_eq!(units.par_pack(|()| true).len(), 5000);
            assert_eq!(units.par_pack_indices(|()| false), []);
            units.par_retain(|()| true);
            assert_eq!(units.len(), 5000);
            units.par_dedup();
            assert_eq!(units.len(), 1);
            units.par_retain(|()| false);
            units.par_dedup();
            assert!(units.is_empty());
        });
    }
}

/// An element that changes when it is compared is in one place all the time: no comparison changes a copy that was left behind.
#[test]
fn comparisons_may_change_what_is_kept() {
    #[derive(Debug)]
    struct Seen(u32, Cell<u32>);
    impl PartialEq for Seen {
        fn eq(&self, other: &Self) -> bool {
            self.1.set(self.1.get() + 1);
            other.1.set(other.1.get() + 1);
            self.0 == other.0
        }
    }
    for place in Place::all() {
        for n in [2, 64, 65, 66, 1000] {
            // The first of three goes nowhere, and all that follow move.
            let mut v: Vec<Seen> = (0..n + 2)
                .map(|i: u32| Seen(i.saturating_sub(2), Cell::new(0)))
                .collect();
            place.run(|| v.par_dedup());
            assert!(v.iter().map(|x| x.0).eq(0..n));
            for inner in &v[1..n as usize - 1] {
                assert_eq!(inner.1.get(), 2, "{inner:?} of {n}, {place:?}");
            }
        }
    }
}
