//! Under which settings a chain is run.

use compose::setting::{COSTS, CUTS, MOST_ITEMS, PLACES, Setting, TURNS, settings};
use std::collections::BTreeSet;

/// How many items a chain may make of one.
const GROWTHS: [usize; 7] = [1, 2, 3, 8, 20, 45, 60];

/// What a setting is made of, as texts.
fn parts(setting: &Setting) -> [String; 4] {
    let Setting {
        n,
        threads,
        cost,
        cuts,
    } = setting;
    [
        format!("n {n}"),
        format!("{threads} threads"),
        format!("cost {cost:?}"),
        format!("cuts {cuts:?}"),
    ]
}

/// All lengths with all places, costs and cuts.
fn product(lengths: &BTreeSet<usize>) -> Vec<Setting> {
    let mut all = Vec::new();
    for &n in lengths {
        for threads in PLACES {
            for cost in COSTS {
                all.extend(CUTS.map(|cuts| Setting {
                    n,
                    threads,
                    cost,
                    cuts,
                }));
            }
        }
    }
    all
}

/// Any two things that come together in one of the settings.
fn pairs(settings: &[Setting]) -> BTreeSet<[String; 2]> {
    let of_one = |setting: &Setting| {
        let parts = parts(setting);
        let pairs = (0..parts.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        pairs
            .map(|(a, b)| [parts[a].clone(), parts[b].clone()])
            .collect::<Vec<_>>()
    };
    settings.iter().flat_map(of_one).collect()
}

fn lengths(settings: &[Setting]) -> BTreeSet<usize> {
    settings.iter().map(|setting| setting.n).collect()
}

#[test]
fn each_turn_has_all_pairs() {
    for growth in GROWTHS {
        for turn in 0..TURNS {
            let settings = settings(growth, turn);
            let all = pairs(&product(&lengths(&settings)));
            let missing: Vec<_> = all.difference(&pairs(&settings)).cloned().collect();
            assert!(
                missing.is_empty(),
                "growth {growth}, turn {turn}: {missing:?}"
            );
        }
    }
}

#[test]
fn all_turns_have_the_whole_product() {
    for growth in GROWTHS {
        let settings: Vec<_> = (0..TURNS).flat_map(|turn| settings(growth, turn)).collect();
        let texts = |settings: &[Setting]| settings.iter().map(parts).collect::<BTreeSet<_>>();
        assert_eq!(
            texts(&settings),
            texts(&product(&lengths(&settings))),
            "growth {growth}"
        );
    }
}

#[test]
fn places_costs_and_lengths_are_those_that_were_asked_for() {
    assert_eq!(PLACES, [0, 1, 2, 3, 8]);
    assert_eq!(
        COSTS.map(|cost| format!("{cost:?}")),
        ["None", "Even", "Few"]
    );
    assert_eq!(
        lengths(&settings(1, 0)),
        [0, 1, 2, 3, 7, 64, 1_000, 10_000].into()
    );
}

/// Those that grow have as many items in the end, but not many more.
#[test]
fn the_longest_sources_are_as_long_as_a_chain_may_have() {
    for growth in GROWTHS {
        let lengths = lengths(&settings(growth, 0));
        assert!(
            lengths.contains(&0) && lengths.contains(&64),
            "growth {growth}"
        );
        let longest = lengths.last().expect("there are some");
        let most = (MOST_ITEMS / growth).min(10_000);
        assert_eq!(*longest, most, "growth {growth}");
    }
}
