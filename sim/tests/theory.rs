//! What theory says of a machine on which all but the work is free, and what has to hold on any.

use sim::*;
use std::sync::Arc;

/// A scheduler that leaves no processor idle while there is something to do takes at most the work's share and the longest chain, and none takes
/// less than the larger of the two.
#[test]
fn a_greedy_machine_keeps_brents_bound() {
    for tree in [Tree::Random(60), Tree::Even(60), Tree::Quicksort(8_000)] {
        let workload = Workload::call(vec![Step::Tree(tree)]);
        let (work, chain) = tree.work_and_span(tree.root());
        for workers in [1, 2, 3, 8] {
            for seed in 1..=3 {
                // All jobs are public, and no worker sleeps before the end.
                let choices = Choices {
                    cap: Cap::Unlimited,
                    wake: Wake::All,
                    patience: Patience::Nanoseconds(work),
                    public: true,
                    ..Choices::SHIPPED
                };
                let outcome = run(&workload, workers, &choices, &Costs::free(), seed);
                let (share, steals) = (work / workers as u64, outcome.steals);
                let time = outcome.time;
                assert!(time >= share.max(chain), "{tree:?} {workers}: {time}");
                // A steal takes a nanosecond, and a look that comes before it another one.
                let most = share + chain + 4 * steals + 10;
                assert!(time <= most, "{tree:?} {workers}: {time} > {most}");
            }
        }
    }
}

#[test]
fn the_longest_chain_of_an_even_tree_is_its_depth() {
    let tree = Tree::Even(5 * 64 + 63);
    let (work, chain) = tree.work_and_span(tree.root());
    assert_eq!((work, chain), (383_000, 6_000 + 5_000));
}

#[test]
fn one_worker_takes_the_work_and_little_more() {
    for name in names() {
        let workload = named(name, 1);
        let outcome = run(&workload, 1, &Choices::SHIPPED, &Costs::default(), 1);
        assert!(outcome.time as f64 >= workload.ideal(1), "{name}");
        if workload.caller == Caller::Guest {
            assert!(outcome.time as f64 <= 1.01 * workload.ideal(1), "{name}");
        }
    }
}

/// The machine itself checks that no work is lost or done twice, that all sleep in the end, and that no right is left.
#[test]
fn random_machines_come_to_rest() {
    let items = Arc::new(Loop::random(3000, 3_000_000));
    let cold = Arc::new(Loop::last(3000, 3_000_000).cold());
    let steps = vec![
        Step::Loop(items),
        Step::Serial(70_000),
        Step::Tree(Tree::Random(2000)),
        Step::Loop(cold),
    ];
    let policies = Choices::all();
    for seed in 1..=120u64 {
        let (_, choices) = &policies[seed as usize % policies.len()];
        let workers = [1, 2, 3, 7, 16, 65][seed as usize % 6];
        for caller in [Caller::Guest, Caller::Worker] {
            let workload = Workload {
                caller,
                ..Workload::call(steps.clone())
            };
            let costs = Costs {
                wake: 100 * (seed % 100),
                arrival: (10 * seed, 1000 * seed),
                jitter: seed % 50,
                ..Costs::default()
            };
            let outcome = run(&workload, workers, choices, &costs, seed);
            assert_eq!(outcome, run(&workload, workers, choices, &costs, seed));
        }
    }
}

#[test]
fn a_thousand_workers_can_be_simulated() {
    let workload = named("flat", 1024);
    let outcome = run(&workload, 1024, &Choices::SHIPPED, &Costs::default(), 1);
    assert!(outcome.steals > 1024, "{outcome:?}");
}

#[test]
#[should_panic(expected = "at least one worker, not 0")]
fn no_workers_are_too_few() {
    run(
        &named("flat", 1),
        0,
        &Choices::SHIPPED,
        &Costs::default(),
        1,
    );
}

#[test]
#[should_panic(expected = "no workload named \"last 2 %\"")]
fn an_unknown_workload_is_named() {
    named("last 2 %", 1);
}
