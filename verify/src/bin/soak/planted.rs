//! Checks the check: bugs that are imitated have to be found.

use crate::options::Options;
use crate::programs::plant::Plant;
use crate::soak::Soak;

/// How large a program with an imitated bug is at most, once it was made smaller.
const SMALL: u32 = 6;

/// Whether each of the bugs is found, by its own message.
pub fn all_are_found(soak: &Soak, options: &Options) -> bool {
    let lines = options
        .plants
        .iter()
        .map(|&plant| is_found(soak, options, plant));
    // All of them, also after the first that is not found.
    let found: Vec<bool> = lines.collect();
    found.into_iter().all(|found| found)
}

fn is_found(soak: &Soak, options: &Options, plant: Plant) -> bool {
    let name = plant.name();
    // A bug need not show in each program that it is imitated in.
    let Some(failure) = soak.search(options, Some(plant)) else {
        println!("soak: {name:14} WRONG: not found");
        return false;
    };
    let (size, faults) = soak.report(options, failure, Some(plant));
    let text = faults.iter().find(|fault| fault.contains(plant.message()));
    let verdict = match text {
        None => "WRONG: found, but not by its own message".into(),
        Some(_) if size > SMALL => format!("WRONG: found, but not made smaller than {size} nodes"),
        Some(text) => format!("found: {text}"),
    };
    println!("soak: {name:14} {verdict}");
    text.is_some() && size <= SMALL
}
