//! A panic at every position: it comes out, and every value is dropped exactly once.

use crate::support::{Flag, Ledger, Place, Token, caught, planted, pool};
use filch::ThreadPoolBuilder;
use filch::prelude::*;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;
use std::time::Duration;

const N: usize = 64;

/// What a test does with its tokens; it must panic with the number `at` when it meets token `at`,
/// and give `None` where there is no such token.
type Body = fn(ledger: Ledger, tokens: Vec<Token>, at: usize);

/// Runs `body` in every place with every position, the one behind the last included.
#[track_caller]
fn everywhere(body: Body) {
    for place in Place::all() {
        for at in 0..=N {
            let ledger = Ledger::new(N);
            let outcome = place.run(|| caught(|| body(ledger, ledger.tokens(), at)));
            let want = if at < N { Err(at) } else { Ok(()) };
            assert_eq!(outcome, want, "{place:?}");
            ledger.assert_all_gone();
        }
    }
}

/// Gives the token back, or panics.
fn pass(token: Token, at: usize) -> Token {
    look(&token, at);
    token
}

fn look(token: &Token, at: usize) {
    if token.id() == at {
        planted(at);
    }
}

#[test]
fn map_and_collect() {
    everywhere(|_, v, at| drop(v.into_par_iter().map(|t| pass(t, at)).collect::<Vec<_>>()));
    everywhere(|_, v, at| {
        let some = v.into_par_iter().with_max_len(3).map(|t| pass(t, at));
        assert_eq!(some.rev().collect::<Vec<_>>().len(), N);
    });
    everywhere(|ledger, v, at| {
        drop(v);
        let make = |id| pass(ledger.token(id), at);
        assert_eq!(
            (0..N).into_par_iter().map(make).collect::<Vec<_>>().len(),
            N
        );
    });
}

#[test]
fn filter_and_collect() {
    everywhere(|_, v, at| {
        let some = v.into_par_iter().filter(|t| {
            look(t, at);
            t.id() % 2 == 0
        });
        assert_eq!(some.collect::<Vec<_>>().len(), N / 2);
    });
    everywhere(|_, v, at| {
        let some = v
            .into_par_iter()
            .with_max_len(5)
            .filter_map(|t| Some(pass(t, at)));
        assert_eq!(some.collect::<Vec<_>>().len(), N);
    });
}

#[test]
fn collect_into_used_room() {
    everywhere(|ledger, v, at| {
        let mut room = ledger.tokens();
        v.into_par_iter()
            .map(|t| pass(t, at))
            .collect_into_vec(&mut room);
    });
    everywhere(|ledger, v, at| {
        let mut old = ledger.tokens();
        old.par_extend(v.into_par_iter().map(|t| pass(t, at)));
        ledger.assert_each_live(2);
    });
}

#[test]
fn unzip_and_partition() {
    everywhere(|_, v, at| {
        let pairs = v.into_par_iter().map(|t| (pass(t.clone(), at), t));
        let (a, b): (Vec<Token>, Vec<Token>) = pairs.unzip();
        assert_eq!(a, b);
    });
    everywhere(|_, v, at| {
        let (a, b): (Vec<Token>, Vec<Token>) = v.into_par_iter().partition(|t| {
            look(t, at);
            t.id() < 20
        });
        assert_eq!((a.len(), b.len()), (20, N - 20));
    });
}

#[test]
fn for_each_by_value() {
    everywhere(|_, v, at| v.into_par_iter().for_each(|t| look(&t, at)));
    everywhere(|_, v, at| v.into_par_iter().with_max_len(1).for_each(|t| look(&t, at)));
}

#[test]
fn drain() {
    everywhere(|_, mut v, at| v.par_drain(..).for_each(|t| look(&t, at)));
    // Outside the range nothing is met, so the range covers the whole and the rest comes on top.
    everywhere(|ledger, mut v, at| {
        v.extend(ledger.tokens());
        v.rotate_right(20);
        v.par_drain(20..20 + N).for_each(|t| look(&t, at));
        assert_eq!(v.len(), N);
    });
}

#[test]
fn array() {
    everywhere(|_, v, at| {
        let array: [Token; N] = v.try_into().expect("the right length");
        array
            .into_par_iter()
            .with_max_len(9)
            .for_each(|t| look(&t, at));
    });
}

