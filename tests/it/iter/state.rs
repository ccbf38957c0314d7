//! `map_init`, `map_with` and `for_each_with`: state that travels with a piece.

use crate::support::{Ledger, Place, costly, ints, oracle};
use filch::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::mpsc;

#[test]
fn items_keep_their_order() {
    oracle(
        ints(),
        |v| {
            let init = v.par_iter().map_init(Vec::new, |seen: &mut Vec<i32>, &x| {
                seen.push(x);
                *seen.last().unwrap()
            });
            let with = v.par_iter().map_with(0, |last, &x| {
                *last = costly(x);
                *last
            });
            (init.collect::<Vec<_>>(), with.rev().collect::<Vec<_>>())
        },
        |v| (v.clone(), v.iter().rev().copied().collect()),
    );
}

/// A state is made for a piece and used by it alone; it sees neighbours in order.
#[test]
fn a_state_sees_one_run() {
    for place in Place::all() {
        let states = AtomicUsize::new(0);
        let seen: Vec<(usize, usize)> = place.run(|| {
            (0..10_000)
                .into_par_iter()
                .map_init(
                    || (states.fetch_add(1, Relaxed), 0),
                    |(id, count), x| {
                        costly(x);
                        *count += 1;
                        (*id, *count)
                    },
                )
                .collect()
        });
        let mut runs = 0;
        for (at, &(id, count)) in seen.iter().enumerate() {
            if count == 1 {
                runs += 1;
            } else {
                assert_eq!(seen[at - 1], (id, count - 1), "{place:?}: item {at}");
            }
        }
        assert_eq!(states.into_inner(), runs, "{place:?}: states made and used");
    }
}

/// Every clone but none of the states is gone at the end.
#[test]
fn clones_are_dropped_once() {
    for place in Place::all() {
        let ledger = Ledger::new(1);
        place.run(|| {
            let token = ledger.token(0);
            (0..2000)
                .into_par_iter()
                .for_each_with(token.clone(), |token, x| {
                    costly(x);
                    assert_eq!(token.id(), 0);
                });
            let with = (0..2000)
                .into_par_iter()
                .map_with(token.clone(), |token, _| token.id());
            assert_eq!(with.sum::<usize>(), 0);
            let ids = (0..2000)
                .into_par_iter()
                .map_init(|| token.clone(), |token, _| token.id());
            assert_eq!(ids.collect::<Vec<_>>(), vec![0; 2000]);
        });
        ledger.assert_all_gone();
    }
}

/// All senders are gone when the call is over, so the receiver ends.
#[test]
fn senders() {
    for place in Place::all() {
        let (sender, receiver) = mpsc::channel();
        place.run(|| {
            (0..1000)
                .into_par_iter()
                .for_each_with(sender, |sender, x| sender.send(x).unwrap());
        });
        let mut got: Vec<i32> = receiver.iter().collect();
        got.sort_unstable();
        assert_eq!(got, (0..1000).collect::<Vec<_>>(), "{place:?}");
    }
}
