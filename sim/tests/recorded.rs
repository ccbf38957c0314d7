//! Answers that were recorded: a change of a policy, of the driver's thresholds or of the simulator shows here, to the nanosecond.
//!
//! `SIM_RENEW=1 cargo test -p sim --test recorded` writes what there is now. Read the difference: it is what the change does.

use sim::{Choices, Costs, named, names, run};
use std::path::Path;

const HEAD: &str = "workload\tworkers\tpolicy\tns\twork\thanding\tsearching\twaking\tsteals\twakes\tparks\tcuts\tunseen\n";

/// For how many workers each workload is recorded; the policies other than the shipped ones for the last.
const WORKERS: [usize; 4] = [1, 2, 8, 64];
const OTHERS: [&str; 4] = ["1/i", "tree", "regions 1 ms", "server"];

#[test]
fn answers_are_as_recorded() {
    let mut seen = String::from(HEAD);
    for name in names() {
        for workers in WORKERS {
            for (policy, choices) in Choices::all() {
                let shipped = choices == Choices::SHIPPED;
                if !shipped && (workers != 64 || !OTHERS.contains(&name)) {
                    continue;
                }
                let o = run(
                    &named(name, workers),
                    workers,
                    &choices,
                    &Costs::default(),
                    1,
                );
                let times = [o.time, o.work, o.handing, o.searching, o.waking];
                let counts = [o.steals, o.wakes, o.parks, o.cuts, o.unseen];
                let figures = times.iter().chain(&counts).map(|n| format!("\t{n}"));
                let figures: String = figures.collect();
                seen += &format!("{name}\t{workers}\t{policy}{figures}\n");
            }
        }
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded.tsv");
    if std::env::var_os("SIM_RENEW").is_some() {
        std::fs::write(&file, &seen).unwrap();
    }
    let recorded = std::fs::read_to_string(&file).unwrap();
    for (seen, recorded) in seen.lines().zip(recorded.lines()) {
        assert_eq!(seen, recorded, "\n{HEAD}");
    }
    assert_eq!(seen.lines().count(), recorded.lines().count());
}

/// What the shipped choices are today is one of the alternatives, so that the table compares them with what they are.
#[test]
fn shipped_is_a_quarter() {
    let workload = named("1/i", 64);
    let with = |name: &str| {
        let all = Choices::all();
        let (_, choices) = all.iter().find(|(policy, _)| *policy == name).unwrap();
        run(&workload, 64, choices, &Costs::default(), 3)
    };
    assert_eq!(with("as shipped"), with("cap quarter"));
}
