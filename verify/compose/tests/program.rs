//! The program as a whole, as far as it needs no compiler.

use std::process::Command;

fn compose(arguments: &[&str]) -> (bool, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_compose"))
        .args(arguments)
        .output()
        .expect("it can be run");
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    (output.status.success(), said)
}

/// Functions too, of all parts of the crate. Where the reason is that tests have it, they name it.
#[test]
fn every_public_method_has_a_row_or_a_reason_to_have_none() {
    let (complete, said) = compose(&["--table"]);
    assert!(complete, "{said}");
}

#[test]
fn the_same_seed_draws_the_same_chains() {
    let show = |seed| compose(&["--seed", seed, "--chains", "30", "--show"]);
    assert_eq!(show("5"), show("5"));
    assert_ne!(show("5"), show("6"));
}

/// All of the table is drawn sooner or later, so no row asks for what no other one gives. And what went wrong before is drawn often.
#[test]
fn every_row_is_drawn_and_each_kind_of_chain_often() {
    let (complete, said) = compose(&["--rows", "--chains", "12000"]);
    assert!(complete, "{said}");
    let counts: Vec<usize> = said
        .split(' ')
        .filter_map(|word| word.parse().ok())
        .collect();
    let [drawn, kinds @ ..] = &counts[..] else {
        panic!("{said}")
    };
    let often = kinds.iter().all(|kind| *kind > drawn / 4);
    assert!(*drawn == 12_000 && kinds.len() == 3 && often, "{said}");
}
