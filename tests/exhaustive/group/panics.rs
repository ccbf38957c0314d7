//! Panics in every closure, in `Hash` and in `Eq`: they get out, and nothing is lost or dropped twice.

use super::keys::{Mix, Wide, wide};
use crate::support::{Dice, Ledger, Place, caught, planted, within};
use filch::algo::group::ByKey;
use filch::ext::*;
use filch::prelude::*;
use std::hash::{BuildHasher, DefaultHasher, Hash, Hasher};
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
            let keys: Vec<Wide> = mix.keys(10_000).into_iter().map(wide).collect();
            for most in [10_000, 40_000] {
                with_fuse(&keys, dice.below(most));
            }
        }
    });
}

/// Makes hashers, or ends, at the pleasure of a fuse.
#[derive(Clone)]
struct FusedHasher<'f>(&'f Fuse);

impl BuildHasher for FusedHasher<'_> {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        self.0.burn();
        DefaultHasher::new()
    }
}

#[test]
fn hashers_that_panic() {
    within(120, || {
        let mut dice = Dice::new(5);
        for mix in [Mix::Distinct, Mix::Even(10)] {
            let keys: Vec<Wide> = mix.keys(10_000).into_iter().map(wide).collect();
            for most in [30, 10_000, 40_000] {
                for place in Place::all() {
                    let at = dice.below(most);
                    let ledger = Ledger::new(keys.len());
                    let check = |run: &(dyn Fn(FusedHasher<'_>) + Sync)| {
                        let fuse = Fuse::new(at);
                        match place.run(|| caught(|| run(FusedHasher(&fuse)))) {
                            Ok(()) => assert!(fuse.calls.into_inner() <= at),
                            Err(id) => assert_eq!(id, at),
                        }
                        ledger.assert_all_gone();
                    };
                    let pairs = || {
                        keys.par_iter()
                            .enumerate()
                            .map(|(i, key)| (key, ledger.token(i)))
                    };
                    check(&|hasher| drop(ByKey::new(pairs()).with_hasher(hasher).group()));
                    check(&|hasher| {
                        let sums = ByKey::new(pairs())
                            .with_hasher(hasher)
                            .reduce(|a, b| *a = b);
                        drop(sums.into_map());
                    });
                }
            }
        }
    });
}

/// Notes that it is dropped, and panics then if a fuse says so.
struct Bomb<'f> {
    drops: &'f AtomicUsize,
    fuse: &'f Fuse,
}

impl Drop for Bomb<'_> {
    fn drop(&mut self) {
        self.drops.fetch_add(1, SeqCst);
        self.fuse.burn();
    }
}

fn bombs<'f>(keys: &[u64], drops: &'f [AtomicUsize], fuse: &'f Fuse) -> Vec<(Wide, Bomb<'f>)> {
    let bombs = drops.iter().map(|drops| Bomb { drops, fuse });
    keys.iter().map(|key| wide(*key)).zip(bombs).collect()
}

#[test]
fn destructors_that_panic() {
    within(120, || {
        let mut dice = Dice::new(6);
        for mix in [Mix::Distinct, Mix::Heavy, Mix::Even(10)] {
            let keys = mix.keys(10_000);
            for (place, round) in Place::all().flat_map(|place| [(place, 0), (place, 1)]) {
                let at = dice.below(keys.len());
                let run = |end: &(dyn Fn(&[AtomicUsize], &Fuse) + Sync)| {
                    let drops: Vec<AtomicUsize> =
                        keys.iter().map(|_| AtomicUsize::new(0)).collect();
                    let fuse = Fuse::new(at);
                    let done = place.run(|| caught(|| end(&drops, &fuse)));
                    assert_eq!(done, Err(at), "{mix:?}, {place:?}, {round}");
                    assert!(drops.iter().all(|drops| drops.load(SeqCst) <= 1));
                };
                run(&|drops, fuse| {
                    drop(
                        bombs(&keys, drops, fuse)
                            .into_par_iter()
                            .reduce_by_key(|a, b| *a = b),
                    );
                });
                run(&|drops, fuse| drop(bombs(&keys, drops, fuse).into_par_iter().group_by_key()));
                run(&|drops, fuse| {
                    drop(
                        bombs(&keys, drops, fuse)
                            .into_par_iter()
                            .count_by_key(|pair| pair.0.key % 100),
                    );
                });
            }
        }
    });
}