#[test]
fn hash_map() {
    everywhere(|_, v, at| {
        let map: HashMap<usize, Token> = v.into_iter().enumerate().collect();
        map.into_par_iter().for_each(|(_, t)| look(&t, at));
    });
    everywhere(|_, v, at| {
        let items = v.into_par_iter().map(|t| (t.id() % 10, pass(t, at)));
        assert_eq!(items.collect::<HashMap<_, _>>().len(), 10);
    });
}

#[test]
fn folds_and_reductions() {
    everywhere(|_, v, at| {
        let folds = v
            .into_par_iter()
            .with_max_len(10)
            .fold(Vec::new, |mut all, t| {
                all.push(pass(t, at));
                all
            });
        assert_eq!(folds.map(|f| f.len()).sum::<usize>(), N);
    });
    everywhere(|ledger, v, at| {
        drop(v);
        let make = |id| pass(ledger.token(id), at);
        let most = (0..N)
            .into_par_iter()
            .map(make)
            .reduce_with(|a, b| a.max(b));
        assert_eq!(most.map(|t| t.id()), Some(N - 1));
    });
}

#[test]
fn zip_chain_and_chunks() {
    everywhere(|ledger, v, at| {
        let pairs = v.into_par_iter().zip(ledger.tokens());
        pairs.for_each(|(a, _)| look(&a, at));
    });
    everywhere(|ledger, mut v, at| {
        let back = v.split_off(N / 2);
        let all = v.into_par_iter().chain(back).map(|t| pass(t, at));
        assert_eq!(all.collect::<Vec<_>>(), ledger.tokens());
    });
    everywhere(|_, v, at| {
        let chunks = v.into_par_iter().map(|t| pass(t, at)).chunks(7);
        assert_eq!(chunks.collect::<Vec<_>>().len(), N.div_ceil(7));
    });
    everywhere(|_, v, at| {
        let all = v.into_par_iter().enumerate().map(|(i, t)| (i, pass(t, at)));
        assert_eq!(all.rev().skip(0).take(N).collect::<Vec<_>>().len(), N);
    });
}

#[test]
fn flat_map() {
    everywhere(|_, v, at| {
        let parts = v.into_par_iter().flat_map(|t| {
            look(&t, at);
            vec![t.clone(), t.clone(), t]
        });
        assert_eq!(parts.collect::<Vec<_>>().len(), 3 * N);
    });
    // Inside the inner iterator this time.
    everywhere(|_, v, at| {
        let parts = v
            .into_par_iter()
            .flat_map(|t| vec![t; 5].into_par_iter().with_max_len(2));
        parts.for_each(|t| look(&t, at));
    });
    everywhere(|_, v, at| {
        let parts = v
            .into_par_iter()
            .flat_map_iter(|t| [t.clone(), pass(t, at)]);
        assert_eq!(parts.collect::<Vec<_>>().len(), 2 * N);
    });
}

#[test]
fn state() {
    everywhere(|ledger, v, at| {
        let init = || ledger.token(0);
        let all = v.into_par_iter().map_init(init, |state, t| {
            *state = pass(t.clone(), at);
            t
        });
        assert_eq!(all.collect::<Vec<_>>().len(), N);
    });
    everywhere(|ledger, v, at| {
        let all = v.into_par_iter().map_with(ledger.token(0), |state, t| {
            *state = pass(t.clone(), at);
            t
        });
        assert_eq!(all.collect::<Vec<_>>().len(), N);
    });
}

#[test]
fn bridge() {
    everywhere(|_, v, at| v.into_iter().par_bridge().for_each(|t| look(&t, at)));
}

#[test]
fn panic_fuse() {
    everywhere(|_, v, at| {
        let all = v
            .into_par_iter()
            .with_max_len(4)
            .map(|t| pass(t, at))
            .panic_fuse();
        assert_eq!(all.collect::<Vec<_>>().len(), N);
    });
}

