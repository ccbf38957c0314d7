//! Chains that do what they must not, one fault each: a run has to find each by the message that is meant for it, and nothing in a chain that is right.

use compose::prelude::*;
use compose::run;
use filch::prelude::*;
use std::env;
use std::mem::forget;
use std::process::{Command, abort};

const ITEMS: Promise = Promise {
    check: Check::Items,
    count: Count::All,
    ordered: true,
};

/// In the environment of the program of one chain: which.
const WHICH: &str = "COMPOSE_PLANTED";

fn chain(name: &'static str, by_filch: fn(usize, &Data) -> Vec<u64>) -> Chain {
    Chain {
        name,
        by_filch,
        by_std: |n, _| {
            Out::out(
                tokens(n)
                    .into_iter()
                    .map(|x| boom(x, 3, 40))
                    .collect::<Vec<_>>(),
            )
        },
        promise: ITEMS,
        growth: 1,
        eager: true,
        turn: 0,
    }
}

/// As [`chain`], without planned panics.
fn calm(name: &'static str, by_filch: fn(usize, &Data) -> Vec<u64>) -> Chain {
    Chain {
        by_std: |n, _| Out::out(tokens(n)),
        ..chain(name, by_filch)
    }
}

/// The chains, and what has to be said of each. Nothing has to be said of the first two.
fn planted() -> Vec<(Chain, &'static str)> {
    let right = |n, _: &Data| Out::out(tokens(n).into_par_iter().collect::<Vec<_>>());
    let booms = |n, _: &Data| {
        Out::out(
            tokens(n)
                .into_par_iter()
                .map(|x| boom(x, 3, 40))
                .collect::<Vec<_>>(),
        )
    };
    let lost = |n: usize, _: &Data| Out::out(tokens(n).into_par_iter().skip(1).collect::<Vec<_>>());
    let twice = |n: usize, _: &Data| {
        let last = tokens(n).pop();
        Out::out(tokens(n).into_par_iter().chain(last).collect::<Vec<_>>())
    };
    let turned = |n, _: &Data| Out::out(tokens(n).into_par_iter().rev().collect::<Vec<_>>());
    let leaked = |n, _: &Data| {
        let forgotten = |x: Token| {
            let number = x.get();
            forget(x);
            number
        };
        Out::out(tokens(n).into_par_iter().map(forgotten).collect::<Vec<_>>())
    };
    let other = |n, _: &Data| {
        let odd = |x: Token| {
            if x.get() == 5 {
                panic!("not planned")
            } else {
                x
            }
        };
        Out::out(tokens(n).into_par_iter().map(odd).collect::<Vec<_>>())
    };
    let ends = |n, _: &Data| if n > 2 { abort() } else { Out::out(tokens(n)) };
    vec![
        (calm("right", right), ""),
        (chain("booms", booms), ""),
        (calm("lost", lost), " numbers, not "),
        (calm("twice", twice), " numbers, not "),
        (calm("turned", turned), "from 0 on ["),
        (calm("leaked", leaked), " items were never dropped"),
        (chain("swallowed", right), " panics arrived"),
        (calm("unplanned", booms), "a planned panic that no item has"),
        (calm("other", other), "panic: not planned"),
        (calm("ends", ends), ""),
    ]
}

/// No test: the program of one chain, which the test below starts.
#[test]
#[ignore = "it is a program of the test below"]
fn program() {
    let Ok(which) = env::var(WHICH) else { return };
    let mut all = planted();
    all.retain(|(chain, _)| chain.name == which);
    let (chain, _) = all.pop().expect("there is one of this name");
    run::main(&[chain]);
}

#[test]
fn each_fault_is_found_by_its_own_message() {
    for (chain, message) in planted() {
        let name = chain.name;
        let output = Command::new(env::current_exe().expect("it runs"))
            .args(["--exact", "program", "--ignored", "--nocapture"])
            .env(WHICH, name)
            .output()
            .expect("it can be run");
        let said = String::from_utf8_lossy(&output.stdout);
        let begun = said.contains(&format!("begin {name}\n"));
        let fails: Vec<&str> = said
            .lines()
            .filter(|line| line.starts_with("fail "))
            .collect();
        let meant =
            |line: &&str| line.starts_with(&format!("fail {name} with ")) && line.contains(message);
        assert!(begun, "{name} did not begin: {said}");
        match name {
            "right" | "booms" => assert!(fails.is_empty() && said.contains("failed 0\n"), "{said}"),
            // Its line is missing, and the last one that began is to blame.
            "ends" => assert!(!said.contains("done "), "{said}"),
            _ => assert!(
                !fails.is_empty() && fails.iter().all(meant),
                "{name}, by {message:?}: {said}"
            ),
        }
    }
}
