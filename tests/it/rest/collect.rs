//! Less common targets of `collect`, `unzip` and `par_extend`.

use crate::support::{costly, ints, oracle, same_everywhere, text};
use filch::prelude::*;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet, LinkedList};
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[test]
fn boxed_and_counted() {
    oracle(
        ints(),
        |v| {
            let v = || v.par_iter().map(|&x| costly(x));
            let boxed: Box<[i32]> = v().collect();
            let shared: Arc<[i32]> = v().filter(|x| x % 2 == 0).collect();
            let cow: Cow<'_, [i32]> = v().collect();
            let counted = v().collect::<Rc<[i32]>>().len();
            (boxed, shared, cow.into_owned(), counted)
        },
        |v| {
            let even = v.iter().copied().filter(|x| x % 2 == 0).collect();
            (v.clone().into(), even, v.clone(), v.len())
        },
    );
}

#[test]
fn units() {
    same_everywhere(
        || {
            let units: () = (0..100).into_par_iter().map(|_| ()).collect();
            let fine: Result<(), i32> = (0..100).into_par_iter().map(|_| Ok(())).collect();
            let bad: Result<(), i32> = (0..100)
                .into_par_iter()
                .map(|x| if x == 7 { Err(x) } else { Ok(()) })
                .collect();
            (units, fine, bad)
        },
        || ((), Ok(()), Err(7)),
    );
}

#[test]
fn results_of_other_collections() {
    oracle(
        ints(),
        |v| {
            let check = |&x: &i32| if x == 321 { Err(x) } else { Ok((x % 40, x)) };
            let map: Result<BTreeMap<i32, i32>, i32> = v.par_iter().map(check).collect();
            let text: Option<String> = v
                .par_iter()
                .map(|x| check(x).ok().map(|x| x.0.to_string()))
                .collect();
            (map, text)
        },
        |v| {
            let check = |&x: &i32| if x == 321 { Err(x) } else { Ok((x % 40, x)) };
            let text = v
                .iter()
                .map(|x| check(x).ok().map(|x| x.0.to_string()))
                .collect();
            (v.iter().map(check).collect(), text)
        },
    );
}

/// Pairs into pairs of collections, also one within another.
#[test]
fn pairs() {
    oracle(
        ints(),
        |v| {
            let pairs = || v.par_iter().map(|&x| (x, x / 2));
            let both: (Vec<i32>, HashSet<i32>) = pairs().unzip();
            let collected: (Vec<i32>, LinkedList<i32>) = pairs().filter(|p| p.0 > 0).collect();
            let mut extended = (vec![0], HashSet::new());
            extended.par_extend(pairs());
            let nested: (Vec<i32>, (Vec<i32>, Vec<String>)) =
                v.par_iter().map(|&x| (x, (x + 1, x.to_string()))).unzip();
            (both, collected, extended, nested)
        },
        |v| {
            let pairs = || v.iter().map(|&x| (x, x / 2));
            let mut extended = (vec![0], HashSet::new());
            extended.extend(pairs());
            let nested = v.iter().map(|&x| (x, (x + 1, x.to_string()))).unzip();
            (
                pairs().unzip(),
                pairs().filter(|p| p.0 > 0).unzip(),
                extended,
                nested,
            )
        },
    );
}

#[test]
fn strings_of_parts() {
    oracle(
        text(),
        |s| {
            let mut all: String = s.par_lines().collect();
            all.par_extend(s.par_lines().map(Cow::Borrowed));
            all.par_extend(s.par_lines().map(|l| l.to_owned().into_boxed_str()));
            let chars: Vec<char> = s.chars().collect();
            all.par_extend(&chars);
            all
        },
        |s| {
            let lines: String = s.lines().collect();
            [&lines[..], &lines, &lines, s].concat()
        },
    );
}

/// The pieces of an iterator without positions, in order.
#[test]
fn lists_of_vectors() {
    oracle(
        ints(),
        |v| {
            let pieces = v
                .par_iter()
                .filter(|x| costly(**x) % 2 == 0)
                .copied()
                .collect_vec_list();
            pieces.into_iter().flatten().collect::<Vec<_>>()
        },
        |v| v.iter().copied().filter(|x| x % 2 == 0).collect(),
    );
}

/// An iterator of nothing is run all the same: what `skip` leaves out is made.
#[test]
fn a_list_of_no_vectors() {
    let made = AtomicUsize::new(0);
    let items = || {
        (0..10)
            .into_par_iter()
            .inspect(|_| _ = made.fetch_add(1, SeqCst))
    };
    assert_eq!(items().skip(10).collect_vec_list().len(), 0);
    assert_eq!(items().skip(9).collect_vec_list().len(), 1);
    assert_eq!(made.load(SeqCst), 20);
}

#[test]
fn products_and_sums_of_options() {
    oracle(
        ints(),
        |v| {
            let v = || v.par_iter().map(|&x| (x != 77).then_some(i64::from(x)));
            let sum: Option<i64> = v()
                .collect::<Option<Vec<i64>>>()
                .map(|v| v.par_iter().sum());
            (sum, v().while_some().map(|_| 1).product::<i32>())
        },
        |v| {
            (
                v.iter().map(|&x| (x != 77).then_some(i64::from(x))).sum(),
                1,
            )
        },
    );
}
