//! Pipelines against chains of std's iterators; limits, bounds and panics.

use crate::support::{
    Ledger, Place, cases, caught, costly, ints, message, oracle, planted, within,
};
use filch::algo::pipeline;
use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

#[test]
fn all_items_in_their_order() {
    oracle(
        (ints(), 1..5usize, 1..40usize),
        |(v, limit, in_flight)| {
            let (mut sum, mut out) = (0, Vec::new());
            pipeline(v.iter())
                .stage(*limit, |x| costly(*x).to_string())
                .in_order(|text: String| {
                    sum += text.len();
                    (text, sum)
                })
                .in_flight(*in_flight)
                .stage(usize::MAX, |(text, sum)| (costly(sum as i32), text))
                .for_each(|x| out.push(x));
            out
        },
        |(v, _, _)| {
            let texts = v.iter().map(i32::to_string);
            texts
                .scan(0, |sum, text| {
                    *sum += text.len();
                    Some((*sum as i32, text))
                })
                .collect::<Vec<_>>()
        },
    );
}

#[test]
fn no_stage_and_no_items() {
    for place in Place::all() {
        place.run(|| {
            let mut out = Vec::new();
            pipeline(0..100).for_each(|x| out.push(x));
            assert!(out.into_iter().eq(0..100));
            pipeline(0..0)
                .stage(1, |x: i32| x)
                .for_each(|_| panic!("an item from nowhere"));
        });
    }
}

/// Counts the threads that are inside, and the most there ever were.
#[derive(Default)]
struct Gauge(AtomicUsize, AtomicUsize);

impl Gauge {
    fn enter(&self) {
        let inside = self.0.fetch_add(1, SeqCst) + 1;
        self.1.fetch_max(inside, SeqCst);
    }

    fn leave(&self) {
        self.0.fetch_sub(1, SeqCst);
    }

    fn most(&self) -> usize {
        self.1.load(SeqCst)
    }
}

#[test]
fn no_more_at_a_time_than_said() {
    within(60, || {
        for place in Place::all() {
            let gauges: [Gauge; 4] = Default::default();
            let [whole, one, two, last] = &gauges;
            let slow = |gauge: &Gauge, x: i32| {
                gauge.enter();
                costly(0);
                std::thread::yield_now();
                gauge.leave();
                x
            };
            let source = (0..cases(200).min(1000) as i32).inspect(|_| whole.enter());
            place.run(|| {
                pipeline(source)
                    .in_flight(5)
                    .stage(1, |x| slow(one, x))
                    .stage(2, |x| slow(two, x))
                    .for_each(|x| {
                        slow(last, x);
                        whole.leave();
                    });
            });
            assert_eq!((one.most(), last.most()), (1, 1));
            assert!(two.most() <= 2);
            // The last one has left the count while it is still on the way.
            assert!(whole.most() <= 5, "{}", whole.most());
        }
    });
}

/// A pipeline inside a stage of another one.
#[test]
fn nested() {
    within(60, || {
        for place in Place::all() {
            place.run(|| {
                let mut out = Vec::new();
                pipeline(0..50usize)
                    .stage(3, |n| {
                        let mut sum = 0;
                        pipeline(0..n).stage(2, |x| x).for_each(|x| sum += x);
                        sum
                    })
                    .for_each(|sum| out.push(sum));
                assert!(
                    out.into_iter()
                        .eq((0..50usize).map(|n| n * n.saturating_sub(1) / 2))
                );
            });
        }
    });
}

/// Each item is dropped once; what came out is the beginning, without a gap.
#[test]
fn a_panic_at_each_item_of_each_part() {
    within(120, || {
        const N: usize = 20;
        for place in Place::all() {
            for part in 0..4 {
                for bad in 0..N {
                    let ledger = Ledger::new(N);
                    let fails = |here: usize, id: usize| {
                        if here == part && id == bad {
                            planted(part);
                        }
                    };
                    let mut out = Vec::new();
                    let tokens = ledger.tokens().into_iter();
                    let outcome = place.run(|| {
                        caught(|| {
                            pipeline(tokens.inspect(|token| fails(0, token.id())))
                                .in_flight(6)
                                .stage(2, |token| {
                                    fails(1, token.id());
                                    token
                                })
                                .in_order(|token| {
                                    fails(2, token.id());
                                    token
                                })
                                .for_each(|token| {
                                    fails(3, token.id());
                                    out.push(token.id());
                                })
                        })
                    });
                    assert_eq!(outcome, Err(part));
                    assert!(out.len() <= bad && out.iter().copied().eq(0..out.len()));
                    ledger.assert_all_gone();
                }
            }
        }
    });
}

/// A source without an end: after a panic no more is drawn, though there is room for all.
#[test]
fn a_panic_ends_an_endless_source() {
    within(60, || {
        for place in Place::all() {
            for part in 0..4 {
                let fails = |here: usize, x: u64| {
                    if here == part && x == 7 {
                        planted(part);
                    }
                    x
                };
                let outcome = place.run(|| {
                    caught(|| {
                        pipeline((0..).map(|x| fails(0, x)))
                            .in_flight(usize::MAX)
                            .stage(usize::MAX, |x| fails(1, x))
                            .in_order(|x| fails(2, x))
                            .for_each(|x| {
                                fails(3, x);
                            })
                    })
                });
                assert_eq!(outcome, Err(part));
            }
        }
    });
}

#[test]
fn limits_of_none() {
    let text = message(|| drop(pipeline(0..3).stage(0, |x| x)));
    assert!(text.contains("no items at a time"), "{text}");
    let text = message(|| drop(pipeline(0..3).in_flight(0)));
    assert!(text.contains("a pipeline for no items"), "{text}");
}
