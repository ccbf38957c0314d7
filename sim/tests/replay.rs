//! Recordings that the crate makes, and the program that runs them again.

use filch::ThreadPoolBuilder;
use filch::prelude::*;
use sim::{Choices, Costs, Step, read, run};
use std::hint::black_box;
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::{Mutex, PoisonError};

/// A file of this name with the recording of what a pool of two threads does.
fn recorded(name: &str, f: impl FnOnce() + Send) -> PathBuf {
    // A recording has all pools of the process in it.
    static ALONE: Mutex<()> = Mutex::new(());
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let pool = ThreadPoolBuilder::new().num_threads(2).build().unwrap();
    let ((), trace) = filch::trace::record(|| pool.install(f));
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    trace
        .write_raw(std::fs::File::create(&path).unwrap())
        .unwrap();
    path
}

/// Long enough for a block of its own.
fn work(item: u64) -> u64 {
    (0..20_000 + item).fold(item, |a, b| black_box(a.wrapping_mul(31) ^ b))
}

fn loops(steps: &[Step]) -> (usize, usize) {
    let sums = steps.iter().map(|step| match step {
        Step::Loop(items) => (1, items.items()),
        Step::Fork(sides) => {
            let [left, right] = sides.each_ref().map(|side| loops(side));
            (left.0 + right.0, left.1 + right.1)
        }
        _ => (0, 0),
    });
    sums.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1))
}

/// How many items the program has.
const ITEMS: usize = 1_200;

fn program() {
    (0..1_000u64).into_par_iter().for_each(|item| {
        black_box(work(item));
    });
    let two = || (0..100u64).into_par_iter().map(work).max();
    black_box(filch::join(two, two));
    black_box(work(7));
}

#[test]
fn a_recorded_program_has_its_loops_and_items() {
    let path = recorded("program.filch", program);
    let replay = read(&path).unwrap();
    let steps = &replay.workload.calls[0].1;
    let seen = (replay.seen.loops, replay.seen.items);
    assert_eq!(loops(steps), seen);
    assert_eq!(seen, (3, ITEMS));
    assert!(replay.seen.serial > 0 && replay.bounds.is_bound());
    // What ran beside what depends on the machine, but not this: one worker does all of it, and no number is faster than the longest chain.
    for workers in [1, 2, 64] {
        let outcome = run(
            &replay.workload,
            workers,
            &Choices::SHIPPED,
            &Costs::default(),
            1,
        );
        let ideal = replay.workload.ideal(workers);
        assert!(
            outcome.time as f64 >= ideal,
            "{workers}: {outcome:?}, {ideal}"
        );
        assert!(workers > 1 || outcome.time as f64 <= 1.02 * ideal);
        assert!(outcome.time >= replay.workload.chain());
    }
}

fn sim(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_sim"))
        .args(arguments)
        .output()
        .unwrap()
}

#[test]
fn the_program_prints_a_row_for_each_number_of_workers() {
    let path = recorded("printed.filch", program);
    let output = sim(&["--replay", path.to_str().unwrap(), "--workers", "1,3,64"]);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    let rows = said
        .lines()
        .filter_map(|line| line.split_whitespace().next()?.parse().ok());
    assert_eq!(rows.collect::<Vec<usize>>(), [1, 3, 64], "{said}");
    let items = said.split("3 loops with ").nth(1);
    let items = items.and_then(|rest| rest.split(' ').next()?.parse().ok());
    assert_eq!(items, Some(ITEMS), "{said}");
    assert!(said.contains("Not known: "), "{said}");
}

/// One line with the value, and the code for wrong use.
#[test]
fn bad_input_is_told_in_a_line() {
    let path = recorded("whole.filch", program);
    let path = path.to_str().unwrap();
    let cut = format!("{path}.cut");
    let whole = std::fs::read(path).unwrap();
    std::fs::write(&cut, &whole[..whole.len() - 8]).unwrap();
    let quiet = recorded("quiet.filch", || ());
    let quiet = quiet.to_str().unwrap();
    let bytes = format!("goes on after the {} bytes", whole.len() - 8);
    for (arguments, value) in [
        (
            &["--replay", "no-such.filch"][..],
            "no-such.filch cannot be read: ",
        ),
        (
            &[
                "--replay",
                concat!(env!("CARGO_MANIFEST_DIR"), "/README.md"),
            ],
            "README.md: this is no recording of filch",
        ),
        (&["--replay", &cut], &bytes),
        (&["--replay", quiet], "0 calls of parallel iterators"),
        (
            &["--replay", path, "--workers", "0"],
            "\"0\" is no number of workers from 1 to 1024",
        ),
        (
            &["--replay", path, "--workers", "2,many"],
            "\"many\" is no number",
        ),
        (
            &["--replay", path, "--workers", "1025"],
            "\"1025\" is no number",
        ),
        (
            &["--replay", path, "--worker", "1"],
            "usage: sim --replay FILE.filch [--workers 1,2,8,64]",
        ),
        (&["--replay"], "usage: sim --replay FILE.filch"),
        (&["--again"], "not --again"),
    ] {
        let output = sim(arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), said.lines().count()),
            (Some(2), 1),
            "{said}"
        );
        assert!(said.contains(value) && output.stdout.is_empty(), "{said}");
    }
}
