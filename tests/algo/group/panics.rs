//! Panics in every closure, in `Hash` and in `Eq`: they get out, and nothing is lost or dropped twice.

use super::{Mix, wide};
use crate::support::{Dice, Ledger, Place, caught, planted, within};
use filch::ext::*;
use filch::prelude::*;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

/// Counts calls, and panics at one of them.
struct Fuse {
    calls: AtomicUsize,
    at: usize,
}

impl Fuse {
    fn new(at: usize) -> Self {
        Fuse {
            calls: AtomicUsize::new(0),
            at,
        }
    }

    fn burn(&self) {
        if self.calls.fetch_add(1, SeqCst) == self.at {
            planted(self.at);
        }
    }
}

/// A key that burns a fuse when it is hashed or compared.
struct Fused<'f, K>(K, &'f Fuse);

impl<K: Hash> Hash for Fused<'_, K> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.1.burn();
        self.0.hash(state);
    }
}

impl<K: PartialEq> PartialEq for Fused<'_, K> {
    fn eq(&self, other: &Self) -> bool {
        self.1.burn();
        self.0 == other.0
    }
}

impl<K: Eq> Eq for Fused<'_, K> {}

/// Runs everything with a fuse, in all places, and checks the books. Says whether any run came to its end.
fn with_fuse<K: Eq + Hash + Send + Sync + Clone>(keys: &[K], at: usize) -> bool {
    let mut over = true;
    for place in Place::all() {
        let ledger = Ledger::new(keys.len());
        let check = |run: &(dyn Fn(&Fuse) + Sync)| {
            let fuse = Fuse::new(at);
            let done = place.run(|| caught(|| run(&fuse)));
            match done {
                Ok(()) => assert!(fuse.calls.into_inner() <= at),
                Err(id) => assert_eq!(id, at),
            }
            ledger.assert_all_gone();
            done.is_ok()
        };
        let tokens = || {
            keys.par_iter()
                .enumerate()
                .map(|(i, key)| (key.clone(), ledger.token(i)))
        };
        let runs: [&(dyn Fn(&Fuse) + Sync); 6] = [
            &|fuse| {
                let pairs = tokens().map(|(key, token)| (Fused(key, fuse), token));
                drop(pairs.group_by_key());
            },
            &|fuse| {
                let pairs = tokens().map(|(key, token)| (Fused(key, fuse), token));
                drop(pairs.reduce_by_key(|a, b| *a = b));
            },
            &|fuse| {
                drop(tokens().count_by_key(|(key, _token)| {
                    fuse.burn();
                    key
                }));
            },
            &|fuse| {
                drop(tokens().reduce_by_key(|a, b| {
                    fuse.burn();
                    *a = b;
                }));
            },
            &|fuse| {
                drop(tokens().aggregate_by_key(
                    || {
                        fuse.burn();
                        Vec::new()
                    },
                    |tokens, token| {
                        tokens.push(token);
                        fuse.burn();
                    },
                    |a, mut b| {
                        fuse.burn();
                        a.append(&mut b);
                    },
                ));
            },
            &|fuse| {
                drop(tokens().histogram(1, |_token| {
                    fuse.burn();
                    0
                }));
            },
        ];
        for run in runs {
            over &= check(run);
        }
    }
    over
}

#[test]
fn at_every_call_for_few_items() {
    within(120, || {
        for keys in [vec![1, 2, 1, 3], (0..5).collect()] {
            let calls = (0..1000).find(|&at| with_fuse(&keys, at));
            assert!(calls.is_some_and(|calls| calls > keys.len()));
        }
    });
}

#[test]
fn somewhere_while_items_are_dealt_and_merged() {
    within(120, || {
        let mut dice = Dice::new(4);
        for mix in [Mix::Distinct, Mix::Heavy] {
            let keys: Vec<super::Wide> = mix.keys(10_000).into_iter().map(wide).collect();
            for most in [10_000, 40_000] {
                with_fuse(&keys, dice.below(most));
            }
        }
    });
}
