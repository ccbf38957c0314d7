//! Mutants that need no test: a list with a reason for each.

use std::collections::BTreeSet;
use std::path::Path;

use crate::compile::read;
use crate::mutant::Mutant;

/// A line of the list.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Known {
    file: String,
    function: String,
    change: String,
    reason: String,
}

pub fn list(path: &Path) -> Result<Vec<Known>, String> {
    let mut known = Vec::new();
    for (nth, line) in read(path)?.lines().enumerate() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let [file, function, change, reason] = line.split('\t').collect::<Vec<_>>()[..] else {
            return Err(format!(
                "{}:{}: four columns are needed",
                path.display(),
                nth + 1
            ));
        };
        let [file, function, change, reason] = [file, function, change, reason].map(str::to_owned);
        known.push(Known {
            file,
            function,
            change,
            reason,
        });
    }
    Ok(known)
}

impl Known {
    pub fn is(&self, mutant: &Mutant) -> bool {
        (&*self.file, &*self.function, &*self.change)
            == (&*mutant.file, &*mutant.function, &*mutant.change())
    }
}

/// Lines for these files that fit no mutant: the code has changed since.
pub fn outdated<'k>(known: &'k [Known], mutants: &[Mutant]) -> Vec<&'k Known> {
    let files: BTreeSet<&str> = mutants.iter().map(|it| &*it.file).collect();
    let lines = known.iter().filter(|it| files.contains(&*it.file));
    lines
        .filter(|it| !mutants.iter().any(|mutant| it.is(mutant)))
        .collect()
}

/// Lines that fit more than one mutant: a reason given for one of them need not hold for another.
pub fn ambiguous<'k>(known: &'k [Known], mutants: &[Mutant]) -> Vec<&'k Known> {
    let fits = |line: &&Known| mutants.iter().filter(|it| line.is(it)).count();
    known.iter().filter(|it| fits(it) > 1).collect()
}

impl std::fmt::Display for Known {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}, {}: {}", self.file, self.function, self.change)
    }
}
