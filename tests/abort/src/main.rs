//! What happens where no panic can be caught: `cargo run --profile abort -p abort`.
//!
//! Without an argument it runs itself once for each case, and checks how that ended. Where the profile is another one it says so and fails.

use filch::ext::{ParallelSelect, ParallelSliceTopK};
use filch::prelude::*;
use std::process::{Command, ExitStatus, Output};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

#[path = "../../it/support/disorder.rs"]
mod disorder;
use disorder::DISORDERS;

fn main() {
    if !cfg!(panic = "abort") {
        panic!("build it with `--profile abort`");
    }
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => every_case(),
        ["work"] => work(),
        ["join"] => {
            filch::join(|| (), || panic!("planted"));
        }
        ["items"] => (0..1000)
            .into_par_iter()
            .for_each(|i| assert!(i < 700, "planted")),
        ["spawn"] => {
            filch::spawn(|| panic!("planted"));
            std::thread::sleep(std::time::Duration::from_secs(100));
        }
        ["comparison"] => compare(|n, a, b| {
            assert_ne!(n, 1000, "planted");
            a.cmp(&b)
        }),
        ["disorder", number] => compare(DISORDERS[number.parse::<usize>().expect("a number")]),
        _ => panic!("no such case: {args:?}"),
    }
}

fn every_case() {
    let end = run(&["work"]);
    assert!(end.status.success(), "{end:?}");
    for case in ["join", "items", "spawn", "comparison"] {
        let end = run(&[case]);
        assert!(
            is_abort(end.status) && says(&end, "planted"),
            "{case}: {end:?}"
        );
    }
    for number in 0..DISORDERS.len() {
        let end = run(&["disorder", &number.to_string()]);
        let silent = end.stderr.is_empty();
        assert!(end.status.success() && silent, "{number}: {end:?}");
    }
    println!(
        "panics abort, and {} comparators that are no orders do not",
        DISORDERS.len()
    );
}

fn run(args: &[&str]) -> Output {
    let program = std::env::current_exe().expect("the path of this program");
    Command::new(program)
        .args(args)
        .output()
        .expect("a process for the case")
}

fn says(end: &Output, why: &str) -> bool {
    String::from_utf8_lossy(&end.stderr).contains(why)
}

#[cfg(unix)]
fn is_abort(status: ExitStatus) -> bool {
    const SIGABRT: i32 = 6;
    std::os::unix::process::ExitStatusExt::signal(&status) == Some(SIGABRT)
}

#[cfg(not(unix))]
fn is_abort(status: ExitStatus) -> bool {
    !status.success()
}

/// Something of everything.
fn work() {
    let mut numbers: Vec<u32> = (0..50_000).rev().collect();
    numbers.par_sort();
    assert!(numbers.is_sorted());
    numbers.par_sort_unstable_by(|a, b| b.cmp(a));
    assert_eq!(
        numbers.into_par_iter().filter(|n| n % 2 == 1).count(),
        25_000
    );
    let (mut left, mut right) = (0, 0);
    filch::scope(|s| {
        s.spawn(|_| left = 1);
        s.spawn(|_| right = 2);
    });
    assert_eq!(filch::join(|| left, || right), (1, 2));
}

/// Sorts and selects with this comparator; if that returns, no element is lost.
fn compare(comparator: disorder::Comparator) {
    let before: Vec<u32> = (0..50_000u32)
        .map(|i| i.wrapping_mul(0x9E37_79B9) % 50_000)
        .collect();
    let mut sorted = before.clone();
    sorted.sort();
    for way in 0..4 {
        let calls = AtomicUsize::new(0);
        let compare = |a: &u32, b: &u32| comparator(calls.fetch_add(1, Relaxed), *a, *b);
        let mut v = before.clone();
        match way {
            0 => v.par_sort_by(compare),
            1 => v.par_sort_unstable_by(compare),
            2 => v.par_partial_sort_unstable_by(v.len() / 3, compare),
            _ => drop(v.par_top_k_by(1000, compare)),
        }
        v.sort();
        assert!(v == sorted, "way {way}");
    }
}