/// A panic where a piece begins, before or behind the fuse, stops the other pieces, too.
#[test]
fn panic_fuse_where_pieces_begin() {
    const ITEMS: usize = 400;
    let run = |fused: fn(&(dyn Fn() + Sync), &(dyn Fn() + Sync))| {
        let (begun, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let begin = || {
            if begun.fetch_add(1, Relaxed) == 1 {
                planted(1);
            }
        };
        let work = || {
            std::thread::sleep(std::time::Duration::from_millis(1));
            done.fetch_add(1, Relaxed);
        };
        assert_eq!(caught(|| pool(2).install(|| fused(&begin, &work))), Err(1));
        let done = done.into_inner();
        assert!(
            done < ITEMS / 2,
            "{done} items although the second piece panicked"
        );
    };
    run(|begin, work| {
        let items = (0..ITEMS).into_par_iter().with_max_len(100).panic_fuse();
        items.map_init(begin, |(), _| work()).for_each(drop);
    });
    run(|begin, work| {
        let items = (0..ITEMS).into_par_iter().with_max_len(100);
        let fused = items.map_init(begin, |(), _| work()).panic_fuse();
        fused.zip(0..ITEMS).for_each(drop);
    });
}

/// A `clone` that panics.
#[test]
fn clones() {
    struct Fragile(Token, usize);

    impl Clone for Fragile {
        fn clone(&self) -> Self {
            Fragile(pass(self.0.clone(), self.1), self.1)
        }
    }

    everywhere(|_, v, at| {
        let v: Vec<Fragile> = v.into_iter().map(|t| Fragile(t, at)).collect();
        assert_eq!(v.par_iter().cloned().collect::<Vec<_>>().len(), N);
    });
}

/// The clones that `repeat_n` makes: all but one item, which is the original.
#[test]
fn clones_of_one() {
    struct Fragile<'c>(Token, &'c AtomicUsize, usize);

    impl Clone for Fragile<'_> {
        fn clone(&self) -> Self {
            if self.1.fetch_add(1, Relaxed) == self.2 {
                planted(self.2);
            }
            Fragile(self.0.clone(), self.1, self.2)
        }
    }

    for place in Place::all() {
        for at in 0..N {
            let ledger = Ledger::new(1);
            let calls = AtomicUsize::new(0);
            let one = Fragile(ledger.token(0), &calls, at);
            let items = || filch::iter::repeat_n(one, N).with_max_len(3);
            let outcome = place.run(|| caught(|| items().collect::<Vec<_>>().len()));
            match outcome {
                Ok(len) => assert_eq!((len, at), (N, N - 1), "{place:?}"),
                Err(id) => assert_eq!(id, at),
            }
            ledger.assert_all_gone();
        }
    }
}

/// Where an identity or an initial state panics, no item is lost.
#[test]
fn identities() {
    for place in Place::all() {
        let ledger = Ledger::new(N);
        let outcome = place.run(|| {
            caught(|| {
                let folds = ledger
                    .tokens()
                    .into_par_iter()
                    .fold(|| planted(1), |(), _| ());
                folds.count()
            })
        });
        assert_eq!(outcome, Err(1));
        let outcome = place.run(|| {
            let items = ledger.tokens().into_par_iter();
            caught(|| items.map_init(|| planted(2), |(), t| t).collect::<Vec<_>>())
        });
        assert_eq!(outcome.err(), Some(2));
        let outcome = place.run(|| {
            let items = ledger.tokens().into_par_iter().with_max_len(1);
            caught(|| items.map(|_| ()).reduce_with(|(), ()| planted(3)))
        });
        assert_eq!(outcome, Err(3));
        ledger.assert_all_gone();
    }
}

/// Several panics: one of them comes out, the other items still go.
#[test]
fn many_panics_at_once() {
    for place in Place::all() {
        let ledger = Ledger::new(1000);
        let outcome = place.run(|| {
            let items = ledger.tokens().into_par_iter().with_max_len(1);
            caught(|| {
                items.for_each(|t| {
                    if t.id() % 3 == 0 {
                        planted(t.id())
                    }
                })
            })
        });
        assert!(outcome.is_err_and(|id| id % 3 == 0), "{place:?}");
        ledger.assert_all_gone();
    }
}

/// A pool is as good as new after a panic.
#[test]
fn a_thousand_panics() {
    for place in Place::all() {
        for round in 0..1000 {
            let outcome = place.run(|| {
                let n = (0..16usize).into_par_iter().with_max_len(1);
                caught(|| {
                    n.for_each(|x| {
                        if x == round % 16 {
                            planted(round)
                        }
                    })
                })
            });
            assert_eq!(outcome, Err(round), "{place:?}");
        }
        assert_eq!(
            place.run(|| (0..1000).into_par_iter().sum::<usize>()),
            499_500
        );
    }
}

/// A loop over `0..items` in pieces of at most 256, with a fuse.
type Fused = fn(items: usize, look: &(dyn Fn(usize) + Sync));

