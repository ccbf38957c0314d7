//! How one thread splits a loop, block by block and cut by cut. The crate's own test `a_thread_splits_as_the_simulator_does` has a real thread do the same, by a clock
//! that only the items move, and reads the same file.
//!
//! Each loop is called four times, the last two with items of an eighth of the cost. So what the call site remembers is none, right, far too much, and too much.
//!
//! `SIM_RENEW=1 cargo test -p sim --test splits` writes what there is now.

use sim::{Loop, splits};
use std::path::Path;

/// What the items cost together, in nanoseconds; then, by how much they get cheaper.
const WORK: u64 = 3_000_000;
const CHEAPER: u64 = 8;

/// A name, how many items, and what each weighs, by its number and theirs.
type Shape = (&'static str, usize, fn(usize, usize) -> u64);

fn shapes() -> [Shape; 10] {
    let flat = |_, _| 1;
    [
        ("flat", 10_000, flat),
        (
            "first 1 %",
            10_000,
            |at, len| {
                if at < len / 100 { 10_000 } else { 1 }
            },
        ),
        ("last 1 %", 10_000, |at, len| {
            if at >= len - len / 100 { 10_000 } else { 1 }
        }),
        (
            "last two",
            10_000,
            |at, len| {
                if at >= len - 2 { 300_000 } else { 1 }
            },
        ),
        ("1/i", 10_000, |at, _| (1 << 40) / (at as u64 + 100)),
        ("in turns", 10_007, |at, _| [1, 40][at / 700 % 2]),
        ("uneven", 4_099, |at, _| 1 << (at * at % 11)),
        ("few", 37, flat),
        ("three", 3, |at, _| [1, 5, 2][at]),
        ("two", 2, flat),
    ]
}

#[test]
fn splits_are_as_recorded() {
    let mut seen = String::from(
        "loop\tthief\tcall\tcuts\tsplits: first item that is left, and items of the first part\n",
    );
    for (name, len, weight) in shapes() {
        let items = |work| Loop::weighed(len, work, |at| weight(at, len));
        let calls = [WORK, WORK, WORK / CHEAPER, WORK / CHEAPER].map(items);
        for thief in [false, true] {
            for (call, (splits, cuts)) in splits(&calls, thief).into_iter().enumerate() {
                assert_eq!(cuts > 0, thief, "{name}, call {call}");
                let words: Vec<_> = splits
                    .iter()
                    .map(|split| format!("{}+{}", split.at, split.items))
                    .collect();
                seen += &format!("{name}\t{thief}\t{call}\t{cuts}\t{}\n", words.join(" "));
            }
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/splits.tsv");
    if std::env::var_os("SIM_RENEW").is_some() {
        std::fs::write(&file, &seen).unwrap();
    }
    let recorded = std::fs::read_to_string(&file).unwrap();
    for (seen, recorded) in seen.lines().zip(recorded.lines()) {
        assert_eq!(seen, recorded);
    }
    assert_eq!(seen.lines().count(), recorded.lines().count());
}
