//! How one thread splits a loop, block by block and cut by cut. The crate's own test `a_thread_splits_as_the_simulator_does` has a real thread do the same, by a clock
//! that only the items move, and reads the same file.
//!
//! `SIM_RENEW=1 cargo test -p sim --test splits` writes what there is now.

use sim::{Loop, splits};
use std::path::Path;

/// How many items each loop has, and what they cost together, in nanoseconds.
const ITEMS: usize = 10_000;
const WORK: u64 = 3_000_000;

#[test]
fn splits_are_as_recorded() {
    let shapes: [(&str, Loop); 4] = [
        ("flat", Loop::flat(ITEMS, WORK)),
        ("first 1 %", Loop::first(ITEMS, WORK)),
        ("last 1 %", Loop::last(ITEMS, WORK)),
        ("1/i", Loop::falling(ITEMS, WORK)),
    ];
    let mut seen = String::from(
        "loop\tthief\tcuts\tsplits: first item that is left, and items of the first part\n",
    );
    for (name, items) in shapes {
        for thief in [false, true] {
            let (splits, cuts) = splits(items.clone(), thief);
            assert_eq!(cuts > 0, thief, "{name}");
            let words: Vec<_> = splits
                .iter()
                .map(|split| format!("{}+{}", split.at, split.items))
                .collect();
            seen += &format!("{name}\t{thief}\t{cuts}\t{}\n", words.join(" "));
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