/// Each of the ways in which adaptors and ends are driven through a fuse.
const FUSED: [(&str, Fused); 7] = {
    macro_rules! n {
        ($items:ident) => {
            (0..$items).into_par_iter().with_max_len($items / 256)
        };
    }
    [
        ("as a consumer with a length", |items, look| {
            n!(items).panic_fuse().for_each(look);
        }),
        ("as a consumer without", |items, look| {
            n!(items).filter(|_| true).panic_fuse().for_each(look);
        }),
        ("as a producer", |items, look| {
            let pairs = n!(items).panic_fuse().enumerate();
            pairs.for_each(|(_, x)| look(x));
        }),
        ("as an iterator", |items, look| {
            let pairs = n!(items).panic_fuse().zip(0..items);
            pairs.for_each(|(x, _)| look(x));
        }),
        ("above the panic", |items, look| {
            n!(items).map(look).panic_fuse().for_each(drop);
        }),
        ("in a part of a chain", |items, look| {
            let none = 0..0usize;
            let fused = n!(items).panic_fuse();
            none.into_par_iter().chain(fused).for_each(look);
        }),
        ("in each part of a flat_map", |items, look| {
            let parts = (0..1).into_par_iter();
            parts.flat_map(|_| n!(items).panic_fuse()).for_each(look);
        }),
    ]
};

/// On one thread nothing is looked at after the panic. Without the fuse, what was split off before is.
#[test]
fn panic_fuse_stops_one_thread() {
    const MANY: usize = 50_000;
    let looks = |run: Fused| {
        let looks = AtomicUsize::new(0);
        let outcome = pool(1).install(|| {
            caught(|| {
                run(MANY, &|x| {
                    looks.fetch_add(1, Relaxed);
                    if x == 10 {
                        planted(x);
                    }
                });
            })
        });
        assert_eq!(outcome, Err(10));
        looks.into_inner()
    };
    for (name, run) in FUSED {
        assert_eq!(looks(run), 11, "{name}");
    }
    let without = looks(|items, look| {
        let n = (0..items).into_par_iter().with_max_len(items / 256);
        n.for_each(look);
    });
    assert!(without > MANY / 2, "{without} looks");
}

/// A panic in a part that a greatest length demands keeps no other part from running, whether that was on offer or not; nor do two. The left one comes out.
#[test]
fn a_panic_in_a_demanded_part_leaves_the_others() {
    const LAST: usize = 20_000;
    for (threads, at) in [1, 2]
        .into_iter()
        .flat_map(|n| [0, 7, 15_999, LAST].map(|at| (n, at)))
    {
        for reversed in [false, true] {
            let seen = AtomicUsize::new(0);
            let look = |x: usize| {
                if x == at || x == LAST {
                    planted(x);
                }
                seen.fetch_add(1, Relaxed);
            };
            let outcome = pool(threads).install(|| {
                let n = (0..LAST + 1).into_par_iter().with_max_len(1);
                caught(|| match reversed {
                    true => n.rev().for_each(look),
                    false => n.for_each(look),
                })
            });
            let left = if reversed { LAST } else { at };
            let rest = LAST - usize::from(at != LAST);
            assert_eq!(outcome, Err(left), "{threads} threads, {at}, {reversed}");
            assert_eq!(
                seen.into_inner(),
                rest,
                "{threads} threads, {at}, {reversed}"
            );
        }
    }
}

/// The panic waits until another thread has begun, and that thread waits for the panic. From then on a look costs time, so others that went on would take
/// seconds and see everything.
#[test]
fn panic_fuse_stops_the_others() {
    const MANY: usize = 50_000;
    for threads in [2, 3, 8] {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.unwrap();
        for (name, run) in FUSED {
            let (looks, others, begun) = (AtomicUsize::new(0), Flag::new(), Flag::new());
            let outcome = pool.install(|| {
                caught(|| {
                    run(MANY, &|x| {
                        if x == 0 {
                            others.wait();
                            begun.set();
                            planted(x);
                        }
                        others.set();
                        begun.wait();
                        looks.fetch_add(1, Relaxed);
                        thread::sleep(Duration::from_micros(20));
                    });
                })
            });
            assert_eq!(outcome, Err(0), "{name} on {threads} threads");
            let looks = looks.into_inner();
            assert!(
                looks < MANY / 2,
                "{name} on {threads} threads: {looks} looks"
            );
        }
    }
}
