//! What the fuzzer was given before, and some random inputs.

use filch_fuzz::alone::{Target, files_of, holds, keep_panics, random};
use std::path::Path;

fn check(name: &str, target: Target) {
    keep_panics();
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("corpus")
        .join(name);
    for file in files_of(&corpus) {
        let input = std::fs::read(&file).unwrap();
        assert!(holds(target, &input), "{}", file.display());
    }
    for run in 0..300 {
        assert!(holds(target, &random(0, run)), "random input {run}");
    }
}

#[test]
fn sort_comparators() {
    check("sort_comparators", filch_fuzz::sort_comparators);
}

#[test]
fn chains() {
    check("chains", filch_fuzz::chains);
}

#[test]
fn lying_producers() {
    check("lying_producers", filch_fuzz::lying_producers);
}
