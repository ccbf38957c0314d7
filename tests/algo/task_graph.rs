//! Task graphs: each task once, after all that it waits for; circles are named, and then nothing runs.

use crate::support::{Dice, Ledger, Place, caught, costly, message, oracle, planted, within};
use filch::algo::{TaskGraph, TaskId};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// For each task, what it waits for: tasks with lesser numbers, some of them twice.
fn dependencies(n: usize, seed: u64) -> Vec<Vec<usize>> {
    let mut dice = Dice::new(seed);
    let most = 1 + dice.below(6);
    let mut of = |task: usize| {
        let count = if task == 0 { 0 } else { dice.below(most) };
        (0..count).map(|_| dice.below(task)).collect()
    };
    (0..n).map(&mut of).collect()
}

#[test]
fn each_once_and_after_what_it_waits_for() {
    oracle(
        (0..300usize, 0..1000u64),
        |&(n, seed)| {
            let all = dependencies(n, seed);
            let ended: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
            let mut graph = TaskGraph::new();
            for (task, waits_for) in all.iter().enumerate() {
                let ended = &ended;
                graph.task(move || {
                    costly(task as i32);
                    assert!(
                        waits_for
                            .iter()
                            .all(|&other| ended[other].load(Relaxed) == 1)
                    );
                    ended[task].fetch_add(1, Relaxed);
                });
            }
            for (task, waits_for) in all.iter().enumerate() {
                for &other in waits_for {
                    graph.after(TaskId(task), TaskId(other));
                }
            }
            graph.run().unwrap();
            ended
                .into_iter()
                .map(AtomicUsize::into_inner)
                .collect::<Vec<_>>()
        },
        |&(n, _)| vec![1; n],
    );
}

/// Tasks that wait for later ones, without a circle; one more edge makes one.
#[test]
fn the_last_one_first() {
    let n = 100;
    let log = Mutex::new(Vec::new());
    let graph = || {
        let mut graph = TaskGraph::new();
        let say = |i: usize| {
            let log = &log;
            graph.task(move || log.lock().unwrap().push(i))
        };
        let ids: Vec<TaskId> = (0..n).map(say).collect();
        for pair in ids.windows(2) {
            graph.after(pair[0], pair[1]);
        }
        graph
    };
    for place in Place::all() {
        place.run(|| graph().run()).unwrap();
        assert!(log.lock().unwrap().drain(..).eq((0..n).rev()));
    }
    let mut circle = graph();
    circle.after(TaskId(n - 1), TaskId(0));
    assert_eq!(circle.run().unwrap_err().tasks().len(), n);
    assert!(log.into_inner().unwrap().is_empty());
}

/// No task waits for another, or all wait for the first one: each runs once, and what it holds is gone.
#[test]
fn many_that_are_ready_at_once() {
    for n in [0, 1, 2, 3, 127, 5_000] {
        for place in Place::all() {
            for is_fan in [false, true] {
                let ledger = Ledger::new(n);
                let ran: Vec<AtomicUsize> = (0..n).map(|_| AtomicUsize::new(0)).collect();
                let mut graph = TaskGraph::new();
                for token in ledger.tokens() {
                    let ran = &ran;
                    graph.task(move || {
                        costly(token.id() as i32);
                        let begun = ran[0].load(Relaxed) == 1;
                        assert!(begun || !is_fan || token.id() == 0);
                        ran[token.id()].fetch_add(1, Relaxed);
                    });
                }
                (1..n)
                    .filter(|_| is_fan)
                    .for_each(|i| graph.after(TaskId(i), TaskId(0)));
                place.run(|| graph.run()).unwrap();
                assert!(ran.iter().all(|ran| ran.load(Relaxed) == 1));
                ledger.assert_all_gone();
            }
        }
    }
}

#[test]
fn a_chain_of_many_and_a_task_that_many_wait_for() {
    for place in [Place::Pool(1), Place::Pool(3)] {
        let log = Mutex::new(Vec::new());
        let mut graph = TaskGraph::new();
        let n = 20_000;
        for i in 0..n {
            let log = &log;
            graph.task(move || log.lock().unwrap().push(i));
        }
        for i in 1..n / 2 {
            graph.after(TaskId(i - 1), TaskId(i));
        }
        for i in n / 2..n {
            graph.after(TaskId(i), TaskId(0));
        }
        place.run(|| graph.run()).unwrap();
        let log = log.into_inner().unwrap();
        assert!(log[..n / 2].iter().copied().eq((0..n / 2).rev()));
        assert_eq!(log.len(), n);
    }
}

#[test]
fn circles_are_named_and_nothing_runs() {
    let ledger = Ledger::new(6);
    let mut graph = TaskGraph::new();
    for token in ledger.tokens() {
        graph.task(move || panic!("task {} runs", token.id()));
    }
    // 5 waits for the circle of 1, 4 and 2; 0 and 3 could run.
    for (task, other) in [(5, 4), (1, 4), (4, 2), (2, 1), (2, 0)] {
        graph.after(TaskId(task), TaskId(other));
    }
    let cycle = Place::Pool(3).run(|| graph.run()).unwrap_err();
    assert_eq!(cycle.tasks(), [1, 4, 2].map(TaskId));
    let text = "tasks wait for each other: 1 waits for 4 waits for 2 waits for 1";
    assert_eq!(cycle.to_string(), text);
    ledger.assert_all_gone();
    let mut graph = TaskGraph::new();
    graph.task(|| ());
    let text = message(|| graph.after(TaskId(0), TaskId(1)));
    assert!(text.contains("task 1 in a graph of 1 tasks"), "{text}");
}

/// What waits for a task that panics does not run, and is dropped.
#[test]
fn a_panic_at_each_task() {
    within(60, || {
        const N: usize = 12;
        for place in Place::all() {
            for bad in 0..N {
                let ledger = Ledger::new(N);
                let ran = AtomicUsize::new(0);
                let mut graph = TaskGraph::new();
                for token in ledger.tokens() {
                    let ran = &ran;
                    graph.task(move || {
                        assert!(token.id() <= bad || token.id() % 2 != bad % 2);
                        ran.fetch_add(1, Relaxed);
                        if token.id() == bad {
                            planted(4);
                        }
                    });
                }
                for i in 2..N {
                    graph.after(TaskId(i), TaskId(i - 2));
                }
                let outcome = place.run(|| caught(|| graph.run()));
                assert_eq!(outcome, Err(4));
                assert!(ran.load(Relaxed) <= N);
                ledger.assert_all_gone();
            }
        }
    });
}
